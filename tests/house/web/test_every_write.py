"""The audit stays sound after every route and every command that writes to a house."""

from __future__ import annotations

import io
import shlex
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from string import Template
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from fastapi.routing import APIRoute, APIWebSocketRoute
from starlette.routing import Match
from tests.command_line import Ask, ask  # noqa: F401  The second is a fixture.
from tests.house.nights.gaming_date import noon_date_and_zone
from tests.house.web import route_answers
from tests.house.web.conftest import NAMES, PASSWORD, LoopRunner, client_of, open_house
from tests.house.web.live_server import serving, socket
from tests.house.web.route_answers import STUD, walk

from pitbook.cli.app import _commands
from pitbook.house.ledger.data_folder import KEYS_FILE
from pitbook.house.people.account_register import Person
from pitbook.house.people.sessions import SESSION_COOKIE
from pitbook.house.table import commands
from pitbook.house.table.commands import By, Envelope
from pitbook.house.table.live_tables import LiveTables

SAFE = {"GET", "HEAD", "OPTIONS"}
SCHEDULE = """
title = "Evening"
kind = "multi-table"
sheet = "oceanfront/mississippi-stud"
seats = 6
enter_until_level = 2
buy_in = { costs = "60", fee = "10", chips = "1000" }
re_buy = { costs = "40", chips = "1000", player_max = 1, until_level = 2, chips_max = "1000" }
add_on = { costs = "30", chips = "500", player_max = 1, until_level = 2 }
levels = [{ minutes = 20 }, { minutes = 20 }, { minutes = 20 }]
prizes = [{ entrants = 2, shares = [100] }]
"""

# Commands that never write to a house; every other command needs an example below.
READ_ONLY = """
sheets list, sheets show, sheets check, sheets diff, sheets clause, sheets schema, settle,
rounds schema, rounds replay, rounds share, play, drill, verify-deal, math, advise, strategy,
compare, simulate, session, papers build, papers redline, papers result, papers list, bot,
users list, users excluded, night statement, night list, night show, night rules, night receipt,
night tables, night tournament show, night tournament ticket, night tournament tickets,
audit verify, audit explain, audit check-close, audit export, audit statement
"""
# These create their own house; the routes run against `serve`.
ELSEWHERE = {"restore", "demo", "serve"}
COMMANDS = """
users add zed player --stdin
users role zed brush
users password zed --stdin
users unlock zed
users reset zed
users forget-factor zed
users disable zed --why left
users enable zed --why back
users exclude "Yuri Low" --why "asked for it"
users readmit "Yuri Low" --why "the year is over"
night new fair --charity Library --license NH-2 --date $day --zone $zone
night correct fair --charity "Town Library"
night open fair
night float fair 500
night sell fair Ann 20
night sell fair Bob 20
night redeem fair Ann 10
night undo fair 4 --why miscounted
night open-table fair wheel $stud --derived
night tournament set-up fair.t1 s.toml
night tournament announce fair.t1
night tournament register fair.t1 Ann Bob Cy Dot
night tournament enter fair.t1 Ann
night tournament enter fair.t1 Bob
night tournament enter fair.t1 Cy
night tournament refund fair.t1 Cy
night tournament unregister fair.t1 Dot
night tournament check-in fair.t1 Ann
night tournament draw-seats fair.t1
night tournament message fair.t1 "Good luck" --minutes 5
night tournament start fair.t1
night tournament start-clock fair.t1
night tournament pause-clock fair.t1
night tournament resume-clock fair.t1
night tournament adjust-clock fair.t1 --seconds 60
night tournament next-level fair.t1
night tournament previous-level fair.t1
night tournament break fair.t1 5
night tournament next-level fair.t1
night tournament begin-round fair.t1 1
night tournament count-chips fair.t1 1 Ann=0 Bob=2000
night tournament re-buy fair.t1 Ann
night tournament add-on fair.t1 Bob
night tournament begin-round fair.t1 1
night tournament count-chips fair.t1 1 Ann=0 Bob=3500
night tournament eliminate fair.t1 Ann
night tournament undo fair.t1 $last --why wrong
night tournament eliminate fair.t1 Ann
night tournament post-prizes fair.t1
night tournament finish fair.t1
night tournament pay-out fair.t1 Bob
night tournament set-up fair.t2 s.toml
night tournament announce fair.t2
night tournament enter fair.t2 Ann
night tournament enter fair.t2 Bob
night tournament draw-seats fair.t2
night tournament start fair.t2
night tournament lay-out fair.t2
night tournament rotate-ticket fair.t2 Ann --why lost
night tournament revoke-ticket fair.t2 Ann
night tournament set-up fair.t3 s.toml
night tournament announce fair.t3
night tournament enter fair.t3 Ann
night tournament enter fair.t3 Bob
night tournament draw-seats fair.t3
night tournament start fair.t3
night tournament lay-out fair.t3
night tournament begin-round fair.t3 1
cut a hand short at fair.t3-1
night tournament go-on fair.t3
night tournament interrupt fair.t3 --why "power failure"
night tournament rule-hand fair.t3 1 --unreadable
night tournament set-up fair.t4 s.toml
night tournament announce fair.t4
night tournament enter fair.t4 Ann
night tournament enter fair.t4 Bob
night tournament draw-seats fair.t4
night tournament start fair.t4
night tournament begin-round fair.t4 1
night tournament interrupt fair.t4 --why "power failure"
night tournament rule-hand fair.t4 1 --readable --agreed Ann --agreed Bob
night tournament count-chips fair.t4 1 Ann=500 Bob=1500
night tournament undo fair.t4 $last
night tournament settle-interruption fair.t4
night tournament set-up fair.t5 small.toml
night tournament announce fair.t5
night tournament enter fair.t5 Ann
night tournament enter fair.t5 Bob
night tournament enter fair.t5 Cy
night tournament enter fair.t5 Dot
night tournament enter fair.t5 Eve
night tournament draw-seats fair.t5
night tournament start fair.t5
night tournament eliminate fair.t5 $at_table_2
night tournament balance fair.t5
night tournament eliminate fair.t5 $at_table_1
night tournament break-table fair.t5 2
night interrupted fair --why "power failure"
night close fair
night pay-unclaimed fair Bob
audit anchor --anchor anchor.jsonl
backup backup.zip
"""


