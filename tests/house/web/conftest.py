"""Fixtures for a server with accounts, called over HTTP without a network."""

from __future__ import annotations

import asyncio
import functools
import io
import logging
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from datetime import datetime
from pathlib import Path
from typing import TypeVar

import httpx
import pytest
from fastapi import FastAPI
from starlette.responses import Response
from tests.house.web.response_checks import check_response
from tests.memory_folders import copied_ledger, folder_in_memory  # noqa: F401  Books do not wait for the disk.

from pitbook import private_files
from pitbook.house.ledger.data_folder import (
    CHECKPOINTS_FILE,
    KEYS_FILE,
    LEDGER_FILE,
    Folder,
    ledger_url,
)
from pitbook.house.ledger.database import connect
from pitbook.house.ledger.keys import generate_keys, read_keys, write_keys
from pitbook.house.ledger.ledger import Ledger
from pitbook.house.ledger.writer import utc_now
from pitbook.house.people.account_register import Person, Role
from pitbook.house.people.accounts import People
from pitbook.house.people.sessions import SESSION_COOKIE
from pitbook.house.settings import RequestLimits, Settings, SignInRules
from pitbook.house.table.live_tables import LiveTables
from pitbook.house.web import logs
from pitbook.house.web.app import create_app
from pitbook.house.web.server import Server
from pitbook.shoe.crypto import Vault

BASE = "http://127.0.0.1:8710"
PASSWORD = "one two three four"
WEAK = SignInRules(argon2_time_cost=1, argon2_memory_kib=8, failure_delay_seconds=0)
WIDE = RequestLimits(requests_per_second=1e6, requests_burst=10**6, sign_ins_per_minute=1e6)
LOGGERS = ("pitbook", "uvicorn")
NAMES: dict[Role, str] = {
    "player": "ann",
    "dealer": "dee",
    "supervisor": "sue",
    "auditor": "abe",
    "organiser": "olga",
    "brush": "ben",
    "cashier": "cal",
}

Result = TypeVar("Result")
SignedIn = Callable[[Role], httpx.AsyncClient]


class LoopRunner:
    """One event loop for a test and all its fixtures: `run(coroutine)`."""

    def __init__(self) -> None:
        self.runner = asyncio.Runner()

    def __call__(self, awaitable: Awaitable[Result]) -> Result:
        async def wait() -> Result:
            return await awaitable

        return self.runner.run(wait())


@pytest.fixture
def run() -> Iterator[LoopRunner]:
    running = LoopRunner()
    yield running
    running.runner.close()


@pytest.fixture
def lines() -> Iterator[io.StringIO]:
    """The server's log, as written to standard error."""
    before = [
        (logger.handlers[:], logger.level, logger.propagate)
        for logger in map(logging.getLogger, LOGGERS)
    ]
    stream = io.StringIO()
    logs.configure_logging("info", stream)
    yield stream
    for name, (handlers, level, propagate) in zip(LOGGERS, before, strict=True):
        logger = logging.getLogger(name)
        logger.handlers[:], logger.propagate = handlers, propagate
        logger.setLevel(level)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(data=tmp_path, sign_in=WEAK, limits=WIDE)


def fast_folder(path: Path, clock: Callable[[], datetime] = utc_now) -> Folder:
    """A data folder whose ledger does not wait for the disk."""
    private_files.make_folder(path)
    if not (path / KEYS_FILE).exists():
        write_keys(path / KEYS_FILE, generate_keys())
    if not (path / LEDGER_FILE).exists():
        private_files.touch(path / LEDGER_FILE)
        (path / LEDGER_FILE).write_bytes(_empty_book())
    engine = connect(ledger_url(path, None), synchronous="OFF")
    return Folder(path, read_keys(path / KEYS_FILE), Ledger(engine, clock=clock))


def fast_ledger(file: Path) -> Ledger:
    """An empty SQLite ledger that does not wait for the disk."""
    file.write_bytes(_empty_book())
    return Ledger(connect(f"sqlite:///{file}", synchronous="OFF"))


@functools.cache
def _empty_book() -> bytes:
    """An empty ledger file, made once for all tests: migrations are slow."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / LEDGER_FILE
        Ledger(connect(f"sqlite:///{file}", synchronous="OFF")).close()
        return file.read_bytes()


@asynccontextmanager
async def open_house(path: Path) -> AsyncIterator[LiveTables]:
    """A house on a folder; closed afterwards."""
    with fast_folder(path) as folder:
        house = LiveTables(folder)
        await house.open()
        try:
            yield house
        finally:
            await house.close()


@pytest.fixture
def house(run: LoopRunner, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[LiveTables]:
    if "people" in request.fixturenames:
        for name, content in _house_files_with_people().items():
            (tmp_path / name).touch(0o600)
            (tmp_path / name).write_bytes(content)
    context = open_house(tmp_path)
    live_tables = run(context.__aenter__())
    yield live_tables
    run(context.__aexit__(None, None, None))


@pytest.fixture
def people(house: LiveTables, settings: Settings) -> People:
    """An account of each role, all with PASSWORD."""
    accounts = people_of(house, settings)
    for role, name in NAMES.items():
        # A house that the test itself opened has no accounts.
        if name not in accounts.register.people:
            accounts.add(name, role, PASSWORD, actor="test")
    return accounts


@functools.cache
def _house_files_with_people() -> dict[str, bytes]:
    """A house's files with an account of each role, made once for all tests."""

    async def make(path: Path) -> None:
        async with open_house(path) as house:
            people = people_of(house, Settings(data=path, sign_in=WEAK))
            for role, name in NAMES.items():
                people.add(name, role, PASSWORD, actor="test")

    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(make(Path(folder)))
        return {
            name: (Path(folder) / name).read_bytes()
            for name in (KEYS_FILE, LEDGER_FILE, CHECKPOINTS_FILE)
        }


def people_of(house: LiveTables, settings: Settings) -> People:
    return People(house.ledger, Vault(house.folder.keys.sealing), settings.sign_in)


@pytest.fixture
def app(house: LiveTables, people: People, settings: Settings) -> FastAPI:
    return create_app(house, people, settings)


@pytest.fixture
def server(app: FastAPI) -> Server:
    running: Server = app.state.server
    return running


def client_of(app: FastAPI, address: str = "127.0.0.1") -> httpx.AsyncClient:
    """A client at that address."""
    # Our bugs are answered with 500, as in production; tests check the status.
    transport = httpx.ASGITransport(app, raise_app_exceptions=False, client=(address, 50_000))
    return httpx.AsyncClient(
        transport=transport, base_url=BASE, event_hooks={"response": [check_response]}
    )


@pytest.fixture
def client(run: LoopRunner, app: FastAPI) -> Iterator[httpx.AsyncClient]:
    """A client without a session."""
    http = client_of(app)
    yield http
    run(http.aclose())


@pytest.fixture
def signed_in(run: LoopRunner, app: FastAPI, server: Server) -> Iterator[SignedIn]:
    """A client signed in with a role: signed_in("dealer")."""
    clients: list[httpx.AsyncClient] = []

    def as_role(role: Role) -> httpx.AsyncClient:
        http = client_of(app)
        clients.append(http)
        http.cookies.set(SESSION_COOKIE, token_of(server, role))
        return http

    yield as_role
    for http in clients:
        run(http.aclose())


def token_of(server: Server, role: Role) -> str:
    if role == "guest":
        return server.sessions.guest()[1]
    return server.sessions.issue(Person(NAMES[role], role))


def cookie_line(response: httpx.Response | Response) -> str:
    """The Set-Cookie header as it was sent."""
    return str(response.headers["set-cookie"])
