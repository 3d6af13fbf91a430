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

from pitbook import private_files
from pitbook.errors import LedgerError, PitbookError, SettingsError
from pitbook.exact.jit import set_fallback_cache
from pitbook.house.inspect.day_close import close_days
from pitbook.house.ledger import checkpoints
from pitbook.house.ledger.data_folder import Folder
from pitbook.house.ledger.hash_chain import entry_hash
from pitbook.house.ledger.ledger import Stream
from pitbook.house.ledger.locks import FolderLock
from pitbook.house.ledger.writer import utc_now
from pitbook.house.nights.night_sync import keep_in_sync
from pitbook.house.people.accounts import People
from pitbook.house.settings import Settings
from pitbook.house.table.live_tables import LiveTables
from pitbook.house.web import logs
from pitbook.house.web.app import create_app
from pitbook.house.web.leases import SharedHouse
from pitbook.house.web.logs import log_event
from pitbook.house.web.protocols import UvicornConfig
from pitbook.house.web.server import Server
from pitbook.sheets.findings import SheetInvalid, errors
from pitbook.sheets.library import Library
from pitbook.shoe.crypto import Vault
from pitbook.text import say

CLOSE_CHECK_SECONDS = 300.0  # Also before the first check.


@asynccontextmanager
async def closing_finished_days(folder: Folder, days: int) -> AsyncIterator[None]:
    """Close finished days while the server runs; `days` is the retention of closes."""
    close_task = asyncio.create_task(_close_days_regularly(folder, days))
    try:
        yield
    finally:
        close_task.cancel()
        await asyncio.gather(close_task, return_exceptions=True)


async def _close_days_regularly(folder: Folder, days: int) -> None:
    while True:
        await asyncio.sleep(CLOSE_CHECK_SECONDS)
        try:
            for day in await asyncio.to_thread(close_days, folder, utc_now(), days=days):
                log_event(logging.INFO, "day_closed", day=str(day))
        except (OSError, PitbookError) as error:
            log_event(logging.ERROR, "day_close_failed", reason=str(error))


RECENT_ENTRIES = 100  # Entries of each stream checked at the start; `audit verify` checks all.
GC_THRESHOLDS = (50_000, 20, 100)  # Collections took a sixth of the time and freed little.
CACHE_FOLDER = "cache"  # In the data folder, if the user has no writable cache folder.
SWITCH_INTERVAL_SECONDS = 0.001  # The writer thread gets its turn sooner.
BACKLOG = 2_048
ACCEPTS_PER_TURN = 8  # Connections accepted per loop iteration.
WATCH_SECONDS = 1.0
PING_SECONDS = 10.0  # Shorter than the sockets' own heartbeat.


class Opening(NamedTuple):
    """What the server announces when it opens."""

    address: str
    tables: int
    supervisor: str | None


def run(settings: Settings, announce: Callable[[Opening], None]) -> None:
    """Run the server until a signal; raises PitbookError if it cannot open."""
    logs.configure_logging(settings.log_level, form=settings.log_format)
    logging.getLogger("uvicorn.error").addFilter(_is_relevant)
    with (
        _bind_port(settings) as listener_socket,
        _folder_lock(settings),
        _open_folder(settings) as folder,
    ):
        folder.check_key()
        check(folder, settings)
        with asyncio.Runner(loop_factory=_loop()) as runner:
            runner.run(_serve(folder, settings, listener_socket, announce))


def _loop() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """The event loop factory of uvloop, if installed."""
    try:
        import uvloop  # noqa: PLC0415  Not on every system.
    except ImportError:
        return None
    return uvloop.new_event_loop


def _is_relevant(record: logging.LogRecord) -> bool:
    """Drop uvicorn's message about handshakes that we refused."""
    return not str(record.msg).startswith("ASGI callable returned without completing handshake")


def check(folder: Folder, settings: Settings) -> None:
    """Refuse to open with invalid sheets or damaged hash chains."""
    library = Library(list(settings.sheets))
    if errors_found := [
        finding for entry in library.entries() for finding in errors(entry.findings)
    ]:
        raise SheetInvalid(errors_found)
    for stream in folder.ledger.streams():
        _check_chain(folder, stream)
    _check_last_checkpoint(folder)


