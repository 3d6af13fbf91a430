"""Sizes and rates: refused with a sentence at the limit, and not before it."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from tests.house.web.conftest import WEAK, WIDE, Running, client_of, cookie_line, token_of

from pitbook.house.people.accounts import People
from pitbook.house.people.sessions import SESSION_COOKIE
from pitbook.house.table.tables import LiveTables
from pitbook.house.web import rate_limits as module
from pitbook.house.web.app import create_app
from pitbook.house.web.edge import RequestGate, exceeds_depth
from pitbook.house.web.rate_limits import Limiter, Quota, TokenBuckets, address_of
from pitbook.house.web.settings import RequestLimits, Settings

JSON = {"content-type": "application/json"}


class Hand:
    """A clock moved by hand."""

    def __init__(self) -> None:
        self.time = 100.0

    def __call__(self) -> float:
        return self.time


def test_a_bucket_gives_a_burst_and_then_so_many_a_second() -> None:
    clock = Hand()
    buckets = TokenBuckets(2, 3, clock=clock)
    assert [buckets.take("a") for _ in range(4)] == [0, 0, 0, 0.5]
    assert buckets.take("b") == 0, "each key has a bucket of its own"
    clock.time += 0.25
    assert buckets.take("a") == 0.25, "asking in vain costs nothing"
    clock.time += 0.25
    assert [buckets.take("a"), buckets.take("a")] == [0, 0.5]
    clock.time += 1_000
    assert [buckets.take("a") for _ in range(4)] == [0, 0, 0, 0.5], "it never holds more"


def test_buckets_do_not_pile_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "KEYS_MAX", 2)
    buckets = TokenBuckets(1, 1, clock=Hand())
    assert [buckets.take(key) for key in "abc"] == [0, 0, 0]
    assert buckets.take("c") == 1
    assert buckets.take("a") == 0, "the one that rested longest was let go"


def test_a_quota_is_given_back() -> None:
    quota = Quota(2)
    assert [quota.take("a", "t1"), quota.take("a", "t2"), quota.take("a", "t3")] == [1, 1, 0]
    assert quota.take("b", "t4")
    quota.release("t1")
    quota.release("t1")
    quota.release("never heard of")
    assert [quota.take("a", "t5"), quota.take("a", "t6")] == [True, False]


@pytest.mark.parametrize(
    ("host", "key"),
    [
        ("10.0.0.1", "10.0.0.1"),
        ("::ffff:10.0.0.1", "10.0.0.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::", "2001:db8:1:2::/64"),
        ("testclient", "testclient"),
    ],
)
def test_addresses_of_one_household_count_as_one(host: str, key: str) -> None:
    assert address_of({"client": (host, 1)}) == key


def test_nobody_has_an_address_too() -> None:
    assert address_of({"client": None}) == "unknown"


@pytest.mark.parametrize(
    ("text", "depth"),
    [
        ("", 0),
        ("1", 0),
        ("[]", 1),
        ('{"a": [[1], [2]]}', 3),
        (r'"[[\"[["', 0),
        ('["[[[", "\\\\", "[["]', 1),
        ('"[[[', 0),
        ("[" * 40 + "]" * 40, 40),
        ("[{}, {}]" * 9, 2),
        ("[" * 9, 9),  # No JSON, but deep enough for whoever reads it.
        ("]]][[", 2),
    ],
)
def test_depth(text: str, depth: int) -> None:
    assert not exceeds_depth(text.encode(), depth)
    assert depth == 0 or exceeds_depth(text.encode(), depth - 1)


def test_a_body_of_brackets_holds_up_nobody() -> None:
    for text in (b"[" * 200_000, b"[]," * 66_000, b"[" * 100_000 + b"]" * 100_000, b'"' * 200_000):
        assert any(_spent(text) < 0.1 for _ in range(5)), "84 ms at first, of everybody's"


def _spent(text: bytes) -> float:
    """Seconds of the processor, which a busy machine makes more of."""
    began = time.process_time()
    exceeds_depth(text, 32)
    return time.process_time() - began


def limited(house: LiveTables, people: People, **limits: Any) -> FastAPI:
    settings = Settings(
        data=Path("none"), sign_in=WEAK, limits=RequestLimits(**{**WIDE.model_dump(), **limits})
    )
    return create_app(house, people, settings)


def test_a_body_at_the_limit_passes_and_one_above_does_not(
    run: Running, house: LiveTables, people: People
) -> None:
    async def ask() -> None:
        async with client_of(limited(house, people, body_bytes_max=1_000)) as client:
            body = json.dumps({"name": "x", "password": ""}).encode()
            fits = body[:-2] + b"p" * (1_000 - len(body)) + body[-2:]
            answer = await client.post("/api/sign-in", content=fits, headers=JSON)
            assert (len(fits), answer.status_code) == (1_000, 401)
            answer = await client.post("/api/sign-in", content=fits[:-2] + b'p"}')
            assert answer.status_code == 413
            assert answer.json()["error"] == "the body is larger than 1,000 bytes"

    run(ask())


def test_a_body_without_a_length_is_counted_as_it_comes(
    run: Running, house: LiveTables, people: People
) -> None:
    sent = 0

    async def endless() -> AsyncIterator[bytes]:
        nonlocal sent
        while True:
            sent += 100
            yield b"x" * 100

    async def ask() -> None:
        async with client_of(limited(house, people, body_bytes_max=1_000)) as client:
            answer = await client.post("/api/sign-in", content=endless())
            assert answer.status_code == 413

    run(ask())
    assert sent <= 1_200


def test_a_body_that_does_not_come_is_not_waited_for(
    run: Running, house: LiveTables, people: People
) -> None:
    async def slow() -> AsyncIterator[bytes]:
        yield b"{"
        await asyncio.Event().wait()

    async def ask() -> None:
        async with client_of(limited(house, people, body_timeout_seconds=0.01)) as client:
            answer = await client.post("/api/sign-in", content=slow())
            assert (answer.status_code, answer.json()["error"]) == (
                408,
                "the body took too long to come",
            )

    run(ask())


def test_whoever_hangs_up_gets_no_answer(run: Running) -> None:
    async def never(*_: Any) -> None:
        raise AssertionError("the app was asked")

    async def gone() -> dict[str, str]:
        return {"type": "http.disconnect"}

    scope: dict[str, Any] = {"type": "http", "client": None, "headers": []}
    run(RequestGate(never, Limiter(RequestLimits()))(scope, gone, never))


def test_json_is_only_so_deep(run: Running, house: LiveTables, people: People) -> None:
    async def ask() -> None:
        async with client_of(limited(house, people, json_depth_max=4)) as client:
            answer = await client.post("/api/sign-in", content="[" * 4 + "]" * 4, headers=JSON)
            assert answer.status_code == 422
            answer = await client.post("/api/sign-in", content="[" * 5 + "]" * 5)
            assert answer.status_code == 400
            assert answer.json()["error"] == "the body is nested deeper than 4 levels"

    run(ask())


def test_a_body_has_only_so_many_values_and_a_guests_fewer(
    run: Running, house: LiveTables, people: People
) -> None:
    """16,000 fields that no route knows took 220 ms of everybody's to be refused one by one."""
    app = limited(house, people, json_values_max=200)

    async def ask() -> None:
        async with client_of(app) as client, client_of(app) as member:
            member.cookies.set(SESSION_COOKIE, token_of(app.state.server, "player"))
            for asker, most in ((client, 10), (member, 200)):
                for number, status in ((most, 422), (most + 1, 400)):
                    body = json.dumps(["a, b, c"] * number)
                    answer = await asker.post("/api/sign-in", content=body, headers=JSON)
                    assert answer.status_code == status, answer.text
                    told = f"the body has more than {most} values"
                    assert status == 422 or answer.json()["error"] == told

    run(ask())


