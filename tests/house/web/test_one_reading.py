"""A body is read in one way, whatever its headers call it and however its letters are written."""

from __future__ import annotations

import httpx
import pytest
from tests.house.web.conftest import Running

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


async def sent(client: httpx.AsyncClient, body: bytes, *kinds: bytes) -> httpx.Response:
    asked = client.build_request("POST", "/api/practice", content=body)
    others = [one for one in asked.headers.raw if one[0].lower() != b"content-type"]
    asked.headers = httpx.Headers([*others, *((b"Content-Type", kind) for kind in kinds)])
    return await client.send(asked)


@pytest.mark.parametrize("name", KINDS)
def test_a_field_twice_is_refused_whatever_the_body_is_called(
    run: Running, client: httpx.AsyncClient, name: str
) -> None:
    answer = run(sent(client, TWICE, *KINDS[name]))
    told = 'a field is written twice in one object: "sheet"; write it once'
    assert (answer.status_code, answer.json()["error"]) == (400, told)


@pytest.mark.parametrize("letters", ["utf-16", "utf-16-be", "utf-16-le", "utf-32", "utf-32-be"])
def test_no_other_letters_hide_how_deep_or_how_much_it_is(
    run: Running, client: httpx.AsyncClient, letters: str
) -> None:
    for body in (DEPTHS, VALUES, '{"sheet": "catfish-bend/mississippi-stud"}'):
        answer = run(sent(client, body.encode(letters), JSON))
        assert (answer.status_code, answer.json()["error"]) == (
            400,
            "the body is no text in UTF-8; write JSON in that",
        )
