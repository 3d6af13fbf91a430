"""A night served by two PostgreSQL processes: table ownership and syncing."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path

import pytest
from sqlalchemy import text
from tests.house.nights.kit import EVENT, OMS
from tests.house.nights.live_night import bet, play, send_command
from tests.house.nights.two_processes import (
    Side,
    admit_command,
    open_night,
    run_scene,
    start_tournament,
)

from pitbook.errors import Superseded
from pitbook.house.nights import commands as do
from pitbook.house.nights import table_commands as chance_tables
from pitbook.house.nights import table_commands as floor_commands
from pitbook.house.nights import (
    tournament_tables as tournament_rounds,
)
from pitbook.house.nights.night_sync import NightSync
from pitbook.house.nights.state import AdmittedTable
from pitbook.house.nights.statement import statement
from pitbook.house.nights.store import Accepted
from pitbook.house.nights.tournament import commands as floor
from pitbook.house.table import commands as at_table
from pitbook.house.table.actor import LiveTable
from pitbook.house.table.commands import By
from pitbook.house.web.leases import lock_key
from pitbook.money import Cents
from pitbook.rules.refusals import Refusal
from pitbook.text import say

T1, T2 = f"{EVENT}.t1", f"{EVENT}.t2"
FOUR = ("ann", "bob", "cal", "dee")
DEALER = By("dan", "dealer")


async def table_of(side: Side, name: str, number: int = 1) -> LiveTable:
    table = await tournament_rounds.load_table(side.tables(name), number)
    assert table is not None
    return table


async def in_hand(side: Side, name: str, number: int = 1) -> LiveTable:
    """A dealt hand that waits for its first decision."""
    assert isinstance(await tournament_rounds.begin_round(side.tables(name), number), Accepted)
    table = await table_of(side, name, number)
    await bet(table)
    await send_command(table, DEALER, at_table.CloseBetting())
    return table


async def chance(side: Side, name: str) -> LiveTable:
    """A table of chance at which ann has a hand."""
    admitted_table = await chance_tables.open_table(
        side.house, side.night, admit_command(name), actor="olga"
    )
    assert isinstance(admitted_table, AdmittedTable), admitted_table
    table, ann = side.house.tables[name], By("ann", "player")
    await send_command(table, ann, at_table.Sit(1))
    await send_command(table, ann, at_table.PutWager(1, "ante", Cents(200)))
    await send_command(table, DEALER, at_table.CloseBetting())
    return table


def hand_state(table: LiveTable) -> tuple[bool, object]:
    """Whether a hand is live, and who must answer about it."""
    return table.state.has_live_wagers, table.state.awaiting


def drop_locks(side: Side, by: Side) -> None:
    """Drop a process's locks, as a kill does."""
    connection = side.house.locks._connection
    assert connection is not None
    pid = connection.execute(text("SELECT pg_backend_pid()")).scalar()
    with by.house.ledger.engine.begin() as other:
        other.execute(text("SELECT pg_terminate_backend(:pid, 5000)"), {"pid": pid})


@pytest.mark.long
def test_two_processes_run_a_night_to_the_statement(tmp_path: Path, postgres: str) -> None:
    """Each has a table of chance, the first the tournament; everything closes to the cent."""

    async def scene(first: Side, second: Side) -> None:
        open_night(first)
        start_tournament(first, T1, "multi-table", FOUR)
        assert await tournament_rounds.open_tables(first.tables(T1), OMS) is None
        first_table, second_table = await chance(first, "stud-1"), await chance(second, "stud-2")
        for table in (first_table, second_table):
            await send_command(table, By("ann", "player"), at_table.Decide(1, "fold"))
        with pytest.raises(Superseded, match=r"gala\.t1-1"):
            await tournament_rounds.begin_round(second.tables(T1), 1)
        table = await in_hand(first, T1)
        assert await NightSync(second.house).sync_all() == []
        await play(table, random.Random(52))
        assert isinstance(await tournament_rounds.count_chips(first.tables(T1), 1), Accepted)
        for player in FOUR[1:]:
            assert isinstance(
                await tournament_rounds.give(first.tables(T1), floor.Eliminate(T1, (player,))),
                Accepted,
            )
        first.must(floor.Finish(T1))
        owed = [
            name
            for name, player in first.night.state.tournaments[T1].players.items()
            if player.owed
        ]
        first.must(*(floor.PayOut(T1, name) for name in owed))
        # It retires its own tables and names the one left.
        with pytest.raises(Superseded, match="stud-2"):
            await chance_tables.close(first.house, first.night, actor="olga", request="close")
        answer = await chance_tables.close(
            second.house, second.night, actor="olga", request="close"
        )
        assert isinstance(answer, Accepted), answer
        closing = statement(second.night, at="now")
        assert (closing.is_final, closing.findings) == (True, ())
        assert closing.totals.proceeds == 4 * 1_000 + 400 + closing.totals.expired

    run_scene(tmp_path, postgres, scene)


@pytest.mark.long
def test_interruption_in_one_process_stops_the_tables_of_both(
    tmp_path: Path, postgres: str
) -> None:
    async def scene(first: Side, second: Side) -> None:
        open_night(first)
        start_tournament(first, T1, "hourly", FOUR[:3])
        assert await tournament_rounds.open_tables(first.tables(T1), OMS) is None
        table = await in_hand(first, T1)
        chance_table = await chance(second, "stud-2")
        sync = NightSync(first.house)
        assert await sync.sync_all() == []
        results = await chance_tables.interrupt(second.house, second.night, "storm", actor="olga")
        assert isinstance(results, list)
        assert {result.where: result.what for result in results}[T1] == say(
            "nights.stopped.elsewhere"
        )
        assert hand_state(chance_table) == (True, {"ann": None})
        assert hand_state(table) == (True, None)
        await sync.sync_all()
        assert hand_state(table) == (False, None)
        assert first.night.refresh().tournaments[T1].status == "finished"  # OMS-14
        await sync.sync_all()
        await send_command(chance_table, By("ann", "player"), at_table.Agree(1, finish=True))
        await NightSync(second.house).sync_all()
        assert hand_state(chance_table) == (True, None), "it was stopped once"

    run_scene(tmp_path, postgres, scene)


