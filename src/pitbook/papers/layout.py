"""The layout of the table as a drawing to scale, from the description that the page draws too."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from itertools import chain, combinations, pairwise
from math import cos, hypot, pi, sin

from pitbook.papers.content import Drawing, Paper, Paragraph, Section, Table
from pitbook.papers.identity import identity
from pitbook.papers.numbers import count
from pitbook.rules.felt import Circle, Felt, Group, felt
from pitbook.rules.game import compile_game
from pitbook.sheets.model import Sheet
from pitbook.sheets.prose.pay_tables import pay_tables
from pitbook.text import say

# Millimetres on the table.
WIDE, DEEP, EDGE = 1880, 1060, 30
CARD = (64, 89)
CIRCLE, GAP, BOX = 66, 10, (104, 84)
PIECE, LINES = 10, 4  # Letters of a long word, and lines, within a circle.
ABREAST, ROOM = 3, 480  # Side wagers beside each other; how deep a seat may reach.
SCALE = 7.5  # So many millimetres of the table are one of the paper.
FELT, PRINT = "#0a6339", "#f6edd3"


def layout(sheet: Sheet) -> Paper:
    """The felt of a sheet with what is printed on it, and the sizes of its parts."""
    drawn = felt(compile_game(sheet))
    picture = Drawing(_svg(sheet, drawn), _alt(sheet, drawn), WIDE / SCALE, "layout")
    words = Paragraph(say("papers.layout.scale", scale=f"{SCALE:g}"), "scale", kind="remark")
    sections = (
        Section("", (picture, words), "layout"),
        Section(say("papers.layout.parts"), (_parts(sheet, drawn),), "parts"),
    )
    title = say("papers.layout.title")
    return Paper("layout", title, (), identity(sheet, "layout"), sections, "drawing")


def _alt(sheet: Sheet, drawn: Felt) -> str:
    told = {"seats": sheet.seats.count, "circles": tuple(one.title for one in _printed(drawn))}
    return say("papers.layout.alt", title=sheet.title, **told)


def _printed(drawn: Felt) -> list[Circle]:
    """The circles of a seat; a wager that is laid in a box has none of its own."""
    return [one for one in drawn.circles if not one.boxed]


def _parts(sheet: Sheet, drawn: Felt) -> Table:
    seats = sheet.seats.count
    by = _drawn_at(seats, drawn)
    size, box = round(CIRCLE * by), " × ".join(f"{one * by:.0f}" for one in BOX)
    rows = [
        (one.title, say("papers.layout.circle", kind=one.kind), str(seats), f"{size} mm")
        for one in _printed(drawn)
    ]
    rows += [(one.title, say("papers.layout.box"), str(seats), f"{box} mm") for one in drawn.boxes]
    rows += [
        (one.label, say("papers.layout.cards"), count(one.cards), f"{CARD[0]} × {CARD[1]} mm")
        for one in drawn.groups
    ]
    head = tuple(say("papers.layout.head", column=one) for one in ("part", "kind", "many", "size"))
    odds = bool(sheet.equipment and sheet.equipment.odds_printed)
    clauses = (sheet.equipment.clause,) if sheet.equipment else ()
    about = say("papers.layout.odds", printed=odds)
    return Table("", head, tuple(rows), "llrr", "parts", clauses, about)


def _svg(sheet: Sheet, drawn: Felt) -> str:
    inside = [
        f'<path d="M0 0H{WIDE}V120C{WIDE} 640 1480 {DEEP} 940 {DEEP}S0 640 0 120Z" fill="{FELT}"/>',
        f'<path d="M{EDGE} {EDGE}H{WIDE - EDGE}V120C{WIDE - EDGE} 620 1460 {DEEP - EDGE} 940 '
        f'{DEEP - EDGE}S{EDGE} 620 {EDGE} 120Z" fill="none" stroke="{PRINT}" stroke-width="3"/>',
        _text(WIDE / 2, 276, sheet.title.upper(), _titled(sheet.title), "Besley"),
        *_groups(drawn.groups),
        *(_odds(sheet) if sheet.equipment and sheet.equipment.odds_printed else ()),
        *_seats(sheet.seats.count, drawn),
        _bar(),
    ]
    box = f"0 0 {WIDE} {DEEP}"
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}">{"".join(inside)}</svg>'


def _groups(groups: tuple[Group, ...]) -> Iterator[str]:
    """Cards in common in one row under the dealer's rack, areas with their names."""
    wide = sum(one.cards * (CARD[0] + GAP) for one in groups) + 60 * (len(groups) - 1)
    left, top = WIDE / 2 - wide / 2, 96
    for group in groups:
        own = group.cards * (CARD[0] + GAP)
        for card in range(group.cards):
            yield _card(left + card * (CARD[0] + GAP), top)
        yield _text(left + own / 2, top + CARD[1] + 34, group.label, 22)
        at = left
        for area in group.areas:
            span = area.cards * (CARD[0] + GAP)
            size = min(18.0, 1.75 * (span - GAP) / max(len(area.title), 1))
            yield _text(at + span / 2, top - 10, area.title, size)
            at += span
        left += own + 60


def _seats(seats: int, drawn: Felt) -> Iterator[str]:
    for seat in range(seats):
        angle = pi * (0.11 + 0.78 * (seat + 0.5) / seats)
        x, y = WIDE / 2 + 860 * cos(angle), 130 + 868 * sin(angle)
        turn = angle * 180 / pi - 90
        inside = "".join(_seat(seat + 1, drawn))
        place = (
            f"translate({x:.1f} {y:.1f}) rotate({turn:.1f}) scale({_drawn_at(seats, drawn):.3f})"
        )
        yield f'<g transform="{place}">{inside}</g>'


