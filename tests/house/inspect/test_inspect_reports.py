"""The inspector's desk: exceptions in one list, incidents, kept closes, a round on paper."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from sqlalchemy.exc import OperationalError
from tests.house.inspect.test_inspect_routes import evening
from tests.house.web.conftest import NAMES, Running, SignedIn
from tests.house.web.live import SHEETS, Json
from tests.house.web.test_routes_tables import Player

from pitbook import load
from pitbook.house.inspect import day_close as closes
from pitbook.house.inspect.day_close import is_whole
from pitbook.house.inspect.exceptions import KINDS, Exceptional, ExceptionKind, gathered
from pitbook.house.ledger.stream_kinds import audit_of
from pitbook.house.web.server import Server

ANTE = {"do": "put-wager", "seat": 1, "wager": "ante", "amount": "10"}
ROYAL = ("Qs", "Js", "Ts")


async def typed_evening(server: Server, signed_in: SignedIn) -> None:
    """A royal flush above the round's limit, and whatever else can go wrong on the way to it."""
    await server.house.open_table("t", "typed", unit="usd", sheet=load(SHEETS[0]))
    dee, sue = Player(signed_in("dealer"), "t"), Player(signed_in("supervisor"), "t")
    await dee.fine({"do": "sit", "seat": 1, "player": "Gil"})
    await dee.fine({"do": "buy-in", "seat": 1, "amount": "500"})
    await dee.fine(ANTE)
    await dee.fine({"do": "undo", "seat": 1})
    await dee.fine(ANTE)
    await dee.fine({"do": "close-betting"})
    await sue.fine({"do": "misdeal", "reason": "boxed card"})
    await sue.fine({"do": "open-round"})
    await dee.fine(ANTE)
    await dee.fine({"do": "close-betting"})
    await sue.fine({"do": "interrupt", "why": "fire alarm"})
    for card in ROYAL:
        await dee.fine({"do": "decide", "seat": 1, "play": "3x"})
        await dee.fine({"do": "type-card", "place": "board", "card": card})
    for card in ("As", "Kd"):
        await dee.fine({"do": "type-card", "place": 1, "card": card})
    await dee.fine({"do": "correct-card", "place": 1, "number": 2, "card": "Ks", "why": "misread"})
    await dee.fine({"do": "settle"})
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
    run: Running, server: Server, signed_in: SignedIn
) -> None:
    async def play() -> None:
        await typed_evening(server, signed_in)
        abe = signed_in("auditor")

        async def asked(query: str = "") -> list[Json]:
            answer = await abe.get(f"/api/inspect/exceptions{query}")
            assert answer.status_code == 200, answer.text
            found: list[Json] = answer.json()["exceptions"]
            return found

        found = await asked()
        by_kind = {kind: [one for one in found if one["kind"] == kind] for kind in KINDS}
        assert [one["at"] for one in found] == sorted(one["at"] for one in found)
        assert {kind: [one["what"] for one in by_kind[kind]] for kind in KINDS} == {
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
            assert await asked(f"?kind={kind}") == by_kind[kind]
        tomorrow = datetime.now(UTC).date() + timedelta(days=1)
        assert await asked(f"?from={tomorrow}") == []
        paper = await abe.get(f"/api/inspect/paper/{won['round']}/1")
        assert paper.status_code == 200
        assert "25,000" in paper.text
        assert "CMS-12" in paper.text
        assert (await abe.get(f"/api/inspect/paper/{won['round']}/2")).status_code == 404
        assert (await abe.get("/api/inspect/paper/t-000009/1")).status_code == 404

    run(play())


def test_a_restart_and_a_guesser_do_not_bury_a_void() -> None:
    def one(
        kind: ExceptionKind, what: str, second: int, stream: str, **more: object
    ) -> Exceptional:
        at = (datetime(2026, 11, 17, tzinfo=UTC) + timedelta(seconds=second)).isoformat()
        return Exceptional(kind, what, at, stream, 1, "sue", **more)  # type: ignore[arg-type]

    starts = [one("take-over", "taken-over", n // 10, f"table/t-{n}") for n in range(40)]
    again = [one("take-over", "taken-over", 200, "table/t-0")]
    names = [f"guest {n}" for n in range(500)]
    tries = [
        one("sign-in", "sign-in-failed", 5 + n, "people", after={"name": name})
        for n, name in enumerate(names)
    ]
    void = one("void", "misdeal", 6, "table/t-1")
    found = gathered(sorted([*starts, void, *tries, *again], key=lambda each: each.at))
    assert [(each.kind, each.times, len(each.names)) for each in found] == [
        ("take-over", 40, 20),
        ("sign-in", 500, 20),
        ("void", 1, 0),
        ("take-over", 1, 0),
    ]
    assert found[0].names[0] == "t-0"
    assert (found[2], found[3]) == (void, again[0])


def test_a_bet_that_its_own_player_takes_back_is_no_exception_and_a_win_below_is_not_large(
    run: Running, server: Server, signed_in: SignedIn
) -> None:
    async def play() -> None:
        (seen,) = await evening(server, signed_in, rounds=1)
        large = float(seen["result"]["seats"][0]["wins"]) >= 1200  # Four of a kind, or more.
        ann = Player(signed_in("player"), "t")
        ann.number = 100
        await ann.fine({**ANTE})
        await ann.fine({"do": "undo", "seat": 1})
        told = (await signed_in("auditor").get("/api/inspect/exceptions")).json()
        assert [one["kind"] for one in told["exceptions"]] == ["large-win"] * large
        assert told["large_win"] == "1200.00"

    run(play())


def test_incidents_are_written_by_who_is_on_duty_and_never_changed(
    run: Running, server: Server, signed_in: SignedIn
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
        (one,) = (await abe.get("/api/incidents")).json()["incidents"]
        assert (one["number"], one["kind"], one["closed"]) == (number, "safety", True)
        assert (one["noted"]["who"], one["noted"]["told"]) == ("dee", "a guest fell ill")
        assert [(each["who"], each["told"]) for each in one["followed"]] == [
            ("sue", "a doctor came")
        ]
        assert server.house.folder.verify(following=audit_of).findings == ()

    run(play())


@pytest.mark.long
def test_days_are_closed_by_the_house_and_kept_as_long_as_was_chosen(
    run: Running, server: Server, signed_in: SignedIn
) -> None:
    # Two days back: in the hour after midnight yesterday is still open.
    folder, today = server.house.folder, datetime.now(UTC) - timedelta(days=2)
    tomorrow, later = today + timedelta(days=1), today + timedelta(days=4)
    midnight = tomorrow.replace(hour=0, minute=30)
    assert closes.keep(folder, midnight) == [today.date() - timedelta(days=1)]
    assert closes.keep(folder, midnight.replace(hour=1)) == [today.date()]
    assert closes.keep(folder, midnight.replace(hour=2)) == []

    async def asked() -> tuple[list[str], str]:
        abe = signed_in("auditor")
        told = (await abe.get("/api/inspect/closes")).json()
        assert told["days"] == 0
        file = await abe.get(f"/api/inspect/close?day={today.date() - timedelta(days=1)}")
        return [one["day"] for one in told["closes"]], file.text

    days, file = run(asked())
    assert days == [str(today.date()), str(today.date() - timedelta(days=1))]
    assert is_whole(file, folder.keys.public, "jsonl")
    kept_file = closes.path_of(folder, date.fromisoformat(days[1]))
    assert file == kept_file.read_text()
    assert oct(kept_file.stat().st_mode)[-3:] == "600"
    (kept_file.parent / "close-notes.jsonl").touch()
    assert closes.keep(folder, later.replace(hour=2), days=2) == [
        later.date() - timedelta(days=2),
        later.date() - timedelta(days=1),
    ]
    assert [str(day) for day, _ in closes.kept(folder)] == [
        str(later.date() - timedelta(days=1)),
        str(later.date() - timedelta(days=2)),
    ]
    assert (kept_file.parent / "close-notes.jsonl").exists()


def test_where_the_book_cannot_be_read_whoever_asks_is_told_to_ask_again(
    run: Running, server: Server, signed_in: SignedIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is no fault of theirs: the same request goes through a moment later."""
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
