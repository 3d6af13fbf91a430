"""An auditor sees everything and changes nothing: every route of the catalogue is tried."""

from __future__ import annotations

import re

import pytest
from fastapi.routing import APIRoute
from tests.house.inspect.test_inspect_reports import typed_evening
from tests.house.web.conftest import Running, SignedIn
from tests.house.web.described_bodies import example
from tests.house.web.test_access import routes

from pitbook.house.ledger.chain import Entry
from pitbook.house.table.commands import NAMES as COMMANDS
from pitbook.house.web.access import ROUTE_ROLES, STRANGER
from pitbook.house.web.server import Server

PLACES = {"table": "t", "round": "t-000002", "seat": "1", "venue": "catfish-bend"}
PLACES |= {"game": "mississippi-stud", "player": "Gil", "name": "Gil", "number": "1"}
# What is the auditor's own: the account, practice, lessons, a daily deal.
OWN = ("people", "persons", "practice/", "pupil/", "exams", "daily", "invitations")


def others(server: Server) -> dict[str, Entry | None]:
    """The last entry of every stream that is not the auditor's own affair."""
    ledger = server.house.ledger
    return {
        one.name: next(ledger.entries(one.name, after=one.seq - 1), None)
        for one in ledger.streams()
        if not one.name.startswith(OWN)
    }


@pytest.mark.long
def test_an_auditor_may_ask_for_all_that_is_read_by_staff_and_changes_nothing(
    run: Running, server: Server, signed_in: SignedIn
) -> None:
    asked = [one for one in routes() if isinstance(one, APIRoute)]
    reads = {one.name for one in asked if one.methods == {"GET"}}
    hidden = {name for name in reads if "supervisor" in ROUTE_ROLES[name]} - {
        name for name in reads if "auditor" in ROUTE_ROLES[name]
    }
    assert hidden == {"ticket"}  # By which somebody else would play.

    async def play() -> None:
        await typed_evening(server, signed_in)
        abe = signed_in("auditor")
        document = (await abe.get("/api/openapi.json")).json()
        before, tried = others(server), 0
        for route in asked:
            askers = ROUTE_ROLES[route.name]
            if "auditor" not in askers or STRANGER in askers or route.name == "watch":
                continue  # What strangers may ask for is nobody's right, and a stream has no end.
            path = re.sub(r"\{(\w+)[^}]*\}", lambda one: PLACES.get(one[1], "x"), route.path)
            for method in route.methods or ():
                told = document["paths"].get(route.path, {}).get(method.lower(), {})
                body = example(document, told.get("requestBody", {}))
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
