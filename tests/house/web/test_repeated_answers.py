"""A lost answer is repeated, even if its table was closed or removed since."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI
from tests.house.web.conftest import (
    NAMES,
    PASSWORD,
    LoopRunner,
    SignedIn,
    client_of,
    open_house,
    people_of,
)
from tests.house.web.live_server import SHEETS
from tests.house.web.seated_players import table_for
from tests.house.web.test_routes_tables import ANTE, Player, guest_of

from pitbook import load
from pitbook.errors import LedgerError
from pitbook.house.people.account_register import Person
from pitbook.house.people.sessions import SESSION_COOKIE
from pitbook.house.settings import Settings
from pitbook.house.table.commands import By, Envelope, Retire, Sit
from pitbook.house.web import server as module
from pitbook.house.web.app import create_app
from pitbook.house.web.errors import Problem
from pitbook.house.web.server import Server
from pitbook.house.web.services import Services

RETIRE = {"do": "retire"}


def test_retired_practice_table_repeats_its_answer(
    run: LoopRunner, client: httpx.AsyncClient, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play() -> None:
        guest = await guest_of(client)
        first = await guest.do(RETIRE, "bye")
        assert server.house.ledger.stream(f"practice/{guest.table}") is None
        again = await guest.do(RETIRE, "bye")
        assert (again.status_code, again.json()) == (200, first.json())
        other = await guest.do(ANTE, "bye")
        assert other.json()["refused"]["code"] == "request-reused"
        assert (await guest.do(RETIRE, "another")).status_code == 404
        assert (await guest.do({"do": "fly"}, "bye")).status_code == 400
        elsewhere = Player(client, "practice-of-nobody")
        assert (await elsewhere.do(RETIRE, "bye")).status_code == 404
        monkeypatch.setattr(module, "DROPPED_PRACTICE_MAX", 1)
        second = await guest_of(client)
        await second.do(RETIRE, "bye too")
        assert list(server.dropped_practice) == [
            f"{guest_name}/bye too" for guest_name in _guests(server)
        ]

    run(play())


def _guests(server: Server) -> list[str]:
    return [request.partition("/")[0] for request in server.dropped_practice]


def test_others_learn_nothing_of_a_retired_table(
    run: LoopRunner, app: FastAPI, client: httpx.AsyncClient, signed_in: SignedIn
) -> None:
    async def play() -> None:
        guest = await guest_of(client)
        await guest.do(RETIRE, "bye")
        for http in (signed_in("player"), signed_in("supervisor")):
            assert (await Player(http, guest.table).do(RETIRE, "bye")).status_code == 404
        async with client_of(app) as stranger:
            assert (await Player(stranger, guest.table).do(RETIRE, "bye")).status_code == 401

    run(play())


def test_house_table_repeats_its_answer_after_a_restart(
    run: LoopRunner, tmp_path: Path, settings: Settings
) -> None:
    async def play() -> None:
        async with open_house(tmp_path) as house:
            people_of(house, settings).add(
                NAMES["supervisor"], "supervisor", PASSWORD, actor="test"
            )
            app = create_app(house, people_of(house, settings), settings)
            await table_for(app.state.server, SHEETS[0])
            async with sign_in_supervisor(app) as http:
                first = await Player(http, "t").do(RETIRE, "close")
        async with open_house(tmp_path) as house:
            app = create_app(house, people_of(house, settings), settings)
            async with sign_in_supervisor(app) as http:
                again = await Player(http, "t").do(RETIRE, "close")
                assert (again.status_code, again.json()) == (200, first.json())
                assert (await Player(http, "t").do(RETIRE, "another")).status_code == 410

    run(play())


def sign_in_supervisor(app: FastAPI) -> httpx.AsyncClient:
    http = client_of(app)
    person = Person(NAMES["supervisor"], "supervisor")
    http.cookies.set(SESSION_COOKIE, app.state.server.sessions.issue(person))
    return http


def test_unreadable_ledger_asks_the_client_to_retry(
    run: LoopRunner, server: Server, signed_in: SignedIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: str) -> None:
        raise LedgerError("The ledger cannot be read: no line.")

    for name in ("stream", "entry_of_request"):
        monkeypatch.setattr(server.house.ledger, name, fail)
    answer = run(Player(signed_in("player"), "u").do(ANTE))
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "1")
    assert answer.json()["error"] == "The ledger cannot be read: no line."


def test_closing_server_refuses_commands(
    run: LoopRunner, server: Server, signed_in: SignedIn
) -> None:
    async def play() -> None:
        await table_for(server, SHEETS[0], "ann")
        server.stopping.set()
        answer = await Player(signed_in("player"), "t").do(ANTE)
        assert (answer.status_code, answer.json()["error"]) == (503, "The server is shutting down.")

    run(play())


@pytest.mark.long
def test_practice_left_by_a_dead_process_is_removed(
    run: LoopRunner, app: FastAPI, server: Server
) -> None:
    async def play() -> None:
        house, services = server.house, app.state.services
        assert isinstance(services, Services)
        for name in ("left", "mine"):
            sheet = load(SHEETS[0])
            table = await house.open_table(name, "practice", unit="play", sheet=sheet, owner="gus")
            await table.send(Envelope(By("gus", "player"), Sit(1)))
        await house.tables["left"].send(Envelope(By("gus", "player"), Retire()))
        await house.unload("left")  # It died before it could remove the table.
        now = [0.0]
        services.practice._clock, services.practice._swept_at = (lambda: now[0]), 0.0
        for seconds, there in ((61, True), (122, False), (183, False)):
            now[0] = float(seconds)
            await services.practice.sweep()
            assert (house.ledger.stream("practice/left") is not None) == there
        assert list(house.tables) == ["mine"]
        assert house.ledger.stream("practice/mine") is not None

    run(play())


def test_jobs_end_with_the_app(run: LoopRunner, app: FastAPI) -> None:
    async def play() -> None:
        services: Services = app.state.services
        async with app.router.lifespan_context(app):
            assert await services.jobs.compute("one", lambda: 1) == 1
        with pytest.raises(Problem, match=r"The server is shutting down."):
            await services.jobs.compute("two", lambda: 2)
        assert app.state.services is services

    run(play())
