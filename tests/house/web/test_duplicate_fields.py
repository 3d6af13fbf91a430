"""A repeated field is ambiguous: refused over HTTP as over a socket."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from fastapi.routing import APIRoute
from tests.house.web.conftest import PASSWORD, LoopRunner, client_of, token_of
from tests.house.web.test_access import HTTP, fill_path
from tests.house.web.test_routes_tables import STUD, guest_of

from pitbook.house.people.account_register import ROLES
from pitbook.house.people.sessions import SESSION_COOKIE
from pitbook.house.web.access import ROUTE_ROLES
from pitbook.house.web.server import Server

WRITING = [route for route in HTTP if route.body_field is not None]
JSON = {"content-type": "application/json"}
TWICE = '{"a": 1, "a": 2}'
MESSAGE = 'Field "a" appears twice in one object. Send it once.'


async def send_json(
    client: httpx.AsyncClient, path: str, body: str, **headers: str
) -> httpx.Response:
    return await client.post(path, content=body.encode(), headers={**JSON, **headers})


@pytest.mark.long
def test_every_route_refuses_repeated_fields(run: LoopRunner, app: FastAPI, server: Server) -> None:
    async def ask(route: APIRoute) -> Any:
        asker = next((role for role in ROLES if role in ROUTE_ROLES[route.name]), None)
        async with client_of(app) as client:
            if asker is not None:
                client.cookies.set(SESSION_COOKIE, token_of(server, asker))
            method = min(route.methods or {"POST"})
            return await client.request(method, fill_path(route.path), content=TWICE, headers=JSON)

    wrong = []
    before = server.house.ledger.streams()
    for route in WRITING:
        answer = run(ask(route))
        if (answer.status_code, answer.json()["error"]) != (400, MESSAGE):
            wrong.append(f"{route.name}: {answer.status_code} {answer.text[:100]}")
    assert wrong == []
    assert len(WRITING) > 40
    assert server.house.ledger.streams() == before


BODIES = {
    "deep": ('{"request": "r", "command": {"do": "sit", "seat": 1, "seat": 2}}', "seat"),
    "in a list": ('[{"x": 1}, {"x": 1, "y": 2, "x": 1}]', "x"),
    "in other letters": ('{"seat": 1, "s\\u0065at": 2}', "seat"),
    "the same twice": ('{"x": 1, "x": 1}', "x"),
    "of no length": ('{"": 1, "": 2}', ""),
}


@pytest.mark.parametrize("name", BODIES)
def test_repeated_field_is_refused_anywhere(
    run: LoopRunner, client: httpx.AsyncClient, name: str
) -> None:
    body, field = BODIES[name]
    path = f"/api/tables/{run(guest_of(client, STUD)).table}/commands"
    for kind in ("application/json", "application/json; charset=utf-8", "application/x+json"):
        answer = run(send_json(client, path, body, **{"content-type": kind}))
        assert answer.status_code == 400, answer.text
        assert answer.json()["error"].startswith(f'Field "{field}" appears twice in one object')
    bare = httpx.Request("POST", f"http://127.0.0.1:8710{path}", content=body.encode())
    assert "content-type" not in bare.headers
    bare.headers["cookie"] = f"{SESSION_COOKIE}={client.cookies[SESSION_COOKIE]}"
    assert run(client.send(bare)).status_code in (400, 422)


def test_non_finite_numbers_are_refused(run: LoopRunner, client: httpx.AsyncClient) -> None:
    for number in ("NaN", "Infinity", "-Infinity"):
        answer = run(send_json(client, "/api/practice", f'{{"sheet": {number}}}'))
        message = f"{number} is not a number in JSON."
        assert (answer.status_code, answer.json()["error"]) == (400, message)


def test_valid_json_is_accepted_and_other_text_refused(
    run: LoopRunner, client: httpx.AsyncClient
) -> None:
    document = json.dumps({"name": "ann", "password": PASSWORD})
    assert run(send_json(client, "/api/sign-in", document)).status_code == 200
    marked = b"\xef\xbb\xbf" + document.encode()
    answer = run(client.post("/api/sign-in", content=marked, headers=JSON))
    assert answer.status_code in (200, 422), answer.text
    twice = '{"name": "bob", "name": "ann"}'.encode("utf-16")
    assert run(client.post("/api/sign-in", content=twice, headers=JSON)).status_code == 400
    for broken in ("{", '{"name": }', "", "\x00", '{"a": "\\ud800"}', f'{{"a": {"9" * 5000}}}'):
        answer = run(send_json(client, "/api/sign-in", broken))
        assert answer.status_code in (400, 422), (broken, answer.text)
        assert "twice" not in answer.text
