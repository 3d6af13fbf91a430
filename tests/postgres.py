"""A real PostgreSQL for a test run: started when first asked for, gone when the run is."""

from __future__ import annotations

import atexit
import ctypes
import functools
import importlib.util
import itertools
import os
import re
import shutil
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import uuid
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event
from time import monotonic

import psycopg
import pytest
from psycopg import sql

GIVEN = "PITBOOK_TEST_POSTGRES"
PREFIX = "pitbook_"
PR_SET_CHILD_SUBREAPER = 36
COPY, DROP = "CREATE DATABASE {} TEMPLATE {}", "DROP DATABASE {} WITH (FORCE)"
# Copied as files, not page by page through the log: a third of the work, and the only way of old
# servers.
AS_FILES, SINCE = " STRATEGY FILE_COPY", 150_000
START_SECONDS = 240  # A busy machine takes its time.
ATTEMPTS = 5
# A server that nobody kills need not wait for the disk.
HASTY = ("fsync=off", "full_page_writes=off")
# Ends the server and clears its folder as soon as the process that holds the other end of stdin
# is gone, in whatever way it went.
WATCH = 'cat; kill -QUIT "$(head -n 1 "$0/data/postmaster.pid")" 2>/dev/null; rm -rf "$0"'


@pytest.fixture
def postgres() -> Iterator[str]:
    """The URL of an empty database on a real PostgreSQL."""
    with fresh_database() as url:
        yield url


@contextmanager
def fresh_database() -> Iterator[str]:
    """The URL of an empty database, dropped afterwards."""
    given = os.environ.get(GIVEN)
    with database_of(given) if given else ahead().copy_of("template1") as url:
        yield url


@contextmanager
def fresh_book() -> Iterator[str]:
    """The URL of a database with the tables of a book and nothing in them, dropped afterwards."""
    if os.environ.get(GIVEN):  # On somebody's own server nothing stays from test to test.
        with fresh_database() as url:
            _make_book(url)
            yield url
        return
    with ahead().copy_of(_empty_book()) as url:
        yield url


class Ahead:
    """Databases of our own server, made before they are asked for and dropped behind our back.

    A test waits for neither: a copy and a drop take longer than most tests.
    """

    def __init__(self, url: str) -> None:
        self.url = url
        self.hand = ThreadPoolExecutor(1, thread_name_prefix="pitbook-postgres")
        self.made: dict[str, Future[str]] = {}

    @contextmanager
    def copy_of(self, like: str) -> Iterator[str]:
        """The URL of a copy that nobody else has; the next one is begun at once."""
        made = self.made.pop(like, None)
        name = made.result() if made and not made.exception() else self._copy(like)
        self.made[like] = self.hand.submit(self._copy, like)
        try:
            yield with_database(self.url, name)
        finally:
            self.hand.submit(administer, self.url, DROP, name)

    def _copy(self, like: str) -> str:
        name = f"{PREFIX}{uuid.uuid4().hex}"
        administer(self.url, COPY + self._how, name, like)
        return name

    @functools.cached_property
    def _how(self) -> str:
        with psycopg.connect(self.url) as connection:
            return AS_FILES if connection.info.server_version >= SINCE else ""


@functools.cache
def ahead() -> Ahead:
    """Of this process's own server."""
    return Ahead(server().url())


@functools.cache
def _empty_book() -> str:
    """The name of a database on our own server that books are copied from."""
    name = f"{PREFIX}empty"
    administer(server().url(), "CREATE DATABASE {}", name)
    _make_book(server().url(name))
    return name


def _make_book(url: str) -> None:
    from pitbook.house.ledger.journal import Ledger

    Ledger.open(url).close()


@functools.cache
def server() -> Server:
    """This process's own server, running; tests that kill one have another."""
    folders = binaries()
    if not folders:
        pytest.skip(f"no PostgreSQL: install it or the PyPI package pgserver, or set {GIVEN}")
    started = Server(folders[0], HASTY)
    started.start()
    return started


