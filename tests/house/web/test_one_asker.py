"""Whoever asks is the same at the gate, which has budgets, and at the route, which acts."""

from __future__ import annotations

from itertools import permutations

import pytest
from starlette.requests import HTTPConnection
from tests.house.web.conftest import token_of

from pitbook.house.people.sessions import SESSION_COOKIE
from pitbook.house.web.rate_limits import client_identifier
from pitbook.house.web.server import Server

OTHERS = (f"{SESSION_COOKIE}=x", f"{SESSION_COOKIE}_=x", f"a{SESSION_COOKIE}=x", "other=1", "")


@pytest.mark.parametrize("between", ["; ", None])
def test_however_cookies_are_sent_the_gate_knows_whom_the_route_does(
    server: Server, between: str | None
) -> None:
    own = f"{SESSION_COOKIE}={token_of(server, 'player')}"
    staff = f"{SESSION_COOKIE}={token_of(server, 'dealer')}"
    known = client_identifier(server.sessions)
    for given in permutations((own, staff, *OTHERS), 3):
        lines = given if between is None else (between.join(given),)
        headers = [(b"cookie", one.encode()) for one in lines]
        scope = {"type": "http", "headers": headers, "client": ("10.0.0.1", 5)}
        found = server.sessions.read(HTTPConnection(scope).cookies.get(SESSION_COOKIE))
        asker = known(scope)
        assert asker.person == ("" if found is None else found.name), given
        assert asker.member == (found is not None), given
