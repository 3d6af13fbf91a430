"""Best play on paper: grids, streets, points and ranges of hands as tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, cast

from pitbook.hands.kinds import RANK_NAMES
from pitbook.printing.content import Block, Paragraph, Square, SquareGrid, Table
from pitbook.printing.numbers import decimal, percent
from pitbook.printing.strategy_tables import EITHER, OWN_RANKS, CardStrategy
from pitbook.rules.actions import parse_play
from pitbook.sheets.model import Sheet
from pitbook.text import Sentence, capital, say

Json = dict[str, Any]
SUITED = " suited"  # Follows the ranks of a hand in figures.


def report_blocks(sheet: Sheet, parts: Sequence[Json], card: CardStrategy) -> Iterator[Block]:
    """The best strategy, each decision in full, or in short if a list of hands cannot express it.

    A short part says so and states its cost.
    """
    short = {part["title"]: part for part in card.parts if part["kind"] in ("tests", "last")}
    report_parts = [short.pop(part["title"], part) for part in parts]
    yield from strategy_blocks(sheet, [*report_parts, *short.values()])
    kinds = {part["kind"] for part in card.parts}
    if kinds & {"tests", "last"}:
        cost = {"cost": percent(card.cost), "unit": sheet.main_wager.title}
        streets = {"last": "last" in kinds, "before": "grid" in kinds}
        text = say("papers.plays.in-short", **cost, **streets)
        yield Paragraph(text, "strategy in short", kind="remark")
    runs = [row for part in report_parts if part["kind"] == "runs" for row in part["rows"]]
    if any(EITHER in play for _, _, plays, _ in runs for play in plays):
        yield Paragraph(say("papers.plays.suits-decide"), "strategy suits", kind="remark")


def strategy_blocks(sheet: Sheet, parts: Sequence[Json], key: str = "strategy") -> Iterator[Block]:
    """The blocks of every part of a strategy."""
    explained = False
    for index, part in enumerate(parts):
        if part["kind"] == "street" and not explained:
            explained = True
            text = say("papers.plays.groups", groups=tuple(part["groups"]))
            yield Paragraph(text, "strategy words", kind="remark")
        yield from _BLOCKS[part["kind"]](sheet, part, f"{key} {index + 1}")


def starting_grid(part: Json, key: str = "", title: str | None = None) -> SquareGrid:
    rows = tuple((name, _cells(cells)) for name, cells in part["rows"])
    legend = say("papers.plays.suited-above", letters=play_letters(part))
    grid_title = part["title"] if title is None else title
    return SquareGrid(grid_title, tuple(part["head"]), rows, legend, key)


def play_title(play: str) -> Sentence:
    """A play as a player says it, or several plays that depend on suits."""
    if EITHER in play:
        return say("papers.plays.either", plays=tuple(map(play_title, play.split(EITHER))))
    first, *second = parse_play(play)
    if second:
        return say("papers.plays.both", first=play_title(first), second=play_title(second[0]))
    return say("exact.why.play", play=play)


def _cells(cells: Iterable[list[str]]) -> tuple[Square, ...]:
    return tuple(Square(text, cast(Any, tone)) for text, tone in cells)


def _grid(_: Sheet, part: Json, key: str) -> Iterator[Block]:
    yield starting_grid(part, key)


def _street(sheet: Sheet, part: Json, key: str) -> Iterator[Block]:
    title = say("papers.plays.street", title=part["title"], units=part["units"])
    rows = tuple(
        (play_title(play), say("papers.plays.hands", hands=tuple(hands)))
        for play, hands in part["made"].items()
    )
    head = (say("papers.plays.play"), say("papers.plays.with"))
    if rows:
        yield Table(title, head, rows, "ll", key)
    plays = {cell[0] for _, cells in part["rows"] for cell in cells if cell[0]}
    if len(plays) > 1:
        yield street_grid(part, "" if rows else title, f"{key} loose")
    elif plays:
        text = say("papers.plays.every-other", letter=plays.pop())
        yield Paragraph(text, f"{key} other", kind="remark")
    for mix, suited, straights, play, hands in part["besides"]:
        fields = {"mix": mix, "suited": suited, "straights": straights, "hands": tuple(hands)}
        text = say("papers.plays.beside", **fields, play=play_title(play))
        yield Paragraph(text, f"{key} beside {mix} {suited} {straights} {play}", kind="remark")


def street_grid(part: Json, title: str, key: str, *, explained: bool = False) -> SquareGrid:
    """Hands without a pair: their ranks down, their draws across.

    With `explained`, the legend says which cards are high, middle and low.
    """
    head = tuple(
        say("papers.plays.draw", suited=suited, straights=straights)
        for suited, straights in part["head"]
    )
    rows = tuple((name, _cells(cells)) for name, cells in part["rows"])
    blank = any(not cell[0] for _, cells in part["rows"] for cell in cells)
    groups = {"explained": explained, "groups": tuple(part["groups"])}
    legend = say("papers.plays.loose", letters=play_letters(part), blank=blank, **groups)
    return SquareGrid(title, head, rows, legend, key)


def play_letters(part: Json) -> tuple[Sentence, ...]:
    """The legend for the letters in a grid's squares."""
    return tuple(
        say("papers.plays.letter", letter=short, play=play_title(play))
        for short, play, _ in part["plays"]
    )


