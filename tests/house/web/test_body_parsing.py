"""A body is parsed the same way for any content type and encoding."""

from __future__ import annotations

import httpx
import pytest
from tests.house.web.conftest import LoopRunner

TWICE = b'{"sheet": "a", "sheet": "b"}'
JSON, TEXT = b"application/json", b"text/plain"
KINDS = {
    "as JSON, then as text": (JSON, TEXT),
    "as text, then as JSON": (TEXT, JSON),
    "as text": (TEXT,),
    "as nothing": (),
    "with a space of Latin-1": (JSON + b"\xa0",),
    "with a new line of Latin-1": (JSON + b"\x85; charset=utf-8",),
    "with a separator of ASCII": (JSON + b"\x1f",),
}
DEPTHS = '{"sheet": ["\\"", ' + "[" * 200 + "]" * 200 + "]}"
VALUES = '{"sheet": ["\\"", ' + "1, " * 2_000 + "1]}"


async def send_body(client: httpx.AsyncClient, body: bytes, *kinds: bytes) -> httpx.Response:
    request = client.build_request("POST", "/api/practice", content=body)
    others = [header for header in request.headers.raw if header[0].lower() != b"content-type"]
    request.headers = httpx.Headers([*others, *((b"Content-Type", kind) for kind in kinds)])
    return await client.send(request)


@pytest.mark.parametrize("name", KINDS)
def test_repeated_field_is_refused_for_any_content_type(
    run: LoopRunner, client: httpx.AsyncClient, name: str
) -> None:
    answer = run(send_body(client, TWICE, *KINDS[name]))
    message = 'Field "sheet" appears twice in one object. Send it once.'
    assert (answer.status_code, answer.json()["error"]) == (400, message)


@pytest.mark.parametrize("letters", ["utf-16", "utf-16-be", "utf-16-le", "utf-32", "utf-32-be"])
def test_other_encodings_cannot_hide_depth_or_size(
    run: LoopRunner, client: httpx.AsyncClient, letters: str
) -> None:
    for body in (DEPTHS, VALUES, '{"sheet": "catfish-bend/mississippi-stud"}'):
        answer = run(send_body(client, body.encode(letters), JSON))
        assert (answer.status_code, answer.json()["error"]) == (
            400,
            "The request body is not UTF-8 text.",
        )