@contextmanager
def database_of(url: str, like: str = "template1") -> Iterator[str]:
    """The URL of a database, empty or like another, on the server that `url` leads to.

    It is dropped afterwards.
    """
    name = f"{PREFIX}{uuid.uuid4().hex}"
    administer(url, COPY, name, like)
    try:
        yield with_database(url, name)
    finally:
        administer(url, DROP, name)


def with_database(url: str, name: str) -> str:
    """The URL of another database on the same server."""
    return re.sub(r"(//[^/?]*)(/[^?]*)?", rf"\g<1>/{name}", url, count=1)


def administer(url: str, statement: str, *names: str) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(sql.SQL(statement).format(*map(sql.Identifier, names)))


class Server:
    """One cluster in a folder of its own, which can be stopped hard and started again."""

    def __init__(self, binaries: Path, options: tuple[str, ...] = ()) -> None:
        self.owner = owner()
        self.folder = Path(tempfile.mkdtemp(prefix="pitbook-postgres-"))
        self.port = free_port()
        self.options = options
        self.process: subprocess.Popen[bytes] | None = None
        self._hand_over(self.folder)
        self.binaries = self._reachable(binaries)
        self._initialise()
        watch = ["sh", "-c", WATCH, str(self.folder)]
        self._watcher = self._popen(watch, stdin=subprocess.PIPE)
        atexit.register(self.close)

    def url(self, database: str = "postgres") -> str:
        """Where a database of this server is reached."""
        return f"postgresql://pitbook@127.0.0.1:{self.port}/{database}"

    def start(self) -> None:
        """Starts the server, after a hard stop with its recovery; returns when it answers."""
        for left in reversed(range(ATTEMPTS)):
            self.process = self._popen(self._command(), stdin=subprocess.DEVNULL)
            if self._answers():
                return
            assert left, self.log()
            if "could not create any TCP/IP sockets" in self.log():  # Somebody took the port.
                self.port = free_port()

    def stop(self) -> None:
        """Stops the server in good order."""
        self._end(signal.SIGINT)

    def kill(self) -> None:
        """Stops the server as kill -9 does: the postmaster and all its children at once."""
        assert self.process is not None
        os.kill(self.process.pid, signal.SIGSTOP)  # It shall neither fork nor clean up now.
        orphans = children(self.process.pid)
        with adopting():
            for child in orphans:
                os.kill(child, signal.SIGKILL)
            self._end(signal.SIGKILL)
            for child in orphans:
                await_end(child)

    def close(self) -> None:
        """Ends the server and removes its folder; what the watcher does, too, if we cannot."""
        atexit.unregister(self.close)
        if self.process is not None and self.process.poll() is None:
            self._end(signal.SIGQUIT)
        self._watcher.communicate()

    def log(self) -> str:
        """What the server wrote."""
        return (self.folder / "log").read_text(errors="replace")

    def _command(self) -> list[str]:
        options = [f"port={self.port}", "listen_addresses=127.0.0.1", "unix_socket_directories="]
        options += ["max_connections=50", "shared_buffers=32MB", *self.options]
        command = [str(self.binaries / "postgres"), "-D", str(self.folder / "data")]
        return command + [word for option in options for word in ("-c", option)]

    def _answers(self) -> bool:
        assert self.process is not None
        until = monotonic() + START_SECONDS
        while self.process.poll() is None and monotonic() < until:
            with suppress(psycopg.OperationalError):
                administer(self.url(), "SELECT 1")
                return True
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(0.02)
        return False

    def _end(self, how: signal.Signals) -> None:
        assert self.process is not None
        self.process.send_signal(how)
        self.process.wait(START_SECONDS)

    def _initialise(self) -> None:
        command = [str(self.binaries / "initdb"), "-D", str(self.folder / "data")]
        command += ["-U", "pitbook", "-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync"]
        made = self._popen(command, stdin=subprocess.DEVNULL)
        assert made.wait(START_SECONDS) == 0, self.log()

    def _popen(self, command: list[str], stdin: int) -> subprocess.Popen[bytes]:
        # A session of its own: Ctrl-C is for the tests, and ends the server through them.
        with (self.folder / "log").open("ab") as log:
            return subprocess.Popen(
                command,
                stdin=stdin,
                stdout=log,
                stderr=log,
                cwd=self.folder,
                start_new_session=True,
                user=self.owner and self.owner[0],
                group=self.owner and self.owner[1],
                extra_groups=self.owner and [],
            )

    def _hand_over(self, folder: Path) -> None:
        if self.owner:
            os.chown(folder, *self.owner)

    def _reachable(self, binaries: Path) -> Path:
        """The binaries, copied if they lie in a folder that the server's user cannot enter."""
        if not self.owner or all(open_to_all(parent) for parent in binaries.resolve().parents):
            return binaries
        shutil.copytree(binaries.parent, self.folder / "install", symlinks=True)
        return self.folder / "install" / "bin"


