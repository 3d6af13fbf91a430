"""Requests that no client of good will would send: broken bodies, odd paths, lying headers."""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random
from typing import Any, NamedTuple
from urllib.parse import quote

from tests.fuzz import spoken
from tests.fuzz.asked import Request
from tests.fuzz.floor import Floor
from tests.fuzz.known import Known
from tests.house.web.described_bodies import example

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


class Place(NamedTuple):
    """An operation of the API, with a body as its description shows it."""

    method: str
    path: str
    body: Any


def places(document: dict[str, Any]) -> list[Place]:
    """Every operation."""
    return [
        Place(method.upper(), path, example(document, told.get("requestBody", {})))
        for path, methods in document["paths"].items()
        for method, told in methods.items()
    ]


def malformed(floor: Floor, luck: Random, known_places: list[Place]) -> Request:
    """A request to some operation with one to three things wrong about it."""
    place, known = luck.choice(known_places), Known(floor, luck)
    names = [part[1:-1] for part in place.path.split("/") if part.startswith("{")]
    parts = known.among(dict.fromkeys(names, "1"))
    target = place.path.format(**{key: quote(str(value), safe="") for key, value in parts.items()})
    body = b"" if place.body is None else json.dumps(known.body(place.body)).encode()
    request = Request(place.method, target, {"content-type": "application/json"}, body)
    for _ in range(luck.randrange(1, 4)):
        request = luck.choice(_WRONGS)(luck, request)
    return request


def _body(luck: Random, request: Request) -> Request:
    text = request.body.decode(errors="replace") or "{}"
    bodies: tuple[Callable[[], bytes], ...] = (
        lambda: spoken.noise(luck),
        lambda: spoken.broken(luck, text).encode(errors="surrogatepass"),
        lambda: spoken.broken(luck, text).encode(errors="surrogatepass"),
        lambda: _bent(luck, text),
        lambda: _bent(luck, text),
        lambda: text.encode(luck.choice(CODINGS), errors="replace"),
        lambda: request.body.replace(b'"', b'"\x00', 1),
        lambda: request.body.replace(b":", b':"\xed\xa0\x80', 1),
        lambda: luck.choice(
            (b"", b" ", b"null", b"[]", b"0", b'""', b"NaN", b"-", b"\xef\xbb\xbf{}")
        ),
        lambda: b'{"a":' * luck.choice((20, 33, 5_000)) + b"1",
        lambda: b'{"command":' + b"9" * 5_000 + b"}",
        lambda: b" " * 200_001,
    )
    return request._replace(body=luck.choice(bodies)())


def _bent(luck: Random, text: str) -> bytes:
    try:
        return json.dumps(spoken.bent(luck, json.loads(text))).encode()
    except (ValueError, RecursionError):  # It was broken before.
        return text.encode(errors="surrogatepass")


def _path(luck: Random, request: Request) -> Request:
    parts = request.target.split("/")
    at = luck.randrange(1, len(parts))
    segment = luck.choice((*SEGMENTS, quote(spoken.letters(luck), safe="")))
    ways = (
        [*parts[:at], segment, *parts[at + 1 :]],
        [*parts[:at], segment, *parts[at:]],
        [*parts[:-1], segment],
        [*parts, ""],
    )
    return request._replace(target="/".join(luck.choice(ways)))


def _query(luck: Random, request: Request) -> Request:
    return request._replace(target=f"{request.target}?{luck.choice(QUERIES)}")


def _method(luck: Random, request: Request) -> Request:
    return request._replace(method=luck.choice(METHODS))


def _type(luck: Random, request: Request) -> Request:
    return request._replace(headers={**request.headers, "content-type": luck.choice(TYPES)})


def _header(luck: Random, request: Request) -> Request:
    return request._replace(headers={**request.headers, **luck.choice(HEADERS)})


_WRONGS = (_body, _body, _body, _path, _path, _query, _method, _type, _header)
