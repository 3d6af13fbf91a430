"""A night over HTTP: made, opened, closed; who may run it, and what is refused."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from tests.house.nights.night_over_http import EVENT, T1, Evening, Json, one_evening  # noqa: F401  A fixture.
from tests.house.web.conftest import NAMES

from pitbook.house.ledger.audit import verify
from pitbook.house.web.server import Server


@pytest.mark.long
def test_an_organiser_runs_a_night_from_its_licence_to_its_statement(
    evening: Evening, server: Server
) -> None:
    made = evening.make()
    assert (made["phase"], made["charity"]) == ("made", "Seacoast Shelter")
    assert evening.must(f"/{EVENT}/open")["phase"] == "open"
    evening.must(f"/{EVENT}/cage/float", amount="200")
    sold = evening.must(f"/{EVENT}/cage/sell", player="ann", amount="20")
    assert (sold["receipt"], sold["amount"]) == ("gala-000002", "20.00")
    assert "Good on" in sold["text"]
    evening.must(f"/{EVENT}/cage/redeem", player="ann", amount="5")
    evening.started("ann", "bob")
    evening.do("start-clock")
    evening.do("eliminate", players=["bob"])
    ended = evening.do("finish")
    due = {one["player"]: one["owed"] for one in ended["players"]}
    assert due == {"ann": "90.00", "bob": "0.00"}
    assert [one["place"] for one in ended["players"]] == [1, 2]
    evening.do("pay-out", player="ann")
    assert evening.must(f"/{EVENT}/close")["phase"] == "closed"
    told = evening.get(f"/{EVENT}/statement", "auditor")
    assert (told["reconciles"], told["findings"]) == (True, [])
    # Two fees of $15, and $15 in chips that nobody redeemed.
    assert (told["chips"]["expired"], told["proceeds"]) == ("15.00", "45.00")
    auditor = evening.client("auditor")
    house = evening.run(auditor.get("/api/counter/statement")).json()
    assert (house["charity"], house["house"], house["agrees"]) == ("45.00", "0.00", True)
    assert house["events"][0]["charity"] == told["proceeds"]
    page = evening.run(auditor.get("/api/counter/statement/page"))
    assert "Held for charity: Seacoast Shelter (gala)" in page.text
    assert verify(server.house.ledger).findings == ()


def test_a_night_that_a_stop_left_claimed_and_unmade_is_none(
    evening: Evening, server: Server
) -> None:
    """A server that was killed between taking its stream over and making it."""
    server.house.ledger.claim("night/ghost")
    assert evening.get("")["nights"] == []
    evening.make()
    assert [one["event"] for one in evening.get("")["nights"]] == [EVENT]


@pytest.mark.long
def test_what_is_sent_again_happens_once(evening: Evening) -> None:
    evening.opened()
    path = f"/{EVENT}/cage/sell"
    body: Json = {"player": "ann", "amount": "20", "request": "twice"}
    first, again = evening.must(path, **body), evening.must(path, **body)
    assert first == again
    assert evening.get(f"/{EVENT}")["chips"] == {"ann": "20.00"}
    other = evening.no(path, **body | {"amount": "40"})
    assert other["code"] == "request-reused"


@pytest.mark.long
def test_nights_are_listed_with_the_houses_that_one_can_be_made_under(evening: Evening) -> None:
    assert evening.get("") == {"nights": [], "houses": ["oceanfront"]}
    evening.make()
    evening.make(event="older", gaming_date="2020-02-29", rehearsal=True)
    assert [one["event"] for one in evening.get("", "brush")["nights"]] == [EVENT, "older"]


@pytest.mark.long
def test_a_night_opens_on_its_gaming_date_alone(evening: Evening) -> None:
    tomorrow = (datetime.now(UTC) + timedelta(days=2)).date().isoformat()
    evening.make(gaming_date=tomorrow)
    assert tomorrow in evening.no(f"/{EVENT}/open")["message"]
    said = evening.no(f"/{EVENT}/cage/sell", player="ann", amount="20")["message"]
    assert "not open yet" in said


@pytest.mark.long
def test_oms_17_chips_are_not_redeemed_after_closing(evening: Evening) -> None:
    evening.opened()
    evening.must(f"/{EVENT}/cage/sell", player="ann", amount="20")
    evening.must(f"/{EVENT}/close")
    late = evening.no(f"/{EVENT}/cage/redeem", player="ann", amount="20")
    assert late["clause"] == "OMS-17"


@pytest.mark.long
def test_a_table_above_the_limits_is_refused_and_dealt_within_them(
    evening: Evening, server: Server
) -> None:
    evening.opened()
    sheet = "catfish-bend/mississippi-stud"
    assert evening.no(f"/{EVENT}/tables", table="stud-1", sheet=sheet)["clause"] == "OMS-10"
    made = evening.must(f"/{EVENT}/tables", table="stud-1", sheet=sheet, derived=True)
    assert made["derived"]
    assert made["sheet"]["hash"] != made["base"]
    assert any("4" in words for words in made["differences"])
    names = made["sheet"]["venue"], made["base_sheet"]["venue"]
    assert names == ("Oceanfront Gaming, Inc.", "Catfish Bend Casino II")
    table = server.house.tables["stud-1"].state
    assert (table.unit, table.coming["hash"]) == ("event-chip:gala", made["sheet"]["hash"])
    taken = evening.ask(f"/{EVENT}/tables", table="stud-1", sheet=sheet, derived=True)
    assert taken.status_code == 409


@pytest.mark.long
def test_a_table_of_the_house_keeps_its_name(evening: Evening, server: Server) -> None:
    evening.opened()
    sheet = "catfish-bend/mississippi-stud"
    sue = evening.client("supervisor")
    assert evening.run(sue.post("/api/tables", json={"name": "mine", "sheet": sheet})).is_success
    answer = evening.ask(f"/{EVENT}/tables", table="mine", sheet=sheet, derived=True)
    assert (answer.status_code, "another name" in answer.json()["error"]) == (409, True)
    assert evening.get(f"/{EVENT}")["tables"] == []


@pytest.mark.long
def test_a_slip_is_undone_with_a_reason_and_stays_on_record(evening: Evening) -> None:
    evening.opened()
    evening.must(f"/{EVENT}/cage/sell", player="ann", amount="20")
    gone = evening.must(f"/{EVENT}/cage/undo", slip=1, why="wrong player")
    assert gone["undone"] == "wrong player"
    slips = evening.get(f"/{EVENT}/cage/slips", "auditor")
    assert [one["undone"] for one in slips["slips"]] == ["wrong player"]
    assert evening.get(f"/{EVENT}/cage/slips/1")["receipt"] == "gala-000001"
    assert "gala-000001" in evening.page(f"/{EVENT}/cage/slips/1/page").text
    missing = evening.run(evening.client("organiser").get(f"/api/nights/{EVENT}/cage/slips/9"))
    assert (missing.status_code, missing.json()["error"]) == (404, "gala has no slip 9")


def test_house_rules_are_an_id_and_no_file(evening: Evening, server: Server) -> None:
    given: Json = {"event": "g", "charity": "a", "licence": "b", "gaming_date": "2999-01-01"}
    for name in ("/etc/passwd", "../houses/oceanfront.toml", "oceanfront.toml"):
        answer = evening.ask("", **given, house=name)
        assert (answer.status_code, "no house rules" in answer.text) == (400, True)
    assert server.house.ledger.stream("night/g") is None


@pytest.mark.long
@pytest.mark.parametrize("event", ["none-such", "A", "x" * 300, "%F0%9F%8E%B2", "a.b"])
def test_a_night_that_is_not_there_is_a_sentence(evening: Evening, event: str) -> None:
    for path in ("", "/statement", "/cage/slips", T1, f"{T1}/clock", f"{T1}/paper/sign-in"):
        answer = evening.run(evening.client("organiser").get(f"/api/nights/{event}{path}"))
        assert answer.status_code == 404, path
        assert answer.json()["error"].startswith('there is no night "')


@pytest.mark.long
def test_closing_with_an_id_that_was_used_touches_no_table(
    evening: Evening, server: Server
) -> None:
    evening.opened()
    sheet = "oceanfront/mississippi-stud"
    evening.must(f"/{EVENT}/tables", table="stud-1", sheet=sheet, request="used")
    no = evening.no(f"/{EVENT}/close", request="used")
    assert (no["code"], no["key"]) == ("request-reused", "ledger.request-reused")
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
def test_a_brush_announces_and_seats_and_nothing_else(
    evening: Evening, command: Json, may: bool
) -> None:
    evening.opened().set_up("ann", "bob")
    answer = evening.ask(f"/{EVENT}{T1}/commands", "brush", command=command)
    assert answer.status_code == (200 if may else 403)
    if not may:
        said = answer.json()["error"]
        assert said.endswith("a brush may announce, check-in, draw-seats, balance, break-table")


@pytest.mark.long
def test_who_did_something_is_on_record(evening: Evening, server: Server) -> None:
    evening.opened().set_up()
    evening.must(f"/{EVENT}{T1}/commands", "brush", command={"do": "announce"})
    last = list(server.house.ledger.entries("night/gala"))[-1]
    assert last.actor == NAMES["brush"]
    assert last.facts[-1]["brush"] == NAMES["brush"]
