"""Hands that a seed deals, brought to their decisions; what a play gives away is exact."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from pitbook.cards import Card
from pitbook.errors import RoundError
from pitbook.money import Cents, dollars
from pitbook.rules.actions import Close, Deal, Decide, PlaceNumber, Settle, Turn, Wager
from pitbook.rules.flow import next_named
from pitbook.rules.game import Game, Seat
from pitbook.rules.refusals import Refusal
from pitbook.rules.round import Round, new_round
from pitbook.rules.step import step
from pitbook.shoe.dealing import Dealing
from pitbook.shoe.seeded import seeded

HANDS, SEAT = 10, 1
TRIES_MAX = 1_000
USUAL = dollars("10")


class _Shoe(NamedTuple):
    """Cards to come, and those that lie somewhere."""

    cards: Dealing
    laid: dict[PlaceNumber, list[Card]]


def numbers(game: Game, seed: str) -> tuple[int, ...]:
    """The first ten hands of a seed in which something is asked."""
    return _numbers(game, seed)


@lru_cache(maxsize=64)
def _numbers(game: Game, seed: str) -> tuple[int, ...]:
    found = (number for number in range(1, TRIES_MAX) if hand(game, seed, number).waiting)
    return tuple(number for number, _ in zip(found, range(HANDS), strict=False))


def hand(game: Game, seed: str, number: int, plays: Sequence[str] = ()) -> Round:
    """The hand of a number after some plays, at its next decision or over; raises RoundError."""
    round, left = _bet(game), list(plays)
    shoe = _Shoe(seeded(seed, shoe=f"hand {number}", decks=game.decks), {})
    while round.phase != "over":
        if round.waiting and not round.to_deal and next_named(round) is None:
            if not left:
                return round
            round = _must(step(round, Decide(SEAT, left.pop(0))))
        else:
            round = _dealt(round, shoe)
    return round


def _bet(game: Game) -> Round:
    """The least of what has to be bet, but ten where that is within the limits."""
    main, rule = game.main
    stake = Cents(max(rule.min, min(rule.max, USUAL)))
    round = _must(step(new_round(game), Wager(SEAT, "", main, stake)))
    for wager, side in game.sheet.side.items():
        if side.stake.required:
            round = _must(step(round, Wager(SEAT, "", wager, side.stake.min)))
    return _must(step(round, Close()))


def _dealt(round: Round, shoe: _Shoe) -> Round:
    """One step of the dealer's."""
    if round.to_deal:
        place = round.to_deal[0]
        shoe.laid.setdefault(place, []).append(shoe.cards.draw())
        return _must(step(round, Deal(place)))
    if (seen := next_named(round)) is not None:
        place, turned = seen
        return _must(step(round, Turn(place, shoe.laid[place][turned])))
    return _must(step(round, Settle()))


def _must(after: Round | Refusal) -> Round:
    if isinstance(after, Refusal):
        raise RoundError(after.message)
    return after


def mine(round: Round) -> Seat:
    """The one seat of such a hand."""
    (seat,) = round.seats
    return seat


def asked(round: Round) -> Iterator[str]:
    """The plays that the seat may make now."""
    for play in round.game.plays(round.stage):
        if not isinstance(step(round, Decide(SEAT, play)), Refusal):
            yield play
