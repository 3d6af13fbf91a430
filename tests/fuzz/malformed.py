"""Requests that no well-behaved client would send: broken bodies, odd paths, false headers."""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random
from typing import Any, NamedTuple
from urllib.parse import quote

from tests.fuzz import commands
from tests.fuzz.house import Floor
from tests.fuzz.known_values import KnownValues
from tests.fuzz.requests import Request
from tests.house.web.example_bodies import example

from pitbook.house.people.sessions import SESSION_COOKIE

METHODS = (
    "GET",
    "POST",
    "PUT",
    "PATCH",
    "DELETE",
    "HEAD",
    "OPTIONS",
    "TRACE",
    "CONNECT",
    "get",
    "X",
)
TYPES = (
    *("", "text/plain", "application/JSON", "application/json; charset=utf-16", "application/xml"),
    *(
        "application/x-www-form-urlencoded",
        "multipart/form-data",
        "multipart/form-data; boundary=x",
    ),
    *("application/json; charset=nonsense", "application/vnd.api+json", ";" * 500, "a/b/c", "\xff"),
)
SEGMENTS = (
    *("%00", "%2e%2e", "..", ".", "%2f", "%5c", "%c0%af", "%ed%a0%80", "%ff", "%", "%zz", "%u0041"),
    *(
        "%0d%0aX: y",
        "x" * 8_000,
        "%41" * 3_000,
        "",
        "//",
        "live-1;a=b",
        "LIVE-1",
        " live-1",
        "live-1 ",
    ),
    *("%F0%9F%82%A1", "%25%30%30", "1e9", "-1", "9" * 5_000, "{table}", "$(id)", "..%2f..%2fkeys"),
)
QUERIES = (
    *(
        "from",
        "from=",
        "from=%00",
        "from=1&from=2",
        "&&&",
        "=",
        "%",
        "a=%zz",
        "on=0000-00-00",
        "count=0",
    ),
    *(
        "seats=9" + "9" * 5_000,
        "ante=NaN",
        "ante=1e999",
        "ante=-1",
        "player=%ff",
        "count=1e2",
        "x" * 9_000,
    ),
    *(
        "from=9999-12-31&to=0001-01-01",
        "to=9999-12-31",
        "from=2026-11-15T18:30%2b99:99",
        "wager=%00",
    ),
)
HEADERS: tuple[dict[str, str], ...] = (
    {"content-length": "-1"},
    {"content-length": "9" * 5_000},
    {"content-length": "٣"},
    {"content-length": "1"},
    {"transfer-encoding": "chunked"},
    {"expect": "100-continue"},
    {"origin": "null"},
    {"origin": "https://elsewhere.example"},
    {"sec-fetch-site": "cross-site"},
    {"host": ""},
    {"host": "[::1"},
    {"host": "elsewhere.example"},
    {"host": "127.0.0.1:99999999"},
    {"accept": "text/html"},
    {"accept": "\xff" * 300},
    {"last-event-id": "9" * 20},
    {"last-event-id": "²"},
    {"x-forwarded-for": "1.2.3.4, ::1"},
    {"forwarded": "for=unknown"},
    {"cookie": SESSION_COOKIE},
    {"cookie": f"{SESSION_COOKIE}={'a.' * 2_000}"},
    {"cookie": f"{SESSION_COOKIE}=é.è; {SESSION_COOKIE}=.; =;;"},
    {"cookie": f'{SESSION_COOKIE}="\\000"'},
    {"authorization": "Basic ="},
)
CODINGS = ("utf-16", "utf-32", "utf-8-sig", "latin-1", "utf-7")


class Operation(NamedTuple):
    """An operation of the API, with an example body."""

    method: str
    path: str
    body: Any


def list_operations(document: dict[str, Any]) -> list[Operation]:
    return [
        Operation(method.upper(), path, example(document, operation.get("requestBody", {})))
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    ]


def malformed_request(floor: Floor, rng: Random, known_places: list[Operation]) -> Request:
    """A request to some operation with one to three things wrong."""
    place, known_values = rng.choice(known_places), KnownValues(floor, rng)
    names = [part[1:-1] for part in place.path.split("/") if part.startswith("{")]
    parts = known_values.replace_fields(dict.fromkeys(names, "1"))
    target = place.path.format(**{key: quote(str(value), safe="") for key, value in parts.items()})
    body = b"" if place.body is None else json.dumps(known_values.replace_body(place.body)).encode()
    request = Request(place.method, target, {"content-type": "application/json"}, body)
    for _ in range(rng.randrange(1, 4)):
        request = rng.choice(_MUTATIONS)(rng, request)
    return request


def _break_body(rng: Random, request: Request) -> Request:
    text = request.body.decode(errors="replace") or "{}"
    bodies: tuple[Callable[[], bytes], ...] = (
        lambda: commands.random_bytes(rng),
        lambda: commands.mutate_text(rng, text).encode(errors="surrogatepass"),
        lambda: commands.mutate_text(rng, text).encode(errors="surrogatepass"),
        lambda: _mutate_body(rng, text),
        lambda: _mutate_body(rng, text),
        lambda: text.encode(rng.choice(CODINGS), errors="replace"),
        lambda: request.body.replace(b'"', b'"\x00', 1),
        lambda: request.body.replace(b":", b':"\xed\xa0\x80', 1),
        lambda: rng.choice(
            (b"", b" ", b"null", b"[]", b"0", b'""', b"NaN", b"-", b"\xef\xbb\xbf{}")
        ),
        lambda: b'{"a":' * rng.choice((20, 33, 5_000)) + b"1",
        lambda: b'{"command":' + b"9" * 5_000 + b"}",
        lambda: b" " * 200_001,
    )
    return request._replace(body=rng.choice(bodies)())


def _mutate_body(rng: Random, text: str) -> bytes:
    try:
        return json.dumps(commands.mutate(rng, json.loads(text))).encode()
    except (ValueError, RecursionError):  # It was already broken.
        return text.encode(errors="surrogatepass")


def _break_path(rng: Random, request: Request) -> Request:
    parts = request.target.split("/")
    at = rng.randrange(1, len(parts))
    segment = rng.choice((*SEGMENTS, quote(commands.random_text(rng), safe="")))
    paths = (
        [*parts[:at], segment, *parts[at + 1 :]],
        [*parts[:at], segment, *parts[at:]],
        [*parts[:-1], segment],
        [*parts, ""],
    )
    return request._replace(target="/".join(rng.choice(paths)))


def _break_query(rng: Random, request: Request) -> Request:
    return request._replace(target=f"{request.target}?{rng.choice(QUERIES)}")


def _change_method(rng: Random, request: Request) -> Request:
    return request._replace(method=rng.choice(METHODS))


def _change_type(rng: Random, request: Request) -> Request:
    return request._replace(headers={**request.headers, "content-type": rng.choice(TYPES)})


def _change_headers(rng: Random, request: Request) -> Request:
    return request._replace(headers={**request.headers, **rng.choice(HEADERS)})


_MUTATIONS = (
    _break_body,
    _break_body,
    _break_body,
    _break_path,
    _break_path,
    _break_query,
    _change_method,
    _change_type,
    _change_headers,
)
