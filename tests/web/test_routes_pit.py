"""The pit: open, shut, explain, report; every change with who, when, before, after and why."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest
from sqlalchemy.exc import OperationalError
from tests.web.awake import awake
from tests.web.conftest import Running, SignedIn, opened
from tests.web.live import SHEETS, Json
from tests.web.test_routes_tables import ANTE, Player
from tests.web.test_socket import table_for

from pitbook import load
from pitbook.ledger.folder import Folder
from pitbook.ledger.interval import ALWAYS
from pitbook.money import Cents
from pitbook.sheets.digest import digest
from pitbook.table import significant as significants
from pitbook.table import takings
from pitbook.table.commands import By, Envelope, PutWager, Sit
from pitbook.table.house import House
from pitbook.table.significant import significant
from pitbook.web.leases import SharedHouse
from pitbook.web.routes import pit
from pitbook.web.server import Server

STUD, OTHER = SHEETS[:2]
OPEN: Json = {"name": "stud-9", "sheet": STUD}


@asynccontextmanager
async def on_a_server(path: Path, url: str) -> AsyncIterator[House]:
    """A house whose book lies on PostgreSQL, as `pitbook serve` opens it."""
    with awake(), Folder.make(path, url) as folder:
        house = SharedHouse(folder)
        await house.open()
        try:
            yield house
        finally:
            await house.close()


@pytest.fixture(params=["sqlite", "postgresql"])
def house(request: pytest.FixtureRequest, run: Running, tmp_path: Path) -> Iterator[House]:
    """The house of every test here, once on each kind of database."""
    if request.param == "sqlite":
        context = opened(tmp_path)
    else:
        context = on_a_server(tmp_path, request.getfixturevalue("postgres"))
    made = run(context.__aenter__())
    yield made
    run(context.__aexit__(None, None, None))


def test_a_table_is_opened_on_the_rules_in_force(
    run: Running, server: Server, signed_in: SignedIn
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
        await Player(sue, "stud-9").fine({"do": "retire", "why": "opened by mistake"})
        gone = await sue.post("/api/tables", json={**OPEN, "clocks": clocks})
        assert gone.status_code == 400
        assert "already" in gone.json()["error"]
        for name in ("", "Stud", "a/b", "a b", "x" * 41, "-a"):
            no = await sue.post("/api/tables", json={**OPEN, "name": name})
            assert no.status_code in (400, 422)
        for bad in ({"kind": "practice"}, {"unit": "chips"}, {"clocks": {"betting": 0}}, {"x": 1}):
            assert (await sue.post("/api/tables", json={**OPEN, **bad})).status_code == 422
        missing = await sue.post("/api/tables", json={**OPEN, "name": "a", "sheet": "no/such"})
        assert missing.status_code == 404

    run(play())


def test_rules_are_changed_by_the_name_of_a_sheet(
    run: Running, server: Server, signed_in: SignedIn
) -> None:
    async def play() -> None:
        await table_for(server, STUD)
        sue = Player(signed_in("supervisor"), "t")
        await sue.fine({"do": "change-sheet", "sheet": OTHER})
        assert (await sue.look())["next_sheet"]["id"] == OTHER
        found = (await sue.http.get("/api/pit/events")).json()["events"]
        (changed,) = [one for one in found if one["what"] == "sheet-changed"]
        assert changed["who"] == "sue"
        assert changed["before"]["sheet"]["id"] == STUD
        assert changed["after"]["sheet"]["id"] == OTHER

    run(play())


def test_limits_are_changed_from_the_next_round_on(
    run: Running, server: Server, signed_in: SignedIn
) -> None:
    async def play() -> None:
        await table_for(server, STUD, "ann")
        ann, http = Player(signed_in("player"), "t"), signed_in("supervisor")
        await ann.fine({"do": "sit", "seat": 1})
        await ann.fine({**ANTE, "amount": "200"})
        path = "/api/pit/tables/t/limits"
        asked = {"limits": {"ante": {"max": "100", "step": "5"}}, "why": "quiet", "request": "l"}
        answer = await http.post(path, json=asked)
        assert answer.status_code == 200, answer.text
        assert answer.json()["limits"]["ante"] == {"min": "5.00", "max": "100.00", "step": "5.00"}
        assert (await http.post(path, json=asked)).json() == answer.json()
        same = await http.post(path, json={**asked, "request": "m"})
        assert same.json()["refused"]["message"] == "these rules are in force already"
        await ann.fine({**ANTE, "amount": "300"})  # The round that is open keeps its own.
        await ann.fine({"do": "close-betting"})
        await ann.fine({"do": "decide", "seat": 1, "play": "fold"})
        for amount, code in (("101", "above-maximum"), ("7", "not-a-step"), ("4", "below-minimum")):
            no = await ann.do({**ANTE, "amount": amount})
            assert no.json()["refused"]["code"] == code
        await ann.fine({**ANTE, "amount": "100"})
        found = (await http.get("/api/pit/events")).json()["events"]
        (told,) = [one for one in found if one["what"] == "limits-changed"]
        assert (told["who"], told["why"]) == ("sue", "quiet")
        was, now = told["before"], told["after"]
        assert was["limits"] == {"ante": {"min": "5.00", "max": "500.00", "step": "1.00"}}
        assert now["limits"] == {"ante": {"min": "5.00", "max": "100.00", "step": "5.00"}}
        assert (was["sheet"]["id"], was["sheet"]["hash"]) == (STUD, digest(load(STUD)))
        assert now["sheet"] == answer.json()["sheet"]
        rounds = (await ann.http.get("/api/tables/t/rounds")).json()["rounds"]
        assert rounds, "the record of both rounds stays whole"

    run(play())


def test_limits_that_make_no_sense_are_a_sentence(
    run: Running, server: Server, signed_in: SignedIn
) -> None:
    async def play() -> None:
        await table_for(server, STUD)
        sue = signed_in("supervisor")
        asked: Json = {"limits": {"ante": {"min": "600"}}, "why": "quiet", "request": "l"}
        no = await sue.post("/api/pit/tables/t/limits", json=asked)
        said = "these limits do not go together: the minimum $600 is above the maximum $500"
        assert (no.status_code, no.json()) == (400, {"error": said})
        new = await sue.post("/api/tables", json={**OPEN, "limits": asked["limits"]})
        assert (new.status_code, new.json()) == (400, {"error": said})
        assert list(server.house.tables) == ["t"]
        bodies: list[Json] = [{"limits": {}}, {"why": ""}, {"limits": {"ante": {"most": "5"}}}]
        for bad in bodies:
            answer = await sue.post("/api/pit/tables/t/limits", json={**asked, **bad})
            assert answer.status_code == 422
        assert (await sue.post("/api/pit/tables/u/limits", json=asked)).status_code == 404

    run(play())


def test_a_table_is_opened_with_limits_of_its_own(
    run: Running, server: Server, signed_in: SignedIn
) -> None:
    async def play() -> None:
        sue = signed_in("supervisor")
        asked = {**OPEN, "limits": {"three-card-bonus": {"max": "25"}}}
        made = (await sue.post("/api/tables", json=asked)).json()
        assert made["sheet"]["hash"] != digest(load(STUD))
        table = Player(sue, "stud-9")
        await table.fine({"do": "change-sheet", "sheet": STUD, "why": "the bonus is popular"})
        found = (await sue.get("/api/pit/events")).json()["events"]
        (told,) = [one for one in found if one["what"] == "limits-changed"]
        assert told["before"]["limits"]["three-card-bonus"]["max"] == "25.00"
        assert told["after"]["limits"]["three-card-bonus"]["max"] == "100.00"
        assert told["why"] == "the bonus is popular"

    run(play())


def test_a_player_who_is_shut_out_puts_no_wager_and_finishes_the_hand(
    run: Running, server: Server, signed_in: SignedIn
) -> None:
    async def play() -> None:
        await table_for(server, STUD, "ann")
        ann, sue = Player(signed_in("player"), "t"), signed_in("supervisor")
        await ann.fine({"do": "sit", "seat": 1})
        first = await ann.fine(ANTE)
        path, why = "/api/pit/players/ann", {"why": "asked to be kept out", "request": "d"}
        noted = await sue.post(f"{path}/disable", json=why)
        assert noted.status_code == 200
        assert (await sue.post(f"{path}/disable", json=why)).json() == noted.json()
        no = await ann.do({"do": "put-wager", "seat": 1, "wager": "ante", "amount": "20"})
        assert no.json()["refused"]["message"] == "the pit has disabled ann: asked to be kept out"
        again = await ann.do(ANTE, "t 2")  # What was taken before is answered as it was.
        assert again.json()["accepted"] == first
        await ann.fine({"do": "close-betting"})
        await ann.play(1)
        assert (await ann.do({"do": "rebet", "seat": 1})).status_code == 409
        dee = Player(signed_in("dealer"), "t")
        assert (await sue.get("/api/pit/shut")).json()["players"] == {"ann": why["why"]}
        await sue.post(f"{path}/enable", json={"why": "came back"})
        await ann.fine({"do": "rebet", "seat": 1})
        assert (await dee.look())["phase"] == "wagers"
        assert (await sue.post("/api/pit/players/zoe/disable", json=why)).status_code == 404
        assert (await sue.post(f"{path}/disable", json={"why": ""})).status_code == 422
        assert (await sue.post(f"{path}/disable", json={"why": "a\nb"})).status_code == 400

    run(play())


def test_a_game_that_is_shut_is_not_played(
    run: Running, server: Server, client: httpx.AsyncClient, signed_in: SignedIn
) -> None:
    async def play() -> None:
        await table_for(server, STUD, "ann")
        ann, sue = Player(signed_in("player"), "t"), signed_in("supervisor")
        path, why = f"/api/pit/sheets/{STUD}", {"why": "new rules come"}
        assert (await sue.post(f"{path}/disable", json=why)).status_code == 200
        for command in ({"do": "sit", "seat": 1}, {"do": "sit", "seat": 2}):
            no = await ann.do(command)
            assert no.json()["refused"]["message"] == f"the pit has disabled {STUD}: new rules come"
        assert (await client.post("/api/practice", json={"sheet": STUD})).status_code == 403
        assert (await sue.post("/api/tables", json=OPEN)).status_code == 409
        listed = (await client.get("/api/sheets")).json()["sheets"]
        assert {one["id"]: one["disabled"] for one in listed}[STUD] == "new rules come"
        await sue.post(f"{path}/disable", json={"why": "still to come"})
        await sue.post(f"{path}/enable", json={"why": "they are here"})
        await ann.fine({"do": "sit", "seat": 1})
        unknown = await sue.post("/api/pit/sheets/no/such/disable", json=why)
        assert unknown.status_code == 404
        found = (await sue.get("/api/pit/events")).json()["events"]
        shut = [one for one in found if one["stream"] == "pit"]
        assert [(one["what"], one["who"], one["why"]) for one in shut] == [
            ("game-disabled", "sue", "new rules come"),
            ("game-disabled", "sue", "still to come"),
            ("game-enabled", "sue", "they are here"),
        ]
        assert [(one["before"]["disabled"], one["after"]["disabled"]) for one in shut] == [
            (None, "new rules come"),
            ("new rules come", "still to come"),
            ("still to come", None),
        ]
        assert {one["after"]["game"] for one in shut} == {STUD}

    run(play())


def test_drop_and_hold_add_up(run: Running, server: Server, signed_in: SignedIn) -> None:
    async def play() -> None:
        sue = signed_in("supervisor")
        empty = (await sue.get("/api/pit/drop")).json()
        assert (empty["note"], empty["tables"], empty["reconciles"]) == ("no activity", [], True)
        await table_for(server, STUD, "ann")
        await server.house.open_table("idle", "house", unit="usd", sheet=load(STUD))
        table, ann = Player(sue, "t"), Player(signed_in("player"), "t")
        await table.fine({"do": "fill", "amount": "500"})
        await ann.fine({"do": "sit", "seat": 1})
        await ann.fine(ANTE)
        await ann.fine({"do": "undo", "seat": 1})
        await ann.fine(ANTE)
        await ann.fine({"do": "close-betting"})
        await ann.fine({"do": "decide", "seat": 1, "play": "fold"})
        await table.fine({"do": "credit", "amount": "110"})
        told = (await signed_in("auditor").get("/api/pit/drop")).json()
        idle, played = told["tables"]
        assert (idle["table"], idle["drop"], idle["hold"]) == ("idle", "0.00", None)
        assert played == {
            "table": "t",
            "unit": "usd",
            "opening": "0.00",
            "fills": "500.00",
            "credits": "110.00",
            "drop": "10.00",
            "win": "10.00",
            "closing": "400.00",
            "hold": "1",
            "hold_percent": 100.0,
            "rounds": 1,
            "reconciles": True,
            "off": "0.00",
            "note": None,
        }
        (usd,) = told["units"]
        assert (usd["drop"], usd["closing"], "table" in usd) == ("10.00", "400.00", False)
        later = (await sue.get("/api/pit/drop", params={"from": "2999-01-01"})).json()
        assert later["note"] == "no activity"
        assert [one["note"] for one in later["tables"]] == ["no activity"] * 2
        assert [one["opening"] for one in later["tables"]] == ["0.00", "400.00"]
        assert [one["closing"] for one in later["tables"]] == ["0.00", "400.00"]
        before = (await sue.get("/api/pit/drop", params={"to": "1999-01-01"})).json()
        assert before["tables"] == []
        await table.fine({"do": "retire"})
        gone = (await sue.get("/api/pit/drop", params={"from": "2999-01-01"})).json()
        assert [one["table"] for one in gone["tables"]] == ["idle"]

    run(play())


def test_significant_events_say_who_before_after_and_why(
    run: Running, server: Server, signed_in: SignedIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play() -> None:
        await table_for(server, STUD, "ann")
        sue, ann = Player(signed_in("supervisor"), "t"), Player(signed_in("player"), "t")
        await sue.fine({"do": "fill", "amount": "500", "why": "the evening begins"})
        await sue.fine({"do": "credit", "amount": "100", "why": "too many fives"})
        await sue.fine({"do": "shuffler-failed"})
        await sue.fine({"do": "shuffler-repaired", "why": "a card was stuck"})
        await ann.fine({"do": "sit", "seat": 1})
        await ann.fine(ANTE)
        await ann.fine({"do": "close-betting"})
        await sue.fine({"do": "misdeal", "reason": "two cards stuck together"})
        found = (await signed_in("auditor").get("/api/pit/events")).json()
        told = {one["what"]: one for one in found["events"] if one["stream"] == "table/t"}
        assert told["table-opened"]["after"]["sheet"]["id"] == STUD
        assert told["fill"]["before"] == {"rack": "0.00"}
        assert told["fill"]["after"] == {"rack": "500.00"}
        assert told["credit"]["before"] == {"rack": "500.00"}
        assert told["credit"]["after"] == {"rack": "400.00"}
        assert [told[one]["why"] for one in ("fill", "credit", "shuffler")] == [
            "the evening begins",
            "too many fives",
            "a card was stuck",
        ]
        assert told["shuffler"]["after"] == {"working": True}
        assert told["misdeal"]["who"] == "sue"
        assert told["misdeal"]["why"] == "two cards stuck together"
        assert told["misdeal"]["round"] == "t-000001"
        assert told["misdeal"]["before"] == {"held": "10.00"}
        assert told["misdeal"]["after"]["returned"] == "10.00"
        times = [one["at"] for one in found["events"]]
        assert times == sorted(times)
        assert not {"hash", "token", "sealed"} & {key for one in found["events"] for key in one}
        assert "$argon2" not in str(found)
        secrets = [one["after"] for one in found["events"] if one["what"] == "password-set"]
        assert secrets
        assert all(set(one) == {"name"} for one in secrets)
        monkeypatch.setattr(pit, "EVENTS_MAX", 2)
        few = (await sue.http.get("/api/pit/events")).json()
        assert few["events"] == found["events"][-2:]
        assert few["left_out"] == len(found["events"]) - 2
        none = (await sue.http.get("/api/pit/events", params={"from": "2999-01-01"})).json()
        assert (none["events"], none["note"]) == ([], "no activity")
        no = await sue.do({"do": "fill", "amount": "5", "why": ""})
        assert no.json()["error"] == "why: a reason is text"
        for params in ({"from": "soon"}, {"from": "2026-02-01", "to": "2026-01-01"}):
            no = await sue.http.get("/api/pit/events", params=params)
            assert no.status_code == 400
            assert no.json()["error"]

    run(play())


def test_a_hand_is_void_for_a_reason_and_is_no_drop(
    run: Running, server: Server, signed_in: SignedIn
) -> None:
    async def play() -> None:
        await table_for(server, STUD, "ann")
        sue, ann = Player(signed_in("supervisor"), "t"), Player(signed_in("player"), "t")
        await ann.fine({"do": "sit", "seat": 1})
        for reason in ("supervisor", "information"):
            await ann.fine(ANTE)
            await ann.fine({"do": "close-betting"})
            void = {"do": "void-hand", "seat": 1, "reason": reason}
            if reason == "information":
                no = await sue.do(void)
                assert "say whether seat 1 gave the information or took it" in no.text
                void["part"] = "gave"
            await sue.fine({**void, "why": f"{reason}: as seen by camera 4"})
        found = (await sue.http.get("/api/pit/events")).json()["events"]
        returned, taken = (one for one in found if one["what"] == "void-hand")
        assert (returned["before"], returned["round"]) == ({"held": "10.00"}, "t-000001")
        assert returned["after"] == {"seat": 1, "reason": "supervisor", "returned": "10.00"}
        assert taken["after"] == {
            "seat": 1,
            "reason": "information",
            "part": "gave",
            "taken": "10.00",
        }
        assert taken["why"] == "information: as seen by camera 4"
        (played,) = (await sue.http.get("/api/pit/drop")).json()["tables"]
        assert (played["drop"], played["win"], played["rounds"]) == ("10.00", "10.00", 2)
        assert played["reconciles"]

    run(play())


def test_interruptions_wait_and_are_shown(
    run: Running, server: Server, signed_in: SignedIn
) -> None:
    async def play() -> None:
        await table_for(server, OTHER, "ann")
        sue, ann = Player(signed_in("supervisor"), "t"), Player(signed_in("player"), "t")
        assert (await sue.http.get("/api/pit/interruptions")).json() == {"interruptions": []}
        await ann.fine({"do": "sit", "seat": 1})
        await ann.fine({**ANTE, "amount": "2"})
        await ann.fine({"do": "close-betting"})
        await sue.fine({"do": "interrupt", "why": "fire alarm"})
        (one,) = (await sue.http.get("/api/pit/interruptions")).json()["interruptions"]
        assert (one["table"], one["round"], one["why"]) == ("t", "t-000001", "fire alarm")
        assert (one["answers"], one["held"], one["clause"]) == ({"ann": None}, "2.00", "OMS-16")
        assert one["until"]
        await ann.fine({"do": "agree", "seat": 1, "finish": True})
        assert (await sue.http.get("/api/pit/interruptions")).json() == {"interruptions": []}

    run(play())


def test_a_payout_is_explained(run: Running, server: Server, signed_in: SignedIn) -> None:
    async def play() -> None:
        await table_for(server, STUD, "ann")
        ann, abe = Player(signed_in("player"), "t"), signed_in("auditor")
        await ann.fine({"do": "sit", "seat": 1})
        await ann.fine(ANTE)
        await ann.fine({"do": "close-betting"})
        await ann.play(1)
        found = (await abe.get("/api/pit/explain/t-000001/1")).json()
        assert found["player"] == "ann"
        assert found["lines"][0]["clause"] == "CMS-9"
        assert found["differs"] == []
        assert found["balance"]["after"] == (await ann.look())["wallet"]
        for path in ("t-000002/1", "t-000001/2", "x/1", "u-000001/1"):
            no = await abe.get(f"/api/pit/explain/{path}")
            assert no.status_code == 404
            assert no.json()["error"]

    run(play())


def test_what_a_person_typed_wrongly_and_every_switch_is_on_record(
    run: Running, server: Server, signed_in: SignedIn
) -> None:
    async def play() -> None:
        await table_for(server, OTHER, "ann")
        sue = signed_in("supervisor")
        typed = {"name": "typed", "kind": "typed", "sheet": STUD}
        assert (await sue.post("/api/tables", json=typed)).status_code == 201
        by_hand = Player(sue, "typed")
        await by_hand.fine({"do": "sit", "seat": 1, "player": "ann"})
        await by_hand.fine(ANTE)
        await by_hand.fine({"do": "close-betting"})
        await by_hand.fine({"do": "type-card", "place": 1, "card": "As"})
        right = {"place": 1, "number": 1, "card": "Ad"}
        await by_hand.fine({"do": "correct-card", **right, "why": "misread"})
        dealt, ann = Player(sue, "t"), Player(signed_in("player"), "t")
        await dealt.fine({"do": "coach", "on": True})
        await ann.fine({"do": "sit", "seat": 1})
        await ann.fine({**ANTE, "amount": "2"})
        await ann.fine({"do": "close-betting"})
        await dealt.fine({"do": "interrupt", "why": "fire alarm"})
        await dealt.fine({"do": "unreadable"})
        await dealt.fine({"do": "retire"})
        found = (await sue.get("/api/pit/events")).json()["events"]
        told = {(one["stream"], one["what"]): one for one in found}
        wrong = told["table/typed", "corrected"]
        assert wrong["before"] == {"place": 1, "number": 1, "card": "As"}
        assert wrong["after"] == {"place": 1, "number": 1, "card": "Ad"}
        assert (wrong["why"], wrong["round"]) == ("misread", "typed-000001")
        coach = told["table/t", "coach"]
        assert (coach["before"], coach["after"]) == ({"on": False}, {"on": True})
        stopped = told["table/t", "interrupted"]
        assert (stopped["after"], stopped["why"]) == ({"asked": ["ann"]}, "fire alarm")
        assert told["table/t", "retired"]["after"] == {"rack": "0.00"}
        assert ("table/t", "taken-over") not in told

    run(play())


def test_a_take_over_and_what_it_resumed_are_on_record(run: Running, tmp_path: Path) -> None:
    async def play() -> None:
        async with opened(tmp_path) as house:
            await house.cage.buy_in("ann", Cents(1_000), actor="kim")
            table = await house.open_table("t", "house", unit="usd", sheet=load(STUD))
            for command in (Sit(1), PutWager(1, "ante", Cents(500))):
                await table.send(Envelope(By("ann", "player"), command))
        async with opened(tmp_path) as house:
            found = significant(house.ledger, ALWAYS)
        told = {one.what: one for one in found if one.stream == "table/t"}
        assert told["taken-over"].before == {"epoch": 1}
        assert told["taken-over"].after == {"epoch": 2}
        assert told["resumed"].why == "the table was stopped"

    run(play())


def test_a_book_that_cannot_be_read_is_a_sentence(
    run: Running, server: Server, signed_in: SignedIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_: object) -> None:
        raise OperationalError("SELECT", {}, Exception("disk I/O error"))

    for module in (takings, significants):
        monkeypatch.setattr(module, "reading", broken)
    for path in ("drop", "events"):
        answer = run(signed_in("auditor").get(f"/api/pit/{path}"))
        assert answer.json() == {"error": "the book cannot be read: disk I/O error"}
        assert (answer.status_code, answer.headers["retry-after"]) == (503, "5")
