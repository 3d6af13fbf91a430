"""The table layout as a drawing to scale, from the same description as the page's."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from itertools import chain, combinations, pairwise
from math import cos, hypot, pi, sin

from pitbook.printing.content import Drawing, Paper, Paragraph, Section, Table
from pitbook.printing.numbers import count
from pitbook.printing.page_texts import identity
from pitbook.rules.felt import Circle, Felt, Group, felt
from pitbook.rules.game import compile_game
from pitbook.sheets.assumptions import MARK, assumed_of_rule, mark_assumption
from pitbook.sheets.display_documents import pay_tables
from pitbook.sheets.model import Sheet
from pitbook.sheets.provenance import OursShare, pays_share
from pitbook.text import say

# Millimeters on the table.
WIDE, DEEP, EDGE = 1880, 1060, 30
CARD = (64, 89)
CIRCLE, GAP, BOX = 66, 10, (104, 84)
PIECE_LETTERS, LINES = 10, 4  # Letters in a piece of a long word, and lines within a circle.
SIDES_PER_ROW, SEAT_DEPTH_MAX = 3, 480  # Side wagers per row; how deep a seat may reach.
SCALE, POSITION_SCALE = 7.5, 3.5  # Millimeters of the table per millimeter of paper.
FELT, PRINT = "#0a6339", "#f6edd3"


def layout(sheet: Sheet) -> Paper:
    """The felt of a sheet as printed, and the sizes of its parts."""
    plan = felt(compile_game(sheet))
    svg = _svg(sheet, plan)
    assumed: OursShare = "part" if MARK in svg else "none"
    picture = Drawing(svg, _alt(sheet, plan), WIDE / SCALE, "layout", assumed)
    words = Paragraph(
        say("papers.layout.scale", scale=f"{SCALE:g}"), "scale", kind="remark", assumed="all"
    )
    sections = (
        Section("", (picture, words), "layout"),
        Section(say("papers.layout.parts"), (_parts(sheet, plan), _position(sheet, plan)), "parts"),
    )
    title = say("papers.layout.title")
    return Paper("layout", title, (), identity(sheet, "layout"), sections, "drawing")


def _position(sheet: Sheet, plan: Felt) -> Drawing:
    """One position, larger than in the drawing of the table."""
    scale = _scale(sheet.seats.count, plan)
    sides = [circle for circle in plan.circles if circle.kind == "side"]
    circles = max(1, min(len(sides), SIDES_PER_ROW)) * (CIRCLE + 2 * GAP)
    boxes = len(plan.boxes) * (BOX[0] + GAP)
    width, depth = max(circles, boxes) + 4 * GAP, _seat_depth(plan)
    view = f"{-width / 2:.1f} {-depth:.1f} {width} {depth + EDGE:.1f}"
    felt_color = (
        f'<rect x="{-width / 2:.1f}" y="{-depth:.1f}" width="{width}" height="{depth + EDGE:.1f}" '
    )
    background = f'{felt_color}rx="{GAP}" fill="{FELT}"/>'
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{view}">'
        f"{background}{''.join(_seat(1, plan))}</svg>"
    )
    alt = say(
        "papers.layout.position",
        scale=f"{POSITION_SCALE:g}",
        circles=tuple(circle.title for circle in _seat_circles(plan)),
    )
    return Drawing(svg, alt, width * scale / POSITION_SCALE, "position")


def _seat_depth(plan: Felt) -> float:
    """How far a position reaches toward the dealer, unscaled."""
    side_count = sum(circle.kind == "side" for circle in plan.circles)
    stacked = sum(circle.kind != "side" for circle in _seat_circles(plan))
    rows = stacked + -(-side_count // SIDES_PER_ROW)
    boxes = BOX[1] + GAP if plan.boxes else 0
    return 50 + boxes + rows * (CIRCLE + GAP) + GAP


def _alt(sheet: Sheet, plan: Felt) -> str:
    fields = {
        "seats": sheet.seats.count,
        "circles": tuple(circle.title for circle in _seat_circles(plan)),
    }
    return say("papers.layout.alt", title=sheet.title, **fields)


def _seat_circles(plan: Felt) -> list[Circle]:
    """A seat's circles; a wager that is placed in a box has no circle."""
    return [circle for circle in plan.circles if not circle.boxed]


