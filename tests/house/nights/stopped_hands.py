"""Helpers for tests of interrupted hands."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from tests.house.nights.hand_phases import GONE, PLAYERS
from tests.house.nights.live_night import Room, T, send_command

from pitbook.house.ledger.audit import verify
from pitbook.house.ledger.stream_kinds import audit_of
from pitbook.house.nights import interruptions as cut_hands
from pitbook.house.nights import table_commands as chance_tables
from pitbook.house.nights.store import Accepted
from pitbook.house.nights.tournament import commands as floor
from pitbook.house.table import commands as at_table
from pitbook.house.table.commands import By
from pitbook.money import Cents


def at(path: Path, work: Callable[[Room], Awaitable[None]]) -> None:
    async def run() -> None:
        room = Room(path)
        try:
            await work(room)
        finally:
            await room.close()

    asyncio.run(run())


async def stop(room: Room) -> None:
    """Interrupt the whole night."""
    results = await chance_tables.interrupt(room.house, room.night, "power failure", actor="olga")
    assert isinstance(results, list), results


async def pending_state(room: Room) -> tuple[Any, ...]:
    """The state of an interrupted tournament and the answers it waits for."""
    tournament = room.t()
    return (
        tournament.status,
        tournament.in_hand,
        tournament.to_complete,
        await cut_hands.pending_answers(room.tables()),
    )


async def answer_all(room: Room, *, finish: bool) -> None:
    """Every player asked answers; one refusal is enough."""
    table = await room.table()
    for player in (await cut_hands.pending_answers(room.tables()))[1]:
        seat = next(seat for seat, name in table.state.seats.items() if name == player)
        if table.state.awaiting is not None:
            await send_command(table, By(player, "player"), at_table.Agree(seat, finish=finish))
    assert await cut_hands.sync_hands(room.tables()) is None


def chips_held(room: Room) -> dict[str, Cents]:
    return {name: room.t().players[name].chips for name in room.t().still_in}


def check_end(room: Room, kind: str, left: int, before: dict[str, Cents]) -> None:
    """Check who is owed what, by the rule of its kind."""
    tournament = room.t()
    owed = {name: player.owed for name, player in tournament.players.items() if player.owed}
    entrants = left + len(GONE)
    if kind == "multi-table":
        assert tournament.status == "finished"
        third = owed.pop(GONE[-1], Cents(0))  # OMS-15: a place that was earned is paid as one.
        assert third == (3_200 if left == 2 else 0)
        assert sorted(owed) == sorted(PLAYERS[:left])
        assert max(owed.values()) - min(owed.values()) <= 1
        owed["third"] = third
    elif left > 3:
        assert tournament.status == "void"
        assert owed == dict.fromkeys((*PLAYERS[:left], *GONE), 5_000)
    else:
        assert tournament.status == "finished"
        best = sorted(PLAYERS[:left], key=lambda name: -before[name])
        assert [owed[name] for name in best] == sorted((owed[name] for name in best), reverse=True)
    returned = tournament.status == "void"
    assert sum(owed.values()) == entrants * (5_000 if returned else 4_000)


async def settle_and_close(room: Room) -> None:
    """Pay everybody, close the night, and check that no chip or cent is left over."""
    room.check_conserved()
    room.must(*(floor.PayOut(T, name) for name, player in room.t().players.items() if player.owed))
    close_answer = await chance_tables.close(room.house, room.night, actor="olga")
    assert isinstance(close_answer, Accepted), close_answer
    room.check_no_chips()
    assert room.statement().findings == ()
    assert verify(room.ledger, replay_of=audit_of).findings == ()
