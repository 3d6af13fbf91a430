"""Hands cut short at odd moments: two tables, quick players, a second stop, a person who deals."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.house.nights.dealt import (
    DEALER,
    SUE,
    Room,
    T,
    bet,
    entered,
    layout,
    one_round,
    play,
    said,
)
from tests.house.nights.phases import GONE, KINDS, PLAYERS, brought
from tests.house.nights.stopped import (
    accounted_for,
    answered,
    at,
    choices,
    ended,
    held,
    stop,
)
from tests.house.nights.test_gaming_date import ANN, chance
from tests.house.nights.tournament.evening import schedule

from pitbook.cards import card
from pitbook.house.nights import (
    interruptions as cut_hands,
)
from pitbook.house.nights import (
    live_tables as chance_tables,
)
from pitbook.house.nights import (
    tournament_tables as tournament_rounds,
)
from pitbook.house.nights.registry import Evenings
from pitbook.house.nights.store import Accepted
from pitbook.house.nights.tournament import commands as floor
from pitbook.house.nights.tournament import facts
from pitbook.house.table import commands as at_table
from pitbook.house.table.actor import LiveTable
from pitbook.house.table.commands import By
from pitbook.money import Cents
from pitbook.rules.actions import BOARD
from pitbook.rules.refusals import Refusal


async def two_tables(room: Room) -> None:
    """A hand on each of two tables, three players at both."""
    await entered(room, (*PLAYERS, *GONE), kind="multi-table", seats=3)
    for number in (1, 2):
        assert isinstance(await tournament_rounds.begin(room.tables(), number), Accepted)
        table = await room.table(number)
        await bet(table)
        await said(table, DEALER, at_table.CloseBetting())


@pytest.mark.long
def test_each_table_is_asked_for_itself(tmp_path: Path) -> None:
    async def work(room: Room) -> None:
        await two_tables(room)
        await stop(room)
        first, second = await room.table(1), await room.table(2)
        for seat, player in first.state.seats.items():
            await said(first, By(player, "player"), at_table.Agree(seat, finish=True))
        await said(second, SUE, at_table.Unreadable("cards on the floor"))
        assert await cut_hands.carry_on(room.tables()) is None
        assert (room.t().status, room.t().in_hand, room.t().to_complete) == (
            "interrupted",
            (1,),
            (1,),
        )
        await play(first, room.whims)
        assert await cut_hands.carry_on(room.tables()) is None
        rulings = [one for _, one in room.t().past if isinstance(one, facts.HandRuled)]
        assert [(one.table, one.completed, one.readable) for one in rulings] == [
            (1, True, True),
            (2, False, False),
        ]
        assert room.t().status == "finished"
        await accounted_for(room)

    at(tmp_path, work)


@pytest.mark.long
def test_the_floor_is_told_who_must_agree(tmp_path: Path) -> None:
    async def work(room: Room) -> None:
        await brought(room, "multi-table", 2, "dealt")
        found = await chance_tables.interrupt(room.house, room.night, "power failure", actor="olga")
        assert isinstance(found, list)
        what = found[-1].what
        assert what.startswith("interrupted; ")
        assert what.endswith(" must agree to finish the hand at table 1, else it is dead")
        assert all(player in what for player in PLAYERS[:2])

    at(tmp_path, work)


@pytest.mark.long
def test_who_agreed_stands_in_the_ruling_of_a_dead_hand(tmp_path: Path) -> None:
    async def work(room: Room) -> None:
        await brought(room, "multi-table", 3, "4th")
        await stop(room)
        table = await room.table()
        (one, yes), (two, no) = list(table.state.seats.items())[:2]
        await said(table, By(yes, "player"), at_table.Agree(one, finish=True))
        await said(table, By(no, "player"), at_table.Agree(two, finish=False))
        await cut_hands.carry_on(room.tables())
        (ruling,) = [one for _, one in room.t().past if isinstance(one, facts.HandRuled)]
        assert (ruling.completed, ruling.readable, ruling.agreed) == (False, True, (yes,))
        assert ruling.clause == "OMS-15"

    at(tmp_path, work)


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
def test_a_stop_between_table_and_night_is_made_good(tmp_path: Path, kind: str) -> None:
    """The table's hand was dead, and the process went before the night was told."""

    async def work(room: Room) -> None:
        await brought(room, kind, 3, "4th")
        before, table = held(room), await room.table()
        await said(table, SUE, at_table.Interrupt("power failure"))
        await said(table, SUE, at_table.Unreadable())
        assert await room.again() == []
        assert room.t().status == "playing"  # A table's dead hand ends no tournament.
        await stop(room)
        ended(room, kind, 3, before)
        assert await room.again() == []
        await accounted_for(room)

    at(tmp_path, work)