def _check_chain(folder: Folder, stream: Stream) -> None:
    """Check that the last entries of a stream form a chain up to its head.

    Another process may be writing to it, or clear practice.
    """
    previous, last = None, ""
    for entry in folder.ledger.entries(stream.name, after=max(0, stream.seq - RECENT_ENTRIES)):
        if entry.seq > stream.seq:
            return _check_chain_ends(folder, stream, last, entry.seq)
        is_linked = previous in (None, entry.previous)
        if not is_linked or entry_hash(entry) != entry.hash:
            raise _damaged_error(
                folder, say("web.serve.changed", stream=stream.name, seq=entry.seq)
            )
        previous = last = entry.hash
    return _check_chain_ends(folder, stream, last, stream.seq)


def _check_chain_ends(folder: Folder, stream: Stream, last: str, seq: int) -> None:
    """Check that the entries end at the stream's head, or that the head has moved on since."""
    now = folder.ledger.stream(stream.name)
    if now is None and stream.prunable:
        return
    has_advanced = now is not None and now.seq >= seq
    if stream.seq and (last != stream.head or not has_advanced):
        raise _damaged_error(folder, say("web.serve.head", stream=stream.name))


def _check_last_checkpoint(folder: Folder) -> None:
    """Check that the ledger still has the heads of the last checkpoint."""
    checkpoints_read = folder.checkpoints
    _check_checkpoint_count(folder, len(checkpoints_read))
    if not checkpoints_read:
        return
    last = checkpoints_read[-1]
    if not last.is_signed or last.key != folder.keys.public:
        raise _damaged_error(folder, say("web.serve.not-signed", at=last.at))
    for name, seq, head in last.heads:
        entry = next(folder.ledger.entries(name, after=seq - 1), None)
        if name not in last.practice and seq and (entry is None or entry.hash != head):
            raise _damaged_error(
                folder, say("web.serve.other-entry", stream=name, seq=seq, at=last.at)
            )


def _check_checkpoint_count(folder: Folder, checkpoint_count: int) -> None:
    """Log lost checkpoints and go on; the audit reports them from now on."""
    latest_note = checkpoints.latest_note(folder.ledger)
    if latest_note is not None and latest_note.number > checkpoint_count and not folder.shared:
        logs.log_event(
            logging.ERROR, "checkpoints_lost", recorded=latest_note.number, found=checkpoint_count
        )


def _damaged_error(folder: Folder, problem: str) -> LedgerError:
    return LedgerError(say("web.serve.damaged", path=folder.path, what=problem))


async def _serve(
    folder: Folder,
    settings: Settings,
    listener_socket: socket.socket,
    announce: Callable[[Opening], None],
) -> None:
    set_fallback_cache(settings.data / CACHE_FOLDER)
    people = People(folder.ledger, Vault(folder.keys.sealing), settings.sign_in)
    stop = _Stop()
    with stop.handling_signals():
        async with (
            _open_house(folder) as house,
            closing_finished_days(folder, settings.reports.day_close_retention_days),
        ):
            app = create_app(house, people, settings)
            listener = _Uvicorn(_config(app, settings))
            stop.attach(app.state.server, listener)
            address = _address(settings, listener_socket)
            opening = Opening(address, len(house.tables), _first_invitation(people, address))
            announce(opening)
            logs.log_event(logging.INFO, "server_started", address=address, tables=opening.tables)
            gc.freeze()  # Long-lived objects: collecting them would delay tables.
            gc.set_threshold(*GC_THRESHOLDS)
            sys.setswitchinterval(SWITCH_INTERVAL_SECONDS)
            watch_task = asyncio.create_task(_leave_when_superseded(house, stop))
            await listener.serve(_listener_sockets(listener_socket))
            watch_task.cancel()
        logs.log_event(logging.INFO, "server_stopped")
    if house.superseded:
        raise LedgerError(say("web.serve.superseded", path=folder.path))


async def _leave_when_superseded(house: LiveTables, stop: _Stop) -> None:
    """Stop the server once another process has taken its ledger over."""
    while True:
        try:
            if await asyncio.to_thread(house.is_superseded):
                logs.log_event(
                    logging.ERROR, "ledger_superseded", reason=say("web.pulse.superseded")
                )
                return stop.request()
        except LedgerError:
            pass  # The journal health check reports a ledger that cannot be read.
        await asyncio.sleep(WATCH_SECONDS)