def test_too_many_requests_are_told_when_to_come_again(
    run: Running, house: LiveTables, people: People
) -> None:
    app = limited(house, people, requests_per_second=0.1, requests_burst=2)

    async def ask() -> None:
        async with client_of(app) as client, client_of(app, "10.0.0.9") as other:
            answers = [await client.get("/api/me") for _ in range(3)]
            assert [one.status_code for one in answers] == [401, 401, 429]
            assert answers[-1].json()["error"] == "too many requests; slow down"
            assert answers[-1].headers["retry-after"] == "10"
            assert (await client.get("/api/health")).status_code == 200, "under any flood"
            assert (await other.get("/api/me")).status_code == 401

    run(ask())


def test_failed_sign_ins_are_delayed_and_links_are_not(run: Running, app: FastAPI) -> None:
    login_throttle = app.state.server.login_throttle
    login_throttle.addresses.free, login_throttle.addresses._clock = 2, lambda: 0.0

    async def ask() -> None:
        async with client_of(app) as client:
            given = {"name": "nobody", "password": "whatever it is"}
            answers = [await client.post("/api/sign-in", json=given) for _ in range(3)]
            answer = answers[-1]
            assert [one.status_code for one in answers] == [401, 401, 429]
            assert (await client.get("/api/invitations/guessed")).status_code == 404
            assert answer.json()["error"].startswith("too many attempts from this address")
            assert answer.headers["retry-after"] == "5"

    run(ask())


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"null",
        b"[]",
        b'"x"',
        b'{"name": 1}',
        b'{"name": "\\ud800", "password": "\\ud800"}',
        b'{"name": "ann", "password": NaN}',
        b'{"name": "ann", "password": 1' + b"0" * 5_000 + b"}",
        b'{"name": "ann", "password": "x", "\\ud800": 1}',
        b'{"name": "ann", "password": "x", "' + b"y" * 9_000 + b'": 1}',
        b"\xff\xfe",
        b'{"name": "a\\u0000b", "password": "x"}',
    ],
)
def test_malformed_bodies_are_the_senders_fault(
    run: Running, house: LiveTables, people: People, body: bytes
) -> None:
    before = house.ledger.streams()

    async def ask() -> None:
        async with client_of(limited(house, people)) as client:
            answer = await client.post("/api/sign-in", content=body, headers=JSON)
            assert 400 <= answer.status_code < 500
            assert len(answer.json()["error"]) < 300

    run(ask())
    assert house.ledger.streams() == before


def test_there_is_a_cookie_line_to_look_at(run: Running, house: LiveTables, people: People) -> None:
    async def ask() -> None:
        async with client_of(limited(house, people)) as client:
            answer = await client.post("/api/sign-out")
            assert "Max-Age=0" in cookie_line(answer)

    run(ask())
