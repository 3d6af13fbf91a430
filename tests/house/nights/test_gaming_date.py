"""OMS-17 and OMS-19: the gaming date starts with opening and ends at the house's last hour."""

from __future__ import annotations

import asyncio
import random
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.house.nights.kit import EIGHT, OMS, RULES, Evening, make_command, rules_until_midnight
from tests.house.nights.live_night import (
    DEALER,
    Room,
    bet,
    enter_players,
    layout,
    play,
    send_command,
)
from tests.house.nights.tournament.step_lines import schedule

from pitbook.house.nights import commands as do
from pitbook.house.nights import table_commands as chance_tables
from pitbook.house.nights import (
    tournament_tables as tournament_rounds,
)
from pitbook.house.nights.house_rules import (
    digest,
    house_path,
    load_stored_rules,
    parse_rules,
    stored_rules,
)
from pitbook.house.nights.sheets import day_end
from pitbook.house.nights.state import AdmittedTable, NightState
from pitbook.house.nights.store import Accepted, Hours, Night
from pitbook.house.nights.tournament import commands as floor
from pitbook.house.table import commands as at_table
from pitbook.house.table.actor import LiveTable
from pitbook.house.table.commands import By, Command
from pitbook.house.table.live_tables import LiveTables
from pitbook.house.table.stored_sheets import dump_sheet
from pitbook.money import Cents, dollars
from pitbook.rules.refusals import Code, Refusal
from pitbook.sheets.field_types import choice

T = "gala.t1"
FOUR = datetime(2026, 11, 22, 9, 0, tzinfo=UTC)  # Four in the morning, over there.
MINUTE = timedelta(minutes=1)
ANN = By("ann", "player")


@pytest.fixture
def late(evening: Evening) -> Evening:
    """A night with chips and a tournament in play, a minute before its date ends."""
    evening.must(do.BringFloat(dollars("100")))
    evening.sell("ann", "40")
    evening.must(floor.SetUp(T, schedule(enter_until_level=2)))
    for player in ("ann", "bob", "cal"):
        evening.must(floor.Enter(T, player))
    for command in (floor.Announce(T), floor.DrawSeats(T), floor.Start(T)):
        evening.must(command)
    evening.now = FOUR - MINUTE
    return evening


REFUSED: list[Any] = [
    do.Sell("ann", Cents(400)),
    do.Redeem("ann", Cents(400)),
    do.Undo(2, "sold to the wrong player"),
    do.AdmitTable("stud-1", dump_sheet(OMS)),
    floor.SetUp("gala.t2", schedule()),
    floor.Enter(T, "dee"),
    floor.ReBuy(T, "ann"),
    floor.AddOn(T, "ann"),
    floor.BeginRound(T, 1),
    floor.StartClock(T),
    floor.CheckIn(T, "ann"),
]


@pytest.mark.parametrize("command", REFUSED, ids=lambda command: type(command).__name__)
def test_oms_17_sales_and_redemptions_stop_at_closing_hour(late: Evening, command: Any) -> None:
    for after in (timedelta(0), MINUTE, timedelta(days=300)):
        late.now = FOUR + after
        refusal = late.no(command)
        assert (refusal.code, refusal.clause) == (Code.OVER, "OMS-17")
        assert "ended at 2026-11-22 04:00 EST" in refusal.message
    late.now = FOUR - MINUTE
    late.must(command)


def test_hands_in_play_are_finished_and_paid_after_closing_hour(late: Evening) -> None:
    late.must(floor.BeginRound(T, 1))
    late.now = FOUR + MINUTE
    counts = tuple((name, dollars(amount)) for name, amount in (("ann", "3000"), ("bob", "0")))
    late.must(floor.CountChips(T, 1, (*counts, ("cal", Cents(0)))))
    late.must(floor.Eliminate(T, ("bob", "cal")))
    assert late.no(floor.BeginRound(T, 1)).clause == "OMS-17"
    late.must(floor.Finish(T))
    late.must(floor.PayOut(T, "ann"))
    late.must(do.Undo(1, "brought twice"))
    late.must(do.BringFloat(dollars("100")))
    late.must(do.Close())
    assert late.statement().findings == ()


@pytest.mark.parametrize(
    ("day", "hour", "ends"),
    [
        ("2026-11-21", "04:00", "2026-11-22T09:00"),
        ("2026-11-21", "00:00", "2026-11-22T05:00"),
        ("2026-03-07", "04:00", "2026-03-08T08:00"),  # Clocks went forward at two.
        ("2026-03-07", "02:30", "2026-03-08T07:30"),  # There was no half past two.
        ("2026-10-31", "04:00", "2026-11-01T09:00"),  # Clocks went back at two.
        ("2026-10-31", "01:30", "2026-11-01T05:30"),  # There were two; the first ends it.
    ],
)
def test_closing_hour_is_local_wall_clock_time(day: str, hour: str, ends: str) -> None:
    chips = RULES.chips.model_copy(update={"latest": choice(hour, "OMS-17")})
    house = stored_rules(RULES.model_copy(update={"chips": chips}))
    state = NightState(event="g", gaming_date=day, zone="America/New_York", house=house)
    end = day_end(state)
    assert end is not None
    assert end.isoformat().startswith(ends)
    assert day_end(state._replace(rehearsal=True)) is None


