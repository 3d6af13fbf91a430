"""A night over HTTP: created, opened, closed; roles and refusals."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from tests.house.nights.night_over_http import EVENT, T1, Evening, Json, one_evening  # noqa: F401  A fixture.
from tests.house.web.conftest import NAMES

from pitbook.house.ledger.audit import verify
from pitbook.house.web.server import Server


@pytest.mark.long
def test_organizer_runs_a_night_from_license_to_statement(evening: Evening, server: Server) -> None:
    created = evening.make()
    assert (created["phase"], created["charity"]) == ("made", "Seacoast Shelter")
    assert evening.must(f"/{EVENT}/open")["phase"] == "open"
    evening.must(f"/{EVENT}/cage/float", amount="200")
    sold = evening.must(f"/{EVENT}/cage/sell", player="ann", amount="20")
    assert (sold["receipt"], sold["amount"]) == ("gala-000002", "20.00")
    assert "until the event closes" in sold["text"]
    evening.must(f"/{EVENT}/cage/redeem", player="ann", amount="5")
    evening.start("ann", "bob")
    evening.do("start-clock")
    evening.do("eliminate", players=["bob"])
    ended = evening.do("finish")
    due = {player["player"]: player["owed"] for player in ended["players"]}
    assert due == {"ann": "90.00", "bob": "0.00"}
    assert [player["place"] for player in ended["players"]] == [1, 2]
    evening.do("pay-out", player="ann")
    assert evening.must(f"/{EVENT}/close")["phase"] == "closed"
    statement = evening.get(f"/{EVENT}/statement", "auditor")
    assert (statement["reconciles"], statement["findings"]) == (True, [])
    # Two fees of $15, and $15 in unredeemed chips.
    assert (statement["chips"]["expired"], statement["proceeds"]) == ("15.00", "45.00")
    auditor = evening.client("auditor")
    house = evening.run(auditor.get("/api/counter/statement")).json()
    assert (house["charity"], house["house"], house["agrees"]) == ("45.00", "0.00", True)
    assert house["events"][0]["charity"] == statement["proceeds"]
    page = evening.run(auditor.get("/api/counter/statement/page"))
    assert "Held for charity: Seacoast Shelter (gala)" in page.text
    assert verify(server.house.ledger).findings == ()


def test_claimed_night_that_was_never_created_is_not_listed(
    evening: Evening, server: Server
) -> None:
    """A server was killed between claiming the stream and creating the night."""
    server.house.ledger.claim("night/ghost")
    assert evening.get("")["nights"] == []
    evening.make()
    assert [night["event"] for night in evening.get("")["nights"]] == [EVENT]


@pytest.mark.long
def test_repeated_request_is_booked_once(evening: Evening) -> None:
    evening.open_night()
    path = f"/{EVENT}/cage/sell"
    body: Json = {"player": "ann", "amount": "20", "request": "twice"}
    first, again = evening.must(path, **body), evening.must(path, **body)
    assert first == again
    assert evening.get(f"/{EVENT}")["chips"] == {"ann": "20.00"}
    other = evening.no(path, **body | {"amount": "40"})
    assert other["code"] == "request-reused"


@pytest.mark.long
def test_nights_are_listed_with_available_houses(evening: Evening) -> None:
    assert evening.get("") == {"nights": [], "houses": ["oceanfront"]}
    evening.make()
    evening.make(event="older", gaming_date="2020-02-29", rehearsal=True)
    assert [night["event"] for night in evening.get("", "brush")["nights"]] == [EVENT, "older"]


@pytest.mark.long
def test_night_opens_only_on_its_gaming_date(evening: Evening) -> None:
    tomorrow = (datetime.now(UTC) + timedelta(days=2)).date().isoformat()
    evening.make(gaming_date=tomorrow)
    assert tomorrow in evening.no(f"/{EVENT}/open")["message"]
    message = evening.no(f"/{EVENT}/cage/sell", player="ann", amount="20")["message"]
    assert "not open yet" in message


@pytest.mark.long
def test_oms_17_chips_are_not_redeemed_after_closing(evening: Evening) -> None:
    evening.open_night()
    evening.must(f"/{EVENT}/cage/sell", player="ann", amount="20")
    evening.must(f"/{EVENT}/close")
    late = evening.no(f"/{EVENT}/cage/redeem", player="ann", amount="20")
    assert late["clause"] == "OMS-17"


@pytest.mark.long
def test_table_above_the_limits_is_refused_or_derived(evening: Evening, server: Server) -> None:
    evening.open_night()
    sheet = "catfish-bend/mississippi-stud"
    assert evening.no(f"/{EVENT}/tables", table="stud-1", sheet=sheet)["clause"] == "OMS-10"
    table_view = evening.must(f"/{EVENT}/tables", table="stud-1", sheet=sheet, derived=True)
    assert table_view["derived"]
    assert table_view["sheet"]["hash"] != table_view["base"]
    assert any("4" in words for words in table_view["differences"])
    names = table_view["sheet"]["venue"], table_view["base_sheet"]["venue"]
    assert names == ("Oceanfront Gaming, Inc.", "Catfish Bend Casino II")
    table = server.house.tables["stud-1"].state
    assert (table.unit, table.upcoming_sheet["hash"]) == (
        "event-chip:gala",
        table_view["sheet"]["hash"],
    )
    answer = evening.ask(f"/{EVENT}/tables", table="stud-1", sheet=sheet, derived=True)
    assert answer.status_code == 409


@pytest.mark.long
def test_a_table_of_the_house_keeps_its_name(evening: Evening, server: Server) -> None:
    evening.open_night()
    sheet = "catfish-bend/mississippi-stud"
    sue = evening.client("supervisor")
    assert evening.run(sue.post("/api/tables", json={"name": "mine", "sheet": sheet})).is_success
    answer = evening.ask(f"/{EVENT}/tables", table="mine", sheet=sheet, derived=True)
    assert (answer.status_code, "another name" in answer.json()["error"]) == (409, True)
    assert evening.get(f"/{EVENT}")["tables"] == []


@pytest.mark.long
def test_voided_slip_stays_on_record_with_its_reason(evening: Evening) -> None:
    evening.open_night()
    evening.must(f"/{EVENT}/cage/sell", player="ann", amount="20")
    voided = evening.must(f"/{EVENT}/cage/undo", slip=1, why="wrong player")
    assert voided["undone"] == "wrong player"
    slips = evening.get(f"/{EVENT}/cage/slips", "auditor")
    assert [slip["undone"] for slip in slips["slips"]] == ["wrong player"]
    assert evening.get(f"/{EVENT}/cage/slips/1")["receipt"] == "gala-000001"
    assert "gala-000001" in evening.page(f"/{EVENT}/cage/slips/1/page").text
    missing = evening.run(evening.client("organiser").get(f"/api/nights/{EVENT}/cage/slips/9"))
    assert (missing.status_code, missing.json()["error"]) == (404, "gala has no slip 9.")


def test_house_rules_are_given_by_id_only(evening: Evening, server: Server) -> None:
    body: Json = {"event": "g", "charity": "a", "licence": "b", "gaming_date": "2999-01-01"}
    for name in ("/etc/passwd", "../houses/oceanfront.toml", "oceanfront.toml"):
        answer = evening.ask("", **body, house=name)
        assert (answer.status_code, "no house rules" in answer.text) == (400, True)
    assert server.house.ledger.stream("night/g") is None


@pytest.mark.long
@pytest.mark.parametrize("event", ["none-such", "A", "x" * 300, "%F0%9F%8E%B2", "a.b"])
def test_unknown_night_gives_a_readable_error(evening: Evening, event: str) -> None:
    for path in ("", "/statement", "/cage/slips", T1, f"{T1}/clock", f"{T1}/paper/sign-in"):
        answer = evening.run(evening.client("organiser").get(f"/api/nights/{event}{path}"))
        assert answer.status_code == 404, path
        assert answer.json()["error"].startswith('There is no event "')


@pytest.mark.long
def test_closing_with_a_used_id_changes_no_table(evening: Evening, server: Server) -> None:
    evening.open_night()
    sheet = "oceanfront/mississippi-stud"
    evening.must(f"/{EVENT}/tables", table="stud-1", sheet=sheet, request="used")
    refusal = evening.no(f"/{EVENT}/close", request="used")
    assert (refusal["code"], refusal["key"]) == ("request-reused", "ledger.request-reused")
    assert not server.house.tables["stud-1"].state.retired
    first = evening.must(f"/{EVENT}/close", request="mine")
    assert evening.must(f"/{EVENT}/close", request="mine") == first


@pytest.mark.long
@pytest.mark.parametrize(
    ("command", "may"),
    [
        ({"do": "announce"}, True),
        ({"do": "draw-seats"}, True),
        ({"do": "enter", "player": "cyd"}, False),
        ({"do": "start"}, False),
        ({"do": "pay-out", "player": "ann"}, False),
        ({"do": "undo", "of": 1}, False),
    ],
)
def test_brush_may_only_announce_and_seat(evening: Evening, command: Json, may: bool) -> None:
    evening.open_night().set_up("ann", "bob")
    answer = evening.ask(f"/{EVENT}{T1}/commands", "brush", command=command)
    assert answer.status_code == (200 if may else 403)
    if not may:
        message = answer.json()["error"]
        assert message.endswith(
            "A brush can use announce, check-in, draw-seats, balance, break-table."
        )


@pytest.mark.long
def test_actor_of_each_command_is_recorded(evening: Evening, server: Server) -> None:
    evening.open_night().set_up()
    evening.must(f"/{EVENT}{T1}/commands", "brush", command={"do": "announce"})
    last = list(server.house.ledger.entries("night/gala"))[-1]
    assert last.actor == NAMES["brush"]
    assert last.facts[-1]["brush"] == NAMES["brush"]
