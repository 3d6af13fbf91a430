"""A table stopped at any point resumes as the sheet says."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.house.table.restartable_table import BUY_IN, PLAYERS, Floor, run

from pitbook import load
from pitbook.cards import DECK
from pitbook.house.ledger.accounts import Account
from pitbook.house.table import commands
from pitbook.house.table.commands import Command
from pitbook.house.table.decide import CLOCKS
from pitbook.house.table.state import TableKind, TableState
from pitbook.house.table.views import table_view
from pitbook.house.table.visibility import Viewer
from pitbook.money import dollars
from pitbook.rules.actions import BOARD, Settle
from pitbook.rules.game import Game, compile_game
from pitbook.rules.legal_actions import accepts
from pitbook.rules.refusals import Refusal
from pitbook.rules.result_json import report

SHEETS = (
    "catfish-bend/mississippi-stud",
    "oceanfront/mississippi-stud",
    "catfish-bend/matchem-hi-lo",
    "louisiana-stud/standard",
    "louisiana-stud/stax-required",
)
# State kept after a restart, other than the hand.
_OF_THE_STOP: dict[str, Any] = {
    "version": 0,
    "interruption": None,
    "awaiting": None,
    "deadlines": {},
}


def script(sheet: str, seats: int) -> Iterator[tuple[str, Command]]:
    """A whole round: seat 2 folds if possible, the others stay in."""
    game = opened_game(sheet)
    sides = game.sheet.side.items()
    main, rule = game.main
    for number, player in enumerate(PLAYERS[:seats], start=1):
        yield player, commands.Sit(number)
    for number, player in enumerate(PLAYERS[:seats], start=1):
        yield player, commands.PutWager(number, main, rule.min)
        for wager, side in sides:
            yield player, commands.PutWager(number, wager, side.stake.min)
    yield "dee", commands.CloseBetting()
    for stage in range(len(game.stages)):
        plays = game.plays(stage)
        for number, player in enumerate(PLAYERS[:seats], start=1):
            if number == 2 and stage and "fold" in plays:
                if stage == 1:
                    yield player, commands.Decide(number, "fold")
            else:
                yield player, commands.Decide(number, plays[-1] if number == 1 else plays[-2])


def _closing(steps: list[tuple[str, Command]]) -> int:
    return next(
        n for n, (_, command) in enumerate(steps) if isinstance(command, commands.CloseBetting)
    )


def opened_game(sheet: str) -> Game:
    return compile_game(load(sheet))


async def _play_steps(floor: Floor, steps: list[tuple[str, Command]]) -> None:
    for name, command in steps:
        await floor.send(name, command)


def settlement(state: TableState) -> dict[str, Any]:
    assert state.round is not None
    return {key: value for key, value in report(state.round).items() if key != "notes"}


def without_the_stop(state: TableState) -> TableState:
    round = state.round and replace(state.round, notes=())
    actions = tuple(action for action in state.actions if type(action).__name__ != "Interrupted")
    result = state.result and {**state.result, "notes": []}
    return state._replace(**_OF_THE_STOP, round=round, actions=actions, result=result)


def held_shown(floor: Floor) -> int:
    """The wagers that the table shows, which must match the ledger."""
    view = table_view(floor.state, Viewer("ann", "player"), floor.env.wallet)
    held_by_seat = {seat["seat"]: dollars(seat["held"]) for seat in view["seats"] if "held" in seat}
    for seat, cents in held_by_seat.items():
        assert floor.ledger.balance(Account("usd", "held", f"t/{seat}")) == cents
    return sum(held_by_seat.values())


@pytest.mark.slow_cases(
    "catfish-bend/matchem-hi-lo-1",
    "catfish-bend/mississippi-stud-1",
    "catfish-bend/mississippi-stud-3",
    "louisiana-stud/standard-1",
    "louisiana-stud/standard-3",
    "louisiana-stud/stax-required-1",
    "oceanfront/mississippi-stud-1",
    "oceanfront/mississippi-stud-3",
)
@pytest.mark.long
@pytest.mark.parametrize("seats", [1, 3])
@pytest.mark.parametrize("sheet", SHEETS)
def test_restart_at_any_point_changes_nothing(tmp_path: Path, sheet: str, seats: int) -> None:
    steps = list(script(sheet, seats))

    async def whole(floor: Floor) -> list[tuple[TableState, dict[str, int]]]:
        states = [(floor.state, floor.wallets())]
        for name, command in steps:
            await floor.send(name, command)
            states.append((floor.state, floor.wallets()))
        return states

    (tmp_path / "whole").mkdir()
    expected = run(tmp_path / "whole", sheet, whole)
    phases = {state.round.phase for state, _ in expected if state.round is not None}
    assert phases == {"wagers", "play", "over"}  # The dealer does the rest in one go.

    stopped_everywhere(tmp_path, sheet, steps, expected)


Seen = list[tuple[TableState, dict[str, int]]]


def stopped_everywhere(
    folder: Path,
    sheet: str,
    steps: list[tuple[str, Command]],
    expected: Seen,
    kind: TableKind = "house",
) -> None:
    """The same round again, its process lost before every step; each state is the same."""
    asks = opened_game(sheet).sheet.irregularities.interruption.value == "agree-or-dead"

    async def play_with_stop(floor: Floor) -> None:
        for at in range(len(steps) + 1):
            await floor.lose_process()
            state, wallets = expected[at]
            live = (
                state.has_live_wagers and state.round is not None and state.round.phase != "wagers"
            )
            if asks and live and something_open(state):
                await _all_agree(floor)
            assert without_the_stop(floor.state) == without_the_stop(state)
            assert floor.wallets() == wallets
            assert held_shown(floor) == on_table(state)
            if at < len(steps):
                await floor.send(*steps[at])
        assert settlement(floor.state) == settlement(expected[-1][0])

    (folder / "stopped").mkdir()
    run(folder / "stopped", sheet, play_with_stop, kind=kind)


def on_table(state: TableState) -> int:
    """The wagers without a result."""
    round = state.round
    seats = round.seats if round is not None else ()
    return sum(cents for seat in seats for _, cents in round.open_stakes(seat)) if round else 0


def something_open(state: TableState) -> bool:
    """Whether any player has a card or decision open."""
    round = state.round
    assert round is not None
    return round.phase != "settle" or any(
        len(seat.cards) < seat.cards_dealt and round.game.looks_at_hand(seat)
        for seat in round.seats
    )


async def _all_agree(floor: Floor) -> None:
    awaiting = floor.state.awaiting
    assert awaiting is not None
    assert set(awaiting.values()) == {None}
    for seat, player in floor.state.seats.items():
        if player in awaiting:
            await floor.send(player, commands.Agree(seat, finish=True))
    assert floor.state.awaiting is None


@pytest.mark.slow_cases("1-no", "1-unreadable", "3-late")
@pytest.mark.long
@pytest.mark.parametrize("ending", ["no", "late", "unreadable"])
@pytest.mark.parametrize("seats", [1, 3])
def test_oms_16_a_dead_hand_returns_every_cent(tmp_path: Path, seats: int, ending: str) -> None:
    sheet = "oceanfront/mississippi-stud"
    steps = list(script(sheet, seats))
    close = _closing(steps)

    async def play(floor: Floor) -> None:
        await _play_steps(floor, steps[:at])
        await floor.lose_process()
        assert held_shown(floor) > 0
        refusal = await floor.ask("ann", commands.Decide(1, "1x"))
        assert isinstance(refusal, Refusal)
        assert refusal.clause == "OMS-16"
        await _end(floor, ending)
        assert floor.state.round is not None
        assert floor.state.round.ending == "dead"
        assert floor.wallets() == dict.fromkeys(PLAYERS, BUY_IN)
        assert held_shown(floor) == 0

    for at in range(close + 1, len(steps)):
        folder = tmp_path / str(at)
        folder.mkdir()
        run(folder, sheet, play)


async def _end(floor: Floor, ending: str) -> None:
    if ending == "no":
        seat, player = next(iter(floor.state.seats.items()))
        await floor.send(player, commands.Agree(seat, finish=False))
    elif ending == "unreadable":
        await floor.send("sue", commands.Unreadable())
    else:
        await asyncio.sleep(CLOCKS["house"]["agree"] + 1)


def test_answers_survive_a_second_restart(tmp_path: Path) -> None:
    sheet = "oceanfront/mississippi-stud"
    steps = list(script(sheet, 3))
    close = _closing(steps)

    async def play(floor: Floor) -> None:
        await _play_steps(floor, steps[: close + 1])
        await floor.lose_process()
        await floor.send("ann", commands.Agree(1, finish=True))
        await floor.lose_process()
        assert floor.state.awaiting == {"ann": True, "bob": None, "cho": None}
        await floor.send("bob", commands.Agree(2, finish=True))
        await floor.send("cho", commands.Agree(3, finish=True))
        await _play_steps(floor, steps[close + 1 :])
        assert floor.state.round is not None
        assert floor.state.round.ending == "settled"

    run(tmp_path, sheet, play)


def typed_next(state: TableState) -> tuple[str, Command] | None:
    """The next actions of the live dealer and the players."""
    round = state.round
    assert round is not None
    turned = sum(type(action).__name__ == "Turn" for action in state.actions)
    if round.waiting:
        plays = round.game.plays(round.stage)
        number = round.waiting[0]
        fold = number == 2 and round.stage == 1 and "fold" in plays
        return "dee", commands.Decide(number, "fold" if fold else plays[-1])
    if round.phase == "play":
        return "dee", commands.TypeCard(BOARD, DECK[turned])
    if round.phase != "settle":
        return None
    if accepts(round, Settle(at_once=True)):
        return "dee", commands.Settle()
    for number, _ in round.to_settle[round.steps_settled :]:
        seat = round.seat(number)
        assert seat is not None
        if len(seat.cards) < seat.cards_dealt and round.game.looks_at_hand(seat):
            return "dee", commands.TypeCard(seat.number, DECK[turned])
    raise AssertionError(round)


@pytest.mark.slow_cases(
    "catfish-bend/matchem-hi-lo-1",
    "catfish-bend/mississippi-stud-1",
    "catfish-bend/mississippi-stud-3",
    "louisiana-stud/standard-1",
    "louisiana-stud/standard-3",
    "louisiana-stud/stax-required-3",
    "oceanfront/mississippi-stud-1",
    "oceanfront/mississippi-stud-3",
)
@pytest.mark.long
@pytest.mark.parametrize("seats", [1, 3])
@pytest.mark.parametrize("sheet", SHEETS)
def test_restart_changes_nothing_at_a_dealt_table(tmp_path: Path, sheet: str, seats: int) -> None:
    steps = list(script(sheet, seats))
    del steps[_closing(steps) + 1 :]

    async def whole(floor: Floor) -> list[tuple[TableState, dict[str, int]]]:
        states = [(floor.state, floor.wallets())]
        for at in range(200):
            if at == len(steps):
                following = typed_next(floor.state)
                if following is None:
                    return states
                steps.append(following)
            await floor.send(*steps[at])
            states.append((floor.state, floor.wallets()))
        raise AssertionError

    (tmp_path / "whole").mkdir()
    expected = run(tmp_path / "whole", sheet, whole, kind="typed")
    phases = {state.round.phase for state, _ in expected if state.round is not None}
    assert phases == {"wagers", "play", "settle", "over"}
    paid = {len(state.round.paid) for state, _ in expected if state.round is not None}
    assert len(paid) > min(2, seats)  # Hand by hand, each with its money.

    stopped_everywhere(tmp_path, sheet, steps, expected, kind="typed")
