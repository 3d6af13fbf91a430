"""Hands dealt from a seed, and close decisions to practice."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from pitbook.cards import Card
from pitbook.coach.verdicts import Weighed, weigh
from pitbook.errors import PitbookError, RoundError
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


# Close decisions ----------------------------------------------------------------------------------


SAMPLE_HANDS, SAMPLE_SECONDS = 60, 1.5
HANDS_MAX = 1_000  # Until there is a decision: Casino War asks for one in every 14 hands.
Pick = Callable[[int], int]  # A number below another, each as likely.


def hard_spot(game: Game, seed: str, pick: Pick) -> Round | None:
    """The closest of some random decisions in hands dealt from a seed; None if there is none."""
    best: tuple[Fraction, Round] | None = None
    began = time.monotonic()
    for number in range(1, HANDS_MAX + 1):
        round = _somewhere(game, seed, number, pick)
        close = None if round is None else _close(round)
        if round is not None and close is not None and (best is None or close < best[0]):
            best = close, round
        if best is not None and (
            number >= SAMPLE_HANDS or time.monotonic() - began > SAMPLE_SECONDS
        ):
            break
    return None if best is None else best[1]


def _somewhere(game: Game, seed: str, number: int, pick: Pick) -> Round | None:
    """A hand at one of its decisions that a table can arrange, played on cheaply until there."""
    wanted, plays = pick(len(game.stages)), list[str]()
    round = hand(game, seed, number)
    while round.waiting and round.stage < wanted:
        plays.append(_on(round))
        after = hand(game, seed, number, plays)
        if not after.waiting:
            break
        round = after
    if not round.waiting or any(game.stages[round.stage].opens[2:]):
        return None
    return round


def _on(round: Round) -> str:
    """The cheapest play that gives nothing up."""
    plays = {str(play): play for play in round.game.plays(round.stage)}
    able = [play for play in asked(round) if not plays[play].folds]
    return min(able, key=lambda play: plays[play].times) if able else next(asked(round))


def _close(round: Round) -> Fraction | None:
    try:
        return closeness(weigh(round, mine(round)))
    except PitbookError:  # Too large a sum, say.
        return None


def closeness(weighed: Weighed) -> Fraction | None:
    """What the second-best play gives away, in cents; None where all are as good."""
    costs = sorted({weighed.cost(play) for play in weighed.covered})
    return costs[1] if len(costs) > 1 else None
