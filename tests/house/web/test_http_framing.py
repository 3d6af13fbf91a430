"""The server refuses HTTP requests that two parsers could read differently, on real sockets."""

from __future__ import annotations

import asyncio
import json
import re

import pytest
from tests.house.web.attacked_server import TargetServer, client_frame, open_target
from tests.house.web.conftest import LoopRunner, client_of
from tests.house.web.test_slow_connections import read_until_closed

from pitbook.house.people.accounts import People
from pitbook.house.table.live_tables import LiveTables
from pitbook.house.web.edge import DIGITS_MAX, parse_json

SIGN_IN = b'{"name": "ann", "password": "a guess"}'
CHUNKED = b"%x\r\n%s\r\n0\r\n\r\n" % (len(SIGN_IN), SIGN_IN)
LENGTH, ENCODING = f"Content-Length: {len(CHUNKED)}", "Transfer-Encoding: chunked"


def answers(response: bytes) -> list[int]:
    """The statuses of all responses on one connection."""
    return [int(status) for status in re.findall(rb"HTTP/1\.1 ([0-9]{3}) ", response)]


async def ask(house: LiveTables, people: People, request: object, *, cut: int = 0) -> list[int]:
    """Send a request and another one after it; return all answers until the connection closes.

    With `cut`, the first bytes come alone.
    """
    async with open_target(house, people) as attack:
        sent: bytes = request(attack)  # type: ignore[operator]
        message = sent + attack.head("/api/health", "GET", "Connection: close")
        reader, writer = await attack.line(message[:cut] if cut else message)
        if cut:
            await writer.drain()
            await asyncio.sleep(0.05)
            writer.write(message[cut:])
        response = await read_until_closed(reader)
        writer.close()
        assert await attack.health() == 200
        return answers(response)


def post(target: TargetServer, *headers: str) -> bytes:
    return target.head("/api/sign-in", "POST", "Content-Type: application/json", *headers)


@pytest.mark.parametrize(
    "headers", [(LENGTH, ENCODING), (ENCODING, LENGTH)], ids=["length first", "encoding first"]
)
def test_a_request_with_two_body_lengths_ends_the_connection(
    run: LoopRunner, house: LiveTables, people: People, headers: tuple[str, ...]
) -> None:
    """RFC 9112, section 6.1."""
    assert run(ask(house, people, lambda target: post(target, *headers) + CHUNKED)) == [400]


@pytest.mark.parametrize("cut", [0, 5, 40])
@pytest.mark.parametrize(
    "replaced",
    [
        (b"\r\n", b"\n"),
        (b" HTTP/1.1\r\n", b" HTTP/1.1\n"),
        (b"X-One: 1\r\n", b"X-One: 1\n"),
        (b"\r\n\r\n", b"\n\n"),
        (b"\r\n\r\n", b"\r\n\n"),
        (b"\r\n\r\n", b"\n\r\n"),
        (b"X-One: 1", b"X-One: 1\nX-Two: 2"),
    ],
)
def test_bare_line_feed_does_not_end_a_header_line(
    run: LoopRunner, house: LiveTables, people: People, replaced: tuple[bytes, bytes], cut: int
) -> None:
    def request(target: TargetServer) -> bytes:
        return target.head("/api/health", "GET", "X-One: 1").replace(*replaced)

    assert run(ask(house, people, request, cut=cut)) == [400]


@pytest.mark.parametrize("trailer", [b"X-One: 1\n\r\n", b"X-One: 1\r\n\n", b"\n", b"X: 1\n\n"])
def test_bare_line_feed_does_not_end_a_trailer(
    run: LoopRunner, house: LiveTables, people: People, trailer: bytes
) -> None:
    def request(target: TargetServer) -> bytes:
        return post(target, ENCODING) + CHUNKED.removesuffix(b"\r\n") + trailer

    assert run(ask(house, people, request)) == [400]


def test_one_body_length_of_either_kind_is_read(
    run: LoopRunner, house: LiveTables, people: People
) -> None:
    def with_length(target: TargetServer) -> bytes:
        return post(target, f"Content-Length: {len(SIGN_IN)}") + SIGN_IN

    def with_chunks(target: TargetServer) -> bytes:
        return post(target, ENCODING) + CHUNKED

    def with_trailer(target: TargetServer) -> bytes:
        return post(target, ENCODING) + CHUNKED.removesuffix(b"\r\n") + b"X-One: 1\r\n\r\n"

    for request in (with_length, with_chunks, with_trailer):
        assert run(ask(house, people, request)) == [401, 200]


@pytest.mark.parametrize(
    ("number", "sentence"),
    [
        ("1" + "0" * 99_999, "A number has 100,000 digits. The limit is 400."),
        ("-" + "1" * 5_000, "A number has 5,000 digits. The limit is 400."),
        ("1e999999999", "The number 1e999999999 is too large."),
        ("-1.5E400", "The number -1.5E400 is too large."),
    ],
)
@pytest.mark.parametrize("path", ["/api/practice", "/api/sign-in", "/api/sheets/check"])
def test_number_that_is_too_long_gets_its_own_message(
    run: LoopRunner, app: object, path: str, number: str, sentence: str
) -> None:
    async def send() -> None:
        async with client_of(app) as client:  # type: ignore[arg-type]
            body = f'{{"sheet": {number}}}'
            answer = await client.post(path, content=body)
            assert (answer.status_code, answer.json()["error"]) == (400, sentence)

    run(send())


def test_whole_number_at_the_limit_is_left_to_the_route(run: LoopRunner, app: object) -> None:
    async def send() -> None:
        async with client_of(app) as client:  # type: ignore[arg-type]
            body = f'{{"sheet": {"1" * DIGITS_MAX}}}'
            assert (await client.post("/api/practice", content=body)).status_code == 422

    run(send())


def test_a_frame_with_a_number_that_is_too_long_is_refused_in_words(
    run: LoopRunner, house: LiveTables, people: People
) -> None:
    async def send() -> None:
        async with open_target(house, people) as target:
            reader, writer = await target.socket(*await target.guest())
            writer.write(client_frame(b'{"ping": 1' + b"0" * 10_000 + b"}"))
            async with asyncio.timeout(30):
                heard = await reader.readuntil(b"digits. The limit is 400")
            assert b"A number has 10,001 digits" in heard
            writer.close()

    run(send())


def test_json_numbers_keep_their_value() -> None:
    text = json.dumps([0, -1, 2**64, 1.5, 1e308, 5e-324])
    assert parse_json(text) == parse_json(text.encode()) == json.loads(text)
