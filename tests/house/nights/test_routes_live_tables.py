"""Tournaments at live tables over HTTP, played from phones."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from tests.house.nights.night_over_http import EVENT, SCHEDULE, T1, Evening, Json, one_evening  # noqa: F401
from tests.house.web.conftest import LoopRunner, client_of
from tests.house.web.live_server import choice

from pitbook.house.ledger.audit import verify
from pitbook.house.people.account_register import Role
from pitbook.house.web.leases import HeldElsewhere
from pitbook.house.web.server import Server

pytestmark = pytest.mark.long

TABLES = f"/{EVENT}{T1}/tables"


class Phones:
    """Players without accounts, each with a phone that opened the ticket."""

    def __init__(self, evening: Evening, app: FastAPI) -> None:
        self.evening, self._app, self._numbers = evening, app, 0
        self._phones: dict[str, tuple[httpx.AsyncClient, str, int]] = {}

    def seat(self, player: str) -> tuple[str, int]:
        token = self.evening.get(f"/{EVENT}{T1}/ticket?player={player}")["token"]
        client = client_of(self._app)
        request = client.post(f"/api/check-in/{token}/play", json={"request": "p"})
        answer = self.evening.run(request)
        assert answer.is_success, answer.text
        own_seat = answer.json()
        self._phones[player] = client, own_seat["table"], own_seat["seat"]
        return own_seat["table"], own_seat["seat"]

    def do(self, player: str, **command: Any) -> None:
        client, table, seat = self._phones[player]
        self._numbers += 1
        body = {"request": f"{self._numbers}", "command": {"seat": seat, **command}}
        answer = self.evening.run(client.post(f"/api/tables/{table}/commands", json=body))
        assert answer.is_success, answer.text

    def view(self, player: str) -> Json:
        client, table, _ = self._phones[player]
        view: Json = self.evening.run(client.get(f"/api/tables/{table}")).json()
        return view

    def decide(self, player: str) -> None:
        play = choice(self.view(player), self._phones[player][2])
        assert play is not None
        self.do(player, do="decide", play=play)

    def close(self) -> None:
        for client, *_ in self._phones.values():
            self.evening.run(client.aclose())


@pytest.fixture
def phones(evening: Evening, app: FastAPI, run: LoopRunner) -> Iterator[Phones]:
    phones_by_player = Phones(evening, app)
    yield phones_by_player
    phones_by_player.close()


def open_tables(evening: Evening, *players: str) -> Json:
    evening.open_night().start(*players)
    evening.do("start-clock")
    return evening.must(TABLES)


def only_table(field: Json) -> Json:
    (table,) = field["dealt"]["tables"]
    table_view: Json = table
    return table_view


def test_tournament_round_from_ticket_to_count(
    evening: Evening, phones: Phones, server: Server
) -> None:
    field = open_tables(evening, "bob", "cyd")
    assert (only_table(field)["table"], only_table(field)["phase"]) == ("gala.t1-1", "open")
    assert only_table(field)["offers"]["begin"] is None
    assert "No round has started at table" in only_table(field)["offers"]["count"]
    for player in ("bob", "cyd"):
        assert phones.seat(player)[0] == "gala.t1-1"
    begun_view = evening.must(f"{TABLES}/1/begin", "dealer")
    assert begun_view["accepted"]["seq"] > 0
    assert (only_table(begun_view)["round"], sorted(only_table(begun_view)["waiting"])) == (
        1,
        ["bob", "cyd"],
    )
    phones.do("bob", do="put-wager", wager="ante", amount="25")
    phones.do("cyd", do="put-wager", wager="ante", amount="25")
    assert "not over" in evening.no(f"{TABLES}/1/count")["message"]
    field = evening.get(f"/{EVENT}{T1}")
    if only_table(field)["phase"] == "wagers":
        dee, body = evening.client("dealer"), {"request": "c", "command": {"do": "close-betting"}}
        assert evening.run(dee.post("/api/tables/gala.t1-1/commands", json=body)).is_success
    while waiting := only_table(evening.get(f"/{EVENT}{T1}"))["waiting"]:
        phones.decide(waiting[0])
    body = {"request": "counted"}
    counted_view = evening.must(f"{TABLES}/1/count", "dealer", **body)
    repeated_view = evening.must(f"{TABLES}/1/count", "dealer", **body)
    assert repeated_view["accepted"] == counted_view["accepted"]
    balances = server.house.ledger.balances("tournament:gala.t1")
    chips = {account.name: cents for account, cents in balances.items() if account.kind == "wallet"}
    chips_shown = {player["player"]: player["chips"] for player in counted_view["players"]}
    assert {name: f"{cents / 100:.2f}" for name, cents in chips.items()} == chips_shown
    assert verify(server.house.ledger).findings == ()


def test_tables_are_set_up_once_at_the_start(evening: Evening) -> None:
    evening.open_night().set_up("bob", "cyd")
    evening.do("draw-seats")
    message = evening.no(TABLES)["message"]
    assert message == "gala.t1 is open. Start it first."
    before = evening.get(f"/{EVENT}{T1}")
    assert (before["dealt"], before["offers"]["lay-out"]) == (None, message)
    evening.do("announce")
    assert evening.do("start")["offers"]["lay-out"] is None
    assert "Draw seats first" in evening.no(f"{TABLES}/1/begin")["message"]
    assert "Draw seats first" in evening.no(f"{TABLES}/1/count")["message"]
    first, again = evening.must(TABLES), evening.must(TABLES)
    assert first["dealt"] == again["dealt"]
    assert "accepted" not in first
    assert first["offers"]["lay-out"] == "The tables of gala.t1 are already set up."


def test_floor_commands_act_on_the_live_tables(evening: Evening, server: Server) -> None:
    open_tables(evening, "bob", "cyd")
    begun = evening.do("begin-round", table=1)
    assert only_table(begun)["round"] == 1
    message = evening.refusal_of("count-chips", table=1, counts={"bob": "9000"})["message"]
    assert "count chips automatically" in message
    assert evening.do("count-chips", table=1, counts={})["tables"][0]["in_hand"] is False
    seats = server.house.tables["gala.t1-1"].state.seats
    gone = evening.do("eliminate", players=["cyd"])
    assert "cyd" not in seats.values() or seats != server.house.tables["gala.t1-1"].state.seats
    assert list(server.house.tables["gala.t1-1"].state.seats.values()) == ["bob"]
    evening.do("undo", of=gone["past"][0]["number"])
    assert sorted(server.house.tables["gala.t1-1"].state.seats.values()) == ["bob", "cyd"]


def test_interruption_stops_the_live_tables(
    evening: Evening, phones: Phones, server: Server
) -> None:
    """OMS-14: the hand is dead, and with two players left their chips place them."""
    open_tables(evening, "bob", "cyd")
    evening.must(f"{TABLES}/1/begin")
    phones.seat("bob")
    phones.do("bob", do="put-wager", wager="ante", amount="25")
    ended = evening.do("interrupt", why="power failure")
    assert ended["status"] == "finished"
    assert {player["player"]: player["owed"] for player in ended["players"]} == {
        "bob": "45.00",
        "cyd": "45.00",
    }
    assert server.house.tables["gala.t1-1"].state.has_live_wagers is False
    balances = server.house.ledger.balances("tournament:gala.t1")
    assert (
        sum(cents for account, cents in balances.items() if account.kind in ("wallet", "held")) == 0
    )


def test_a_multi_table_hand_waits_for_its_players(evening: Evening, phones: Phones) -> None:
    evening.open_night()
    many = SCHEDULE.replace('kind = "hourly"', 'kind = "multi-table"')
    evening.must(f"/{EVENT}/tournaments", tournament="t1", toml=many)
    for do in ({"do": "enter", "player": "bob"}, {"do": "enter", "player": "cyd"}):
        evening.must(f"/{EVENT}{T1}/commands", command=do)
    for word in ("announce", "draw-seats", "start"):
        evening.do(word)
    evening.must(TABLES)
    evening.must(f"{TABLES}/1/begin")
    for player in ("bob", "cyd"):
        phones.seat(player)
        phones.do(player, do="put-wager", wager="ante", amount="25")
    dee, body = evening.client("dealer"), {"request": "c", "command": {"do": "close-betting"}}
    evening.run(dee.post("/api/tables/gala.t1-1/commands", json=body))
    cut = evening.do("interrupt", why="power failure")
    assert (cut["status"], sorted(only_table(cut)["must_agree"])) == ("interrupted", ["bob", "cyd"])
    refusal = evening.refusal_of("rule-hand", table=1, readable=True, agreed=["bob", "cyd"])
    assert (refusal["clause"], "Table 1: waiting for" in refusal["message"]) == ("OMS-15", True)
    ended = evening.do("rule-hand", table=1, readable=False)
    assert ended["status"] == "finished"
    assert {player["owed"] for player in ended["players"]} == {"45.00"}


def test_tables_held_by_another_process_answer_421(
    evening: Evening, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_tables(evening, "bob", "cyd")
    table = server.house.tables.pop("gala.t1-1")

    async def elsewhere(_: object) -> None:
        raise HeldElsewhere("gala.t1-1")

    monkeypatch.setattr(server.house, "load", elsewhere)
    before = server.house.ledger.streams()
    begin = evening.ask(f"{TABLES}/1/begin")
    answer = evening.ask(f"/{EVENT}{T1}/commands", command={"do": "eliminate", "players": ["bob"]})
    assert (begin.status_code, answer.status_code) == (421, 421)
    assert "gala.t1-1" in answer.json()["error"]
    assert server.house.ledger.streams() == before
    table_view = only_table(evening.get(f"/{EVENT}{T1}"))
    assert (table_view["phase"], table_view["waiting"]) == ("open", [])
    server.house.tables["gala.t1-1"] = table


def test_dealing_permissions(evening: Evening) -> None:
    open_tables(evening, "bob", "cyd")
    expected_status: dict[Role, int] = {"brush": 403, "player": 403, "auditor": 403, "dealer": 200}
    for role, status in expected_status.items():
        assert evening.ask(f"{TABLES}/1/begin", role).status_code == status, role
    assert evening.ask(TABLES, "dealer").status_code == 403


def test_schedule_can_be_sent_as_fields(evening: Evening) -> None:
    evening.open_night()
    fields: Json = {
        "title": "Hourly stud",
        "kind": "hourly",
        "sheet": "oceanfront/mississippi-stud",
        "seats": 6,
        "buy_in": {"costs": "60", "fee": "15", "chips": "1000"},
        "levels": [{"minutes": 20, "limits": {"ante": {"min": "25", "max": "100"}}}],
        "prizes": [{"entrants": 2, "shares": [100]}],
    }
    path = f"/{EVENT}/tournaments"
    wrong = fields | {"levels": [{"minutes": 0}], "kind": "daily", "seat": 2}
    del wrong["title"]
    answer = evening.ask(path, tournament="t1", schedule=wrong)
    assert answer.status_code == 400
    messages = {finding["field"]: finding["message"] for finding in answer.json()["findings"]}
    assert set(messages) == {"title", "kind", "levels[0].minutes", "seat"}
    assert all(message in answer.json()["error"] for message in messages.values())
    spanish = evening.ask(f"{path}?language=es", tournament="t1", schedule=wrong).json()
    assert spanish["error"].startswith("Esta estructura de torneo tiene problemas")
    assert all(finding["message"] in spanish["error"] for finding in spanish["findings"])
    spanish = evening.ask(f"{path}?language=es", tournament="t1", toml="seats = ").json()
    assert spanish["error"].startswith("Esta estructura de torneo tiene problemas. Línea 1: ")
    assert evening.must(path, tournament="t1", schedule=fields)["buy_in"]["fee"] == "15.00"
    many: list[Json] = [{}, {"toml": SCHEDULE, "schedule": fields}]
    for body in many:
        answer = evening.ask(path, tournament="t2", **body)
        assert (answer.status_code, '"toml"' in answer.json()["error"]) == (400, True)
