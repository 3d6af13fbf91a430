"""Jacks, queens and kings: half-figures above a sash, each suit with its own crown and arms."""

from __future__ import annotations

from deck.inks import GOLD, INK, LIP, PAPER, ROBE, ROBE_ACCENT, SKIN, dot, line, pip, shape

# Two suits look and hold the other way.
TURNED = {"s": False, "h": True, "d": False, "c": True}
ARM = 46


def half(rank: str, suit: str) -> str:
    """The upper half of a court card, and what it holds."""
    figure = {"K": king, "Q": queen, "J": jack}[rank](suit)
    held = {"K": _regalia, "Q": _flower, "J": _staff}[rank](suit)
    way = ' transform="scale(-1 1)"' if TURNED[suit] else ""
    name = f"{rank}{suit}"
    return f'<g id="bust-{name}"{way}>{figure}</g><g id="arm-{name}"{way}>{held}{_hand()}</g>'


def sash(suit: str) -> str:
    """The band that parts the two halves."""
    lozenges = "".join(
        f'<path d="M{at}-2.9L{at + 3.6:g} 0L{at} 2.9L{at - 3.6:g} 0Z" fill="{ROBE}"/>'
        for at in range(-66, 67, 11)
    )
    band = shape("M-80-7H80V7H-80Z", PAPER) + line("M-80-4.2H80M-80 4.2H80", 1.6, GOLD) + lozenges
    return (
        f'<g id="sash-{suit}" clip-path="url(#clip-box)"><g transform="rotate(-15)">{band}</g></g>'
    )


def king(suit: str) -> str:
    """A beard, a collar of ermine, a crown."""
    hair = (
        "M-22-92C-34-86-34-66-31-56q-2 8-9 6q1 9 12 6q9-3 9-16V-92z"
        "M22-92C34-86 34-66 31-56q2 8 9 6q-1 9-12 6q-9-3-9-16V-92z"
    )
    tails = ((-31, -34), (-20, -22), (-9, -10), (9, -10), (20, -22), (31, -34))
    ermine = "".join(f'<path d="M{x} {y}l-1.6 6h3.2z" fill="{INK}"/>' for x, y in tails)
    collar = shape("M-34-42Q-22-30 0-10Q22-30 34-42L42-35Q24-12 0 6Q-24-12-42-35Z", PAPER)
    head = shape(hair, ROBE_ACCENT) + _face() + _beard() + _crown(suit, 22, -93, -114)
    return _robe(suit) + collar + ermine + head


def _beard() -> str:
    full = (
        "M-19-66Q-21-44-13-33Q-6-24 0-18Q6-24 13-33Q21-44 19-66Q15-55 6-56Q0-59-6-56Q-15-55-19-66Z"
    )
    lip = "M0-57q-7-3-13 4q7 1 13-2q6 3 13 2q-6-7-13-4z"
    return (
        shape(full, ROBE_ACCENT)
        + f'<path d="{lip}" fill="{GOLD}" stroke="{INK}" stroke-width="1.2"/>'
        + line("M-5.4-49.6q5.4 3.6 10.8 0", 2.4, LIP)
        + line("M-10-44q2 8 6 13M10-44q-2 8-6 13M0-42V-25", 1.3, GOLD)
    )


def queen(suit: str) -> str:
    """Long hair, lace, beads with the suit's sign."""
    hair = (
        "M0-97C-24-98-34-86-33-66C-32-50-37-42-43-34C-32-29-22-34-19-46V-84L0-90L19-84V-46"
        "C22-34 32-29 43-34C37-42 32-50 33-66C34-86 24-98 0-97Z"
    )
    lace = shape("M-28-38Q-16-12 0-7Q16-12 28-38L34-35Q20-4 0 2Q-20-4-34-35Z", PAPER)
    holes = ((-26, -27), (-18, -15), (-8, -6), (0, -2), (8, -6), (18, -15), (26, -27))
    lace += "".join(dot(x, y, 1.5, INK) for x, y in holes)
    neck = shape("M-9-48V-38L-24-36Q-14-16 0-12Q14-16 24-36L9-38V-48Z", SKIN)
    beads = f'<path d="M-13-36Q0-24 13-36" fill="none" stroke="{GOLD}" stroke-width="3"'
    beads += ' stroke-dasharray=".1 4.2" stroke-linecap="round"/>'
    beads += pip(suit, 0, -24, 0.1, more=f' fill="{ROBE}"')
    rings = dot(-20.5, -57, 2.6, GOLD, outlined=True) + dot(20.5, -57, 2.6, GOLD, outlined=True)
    fringe = shape("M0-88Q-7-79-19-72V-92H19V-72Q7-79 0-88Z", ROBE_ACCENT)
    strands = line("M-26-84Q-28-60-33-40M26-84Q28-60 33-40", 1.4, GOLD)
    lashes = line("M-16.5-71.5l3 1.6M16.5-71.5l-3 1.6")
    head = shape(hair, ROBE_ACCENT) + strands + _face() + lashes + fringe + beads + rings
    return _robe(suit) + lace + neck + head + _crown(suit, 17, -94, -113)


