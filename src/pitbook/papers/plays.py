"""Best play on paper: grids, streets, points and ranges of hands as tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any, cast

from pitbook.hands.kinds import RANK_NAMES
from pitbook.papers.content import Block, Paragraph, Square, SquareGrid, Table
from pitbook.papers.numbers import decimal, percent
from pitbook.papers.strategies import EITHER, OWN
from pitbook.rules.plays import parse_play
from pitbook.sheets.model import Sheet
from pitbook.text import Sentence, capital, say

Json = dict[str, Any]
SUITED = " suited"  # Behind the ranks of a hand, as figures have it.


def report_blocks(sheet: Sheet, parts: list[Json], card: Json) -> Iterator[Block]:
    """The best strategy, each decision in full; where a list of hands cannot tell it, in short.

    What is in short says so, and what it costs.
    """
    short = {part["title"]: part for part in card["parts"] if part["kind"] in ("tests", "last")}
    told = [short.pop(part["title"], part) for part in parts]
    yield from strategy_blocks(sheet, [*told, *short.values()])
    kinds = {part["kind"] for part in card["parts"]}
    if kinds & {"tests", "last"}:
        cost = {"cost": percent(Fraction(card["cost"])), "unit": sheet.main_wager.title}
        streets = {"last": "last" in kinds, "before": "grid" in kinds}
        text = say("papers.plays.in-short", **cost, **streets)
        yield Paragraph(text, "strategy in short", kind="remark")
    runs = [row for part in told if part["kind"] == "runs" for row in part["rows"]]
    if any(EITHER in play for _, _, plays, _ in runs for play in plays):
        yield Paragraph(say("papers.plays.suits-decide"), "strategy suits", kind="remark")


def strategy_blocks(sheet: Sheet, parts: list[Json], key: str = "strategy") -> Iterator[Block]:
    """Every part of a strategy that is given."""
    explained = False
    for place, part in enumerate(parts):
        if part["kind"] == "street" and not explained:
            explained = True
            text = say("papers.plays.groups", groups=tuple(part["groups"]))
            yield Paragraph(text, "strategy words", kind="remark")
        yield from _BLOCKS[part["kind"]](sheet, part, f"{key} {place + 1}")


def grid_of(part: Json, key: str = "", title: str | None = None) -> SquareGrid:
    """A grid of starting hands."""
    rows = tuple((name, _cells(cells)) for name, cells in part["rows"])
    told = say("papers.plays.suited-above", letters=letters_of(part))
    shown = part["title"] if title is None else title
    return SquareGrid(shown, tuple(part["head"]), rows, told, key)


def play_title(told: str) -> Sentence:
    """A play as a player says it, or several that suits decide between."""
    if EITHER in told:
        return say("papers.plays.either", plays=tuple(map(play_title, told.split(EITHER))))
    first, *second = parse_play(told)
    if second:
        return say("papers.plays.both", first=play_title(first), second=play_title(second[0]))
    return say("exact.why.play", play=told)


def _cells(cells: Iterable[list[str]]) -> tuple[Square, ...]:
    return tuple(Square(text, cast(Any, tone)) for text, tone in cells)


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


def street_grid(part: Json, title: str, key: str, *, explained: bool = False) -> SquareGrid:
    """Hands without a pair: what they are made of down, what they draw to across.

    Where it is `explained`, its legend says which cards are high, middle and low.
    """
    head = tuple(
        say("papers.plays.draw", suited=suited, straights=straights)
        for suited, straights in part["head"]
    )
    rows = tuple((name, _cells(cells)) for name, cells in part["rows"])
    blank = any(not cell[0] for _, cells in part["rows"] for cell in cells)
    groups = {"explained": explained, "groups": tuple(part["groups"])}
    legend = say("papers.plays.loose", letters=letters_of(part), blank=blank, **groups)
    return SquareGrid(title, head, rows, legend, key)


def letters_of(part: Json) -> tuple[Sentence, ...]:
    """What the letters of a grid's squares stand for."""
    return tuple(
        say("papers.plays.letter", letter=short, play=play_title(play))
        for short, play, _ in part["plays"]
    )


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
    return str(first) if first == last else f"{first}\u2013{last}"


def _runs(_: Sheet, part: Json, key: str) -> Iterator[Block]:
    rows = tuple(
        (run_said(first, last), capital(played_said(plays, seen)))
        for first, last, plays, seen in part["rows"]
    )
    head = (say("papers.plays.highest-first"), say("papers.plays.play"))
    yield Table(part["title"], head, rows, "ll", key)


def line_said(row: list[Any]) -> Sentence:
    """A line of hands in one breath."""
    first, last, plays, seen = row
    return say("papers.redline.square", hand=run_said(first, last), play=played_said(plays, seen))


def played_said(plays: list[str], seen: list[str]) -> Sentence:
    """What is played: one play, one but for some of the dealer's cards, or either."""
    if len(plays) == 1:
        return play_title(plays[0])
    but = tuple(
        say("papers.plays.against", play=play_title(play), cards=_against(cards))
        for play, cards in zip(plays[1:], seen[1:], strict=True)
    )
    return say("papers.plays.but", play=play_title(plays[0]), but=but)


def _against(cards: str) -> str:
    """The dealer's cards, or that they are of ranks of the hand itself."""
    own, _, lowest = cards.partition(" ")
    if own != OWN:
        return cards
    return say("papers.plays.own-ranks", lowest=int(lowest or 0))


def run_said(first: str, last: str) -> str:
    """Hands from one to another, or the one that it is."""
    if not first:
        return say("papers.plays.every-hand")
    if first == last:
        return hand_said(first)
    return say("papers.plays.span", first=hand_said(first), last=hand_said(last))


def hand_said(cards: str) -> str:
    """A hand by its ranks, and that its suits are one where they must be."""
    ranks = cards.removesuffix(SUITED)
    return cards if ranks == cards else say("papers.plays.suited", ranks=ranks)


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


def _by_card(_: Sheet, part: Json, key: str) -> Iterator[Block]:
    """The lowest hand for each bet against each card that the dealer shows."""
    rows = tuple(
        (run_said(*cards), *(hand_said(hand) or say("papers.plays.never") for hand in lowest))
        for cards, lowest in part["rows"]
    )
    bets = (say("papers.plays.down-to", play=play_title(play)) for play in part["plays"])
    head = (say("papers.plays.dealer-shows"), *map(capital, bets))
    title = say("papers.plays.by-card", title=part["title"], play=play_title(part["else"]))
    yield Table(title, head, rows, "l" * len(head), key)


def _last(_: Sheet, part: Json, key: str) -> Iterator[Block]:
    plays = {"play": play_title(part["play"]), "other": play_title(part["else"])}
    cards = {"outs": part["outs"], "unseen": part["unseen"]}
    text = say("papers.plays.last", title=part["title"], **plays, **cards)
    yield Paragraph(text, key, kind="step")


_BLOCKS = {
    "tests": _tests,
    "by-card": _by_card,
    "last": _last,
    "grid": _grid,
    "street": _street,
    "points": _points,
    "runs": _runs,
}