def _points(sheet: Sheet, part: Json, key: str) -> Iterator[Block]:
    rows = tuple(
        (
            points_range(row),
            say("papers.plays.either", plays=tuple(map(play_title, row["plays"]))),
            percent(row["share"]),
            decimal(row["worth"], 4),
        )
        for row in part["rows"]
    )
    names = ("points", "play", "share", "worth")
    head = tuple(say("papers.plays.head", column=name, unit=sheet.unit[1]) for name in names)
    yield Table(capital(part["title"]), head, rows, "llrr", key)


def points_table(part: Json, key: str, title: str) -> Table:
    """The play by points for a guest's card."""
    rows = tuple(
        (points_range(row), say("papers.plays.either", plays=tuple(map(play_title, row["plays"]))))
        for row in part["rows"]
    )
    return Table(capital(title), ("", ""), rows, "lr", key)


def points_range(row: Json) -> Sentence:
    """A range of points; low and high points separately if they differ."""
    low, high, two = _span(*row["low"]), _span(*row["high"]), row["low"] != row["high"]
    return say("papers.plays.points", low=low, high=high, two=two)


def _span(first: int, last: int) -> str:
    return str(first) if first == last else f"{first}\u2013{last}"


def _runs(_: Sheet, part: Json, key: str) -> Iterator[Block]:
    rows = tuple(
        (hand_range(first, last), capital(describe_plays(plays, dealer_cards)))
        for first, last, plays, dealer_cards in part["rows"]
    )
    head = (say("papers.plays.highest-first"), say("papers.plays.play"))
    yield Table(part["title"], head, rows, "ll", key)


def describe_line(row: list[Any]) -> Sentence:
    """A line of hands with its play."""
    first, last, plays, dealer_cards = row
    return say(
        "papers.redline.square",
        hand=hand_range(first, last),
        play=describe_plays(plays, dealer_cards),
    )


def describe_plays(plays: list[str], dealer_cards: list[str]) -> Sentence:
    """The plays of a line: one play, one with exceptions for some dealer cards, or either."""
    if len(plays) == 1:
        return play_title(plays[0])
    exceptions = tuple(
        say("papers.plays.against", play=play_title(play), cards=_dealer_cards_text(cards))
        for play, cards in zip(plays[1:], dealer_cards[1:], strict=True)
    )
    return say("papers.plays.but", play=play_title(plays[0]), but=exceptions)


def _dealer_cards_text(cards: str) -> str:
    """The dealer's cards, or a note that they match ranks of the hand."""
    prefix, _, lowest = cards.partition(" ")
    if prefix != OWN_RANKS:
        return cards
    return say("papers.plays.own-ranks", lowest=int(lowest or 0))


def hand_range(first: str, last: str) -> str:
    """A range of hands, or a single hand."""
    if not first:
        return say("papers.plays.every-hand")
    if first == last:
        return hand_text(first)
    return say("papers.plays.span", first=hand_text(first), last=hand_text(last))


def hand_text(cards: str) -> str:
    """A hand by its ranks, and "suited" if its suits must match."""
    ranks = cards.removesuffix(SUITED)
    return cards if ranks == cards else say("papers.plays.suited", ranks=ranks)


def _quick_tests_table(_: Sheet, part: Json, key: str) -> Iterator[Block]:
    """A table of quick tests: bet if the hand passes any of them."""
    rows = [(_describe_test(test), play_title(part["play"])) for test in part["tests"]]
    rows.append((say("papers.plays.anything-else"), play_title(part["else"])))
    yield Table(part["title"], ("", ""), tuple(rows), "lr", key)


def _describe_test(test: str) -> Sentence:
    """A test in words, with its rank if it has one."""
    name, _, rank = test.rpartition("-")
    if rank not in RANK_NAMES:
        return say("papers.plays.test", test=test, rank="none")
    return say("papers.plays.test", test=name, rank=rank)


def _by_card(_: Sheet, part: Json, key: str) -> Iterator[Block]:
    """The lowest hand for each bet, by the dealer's card."""
    rows = tuple(
        (hand_range(*cards), *(hand_text(hand) or say("papers.plays.never") for hand in lowest))
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
    "tests": _quick_tests_table,
    "by-card": _by_card,
    "last": _last,
    "grid": _grid,
    "street": _street,
    "points": _points,
    "runs": _runs,
}
