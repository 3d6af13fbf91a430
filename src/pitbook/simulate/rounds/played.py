"""One seat's way through a round, as the description has it: an obvious loop over the stages.

Cards open by the stage, stages are passed over as the game says, and the strategy chooses among the
plays that are offered. Whoever wants a round again asks here, and so does the method for any game.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pitbook.cards import Card
from pitbook.rules.game import Game, Seat, Showdown
from pitbook.rules.plays import PASSED
from pitbook.simulate.plans.strategy import erred
from pitbook.simulate.rounds.dealing import DealtRound, deal

if TYPE_CHECKING:
    from pitbook.simulate.plans.plan import Plan

Seen = tuple[tuple[Card, ...], ...]  # By place of the game, what lies open there.


class PlayedSeats(NamedTuple):
    """The seats of a round after every decision, from seat 1 on, and what each of them shows."""

    seats: tuple[Seat, ...]
    shown: tuple[Showdown, ...]


def played(plan: Plan, number: int, dealt: DealtRound | None = None) -> PlayedSeats:
    """Round `number`, played to its end."""
    cards = dealt or deal(plan.game, plan.seed, number, plan.seats)
    ways = [way(plan, number, place, cards) for place in range(plan.seats)]
    seats, common = [], in_the_end(plan.game, [seen for _, seen in ways])[1:]
    for (seat, seen), hand in zip(ways, cards.hands, strict=True):
        own = in_the_end(plan.game, [seen])[0]
        seats.append(seat._replace(cards=hand[:own], laid=own))
    board = [one[:many] for one, many in zip(cards.common, common, strict=True)]
    return PlayedSeats(tuple(seats), tuple(plan.game.read(seat.cards, *board) for seat in seats))


def way(plan: Plan, number: int, place: int, dealt: DealtRound) -> tuple[Seat, Seen]:
    """A seat after its decisions, and the cards that it has seen by then."""
    game, seat = plan.game, plan.seat
    whole: Seen = (dealt.hands[place], *dealt.common)
    seen: Seen = tuple(() for _ in whole)
    for stage, rule in enumerate(game.stages):
        if seat.folded:
            break
        comes = _comes(game, stage, seat, seen)
        if comes is not False:
            opens = zip(whole, seen, rule.opens, strict=True)
            seen = tuple(cards[: max(len(before), many)] for cards, before, many in opens)
        if not rule.plays or not (comes or _comes(game, stage, seat, seen)):
            seat = seat.made(PASSED)
            continue
        plays = plan.strategy.choices(stage, seat, seen)
        rate, decision = plan.strategy.mistakes, place * len(game.stages) + stage
        seat = seat.made(erred(rate, plays, seed=plan.seed, number=number, decision=decision))
    return seat, seen


def _comes(game: Game, stage: int, seat: Seat, seen: Seen) -> bool | None:
    """Whether a stage comes to a seat; None where the cards that it sees do not say."""
    when, holding = game.stages[stage].when, seat._replace(cards=seen[0])
    if when is not None and game.reads(when.hand, holding, *seen[1:]) is None:
        return None
    return game.reaches(stage, holding, *seen[1:])


def in_the_end(game: Game, seen: list[Seen]) -> tuple[int, ...]:
    """Cards of each place that lie open: later ones only where somebody's stage has opened them."""
    return tuple(
        max(place.cards - place.later, *(len(one[number]) for one in seen))
        for number, place in enumerate(game.places)
    )
