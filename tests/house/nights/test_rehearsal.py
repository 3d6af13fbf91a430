"""A rehearsal: any date, separate play money, and marked everywhere."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.house.nights.kit import EIGHT, OMS, Evening, make_command
from tests.house.nights.tournament.step_lines import schedule

from pitbook.house.nights import commands as do
from pitbook.house.nights import printed_lists
from pitbook.house.nights.state import NightState
from pitbook.house.nights.statement import (
    receipt,
    receipt_page,
    receipt_text,
    statement,
    statement_page,
    statement_text,
)
from pitbook.house.nights.store import Accepted, Night
from pitbook.house.nights.tournament import commands as floor
from pitbook.house.nights.views import night_summary, night_view
from pitbook.house.table.stored_sheets import dump_sheet
from pitbook.money import dollars
from pitbook.rules.refusals import Refusal

T = "trial.t1"
STEPS: list[Any] = [
    make_command(event="trial", gaming_date="2020-02-29", rehearsal=True),
    do.BringFloat(dollars("50")),
    do.Open(),
    do.Sell("ann", dollars("20")),
    do.Redeem("ann", dollars("5")),
    do.AdmitTable("stud-9", dump_sheet(OMS)),
    floor.SetUp(T, schedule(higher_limit=True)),
    floor.Enter(T, "ann"),
    floor.Enter(T, "bob"),
    floor.Announce(T),
    floor.DrawSeats(T),
    floor.Start(T),
    floor.BeginRound(T, 1),
    floor.CountChips(T, 1, (("ann", dollars("2000")), ("bob", dollars("0")))),
    floor.Eliminate(T, ("bob",)),
    floor.Undo(T, 8, "recounted"),
    floor.Eliminate(T, ("bob",)),
    floor.Finish(T),
    do.Close(),
    do.PayUnclaimed("ann"),
]


@pytest.fixture
def trial(evening: Evening) -> Night:
    """A rehearsal from beginning to end, on another day than its date."""
    night = Night(evening.ledger, "trial", clock=lambda: evening.now)
    for step in STEPS:
        evening.later(hours=7)
        last = night.state.tournaments[T].past[-1][0] if night.state.tournaments else 0
        command = step._replace(of=last) if isinstance(step, floor.Undo) else step
        answer = night.give(command, actor="kim")
        assert isinstance(answer, Accepted), (command, answer)
    return night


def test_rehearsal_books_only_play_money(evening: Evening, trial: Night) -> None:
    units = {account.unit for account in evening.ledger.balances()}
    assert units == {"rehearsal", "rehearsal-event-chip:trial", f"rehearsal-tournament:{T}"}
    assert statement(trial, at="now").findings == ()
    assert statement(trial, at="now").totals.proceeds == 3_500  # $15 expired and $20 in fees.


def test_every_paper_of_a_rehearsal_is_marked(evening: Evening, trial: Night) -> None:
    state, closing = trial.state, statement(trial, at="2026-11-21T12:00:00+00:00")
    tournament = state.tournaments[T]
    papers = [
        statement_text(closing),
        statement_page(closing),
        printed_lists.sign_in_sheet(state, tournament),
        printed_lists.seat_cards(state, tournament, lambda _: "x"),
        printed_lists.count_sheets(state, tournament),
        *(receipt_page(state, slip) for slip in state.slips),
        *(receipt_text(state, slip) for slip in state.slips),
    ]
    assert [paper for paper in papers if "REHEARSAL: no cash value" not in paper] == []
    documents = (closing.document(), night_summary(state), night_view(evening.ledger, state))
    rehearsal_marks = {document["rehearsal"] for document in documents}
    assert rehearsal_marks | {receipt(state, slip)["rehearsal"] for slip in state.slips} == {True}


def test_papers_of_a_real_night_are_not_marked_as_rehearsal(evening: Evening) -> None:
    evening.sell("ann", "20")
    evening.must(floor.SetUp("gala.t1", schedule()))
    state, tournament = evening.state, evening.state.tournaments["gala.t1"]
    papers = [
        statement_text(evening.statement()),
        printed_lists.sign_in_sheet(state, tournament),
        receipt_text(state, state.slips[0]),
    ]
    assert not any("REHEARSAL" in paper for paper in papers)
    assert night_summary(state)["rehearsal"] is False


def test_facts_of_real_nights_have_no_rehearsal_field(tmp_path: Path) -> None:
    evening = Evening(tmp_path)
    first = next(evening.ledger.entries("night/gala", after=1))
    assert "rehearsal" not in first.facts[0]
    assert "rehearsal" not in do.encode(make_command())
    assert do.decode(do.encode(make_command(rehearsal=True))) == make_command(rehearsal=True)
    assert NightState().rehearsal is False
    evening.close()


def test_a_rehearsal_uses_up_no_license(evening: Evening) -> None:
    night = Night(evening.ledger, "trial", clock=lambda: evening.now)
    assert isinstance(
        night.give(make_command(event="trial", rehearsal=True), actor="kim"), Accepted
    )
    large = schedule(higher_limit=True)
    assert isinstance(night.give(floor.SetUp(T, large), actor="kim"), Accepted)
    evening.must(floor.SetUp("gala.t1", large))
    assert isinstance(night.give(floor.SetUp("trial.t2", large), actor="kim"), Refusal)


@pytest.mark.long
def test_a_rehearsal_is_corrected_to_any_day(evening: Evening) -> None:
    evening.now = EIGHT + timedelta(days=9)
    night = Night(evening.ledger, "trial", clock=lambda: evening.now)
    night.give(make_command(event="trial", rehearsal=True), actor="kim")
    answer = night.give(do.Correct(gaming_date="2021-01-01"), actor="kim")
    assert isinstance(answer, Accepted)
