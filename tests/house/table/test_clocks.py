"""Table clocks: they act for absent players, after pinging them."""

from __future__ import annotations

import asyncio
from pathlib import Path
from types import SimpleNamespace

import pytest
from tests.faults.loop import SeededLoop
from tests.house.table.restartable_table import BUY_IN, Floor, run
from tests.house.table.visible_cards import watch

from pitbook.house.ledger.accounts import Account
from pitbook.house.table import actor, commands
from pitbook.house.table import actor as called
from pitbook.house.table.visibility import Viewer
from pitbook.money import Cents

SHEET = "catfish-bend/mississippi-stud"
ANTE = commands.PutWager(1, "ante", Cents(500))


def test_clock_plays_for_an_absent_player_and_pays_the_others(tmp_path: Path) -> None:
    async def play(floor: Floor) -> None:
        for seat, name in enumerate(("ann", "bob"), start=1):
            await floor.send(name, commands.Sit(seat))
            await floor.send(name, commands.PutWager(seat, "ante", Cents(500)))
        await floor.send("dee", commands.CloseBetting())
        await floor.send("ann", commands.Decide(1, "1x"))
        await asyncio.sleep(11)
        await floor.send("ann", commands.Decide(1, "1x"))
        await floor.send("ann", commands.Decide(1, "1x"))
        assert floor.state.round is not None
        assert floor.state.round.phase == "over"
        bob = floor.state.round.seat(2)
        assert bob is not None
        assert bob.folded
        assert floor.wallets()["bob"] == BUY_IN - 500
        assert floor.ledger.balance(Account("usd", "held", "t/1")) == 0
        clocked = [entry for entry in floor.ledger.entries("table/t") if entry.actor == "clock"]
        assert len(clocked) == 1

    run(tmp_path, SHEET, play, betting=None, decision=10)


def test_the_betting_clock_closes_betting(tmp_path: Path) -> None:
    async def play(floor: Floor) -> None:
        await floor.send("ann", commands.Sit(1))
        await floor.send("ann", ANTE)
        await asyncio.sleep(21)
        assert floor.state.round is not None
        assert floor.state.round.phase == "play"

    run(tmp_path, SHEET, play, betting=20, decision=None)


def test_clock_restarts_after_the_server_stalled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A call that was under way then says nothing of a line that died later."""
    hand = SimpleNamespace(monotonic=lambda: asyncio.get_running_loop().time())
    monkeypatch.setattr(called, "time", hand)

    async def play(floor: Floor) -> None:
        line = watch(floor.table, Viewer("ann", "player"))
        line.answers_pings, line.last_heard = True, 0.0
        await floor.send("ann", commands.Sit(1))
        await floor.send("ann", ANTE)
        await floor.send("dee", commands.CloseBetting())
        await asyncio.sleep(10.1)
        loop = asyncio.get_running_loop()
        assert isinstance(loop, SeededLoop)
        loop.stand_still(actor.LATE_SECONDS + 1)
        await asyncio.sleep(10.1)
        assert _waiting(floor) == (1,), "she has not been given up yet"
        await asyncio.sleep(called.WAIT_SECONDS)
        assert _waiting(floor) == ()
        assert sum(frame.what == "ping" for frame in line._frames) == 2

    run(tmp_path, SHEET, play, betting=None, decision=10)


def _waiting(floor: Floor) -> tuple[int, ...]:
    assert floor.state.round is not None
    return floor.state.round.waiting
