"""Creating, opening and closing a night."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.house.nights.kit import DAY, EIGHT, Evening, make_command

from pitbook.errors import LedgerError
from pitbook.house.nights import commands as do
from pitbook.house.nights.state import nights
from pitbook.house.nights.store import Night, existing_night
from pitbook.money import dollars
from pitbook.rules.refusals import Code, Refusal


@pytest.mark.parametrize(
    ("changed", "message", "clause"),
    [
        ({"charity": " "}, 'Enter a name for "charity"', "OMS-19"),
        ({"charity": "two\nlines"}, '"charity" must be', "OMS-19"),
        ({"licence": ""}, 'Enter a name for "licence"', "OMS-19"),
        ({"gaming_date": ""}, "Write it like 2026-11-21", "OMS-19"),
        ({"gaming_date": "21.11.2026"}, "Write it like 2026-11-21", "OMS-19"),
        ({"gaming_date": "20261121"}, "Write it like 2026-11-21", "OMS-19"),
        ({"zone": "Mars/Olympus"}, "is not a time zone", "OMS-19"),
        ({"zone": ""}, "is not a time zone", "OMS-19"),
        ({"event": "Gala Night"}, "is not a valid event ID", None),
        ({"event": "gala.2"}, "is not a valid event ID", None),
        ({"event": "a" * 41}, "is not a valid event ID", None),
        ({"house": {}}, "The stored house rules are damaged", None),
    ],
)
def test_night_with_an_invalid_field_is_not_created(
    tmp_path: Path, changed: dict[str, Any], message: str, clause: str | None
) -> None:
    evening = Evening(tmp_path, opened=False)
    night = Night(evening.ledger, "other", clock=lambda: evening.now)
    refusal = night.give(make_command(**{"event": "other", **changed}), actor="kim")
    assert isinstance(refusal, Refusal)
    assert message in refusal.message
    assert refusal.clause == clause
    assert nights(evening.ledger) == ["gala"]
    evening.close()


def test_longest_id_is_accepted(tmp_path: Path) -> None:
    evening = Evening(tmp_path, opened=False)
    night = Night(evening.ledger, "a" * 40, clock=lambda: evening.now)
    assert not isinstance(night.give(make_command(event="a" * 40), actor="kim"), Refusal)
    evening.close()


@pytest.mark.parametrize(
    ("hours", "fine"), [(-20.01, False), (-20, True), (0, True), (3.99, True), (4, False)]
)
def test_night_opens_on_its_gaming_date_in_local_time(
    tmp_path: Path, hours: float, fine: bool
) -> None:
    evening = Evening(tmp_path, opened=False)
    evening.now = EIGHT + timedelta(hours=hours)
    if fine:
        evening.must(do.Open())
        assert evening.state.phase == "open"
    else:
        refusal = evening.no(do.Open())
        assert f"licensed for {DAY}" in refusal.message
        assert refusal.clause == "OMS-19"
    evening.close()


def test_chips_are_not_sold_before_opening(tmp_path: Path) -> None:
    evening = Evening(tmp_path, opened=False)
    refusal = evening.no(do.Sell("ann", dollars("20")))
    assert "is not open yet" in refusal.message
    evening.must(do.BringFloat(dollars("100")))
    evening.close()


def test_night_is_created_and_opened_once(evening: Evening) -> None:
    assert evening.no(do.Open()).message == "gala is already open."
    assert "The ID gala is already in use" in evening.no(make_command()).message


def test_unknown_night_is_refused(evening: Evening) -> None:
    answer = Night(evening.ledger, "other").give(do.Open(), actor="kim")
    assert isinstance(answer, Refusal)
    assert "There is no such event" in answer.message
    with pytest.raises(LedgerError, match='Did you mean "gala"'):
        existing_night(evening.ledger, "galla")


def test_closing_waits_for_racks(evening: Evening) -> None:
    evening.sell("ann", "20")
    evening.admit()
    evening.round("stud-1", {"ann": -1_200})
    refusal = evening.no(do.Close())
    assert (
        refusal.message
        == "Table stud-1 still has $12 in the rack. Settle and close the table first."
    )
    evening.retire("stud-1")
    evening.must(do.Close())
    assert evening.state.expired == {"ann": 800}


def test_commands_after_closing_are_refused_with_the_clause(evening: Evening) -> None:
    evening.must(do.BringFloat(dollars("50")))
    slip = evening.sell("ann", "20")
    evening.must(do.Close())
    for command in (
        do.Redeem("ann", dollars("20")),
        do.Sell("ann", dollars("20")),
        do.Undo(slip, "too late"),
        do.BringFloat(dollars("1")),
        do.Interrupt("power"),
        do.Close(),
        do.Open(),
    ):
        refusal = evening.no(command)
        assert (refusal.code, refusal.clause) == (Code.OVER, "OMS-17")


def test_closing_returns_as_much_float_as_the_drawer_has(evening: Evening) -> None:
    evening.must(do.BringFloat(dollars("40")))
    evening.sell("ann", "20")
    evening.admit()
    evening.round("stud-1", {"ann": 3_000})
    evening.redeem("ann", "50")
    evening.must(do.Close())
    accounts = evening.state.accounts
    assert evening.state.float_returned == dollars("10")
    assert (evening.holds(accounts.cash), evening.holds(accounts.float)) == ("0.00", "30.00")
    assert evening.statement().totals.proceeds == -3_000
    assert evening.statement().findings == ()


def test_interruption_is_on_record_with_its_reason(evening: Evening) -> None:
    assert evening.no(do.Interrupt(" ")).code is Code.UNKNOWN_REASON
    evening.must(do.Interrupt("power failure"))
    assert evening.state.interruptions == ("power failure",)
