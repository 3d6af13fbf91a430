"""Reports for the pit: drop, events, interruptions and explanations."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy.exc import OperationalError
from tests.house.pit.pit_houses import OTHER, STUD, on_either  # noqa: F401  A fixture too.
from tests.house.web.conftest import LoopRunner, SignedIn, open_house
from tests.house.web.seated_players import table_for
from tests.house.web.test_routes_tables import ANTE, Player

from pitbook import changed, load
from pitbook.house.inspect.significant_events import find_significant_events
from pitbook.house.ledger import queries
from pitbook.house.ledger.queries import ALL_TIME
from pitbook.house.pit import routes as pit
from pitbook.house.table.commands import By, Envelope, PutWager, Sit
from pitbook.house.web.server import Server
from pitbook.money import Cents
from pitbook.text import in_language


@pytest.mark.long
def test_drop_and_hold_add_up(run: LoopRunner, server: Server, signed_in: SignedIn) -> None:
    async def play() -> None:
        sue = signed_in("supervisor")
        empty = (await sue.get("/api/pit/drop")).json()
        assert (empty["note"], empty["tables"], empty["reconciles"]) == ("no activity", [], True)
        await table_for(server, STUD, "ann")
        await server.house.open_table("idle", "house", unit="usd", sheet=load(STUD))
        table, ann = Player(sue, "t"), Player(signed_in("player"), "t")
        await table.accept({"do": "fill", "amount": "500"})
        await ann.accept({"do": "sit", "seat": 1})
        await ann.accept(ANTE)
        await ann.accept({"do": "undo", "seat": 1})
        await ann.accept(ANTE)
        await ann.accept({"do": "close-betting"})
        await ann.accept({"do": "decide", "seat": 1, "play": "fold"})
        await table.accept({"do": "credit", "amount": "110"})
        drop_report = (await signed_in("auditor").get("/api/pit/drop")).json()
        idle, played = drop_report["tables"]
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
        (usd,) = drop_report["units"]
        assert (usd["handle"], usd["closing"], "table" in usd) == ("10.00", "400.00", False)
        later = (await sue.get("/api/pit/drop", params={"from": "2999-01-01"})).json()
        assert later["note"] == "no activity"
        assert [table_result["note"] for table_result in later["tables"]] == ["no activity"] * 2
        assert [table_result["opening"] for table_result in later["tables"]] == ["0.00", "400.00"]
        assert [table_result["closing"] for table_result in later["tables"]] == ["0.00", "400.00"]
        before = (await sue.get("/api/pit/drop", params={"to": "1999-01-01"})).json()
        assert before["tables"] == []
        await table.accept({"do": "retire"})
        gone = (await sue.get("/api/pit/drop", params={"from": "2999-01-01"})).json()
        assert [table_result["table"] for table_result in gone["tables"]] == ["idle"]

    run(play())


@pytest.mark.long
def test_significant_events_say_who_before_after_and_why(
    run: LoopRunner, server: Server, signed_in: SignedIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play() -> None:
        await table_for(server, STUD, "ann")
        sue, ann = Player(signed_in("supervisor"), "t"), Player(signed_in("player"), "t")
        await sue.accept({"do": "fill", "amount": "500", "why": "the evening begins"})
        await sue.accept({"do": "credit", "amount": "100", "why": "too many fives"})
        await sue.accept({"do": "shuffler-failed"})
        await sue.accept({"do": "shuffler-repaired", "why": "a card was stuck"})
        await ann.accept({"do": "sit", "seat": 1})
        await ann.accept(ANTE)
        await ann.accept({"do": "close-betting"})
        await sue.accept({"do": "misdeal", "reason": "two cards stuck together"})
        events_report = (await signed_in("auditor").get("/api/pit/events")).json()
        events_by_kind = {
            event["what"]: event
            for event in events_report["events"]
            if event["stream"] == "table/t"
        }
        assert events_by_kind["table-opened"]["after"]["sheet"]["id"] == STUD
        assert events_by_kind["fill"]["before"] == {"rack": "0.00"}
        assert events_by_kind["fill"]["after"] == {"rack": "500.00"}
        assert events_by_kind["credit"]["before"] == {"rack": "500.00"}
        assert events_by_kind["credit"]["after"] == {"rack": "400.00"}
        assert [events_by_kind[kind]["why"] for kind in ("fill", "credit", "shuffler")] == [
            "the evening begins",
            "too many fives",
            "a card was stuck",
        ]
        assert events_by_kind["shuffler"]["after"] == {"working": True}
        assert events_by_kind["misdeal"]["who"] == "sue"
        assert events_by_kind["misdeal"]["why"] == "two cards stuck together"
        assert events_by_kind["misdeal"]["round"] == "t-000001"
        assert events_by_kind["misdeal"]["before"] == {"held": "10.00"}
        assert events_by_kind["misdeal"]["after"]["returned"] == "10.00"
        times = [event["at"] for event in events_report["events"]]
        assert times == sorted(times)
        assert not {"hash", "token", "sealed"} & {
            key for event in events_report["events"] for key in event
        }
        assert "$argon2" not in str(events_report)
        secrets = [
            event["after"] for event in events_report["events"] if event["what"] == "password-set"
        ]
        assert secrets
        assert all(set(fields) == {"name"} for fields in secrets)
        monkeypatch.setattr(pit, "EVENTS_MAX", 2)
        few = (await sue.http.get("/api/pit/events")).json()
        assert few["events"] == events_report["events"][-2:]
        assert few["left_out"] == len(events_report["events"]) - 2
        none = (await sue.http.get("/api/pit/events", params={"from": "2999-01-01"})).json()
        assert (none["events"], none["note"]) == ([], "no activity")
        no = await sue.do({"do": "fill", "amount": "5", "why": ""})
        assert no.json()["error"] == "why: A reason must be text."
        for params in ({"from": "soon"}, {"from": "2026-02-01", "to": "2026-01-01"}):
            no = await sue.http.get("/api/pit/events", params=params)
            assert no.status_code == 400
            assert no.json()["error"]

    run(play())


def test_euros_and_dollars_have_separate_totals(
    run: LoopRunner, server: Server, signed_in: SignedIn
) -> None:
    async def play() -> None:
        sue, rules = signed_in("supervisor"), load(STUD)
        abroad = changed(rules, {"house.currency": "EUR"})
        for name, sheet, amount in (("d", rules, "500"), ("e", abroad, "70"), ("f", abroad, "30")):
            await server.house.open_table(name, "house", actor="sue", unit="usd", sheet=sheet)
            table = Player(sue, name)
            await table.accept({"do": "fill", "amount": amount})
            if name != "f":
                await table.accept({"do": "retire"})
        for path in ("/api/pit/floor", "/api/pit/drop"):
            units = (await sue.get(path)).json()["units"]
            unit_rows = [(unit["unit"], unit.get("currency"), unit["fills"]) for unit in units]
            assert unit_rows == [("usd", None, "500.00"), ("usd", "EUR", "100.00")], path
        for path in ("/api/pit/events", "/api/inspect/exceptions", "/api/counter/boxes"):
            report = (await sue.get(path)).json()
            assert report["currencies"] == {"e": "EUR", "f": "EUR"}, path

    run(play())


@pytest.mark.long
def test_void_hand_has_a_reason_and_no_handle(
    run: LoopRunner, server: Server, signed_in: SignedIn
) -> None:
    async def play() -> None:
        await table_for(server, STUD, "ann")
        sue, ann = Player(signed_in("supervisor"), "t"), Player(signed_in("player"), "t")
        await ann.accept({"do": "sit", "seat": 1})
        for reason in ("supervisor", "information"):
            await ann.accept(ANTE)
            await ann.accept({"do": "close-betting"})
            void = {"do": "void-hand", "seat": 1, "reason": reason, "why": "first"}
            if reason == "information":
                no = await sue.do(void)
                assert (
                    '{"refused":{"code":"unknown-reason","message":"Say whether seat 1 gave the '
                    "information or received it" in no.text
                )
                void["part"] = "gave"
            await sue.accept({**void, "why": f"{reason}: as seen by camera 4"})
        events = (await sue.http.get("/api/pit/events")).json()["events"]
        returned, taken = (event for event in events if event["what"] == "void-hand")
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
def test_interrupted_hands_are_listed(run: LoopRunner, server: Server, signed_in: SignedIn) -> None:
    async def play() -> None:
        await table_for(server, OTHER, "ann")
        sue, ann = Player(signed_in("supervisor"), "t"), Player(signed_in("player"), "t")
        assert (await sue.http.get("/api/pit/interruptions")).json() == {"interruptions": []}
        await ann.accept({"do": "sit", "seat": 1})
        await ann.accept({**ANTE, "amount": "2"})
        await ann.accept({"do": "close-betting"})
        await sue.accept({"do": "interrupt", "why": "fire alarm"})
        (interruption,) = (await sue.http.get("/api/pit/interruptions")).json()["interruptions"]
        assert (interruption["table"], interruption["round"], interruption["why"]) == (
            "t",
            "t-000001",
            "fire alarm",
        )
        assert (interruption["answers"], interruption["held"], interruption["clause"]) == (
            {"ann": None},
            "2.00",
            "OMS-16",
        )
        assert interruption["until"]
        assert "currency" not in interruption
        await ann.accept({"do": "agree", "seat": 1, "finish": True})
        assert (await sue.http.get("/api/pit/interruptions")).json() == {"interruptions": []}

    run(play())


@pytest.mark.long
def test_a_payout_is_explained(run: LoopRunner, server: Server, signed_in: SignedIn) -> None:
    async def play() -> None:
        await table_for(server, STUD, "ann")
        ann, abe = Player(signed_in("player"), "t"), signed_in("auditor")
        await ann.accept({"do": "sit", "seat": 1})
        await ann.accept(ANTE)
        await ann.accept({"do": "close-betting"})
        await ann.play(1)
        explanation = (await abe.get("/api/pit/explain/t-000001/1")).json()
        assert explanation["player"] == "ann"
        assert explanation["lines"][0]["clause"] == "CMS-9"
        assert explanation["differs"] == []
        assert explanation["balance"]["after"] == (await ann.look())["wallet"]
        for path in ("t-000002/1", "t-000001/2", "x/1", "u-000001/1"):
            no = await abe.get(f"/api/pit/explain/{path}")
            assert no.status_code == 404
            assert no.json()["error"]

    run(play())


@pytest.mark.long
def test_corrections_and_switches_are_significant_events(
    run: LoopRunner, server: Server, signed_in: SignedIn
) -> None:
    async def play() -> None:
        await table_for(server, OTHER, "ann")
        sue = signed_in("supervisor")
        typed = {"name": "typed", "kind": "typed", "sheet": STUD}
        assert (await sue.post("/api/tables", json=typed)).status_code == 201
        by_hand = Player(sue, "typed")
        await by_hand.accept({"do": "sit", "seat": 1, "player": "ann"})
        await by_hand.accept(ANTE)
        await by_hand.accept({"do": "close-betting"})
        await by_hand.accept({"do": "type-card", "place": 1, "card": "As"})
        right = {"place": 1, "number": 1, "card": "Ad"}
        await by_hand.accept({"do": "correct-card", **right, "why": "misread"})
        dealt, ann = Player(sue, "t"), Player(signed_in("player"), "t")
        await dealt.accept({"do": "coach", "on": True})
        await ann.accept({"do": "sit", "seat": 1})
        await ann.accept({**ANTE, "amount": "2"})
        await ann.accept({"do": "close-betting"})
        await dealt.accept({"do": "interrupt", "why": "fire alarm"})
        await dealt.accept({"do": "unreadable", "why": "the deck fell"})
        await dealt.accept({"do": "retire"})
        events = (await sue.get("/api/pit/events")).json()["events"]
        events_by_key = {(event["stream"], event["what"]): event for event in events}
        wrong = events_by_key["table/typed", "corrected"]
        assert wrong["before"] == {"place": 1, "number": 1, "card": "As"}
        assert wrong["after"] == {"place": 1, "number": 1, "card": "Ad"}
        assert (wrong["why"], wrong["round"]) == ("misread", "typed-000001")
        coach = events_by_key["table/t", "coach"]
        assert (coach["before"], coach["after"]) == ({"on": False}, {"on": True})
        stopped = events_by_key["table/t", "interrupted"]
        assert (stopped["after"], stopped["why"]) == ({"asked": ["ann"]}, "fire alarm")
        assert events_by_key["table/t", "retired"]["after"] == {"rack": "0.00"}
        assert ("table/t", "taken-over") not in events_by_key

    run(play())


def test_takeover_and_resumed_hand_are_recorded(run: LoopRunner, tmp_path: Path) -> None:
    async def play() -> None:
        async with open_house(tmp_path) as house:
            await house.cage.buy_in("ann", Cents(1_000), actor="kim")
            table = await house.open_table("t", "house", unit="usd", sheet=load(STUD))
            for command in (Sit(1), PutWager(1, "ante", Cents(500))):
                await table.send(Envelope(By("ann", "player"), command))
        async with open_house(tmp_path) as house:
            events = find_significant_events(house.ledger, ALL_TIME)
        events_by_kind = {event.what: event for event in events if event.stream == "table/t"}
        assert events_by_kind["taken-over"].before == {"epoch": 1}
        assert events_by_kind["taken-over"].after == {"epoch": 2}
        assert events_by_kind["resumed"].why == "server restart"
        assert in_language(events_by_kind["resumed"].why, "es") == "reinicio del servidor"

    run(play())


@pytest.mark.long
def test_unreadable_ledger_is_reported(
    run: LoopRunner, server: Server, signed_in: SignedIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: object) -> None:
        raise OperationalError("SELECT", {}, Exception("disk I/O error"))

    monkeypatch.setattr(queries, "for_reading", fail)
    for path in ("drop", "events"):
        answer = run(signed_in("auditor").get(f"/api/pit/{path}"))
        assert answer.json()["error"] == "The ledger cannot be read: disk I/O error"
        assert (answer.status_code, answer.headers["retry-after"]) == (503, "5")
