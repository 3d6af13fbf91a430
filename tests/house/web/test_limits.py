"""Sizes and rates are refused with a message at the limit, and not before."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from tests.house.web.conftest import WEAK, WIDE, LoopRunner, client_of, cookie_line, token_of

from pitbook.house.people.accounts import People
from pitbook.house.people.sessions import SESSION_COOKIE
from pitbook.house.settings import RequestLimits, Settings
from pitbook.house.table.live_tables import LiveTables
from pitbook.house.web import rate_limits as module
from pitbook.house.web.app import create_app
from pitbook.house.web.edge import Edge, exceeds_depth
from pitbook.house.web.rate_limits import Limiter, Quota, TokenBuckets, address_of

JSON = {"content-type": "application/json"}


class ManualClock:
    """A clock moved by hand."""

    def __init__(self) -> None:
        self.time = 100.0

    def __call__(self) -> float:
        return self.time


def test_bucket_allows_a_burst_and_then_a_rate() -> None:
    clock = ManualClock()
    buckets = TokenBuckets(2, 3, clock=clock)
    assert [buckets.take("a") for _ in range(4)] == [0, 0, 0, 0.5]
    assert buckets.take("b") == 0, "each key has a bucket of its own"
    clock.time += 0.25
    assert buckets.take("a") == 0.25, "asking in vain costs nothing"
    clock.time += 0.25
    assert [buckets.take("a"), buckets.take("a")] == [0, 0.5]
    clock.time += 1_000
    assert [buckets.take("a") for _ in range(4)] == [0, 0, 0, 0.5], "it never holds more"


def test_token_buckets_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "KEYS_MAX", 2)
    buckets = TokenBuckets(1, 1, clock=ManualClock())
    assert [buckets.take(key) for key in "abc"] == [0, 0, 0]
    assert buckets.take("c") == 1
    assert buckets.take("a") == 0, "the one that rested longest was let go"


def test_quota_slots_are_released() -> None:
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


def test_missing_client_has_an_address() -> None:
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
        ("[" * 9, 9),  # Not JSON, but deep enough for a parser.
        ("]]][[", 2),
    ],
)
def test_json_depth_is_measured(text: str, depth: int) -> None:
    assert not exceeds_depth(text.encode(), depth)
    assert depth == 0 or exceeds_depth(text.encode(), depth - 1)


def test_deep_brackets_are_checked_quickly() -> None:
    for text in (b"[" * 200_000, b"[]," * 66_000, b"[" * 100_000 + b"]" * 100_000, b'"' * 200_000):
        assert any(_cpu_seconds(text) < 0.1 for _ in range(5)), "84 ms at first, of everybody's"


def _cpu_seconds(text: bytes) -> float:
    """CPU seconds, which a busy machine does not inflate."""
    began = time.process_time()
    exceeds_depth(text, 32)
    return time.process_time() - began


def app_with_limits(house: LiveTables, people: People, **limits: Any) -> FastAPI:
    settings = Settings(
        data=Path("none"), sign_in=WEAK, limits=RequestLimits(**{**WIDE.model_dump(), **limits})
    )
    return create_app(house, people, settings)


def test_a_body_at_the_limit_passes_and_one_above_does_not(
    run: LoopRunner, house: LiveTables, people: People
) -> None:
    async def ask() -> None:
        async with client_of(app_with_limits(house, people, body_bytes_max=1_000)) as client:
            body = json.dumps({"name": "x", "password": ""}).encode()
            fits = body[:-2] + b"p" * (1_000 - len(body)) + body[-2:]
            answer = await client.post("/api/sign-in", content=fits, headers=JSON)
            assert (len(fits), answer.status_code) == (1_000, 401)
            answer = await client.post("/api/sign-in", content=fits[:-2] + b'p"}')
            assert answer.status_code == 413
            assert answer.json()["error"] == "The request body is larger than 1,000 bytes."

    run(ask())


def test_body_without_a_length_is_counted_as_it_arrives(
    run: LoopRunner, house: LiveTables, people: People
) -> None:
    sent = 0

    async def endless() -> AsyncIterator[bytes]:
        nonlocal sent
        while True:
            sent += 100
            yield b"x" * 100

    async def ask() -> None:
        async with client_of(app_with_limits(house, people, body_bytes_max=1_000)) as client:
            answer = await client.post("/api/sign-in", content=endless())
            assert answer.status_code == 413

    run(ask())
    assert sent <= 1_200


def test_slow_body_times_out(run: LoopRunner, house: LiveTables, people: People) -> None:
    async def slow() -> AsyncIterator[bytes]:
        yield b"{"
        await asyncio.Event().wait()

    async def ask() -> None:
        async with client_of(app_with_limits(house, people, body_timeout_seconds=0.01)) as client:
            answer = await client.post("/api/sign-in", content=slow())
            assert (answer.status_code, answer.json()["error"]) == (
                408,
                "The request body took too long to arrive.",
            )

    run(ask())


def test_disconnected_client_gets_no_answer(run: LoopRunner) -> None:
    async def never(*_: Any) -> None:
        raise AssertionError("the app was asked")

    async def disconnect() -> dict[str, str]:
        return {"type": "http.disconnect"}

    headers = [(b"host", b"localhost")]
    scope: dict[str, Any] = {"type": "http", "method": "GET", "client": None, "headers": headers}
    edge = Edge(never, Settings(data=Path()), Limiter(RequestLimits()))
    run(edge(scope, disconnect, never))


def test_json_depth_is_limited(run: LoopRunner, house: LiveTables, people: People) -> None:
    async def ask() -> None:
        async with client_of(app_with_limits(house, people, json_depth_max=4)) as client:
            answer = await client.post("/api/sign-in", content="[" * 4 + "]" * 4, headers=JSON)
            assert answer.status_code == 422
            answer = await client.post("/api/sign-in", content="[" * 5 + "]" * 5)
            assert answer.status_code == 400
            assert answer.json()["error"] == "The request body is nested deeper than 4 levels."

    run(ask())


def test_json_values_are_limited_and_more_so_for_guests(
    run: LoopRunner, house: LiveTables, people: People
) -> None:
    """16,000 unknown fields once blocked everyone for 220 ms."""
    app = app_with_limits(house, people, json_values_max=200)

    async def ask() -> None:
        async with client_of(app) as client, client_of(app) as member:
            member.cookies.set(SESSION_COOKIE, token_of(app.state.server, "player"))
            for asker, values_max in ((client, 10), (member, 200)):
                for number, status in ((values_max, 422), (values_max + 1, 400)):
                    body = json.dumps(["a, b, c"] * number)
                    answer = await asker.post("/api/sign-in", content=body, headers=JSON)
                    assert answer.status_code == status, answer.text
                    message = f"The request body has more than {values_max} values."
                    assert status == 422 or answer.json()["error"] == message

    run(ask())


def test_too_many_requests_get_a_retry_time(
    run: LoopRunner, house: LiveTables, people: People
) -> None:
    app = app_with_limits(house, people, requests_per_second=0.1, requests_burst=2)

    async def ask() -> None:
        async with client_of(app) as client, client_of(app, "10.0.0.9") as other:
            answers = [await client.get("/api/me") for _ in range(3)]
            assert [answer.status_code for answer in answers] == [401, 401, 429]
            assert answers[-1].json()["error"] == "Too many requests. Slow down."
            assert answers[-1].headers["retry-after"] == "10"
            assert (await client.get("/api/health")).status_code == 200, "under any flood"
            assert (await other.get("/api/me")).status_code == 401

    run(ask())


def test_failed_sign_ins_are_delayed_and_links_are_not(run: LoopRunner, app: FastAPI) -> None:
    login_throttle = app.state.server.login_throttle
    login_throttle.addresses.free, login_throttle.addresses._clock = 2, lambda: 0.0

    async def ask() -> None:
        async with client_of(app) as client:
            given = {"name": "nobody", "password": "whatever it is"}
            answers = [await client.post("/api/sign-in", json=given) for _ in range(3)]
            answer = answers[-1]
            assert [answer.status_code for answer in answers] == [401, 401, 429]
            assert (await client.get("/api/invitations/guessed")).status_code == 404
            assert answer.json()["error"].startswith("Too many attempts from this address")
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
def test_malformed_bodies_are_client_errors(
    run: LoopRunner, house: LiveTables, people: People, body: bytes
) -> None:
    before = house.ledger.streams()

    async def ask() -> None:
        async with client_of(app_with_limits(house, people)) as client:
            answer = await client.post("/api/sign-in", content=body, headers=JSON)
            assert 400 <= answer.status_code < 500
            assert len(answer.json()["error"]) < 300

    run(ask())
    assert house.ledger.streams() == before


def test_sign_out_clears_the_cookie(run: LoopRunner, house: LiveTables, people: People) -> None:
    async def ask() -> None:
        async with client_of(app_with_limits(house, people)) as client:
            answer = await client.post("/api/sign-out")
            assert "Max-Age=0" in cookie_line(answer)

    run(ask())
