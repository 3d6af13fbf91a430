"""A server that starts over a tournament which was cut short tells its night, and goes on to."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path

import pytest
from tests.house.nights.dealt import Room, T
from tests.house.nights.phases import brought
from tests.house.nights.stopped import answered, at

from pitbook.errors import LedgerError
from pitbook.house.nights import interruptions as stops
from pitbook.house.nights import live_tables as floor_commands
from pitbook.house.nights import registry
from pitbook.house.nights.registry import Evenings, kept_in_step
from pitbook.house.nights.store import Accepted
from pitbook.house.nights.tournament import commands as floor
from pitbook.house.nights.tournament_tables import TournamentTables

pytestmark = pytest.mark.long


def test_a_start_finds_a_hand_that_was_cut_short(tmp_path: Path) -> None:
    async def work(room: Room) -> None:
        await brought(room, "multi-table", 4, "dealt")
        await room.gone()
        room._taken_up()
        await room.house.take_up()
        looking = Evenings(room.house)
        assert await looking.look() == [T]
        one = room.night.refreshed().tournaments[T]
        assert (one.status, one.stopped) == (
            "playing",
            (1,),
        )  # The floor is asked.
        assert await looking.look() == []
        assert isinstance(
            await floor_commands.ask(room.tables(), floor.Interrupt(T, "storm")), Accepted
        )
        await answered(room, finish=False)
        await looking.look()
        assert room.night.refreshed().tournaments[T].status == "finished"

    at(tmp_path, work)


def test_a_look_in_the_midst_of_the_floors_answer_takes_nothing_from_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work(room: Room) -> None:
        await brought(room, "multi-table", 4, "dealt")
        await room.gone()
        room._taken_up()
        await room.house.take_up()
        looking, looks = Evenings(room.house), []
        await looking.look()
        steps = stops._resume_stopped_tables

        async def seen_between(here: TournamentTables) -> None:
            await steps(here)
            looks.append(asyncio.create_task(looking.look()))
            await asyncio.wait(looks, timeout=0.5)

        monkeypatch.setattr(stops, "_resume_stopped_tables", seen_between)
        answers = [
            await floor_commands.ask(room.tables(), floor.GoOn(T), request="go")
            for _ in ("sent", "again")
        ]
        assert isinstance(answers[0], Accepted)
        assert answers[0] == answers[1]
        await asyncio.gather(*looks)
        assert room.night.refreshed().tournaments[T].stopped == ()

    at(tmp_path, work)


def test_it_looks_while_the_house_is_open_and_outlives_a_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def work(room: Room) -> None:
        await brought(room, "multi-table", 4, "dealt")
        await room.gone()
        room._taken_up()
        await room.house.take_up()
        failures = [LedgerError("the book cannot be read")]
        look = Evenings.look

        async def sometimes(self: Evenings) -> list[str]:
            if failures:
                raise failures.pop()
            return await look(self)

        monkeypatch.setattr(Evenings, "look", sometimes)
        monkeypatch.setattr(registry, "LOOK_SECONDS", 0.01)
        async with kept_in_step(room.house), asyncio.timeout(30):
            while not room.night.refreshed().tournaments[T].stopped:
                await asyncio.sleep(0.01)

    with caplog.at_level(logging.WARNING, "pitbook.house.web"):
        at(tmp_path, work)
    assert [one.msg for one in caplog.records][:1] == ["night_sync_failed"]
