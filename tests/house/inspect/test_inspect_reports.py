"""Inspection over HTTP: exceptions, incidents, day closes, and rounds on paper."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from sqlalchemy.exc import OperationalError
from tests.house.inspect.test_inspect_routes import play_rounds
from tests.house.web.conftest import NAMES, LoopRunner, SignedIn
from tests.house.web.live_server import SHEETS, Json
from tests.house.web.test_routes_tables import Player

from pitbook import load
from pitbook.house.inspect import day_close as closes
from pitbook.house.inspect.day_close import is_authentic
from pitbook.house.inspect.exception_report import KINDS, ExceptionKind, ExceptionRow, group_similar
from pitbook.house.ledger.stream_kinds import audit_of
from pitbook.house.web.server import Server

ANTE = {"do": "put-wager", "seat": 1, "wager": "ante", "amount": "10"}
ROYAL = ("Qs", "Js", "Ts")


async def typed_evening(server: Server, signed_in: SignedIn) -> None:
    """A royal flush above the round's payout limit, and every kind of exception on the way."""
    await server.house.open_table("t", "typed", unit="usd", sheet=load(SHEETS[0]))
    dee, sue = Player(signed_in("dealer"), "t"), Player(signed_in("supervisor"), "t")
    await dee.accept({"do": "sit", "seat": 1, "player": "Gil"})
    await dee.accept({"do": "buy-in", "seat": 1, "amount": "500"})
    await dee.accept(ANTE)
    await dee.accept({"do": "undo", "seat": 1})
    await dee.accept(ANTE)
    await dee.accept({"do": "close-betting"})
    await sue.accept({"do": "misdeal", "reason": "boxed card"})
    await sue.accept({"do": "open-round"})
    await dee.accept(ANTE)
    await dee.accept({"do": "close-betting"})
    await sue.accept({"do": "interrupt", "why": "fire alarm"})
    for card in ROYAL:
        await dee.accept({"do": "decide", "seat": 1, "play": "3x"})
        await dee.accept({"do": "type-card", "place": "board", "card": card})
    for card in ("As", "Kd"):
        await dee.accept({"do": "type-card", "place": 1, "card": card})
    await dee.accept(
        {"do": "correct-card", "place": 1, "number": 2, "card": "Ks", "why": "misread"}
    )
    await dee.accept({"do": "settle"})
    for path, more in (
        ("cage/buy-in", {"player": "ann", "amount": "5"}),
        ("counter/receipts/1/undo", {"why": "for another"}),
    ):
        answer = await signed_in("supervisor").post(f"/api/{path}", json={**more, "request": path})
        assert answer.is_success, answer.text
    wrong = {"name": NAMES["player"], "password": "wrong"}
    assert (await signed_in("player").post("/api/sign-in", json=wrong)).status_code == 401


@pytest.mark.long
def test_every_kind_of_exception_is_listed_with_its_place(
    run: LoopRunner, server: Server, signed_in: SignedIn
) -> None:
    async def play() -> None:
        await typed_evening(server, signed_in)
        abe = signed_in("auditor")

        async def fetch_exceptions(query: str = "") -> list[Json]:
            answer = await abe.get(f"/api/inspect/exceptions{query}")
            assert answer.status_code == 200, answer.text
            exceptions: list[Json] = answer.json()["exceptions"]
            return exceptions

        exceptions = await fetch_exceptions()
        by_kind = {
            kind: [exception for exception in exceptions if exception["kind"] == kind]
            for kind in KINDS
        }
        assert [exception["at"] for exception in exceptions] == sorted(
            exception["at"] for exception in exceptions
        )
        assert {kind: [exception["what"] for exception in by_kind[kind]] for kind in KINDS} == {
            "void": ["misdeal"],
            "correction": ["corrected"],
            "undo": ["undone", "receipt-undone"],
            "cap": ["cap"],
            "large-win": ["large-win"],
            "interruption": ["interrupted"],
            "take-over": [],
            "sign-in": ["sign-in-failed"],
        }
        (cap,), (won,) = by_kind["cap"], by_kind["large-win"]
        assert (cap["why"], cap["before"], cap["after"]) == (
            "CMS-12",
            {"due": "50000.00"},
            {"paid": "25000.00"},
        )
        assert (won["who"], won["after"]["wins"], won["seat"]) == ("Gil", "25000.00", 1)
        assert cap["round"] == won["round"]
        undone, _ = by_kind["undo"]
        assert (undone["who"], undone["after"], undone["seat"]) == ("dee", {"player": "Gil"}, 1)
        for kind in KINDS:
            assert await fetch_exceptions(f"?kind={kind}") == by_kind[kind]
        tomorrow = datetime.now(UTC).date() + timedelta(days=1)
        assert await fetch_exceptions(f"?from={tomorrow}") == []
        paper = await abe.get(f"/api/inspect/paper/{won['round']}/1")
        assert paper.status_code == 200
        assert "25,000" in paper.text
        assert "CMS-12" in paper.text
        assert (await abe.get(f"/api/inspect/paper/{won['round']}/2")).status_code == 404
        assert (await abe.get("/api/inspect/paper/t-000009/1")).status_code == 404

    run(play())


