"""What is sent, heard of or looked at a second time about a stop changes nothing that was said."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.house.nights.dealt import Room, T, play, said
from tests.house.nights.kit import OMS
from tests.house.nights.phases import brought
from tests.house.nights.stopped import accounted_for, at, stop
from tests.house.nights.test_stops import looked, must, undo
from tests.house.nights.tournament.evening import schedule

from pitbook.house.nights import (
    interruptions as cut_hands,
)
from pitbook.house.nights import (
    live_tables as floor_commands,
)
from pitbook.house.nights import (
    tournament_tables,
)
from pitbook.house.nights.registry import Evenings
from pitbook.house.nights.store import Accepted
from pitbook.house.nights.tournament import commands as floor
from pitbook.house.table import commands as at_table
from pitbook.house.table.commands import By
from pitbook.money import dollars
from pitbook.rules.refusals import Code, Refusal


def test_an_undo_lasts_when_the_evenings_interruption_is_heard_of_again(tmp_path: Path) -> None:
    async def work(room: Room) -> None:
        await brought(room, "multi-table", 4, "4th-half")
        looking = Evenings(room.house)
        await looking.look()
        await stop(room)
        await undo(room)
        for _ in range(2):
            await looking.look()
            assert (await room.table()).state.awaiting is None
        assert room.t().status == "playing"

    at(tmp_path, work)


@pytest.mark.long
@pytest.mark.parametrize("cut_at", ["_call_off", "give", "_called_off"])
def test_an_undo_that_was_cut_short_is_sent_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cut_at: str
) -> None:
    async def gone(*_: object, **__: object) -> None:
        raise ConnectionError

    async def work(room: Room) -> None:
        await brought(room, "multi-table", 4, "4th-half")
        await must(room, floor.Interrupt(T, "pressed by mistake"))
        last = room.t().last
        assert last is not None
        with monkeypatch.context() as cut:
            cut.setattr(cut_hands, cut_at, gone)
            with pytest.raises(ConnectionError):
                await floor_commands.ask(room.tables(), floor.Undo(T, last[0]), request="u")
        await room.again()
        answer = await floor_commands.ask(room.tables(), floor.Undo(T, last[0]), request="u")
        assert isinstance(answer, Accepted)
        await looked(room)
        if room.t().stopped:
            await must(room, floor.GoOn(T))
        assert (room.t().status, (await room.table()).state.awaiting) == ("playing", None)

    at(tmp_path, work)


@pytest.mark.long
def test_an_id_that_was_used_answers_no_stop(tmp_path: Path) -> None:
    async def work(room: Room) -> None:
        await brought(room, "multi-table", 4, "4th-half")
        await room.again()
        assert isinstance(room.ask(floor.CheckIn(T, "ann"), request="used"), Accepted)
        for command in (floor.GoOn(T), floor.Interrupt(T, "storm")):
            refused = await floor_commands.ask(room.tables(), command, request="used")
            assert isinstance(refused, Refusal)
            assert refused.code is Code.REQUEST_REUSED
        assert (room.t().stopped, (await room.table()).state.awaiting) == ((1,), {})

    at(tmp_path, work)


@pytest.mark.long
def test_a_stop_before_the_night_heard_that_all_agreed_keeps_their_answers(tmp_path: Path) -> None:
    async def work(room: Room) -> None:
        await brought(room, "multi-table", 3, "4th-half")
        await must(room, floor.Interrupt(T, "storm"))
        table = await room.table()
        for seat, player in table.state.seats.items():
            await said(table, By(player, "player"), at_table.Agree(seat, finish=True))
        await room.gone()
        room._taken_up()  # Nobody has looked, and the floor answers at once.
        await room.house.take_up()
        await must(room, floor.GoOn(T))
        await looked(room)
        assert (room.t().to_complete, room.t().stopped) == ((1,), ())
        assert (await room.table()).state.awaiting is None
        await play(await room.table(), room.whims)
        await cut_hands.look_at(room.tables())
        assert room.t().status == "finished"
        await accounted_for(room)

    at(tmp_path, work)


def test_a_table_cut_off_while_it_was_laid_out_plays_by_its_level(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def gone(*_: object, **__: object) -> None:
        raise ConnectionError

    async def work(room: Room) -> None:
        room.must(floor.SetUp(T, schedule()), floor.Announce(T))
        room.must(floor.Enter(T, "ann"), floor.Enter(T, "bob"))
        room.must(floor.DrawSeats(T), floor.Start(T), floor.StartClock(T))
        with monkeypatch.context() as cut:
            cut.setattr(tournament_tables, "play_by", gone)
            with pytest.raises(ConnectionError):
                await tournament_tables.lay_out(room.tables(), OMS)
        await room.again()
        assert await tournament_tables.lay_out(room.tables(), OMS) is None
        table = await room.table()
        seat, player = next(iter(table.state.seats.items()))
        ante = at_table.PutWager(seat, "ante", dollars("25"))
        await said(table, By(player, "player"), ante)  # Before the floor begins a round.

    at(tmp_path, work)
