"""Hands dealt from a seed, and close decisions to practice."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from pitbook.cards import Card
from pitbook.coach.verdicts import WeighedDecision, weigh
from pitbook.errors import PitbookError, RoundError
from pitbook.money import Cents, dollars
from pitbook.rules.actions import Close, Deal, Decide, PlaceNumber, Settle, Turn, Wager
from pitbook.rules.game import Game, Seat
from pitbook.rules.refusals import Refusal
from pitbook.rules.round import Round, new_round
from pitbook.rules.round_progress import next_named
from pitbook.rules.step import step
from pitbook.shoe.dealing import Dealing, seeded_shoe

HANDS, SEAT = 10, 1
TRIES_MAX = 1_000
USUAL_STAKE = dollars("10")


class _Shoe(NamedTuple):
    """The shoe, and the cards dealt to each place."""

    cards: Dealing
    dealt: dict[PlaceNumber, list[Card]]


def hand_numbers(game: Game, seed: str) -> tuple[int, ...]:
    """The first ten hands of a seed that need a decision."""
    return _hand_numbers(game, seed)


@lru_cache(maxsize=64)
def _hand_numbers(game: Game, seed: str) -> tuple[int, ...]:
    deciding = (number for number in range(1, TRIES_MAX) if hand(game, seed, number).waiting)
    return tuple(number for number, _ in zip(deciding, range(HANDS), strict=False))


def hand(game: Game, seed: str, number: int, plays: Sequence[str] = ()) -> Round:
    """A hand after some plays, at its next decision or over. Raises RoundError."""
    round, remaining = _open_round(game), list(plays)
    shoe = _Shoe(seeded_shoe(seed, shoe=f"hand {number}", decks=game.decks), {})
    while round.phase != "over":
        if round.waiting and not round.to_deal and next_named(round) is None:
            if not remaining:
                return round
            round = _require_round(step(round, Decide(SEAT, remaining.pop(0))))
        else:
            round = _dealer_step(round, shoe)
    return round


def _open_round(game: Game) -> Round:
    """Bet ten dollars, or as near as the limits allow, and the required side wagers."""
    main, rule = game.main
    stake = Cents(max(rule.min, min(rule.max, USUAL_STAKE)))
    round = _require_round(step(new_round(game), Wager(SEAT, "", main, stake)))
    for wager, side in game.sheet.side.items():
        if side.stake.required:
            round = _require_round(step(round, Wager(SEAT, "", wager, side.stake.min)))
    return _require_round(step(round, Close()))


def _dealer_step(round: Round, shoe: _Shoe) -> Round:
    """One step of the dealer."""
    if round.to_deal:
        place = round.to_deal[0]
        shoe.dealt.setdefault(place, []).append(shoe.cards.draw())
        return _require_round(step(round, Deal(place)))
    if (next_card := next_named(round)) is not None:
        place, turned = next_card
        return _require_round(step(round, Turn(place, shoe.dealt[place][turned])))
    return _require_round(step(round, Settle()))


def _require_round(after: Round | Refusal) -> Round:
    if isinstance(after, Refusal):
        raise RoundError(after.message)
    return after


def only_seat(round: Round) -> Seat:
    """The only seat of such a hand."""
    (seat,) = round.seats
    return seat


def legal_plays(round: Round) -> Iterator[str]:
    """The plays that the seat may make now."""
    for play in round.game.plays(round.stage):
        if not isinstance(step(round, Decide(SEAT, play)), Refusal):
            yield play


# Close decisions ----------------------------------------------------------------------------------


SAMPLE_HANDS, SAMPLE_SECONDS = 60, 1.5
HANDS_MAX = 1_000  # Until a decision comes up: Casino War asks for one in every 14 hands.
Pick = Callable[[int], int]  # A uniform random number below another.


def hard_spot(game: Game, seed: str, pick: Pick) -> Round | None:
    """The closest of some random decisions in hands dealt from a seed; None if there is none."""
    best: tuple[Fraction, Round] | None = None
    began = time.monotonic()
    for number in range(1, HANDS_MAX + 1):
        round = _random_spot(game, seed, number, pick)
        cost = None if round is None else _spot_closeness(round)
        if round is not None and cost is not None and (best is None or cost < best[0]):
            best = cost, round
        if best is not None and (
            number >= SAMPLE_HANDS or time.monotonic() - began > SAMPLE_SECONDS
        ):
            break
    return None if best is None else best[1]


def _random_spot(game: Game, seed: str, number: int, pick: Pick) -> Round | None:
    """A hand at a random decision that a table can arrange, played cheaply up to there."""
    stage, plays = pick(len(game.stages)), list[str]()
    round = hand(game, seed, number)
    while round.waiting and round.stage < stage:
        plays.append(_cheapest_play(round))
        after = hand(game, seed, number, plays)
        if not after.waiting:
            break
        round = after
    if not round.waiting or any(game.stages[round.stage].opens[2:]):
        return None
    return round


def _cheapest_play(round: Round) -> str:
    """The cheapest play that does not fold."""
    plays = {str(play): play for play in round.game.plays(round.stage)}
    able = [play for play in legal_plays(round) if not plays[play].folds]
    return min(able, key=lambda play: plays[play].times) if able else next(legal_plays(round))


def _spot_closeness(round: Round) -> Fraction | None:
    try:
        return closeness(weigh(round, only_seat(round)))
    except PitbookError:  # Too large to compute, for example.
        return None


def closeness(weighed: WeighedDecision) -> Fraction | None:
    """The cost of the second-best play, in cents; None if all plays are equal."""
    costs = sorted({weighed.cost(play) for play in weighed.covered})
    return costs[1] if len(costs) > 1 else None
