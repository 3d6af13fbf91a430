"""Runs a server process: opens the data folder and the port, and shuts down in order."""

from __future__ import annotations

import asyncio
import errno
import gc
import logging
import os
import signal
import socket
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractContextManager, asynccontextmanager, contextmanager, nullcontext
from typing import NamedTuple

import uvicorn
from fastapi import FastAPI

from pitbook.errors import LedgerError, PitbookError, SettingsError
from pitbook.exact.jit import set_fallback_cache
from pitbook.house.inspect.day_close import keep
from pitbook.house.ledger import checkpoints, file_modes
from pitbook.house.ledger.chain import entry_hash
from pitbook.house.ledger.folder import Folder
from pitbook.house.ledger.journal import Stream
from pitbook.house.ledger.locks import FolderLock
from pitbook.house.ledger.writer import utc_now
from pitbook.house.nights.registry import kept_in_step
from pitbook.house.people.accounts import People
from pitbook.house.table.tables import LiveTables
from pitbook.house.web import logs
from pitbook.house.web.app import create_app
from pitbook.house.web.leases import SharedHouse
from pitbook.house.web.logs import log_event
from pitbook.house.web.protocols import UvicornConfig
from pitbook.house.web.server import Server
from pitbook.house.web.settings import Settings
from pitbook.sheets.findings import SheetInvalid, errors
from pitbook.sheets.library import Library
from pitbook.shoe.vault import Vault
from pitbook.text import say

LOOK_SECONDS = 300.0  # Also before the first look: whoever opens the house comes first.


@asynccontextmanager
async def days_closed(folder: Folder, days: int) -> AsyncIterator[None]:
    """While the house is open; `days` is how long a close is kept."""
    looking = asyncio.create_task(_go_on(folder, days))
    try:
        yield
    finally:
        looking.cancel()
        await asyncio.gather(looking, return_exceptions=True)


async def _go_on(folder: Folder, days: int) -> None:
    while True:
        await asyncio.sleep(LOOK_SECONDS)
        try:
            for day in await asyncio.to_thread(keep, folder, utc_now(), days=days):
                log_event(logging.INFO, "day_closed", day=str(day))
        except (OSError, PitbookError) as failed:
            log_event(logging.ERROR, "day_close_failed", reason=str(failed))


RECENT = 100  # Entries of each stream that are checked at the start; audit verify checks all.
GARBAGE = (50_000, 20, 100)  # Hardly anything needs it, and looking took a sixth of the time.
CACHE = "cache"  # In the data folder, if the user has no writable cache folder.
SWITCH_SECONDS = 0.001  # The book is written meanwhile; with less waiting for a turn, in step.
BACKLOG = 2_048
ENTERING = 8  # Lines at one turn of the loop.
WATCH_SECONDS = 1.0
PING_SECONDS = 10.0  # Below the sockets' own signs of life, for clients that give none.


class Opening(NamedTuple):
    """What a person is told when the house opens."""

    address: str
    tables: int
    supervisor: str | None


def run(settings: Settings, tell: Callable[[Opening], None]) -> None:
    """Serve until a signal comes; raises PitbookError when the house cannot open."""
    logs.configure_logging(settings.log_level, form=settings.log_format)
    logging.getLogger("uvicorn.error").addFilter(_is_news)
    with _bound(settings) as listening, _alone(settings), _folder(settings) as folder:
        folder.check_key()
        check(folder, settings)
        with asyncio.Runner(loop_factory=_loop()) as runner:
            runner.run(_serve(folder, settings, listening, tell))


def _loop() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """The faster loop, where there is one."""
    try:
        import uvloop  # noqa: PLC0415  Not on every system.
    except ImportError:
        return None
    return uvloop.new_event_loop


def _is_news(record: logging.LogRecord) -> bool:
    """Uvicorn calls a handshake unfinished that we refused, with a status and a sentence."""
    return not str(record.msg).startswith("ASGI callable returned without completing handshake")


def check(folder: Folder, settings: Settings) -> None:
    """Refuse a house whose sheets cannot be read or whose chains do not hold."""
    library = Library(list(settings.sheets))
    if found := [one for entry in library.entries() for one in errors(entry.findings)]:
        raise SheetInvalid(found)
    for stream in folder.ledger.streams():
        _check_chain(folder, stream)
    _check_signed(folder)