@pytest.mark.long
def test_audit_is_sound_after_every_route_and_command_that_writes(  # noqa: PLR0917
    run: LoopRunner,
    app: FastAPI,
    house: LiveTables,
    tmp_path: Path,
    tmp_path_factory: pytest.TempPathFactory,
    ask: Ask,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Runs everything against one house; add an example for each new route or command."""
    answered = recorded_routes(app, monkeypatch)
    run(walk(app))
    run(play_over_socket(app))
    answered.add("socket")
    answered.add("screens")  # It only answers GET requests.
    assert writing_routes(app) - answered == set()
    run(house.close())

    def verify(data: Path) -> None:
        audit = ask("audit", "verify", "--data", str(data))
        assert audit.code == 0, audit.out

    verify(tmp_path)
    monkeypatch.chdir(elsewhere := tmp_path_factory.mktemp("elsewhere"))
    assert writing_commands() - set(run_commands(run, tmp_path, ask, monkeypatch)) == set()
    verify(tmp_path)
    keys = ("--keys", str(tmp_path / KEYS_FILE))
    restored = ask("restore", "backup.zip", "--data", "restored", *keys)
    assert restored.code == 0, restored.out
    verify(elsewhere / "restored")


def run_commands(
    run: LoopRunner,
    data: Path,
    ask: Ask,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[str]:
    """Run every example against a house; yields the names of the commands that succeeded."""
    Path("s.toml").write_text(SCHEDULE)
    Path("small.toml").write_text(SCHEDULE.replace("seats = 6", "seats = 3"))
    today = noon_date_and_zone()
    values = {"day": today["gaming_date"], "zone": today["zone"], "stud": STUD}
    for line in COMMANDS.strip().splitlines():
        if line.startswith("cut a hand short"):
            run(cut_hand_short(data, line.split()[-1]))
            continue
        if "$last" in line or "$at_table" in line:
            values |= field_of(ask, line.split()[3], data)
        monkeypatch.setattr(sys, "stdin", io.StringIO(f"{PASSWORD} six\n"))
        answer = ask(*shlex.split(Template(line).substitute(values)), "--data", str(data))
        assert answer.code == 0, (line, answer.err)
        yield next(name for name in leaf_commands() if line.startswith(f"{name} "))


def field_of(ask: Ask, tournament: str, data: Path) -> dict[str, str]:  # noqa: F811
    """Values that the examples need: a tournament's last fact and a player at each table."""
    tournament_document = ask(
        "night", "tournament", "show", tournament, "--json", "--data", str(data)
    ).document
    players = {
        f"at_table_{player['table']}": name
        for name, player in tournament_document["players"].items()
    }
    return players | {"last": str(tournament_document["last"]["number"])}


async def play_over_socket(app: FastAPI) -> None:
    """A wager at a practice table, sent over the table's socket."""
    token = app.state.server.sessions.issue(Person(NAMES["dealer"], "dealer"))
    async with client_of(app) as client, serving(app) as base:
        client.cookies.set(SESSION_COOKIE, token)
        table = (await client.post("/api/practice", json={"sheet": STUD})).json()["table"]
        async with socket(base, token, table) as connection:
            await connection.until("view")
            wager = {"seat": 1, "wager": "ante", "amount": "2"}
            answer = await connection.do(do="put-wager", **wager)
            assert "accepted" in answer, answer


async def cut_hand_short(data: Path, name: str) -> None:
    """A server that stops while cards are out."""
    async with open_house(data) as house:
        table = house.tables[name]
        (main, stake), seats = table.state.game.main, table.state.seats
        for seat, player in seats.items():
            wager = commands.PutWager(seat, main, stake.min)
            await table.send(Envelope(By(player, "player"), wager))
        await table.send(Envelope(By("dee", "dealer"), commands.CloseBetting()))


def recorded_routes(app: FastAPI, monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """Collect the names of routes that answer successfully from now on."""
    names: set[str] = set()

    def recording(app: FastAPI, *address: str) -> httpx.AsyncClient:
        async def record(response: httpx.Response) -> None:
            if response.is_success:
                names.add(route_name(app, response.request))

        client = client_of(app, *address)
        client.event_hooks["response"].append(record)
        return client

    monkeypatch.setattr(route_answers, "client_of", recording)
    return names


def route_name(app: FastAPI, request: httpx.Request) -> str:
    scope = {"type": "http", "method": request.method, "path": request.url.path, "headers": []}
    routes = (route for route in app.routes if isinstance(route, APIRoute))
    return next(route.name for route in routes if route.matches(scope)[0] is Match.FULL)


def writing_routes(app: FastAPI) -> set[str]:
    """Every route that may write: sockets, and all but those that only answer GET."""
    routes = (route for route in app.routes if isinstance(route, APIRoute | APIWebSocketRoute))
    return {route.name for route in routes if getattr(route, "methods", {"SOCKET"}) - SAFE}


@cache
def leaf_commands() -> list[str]:
    """Every command by its full name, the longest names first."""
    return sorted(_leaves(_commands(), ()), key=len, reverse=True)


def _leaves(command: Any, words: tuple[str, ...]) -> Iterator[str]:
    if not hasattr(command, "list_commands"):
        yield " ".join(words)
        return
    context = command.make_context("pitbook", ["x"], resilient_parsing=True)
    for name in command.list_commands(context):
        yield from _leaves(command.get_command(context, name), (*words, name))


def writing_commands() -> set[str]:
    read_only = {command.strip() for command in READ_ONLY.replace("\n", " ").split(",")}
    return set(leaf_commands()) - read_only - ELSEWHERE
