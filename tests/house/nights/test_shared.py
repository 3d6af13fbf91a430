"""A night on PostgreSQL that two processes serve: who holds its tables, and what each sees to."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path

import pytest
from sqlalchemy import text
from tests.house.nights.dealt import bet, play, said
from tests.house.nights.kit import EVENT, OMS
from tests.house.nights.several import Side, admitted, opened, played, started

from pitbook.errors import Superseded
from pitbook.house.nights import commands as do
from pitbook.house.nights import (
    live_tables as chance_tables,
)
from pitbook.house.nights import (
    live_tables as floor_commands,
)
from pitbook.house.nights import (
    tournament_tables as tournament_rounds,
)
from pitbook.house.nights.registry import Evenings
from pitbook.house.nights.state import Admitted
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
    found = await tournament_rounds.table_at(side.tables(name), number)
    assert found is not None
    return found


async def in_hand(side: Side, name: str, number: int = 1) -> LiveTable:
    """A hand that is dealt and waits for its first decision."""
    assert isinstance(await tournament_rounds.begin(side.tables(name), number), Accepted)
    table = await table_of(side, name, number)
    await bet(table)
    await said(table, DEALER, at_table.CloseBetting())
    return table


async def chance(side: Side, name: str) -> LiveTable:
    """A table of chance at which ann has a hand."""
    made = await chance_tables.open_table(side.house, side.night, admitted(name), actor="olga")
    assert isinstance(made, Admitted), made
    table, ann = side.house.tables[name], By("ann", "player")
    await said(table, ann, at_table.Sit(1))
    await said(table, ann, at_table.PutWager(1, "ante", Cents(200)))
    await said(table, DEALER, at_table.CloseBetting())
    return table


def asked(table: LiveTable) -> tuple[bool, object]:
    """Whether a hand is live, and who is asked about it."""
    return table.state.live, table.state.awaiting


def cut(side: Side, by: Side) -> None:
    """What a kill does to a process's locks."""
    connection = side.house.locks._connection
    assert connection is not None
    pid = connection.execute(text("SELECT pg_backend_pid()")).scalar()
    with by.house.ledger.engine.begin() as other:
        other.execute(text("SELECT pg_terminate_backend(:pid, 5000)"), {"pid": pid})


@pytest.mark.long
def test_a_night_of_two_processes_from_the_first_chip_to_the_statement(
    tmp_path: Path, postgres: str
) -> None:
    """Each has a table of chance, the first has the tournament; everything closes to the cent."""

    async def scene(first: Side, second: Side) -> None:
        opened(first)
        started(first, T1, "multi-table", FOUR)
        assert await tournament_rounds.lay_out(first.tables(T1), OMS) is None
        here, there = await chance(first, "stud-1"), await chance(second, "stud-2")
        for table in (here, there):
            await said(table, By("ann", "player"), at_table.Decide(1, "fold"))
        with pytest.raises(Superseded, match=r"gala\.t1-1"):
            await tournament_rounds.begin(second.tables(T1), 1)
        table = await in_hand(first, T1)
        assert await Evenings(second.house).look() == []
        await play(table, random.Random(52))
        assert isinstance(await tournament_rounds.count(first.tables(T1), 1), Accepted)
        for gone in FOUR[1:]:
            assert isinstance(
                await tournament_rounds.give(first.tables(T1), floor.Eliminate(T1, (gone,))),
                Accepted,
            )
        first.must(floor.Finish(T1))
        owed = [name for name, one in first.night.state.tournaments[T1].players.items() if one.owed]
        first.must(*(floor.PayOut(T1, name) for name in owed))
        with pytest.raises(
            Superseded, match="stud-2"
        ):  # It retires its own, and says whose is left.
            await chance_tables.close(first.house, first.night, actor="olga", request="close")
        answer = await chance_tables.close(
            second.house, second.night, actor="olga", request="close"
        )
        assert isinstance(answer, Accepted), answer
        told = statement(second.night, at="now")
        assert (told.is_final, told.findings) == (True, ())
        assert told.found.proceeds == 4 * 1_000 + 400 + told.found.expired

    played(tmp_path, postgres, scene)


@pytest.mark.long
def test_an_interruption_told_to_one_process_stops_the_tables_of_both(
    tmp_path: Path, postgres: str
) -> None:
    async def scene(first: Side, second: Side) -> None:
        opened(first)
        started(first, T1, "hourly", FOUR[:3])
        assert await tournament_rounds.lay_out(first.tables(T1), OMS) is None
        table = await in_hand(first, T1)
        here = await chance(second, "stud-2")
        looking = Evenings(first.house)
        assert await looking.look() == []
        found = await chance_tables.interrupt(second.house, second.night, "storm", actor="olga")
        assert isinstance(found, list)
        assert {one.where: one.what for one in found}[T1] == say("nights.stopped.elsewhere")
        assert asked(here) == (True, {"ann": None})
        assert asked(table) == (True, None)
        await looking.look()
        assert asked(table) == (False, None)
        assert first.night.refreshed().tournaments[T1].status == "finished"  # OMS-14
        await looking.look()
        await said(here, By("ann", "player"), at_table.Agree(1, finish=True))
        await Evenings(second.house).look()
        assert asked(here) == (True, None), "it was stopped once"

    played(tmp_path, postgres, scene)