@pytest.mark.long
def test_next_process_takes_over_interrupted_hands(tmp_path: Path, postgres: str) -> None:
    """OMS-14 and OMS-15, also when both sync at once."""

    async def scene(first: Side, second: Side) -> None:
        open_night(first)
        start_tournament(first, T1, "multi-table", FOUR)
        start_tournament(first, T2, "hourly", FOUR[:3])
        for name in (T1, T2):
            assert await tournament_rounds.open_tables(first.tables(name), OMS) is None
            await in_hand(first, name)
        drop_locks(first, second)
        await second.house.take_free_tables()
        assert {"gala.t1-1", "gala.t2-1"} <= second.house.tables.keys()
        syncs = [NightSync(second.house), NightSync(second.house), NightSync(first.house)]
        sync_results = await asyncio.gather(
            *(sync.sync_all() for sync in syncs), return_exceptions=True
        )
        assert {
            name
            for sync_result in sync_results
            if isinstance(sync_result, list)
            for name in sync_result
        } == {T1, T2}
        state = second.night.refresh()
        for name in (T1, T2):  # Nothing ends by itself: the floor is asked, once.
            tournament_found = state.tournaments[name]
            assert (tournament_found.status, tournament_found.interrupted_tables) == (
                "playing",
                (1,),
            )
            interruption = floor.Interrupt(name, "no power")
            assert isinstance(await floor_commands.ask(second.tables(name), interruption), Accepted)
        state = second.night.refresh()
        assert [state.tournaments[name].status for name in (T1, T2)] == ["interrupted", "finished"]
        table = await table_of(second, T1)
        seat, player = next(iter(table.state.seats.items()))
        await send_command(table, By(player, "player"), at_table.Agree(seat, finish=False))
        await asyncio.gather(*(sync.sync_all() for sync in syncs[:2]))
        tournament = second.night.refresh().tournaments[T1]
        assert tournament.status == "finished"
        assert sum(player.owed for player in tournament.players.values()) == tournament.prize_money
        assert statement(second.night, at="now").findings == ()

    run_scene(tmp_path, postgres, scene)


@pytest.mark.long
def test_process_without_locks_does_not_revert_a_reported_stop(
    tmp_path: Path, postgres: str
) -> None:
    """Its own tables know of no stop and no longer belong to it."""

    async def scene(first: Side, second: Side) -> None:
        open_night(first)
        start_tournament(first, T1, "multi-table", FOUR)
        assert await tournament_rounds.open_tables(first.tables(T1), OMS) is None
        await in_hand(first, T1)
        drop_locks(first, second)
        await second.house.take_free_tables()
        assert await NightSync(second.house).sync_all() == [T1]
        assert await NightSync(first.house).sync_all() == []
        assert second.night.refresh().tournaments[T1].interrupted_tables == (1,)

    run_scene(tmp_path, postgres, scene)


@pytest.mark.long
def test_tables_of_a_tournament_share_one_owner(tmp_path: Path, postgres: str) -> None:
    async def scene(first: Side, second: Side) -> None:
        open_night(first)
        start_tournament(first, T1, "multi-table", (*FOUR, "eli", "fay", "gus"))
        assert await tournament_rounds.open_tables(first.tables(T1), OMS) is None
        assert sorted(first.house.tables) == ["gala.t1-1", "gala.t1-2"]
        await second.house.take_free_tables()
        assert second.house.tables == {}
        answer = await tournament_rounds.open_tables(first.tables(T1))
        assert answer is None
        first.house.locks.release("table/gala.t1-1")
        await first.house.unload("gala.t1-1")
        await second.house.take_free_tables()
        assert second.house.tables == {}, "the other table still has the lock"
        first.house.locks.release("table/gala.t1-2")
        await first.house.unload("gala.t1-2")
        assert isinstance(await tournament_rounds.begin_round(second.tables(T1), 2), Accepted)
        with pytest.raises(Superseded):
            await tournament_rounds.load_table(first.tables(T1), 1)

    run_scene(tmp_path, postgres, scene)


def test_lock_is_shared_by_the_tables_of_one_tournament_only() -> None:
    assert lock_key("table/gala.t1-1") == lock_key("table/gala.t1-12")
    others = ["table/gala.t2-1", "table/gala-t1-1", "cage", "practice/a.b-1"]
    assert len({lock_key(stream) for stream in ["table/gala.t1-1", *others]}) == 5


@pytest.mark.long
def test_closing_with_a_used_id_changes_no_table(tmp_path: Path, postgres: str) -> None:
    async def scene(first: Side, second: Side) -> None:
        open_night(first)
        table = await chance(first, "stud-1")
        await send_command(table, By("ann", "player"), at_table.Decide(1, "fold"))
        first.night.give(do.Sell("bob", Cents(400)), actor="olga", request="used")
        answer = await chance_tables.close(first.house, first.night, actor="olga", request="used")
        assert isinstance(answer, Refusal)
        assert not table.state.retired

    run_scene(tmp_path, postgres, scene)
