"""Any simulated round again, by its number, in plain Python and settled by the engine."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from pitbook.cards import Card, name
from pitbook.money import money
from pitbook.rules.actions import BOARD, Action, Close, Deal, Decide, Settle, Turn, Wager
from pitbook.rules.flow import next_turn
from pitbook.rules.game import Game, Seat, Showdown
from pitbook.rules.plays import PASSED, Play
from pitbook.rules.round import Round, new_round
from pitbook.rules.step import step
from pitbook.simulate.dealing import DealtRound, deal
from pitbook.simulate.plan import Plan
from pitbook.simulate.strategy import erred

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


def round_document(plan: Plan, number: int, sheet: str | None = None) -> dict[str, Any]:
    """Round `number` as a round file for `pitbook settle`; `sheet` names it, by default its id."""
    dealt = _dealt(plan, number)
    main, _ = plan.game.main
    wagers = {main: money(plan.ante), **{wager: money(stake) for wager, stake in plan.side}}
    return {
        "format": 1,
        "sheet": sheet or plan.sheet.id,
        plan.sheet.board_word: _names(dealt.board),
        "seats": [
            {
                "seat": seat + 1,
                "wagers": wagers,
                "cards": _names(dealt.hands[seat]),
                "play": list(plays),
            }
            for seat, plays in enumerate(plays_of(plan, number, dealt))
        ],
    }


def settled(plan: Plan, number: int) -> Round:
    """Round `number` played through the engine to its end."""
    dealt = _dealt(plan, number)
    plays = [iter(one) for one in plays_of(plan, number, dealt)]
    common = [iter(place) for place in dealt.common]
    round = new_round(plan.game)
    for action in _opening(plan):
        round = _after(round, action)
    while round.phase != "over":
        if round.to_deal:
            round = _laid(round, dealt)
        elif round.phase == "settle":
            round = _after(round, Settle())
        elif waiting := round.waiting:
            round = _after(round, Decide(waiting[0], next(plays[waiting[0] - 1])))
        else:
            place = next_turn(round)
            assert place is not None
            round = _after(round, Turn(place, next(common[BOARD - place])))
    return round


def _laid(round: Round, dealt: DealtRound) -> Round:
    """The round with all cards dealt that are due, and those of the seats named."""
    while round.to_deal:
        round = _after(round, Deal(round.to_deal[0]))
    for seat in round.seats:
        for card in dealt.hands[seat.number - 1][len(seat.cards) : seat.laid]:
            round = _after(round, Turn(seat.number, card))
    return round


def _opening(plan: Plan) -> Iterator[Action]:
    for seat in range(1, plan.seats + 1):
        for wager, stake in ((plan.game.main[0], plan.ante), *plan.side):
            yield Wager(seat, f"seat {seat}", wager, stake)
    yield Close()


def _after(round: Round, action: Action) -> Round:
    after = step(round, action)
    assert isinstance(after, Round), after  # A plan is what the table would accept.
    return after


def plays_of(plan: Plan, number: int, dealt: DealtRound) -> list[tuple[Play, ...]]:
    """What every seat plays where it has a choice, from seat 1 on."""
    seats = played(plan, number, dealt).seats
    return [tuple(play for play in seat.plays if play != PASSED) for seat in seats]


def _dealt(plan: Plan, number: int) -> DealtRound:
    return deal(plan.game, plan.seed, number, plan.seats)


def _names(cards: tuple[Card, ...]) -> list[str]:
    return [name(card) for card in cards]