def _parts(sheet: Sheet, plan: Felt) -> Table:
    seats = sheet.seats.count
    scale = _scale(seats, plan)
    size, box = round(CIRCLE * scale), " × ".join(f"{length * scale:.0f}" for length in BOX)
    positions = mark_assumption(str(seats), assumed_of_rule(sheet.seats, "count"))
    rows = [
        (circle.title, say("papers.layout.circle", kind=circle.kind), positions, f"{size} mm")
        for circle in _seat_circles(plan)
    ]
    rows += [
        (wager_box.title, say("papers.layout.box"), positions, f"{box} mm")
        for wager_box in plan.boxes
    ]
    rows += [
        (group.label, say("papers.layout.cards"), count(group.cards), f"{CARD[0]} × {CARD[1]} mm")
        for group in plan.groups
    ]
    head = tuple(say("papers.layout.head", column=column) for column in ("part", "kind", "many"))
    size_head = mark_assumption(say("papers.layout.head", column="size"), "all")
    odds = bool(sheet.equipment and sheet.equipment.odds_printed)
    clauses = (sheet.equipment.clause,) if sheet.equipment else ()
    about = say("papers.layout.odds", printed=odds)
    return Table("", (*head, size_head), tuple(rows), "llrr", "parts", clauses, about)


def _svg(sheet: Sheet, plan: Felt) -> str:
    inside = [
        f'<path d="M0 0H{WIDE}V120C{WIDE} 640 1480 {DEEP} 940 {DEEP}S0 640 0 120Z" fill="{FELT}"/>',
        f'<path d="M{EDGE} {EDGE}H{WIDE - EDGE}V120C{WIDE - EDGE} 620 1460 {DEEP - EDGE} 940 '
        f'{DEEP - EDGE}S{EDGE} 620 {EDGE} 120Z" fill="none" stroke="{PRINT}" stroke-width="3"/>',
        _text(WIDE / 2, 276, sheet.title.upper(), _title_size(sheet.title), "Besley"),
        *_groups(plan.groups),
        *(_odds(sheet) if sheet.equipment and sheet.equipment.odds_printed else ()),
        *_seats(sheet.seats.count, plan),
        _scale_bar(),
    ]
    box = f"0 0 {WIDE} {DEEP}"
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}">{"".join(inside)}</svg>'


def _groups(groups: tuple[Group, ...]) -> Iterator[str]:
    """Common cards in one row below the dealer's rack, with the names of their areas."""
    width = sum(group.cards * (CARD[0] + GAP) for group in groups) + 60 * (len(groups) - 1)
    left, top = WIDE / 2 - width / 2, 96
    for group in groups:
        group_width = group.cards * (CARD[0] + GAP)
        for card in range(group.cards):
            yield _card(left + card * (CARD[0] + GAP), top)
        yield _text(left + group_width / 2, top + CARD[1] + 34, group.label, 22)
        x = left
        for area in group.areas:
            span = area.cards * (CARD[0] + GAP)
            size = min(18.0, 1.75 * (span - GAP) / max(len(area.title), 1))
            yield _text(x + span / 2, top - 10, area.title, size)
            x += span
        left += group_width + 60


def _seats(seats: int, plan: Felt) -> Iterator[str]:
    for seat in range(seats):
        angle = pi * (0.11 + 0.78 * (seat + 0.5) / seats)
        x, y = WIDE / 2 + 860 * cos(angle), 130 + 868 * sin(angle)
        turn = angle * 180 / pi - 90
        inside = "".join(_seat(seat + 1, plan))
        place = f"translate({x:.1f} {y:.1f}) rotate({turn:.1f}) scale({_scale(seats, plan):.3f})"
        yield f'<g transform="{place}">{inside}</g>'