def test_takeovers_and_failed_sign_ins_are_grouped() -> None:
    def make_exception(
        kind: ExceptionKind, what: str, second: int, stream: str, **more: object
    ) -> ExceptionRow:
        at = (datetime(2026, 11, 17, tzinfo=UTC) + timedelta(seconds=second)).isoformat()
        return ExceptionRow(kind, what, at, stream, 1, "sue", **more)  # type: ignore[arg-type]

    starts = [make_exception("take-over", "taken-over", n // 10, f"table/t-{n}") for n in range(40)]
    again = [make_exception("take-over", "taken-over", 200, "table/t-0")]
    names = [f"guest {n}" for n in range(500)]
    tries = [
        make_exception("sign-in", "sign-in-failed", 5 + n, "people", after={"name": name})
        for n, name in enumerate(names)
    ]
    void = make_exception("void", "misdeal", 6, "table/t-1")
    groups = group_similar(
        sorted([*starts, void, *tries, *again], key=lambda exception: exception.at)
    )
    assert [(group.kind, group.times, len(group.names)) for group in groups] == [
        ("take-over", 40, 20),
        ("sign-in", 500, 20),
        ("void", 1, 0),
        ("take-over", 1, 0),
    ]
    assert groups[0].names[0] == "t-0"
    assert (groups[2], groups[3]) == (void, again[0])


def test_own_undo_and_small_win_are_not_exceptions(
    run: LoopRunner, server: Server, signed_in: SignedIn
) -> None:
    async def play() -> None:
        (view,) = await play_rounds(server, signed_in, rounds=1)
        large = float(view["result"]["seats"][0]["wins"]) >= 1200  # Four of a kind or better.
        ann = Player(signed_in("player"), "t")
        ann.number = 100
        await ann.accept({**ANTE})
        await ann.accept({"do": "undo", "seat": 1})
        exceptions_report = (await signed_in("auditor").get("/api/inspect/exceptions")).json()
        assert [exception["kind"] for exception in exceptions_report["exceptions"]] == [
            "large-win"
        ] * large
        assert exceptions_report["large_win"] == "1200.00"

    run(play())


def test_staff_on_duty_write_incidents_and_never_change_them(
    run: LoopRunner, server: Server, signed_in: SignedIn
) -> None:
    async def play() -> None:
        dee, sue, abe = signed_in("dealer"), signed_in("supervisor"), signed_in("auditor")
        noted: Json = {"kind": "safety", "told": "a guest fell ill", "table": "t", "request": "1"}
        first = await dee.post("/api/incidents", json=noted)
        assert first.status_code == 201, first.text
        number = first.json()["number"]
        assert number == 1
        assert (await dee.post("/api/incidents", json=noted)).json() == first.json()
        other = await dee.post("/api/incidents", json={**noted, "told": "nobody fell ill"})
        assert other.status_code == 409
        for wrong in ({"told": " "}, {"told": "two\nlines"}, {"kind": "gossip"}, {"round": "\x00"}):
            answer = await dee.post("/api/incidents", json={**noted, "request": "2", **wrong})
            assert answer.status_code in (400, 422), wrong
        later: Json = {"told": "a doctor came", "closed": True, "request": "3"}
        assert (await abe.post(f"/api/incidents/{number}", json=later)).status_code == 403
        assert (await abe.post("/api/incidents", json=noted)).status_code == 403
        assert (await sue.post(f"/api/incidents/{number}", json=later)).is_success
        assert (await sue.post(f"/api/incidents/{number}", json=later)).is_success
        closed = await sue.post(f"/api/incidents/{number}", json={**later, "request": "4"})
        assert (closed.status_code, "is closed" in closed.text) == (409, True)
        none = await sue.post("/api/incidents/99", json={**later, "request": "5"})
        assert none.status_code == 409
        (incident,) = (await abe.get("/api/incidents")).json()["incidents"]
        assert (incident["number"], incident["kind"], incident["closed"]) == (
            number,
            "safety",
            True,
        )
        assert (incident["noted"]["who"], incident["noted"]["told"]) == ("dee", "a guest fell ill")
        assert [(each["who"], each["told"]) for each in incident["followed"]] == [
            ("sue", "a doctor came")
        ]
        assert server.house.folder.verify(replay_of=audit_of).findings == ()

    run(play())


@pytest.mark.long
def test_days_are_closed_and_kept_for_the_retention(
    run: LoopRunner, server: Server, signed_in: SignedIn
) -> None:
    # Two days back: in the hour after midnight, yesterday is still open.
    folder, today = server.house.folder, datetime.now(UTC) - timedelta(days=2)
    tomorrow, later = today + timedelta(days=1), today + timedelta(days=4)
    midnight = tomorrow.replace(hour=0, minute=30)
    assert closes.close_days(folder, midnight) == [today.date() - timedelta(days=1)]
    assert closes.close_days(folder, midnight.replace(hour=1)) == [today.date()]
    assert closes.close_days(folder, midnight.replace(hour=2)) == []

    async def fetch_closes() -> tuple[list[str], str]:
        abe = signed_in("auditor")
        closes_document = (await abe.get("/api/inspect/closes")).json()
        assert closes_document["days"] == 0
        file = await abe.get(f"/api/inspect/close?day={today.date() - timedelta(days=1)}")
        return [close["day"] for close in closes_document["closes"]], file.text

    days, file = run(fetch_closes())
    assert days == [str(today.date()), str(today.date() - timedelta(days=1))]
    assert is_authentic(file, folder.keys.public, "jsonl")
    kept_file = closes.path_of(folder, date.fromisoformat(days[1]))
    assert file == kept_file.read_text()
    assert oct(kept_file.stat().st_mode)[-3:] == "600"
    (kept_file.parent / "close-notes.jsonl").touch()
    assert closes.close_days(folder, later.replace(hour=2), days=2) == [
        later.date() - timedelta(days=2),
        later.date() - timedelta(days=1),
    ]
    assert [str(day) for day, _ in closes.kept_closes(folder)] == [
        str(later.date() - timedelta(days=1)),
        str(later.date() - timedelta(days=2)),
    ]
    assert (kept_file.parent / "close-notes.jsonl").exists()


def test_unreadable_ledger_asks_the_client_to_retry(
    run: LoopRunner, server: Server, signed_in: SignedIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is not the client's fault: the same request works a moment later."""
    happened = {"kind": "other", "told": "a glass fell", "request": "1"}

    def fails() -> None:
        raise OperationalError("no line", {}, Exception())

    async def play() -> None:
        sue = signed_in("supervisor")
        with monkeypatch.context() as cut:
            cut.setattr(server.house.ledger.engine, "connect", fails)
            answer = await sue.post("/api/incidents", json=happened)
            assert (answer.status_code, answer.headers["retry-after"]) == (503, "1")
        assert (await sue.post("/api/incidents", json=happened)).status_code == 201

    run(play())
