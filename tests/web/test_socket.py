"""Seats over sockets: a whole round, no gap, no card of another, and no effect twice."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from typing import Any

import pytest
from fastapi import FastAPI
from tests.table.watching import cards_in
from tests.web.conftest import PASSWORD, Running, token_of
from tests.web.live import SHEETS, Json, Socket, choice, serving, socket, wagers
from websockets.exceptions import ConnectionClosed, InvalidStatus

from pitbook import load
from pitbook.cards import Card, card
from pitbook.money import Cents
from pitbook.table import subscribers
from pitbook.table.house import House
from pitbook.web import outbox
from pitbook.web.people import People, Person
from pitbook.web.routes import socket as route
from pitbook.web.server import Server

STUD = SHEETS[0]
CLOCKS = {"betting": None, "decision": None}


async def table_for(server: Server, sheet: str = STUD, *players: str) -> dict[str, str]:
    """A house table "t", and a token for each player, who has money and is known."""
    house = server.house
    for name in players:
        if name not in server.people.register.people:
            server.people.add(name, "player", PASSWORD, actor="test")
        await house.cage.buy_in(name, Cents(1_000_000), actor="test")
    await house.open_table(
        "t", "house", actor="sue", unit="usd", sheet=load(sheet), clocks=CLOCKS, coach=False
    )
    return {name: server.sessions.issue(Person(name, "player")) for name in players}


async def played(one: Socket) -> None:
    """A whole round of somebody who sits alone."""
    await _bet({1: one})
    assert "accepted" in await one.do(do="close-betting")
    await _play({1: one})


@pytest.mark.parametrize("sheet", SHEETS)
def test_a_round_over_sockets_shows_nobody_the_cards_of_another(
    run: Running, app: FastAPI, server: Server, sheet: str
) -> None:
    async def play() -> None:
        tokens = await table_for(server, sheet, "ann", "bob")
        async with (
            serving(app) as base,
            socket(base, tokens["ann"], "t") as ann,
            socket(base, tokens["bob"], "t") as bob,
            socket(base, token_of(server, "brush"), "t") as ben,
            socket(base, token_of(server, "dealer"), "t") as dee,
        ):
            seats = {1: ann, 2: bob}
            await _bet(seats)
            assert "accepted" in await dee.do(do="close-betting")
            for one in (ann, bob, ben, dee):
                await one.look()
            hands = {number: _own(one, number) for number, one in seats.items()}
            assert all(hands.values())
            # Before anything is decided each sees the own hand, and of the others nothing.
            assert cards_in(ann.frames) == hands[1]
            assert cards_in(bob.frames) == hands[2]
            assert not cards_in(ben.frames)
            assert not cards_in(dee.frames)
            folds = await _play(seats)
            for one in (ann, bob, ben, dee):
                view = await one.look()
                assert view["phase"] == "over"
                assert view["result"]["result"] == "settled"
            for other in (bob, ben, dee) if folds else ():  # GEN-14: a folded hand stays closed.
                assert not hands[1] & cards_in(other.frames)
            for other in (ann, ben, dee):  # And one that is settled was opened for all.
                assert hands[2] <= cards_in(other.frames)

    run(play())


async def _bet(seats: dict[int, Socket]) -> None:
    for number, one in seats.items():
        assert "accepted" in await one.do(do="sit", seat=number)
        for wager in wagers(await one.look(), number):
            assert "accepted" in await one.do(do="put-wager", seat=number, **wager)


async def _play(seats: dict[int, Socket]) -> bool:
    """The first seat folds if it can, the others play on; whether it did."""
    folds = False
    for _ in range(8):
        for number, one in seats.items():
            if (play := choice(await one.look(), number)) is not None:
                is_fold = number == 1 and play.endswith("x")
                folds |= is_fold
                answer = await one.do(do="decide", seat=number, play="fold" if is_fold else play)
                assert "accepted" in answer
    return folds


def _own(one: Socket, seat: int) -> set[Card]:
    view = [frame["view"] for frame in one.frames if "view" in frame][-1]
    return {card(name) for name in view["seats"][seat - 1]["cards"] if name}


def test_events_come_in_order_and_before_the_answer_that_follows_from_them(
    run: Running, app: FastAPI, server: Server
) -> None:
    async def play() -> None:
        tokens = await table_for(server, STUD, "ann")
        async with serving(app) as base, socket(base, tokens["ann"], "t") as ann:
            await played(ann)
            first, *rest = ann.frames
            assert set(first) == {"view"}
            versions = [event["version"] for event in ann.events]
            assert versions == list(range(first["view"]["version"] + 1, versions[-1] + 1))
            assert versions[-1] == server.house.tables["t"].state.version
            at = 0
            for frame in rest:
                at = frame["events"][-1]["version"] if "events" in frame else at
                if "view" in frame:
                    assert frame["view"]["version"] == at

    run(play())


def test_a_request_that_is_sent_again_has_one_effect(
    run: Running, app: FastAPI, server: Server
) -> None:
    async def play() -> None:
        tokens = await table_for(server, STUD, "ann")
        ante = {"do": "put-wager", "seat": 1, "wager": "ante", "amount": "10"}
        async with serving(app) as base:
            async with socket(base, tokens["ann"], "t") as ann:
                await ann.do(do="sit", seat=1)
                for _ in range(3):
                    await ann.put({"request": "a", "command": ante})
                answers = [await ann.until("answer") for _ in range(3)]
                assert answers[0] == answers[1] == answers[2]
                reused = await ann.do("a", do="undo", seat=1)
                assert reused["refused"]["code"] == "request-reused"
            async with socket(base, tokens["ann"], "t") as again:
                assert await again.do("a", **ante) == {"accepted": answers[0]["accepted"]}
        assert _wallet(server.house, "ann") == 1_000_000 - 1_000

    run(play())


def _wallet(house: House, player: str) -> int:
    return house.ledger.balance(house.cage.wallet(player))


def test_who_comes_back_is_told_all_that_was_missed(
    run: Running, app: FastAPI, server: Server
) -> None:
    async def play() -> None:
        tokens = await table_for(server, STUD, "ann", "bob")
        async with serving(app) as base, socket(base, tokens["bob"], "t") as bob:
            async with socket(base, tokens["ann"], "t") as ann:
                await ann.do(do="sit", seat=1)
                last = ann.events[-1]["version"]
            await bob.do(do="sit", seat=2)
            await bob.do(do="put-wager", seat=2, wager="ante", amount="10")
            assert "accepted" in await bob.do(do="close-betting")
            async with socket(base, tokens["ann"], "t", last) as ann:
                await ann.put({"ping": 7})
                assert await ann.until("pong") == 7
                assert not [frame for frame in ann.frames if "view" in frame]
                mine, his = ann.events, [one for one in bob.events if one["version"] > last]
                assert [one["version"] for one in mine] == [one["version"] for one in his]
                assert not cards_in(mine)  # Only bob was dealt to.
                assert len(cards_in(his)) == 2
            now = server.house.tables["t"].state.version
            async with socket(base, tokens["ann"], "t", now) as ann:
                await ann.put({"ping": 1})
                assert await ann.next() == {"pong": 1}

    run(play())


@pytest.mark.parametrize("version", [0, 10_000])
def test_who_was_away_too_long_gets_a_new_view(
    run: Running,
    app: FastAPI,
    server: Server,
    monkeypatch: pytest.MonkeyPatch,
    version: int,
) -> None:
    monkeypatch.setattr(subscribers, "LOG_MAX", 3)

    async def play() -> None:
        tokens = await table_for(server, STUD, "ann")
        async with serving(app) as base:
            async with socket(base, tokens["ann"], "t") as ann:
                await played(ann)
            async with socket(base, tokens["ann"], "t", version) as ann:
                first = await ann.next()
                assert first["view"]["version"] == server.house.tables["t"].state.version

    run(play())


GARBAGE = (
    "",
    "{",
    "[]",
    "7",
    "null",
    '{"ping": "1"}',
    '{"ping": 1.5}',
    '{"ping": 1e99}',
    '{"ping": true}',
    '{"ping": NaN}',
    '{"pong": -Infinity}',
    '{"view": 1}',
    '{"view": false}',
    '{"command": {"do": "sit", "seat": 1}}',
    '{"request": 7, "command": {"do": "sit", "seat": 1}}',
    '{"request": "", "command": {"do": "sit", "seat": 1}}',
    '{"request": "\\ud800", "command": {"do": "sit", "seat": 1}}',
    '{"request": "a\\nb", "command": {"do": "sit", "seat": 1}}',
    '{"request": "a", "command": []}',
    '{"request": "a", "request": "b", "command": {"do": "sit", "seat": 1}}',
    '{"request": "a", "command": {"do": "sit", "seat": 1}, "more": 1}',
    "[" * 200 + "]" * 200,
    b"\x00\x01",
    '{"ping": ' + "9" * 5_000 + "}",
)
NO_COMMANDS: tuple[Json, ...] = (
    {},
    {"do": "fly"},
    {"do": ["sit"]},
    {"do": "sit"},
    {"do": "sit", "seat": "1"},
    {"do": "sit", "seat": True},
    {"do": "sit", "seat": 10**9},
    {"do": "sit", "seat": 1, "more": 1},
    {"do": "put-wager", "seat": 1, "wager": "ante", "amount": 10},
    {"do": "put-wager", "seat": 1, "wager": "ante", "amount": "-10"},
    {"do": "seat-seed", "seat": 1, "text": "\ud800"},
    {"do": "change-sheet", "sheet": "../../etc/passwd"},
    {"do": "change-sheet", "sheet": "no/such"},
    {"do": "advice-shown", "seat": 1, "text": "bet the house"},
)

NOT_THEIRS: tuple[Json, ...] = (
    {"do": "tick"},
    {"do": "fill", "amount": "5"},
    {"do": "undo", "seat": 2},
)


def test_what_makes_no_sense_is_answered_and_leaves_no_trace(
    run: Running, app: FastAPI, server: Server
) -> None:
    async def play() -> None:
        tokens = await table_for(server, STUD, "ann")
        before = server.house.ledger.streams()
        async with serving(app) as base, socket(base, tokens["ann"], "t") as ann:
            await ann.until("view")
            for number, frame in enumerate(GARBAGE):
                await ann.put(frame)
                told = await ann.next()
                error = told.get("error") or told["answer"]["error"]
                assert isinstance(error, str), frame
                assert error, frame
                await ann.put({"ping": number})
                assert await ann.next() == {"pong": number}
            for command in NO_COMMANDS:
                answer = await ann.do(None, **command) if "do" in command else None
                if answer is not None:
                    assert set(answer) <= {"error", "retry_after"}, (command, answer)
                    assert answer["error"]
            for command in (
                {"do": "tick"},
                {"do": "fill", "amount": "5"},
                {"do": "undo", "seat": 2},
            ):
                assert (await ann.do(None, **command))["refused"]["code"] == "forbidden"
        assert server.house.ledger.streams() == before

    run(play())


def test_who_sends_nothing_but_garbage_is_shown_out(
    run: Running, app: FastAPI, server: Server
) -> None:
    async def play() -> None:
        tokens = await table_for(server, STUD, "ann")
        async with serving(app) as base:
            async with socket(base, tokens["ann"], "t") as ann:
                for _ in range(route.GARBAGE_MAX):
                    await ann.put("{")
                assert await _closed(ann) == route.GARBAGE
            async with socket(base, tokens["ann"], "t") as ann:
                await ann.put(json.dumps({"request": "x" * 20_000}))
                assert await _closed(ann) == route.TOO_LARGE

    run(play())


async def _closed(one: Socket) -> tuple[int | None, str | None]:
    with suppress(ConnectionClosed):
        while True:
            await one.next()
    return one.line.close_code, one.line.close_reason


def test_strangers_and_others_do_not_get_in(run: Running, app: FastAPI, server: Server) -> None:
    async def play() -> None:
        tokens = await table_for(server, STUD, "ann")
        own = await server.house.open_table(
            "p", "practice", unit="play", sheet=load(STUD), owner="guest-1"
        )
        assert own.state.owner == "guest-1"
        async with serving(app) as base:
            await _refused(401, base, "", "t")
            await _refused(401, base, "forged", "t")
            await _refused(404, base, tokens["ann"], "nowhere")
            await _refused(403, base, tokens["ann"], "p")
            await _refused(404, base, token_of(server, "guest"), "t")
            await _refused(404, base, token_of(server, "guest"), "p")
            await _refused(403, base, tokens["ann"], "t", Origin="https://elsewhere.example")
            async with socket(base, token_of(server, "auditor"), "t") as abe:
                answer = await abe.do(do="sit", seat=1)
                assert answer == {"error": "abe watches this table and gives no commands here"}

    run(play())


async def _refused(status: int, base: str, token: str, table: str, **headers: str) -> None:
    with pytest.raises(InvalidStatus) as refused:
        async with socket(base, token, table, None, **headers):
            pass
    assert refused.value.response.status_code == status
    told: Any = json.loads(refused.value.response.body or b"")
    assert told["error"]


def test_a_sign_in_that_ends_ends_its_socket(
    run: Running, app: FastAPI, server: Server, people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(route, "PING_SECONDS", 0.05)
    monkeypatch.setattr(route, "BEAT_SECONDS", 0.01)

    async def play() -> None:
        tokens = await table_for(server, STUD, "ann")
        async with serving(app) as base:
            async with socket(base, tokens["ann"], "t") as ann:
                assert await ann.until("ping") == 1
                people.disable("ann", actor="sue")
                assert await _closed(ann) == route.SIGNED_OUT
            people.enable("ann", actor="sue")

    run(play())


def test_who_says_nothing_for_long_is_let_go(
    run: Running, app: FastAPI, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(route, "IDLE_SECONDS", 0.05)
    monkeypatch.setattr(route, "BEAT_SECONDS", 0.01)

    async def play() -> None:
        tokens = await table_for(server, STUD, "ann")
        async with serving(app) as base, socket(base, tokens["ann"], "t") as ann:
            assert await _closed(ann) == route.IDLE

    run(play())


def test_who_does_not_read_is_let_go_and_told_to_come_back(
    run: Running, app: FastAPI, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outbox, "LETTERS_MAX", 2)

    async def play() -> None:
        tokens = await table_for(server, STUD, "ann")
        async with serving(app) as base, socket(base, tokens["ann"], "t") as ann:
            await ann.until("view")
            table = server.house.tables["t"]
            (watcher,) = table.subscribers._all
            for event in (subscribers.News(table.subscribers.since(1) or []),) * 4:
                watcher.tell(event)  # All at once: nobody can have read them.
            assert await _closed(ann) == route.SLOW

    run(play())


def test_a_table_that_is_taken_away_says_so(run: Running, app: FastAPI, server: Server) -> None:
    async def play() -> None:
        tokens = await table_for(server, STUD, "ann")
        async with serving(app) as base, socket(base, tokens["ann"], "t") as ann:
            await ann.until("view")
            await server.house.tables["t"].close()
            assert await _closed(ann) == route.ENDED

    run(play())


def test_so_many_sockets_and_no_more(run: Running, app: FastAPI, server: Server) -> None:
    async def play() -> None:
        tokens = await table_for(server, STUD, "ann")
        server.limiter.sockets.most = 1
        async with serving(app) as base:
            async with socket(base, tokens["ann"], "t"):
                await _refused(429, base, tokens["ann"], "t")
            for _ in range(100):  # The house hears of the end a moment later.
                await asyncio.sleep(0)
            async with socket(base, tokens["ann"], "t") as ann:
                await ann.until("view")

    run(play())


def test_too_many_commands_are_told_to_wait(run: Running, app: FastAPI, server: Server) -> None:
    async def play() -> None:
        tokens = await table_for(server, STUD, "ann")
        server.limiter.commands.burst = 2
        server.limiter.commands.rate = 0.001
        async with serving(app) as base, socket(base, tokens["ann"], "t") as ann:
            await ann.do(do="sit", seat=1)
            await ann.do(do="leave", seat=1)
            answer = await ann.do(do="sit", seat=1)
            assert answer["error"].startswith("too many commands; wait")
            assert answer["retry_after"] > 100
        assert not server.house.tables["t"].state.seats

    run(play())
