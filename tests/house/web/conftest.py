"""A house with people, asked over HTTP without a network."""

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
from tests.house.web.held_answers import held
from tests.in_memory import copied_book, folder_in_memory  # noqa: F401  Books do not wait for the disk.

from pitbook.house.ledger import file_modes
from pitbook.house.ledger.database import connect
from pitbook.house.ledger.folder import BOOK, CHECKPOINTS, KEYS, Folder, book_url
from pitbook.house.ledger.journal import Ledger
from pitbook.house.ledger.keys import fresh_keys, read_keys, write_keys
from pitbook.house.ledger.writer import utc_now
from pitbook.house.people.accounts import People
from pitbook.house.people.register import Person, Role
from pitbook.house.people.sessions import SESSION_COOKIE
from pitbook.house.table.tables import LiveTables
from pitbook.house.web import logs
from pitbook.house.web.app import create_app
from pitbook.house.web.server import Server
from pitbook.house.web.settings import RequestLimits, Settings, SignInRules
from pitbook.shoe.vault import Vault

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


class Running:
    """One event loop for a test and all its fixtures: `run(coroutine)`."""

    def __init__(self) -> None:
        self.runner = asyncio.Runner()

    def __call__(self, awaitable: Awaitable[Result]) -> Result:
        async def awaited() -> Result:
            return await awaitable

        return self.runner.run(awaited())


@pytest.fixture
def run() -> Iterator[Running]:
    running = Running()
    yield running
    running.runner.close()


@pytest.fixture
def lines() -> Iterator[io.StringIO]:
    """What the server logs, as it would go to standard error."""
    before = [
        (one.handlers[:], one.level, one.propagate) for one in map(logging.getLogger, LOGGERS)
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
    """A data folder whose book does not wait for the disk."""
    file_modes.make_folder(path)
    if not (path / KEYS).exists():
        write_keys(path / KEYS, fresh_keys())
    if not (path / BOOK).exists():
        file_modes.touch(path / BOOK)
        (path / BOOK).write_bytes(_empty_book())
    engine = connect(book_url(path, None), synchronous="OFF")
    return Folder(path, read_keys(path / KEYS), Ledger(engine, clock=clock))


def fast_book(file: Path) -> Ledger:
    """An empty book on SQLite, which does not wait for the disk."""
    file.write_bytes(_empty_book())
    return Ledger(connect(f"sqlite:///{file}", synchronous="OFF"))


@functools.cache
def _empty_book() -> bytes:
    """Made once for all tests: migrations take a while."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / BOOK
        Ledger(connect(f"sqlite:///{file}", synchronous="OFF")).close()
        return file.read_bytes()


@asynccontextmanager
async def opened(path: Path) -> AsyncIterator[LiveTables]:
    """A house over a folder, closed in the end."""
    with fast_folder(path) as folder:
        house = LiveTables(folder)
        await house.open()
        try:
            yield house
        finally:
            await house.close()


@pytest.fixture
def house(run: Running, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[LiveTables]:
    if "people" in request.fixturenames:
        for name, kept in _with_people().items():
            (tmp_path / name).touch(0o600)
            (tmp_path / name).write_bytes(kept)
    context = opened(tmp_path)
    made = run(context.__aenter__())
    yield made
    run(context.__aexit__(None, None, None))


@pytest.fixture
def people(house: LiveTables, settings: Settings) -> People:
    """One person of each role, all with PASSWORD."""
    made = people_of(house, settings)
    for role, name in NAMES.items():
        if name not in made.register.people:  # A house of the test's own begins with nobody.
            made.add(name, role, PASSWORD, actor="test")
    return made


@functools.cache
def _with_people() -> dict[str, bytes]:
    """A house's files with one person of each role, made once for all tests."""

    async def made(path: Path) -> None:
        async with opened(path) as house:
            people = people_of(house, Settings(data=path, sign_in=WEAK))
            for role, name in NAMES.items():
                people.add(name, role, PASSWORD, actor="test")

    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(made(Path(folder)))
        return {name: (Path(folder) / name).read_bytes() for name in (KEYS, BOOK, CHECKPOINTS)}


def people_of(house: LiveTables, settings: Settings) -> People:
    return People(house.ledger, Vault(house.folder.keys.sealing), settings.sign_in)


@pytest.fixture
def app(house: LiveTables, people: People, settings: Settings) -> FastAPI:
    return create_app(house, people, settings)


@pytest.fixture
def server(app: FastAPI) -> Server:
    found: Server = app.state.server
    return found


def client_of(app: FastAPI, address: str = "127.0.0.1") -> httpx.AsyncClient:
    """Somebody at that address."""
    # A mistake of ours is answered with 500, as in earnest; tests look at the status.
    transport = httpx.ASGITransport(app, raise_app_exceptions=False, client=(address, 50_000))
    return httpx.AsyncClient(transport=transport, base_url=BASE, event_hooks={"response": [held]})


@pytest.fixture
def client(run: Running, app: FastAPI) -> Iterator[httpx.AsyncClient]:
    """A stranger."""
    made = client_of(app)
    yield made
    run(made.aclose())


@pytest.fixture
def signed_in(run: Running, app: FastAPI, server: Server) -> Iterator[SignedIn]:
    """A client for somebody of a role, by its cookie: signed_in("dealer")."""
    made: list[httpx.AsyncClient] = []

    def as_role(role: Role) -> httpx.AsyncClient:
        one = client_of(app)
        made.append(one)
        one.cookies.set(SESSION_COOKIE, token_of(server, role))
        return one

    yield as_role
    for one in made:
        run(one.aclose())


def token_of(server: Server, role: Role) -> str:
    if role == "guest":
        return server.sessions.guest()[1]
    return server.sessions.issue(Person(NAMES[role], role))


def cookie_line(response: httpx.Response | Response) -> str:
    """The Set-Cookie header as it was sent."""
    return str(response.headers["set-cookie"])