def jack(suit: str) -> str:
    """A cap with a feather, a plain collar."""
    hair = (
        "M-19-90C-31-84-32-62-29-52Q-33-44-27-41Q-18-41-18-52L-17-84z"
        "M19-90C31-84 32-62 29-52Q33-44 27-41Q18-41 18-52L17-84z"
    )
    fringe = "M-19-88V-77Q-13-81-9.5-77Q-5-81 0-77Q5-81 9.5-77Q13-81 19-77V-88Z"
    collar = shape("M-26-44L0-16L26-44L34-36L6-2H-6L-34-36Z", PAPER)
    collar += line("M-22-37L-4-14M22-37L4-14") + dot(0, -8, 4, GOLD, outlined=True)
    neck = shape("M-9-50h18v14h-18z", SKIN)
    head = (
        shape(hair, ROBE_ACCENT)
        + _face()
        + shape(fringe, ROBE_ACCENT)
        + _feather(suit)
        + _cap(suit)
    )
    return _robe(suit) + collar + neck + head


def _cap(suit: str) -> str:
    lean = 2 if TURNED[suit] else -2
    top = f"M-25-86C-36-104-20-113 {lean}-112C24-113 36-102 25-86Q0-94-25-86Z"
    return shape(top, ROBE) + shape("M-27-85Q0-95 27-85L25-78.5Q0-88-25-78.5Z", GOLD)


def _feather(suit: str) -> str:
    angle = {"s": -38, "h": -24, "d": -52, "c": -10}[suit]
    vane = shape("M0 0C-8-10-6-24 4-31C9-22 9-8 0 0Z", PAPER)
    barbs = "M0 0Q0-16 4-29M1-9l-4-4M1.5-15l-4.5-4M2-21l-3.6-3M1.4-8l4-3M2-14l4.4-3M3-20l3-3"
    return f'<g transform="translate(-18 -92) rotate({angle})">{vane}{line(barbs, 1)}</g>'


def _face() -> str:
    eyes = "M-13-67.5q4-3.4 8.4 0q-4.2 2.4-8.4 0zM4.6-67.5q4.2-3.4 8.4 0q-4.2 2.4-8.4 0z"
    return (
        shape("M-19-90V-64C-19-51-9-43 0-43C9-43 19-51 19-64V-90Z", SKIN)
        + line("M-13.5-73q4.5-3.6 9 0M4.5-73q4.5-3.6 9 0")
        + f'<path d="{eyes}" fill="{PAPER}" stroke="{INK}" stroke-width="1"/>'
        + dot(-8.7, -67.8, 1.9, INK)
        + dot(8.9, -67.8, 1.9, INK)
        + line("M-1.5-71V-60.5q-1.8 2.4 2.6 2.6")
        + f'<path d="M-4.6-52.6q4.6-2.6 9.2 0q-4.6 3.4-9.2 0z" fill="{LIP}"/>'
    )


def _crown(suit: str, wide: int, low: int, high: int) -> str:
    """Spears, lobes, lozenges or trefoils, over a band."""
    w, b, t = wide, low, high
    third, near = f"{w / 3:.1f}", f"{w / 2:g}"
    path = {
        "s": f"M{-w} {b}L{-w - 4} {t + 5}L-{near} {b - 10}L0 {t}"
        f"L{near} {b - 10}L{w + 4} {t + 5}L{w} {b}Z",
        "h": f"M{-w} {b}V{b - 9}C{-w - 6} {t} -{third} {t} -{third} {b - 9}"
        f"C-{third} {t - 6} {third} {t - 6} {third} {b - 9}"
        f"C{third} {t} {w + 6} {t} {w} {b - 9}V{b}Z",
        "d": f"M{-w} {b}L{-w - 5} {b - 9}L{-w} {t + 3}L{-w / 2 - 2:g} {b - 8}"
        f"L0 {t - 2}L{w / 2 + 2:g} {b - 8}L{w} {t + 3}L{w + 5} {b - 9}L{w} {b}Z",
        "c": f"M{-w} {b}V{t + 9}L-{near} {b - 7}L0 {t + 6}L{near} {b - 7}L{w} {t + 9}V{b}Z",
    }[suit]
    jewels = {
        "s": [(-w - 4, t + 5), (0, t), (w + 4, t + 5)],
        "c": [(-w, t + 6), (0, t + 2), (w, t + 6)],
    }.get(suit, [])
    stone = PAPER if suit == "s" else ROBE
    band = shape(f"M{-w} {b}Q0 {b - 4} {w} {b}V{b + 7}Q0 {b + 3} {-w} {b + 7}Z", ROBE)
    studs = "".join(dot(round(x * w, 1), b + 2 + abs(x) * 1.4, 1.7, GOLD) for x in (-0.62, 0, 0.62))
    tops = "".join(dot(x, y, 3.1, stone, outlined=True) for x, y in jewels)
    return shape(path, GOLD) + tops + band + studs