def binaries() -> list[Path]:
    """Folders with a PostgreSQL server, the best first."""
    installed = Path("/usr/lib/postgresql").glob("*/bin/postgres")
    found = sorted(installed, key=lambda path: int(path.parts[-3].split(".")[0]), reverse=True)
    on_path = shutil.which("postgres")
    found += [Path(on_path).resolve()] if on_path else []
    return [path.parent for path in found if (path.parent / "initdb").exists()] + bundled()


def bundled() -> list[Path]:
    """The folder of the server in the PyPI package, which we run ourselves and never import."""
    package = importlib.util.find_spec("pgserver")
    places = package.submodule_search_locations or [] if package else []
    return [Path(place) / "pginstall" / "bin" for place in places]


def owner() -> tuple[int, int] | None:
    """Who runs the server where we are root, which it refuses; None: we do."""
    if not hasattr(os, "geteuid") or os.geteuid() != 0:
        return None
    import pwd

    names = {entry.pw_name: entry for entry in pwd.getpwall()}
    entry = names.get("postgres") or names["nobody"]
    return entry.pw_uid, entry.pw_gid


def open_to_all(folder: Path) -> bool:
    return bool(folder.stat().st_mode & stat.S_IXOTH)


def children(pid: int) -> list[int]:
    listed = Path(f"/proc/{pid}/task/{pid}/children")
    if listed.exists():
        return [int(child) for child in listed.read_text().split()]
    table = subprocess.run(["ps", "-A", "-o", "pid=,ppid="], capture_output=True, check=True)
    rows = (line.split() for line in table.stdout.splitlines())
    return [int(row[0]) for row in rows if int(row[1]) == pid]


@contextmanager
def adopting() -> Iterator[None]:
    """Orphans come to us: the first process of a container may not bury them."""
    if sys.platform != "linux":
        yield
        return
    libc = ctypes.CDLL(None)
    libc.prctl(PR_SET_CHILD_SUBREAPER, 1)
    yield
    libc.prctl(PR_SET_CHILD_SUBREAPER, 0)


def await_end(pid: int) -> None:
    try:
        os.waitpid(pid, 0)
    except ChildProcessError:  # Not ours; whoever has it buries it soon.
        while alive(pid):
            Event().wait(0.01)


def alive(pid: int) -> bool:
    """Whether a process runs; one that only waits to be buried does not."""
    try:
        os.kill(pid, 0)
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except ProcessLookupError:
        return False
    except FileNotFoundError:
        return not Path("/proc/self").exists()


def free_port() -> int:
    """A port that stays free until it is used: no line of the system's own choosing gets it."""
    while True:
        port = next(_PORTS)
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


def _ports() -> Iterator[int]:
    """Below those that lines are given; each once, and each process begins elsewhere."""
    first, many = 12_000, 20_000
    for number in itertools.count(97 * os.getpid()):
        yield first + number % many


_PORTS = _ports()
