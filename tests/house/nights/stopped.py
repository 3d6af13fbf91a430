"""What tests of hands that are cut short share: the stop, the answers, and who is due what."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from tests.house.nights.dealt import Room, T, said
from tests.house.nights.phases import GONE, PLAYERS

from pitbook.house.ledger.audit import verify
from pitbook.house.ledger.stream_kinds import audit_of
from pitbook.house.nights import interruptions as cut_hands
from pitbook.house.nights import live_tables as chance_tables
from pitbook.house.nights.store import Accepted
from pitbook.house.nights.tournament import commands as floor
from pitbook.house.table import commands as at_table
from pitbook.house.table.commands import By
from pitbook.money import Cents


def at(path: Path, work: Callable[[Room], Awaitable[None]]) -> None:
    async def done() -> None:
        room = Room(path)
        try:
            await work(room)
        finally:
            await room.gone()

    asyncio.run(done())


async def stop(room: Room) -> None:
    """The one action for the whole evening."""
    found = await chance_tables.interrupt(room.house, room.night, "power failure", actor="olga")
    assert isinstance(found, list), found


async def choices(room: Room) -> tuple[Any, ...]:
    """What a night that was cut short asks, and of whom."""
    one = room.t()
    return one.status, one.in_hand, one.to_complete, await cut_hands.waiting(room.tables())


async def answered(room: Room, *, finish: bool) -> None:
    """Everybody who is asked says so; the first no is enough."""
    table = await room.table()
    for player in (await cut_hands.waiting(room.tables()))[1]:
        seat = next(seat for seat, name in table.state.seats.items() if name == player)
        if table.state.awaiting is not None:
            await said(table, By(player, "player"), at_table.Agree(seat, finish=finish))
    assert await cut_hands.carry_on(room.tables()) is None


def held(room: Room) -> dict[str, Cents]:
    return {name: room.t().players[name].chips for name in room.t().still_in}


def ended(room: Room, kind: str, left: int, before: dict[str, Cents]) -> None:
    """The rule of its kind: who is due what, by the chips before a hand that is dead."""
    one = room.t()
    owed = {name: player.owed for name, player in one.players.items() if player.owed}
    entrants = left + len(GONE)
    if kind == "multi-table":
        assert one.status == "finished"
        third = owed.pop(GONE[-1], Cents(0))  # OMS-15: a place that was earned is paid as one.
        assert third == (3_200 if left == 2 else 0)
        assert sorted(owed) == sorted(PLAYERS[:left])
        assert max(owed.values()) - min(owed.values()) <= 1
        owed["third"] = third
    elif left > 3:
        assert one.status == "void"
        assert owed == dict.fromkeys((*PLAYERS[:left], *GONE), 5_000)
    else:
        assert one.status == "finished"
        best = sorted(PLAYERS[:left], key=lambda name: -before[name])
        assert [owed[name] for name in best] == sorted((owed[name] for name in best), reverse=True)
    returned = one.status == "void"
    assert sum(owed.values()) == entrants * (5_000 if returned else 4_000)


async def accounted_for(room: Room) -> None:
    """Everybody is paid, the night closes, and not a chip or a cent is anywhere else."""
    room.conserved()
    room.must(*(floor.PayOut(T, name) for name, one in room.t().players.items() if one.owed))
    closed = await chance_tables.close(room.house, room.night, actor="olga")
    assert isinstance(closed, Accepted), closed
    room.gone_home()
    assert room.statement().findings == ()
    assert verify(room.ledger, following=audit_of).findings == ()
