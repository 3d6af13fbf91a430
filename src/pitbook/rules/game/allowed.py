"""A hand settled where a play needed a better one: what was too much goes back.

Where cards are named by hand, a play may come before its cards. It is taken then, and put right
when they lie open: the seat has at stake what its hand allowed, and the rest is returned.
"""

from __future__ import annotations

from pitbook.cards import Card
from pitbook.money import Cents
from pitbook.rules.game.description import Game, Seat
from pitbook.rules.game.plays import PASSED, Play
from pitbook.rules.game.settlement import Line, Settlement

__all__ = ["settled"]

Common = tuple[tuple[Card, ...], ...]


def settled(game: Game, seat: Seat, *common: tuple[Card, ...]) -> Settlement:
    """The hand's lines before any limit, for what its plays may have put."""
    over = _too_much(game, seat, common)
    if not over:
        return game.settle(seat, *common)
    kept = tuple((wager, Cents(stake - over.get(wager, 0))) for wager, stake in seat.main)
    lines = game.settle(seat._replace(main=kept), *common).lines
    whole = tuple(_with_rest(line, over.get(line.wager, 0)) for line in lines)
    return Settlement(seat.number, whole)


def _too_much(game: Game, seat: Seat, common: Common) -> dict[str, int]:
    """By wager, what a seat's hand did not allow."""
    over: dict[str, int] = {}
    for stage, play in enumerate(seat.plays):
        if play.needs is None:
            continue
        opens = game.stages[stage].opens[1:]
        seen = tuple(cards[:open] for cards, open in zip(common, opens, strict=True))
        if not game.allows(play, seat, *seen):
            less = dict(_instead(game, stage, seat, seen).puts)
            for wager, times in play.puts:
                more = (times - less.get(wager, 0)) * seat.main[0][1]
                over[wager] = over.get(wager, 0) + more
    return over


def _instead(game: Game, stage: int, seat: Seat, seen: Common) -> Play:
    """The dearest play that the hand allows; a hand that was played is not given up.

    Where it allows none, nothing is put.
    """
    may = [play for play in game.may(stage, seat, *seen) if not play.folds]
    return max(may, key=lambda play: play.times, default=PASSED)


def _with_rest(line: Line, rest: int) -> Line:
    """The line with its whole stake, of which the rest comes back whatever became of it."""
    if not rest:
        return line
    lost = line.result in ("lose", "forfeit")
    return line._replace(
        stake=Cents(line.stake + rest), back=Cents(line.back + rest if lost else line.back)
    )