def _robe(suit: str) -> str:
    folds = ""
    for n in range(3):
        a, lean = 34 + n * 10, 9 - n * 2
        top = -38 + n * 5
        folds += f"M{-a} 40Q{-a - 2} -6 {-a + lean} {top}M{a} 40Q{a + 2} -6 {a - lean} {top}"
    panel = {"s": _chevrons, "h": _scallops, "d": _lozenges, "c": _checks}[suit]()
    return (
        shape("M-72 40V-20Q-58-40-26-43H26Q58-40 72-20V40Z", ROBE)
        + line(folds, 1.5, GOLD)
        + shape("M-19 40L-22-43H22L19 40Z", ROBE_ACCENT)
        + line(panel, 1.7, GOLD)
    )


def _chevrons() -> str:
    return "".join(f"M-20 {y}L0 {y + 9}L20 {y}" for y in range(-30, 36, 11))


def _scallops() -> str:
    return "".join(f"M-21 {y}" + "q5.2 8 10.5 0" * 4 for y in range(-26, 36, 11))


def _lozenges() -> str:
    return "".join(
        f"M-20 {y + 6.5}L-10 {y}L0 {y + 6.5}L10 {y}L20 {y + 6.5}"
        f"L10 {y + 13}L0 {y + 6.5}L-10 {y + 13}Z"
        for y in range(-34, 36, 13)
    )


def _checks() -> str:
    down = "".join(f"M{x}-42V40" for x in (-13, -4.5, 4.5, 13))
    return down + "".join(f"M-20 {y}H20" for y in range(-26, 36, 12))


def _staff(suit: str) -> str:
    """Halberd, arrow, fork or club, on a pole."""
    x = ARM
    head = {
        "s": shape(f"M{x}-112l7 15l-7 9l-7-9z", PAPER) + shape(f"M{x - 10}-88h20v5h-20z", GOLD),
        "h": shape(f"M{x}-110q9 8 0 19q-9-11 0-19z", ROBE) + line(f"M{x - 7}-90h14"),
        "d": line(f"M{x - 8}-112V-96q0 7 8 7q8 0 8-7V-112M{x}-112V-89", 2.6),
        "c": shape(f"M{x - 4}-88L{x - 8}-106q8-8 16 0L{x + 4}-88z", ROBE_ACCENT)
        + line(f"M{x - 7}-101h14M{x - 5.5}-95h11"),
    }[suit]
    pole = f"M{x}-90V40"
    return line(pole, 5) + line(pole, 2.2, GOLD) + head


def _flower(suit: str) -> str:
    """A flower on a stem, its petals as many as the suit's shape wants."""
    x, petals = ARM, {"s": 5, "h": 6, "d": 4, "c": 3}[suit]
    stem = f"M{x}-84V-14M{x}-56q-10-2-11-11q9 1 11 11M{x}-46q10-2 11-11q-9 1-11 11"
    petal = "M0 0L-6-9L0-18L6-9Z" if suit == "d" else "M0 0C-8-4-7-15 0-17C7-15 8-4 0 0Z"
    fill = ROBE_ACCENT if suit == "c" else ROBE
    around = "".join(
        shape(petal, fill, f' transform="translate({x} -92) rotate({360 // petals * n})"')
        for n in range(petals)
    )
    return shape(stem, ROBE_ACCENT) + around + dot(x, -92, 4, GOLD, outlined=True)


def _regalia(suit: str) -> str:
    """Sword, sceptre, axe or orb."""
    x = ARM
    rod = {"s": None, "h": -92, "d": -112, "c": -80}[suit]
    held = "" if rod is None else shape(f"M{x - 2.5}{rod}h5V40h-5z", GOLD)
    return (
        held
        + {
            "s": shape(f"M{x}-116L{x + 5}-106V-38H{x - 5}V-106Z", PAPER)
            + line(f"M{x}-106V-40")
            + shape(f"M{x - 13}-38h26v5h-26z", GOLD),
            "h": pip("h", x, -101, 0.2, more=f' fill="{ROBE}" stroke="{INK}" stroke-width="9"'),
            "d": shape(f"M{x - 2}-108q-16-2-17 14q1 13 17 14q-6-14 0-28z", PAPER)
            + line(f"M{x - 14}-103q-4 9 0 18"),
            "c": dot(x, -88, 12, ROBE_ACCENT, outlined=True)
            + line(f"M{x - 12}-88h24M{x}-100V-110M{x - 5}-106h10", 2.2)
            + line(f"M{x - 12}-90q12 5 24 0", 2.4, GOLD),
        }[suit]
    )


def _hand() -> str:
    x = ARM
    return (
        shape(f"M{x - 12} 40L{x - 10}-10H{x + 12}L{x + 18} 40Z", ROBE)
        + shape(f"M{x - 12}-14h26v9h-26z", GOLD)
        + shape(f"M{x - 8}-14v-9q0-5 5-5h7q6 0 6 6v8z", SKIN)
        + line(f"M{x - 2}-22h10M{x - 2}-18h10")
    )
