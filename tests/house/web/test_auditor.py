"""An auditor sees everything and changes nothing: every route of the catalog is tried."""

from __future__ import annotations

import re

import pytest
from fastapi.routing import APIRoute
from tests.house.inspect.test_inspect_reports import typed_evening
from tests.house.web.conftest import LoopRunner, SignedIn
from tests.house.web.example_bodies import example
from tests.house.web.test_access import routes

from pitbook.house.ledger.hash_chain import Entry
from pitbook.house.table.commands import NAMES as COMMANDS
from pitbook.house.web.access import ROUTE_ROLES, STRANGER
from pitbook.house.web.server import Server

PLACES = {"table": "t", "round": "t-000002", "seat": "1", "venue": "catfish-bend"}
PLACES |= {"game": "mississippi-stud", "player": "Gil", "name": "Gil", "number": "1"}
# The auditor's own: account, practice, lessons, a daily deal.
OWN = ("people", "persons", "practice/", "pupil/", "exams", "daily", "invitations")


def others(server: Server) -> dict[str, Entry | None]:
    """The last entry of every stream not concerning the auditor."""
    ledger = server.house.ledger
    return {
        stream.name: next(ledger.entries(stream.name, after=stream.seq - 1), None)
        for stream in ledger.streams()
        if not stream.name.startswith(OWN)
    }


@pytest.mark.long
def test_auditor_reads_every_staff_route_and_changes_nothing(
    run: LoopRunner, server: Server, signed_in: SignedIn
) -> None:
    http_routes = [route for route in routes() if isinstance(route, APIRoute)]
    reads = {route.name for route in http_routes if route.methods == {"GET"}}
    hidden = {name for name in reads if "supervisor" in ROUTE_ROLES[name]} - {
        name for name in reads if "auditor" in ROUTE_ROLES[name]
    }
    assert hidden == {"ticket"}  # Others could play with it.

    async def play() -> None:
        await typed_evening(server, signed_in)
        abe = signed_in("auditor")
        document = (await abe.get("/api/openapi.json")).json()
        before, tried = others(server), 0
        for route in http_routes:
            askers = ROUTE_ROLES[route.name]
            if "auditor" not in askers or STRANGER in askers or route.name == "watch":
                continue  # Public routes need no role, and a stream has no end.
            path = re.sub(r"\{(\w+)[^}]*\}", lambda match: PLACES.get(match[1], "x"), route.path)
            for method in route.methods or ():
                operation = document["paths"].get(route.path, {}).get(method.lower(), {})
                body = example(document, operation.get("requestBody", {}))
                answer = await abe.request(method, path, json=body if method != "GET" else None)
                assert answer.status_code < 500, (path, answer.text)
                tried += 1
        for command in COMMANDS.values():
            body = {"request": f"a {command}", "command": {"do": command, "seat": 1}}
            answer = await abe.post("/api/tables/t/commands", json=body)
            assert answer.status_code in (400, 403, 409), answer.text
        assert tried > 60
        assert others(server) == before

    run(play())
