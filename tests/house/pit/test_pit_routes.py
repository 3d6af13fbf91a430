"""The pit over HTTP: tables opened, rules and limits changed, players and games disabled."""

from __future__ import annotations

import asyncio

import httpx
import pytest
from tests.house.pit.pit_houses import OPEN, OTHER, STUD, on_either  # noqa: F401  A fixture too.
from tests.house.web.conftest import LoopRunner, SignedIn
from tests.house.web.live_server import Json
from tests.house.web.seated_players import table_for
from tests.house.web.test_routes_tables import ANTE, Player

from pitbook import load
from pitbook.house.ledger.accounts import Account
from pitbook.house.web.server import Server
from pitbook.sheets.hashes import digest


@pytest.mark.long
def test_table_opens_with_the_current_rules(
    run: LoopRunner, server: Server, signed_in: SignedIn
) -> None:
    async def play() -> None:
        sue = signed_in("supervisor")
        clocks = {"betting": 20, "decision": None, "agree": 60}
        answer = await sue.post("/api/tables", json={**OPEN, "clocks": clocks})
        assert answer.status_code == 201
        assert answer.json()["sheet"]["hash"] == digest(load(STUD))
        assert server.house.tables["stud-9"].state.clocks == clocks
        again = await sue.post("/api/tables", json={**OPEN, "clocks": clocks})
        assert (again.status_code, again.json()) == (201, answer.json()), "the answer may be lost"
        assert "already" in (await sue.post("/api/tables", json=OPEN)).json()["error"]
        await Player(sue, "stud-9").accept({"do": "retire", "why": "opened by mistake"})
        gone = await sue.post("/api/tables", json={**OPEN, "clocks": clocks})
        assert gone.status_code == 400
        assert "already" in gone.json()["error"]
        for name in ("", "Stud", "a/b", "a b", "x" * 41, "-a"):
            refusal = await sue.post("/api/tables", json={**OPEN, "name": name})
            assert refusal.status_code in (400, 422)
        for bad in ({"kind": "practice"}, {"unit": "chips"}, {"clocks": {"betting": 0}}, {"x": 1}):
            assert (await sue.post("/api/tables", json={**OPEN, **bad})).status_code == 422
        missing = await sue.post("/api/tables", json={**OPEN, "name": "a", "sheet": "no/such"})
        assert missing.status_code == 404

    run(play())


def test_repeated_opening_makes_one_table_with_one_rack(
    run: LoopRunner, server: Server, signed_in: SignedIn
) -> None:
    async def play() -> None:
        sue = signed_in("supervisor")
        wanted = {**OPEN, "rack": "500"}
        presses = (sue.post("/api/tables", json=wanted) for _ in range(5))
        answers = await asyncio.gather(*presses)
        assert [entry.status_code for entry in answers] == [201] * 5, [
            entry.text for entry in answers
        ]
        assert len({entry.text for entry in answers}) == 1
        rack = Account("usd", "rack", OPEN["name"])
        assert server.house.ledger.balance(rack) == 50_000
        other = await sue.post("/api/tables", json={**OPEN, "rack": "600"})
        assert other.status_code == 400
        assert other.json()["key"] == "table.live.name-taken"
        assert server.house.ledger.balance(rack) == 50_000

    run(play())


@pytest.mark.parametrize("rack", ["", "\f", "a lot", "5,0", "-5", "0.001"])
def test_invalid_rack_opens_no_table(
    rack: str, run: LoopRunner, server: Server, signed_in: SignedIn
) -> None:
    async def play() -> None:
        sue = signed_in("supervisor")
        refusal = await sue.post("/api/tables", json={**OPEN, "rack": rack})
        assert refusal.status_code == 400
        assert refusal.json()["key"].startswith("money.")
        assert (await sue.get("/api/tables")).json()["tables"] == []
        assert list(server.house.ledger.entries(f"table/{OPEN['name']}")) == []

    run(play())


@pytest.mark.long
def test_rules_are_changed_by_sheet_id(
    run: LoopRunner, server: Server, signed_in: SignedIn
) -> None:
    async def play() -> None:
        await table_for(server, STUD)
        sue = Player(signed_in("supervisor"), "t")
        await sue.accept({"do": "change-sheet", "sheet": OTHER})
        assert (await sue.look())["next_sheet"]["id"] == OTHER
        events = (await sue.http.get("/api/pit/events")).json()["events"]
        (changed,) = [entry for entry in events if entry["what"] == "sheet-changed"]
        assert changed["who"] == "sue"
        assert changed["before"]["sheet"]["id"] == STUD
        assert changed["after"]["sheet"]["id"] == OTHER

    run(play())


