"""A night over HTTP: who may run it, what is refused, what it comes to, and the wall's clock."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any
from urllib.parse import unquote

import httpx
import pytest
from fastapi import FastAPI
from tests.web.conftest import NAMES, Running, SignedIn
from tests.web.live import serving

from pitbook.ledger.verify import verify
from pitbook.nights.night import Night
from pitbook.nights.samples import read_schedule, samples
from pitbook.web.register import Role
from pitbook.web.routes import night_clock
from pitbook.web.server import Server

Json = dict[str, Any]
EVENT, T1 = "gala", "/tournaments/t1"
SCHEDULE = """
title = "Hourly stud"
kind = "hourly"
sheet = "oceanfront/mississippi-stud"
seats = 2
enter_until_level = 1
[buy_in]
costs = "60"
fee = "15"
chips = "1000"
[re_buy]
costs = "40"
chips = "1000"
player_max = 9
until_level = 1
[[levels]]
minutes = 20
limits = { ante = { min = "25", max = "100" } }
break_after = 5
[[levels]]
minutes = 20
limits = { ante = { min = "50", max = "200" } }
[[prizes]]
entrants = 2
shares = [100]
[[prizes]]
entrants = 4
shares = [70, 30]
"""


class Evening:
    """One night asked over HTTP; every request with an id of its own."""

    def __init__(self, run: Running, signed_in: SignedIn) -> None:
        self.run, self._signed_in = run, signed_in
        self._clients: dict[Role, httpx.AsyncClient] = {}
        self._numbers = count(1)

    def client(self, role: Role) -> httpx.AsyncClient:
        if role not in self._clients:
            self._clients[role] = self._signed_in(role)
        return self._clients[role]

    def ask(self, path: str, role: Role = "organiser", **body: Any) -> httpx.Response:
        given = {"request": f"r{next(self._numbers)}", **body}
        return self.run(self.client(role).post(f"/api/nights{path}", json=given))

    def must(self, path: str, role: Role = "organiser", **body: Any) -> Json:
        answer = self.ask(path, role, **body)
        assert answer.is_success, answer.text
        found: Json = answer.json()
        return found

    def no(self, path: str, role: Role = "organiser", **body: Any) -> Json:
        answer = self.ask(path, role, **body)
        assert answer.status_code == 409, answer.text
        found: Json = answer.json()["refused"]
        return found

    def get(self, path: str, role: Role = "organiser") -> Json:
        answer = self.run(self.client(role).get(f"/api/nights{path}"))
        assert answer.is_success, answer.text
        found: Json = answer.json()
        return found

    def page(self, path: str, role: Role = "organiser") -> httpx.Response:
        answer = self.run(self.client(role).get(f"/api/nights{path}"))
        assert answer.is_success, answer.text
        return answer

    def make(self, **changed: Any) -> Json:
        given = {
            "event": EVENT,
            "charity": "Seacoast Shelter",
            "licence": "NH-2026-117",
            "gaming_date": datetime.now(UTC).date().isoformat(),
            "zone": "UTC",
        }
        return self.must("", **given | changed)

    def opened(self) -> Evening:
        self.make()
        self.must(f"/{EVENT}/open")
        return self

    def do(self, do: str, **fields: Any) -> Json:
        return self.must(f"/{EVENT}{T1}/commands", command={"do": do, **fields})

    def refused(self, do: str, **fields: Any) -> Json:
        return self.no(f"/{EVENT}{T1}/commands", command={"do": do, **fields})

    def set_up(self, *players: str) -> Json:
        self.must(f"/{EVENT}/tournaments", tournament="t1", toml=SCHEDULE)
        for player in players:
            self.do("enter", player=player)
        return self.get(f"/{EVENT}{T1}")

    def started(self, *players: str) -> Json:
        self.set_up(*players)
        self.do("announce")
        self.do("draw-seats")
        return self.do("start")


@pytest.fixture
def evening(run: Running, signed_in: SignedIn) -> Evening:
    return Evening(run, signed_in)


# A whole evening ----------------------------------------------------------------------------------


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
    assert verify(server.house.ledger).findings == ()


def test_what_is_sent_again_happens_once(evening: Evening) -> None:
    evening.opened()
    path = f"/{EVENT}/cage/sell"
    body: Json = {"player": "ann", "amount": "20", "request": "twice"}
    first, again = evening.must(path, **body), evening.must(path, **body)
    assert first == again
    assert evening.get(f"/{EVENT}")["chips"] == {"ann": "20.00"}
    other = evening.no(path, **body | {"amount": "40"})
    assert other["code"] == "request-reused"


def test_nights_are_listed_with_the_houses_that_one_can_be_made_under(evening: Evening) -> None:
    assert evening.get("") == {"nights": [], "houses": ["oceanfront"]}
    evening.make()
    evening.make(event="older", gaming_date="2020-02-29")
    assert [one["event"] for one in evening.get("", "brush")["nights"]] == [EVENT, "older"]


# What is refused ----------------------------------------------------------------------------------


def test_a_night_opens_on_its_gaming_date_alone(evening: Evening) -> None:
    tomorrow = (datetime.now(UTC) + timedelta(days=2)).date().isoformat()
    evening.make(gaming_date=tomorrow)
    assert tomorrow in evening.no(f"/{EVENT}/open")["message"]
    said = evening.no(f"/{EVENT}/cage/sell", player="ann", amount="20")["message"]
    assert "not open yet" in said


def test_oms_17_chips_are_not_redeemed_after_closing(evening: Evening) -> None:
    evening.opened()
    evening.must(f"/{EVENT}/cage/sell", player="ann", amount="20")
    evening.must(f"/{EVENT}/close")
    late = evening.no(f"/{EVENT}/cage/redeem", player="ann", amount="20")
    assert late["clause"] == "OMS-17"


def test_oms_11_nothing_is_dealt_before_the_brush_has_announced(evening: Evening) -> None:
    evening.opened().set_up("ann", "bob")
    evening.do("draw-seats")
    assert evening.refused("start")["clause"] == "OMS-11"
    evening.must(f"/{EVENT}{T1}/commands", "brush", command={"do": "announce"})
    assert evening.do("start")["status"] == "playing"


def test_oms_12_a_re_buy_beyond_the_limit_is_refused_and_not_offered(evening: Evening) -> None:
    evening.opened().started("ann", "bob")
    for _ in range(2):
        evening.do("re-buy", player="ann")
    said = evening.refused("re-buy", player="ann")
    assert (said["clause"], "$150 at most" in said["message"]) == ("OMS-12", True)
    field = evening.get(f"/{EVENT}{T1}")["players"]
    reasons = {one["player"]: one["offers"]["re-buy"] for one in field}
    assert reasons == {"ann": said["message"], "bob": None}


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
    table = server.house.tables["stud-1"].state
    assert (table.unit, table.coming["hash"]) == ("event-chip:gala", made["sheet"]["hash"])
    taken = evening.ask(f"/{EVENT}/tables", table="stud-1", sheet=sheet, derived=True)
    assert taken.status_code == 409


def test_a_table_of_the_house_keeps_its_name(evening: Evening, server: Server) -> None:
    evening.opened()
    sheet = "catfish-bend/mississippi-stud"
    sue = evening.client("supervisor")
    assert evening.run(sue.post("/api/tables", json={"name": "mine", "sheet": sheet})).is_success
    answer = evening.ask(f"/{EVENT}/tables", table="mine", sheet=sheet, derived=True)
    assert (answer.status_code, "another name" in answer.json()["error"]) == (409, True)
    assert evening.get(f"/{EVENT}")["tables"] == []


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
    assert (missing.status_code, missing.json()) == (404, {"error": "gala has no slip 9"})


@pytest.mark.parametrize(
    ("command", "says"),
    [
        ({}, "is no tournament command"),
        ({"do": "set-up"}, "is no tournament command"),
        ({"do": "enter"}, 'tournament command "enter" has the fields'),
        ({"do": "enter", "player": 7}, "player: 7 must be text in quotes"),
        ({"do": "enter", "player": "a\nb"}, "must be printable text"),
        ({"do": "enter", "player": "a" * 201}, "longer than 200"),
        ({"do": "eliminate", "players": "ann"}, "must be a list of 500 at most"),
        ({"do": "eliminate", "players": [1]}, "must be text in quotes"),
        ({"do": "count-chips", "table": 1, "counts": [["ann", "5"]]}, "must name players"),
        ({"do": "count-chips", "table": 1, "counts": {"ann": "x"}}, "counts:"),
        ({"do": "balance", "moves": [{"player": "ann"}]}, "is no move"),
        (
            {"do": "balance", "moves": [{"player": "ann", "table": "1", "seat": 2}]},
            "must be a whole number",
        ),
        ({"do": "begin-round", "table": True}, "must be a whole number"),
    ],
)
def test_a_command_that_is_none_is_told_what_it_lacks(
    evening: Evening, server: Server, command: Json, says: str
) -> None:
    evening.opened().set_up()
    before = server.house.ledger.streams()
    answer = evening.ask(f"/{EVENT}{T1}/commands", command=command)
    assert answer.status_code == 400
    assert says in answer.json()["error"]
    assert server.house.ledger.streams() == before


def test_a_schedule_with_mistakes_is_told_line_by_line(evening: Evening) -> None:
    evening.opened()
    bad = SCHEDULE.replace("seats = 2", "seats = 99").replace('kind = "hourly"', 'kind = "daily"')
    answer = evening.ask(f"/{EVENT}/tournaments", tournament="t1", toml=bad)
    assert answer.status_code == 400
    assert re.search("line 3: .*; line 5: ", answer.json()["error"]), answer.text


def test_the_schedules_to_begin_with_can_be_used(evening: Evening) -> None:
    found = evening.run(evening.client("organiser").get("/api/schedules")).json()["schedules"]
    assert found == samples()
    evening.opened()
    for number, text in enumerate(found.values(), start=1):
        made = evening.must(f"/{EVENT}/tournaments", tournament=f"t{number}", toml=text)
        assert made["title"] == read_schedule(text).title


def test_house_rules_are_an_id_and_no_file(evening: Evening, server: Server) -> None:
    given: Json = {"event": "g", "charity": "a", "licence": "b", "gaming_date": "2026-01-01"}
    for name in ("/etc/passwd", "../houses/oceanfront.toml", "oceanfront.toml"):
        answer = evening.ask("", **given, house=name)
        assert (answer.status_code, "no house rules" in answer.text) == (400, True)
    assert server.house.ledger.stream("night/g") is None


@pytest.mark.parametrize("event", ["none-such", "A", "x" * 300, "%F0%9F%8E%B2", "a.b"])
def test_a_night_that_is_not_there_is_a_sentence(evening: Evening, event: str) -> None:
    for path in ("", "/statement", "/cage/slips", T1, f"{T1}/clock", f"{T1}/paper/sign-in"):
        answer = evening.run(evening.client("organiser").get(f"/api/nights/{event}{path}"))
        assert answer.status_code == 404, path
        assert answer.json()["error"].startswith('there is no night "')


def test_a_tournament_that_is_not_there_is_a_sentence(evening: Evening) -> None:
    evening.opened().set_up()
    for path in ("", "/clock", "/clock/events", "/paper/sign-in", "/ticket?player=ann"):
        asked = f"/api/nights/{EVENT}/tournaments/t2{path}"
        answer = evening.run(evening.client("organiser").get(asked))
        assert answer.status_code == 404, path
        assert answer.json() == {"error": 'gala has no tournament "t2"; known are "t1"'}


def test_closing_with_an_id_that_was_used_touches_no_table(
    evening: Evening, server: Server
) -> None:
    evening.opened()
    sheet = "oceanfront/mississippi-stud"
    evening.must(f"/{EVENT}/tables", table="stud-1", sheet=sheet, request="used")
    assert evening.no(f"/{EVENT}/close", request="used")["code"] == "request-reused"
    assert not server.house.tables["stud-1"].state.retired
    first = evening.must(f"/{EVENT}/close", request="mine")
    assert evening.must(f"/{EVENT}/close", request="mine") == first


# Who may ------------------------------------------------------------------------------------------


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
        assert said.endswith("a brush may announce, draw-seats, balance, break-table")


def test_who_did_something_is_on_record(evening: Evening, server: Server) -> None:
    evening.opened().set_up()
    evening.must(f"/{EVENT}{T1}/commands", "brush", command={"do": "announce"})
    last = list(server.house.ledger.entries("night/gala"))[-1]
    assert last.actor == NAMES["brush"]
    assert last.facts[-1]["brush"] == NAMES["brush"]


# What is shown ------------------------------------------------------------------------------------


def test_what_is_offered_is_accepted_and_what_is_not_says_why(evening: Evening) -> None:
    evening.opened()
    field = evening.set_up("ann", "bob")
    offers = field["offers"]
    assert (offers["announce"], offers["enter"], offers["draw-seats"]) == (None, None, None)
    for do in ("start", "start-clock", "pause-clock", "next-level", "finish", "post-prizes"):
        assert evening.refused(do)["message"] == offers[do], do
    assert field["players"][0]["offers"]["refund"] is None
    assert field["past"][0]["words"] == "buy-in sold: bob"
    undone = evening.do("undo", of=field["past"][0]["number"], why="bob has gone")
    assert [one["player"] for one in undone["players"]] == ["ann"]


def test_a_tournament_that_was_withdrawn_is_gone(evening: Evening) -> None:
    evening.opened()
    field = evening.set_up()
    gone = evening.do("undo", of=field["past"][0]["number"])
    assert gone["status"] == "withdrawn"
    answer = evening.run(evening.client("organiser").get(f"/api/nights/{EVENT}{T1}"))
    assert answer.status_code == 404


def test_seats_are_drawn_balanced_and_a_table_is_given_up(evening: Evening) -> None:
    evening.opened()
    field = evening.started("ann", "bob", "cyd", "dan")
    assert [len(one["seats"]) for one in field["tables"]] == [2, 2]
    first = [one["player"] for one in field["tables"][0]["seats"]]
    field = evening.do("eliminate", players=first[:1])
    field = evening.do("eliminate", players=[field["tables"][1]["seats"][0]["player"]])
    assert field["breakable"] == 2
    field = evening.do("break-table", table=2)
    assert [len(one["seats"]) for one in field["tables"]] == [2]


def test_a_count_names_players_and_chips(evening: Evening) -> None:
    evening.opened().started("ann", "bob")
    evening.do("begin-round", table=1)
    field = evening.do("count-chips", table=1, counts={"ann": "1900", "bob": "100"})
    assert {one["player"]: one["chips"] for one in field["players"]} == {
        "ann": "1900.00",
        "bob": "100.00",
    }


def test_an_interruption_ends_everything_as_the_house_says(evening: Evening) -> None:
    """OMS-14: with two players left the chip count places them."""
    evening.opened().started("ann", "bob")
    evening.do("count-chips", table=1, counts={"ann": "1900", "bob": "100"})
    told = evening.must(f"/{EVENT}/interrupted", why="power failure")
    assert told["stopped"] == [{"where": "gala.t1", "what": "finished"}]
    field = evening.get(f"/{EVENT}{T1}")
    assert {one["player"]: one["owed"] for one in field["players"]}["ann"] == "90.00"
    assert evening.get(f"/{EVENT}")["interruptions"] == ["power failure"]


# Paper --------------------------------------------------------------------------------------------


def policy(answer: httpx.Response) -> str:
    return str(answer.headers["content-security-policy"])


@pytest.mark.parametrize(
    ("what", "says"),
    [
        ("sign-in", ["Signature", "ann", "bob", "$60"]),
        ("seat-cards", ["Table 1, seat", "Check-in code of ann"]),
        ("count-sheets", ["<h2>Table 1</h2>", "Chips now", "1000.00"]),
    ],
)
def test_paper_for_the_floor_is_a_page_with_nothing_to_fetch(
    evening: Evening, what: str, says: list[str]
) -> None:
    evening.opened().set_up("ann", "bob", "<b>eve</b>")
    evening.do("draw-seats")
    answer = evening.page(f"/{EVENT}{T1}/paper/{what}", "brush")
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert all(one in answer.text for one in says)
    assert "<b>eve" not in answer.text
    assert "&lt;b&gt;eve" in answer.text
    assert not re.search(r'(src|href)="(?!data:)', answer.text)
    assert "style-src 'sha256-" in policy(answer)
    assert "script-src" not in policy(answer)


def test_a_statement_comes_as_text_and_as_a_page(evening: Evening) -> None:
    evening.opened()
    text = evening.page(f"/{EVENT}/statement/text", "auditor")
    assert text.headers["content-type"].startswith("text/plain")
    assert text.text.startswith("Statement so far: gala\n")
    page = evening.page(f"/{EVENT}/statement/page", "auditor")
    assert "<h1>Statement so far: gala</h1>" in page.text
    assert "style-src 'sha256-" in policy(page)


# The door -----------------------------------------------------------------------------------------


def test_a_code_finds_the_player_and_tells_a_stranger_the_seat_alone(
    evening: Evening, client: httpx.AsyncClient
) -> None:
    evening.opened().set_up("bob")
    code = evening.get(f"/{EVENT}{T1}/ticket?player=ann", "brush")
    assert code["link"] == f"http://127.0.0.1:8710/check-in/{code['token']}"
    assert unquote(code["picture"]).startswith("data:image/svg+xml")

    def found(by: httpx.AsyncClient) -> Json:
        answer: Json = evening.run(by.get(f"/api/check-in/{code['token']}")).json()
        return answer

    assert (found(client)["entered"], found(client)["runs"]) == (False, False)
    assert found(evening.client("organiser"))["runs"] is True
    evening.do("enter", player="ann")
    evening.do("draw-seats")
    told = found(client)
    assert (told["player"], told["entered"], told["table"]) == ("ann", True, 1)
    assert not {"spent", "chips", "due", "paid"} & told.keys()


@pytest.mark.parametrize("change", [lambda t: t[:-1], lambda t: "x" + t, lambda t: t.upper()])
def test_a_code_that_was_changed_is_nobodys(
    evening: Evening, client: httpx.AsyncClient, change: Callable[[str], str]
) -> None:
    evening.opened().set_up()
    token = evening.get(f"/{EVENT}{T1}/ticket?player=ann")["token"]
    answer = evening.run(client.get(f"/api/check-in/{change(token)}"))
    assert answer.status_code == 404
    assert "not one that this house gave out" in answer.json()["error"]


# The clock ----------------------------------------------------------------------------------------


def test_anybody_reads_the_clock(evening: Evening, client: httpx.AsyncClient) -> None:
    evening.opened().started("ann", "bob", "cyd", "dan")
    evening.do("start-clock")
    evening.do("eliminate", players=["dan"])
    told = evening.run(client.get(f"/api/nights/{EVENT}{T1}/clock")).json()
    assert (told["level"], told["levels"], told["running"]) == (1, 2, True)
    assert 1195 < told["left"] <= 1200
    assert told["next_break"] == told["left"]
    assert told["limits"] == [{"wager": "ante", "min": "25.00", "max": "100.00"}]
    assert told["next_limits"] == [{"wager": "ante", "min": "50.00", "max": "200.00"}]
    assert (told["players_left"], told["entrants"]) == (3, 4)
    assert told["average_stack"] == "1000.00"
    assert told["prizes"] == ["126.00", "54.00"]
    assert told["posted"] is False


async def boards(response: httpx.Response) -> AsyncIterator[Json]:
    async for line in response.aiter_lines():
        if line.startswith("data: "):
            yield json.loads(line.removeprefix("data: "))


def test_the_board_hears_of_changes_and_begins_anew_after_a_lost_line(
    evening: Evening, app: FastAPI, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(night_clock, "LOOK_SECONDS", 0.01)
    evening.opened().started("ann", "bob")
    night = Night(server.house.ledger, EVENT)

    async def look(base: str) -> None:
        path = f"/api/nights/{EVENT}{T1}/clock/events"
        commands = f"/api/nights/{EVENT}{T1}/commands"
        olga = evening.client("organiser")
        async with httpx.AsyncClient(base_url=base, timeout=20) as wall:
            async with wall.stream("GET", path) as stream:
                assert stream.headers["content-type"].startswith("text/event-stream")
                seen = boards(stream)
                assert (await anext(seen))["running"] is False
                for number, (do, running) in enumerate(
                    [("start-clock", True), ("pause-clock", False), ("resume-clock", True)]
                ):
                    body = {"request": f"c{number}", "command": {"do": do}}
                    assert (await olga.post(commands, json=body)).is_success
                    assert (await anext(seen))["running"] is running
            async with wall.stream("GET", path, headers={"Last-Event-ID": "3"}) as stream:
                again = await anext(boards(stream))
                assert (again["running"], again["version"]) == (
                    True,
                    night.refreshed().tournaments["gala.t1"].version,
                )

    async def served() -> None:
        async with serving(app) as base:
            await look(base)

    evening.run(served())


def test_the_board_says_something_every_15_seconds(
    evening: Evening, app: FastAPI, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert night_clock.TELL_SECONDS == 15
    monkeypatch.setattr(night_clock, "LOOK_SECONDS", 0.01)
    monkeypatch.setattr(night_clock, "TELL_SECONDS", 0.05)
    evening.opened().set_up()

    async def served() -> None:
        async with (
            serving(app) as base,
            httpx.AsyncClient(base_url=base, timeout=20) as wall,
            wall.stream("GET", f"/api/nights/{EVENT}{T1}/clock/events") as stream,
        ):
            seen = boards(stream)
            first, second = await anext(seen), await anext(seen)
            assert first | {"now": ""} == second | {"now": ""}

    evening.run(served())
