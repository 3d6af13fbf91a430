"""Any simulated round once more, by its number: its cards, its plays, and the engine's settlement.

Nothing here is compiled: cards come from `dealing`, plays from the strategy, money from the engine.
The kernels must say the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pitbook import games
from pitbook.cards import Card, name
from pitbook.engine.actions import BOARD, Action, Close, Deal, Decide, Settle, Turn, Wager
from pitbook.engine.round import Round
from pitbook.engine.step import step
from pitbook.families.hi_lo.sheet import HiLo
from pitbook.money import money
from pitbook.simulate.dealing import Dealt, deal
from pitbook.simulate.plan import Plan
from pitbook.simulate.strategy import erred

__all__ = ["plays_of", "round_document", "settled"]


def round_document(plan: Plan, number: int, sheet: str | None = None) -> dict[str, Any]:
    """Round `number` as a round file for `pitbook settle`; `sheet` names it, by default its id."""
    dealt = deal(plan.sheet, plan.seed, number, plan.seats)
    main, _ = plan.game.main
    wagers = {main: money(plan.ante), **{wager: money(stake) for wager, stake in plan.side}}
    return {
        "format": 1,
        "sheet": sheet or plan.sheet.id,
        plan.game.board_name: _names(dealt.board),
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
    dealt = deal(plan.sheet, plan.seed, number, plan.seats)
    plays = plays_of(plan, number, dealt)
    board = iter(dealt.board)
    round = games.open(plan.sheet)
    for action in _opening(plan):
        round = _after(round, action)
    while round.to_deal:
        round = _after(round, Deal(round.to_deal[0]))
    for seat, hand in enumerate(dealt.hands, start=1):
        for card in hand:
            round = _after(round, Turn(seat, card))
    while round.phase == "play":
        if waiting := round.waiting:
            round = _after(round, Decide(waiting[0], plays[waiting[0] - 1][round.stage]))
        else:
            round = _after(round, Turn(BOARD, next(board)))
    while round.phase == "settle":
        round = _after(round, Settle())
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


def plays_of(plan: Plan, number: int, dealt: Dealt) -> list[tuple[str, ...]]:
    """What every seat plays, from seat 1 on."""
    if isinstance(plan.sheet, HiLo):
        return [
            (_erred(plan, number, seat, plan.strategy.declared(hand)),)
            for seat, hand in enumerate(dealt.hands)
        ]
    return [_streets(plan, number, seat, dealt) for seat in range(plan.seats)]


def _streets(plan: Plan, number: int, seat: int, dealt: Dealt) -> tuple[str, ...]:
    played: tuple[str, ...] = ()
    stages = plan.game.stages
    for street, stage in enumerate(stages):
        seen = dealt.hands[seat] + dealt.board[: stage.opens[1]]
        plays = plan.strategy.played(street, played, seen)
        play = _erred(plan, number, seat * len(stages) + street, plays)
        played = (*played, play)
        if play == "fold":
            break
    return played


def _erred(plan: Plan, number: int, decision: int, plays: tuple[str, ...]) -> str:
    return erred(plan.strategy.mistakes, plays, seed=plan.seed, number=number, decision=decision)


def _names(cards: tuple[Card, ...]) -> list[str]:
    return [name(card) for card in cards]