@pytest.mark.long
def test_limits_change_from_the_next_round(
    run: LoopRunner, server: Server, signed_in: SignedIn
) -> None:
    async def play() -> None:
        await table_for(server, STUD, "ann")
        ann, http = Player(signed_in("player"), "t"), signed_in("supervisor")
        await ann.accept({"do": "sit", "seat": 1})
        await ann.accept({**ANTE, "amount": "200"})
        path = "/api/pit/tables/t/limits"
        body = {"limits": {"ante": {"max": "100", "step": "5"}}, "why": "quiet", "request": "l"}
        answer = await http.post(path, json=body)
        assert answer.status_code == 200, answer.text
        assert answer.json()["limits"]["ante"] == {"min": "5.00", "max": "100.00", "step": "5.00"}
        assert (await http.post(path, json=body)).json() == answer.json()
        same = await http.post(path, json={**body, "request": "m"})
        assert same.json()["refused"]["message"] == "The table already uses these rules."
        await ann.accept({**ANTE, "amount": "300"})  # The open round keeps its limits.
        await ann.accept({"do": "close-betting"})
        await ann.accept({"do": "decide", "seat": 1, "play": "fold"})
        for amount, code in (("101", "above-maximum"), ("7", "not-a-step"), ("4", "below-minimum")):
            refusal = await ann.do({**ANTE, "amount": amount})
            assert refusal.json()["refused"]["code"] == code
        await ann.accept({**ANTE, "amount": "100"})
        events = (await http.get("/api/pit/events")).json()["events"]
        (event,) = [entry for entry in events if entry["what"] == "limits-changed"]
        assert (event["who"], event["why"]) == ("sue", "quiet")
        before, now = event["before"], event["after"]
        assert before["limits"] == {"ante": {"min": "5.00", "max": "500.00", "step": "1.00"}}
        assert now["limits"] == {"ante": {"min": "5.00", "max": "100.00", "step": "5.00"}}
        assert (before["sheet"]["id"], before["sheet"]["hash"]) == (STUD, digest(load(STUD)))
        assert now["sheet"] == answer.json()["sheet"]
        rounds = (await ann.http.get("/api/tables/t/rounds")).json()["rounds"]
        assert rounds, "the record of both rounds stays whole"

    run(play())


@pytest.mark.long
def test_invalid_limits_are_refused(run: LoopRunner, server: Server, signed_in: SignedIn) -> None:
    async def play() -> None:
        await table_for(server, STUD)
        sue = signed_in("supervisor")
        body: Json = {"limits": {"ante": {"min": "600"}}, "why": "quiet", "request": "l"}
        refusal = await sue.post("/api/pit/tables/t/limits", json=body)
        message = "These limits conflict: The minimum $600 is above the maximum $500."
        assert (refusal.status_code, refusal.json()["error"]) == (400, message)
        new = await sue.post("/api/tables", json={**OPEN, "limits": body["limits"]})
        assert (new.status_code, new.json()["error"]) == (400, message)
        assert list(server.house.tables) == ["t"]
        bodies: list[Json] = [{"limits": {}}, {"why": ""}, {"limits": {"ante": {"most": "5"}}}]
        for bad in bodies:
            answer = await sue.post("/api/pit/tables/t/limits", json={**body, **bad})
            assert answer.status_code == 422
        assert (await sue.post("/api/pit/tables/u/limits", json=body)).status_code == 404

    run(play())


@pytest.mark.long
def test_minimum_and_payout_cap_are_raised_together(
    run: LoopRunner, server: Server, signed_in: SignedIn
) -> None:
    async def play() -> None:
        await table_for(server, STUD)
        sue = signed_in("supervisor")
        (table,) = (await sue.get("/api/pit/floor")).json()["tables"]
        assert table["caps"] == [{"per": "round", "pays_max": "25000.00"}]
        path = "/api/pit/tables/t/limits"
        change: Json = {"limits": {"ante": {"min": "10"}}, "why": "busy", "request": "1"}
        refusal = await sue.post(path, json=change)
        assert refusal.status_code == 400
        assert "(pays_max) is too low for these limits" in refusal.json()["error"]
        assert "Raise it, or lower the minimum bet" in refusal.json()["error"]
        change = {**change, "pays_max": ["50000"], "request": "2"}
        answer = await sue.post(path, json=change)
        assert answer.status_code == 200, answer.text
        assert answer.json()["caps"] == [{"per": "round", "pays_max": "50000.00"}]
        (table,) = (await sue.get("/api/pit/floor")).json()["tables"]
        assert (table["limits"]["ante"]["min"], table["caps"]) == ("10.00", answer.json()["caps"])
        events = (await sue.get("/api/pit/events")).json()["events"]
        (event,) = [entry for entry in events if entry["what"] == "limits-changed"]
        assert event["before"]["caps"] == [{"per": "round", "pays_max": "25000.00"}]
        assert event["after"]["caps"] == answer.json()["caps"]
        body = {**OPEN, "limits": change["limits"], "pays_max": ["50000"]}
        assert (await sue.post("/api/tables", json=body)).status_code == 201

    run(play())