def _listener_sockets(listener_socket: socket.socket) -> list[socket.socket]:
    """Copies of the listening socket: uvloop accepts one connection from each per iteration."""
    extra = ACCEPTS_PER_TURN - 1 if _loop() is not None else 0
    return [listener_socket, *(listener_socket.dup() for _ in range(extra))]


@asynccontextmanager
async def _open_house(folder: Folder) -> AsyncIterator[LiveTables]:
    house = SharedHouse(folder) if folder.shared else LiveTables(folder)
    try:
        await house.open()
        async with keep_in_sync(house):
            yield house
    finally:
        await house.close()


def _first_invitation(people: People, address: str) -> str | None:
    """The invitation address of the first supervisor, or None if there is one."""
    if people.has_supervisor():
        return None
    return f"{address}/api/invitations/{people.invite('supervisor', only=True)}"


class _Uvicorn(uvicorn.Server):
    """Uvicorn without signal handling, which is ours."""

    def capture_signals(self) -> AbstractContextManager[None]:  # type: ignore[override]
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
    """Shutdown by signal: the first one closes, the second does not wait for open requests."""

    def __init__(self) -> None:
        self._requests = 0
        self._server: Server | None = None
        self._listener: uvicorn.Server | None = None

    @contextmanager
    def handling_signals(self) -> Iterator[None]:
        """Handle signals while the block runs."""
        loop = asyncio.get_running_loop()

        def handle_signal(*_: object) -> None:
            loop.call_soon_threadsafe(self.request)

        handlers = {
            signal_number: signal.signal(signal_number, handle_signal)
            for signal_number in (signal.SIGINT, signal.SIGTERM)
        }
        try:
            yield
        finally:
            for signal_number, handler in handlers.items():
                signal.signal(signal_number, handler)

    def attach(self, server: Server, listener: uvicorn.Server) -> None:
        """Set what to stop."""
        self._server, self._listener = server, listener
        self._stop()

    def request(self) -> None:
        """Close the server; a second call closes it at once."""
        self._requests += 1
        self._stop()

    def _stop(self) -> None:
        if not self._requests or self._server is None or self._listener is None:
            return
        self._listener.should_exit = True
        self._listener.force_exit = self._requests > 1
        self._server.stopping.set()
        for table in self._server.house.tables.values():  # Ends event streams and sockets.
            table.subscribers.close()


def _folder_lock(settings: Settings) -> AbstractContextManager[object]:
    """A lock on the data folder for SQLite. On PostgreSQL, each table has a lock."""
    private_files.make_folder(settings.data)
    private_files.check_private(settings.data)
    is_postgres = (settings.database or "").startswith("postgres")
    return nullcontext() if is_postgres else FolderLock(settings.data)


@contextmanager
def _open_folder(settings: Settings) -> Iterator[Folder]:
    with Folder.make(settings.data, settings.database, exclusive=True) as folder:
        yield folder.use_anchor(settings.anchor)


@contextmanager
def _bind_port(settings: Settings) -> Iterator[socket.socket]:
    """Bind the port before anything else is touched."""
    host, port = settings.host, settings.port
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        server_socket = socket.create_server((host, port), family=family, backlog=BACKLOG)
    except OSError as error:
        raise SettingsError(_bind_error(error, host, port)) from None
    with server_socket:
        yield server_socket


def _bind_error(error: OSError, host: str, port: int) -> str:
    if error.errno == errno.EADDRINUSE:
        return say("web.serve.in-use", port=port, host=host, another=_other_port_hint(port + 1))
    if error.errno == errno.EACCES:
        return say("web.serve.not-allowed", port=port, another=_other_port_hint(8710))
    return say("web.serve.no-address", host=host)


def _other_port_hint(port: int) -> str:
    """How to choose another port, as a command or as a make variable."""
    if os.environ.get("PITBOOK_MAKE"):
        return say("web.serve.another-made", port=port)
    return say("web.serve.another", port=port)


def _address(settings: Settings, listener_socket: socket.socket) -> str:
    """The address for browsers, with the actual port."""
    return settings.model_copy(update={"port": listener_socket.getsockname()[1]}).address
