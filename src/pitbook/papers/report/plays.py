"""Best play on paper: grids, streets, points and runs of hands as tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any, cast

from pitbook.hands.kinds import RANK_NAMES
from pitbook.papers.content import Block, Cell, Grid, Paragraph, Table
from pitbook.papers.numbers import decimal, percent
from pitbook.sheets.model import Sheet
from pitbook.wording import Sentence, capital, say

__all__ = ["grid_of", "play_title", "points_said", "strategy_blocks", "street_grid"]

Json = dict[str, Any]


def strategy_blocks(sheet: Sheet, parts: list[Json], key: str = "strategy") -> Iterator[Block]:
    """The whole best strategy; nothing is left out."""
    explained = False
    for place, part in enumerate(parts):
        if part["kind"] == "street" and not explained:
            explained = True
            text = say("papers.plays.groups", groups=tuple(part["groups"]))
            yield Paragraph(text, "strategy words", kind="remark")
        yield from _BLOCKS[part["kind"]](sheet, part, f"{key} {place + 1}")


def grid_of(part: Json, key: str = "", title: str | None = None) -> Grid:
    """A grid of starting hands."""
    legend = tuple(
        say("papers.plays.letter", letter=short, play=play_title(play))
        for short, play, _ in part["plays"]
    )
    rows = tuple((name, _cells(cells)) for name, cells in part["rows"])
    told = say("papers.plays.suited-above", letters=legend)
    shown = part["title"] if title is None else title
    return Grid(shown, tuple(part["head"]), rows, told, key)


def play_title(play: str) -> Sentence:
    """A play as a player says it."""
    return say("exact.why.play", play=play)


def _cells(cells: Iterable[list[str]]) -> tuple[Cell, ...]:
    return tuple(Cell(text, cast(Any, tone)) for text, tone in cells)


def _grid(_: Sheet, part: Json, key: str) -> Iterator[Block]:
    yield grid_of(part, key)


def _street(sheet: Sheet, part: Json, key: str) -> Iterator[Block]:
    title = say("papers.plays.street", title=part["title"], units=part["units"])
    made = tuple(
        (play_title(play), say("papers.plays.hands", hands=tuple(hands)))
        for play, hands in part["made"].items()
    )
    head = (say("papers.plays.play"), say("papers.plays.with"))
    if made:
        yield Table(title, head, made, "ll", key)
    plays = {cell[0] for _, cells in part["rows"] for cell in cells if cell[0]}
    if len(plays) > 1:
        yield street_grid(part, "" if made else title, f"{key} loose")
    elif plays:
        text = say("papers.plays.every-other", letter=plays.pop())
        yield Paragraph(text, f"{key} other", kind="remark")
    for mix, suited, straights, play, hands in part["besides"]:
        told = {"mix": mix, "suited": suited, "straights": straights, "hands": tuple(hands)}
        text = say("papers.plays.beside", **told, play=play_title(play))
        yield Paragraph(text, f"{key} beside {mix} {suited} {straights} {play}", kind="remark")


def street_grid(part: Json, title: str, key: str) -> Grid:
    """Hands without a pair: what they are made of down, what they draw to across."""
    head = tuple(
        say("papers.plays.draw", suited=suited, straights=straights)
        for suited, straights in part["head"]
    )
    rows = tuple((name, _cells(cells)) for name, cells in part["rows"])
    return Grid(title, head, rows, say("papers.plays.loose"), key)


def _points(sheet: Sheet, part: Json, key: str) -> Iterator[Block]:
    rows = tuple(
        (
            points_said(one),
            say("papers.plays.either", plays=tuple(map(play_title, one["plays"]))),
            percent(Fraction(one["share"])),
            decimal(Fraction(one["worth"]), 4),
        )
        for one in part["rows"]
    )
    names = ("points", "play", "share", "worth")
    head = tuple(say("papers.plays.head", column=name, unit=sheet.unit[1]) for name in names)
    yield Table(capital(part["title"]), head, rows, "llrr", key)


def points_said(one: Json) -> Sentence:
    """A range of points, low and high where they differ."""
    low, high, two = _span(*one["low"]), _span(*one["high"]), one["low"] != one["high"]
    return say("papers.plays.points", low=low, high=high, two=two)


def _span(first: int, last: int) -> str:
    return str(first) if first == last else say("papers.plays.span", first=first, last=last)


def _runs(_: Sheet, part: Json, key: str) -> Iterator[Block]:
    rows = tuple(
        (
            _run(first, last),
            capital(say("papers.plays.either", plays=tuple(map(play_title, plays)))),
        )
        for first, last, plays in part["rows"]
    )
    head = (say("papers.plays.highest-first"), say("papers.plays.play"))
    yield Table(part["title"], head, rows, "ll", key)


def _run(first: str, last: str) -> str:
    if not first:
        return say("papers.plays.every-hand")
    return first if first == last else say("papers.plays.span", first=first, last=last)


def _tests(_: Sheet, part: Json, key: str) -> Iterator[Block]:
    """A bet with any of a few tests that are seen at a glance."""
    rows = [(_told(one), play_title(part["play"])) for one in part["tests"]]
    rows.append((say("papers.plays.anything-else"), play_title(part["else"])))
    yield Table(part["title"], ("", ""), tuple(rows), "lr", key)


def _told(test: str) -> Sentence:
    """A test in words, with the rank that it asks for where it asks for one."""
    name, _, rank = test.rpartition("-")
    if rank not in RANK_NAMES:
        return say("papers.plays.test", test=test, rank="none")
    return say("papers.plays.test", test=name, rank=rank)


def _last(_: Sheet, part: Json, key: str) -> Iterator[Block]:
    told = {"title": part["title"], "play": play_title(part["play"]), "lost": part["lost"]}
    text = say("papers.plays.last", **told, folds=percent(Fraction(part["folds"])))
    yield Paragraph(text, key, kind="step")


_BLOCKS = {
    "tests": _tests,
    "last": _last,
    "grid": _grid,
    "street": _street,
    "points": _points,
    "runs": _runs,
}