def _check_chain(folder: Folder, stream: Stream) -> None:
    """The last entries of a stream follow one another up to its head.

    Another process may write on meanwhile, or clear practice away.
    """
    previous, last = None, ""
    for entry in folder.ledger.entries(stream.name, after=max(0, stream.seq - RECENT)):
        if entry.seq > stream.seq:
            return _check_chain_ends(folder, stream, last, entry.seq)
        linked = previous in (None, entry.previous)
        if not linked or entry_hash(entry) != entry.hash:
            raise _damaged(folder, say("web.serve.changed", stream=stream.name, seq=entry.seq))
        previous = last = entry.hash
    return _check_chain_ends(folder, stream, last, stream.seq)


def _check_chain_ends(folder: Folder, stream: Stream, last: str, seq: int) -> None:
    """It ended at its head, and whatever came behind that since has moved the head on."""
    now = folder.ledger.stream(stream.name)
    if now is None and stream.prunable:
        return
    moved = now is not None and now.seq >= seq
    if stream.seq and (last != stream.head or not moved):
        raise _damaged(folder, say("web.serve.head", stream=stream.name))


def _check_signed(folder: Folder) -> None:
    """The heads that were signed last are still in the book, and so is what it says of them."""
    signed = folder.checkpoints
    _check_uncut(folder, len(signed))
    if not signed:
        return
    last = signed[-1]
    if not last.is_signed or last.key != folder.keys.public:
        raise _damaged(folder, say("web.serve.not-signed", at=last.at))
    for name, seq, head in last.heads:
        entry = next(folder.ledger.entries(name, after=seq - 1), None)
        if name not in last.practice and seq and (entry is None or entry.hash != head):
            raise _damaged(folder, say("web.serve.other-entry", stream=name, seq=seq, at=last.at))


def _check_uncut(folder: Folder, found: int) -> None:
    """Checkpoints that are lost are told, and play goes on: the audit finds it from now on."""
    known = checkpoints.latest_note(folder.ledger)
    if known is not None and known.number > found and not folder.shared:
        logs.log_event(logging.ERROR, "checkpoints_lost", recorded=known.number, found=found)


def _damaged(folder: Folder, what: str) -> LedgerError:
    return LedgerError(say("web.serve.damaged", path=folder.path, what=what))


async def _serve(
    folder: Folder,
    settings: Settings,
    listening: socket.socket,
    tell: Callable[[Opening], None],
) -> None:
    set_fallback_cache(settings.data / CACHE)
    people = People(folder.ledger, Vault(folder.keys.sealing), settings.sign_in)
    stop = _Stop()
    with stop.listening():
        async with (
            _opened(folder) as house,
            days_closed(folder, settings.reports.day_close_retention_days),
        ):
            app = create_app(house, people, settings)
            listener = _Uvicorn(_config(app, settings))
            stop.of(app.state.server, listener)
            address = _address(settings, listening)
            opening = Opening(address, len(house.tables), _invitation(people, address))
            tell(opening)
            logs.log_event(logging.INFO, "server_started", address=address, tables=opening.tables)
            gc.freeze()  # What is here now stays: looking for garbage in it would hold up tables.
            gc.set_threshold(*GARBAGE)
            sys.setswitchinterval(SWITCH_SECONDS)
            watching = asyncio.create_task(_leave_when_superseded(house, stop))
            await listener.serve(_ears(listening))
            watching.cancel()
        logs.log_event(logging.INFO, "server_stopped")
    if house.was_superseded:
        raise LedgerError(say("web.serve.superseded", path=folder.path))


async def _leave_when_superseded(house: LiveTables, stop: _Stop) -> None:
    """Stop the server once another process has taken its ledger over."""
    while True:
        try:
            if await asyncio.to_thread(house.is_superseded):
                logs.log_event(
                    logging.ERROR, "ledger_superseded", reason=say("web.pulse.superseded")
                )
                return stop.ask()
        except LedgerError:
            pass  # The pulse reports a ledger that cannot be read.
        await asyncio.sleep(WATCH_SECONDS)