def _scale(seats: int, plan: Felt) -> float:
    """The scale at which a seat's circles do not overlap its neighbors'; 1 if they fit."""
    sides = [circle for circle in plan.circles if circle.kind == "side"]
    stacked = len(plan.circles) - len(sides)
    depth = 90 + stacked * (CIRCLE + GAP) + -(-len(sides) // SIDES_PER_ROW) * (CIRCLE + GAP)
    width = max(1, min(len(sides), SIDES_PER_ROW)) * (CIRCLE + 2 * GAP)
    available_width = 2 * (868 - min(depth, SEAT_DEPTH_MAX)) * sin(0.39 * pi / seats)
    return min(1.0, SEAT_DEPTH_MAX / depth, max(available_width, 90.0) / width)


def _seat(number: int, plan: Felt) -> Iterator[str]:
    """A seat's circles, from the player toward the dealer; side wagers in rows after them."""
    yield _text(0, 6, str(number), 20)
    y = -50.0
    if plan.boxes:
        for index, box in enumerate(plan.boxes):
            left = (index - len(plan.boxes) / 2) * (BOX[0] + GAP) + GAP / 2
            yield _rectangle(left, y - BOX[1], *BOX)
            yield _text(left + BOX[0] / 2, y - BOX[1] / 2 + 14, box.title, 40, "Besley")
        y -= BOX[1] + GAP
    y -= CIRCLE / 2
    stacked = [circle for circle in _seat_circles(plan) if circle.kind != "side"]
    for circle in stacked:
        yield _circle(0, y, circle)
        y -= CIRCLE + GAP
    sides = [circle for circle in plan.circles if circle.kind == "side"]
    for index, circle in enumerate(sides):
        row, column = divmod(index, SIDES_PER_ROW)
        row_count = min(SIDES_PER_ROW, len(sides) - row * SIDES_PER_ROW)
        left = (column - (row_count - 1) / 2) * (CIRCLE + 2 * GAP)
        yield _circle(left, y - row * (CIRCLE + GAP), circle)


def _circle(x: float, y: float, circle: Circle) -> str:
    dash = ' stroke-dasharray="9 6"' if circle.kind == "side" else ""
    ring = (
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{CIRCLE / 2}" fill="none" stroke="{PRINT}" '
        f'stroke-width="3"{dash}/>'
    )
    lines = max(_line_breaks(list(_title_parts(circle.title))), key=_largest_font_size)
    size = _largest_font_size(lines)
    top = y + size * (0.36 - 0.54 * (len(lines) - 1))
    words = (_text(x, top + size * 1.08 * row, line, size) for row, line in enumerate(lines))
    return ring + "".join(words)


def _title_size(title: str) -> float:
    """The font size of the game's title: 52 mm, or what the felt has room for."""
    return min(52.0, (WIDE - 8 * EDGE) / (0.75 * max(len(title), 1)))


def _title_parts(title: str) -> Iterator[str]:
    """The words of a title; long words are hyphenated."""
    for word in title.split():
        starts = range(0, len(word), PIECE_LETTERS) if len(word) > PIECE_LETTERS + 2 else range(1)
        last = starts[-1]
        for first in starts:
            yield word[first:] if first == last else f"{word[first : first + PIECE_LETTERS]}-"


def _line_breaks(words: list[str]) -> Iterator[list[str]]:
    """Every way to break a title into a few lines between its words."""
    between = range(1, len(words))
    for breaks in chain(*(combinations(between, some) for some in range(min(LINES, len(words))))):
        ends = (0, *breaks, len(words))
        yield [" ".join(words[first:last]) for first, last in pairwise(ends)]


def _largest_font_size(lines: list[str]) -> float:
    """The largest font size at which lines fit in a circle, if a letter is 0.6 of it wide."""
    inside = CIRCLE - 8
    height = 1.08 * len(lines)
    width = max(0.6 * len(line) for line in lines)
    return min(17.0, inside / hypot(height, width))


def _odds(sheet: Sheet) -> Iterator[str]:
    """The odds as printed on the felt, one column per pay table."""
    tables = pay_tables(sheet)
    scale = min(1.0, 5 / len(tables))
    width = 250 * scale
    left = WIDE / 2 - width * len(tables) / 2
    for index, table in enumerate(tables):
        middle, top = left + width * (index + 0.5), 312
        rule = sheet.main if table["wager"] == "main" else sheet.side[table["wager"]]
        share = assumed_of_rule(rule, "pays")
        yield _text(middle, top, table["title"], 18 * scale, "Besley")
        for row, line in enumerate(table["lines"], start=1):
            assumed = share if share != "part" else pays_share(rule, line["outcome"])
            text = f"{line['title']}  {line['says']}{MARK if assumed != 'none' else ''}"
            yield _text(middle, top + 4 + row * 21 * scale, text, 15 * scale)


def _scale_bar() -> str:
    x, y, length = 60, DEEP - 40, 500
    ruler = f"M{x} {y - 12}V{y + 12}M{x} {y}H{x + length}M{x + length} {y - 12}V{y + 12}"
    line = f'<path d="{ruler}" stroke="#1c1a15" stroke-width="4" fill="none"/>'
    return line + _text(x + length / 2, y - 14, "500 mm", 22, color="#1c1a15")


def _card(x: float, y: float) -> str:
    return _rectangle(x, y, *CARD, 6)


def _rectangle(x: float, y: float, wide: float, height: float, corner: float = 4) -> str:
    return (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{wide}" height="{height}" rx="{corner}" fill="none" '
        f'stroke="{PRINT}" stroke-width="2.5"/>'
    )


def _text(
    x: float, y: float, text: str, size: float, font: str = "Archivo", *, color: str = PRINT
) -> str:
    weight = 600
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-family="{font}" font-weight="{weight}" '
        f'font-size="{size:.1f}" text-anchor="middle" fill="{color}">{escape(text)}</text>'
    )
