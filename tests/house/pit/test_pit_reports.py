"""What the pit is told: drop, events, interruptions, and who, before, after and why."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy.exc import OperationalError
from tests.house.pit.pit_houses import OTHER, STUD, on_either  # noqa: F401  A fixture too.
from tests.house.web.conftest import Running, SignedIn, opened
from tests.house.web.sat_down import table_for
from tests.house.web.test_routes_tables import ANTE, Player

from pitbook import changed, load
from pitbook.house.inspect.significant_events import significant
from pitbook.house.ledger import queries
from pitbook.house.ledger.queries import ALWAYS
from pitbook.house.pit import routes as pit
from pitbook.house.table.commands import By, Envelope, PutWager, Sit
from pitbook.house.web.server import Server
from pitbook.money import Cents
from pitbook.text import in_language


@pytest.mark.long
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
            "drop": "0.00",
            "handle": "10.00",
            "win": "10.00",
            "closing": "400.00",
            "hold": None,
            "hold_percent": None,
            "kept_percent": 100.0,
            "rounds": 1,
            "hands_an_hour": None,
            "reconciles": True,
            "off": "0.00",
            "note": None,
        }
        (usd,) = told["units"]
        assert (usd["handle"], usd["closing"], "table" in usd) == ("10.00", "400.00", False)
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


@pytest.mark.long
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


def test_euros_and_dollars_are_summed_apart_also_when_their_tables_are_closed(
    run: Running, server: Server, signed_in: SignedIn
) -> None:
    async def play() -> None:
        sue, rules = signed_in("supervisor"), load(STUD)
        abroad = changed(rules, {"house.currency": "EUR"})
        for name, sheet, amount in (("d", rules, "500"), ("e", abroad, "70"), ("f", abroad, "30")):
            await server.house.open_table(name, "house", actor="sue", unit="usd", sheet=sheet)
            table = Player(sue, name)
            await table.fine({"do": "fill", "amount": amount})
            if name != "f":
                await table.fine({"do": "retire"})
        for path in ("/api/pit/floor", "/api/pit/drop"):
            units = (await sue.get(path)).json()["units"]
            told = [(one["unit"], one.get("currency"), one["fills"]) for one in units]
            assert told == [("usd", None, "500.00"), ("usd", "EUR", "100.00")], path
        for path in ("/api/pit/events", "/api/inspect/exceptions", "/api/counter/boxes"):
            found = (await sue.get(path)).json()
            assert found["currencies"] == {"e": "EUR", "f": "EUR"}, path

    run(play())


@pytest.mark.long
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
            void = {"do": "void-hand", "seat": 1, "reason": reason, "why": "first"}
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
        assert (played["handle"], played["win"], played["rounds"]) == ("10.00", "10.00", 2)
        assert played["reconciles"]

    run(play())


@pytest.mark.long
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
        assert "currency" not in one
        await ann.fine({"do": "agree", "seat": 1, "finish": True})
        assert (await sue.http.get("/api/pit/interruptions")).json() == {"interruptions": []}

    run(play())


@pytest.mark.long
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


@pytest.mark.long
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
        await dealt.fine({"do": "unreadable", "why": "the deck fell"})
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
        assert in_language(told["resumed"].why, "es") == "la mesa se detuvo"

    run(play())


@pytest.mark.long
def test_a_book_that_cannot_be_read_is_a_sentence(
    run: Running, server: Server, signed_in: SignedIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_: object) -> None:
        raise OperationalError("SELECT", {}, Exception("disk I/O error"))

    monkeypatch.setattr(queries, "reading", broken)
    for path in ("drop", "events"):
        answer = run(signed_in("auditor").get(f"/api/pit/{path}"))
        assert answer.json()["error"] == "the book cannot be read: disk I/O error"
        assert (answer.status_code, answer.headers["retry-after"]) == (503, "5")