def _drawn_at(seats: int, drawn: Felt) -> float:
    """How much smaller a seat is drawn so that its circles stay its own; 1 where they fit."""
    sides = [one for one in drawn.circles if one.kind == "side"]
    own = len(drawn.circles) - len(sides)
    deep = 90 + own * (CIRCLE + GAP) + -(-len(sides) // ABREAST) * (CIRCLE + GAP)
    wide = max(1, min(len(sides), ABREAST)) * (CIRCLE + 2 * GAP)
    room = 2 * (868 - min(deep, ROOM)) * sin(0.39 * pi / seats)
    return min(1.0, ROOM / deep, max(room, 90.0) / wide)


def _seat(number: int, drawn: Felt) -> Iterator[str]:
    """The circles of a seat, from the player towards the dealer; side wagers stand beside."""
    yield _text(0, 6, str(number), 20)
    at = -50.0
    if drawn.boxes:
        for place, box in enumerate(drawn.boxes):
            left = (place - len(drawn.boxes) / 2) * (BOX[0] + GAP) + GAP / 2
            yield _rectangle(left, at - BOX[1], *BOX)
            yield _text(left + BOX[0] / 2, at - BOX[1] / 2 + 14, box.title, 40, "Besley")
        at -= BOX[1] + GAP
    at -= CIRCLE / 2
    own = [one for one in _printed(drawn) if one.kind != "side"]
    for one in own:
        yield _circle(0, at, one)
        at -= CIRCLE + GAP
    sides = [one for one in drawn.circles if one.kind == "side"]
    for place, one in enumerate(sides):
        row, column = divmod(place, ABREAST)
        beside = min(ABREAST, len(sides) - row * ABREAST)
        left = (column - (beside - 1) / 2) * (CIRCLE + 2 * GAP)
        yield _circle(left, at - row * (CIRCLE + GAP), one)


def _circle(x: float, y: float, one: Circle) -> str:
    dash = ' stroke-dasharray="9 6"' if one.kind == "side" else ""
    ring = (
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{CIRCLE / 2}" fill="none" stroke="{PRINT}" '
        f'stroke-width="3"{dash}/>'
    )
    lines = max(_broken(list(_pieces(one.title))), key=_fit)
    size = _fit(lines)
    top = y + size * (0.36 - 0.54 * (len(lines) - 1))
    words = (_text(x, top + size * 1.08 * row, line, size) for row, line in enumerate(lines))
    return ring + "".join(words)


def _titled(title: str) -> float:
    """The size of the game's name: 52 mm, or as much as the felt has room for."""
    return min(52.0, (WIDE - 8 * EDGE) / (0.75 * max(len(title), 1)))


def _pieces(title: str) -> Iterator[str]:
    """Its words, a long one in pieces."""
    for word in title.split():
        cut = range(0, len(word), PIECE) if len(word) > PIECE + 2 else range(1)
        last = cut[-1]
        for first in cut:
            yield word[first:] if first == last else f"{word[first : first + PIECE]}-"


def _broken(words: list[str]) -> Iterator[list[str]]:
    """A title in one line or a few, broken between words wherever it can be."""
    between = range(1, len(words))
    for breaks in chain(*(combinations(between, some) for some in range(min(LINES, len(words))))):
        ends = (0, *breaks, len(words))
        yield [" ".join(words[first:last]) for first, last in pairwise(ends)]


def _fit(lines: list[str]) -> float:
    """The largest size at which lines stand within a circle, a letter as wide as 0.6 of it."""
    inside = CIRCLE - 8
    high = 1.08 * len(lines)
    wide = max(0.6 * len(line) for line in lines)
    return min(17.0, inside / hypot(high, wide))


def _odds(sheet: Sheet) -> Iterator[str]:
    """The odds as they are printed on the felt, a column for each pay table."""
    tables = pay_tables(sheet)
    by = min(1.0, 5 / len(tables))
    width = 250 * by
    left = WIDE / 2 - width * len(tables) / 2
    for place, table in enumerate(tables):
        middle, top = left + width * (place + 0.5), 312
        yield _text(middle, top, table["title"], 18 * by, "Besley")
        for row, line in enumerate(table["lines"], start=1):
            text = f"{line['title']}  {line['says']}"
            yield _text(middle, top + 4 + row * 21 * by, text, 15 * by)


def _bar() -> str:
    x, y, long = 60, DEEP - 40, 500
    ruler = f"M{x} {y - 12}V{y + 12}M{x} {y}H{x + long}M{x + long} {y - 12}V{y + 12}"
    line = f'<path d="{ruler}" stroke="#1c1a15" stroke-width="4" fill="none"/>'
    return line + _text(x + long / 2, y - 14, "500 mm", 22, colour="#1c1a15")


def _card(x: float, y: float) -> str:
    return _rectangle(x, y, *CARD, 6)


def _rectangle(x: float, y: float, wide: float, high: float, corner: float = 4) -> str:
    return (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{wide}" height="{high}" rx="{corner}" fill="none" '
        f'stroke="{PRINT}" stroke-width="2.5"/>'
    )


def _text(
    x: float, y: float, text: str, size: float, font: str = "Archivo", *, colour: str = PRINT
) -> str:
    weight = 600
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-family="{font}" font-weight="{weight}" '
        f'font-size="{size:.1f}" text-anchor="middle" fill="{colour}">{escape(text)}</text>'
    )