def test_stored_rules_without_a_last_hour_keep_their_meaning(tmp_path: Path) -> None:
    """Older nights keep their hash and end when they close."""
    older_rules = RULES.model_copy(
        update={"chips": RULES.chips.model_copy(update={"latest": None})}
    )
    stored = stored_rules(older_rules)
    assert "latest" not in stored["body"]["chips"]
    assert digest(load_stored_rules(stored)) == stored["hash"]
    assert stored["hash"] != digest(RULES)
    evening = Evening(tmp_path, rules=older_rules)
    evening.now = FOUR + timedelta(days=2)
    evening.sell("ann", "4")
    evening.close()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('is = "04:00"', None),
        ('is = "11:59"', None),
        ('is = "12:00"', "Use a time after midnight and before 12"),
        ('is = "4:00"', "Use a time after midnight and before 12"),
        ('is = "24:00"', "Use a time after midnight and before 12"),
    ],
)
def test_closing_hour_is_after_midnight(text: str, message: str | None) -> None:
    result = parse_rules(
        house_path("oceanfront").read_text().replace('is = "04:00"', text), "h.toml"
    )
    assert [message in str(finding) for finding in result.findings if message] == (
        [True] if message else []
    )
    assert (result.table is None) == (message is not None)


def test_house_file_sets_the_closing_hour_or_midnight() -> None:
    text = house_path("oceanfront").read_text()
    line = next(text_line for text_line in text.splitlines() if text_line.startswith("latest"))
    (missing_finding,) = parse_rules(text.replace(line, ""), "h.toml").findings
    assert "needs a latest closing time. Write latest" in str(missing_finding)
    assert missing_finding.clause == "OMS-17"
    at_midnight = text.replace('day_ends = { is = "closing"', 'day_ends = { is = "midnight"')
    (extra_finding,) = parse_rules(at_midnight, "h.toml").findings
    assert 'leave "latest" out' in str(extra_finding)
    assert parse_rules(at_midnight.replace(line, ""), "h.toml").findings == ()


def test_oms_19_night_dated_in_the_past_is_refused(evening: Evening) -> None:
    night = Night(evening.ledger, "second", clock=lambda: evening.now)
    refusal = night.give(make_command(event="second", gaming_date="2026-11-20"), actor="kim")
    assert isinstance(refusal, Refusal)
    assert (refusal.clause, refusal.code) == ("OMS-19", Code.NO_RULE)
    assert "2026-11-20 has passed. Today is 2026-11-21 (America/New_York)" in refusal.message
    # Over there it is still the day before.
    assert isinstance(night.give(make_command(event="second"), actor="kim"), Accepted)


def test_night_can_be_corrected_before_it_opens(tmp_path: Path) -> None:
    evening = Evening(tmp_path, opened=False)
    evening.now = EIGHT + timedelta(days=1)
    assert "Correct the event date first" in evening.no(do.Open()).message
    assert "2026-11-20 has passed" in evening.no(do.Correct(gaming_date="2026-11-20")).message
    assert 'Enter a name for "charity"' in evening.no(do.Correct(charity=" ")).message
    assert "is not a time zone" in evening.no(do.Correct(zone="Mars")).message
    evening.must(do.Correct(charity="Food Pantry", licence="NH-2", gaming_date="2026-11-22"))
    assert "already has these details" in evening.no(do.Correct(licence="NH-2")).message
    state = evening.another().state
    assert (state.charity, state.licence, state.gaming_date) == (
        "Food Pantry",
        "NH-2",
        "2026-11-22",
    )
    evening.must(do.Open())
    assert (
        "Corrections must be made before opening" in evening.no(do.Correct(licence="NH-3")).message
    )
    evening.close()


def test_canceled_night_closes_before_it_opens(tmp_path: Path) -> None:
    evening = Evening(tmp_path, opened=False)
    evening.must(do.BringFloat(dollars("50")))
    evening.must(do.Close())
    assert (evening.state.float_returned, evening.statement().findings) == (5_000, ())
    evening.close()


def test_tables_are_not_admitted_before_opening(tmp_path: Path) -> None:
    evening = Evening(tmp_path, opened=False)
    assert isinstance(evening.admit(), Refusal)
    evening.close()


# Live tables.


async def chance(room: Room, name: str = "stud-1") -> LiveTable:
    """A table of chance where ann sits with $20 in chips."""
    room.must(do.Sell("ann", dollars("20")))
    command = do.AdmitTable(name, dump_sheet(OMS))
    admitted = await chance_tables.open_table(room.house, room.night, command, actor="olga")
    assert isinstance(admitted, AdmittedTable), admitted
    table = room.house.tables[name]
    await send_command(table, ANN, at_table.Sit(1))
    return table


