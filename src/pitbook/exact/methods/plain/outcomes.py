"""Best play laid out forward: how often a round ends in each way, as a table of outcomes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from math import lcm
from typing import NamedTuple

from pitbook.exact.figures import Figures, figures, main_row, round_row
from pitbook.exact.methods.plain.cards import Seen
from pitbook.exact.methods.plain.solving import Plain
from pitbook.rules.game import Seat, Showdown
from pitbook.rules.plays import PASSED, Play
from pitbook.rules.settlement import Line

__all__ = ["main_figures", "never_folding", "round_figures", "wager_figures"]

Choose = Callable[[int, Seen, Seat], Play]  # Stage, cards that lie open, seat -> play.


class RoundPath(NamedTuple):
    """How far a round has come, in so many ways of so many deals."""

    stage: int
    seen: Seen
    seat: Seat
    ways: int
    deals: int


class RoundEnd(NamedTuple):
    """How a round ended, and among how many deals it is counted."""

    seat: Seat
    shown: Showdown
    deals: int


def main_figures(plain: Plain, choose: Choose | None = None) -> Figures:
    """The figures of the main game under best play, or under another way to choose."""
    side = plain.side or {}
    rows = []
    for lines, count in _settled(plain, choose or plain.choose):
        main = [line for line in lines if line.wager not in side]
        rows.append(main_row(main, plain.stake, count))
    return figures(rows)


def round_figures(plain: Plain, choose: Choose | None = None) -> Figures:
    """The figures of the main game and the side wagers together, in main wagers."""
    ends = _settled(plain, choose or plain.choose)
    return figures(round_row(lines, plain.stake, count) for lines, count in ends)


def wager_figures(plain: Plain, wager: str) -> Figures:
    """The figures of a side wager of the round, for each unit on it, whatever is played."""
    stake = dict(plain.seat.side)[wager]
    rows = []
    for lines, count in _settled(plain, never_folding(plain)):
        own = [line for line in lines if line.wager == wager]
        rows.append(main_row(own, stake, count))
    return figures(rows)


def never_folding(plain: Plain) -> Choose:
    """The first play that does not give the hand up."""

    def choose(stage: int, seen: Seen, seat: Seat) -> Play:
        plays = plain.plays(stage, seen, seat)
        return next((play for play in plays if not play.folds), plays[0])

    return choose


def _settled(plain: Plain, choose: Choose) -> Iterator[tuple[tuple[Line, ...], int]]:
    """The lines of every end, and how often it comes."""
    for end, count in _counted(plain, choose).items():
        yield plain.lines(end.shown, end.seat), count


def _counted(plain: Plain, choose: Choose) -> dict[RoundEnd, int]:
    """How often each end comes, all brought to one number of deals."""
    found = Counter[RoundEnd]()
    with plain.watched(plain.nothing, 0):
        for end, ways in _ends(plain, choose, RoundPath(0, plain.nothing, plain.seat, 1, 1)):
            found[end] += ways
    deals = lcm(*(end.deals for end in found))
    brought = Counter[RoundEnd]()
    for end, ways in found.items():
        brought[end._replace(deals=deals)] += ways * (deals // end.deals)
    return brought


def _ends(plain: Plain, choose: Choose, path: RoundPath) -> Iterator[tuple[RoundEnd, int]]:
    """Every end of a path, and in how many ways it comes."""
    stage, seen, seat, ways, deals = path
    if seat.folded or stage == len(plain.game.stages):
        ends = plain.ends(seen, seat)
        for shown, count in ends.items():
            yield RoundEnd(seat, shown, deals * ends.total()), ways * count
        return
    opened = tuple(plain.turned(stage, seen, seat))
    total = sum(count for _, count, _ in opened)
    for cards, count, decides in opened:
        may_play = decides and plain.plays(stage, cards, seat)
        seat_after = seat.made(choose(stage, cards, seat) if may_play else PASSED)
        yield from _ends(
            plain, choose, RoundPath(stage + 1, cards, seat_after, ways * count, deals * total)
        )
