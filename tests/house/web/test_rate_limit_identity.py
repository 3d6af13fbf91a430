"""The gate, which has the budgets, and the route identify the same client."""

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
def test_gate_and_route_identify_the_same_client(server: Server, between: str | None) -> None:
    own_cookie = f"{SESSION_COOKIE}={token_of(server, 'player')}"
    staff = f"{SESSION_COOKIE}={token_of(server, 'dealer')}"
    identify = client_identifier(server.sessions)
    for given in permutations((own_cookie, staff, *OTHERS), 3):
        lines = given if between is None else (between.join(given),)
        headers = [(b"cookie", cookie_line.encode()) for cookie_line in lines]
        scope = {"type": "http", "headers": headers, "client": ("10.0.0.1", 5)}
        session = server.sessions.read(HTTPConnection(scope).cookies.get(SESSION_COOKIE))
        asker = identify(scope)
        assert asker.person == ("" if session is None else session.name), given
        assert asker.member == (session is not None), given