BEGIN: list[Command] = [
    at_table.Sit(2),
    at_table.PutWager(1, "ante", Cents(200)),
    at_table.Rebet(1),
    at_table.Undo(1),
    at_table.OpenRound(),
]
END: list[Command] = [
    at_table.PutWager(1, "ante", Cents(0)),
    at_table.CloseBetting(),
    at_table.Decide(1, "fold"),
    at_table.Leave(1),
    at_table.Retire("over"),
]


def test_night_table_starts_no_round_outside_the_date(tmp_path: Path) -> None:
    async def scene() -> None:
        room = Room(tmp_path)
        table = await chance(room)
        await enter_players(room, ("ann", "bob"), name=T)
        hours = Hours(room.ledger, clock=lambda: room.now)
        for live_table in (table, await room.table()):
            for time_now, fine in ((FOUR - MINUTE, True), (FOUR, False), (FOUR + MINUTE, False)):
                room.now = time_now
                answers = [hours.start_refusal(live_table.state, command) for command in BEGIN]
                assert [answer is None for answer in answers] == [fine] * len(BEGIN)
                assert fine or {answer.clause for answer in answers if answer} == {"OMS-17"}
                assert not any(hours.start_refusal(live_table.state, command) for command in END)
        assert hours.start_refusal(table.state._replace(unit="usd"), BEGIN[0]) is None
        await room.close()

    asyncio.run(scene())


def test_table_of_an_unopened_night_starts_no_round(tmp_path: Path) -> None:
    evening = Evening(tmp_path, opened=False)
    hours = Hours(evening.ledger, clock=lambda: evening.now)
    table = asyncio.run(_stud(evening))
    (refusal,) = {hours.start_refusal(table, command) for command in BEGIN}
    assert refusal is not None
    assert (refusal.message, refusal.clause) == (
        "gala is not open yet. No new rounds may start.",
        "OMS-17",
    )
    evening.must(do.Open())
    assert hours.start_refusal(table, BEGIN[0]) is None
    evening.close()


async def _stud(evening: Evening) -> Any:
    house = LiveTables(evening.folder, clock=lambda: evening.now)
    table = await house.open_table("stud-1", "house", unit="event-chip:gala", sheet=OMS)
    await house.close()
    return table.state


def test_hand_in_play_at_the_hour_is_finished(tmp_path: Path) -> None:
    """Bets placed by four are dealt, settled and paid."""

    async def scene() -> None:
        room = Room(tmp_path)
        table = await chance(room)
        await send_command(table, ANN, at_table.PutWager(1, "ante", Cents(200)))
        room.now = FOUR + MINUTE
        await send_command(table, DEALER, at_table.CloseBetting())
        await play(table, random.Random(1))
        assert layout(table).phase == "over"
        close_answer = await chance_tables.close(room.house, room.night, actor="olga")
        assert isinstance(close_answer, Accepted)
        assert room.statement().findings == ()
        await room.close()

    asyncio.run(scene())


def test_tournament_round_does_not_start_after_closing_hour(tmp_path: Path) -> None:
    async def scene() -> None:
        room = Room(tmp_path)
        await enter_players(room, ("ann", "bob"))
        room.must(floor.PauseClock(T))
        tables, table = room.tables(), await room.table()
        assert isinstance(await tournament_rounds.begin_round(tables, 1), Accepted)
        await bet(table)
        await send_command(table, DEALER, at_table.CloseBetting())
        room.now = FOUR
        await play(table, random.Random(2))
        assert isinstance(await tournament_rounds.count_chips(tables, 1), Accepted)
        number = table.state.number
        refusal = await tournament_rounds.begin_round(tables, 1)
        assert isinstance(refusal, Refusal)
        assert (refusal.clause, table.state.number) == ("OMS-17", number)
        await room.close()

    asyncio.run(scene())


def test_tournament_tables_are_not_set_up_after_closing_hour(tmp_path: Path) -> None:
    async def scene() -> None:
        room = Room(tmp_path)
        room.must(floor.SetUp(T, schedule()), floor.Announce(T))
        room.must(floor.Enter(T, "ann"), floor.Enter(T, "bob"))
        room.must(floor.DrawSeats(T), floor.Start(T))
        room.now = FOUR
        refusal = await tournament_rounds.open_tables(room.tables(), OMS)
        assert isinstance(refusal, Refusal)
        assert (refusal.clause, await tournament_rounds.read_table_numbers(room.tables())) == (
            "OMS-17",
            [],
        )
        await room.close()

    asyncio.run(scene())


def test_gaming_day_until_midnight_ends_at_midnight(tmp_path: Path) -> None:
    evening = Evening(tmp_path, rules=rules_until_midnight())
    evening.now = EIGHT + timedelta(hours=4)
    assert "ended at 2026-11-22 00:00 EST" in evening.no(do.Sell("ann", Cents(400))).message
    evening.close()