def _ears(listening: socket.socket) -> list[socket.socket]:
    """The port, as often as lines may enter at one turn: the faster loop takes one from each."""
    more = ENTERING - 1 if _loop() is not None else 0
    return [listening, *(listening.dup() for _ in range(more))]


@asynccontextmanager
async def _opened(folder: Folder) -> AsyncIterator[LiveTables]:
    house = SharedHouse(folder) if folder.shared else LiveTables(folder)
    try:
        await house.open()
        async with kept_in_step(house):
            yield house
    finally:
        await house.close()


def _invitation(people: People, address: str) -> str | None:
    """Where the first supervisor comes in; nowhere once there is one."""
    if people.has_supervisor():
        return None
    return f"{address}/api/invitations/{people.invite('supervisor', only=True)}"


class _Uvicorn(uvicorn.Server):
    """Signals are ours: it would end the process by them after all is done."""

    def capture_signals(self) -> AbstractContextManager[None]:  # type: ignore[override]
        """Leave them alone."""
        return nullcontext()


def _config(app: FastAPI, settings: Settings) -> UvicornConfig:
    return UvicornConfig(
        app,
        settings,
        log_config=None,
        access_log=False,
        server_header=False,
        backlog=BACKLOG,
        ws_ping_interval=PING_SECONDS,
        ws_ping_timeout=PING_SECONDS,
    )


class _Stop:
    """The first signal closes the house; a second one does not wait for anybody's answer."""

    def __init__(self) -> None:
        self._asked = 0
        self._server: Server | None = None
        self._listener: uvicorn.Server | None = None

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Hear signals until all is closed; then they are again whose they were."""
        loop = asyncio.get_running_loop()

        def heard(*_: object) -> None:
            loop.call_soon_threadsafe(self.ask)

        before = {one: signal.signal(one, heard) for one in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for one, handler in before.items():
                signal.signal(one, handler)

    def of(self, server: Server, listener: uvicorn.Server) -> None:
        """What to stop."""
        self._server, self._listener = server, listener
        self._stop()

    def ask(self) -> None:
        """Close the house; a second call closes it at once."""
        self._asked += 1
        self._stop()

    def _stop(self) -> None:
        if not self._asked or self._server is None or self._listener is None:
            return
        self._listener.should_exit = True
        self._listener.force_exit = self._asked > 1
        self._server.stopping.set()
        for table in self._server.house.tables.values():  # Whoever watches is let go.
            table.subscribers.close()


def _alone(settings: Settings) -> AbstractContextManager[object]:
    """On SQLite the folder is this process's alone; on PostgreSQL locks part the tables."""
    file_modes.make_folder(settings.data)
    file_modes.check(settings.data)
    shared = (settings.database or "").startswith("postgres")
    return nullcontext() if shared else FolderLock(settings.data)


@contextmanager
def _folder(settings: Settings) -> Iterator[Folder]:
    with Folder.make(settings.data, settings.database, alone=True) as folder:
        yield folder.anchored_at(settings.anchor)


@contextmanager
def _bound(settings: Settings) -> Iterator[socket.socket]:
    """The port, taken before anything else is touched."""
    host, port = settings.host, settings.port
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        made = socket.create_server((host, port), family=family, backlog=BACKLOG)
    except OSError as error:
        raise SettingsError(_unbound(error, host, port)) from None
    with made:
        yield made


def _unbound(error: OSError, host: str, port: int) -> str:
    if error.errno == errno.EADDRINUSE:
        return say("web.serve.in-use", port=port, host=host, another=_another(port + 1))
    if error.errno == errno.EACCES:
        return say("web.serve.not-allowed", port=port, another=_another(8710))
    return say("web.serve.no-address", host=host)


def _another(port: int) -> str:
    """How to name another port, in the words of whoever started us."""
    if os.environ.get("PITBOOK_MAKE"):
        return say("web.serve.another-made", port=port)
    return say("web.serve.another", port=port)


def _address(settings: Settings, listening: socket.socket) -> str:
    """Where a browser finds the house, on the port that it got."""
    return settings.model_copy(update={"port": listening.getsockname()[1]}).address