@pytest.mark.long
def test_table_opens_with_its_own_limits(
    run: LoopRunner, server: Server, signed_in: SignedIn
) -> None:
    async def play() -> None:
        sue = signed_in("supervisor")
        body = {**OPEN, "limits": {"three-card-bonus": {"max": "25"}}}
        opened_table = (await sue.post("/api/tables", json=body)).json()
        assert opened_table["sheet"]["hash"] != digest(load(STUD))
        table = Player(sue, "stud-9")
        await table.accept({"do": "change-sheet", "sheet": STUD, "why": "the bonus is popular"})
        events = (await sue.get("/api/pit/events")).json()["events"]
        (event,) = [entry for entry in events if entry["what"] == "limits-changed"]
        assert event["before"]["limits"]["three-card-bonus"]["max"] == "25.00"
        assert event["after"]["limits"]["three-card-bonus"]["max"] == "100.00"
        assert event["why"] == "the bonus is popular"

    run(play())


@pytest.mark.long
def test_disabled_player_places_no_wager_and_finishes_the_hand(
    run: LoopRunner, server: Server, signed_in: SignedIn
) -> None:
    async def play() -> None:
        await table_for(server, STUD, "ann")
        ann, sue = Player(signed_in("player"), "t"), signed_in("supervisor")
        await ann.accept({"do": "sit", "seat": 1})
        first = await ann.accept(ANTE)
        path, why = "/api/pit/players/ann", {"why": "asked to be kept out", "request": "d"}
        noted = await sue.post(f"{path}/disable", json=why)
        assert noted.status_code == 200
        assert (await sue.post(f"{path}/disable", json=why)).json() == noted.json()
        refusal = await ann.do({"do": "put-wager", "seat": 1, "wager": "ante", "amount": "20"})
        message = "ann is suspended: asked to be kept out. Ask a supervisor."
        assert refusal.json()["refused"]["message"] == message
        again = await ann.do(ANTE, "t 2")  # An accepted request gets its earlier answer.
        assert again.json()["accepted"] == first
        await ann.accept({"do": "close-betting"})
        await ann.play(1)
        assert (await ann.do({"do": "rebet", "seat": 1})).status_code == 409
        dee = Player(signed_in("dealer"), "t")
        assert (await sue.get("/api/pit/shut")).json()["players"] == {"ann": why["why"]}
        await sue.post(f"{path}/enable", json={"why": "came back"})
        await ann.accept({"do": "rebet", "seat": 1})
        assert (await dee.look())["phase"] == "wagers"
        assert (await sue.post("/api/pit/players/zoe/disable", json=why)).status_code == 404
        assert (await sue.post(f"{path}/disable", json={"why": ""})).status_code == 422
        assert (await sue.post(f"{path}/disable", json={"why": "a\nb"})).status_code == 400

    run(play())


@pytest.mark.long
def test_disabled_game_is_not_played(
    run: LoopRunner, server: Server, client: httpx.AsyncClient, signed_in: SignedIn
) -> None:
    async def play() -> None:
        await table_for(server, STUD, "ann")
        ann, sue = Player(signed_in("player"), "t"), signed_in("supervisor")
        path, why = f"/api/pit/sheets/{STUD}", {"why": "new rules come"}
        assert (await sue.post(f"{path}/disable", json=why)).status_code == 200
        for command in ({"do": "sit", "seat": 1}, {"do": "sit", "seat": 2}):
            refusal = await ann.do(command)
            message = "new rules come. Choose another game, or ask a supervisor."
            assert refusal.json()["refused"]["message"] == f"{STUD} is suspended: {message}"
        assert (await client.post("/api/practice", json={"sheet": STUD})).status_code == 403
        assert (await sue.post("/api/tables", json=OPEN)).status_code == 409
        listed = (await client.get("/api/sheets")).json()["sheets"]
        assert {entry["id"]: entry["disabled"] for entry in listed}[STUD] == "new rules come"
        await sue.post(f"{path}/disable", json={"why": "still to come"})
        await sue.post(f"{path}/enable", json={"why": "they are here"})
        await ann.accept({"do": "sit", "seat": 1})
        unknown = await sue.post("/api/pit/sheets/no/such/disable", json=why)
        assert unknown.status_code == 404
        events = (await sue.get("/api/pit/events")).json()["events"]
        shut = [entry for entry in events if entry["stream"] == "pit"]
        assert [(entry["what"], entry["who"], entry["why"]) for entry in shut] == [
            ("game-disabled", "sue", "new rules come"),
            ("game-disabled", "sue", "still to come"),
            ("game-enabled", "sue", "they are here"),
        ]
        assert [(entry["before"]["disabled"], entry["after"]["disabled"]) for entry in shut] == [
            (None, "new rules come"),
            ("new rules come", "still to come"),
            ("still to come", None),
        ]
        assert {entry["after"]["game"] for entry in shut} == {STUD}

    run(play())
