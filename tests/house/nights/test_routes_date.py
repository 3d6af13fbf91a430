"""The gaming date over HTTP: its end, corrections, rehearsals, unclaimed money."""

from __future__ import annotations

from datetime import timedelta

import pytest
from tests.house.nights.gaming_date import noon_date_and_zone
from tests.house.nights.night_over_http import EVENT, T1, Evening, Json, one_evening  # noqa: F401  A fixture.
from tests.house.web.conftest import NAMES

from pitbook import load as load_sheet
from pitbook.house.ledger.writer import utc_now
from pitbook.house.nights import commands as do
from pitbook.house.nights.house_rules import load, stored_rules
from pitbook.house.nights.store import Accepted, Night
from pitbook.house.people.account_register import Role
from pitbook.house.web.server import Server
from pitbook.money import dollars

pytestmark = pytest.mark.long

STUD = "oceanfront/mississippi-stud"


def test_oms_17_no_seating_or_betting_after_the_night(evening: Evening, server: Server) -> None:
    """The night opened two days ago; its table and connections are still there."""
    then = utc_now() - timedelta(days=2)
    night = Night(server.house.ledger, EVENT, clock=lambda: then)
    rules = stored_rules(load("oceanfront"))
    player = NAMES["player"]
    make_night = do.Make(EVENT, "Shelter", "NH-1", then.date().isoformat(), "UTC", rules)
    for command in (make_night, do.Open(), do.Sell(player, dollars("20"))):
        assert isinstance(night.give(command, actor="kim"), Accepted)
    late = evening.no(f"/{EVENT}/tables", table="stud-1", sheet=STUD)
    assert late["clause"] == "OMS-17"

    async def open_table() -> None:
        unit, sheet = night.state.accounts.unit, load_sheet(STUD)
        await server.house.open_table("stud-1", "house", unit=unit, sheet=sheet)

    evening.run(open_table())
    commands: dict[Role, Json] = {
        "player": {"do": "sit", "seat": 1},
        "dealer": {"do": "open-round"},
    }
    for role, document in commands.items():
        body = {"command": document, "request": "once"}
        answer = evening.run(evening.client(role).post("/api/tables/stud-1/commands", json=body))
        assert answer.json()["refused"]["clause"] == "OMS-17", answer.text
        assert "ended at" in answer.json()["refused"]["message"]
    assert evening.must(f"/{EVENT}/close")["phase"] == "closed"


def test_night_can_be_corrected_until_opening(evening: Evening) -> None:
    past = evening.no("", event="x", charity="A", licence="B", gaming_date="2020-02-29", zone="UTC")
    assert (past["clause"], "has passed" in past["message"]) == ("OMS-19", True)
    evening.make(gaming_date="2999-01-01")
    today = noon_date_and_zone()["gaming_date"]
    corrected = evening.must(f"/{EVENT}/correct", gaming_date=today, licence="NH-2")
    assert (corrected["gaming_date"], corrected["licence"], corrected["charity"]) == (
        today,
        "NH-2",
        "Seacoast Shelter",
    )
    assert evening.ask(f"/{EVENT}/correct", "brush", licence="NH-3").status_code == 403
    evening.must(f"/{EVENT}/open")
    assert "is already open" in evening.no(f"/{EVENT}/correct", licence="NH-3")["message"]


def test_unclaimed_money_is_paid_after_closing(evening: Evening) -> None:
    evening.open_night()
    evening.set_up("ann", "bob")
    evening.must(f"/{EVENT}/interrupted", why="fire alarm", dead=True)
    closed = evening.must(f"/{EVENT}/close")
    assert set(closed["unclaimed"]) == {"ann", "bob"}
    slip = evening.must(f"/{EVENT}/cage/unclaimed", player="ann")
    assert (slip["what"], slip["amount"]) == ("unclaimed", closed["unclaimed"]["ann"])
    assert "Unclaimed money paid, ann" in evening.page(f"/{EVENT}/cage/slips/1/page").text
    assert evening.no(f"/{EVENT}/cage/unclaimed", player="ann")["code"] == "not-covered"
    statement = evening.get(f"/{EVENT}/statement", "auditor")
    assert (statement["reconciles"], statement["proceeds"]) == (True, "0.00")
    assert statement["still_unclaimed"] == closed["unclaimed"]["bob"]
    assert list(evening.get(f"/{EVENT}")["unclaimed"]) == ["bob"]


def test_rehearsal_is_marked_everywhere(evening: Evening, server: Server) -> None:
    evening.make(gaming_date="2020-02-29", rehearsal=True)
    assert evening.must(f"/{EVENT}/open")["rehearsal"] is True
    assert evening.must(f"/{EVENT}/cage/sell", player="ann", amount="20")["rehearsal"] is True
    evening.must(f"/{EVENT}/tables", table="stud-1", sheet=STUD)
    assert server.house.tables["stud-1"].state.unit == "rehearsal-event-chip:gala"
    assert evening.start("ann", "bob")["rehearsal"] is True
    assert evening.get(f"/{EVENT}{T1}/clock")["rehearsal"] is True
    ticket = evening.get(f"/{EVENT}{T1}/ticket?player=ann")
    assert ticket["rehearsal"] is True
    check_in = evening.run(evening.client("organiser").get(f"/api/check-in/{ticket['token']}"))
    assert check_in.json()["rehearsal"] is True
    for what in ("sign-in", "seat-cards", "count-sheets"):
        assert "REHEARSAL: no cash value" in evening.page(f"/{EVENT}{T1}/paper/{what}").text
    assert evening.get("")["nights"][0]["rehearsal"] is True
    assert "REHEARSAL" in evening.page(f"/{EVENT}/statement/page").text
    assert "REHEARSAL" in evening.page(f"/{EVENT}/cage/slips/1/page").text
    assert not server.house.ledger.balances("usd")


def test_oms_10_table_of_a_night_cannot_switch_to_a_sheet_above_the_limits(
    evening: Evening,
) -> None:
    evening.open_night()
    evening.must(f"/{EVENT}/tables", table="stud-1", sheet=STUD)
    for sheet, clause in (("catfish-bend/mississippi-stud", "OMS-10"), (STUD, None)):
        body = {"command": {"do": "change-sheet", "sheet": sheet}, "request": sheet}
        sue = evening.client("supervisor")
        answer = evening.run(sue.post("/api/tables/stud-1/commands", json=body)).json()
        refusal = answer.get("refused")
        assert (refusal and refusal["clause"]) == clause, answer