@pytest.mark.long
def test_a_second_stop_asks_only_who_has_not_answered(tmp_path: Path) -> None:
    async def work(room: Room) -> None:
        await brought(room, "multi-table", 3, "dealt")
        await stop(room)
        table = await room.table()
        seat, player = next(iter(table.state.seats.items()))
        await said(table, By(player, "player"), at_table.Agree(seat, finish=True))
        asked = await cut_hands.waiting(room.tables())
        assert await room.again() == []
        assert await cut_hands.waiting(room.tables()) == asked
        assert player not in asked[1]

    at(tmp_path, work)


@pytest.mark.long
def test_wagers_that_nobody_called_for_keep_nothing_open(tmp_path: Path) -> None:
    async def work(room: Room) -> None:
        await two_tables(room)
        for number in (1, 2):
            await play(await room.table(number), room.whims)
        await tournament_rounds.count(room.tables(), 1)
        await bet(await room.table(1))  # The next round, before the floor has begun it.
        await stop(room)
        assert room.t().status == "finished"
        await accounted_for(room)

    at(tmp_path, work)


@pytest.mark.long
def test_a_hand_that_the_night_was_never_told_of_is_asked_about_too(tmp_path: Path) -> None:
    async def work(room: Room) -> None:
        await brought(room, "multi-table", 2, "between")
        table = await room.table()
        await bet(table)
        await said(table, DEALER, at_table.CloseBetting())
        assert await room.again() == [T]
        assert (await choices(room))[:2] == ("playing", ())
        await stop(room)
        assert (await choices(room))[:2] == ("interrupted", (1,))
        await answered(room, finish=False)
        await accounted_for(room)

    at(tmp_path, work)


@pytest.mark.long
def test_an_interruption_that_is_undone_is_played_on(tmp_path: Path) -> None:
    async def work(room: Room) -> None:
        await brought(room, "hourly", 4, "4th")
        await stop(room)
        assert room.t().status == "void"
        for _ in range(2):
            undone = await tournament_rounds.give(
                room.tables(), floor.Undo(T, room.t().past[-1][0], "light")
            )
            assert isinstance(undone, Accepted), undone
        assert room.t().status == "playing"
        assert isinstance(await tournament_rounds.count(room.tables(), 1), Accepted)
        await one_round(room, 1)
        room.conserved()
        assert layout(await room.table()).ending == "settled"
        again = await tournament_rounds.begin(room.tables(), 1)
        assert not isinstance(again, Refusal)

    at(tmp_path, work)


@pytest.mark.long
def test_wagers_at_another_table_do_not_hold_the_ruling_up(tmp_path: Path) -> None:
    async def work(room: Room) -> None:
        await two_tables(room)
        second = await room.table(2)
        await play(second, room.whims)
        await tournament_rounds.count(room.tables(), 2)
        await stop(room)
        assert (await choices(room))[:2] == ("interrupted", (1,))
        await bet(second)
        await answered(room, finish=False)
        assert room.t().status == "finished"
        await accounted_for(room)

    at(tmp_path, work)


@pytest.mark.long
def test_a_tournament_without_live_tables_is_ruled_by_hand(tmp_path: Path) -> None:
    async def work(room: Room) -> None:
        room.must(floor.SetUp(T, schedule(kind="multi-table")), floor.Announce(T))
        room.must(*(floor.Enter(T, player) for player in PLAYERS))
        room.must(floor.DrawSeats(T), floor.Start(T), floor.BeginRound(T, 1))
        await stop(room)
        assert (await choices(room)) == ("interrupted", (1,), (), {})
        assert await room.again() == []
        room.must(floor.RuleHand(T, 1, readable=False))
        await accounted_for(room)

    at(tmp_path, work)


