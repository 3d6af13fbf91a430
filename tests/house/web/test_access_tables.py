"""Every role at every kind of table, their own and others': each command, each route."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from fastapi.routing import APIRoute
from tests.house.table.test_commands import EACH
from tests.house.table.test_rights import ALLOWED
from tests.house.web.conftest import WEAK, WIDE, LoopRunner, SignedIn, client_of, token_of
from tests.house.web.live_server import SHEETS
from tests.house.web.test_access import HTTP

from pitbook import load
from pitbook.house.people.account_register import ROLES, Role
from pitbook.house.people.sessions import SESSION_COOKIE
from pitbook.house.settings import Settings
from pitbook.house.table import commands
from pitbook.house.table.commands import Command, encode
from pitbook.house.table.live_tables import LiveTables
from pitbook.house.web.access import ROUTE_ROLES, STRANGER
from pitbook.house.web.server import Server

TABLES = {"house": "h", "typed": "t", "practice": "p"}
# Other roles watch, wherever they may enter.
ROLES_WITH_COMMANDS = "player", "dealer", "supervisor"
AT_TABLES = [route for route in HTTP if "{table}" in route.path]


# After which there is no table.
ORDER = sorted(EACH, key=lambda command: isinstance(command, commands.Retire))


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """No rate limits."""
    limits = {"commands_per_second": 1e6, "commands_burst": 10**6}
    return Settings(data=tmp_path, sign_in=WEAK, limits=WIDE.model_copy(update=limits))


async def open_tables(house: LiveTables) -> None:
    """A table of each kind; the practice table belongs to zoe, who is none of the callers."""
    sheet = load(SHEETS[0])
    await house.open_table("h", "house", unit="usd", sheet=sheet)
    await house.open_table("t", "typed", unit="usd", sheet=sheet)
    await house.open_table("p", "practice", unit="play", sheet=sheet, owner="zoe")


def outcome(role: Role, kind: str, command: Command) -> str:
    """The expected outcome by the table of rights: unseen, silent, denied or heard."""
    if kind == "practice" and role != "supervisor":
        return "unseen"
    if role == "guest":
        return "unseen"
    if role not in ROLES_WITH_COMMANDS:
        return "silent"
    if isinstance(command, commands.AdviceShown):
        return "silent"
    listed = type(command).__name__ in ALLOWED[role, kind]
    return "heard" if listed else "denied"


def answered_as(answer: httpx.Response) -> str:
    """The actual outcome."""
    document = answer.json()
    # As if there were no such table: guests learn nothing about others'.
    if answer.status_code == 404:
        return "unseen"
    if answer.status_code == 403:
        return (
            "unseen"
            if "have no table" in document["error"] or "another player" in document["error"]
            else "silent"
        )
    refusal_message = document.get("refused", {}).get("message", "")
    return (
        "denied"
        if "can do this" in refusal_message or "is not available at" in refusal_message
        else "heard"
    )


@pytest.mark.long
@pytest.mark.parametrize("role", ROLES)
def test_every_command_of_every_role_at_every_kind_of_table(
    run: LoopRunner, house: LiveTables, signed_in: SignedIn, role: Role
) -> None:
    async def ask() -> None:
        await open_tables(house)
        client = signed_in(role)
        for kind, table in TABLES.items():
            for number, command in enumerate(ORDER):
                before = house.ledger.streams()
                body = {"request": f"{kind} {number}", "command": encode(command)}
                answer = await client.post(f"/api/tables/{table}/commands", json=body)
                where = f"{role} {kind} {command}: {answer.status_code} {answer.text}"
                assert answer.status_code in (200, 409, 404 if role == "guest" else 403), where
                assert answered_as(answer) == outcome(role, kind, command), where
                if answer.status_code != 200:
                    assert house.ledger.streams() == before, where

    run(ask())


def test_catalog_lists_every_table_route() -> None:
    assert {route.name for route in AT_TABLES} <= set(ROUTE_ROLES)
    assert {"see_table", "command", "rounds", "proof", "advice", "watch"} <= {
        route.name for route in AT_TABLES
    }


def path_of(route: APIRoute, table: str) -> str:
    return route.path.replace("{table}", table).replace("{round}", f"{table}-000001")


@pytest.mark.long
@pytest.mark.parametrize("asker", [STRANGER, *ROLES])
def test_practice_table_of_another_player_is_private(
    run: LoopRunner, app: FastAPI, server: Server, asker: Any
) -> None:
    """Each route gets its own table, which belongs to zoe."""

    async def ask(route: APIRoute) -> httpx.Response:
        table, sheet = f"of-{route.name.replace('_', '-')}", load(SHEETS[0])
        await server.house.open_table(table, "practice", unit="play", sheet=sheet, owner="zoe")
        async with client_of(app) as client:
            if asker != STRANGER:
                client.cookies.set(SESSION_COOKIE, token_of(server, asker))
            method = min(route.methods or {"GET"})
            return await client.request(method, path_of(route, table), json=BODIES.get(route.name))

    wrong = []
    for route in AT_TABLES:
        if (route.name, asker) == ("watch", "supervisor"):
            continue  # A stream does not end; test_watch.py watches it.
        answer = run(ask(route))
        if not has_expected_status(asker, answer.status_code):
            wrong.append(f"{route.name}: {answer.status_code} {answer.text[:200]}")
    assert wrong == []


def has_expected_status(asker: Any, status: int) -> bool:
    """Whether the caller gets the expected status."""
    if asker == STRANGER:
        return status == 401
    if asker == "supervisor":
        return status < 500 and status != 401
    return status in ((403, 404) if asker == "guest" else (403,))


BODIES: dict[str, Any] = {
    "command": {"request": "r", "command": {"do": "coach", "on": True}},
    "advice": {"seat": 1},
    "weigh": {"seat": 1, "play": "1x"},
    "practice_spot": {"missed": True},
    "autoplay": {"seat": 1},
}