@pytest.mark.long
def test_the_next_process_finds_the_hands_of_one_that_is_gone(
    tmp_path: Path, postgres: str
) -> None:
    """OMS-14 and OMS-15; both may look at once."""

    async def scene(first: Side, second: Side) -> None:
        opened(first)
        started(first, T1, "multi-table", FOUR)
        started(first, T2, "hourly", FOUR[:3])
        for name in (T1, T2):
            assert await tournament_rounds.lay_out(first.tables(name), OMS) is None
            await in_hand(first, name)
        cut(first, second)
        await second.house.look()
        assert {"gala.t1-1", "gala.t2-1"} <= second.house.tables.keys()
        looks = [Evenings(second.house), Evenings(second.house), Evenings(first.house)]
        found = await asyncio.gather(*(one.look() for one in looks), return_exceptions=True)
        assert {name for one in found if isinstance(one, list) for name in one} == {T1, T2}
        state = second.night.refreshed()
        for name in (T1, T2):  # Nothing ends by itself: the floor is asked, once.
            found_there = state.tournaments[name]
            assert (found_there.status, found_there.stopped) == ("playing", (1,))
            cutting = floor.Interrupt(name, "no power")
            assert isinstance(await floor_commands.ask(second.tables(name), cutting), Accepted)
        state = second.night.refreshed()
        assert [state.tournaments[name].status for name in (T1, T2)] == ["interrupted", "finished"]
        table = await table_of(second, T1)
        seat, player = next(iter(table.state.seats.items()))
        await said(table, By(player, "player"), at_table.Agree(seat, finish=False))
        await asyncio.gather(*(one.look() for one in looks[:2]))
        one = second.night.refreshed().tournaments[T1]
        assert one.status == "finished"
        assert sum(player.owed for player in one.players.values()) == one.prize_money
        assert statement(second.night, at="now").findings == ()

    played(tmp_path, postgres, scene)


@pytest.mark.long
def test_one_that_slept_takes_back_nothing_that_the_next_one_found(
    tmp_path: Path, postgres: str
) -> None:
    """Its own tables know of no stop, and are not its own any more."""

    async def scene(first: Side, second: Side) -> None:
        opened(first)
        started(first, T1, "multi-table", FOUR)
        assert await tournament_rounds.lay_out(first.tables(T1), OMS) is None
        await in_hand(first, T1)
        cut(first, second)
        await second.house.look()
        assert await Evenings(second.house).look() == [T1]
        assert await Evenings(first.house).look() == []
        assert second.night.refreshed().tournaments[T1].stopped == (1,)

    played(tmp_path, postgres, scene)


@pytest.mark.long
def test_the_tables_of_a_tournament_go_together(tmp_path: Path, postgres: str) -> None:
    async def scene(first: Side, second: Side) -> None:
        opened(first)
        started(first, T1, "multi-table", (*FOUR, "eli", "fay", "gus"))
        assert await tournament_rounds.lay_out(first.tables(T1), OMS) is None
        assert sorted(first.house.tables) == ["gala.t1-1", "gala.t1-2"]
        await second.house.look()
        assert second.house.tables == {}
        answer = await tournament_rounds.lay_out(first.tables(T1))
        assert answer is None
        first.house.locks.release("table/gala.t1-1")
        await first.house.unload("gala.t1-1")
        await second.house.look()
        assert second.house.tables == {}, "the other table still has the lock"
        first.house.locks.release("table/gala.t1-2")
        await first.house.unload("gala.t1-2")
        assert isinstance(await tournament_rounds.begin(second.tables(T1), 2), Accepted)
        with pytest.raises(Superseded):
            await tournament_rounds.table_at(first.tables(T1), 1)

    played(tmp_path, postgres, scene)


def test_a_lock_is_shared_by_the_tables_of_one_tournament_alone() -> None:
    assert lock_key("table/gala.t1-1") == lock_key("table/gala.t1-12")
    others = ["table/gala.t2-1", "table/gala-t1-1", "cage", "practice/a.b-1"]
    assert len({lock_key(one) for one in ["table/gala.t1-1", *others]}) == 5


@pytest.mark.long
def test_closing_with_an_id_that_was_used_touches_no_table(tmp_path: Path, postgres: str) -> None:
    async def scene(first: Side, second: Side) -> None:
        opened(first)
        table = await chance(first, "stud-1")
        await said(table, By("ann", "player"), at_table.Decide(1, "fold"))
        first.night.give(do.Sell("bob", Cents(400)), actor="olga", request="used")
        answer = await chance_tables.close(first.house, first.night, actor="olga", request="used")
        assert isinstance(answer, Refusal)
        assert not table.state.retired

    played(tmp_path, postgres, scene)