@pytest.mark.long
@pytest.mark.parametrize("finish", [True, False])
def test_wagers_behind_an_interrupted_hand_are_not_taken_for_it(
    tmp_path: Path, *, finish: bool
) -> None:
    """The hand is over, and a quick player bets before the night has heard of it."""

    async def work(room: Room) -> None:
        await brought(room, "multi-table", 2, "5th-half")
        await stop(room)
        table = await room.table()
        for seat, player in list(table.state.seats.items()):
            if table.state.awaiting is not None:
                await said(table, By(player, "player"), at_table.Agree(seat, finish=finish))
        await play(table, room.whims)
        await bet(table)
        assert await cut_hands.carry_on(room.tables()) is None
        (ruling,) = [one for _, one in room.t().past if isinstance(one, facts.HandRuled)]
        assert ruling.completed is finish
        assert room.t().status == "finished"
        await accounted_for(room)

    at(tmp_path, work)


@pytest.mark.long
def test_a_night_that_was_told_first_stops_the_table(tmp_path: Path) -> None:
    async def work(room: Room) -> None:
        await brought(room, "multi-table", 3, "4th")
        room.must(floor.Interrupt(T, "power failure"))
        assert await cut_hands.waiting(room.tables()) == {}
        assert await cut_hands.carry_on(room.tables()) is None
        assert len((await cut_hands.waiting(room.tables()))[1]) == 3
        refused = await tournament_rounds.begin(room.tables(), 1)
        assert isinstance(refused, Refusal)
        await answered(room, finish=False)
        await accounted_for(room)

    at(tmp_path, work)


TYPED = ("laid", "looked", "one-card", "settle")


async def typed(room: Room, kind: str, phase: str) -> None:
    """Two players at a table where a person deals; one folds, the other stays."""
    await entered(room, PLAYERS[:2], kind=kind, at="typed")
    assert isinstance(await tournament_rounds.begin(room.tables(), 1), Accepted)
    table = await room.table()
    await bet(table)
    await said(table, DEALER, at_table.CloseBetting())
    if phase == "laid":
        return
    one, two = sorted(table.state.seats)
    for seat, named in ((one, "Jc Jd"), (two, "2c 7d")):
        for name in named.split():
            await said(table, DEALER, at_table.TypeCard(seat, card(name)))
    if phase == "looked":
        return
    await said(table, DEALER, at_table.Decide(two, "fold"))
    for name in ("3s", "4s", "9h")[: 1 if phase == "one-card" else 3]:
        await said(table, DEALER, at_table.Decide(one, "1x"))
        await said(table, DEALER, at_table.TypeCard(BOARD, card(name)))


@pytest.mark.long
@pytest.mark.parametrize("phase", TYPED)
@pytest.mark.parametrize("kind", KINDS)
def test_hands_that_a_person_deals(tmp_path: Path, kind: str, phase: str) -> None:
    async def work(room: Room) -> None:
        await typed(room, kind, phase)
        assert layout(await room.table()).phase == ("settle" if phase == "settle" else "play")
        assert await room.again() == [T]
        await stop(room)
        if kind == "multi-table":
            await answered(room, finish=False)
        # Dead: equal chips share, as even parts would be.
        assert {name: one.due for name, one in room.t().players.items()} == dict.fromkeys(
            PLAYERS[:2], 4_000
        )
        await accounted_for(room)

    at(tmp_path, work)


def test_a_hand_that_a_person_deals_is_completed(tmp_path: Path) -> None:
    async def work(room: Room) -> None:
        await typed(room, "multi-table", "settle")
        await stop(room)
        await answered(room, finish=True)
        assert room.t().to_complete == (1,)
        await said(await room.table(), DEALER, at_table.Settle())
        assert await cut_hands.carry_on(room.tables()) is None
        assert room.t().status == "finished"
        await accounted_for(room)

    at(tmp_path, work)


@pytest.mark.long
@pytest.mark.parametrize("dead", [False, True])
def test_a_hand_dealt_after_the_evening_was_stopped_is_not_stopped_by_it(
    tmp_path: Path, dead: bool
) -> None:
    """The server hears of it again when it looks."""

    async def work(room: Room) -> None:
        table = await chance(room)
        looking = Evenings(room.house)
        await looking.look()
        await one_hand(table)
        stopped = chance_tables.interrupt(room.house, room.night, "storm", actor="olga", dead=dead)
        assert isinstance(await stopped, list)
        if not dead:
            await said(table, ANN, at_table.Agree(1, finish=False))
        await one_hand(table)
        for _ in range(2):
            await looking.look()
            assert (table.state.live, table.state.awaiting) == (True, None)

    at(tmp_path, work)


async def one_hand(table: LiveTable) -> None:
    await said(table, ANN, at_table.PutWager(1, "ante", Cents(200)))
    await said(table, DEALER, at_table.CloseBetting())
