"""Any simulated round once more, by its number: its cards, its plays, and the engine's settlement.

Nothing here is compiled: cards come from `dealing`, plays from the strategy, money from the engine.
The kernels must say the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pitbook.cards import Card, name
from pitbook.money import money
from pitbook.rules.actions import BOARD, Action, Close, Deal, Decide, Settle, Turn, Wager
from pitbook.rules.flow import next_turn
from pitbook.rules.plays import PASSED, Play
from pitbook.rules.round import Round, new_round
from pitbook.rules.step import step
from pitbook.simulate.plans.plan import Plan
from pitbook.simulate.rounds.dealing import DealtRound, deal
from pitbook.simulate.rounds.played import played


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
