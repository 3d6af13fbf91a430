"""A real PostgreSQL server for a test run, started on first use and removed at the end."""

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

URL_VARIABLE = "PITBOOK_TEST_POSTGRES"
PREFIX = "pitbook_"
PR_SET_CHILD_SUBREAPER = 36
COPY, DROP = "CREATE DATABASE {} TEMPLATE {}", "DROP DATABASE {} WITH (FORCE)"
# Copied as files rather than through the log: a third of the work, and the only method of old
# servers.
FILE_COPY, FILE_COPY_VERSION = " STRATEGY FILE_COPY", 150_000
START_SECONDS = 240  # A busy machine may be slow.
ATTEMPTS = 5
# A server that is never killed need not sync to disk.
FAST_OPTIONS = ("fsync=off", "full_page_writes=off")
# Stops the server and removes its folder when the process at the other end of stdin is gone,
# for any reason.
WATCH = 'cat; kill -QUIT "$(head -n 1 "$0/data/postmaster.pid")" 2>/dev/null; rm -rf "$0"'


@pytest.fixture
def postgres() -> Iterator[str]:
    """The URL of an empty database on a real PostgreSQL."""
    with fresh_database() as url:
        yield url


@contextmanager
def fresh_database() -> Iterator[str]:
    """The URL of an empty database, dropped afterwards."""
    server_url = os.environ.get(URL_VARIABLE)
    with database_of(server_url) if server_url else database_pool().copy_of("template1") as url:
        yield url


@contextmanager
def fresh_ledger() -> Iterator[str]:
    """The URL of a database with the empty tables of a ledger, dropped afterwards."""
    if os.environ.get(URL_VARIABLE):  # On an external server nothing is kept between tests.
        with fresh_database() as url:
            _create_ledger(url)
            yield url
        return
    with database_pool().copy_of(_empty_ledger()) as url:
        yield url


class DatabasePool:
    """Databases of our own server, created ahead of use and dropped in the background.

    Creating and dropping take longer than most tests, so no test waits for them.
    """

    def __init__(self, url: str) -> None:
        self.url = url
        self.executor = ThreadPoolExecutor(1, thread_name_prefix="pitbook-postgres")
        self.futures: dict[str, Future[str]] = {}

    @contextmanager
    def copy_of(self, template: str) -> Iterator[str]:
        """The URL of an unshared copy; the next one is started in the background."""
        future = self.futures.pop(template, None)
        name = future.result() if future and not future.exception() else self._copy(template)
        self.futures[template] = self.executor.submit(self._copy, template)
        try:
            yield with_database(self.url, name)
        finally:
            self.executor.submit(administer, self.url, DROP, name)

    def _copy(self, template: str) -> str:
        name = f"{PREFIX}{uuid.uuid4().hex}"
        administer(self.url, COPY + self._how, name, template)
        return name

    @functools.cached_property
    def _how(self) -> str:
        with psycopg.connect(self.url) as connection:
            return FILE_COPY if connection.info.server_version >= FILE_COPY_VERSION else ""


@functools.cache
def database_pool() -> DatabasePool:
    """The pool of this process's own server."""
    return DatabasePool(server().url())


@functools.cache
def _empty_ledger() -> str:
    """The name of a database on our own server from which ledgers are copied."""
    name = f"{PREFIX}empty"
    administer(server().url(), "CREATE DATABASE {}", name)
    _create_ledger(server().url(name))
    return name


def _create_ledger(url: str) -> None:
    from pitbook.house.ledger.ledger import Ledger

    Ledger.open(url).close()


@functools.cache
def server() -> Server:
    """This process's own running server; tests that kill one use another."""
    folders = binaries()
    if not folders:
        pytest.skip(
            f"no PostgreSQL: install it or the PyPI package pgserver, or set {URL_VARIABLE}"
        )
    started = Server(folders[0], FAST_OPTIONS)
    started.start()
    return started


@contextmanager
def database_of(url: str, template: str = "template1") -> Iterator[str]:
    """The URL of a database, empty or copied from another, on the given server.

    It is dropped afterwards.
    """
    name = f"{PREFIX}{uuid.uuid4().hex}"
    administer(url, COPY, name, template)
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
    """A PostgreSQL cluster in its own folder, which a test can kill and restart."""

    def __init__(self, binaries: Path, options: tuple[str, ...] = ()) -> None:
        self.owner = owner()
        self.folder = Path(tempfile.mkdtemp(prefix="pitbook-postgres-"))
        self.port = free_port()
        self.options = options
        self.process: subprocess.Popen[bytes] | None = None
        self._hand_over(self.folder)
        self.binaries = self._reachable(binaries)
        self._initialize()
        watch = ["sh", "-c", WATCH, str(self.folder)]
        self._watcher = self._popen(watch, stdin=subprocess.PIPE)
        atexit.register(self.close)

    def url(self, database: str = "postgres") -> str:
        """The URL of a database of this server."""
        return f"postgresql://pitbook@127.0.0.1:{self.port}/{database}"

    def start(self) -> None:
        """Start the server, with recovery after a kill; returns when it accepts connections."""
        for attempts_left in reversed(range(ATTEMPTS)):
            self.process = self._popen(self._command(), stdin=subprocess.DEVNULL)
            if self._answers():
                return
            assert attempts_left, self.log()
            if "could not create any TCP/IP sockets" in self.log():  # The port was taken.
                self.port = free_port()

    def stop(self) -> None:
        """Stop the server cleanly."""
        self._end(signal.SIGINT)

    def kill(self) -> None:
        """Stop the server like kill -9: the postmaster and all its children at once."""
        assert self.process is not None
        os.kill(self.process.pid, signal.SIGSTOP)  # It must neither fork nor clean up now.
        orphans = children(self.process.pid)
        with adopt_orphans():
            for child in orphans:
                os.kill(child, signal.SIGKILL)
            self._end(signal.SIGKILL)
            for child in orphans:
                wait_for_end(child)

    def close(self) -> None:
        """Stop the server and remove its folder, as the watcher does if this process dies."""
        atexit.unregister(self.close)
        if self.process is not None and self.process.poll() is None:
            self._end(signal.SIGQUIT)
        self._watcher.communicate()

    def log(self) -> str:
        """The server's log."""
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

    def _end(self, signal_number: signal.Signals) -> None:
        assert self.process is not None
        self.process.send_signal(signal_number)
        self.process.wait(START_SECONDS)

    def _initialize(self) -> None:
        command = [str(self.binaries / "initdb"), "-D", str(self.folder / "data")]
        command += ["-U", "pitbook", "-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync"]
        initdb = self._popen(command, stdin=subprocess.DEVNULL)
        assert initdb.wait(START_SECONDS) == 0, self.log()

    def _popen(self, command: list[str], stdin: int) -> subprocess.Popen[bytes]:
        # A separate session: Ctrl-C goes to the tests, which stop the server.
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
        """The binaries, copied if the server's user cannot enter their folder."""
        if not self.owner or all(is_open_to_all(parent) for parent in binaries.resolve().parents):
            return binaries
        shutil.copytree(binaries.parent, self.folder / "install", symlinks=True)
        return self.folder / "install" / "bin"


def binaries() -> list[Path]:
    """Folders with a PostgreSQL server, newest first."""
    installed = Path("/usr/lib/postgresql").glob("*/bin/postgres")
    servers = sorted(installed, key=lambda path: int(path.parts[-3].split(".")[0]), reverse=True)
    on_path = shutil.which("postgres")
    servers += [Path(on_path).resolve()] if on_path else []
    return [
        path.parent for path in servers if (path.parent / "initdb").exists()
    ] + bundled_binaries()


def bundled_binaries() -> list[Path]:
    """The folder of the server in the PyPI package pgserver, which is run but never imported."""
    package = importlib.util.find_spec("pgserver")
    places = package.submodule_search_locations or [] if package else []
    return [Path(place) / "pginstall" / "bin" for place in places]


def owner() -> tuple[int, int] | None:
    """User and group to run the server as if we are root, which PostgreSQL refuses; else None."""
    if not hasattr(os, "geteuid") or os.geteuid() != 0:
        return None
    import pwd

    names = {entry.pw_name: entry for entry in pwd.getpwall()}
    entry = names.get("postgres") or names["nobody"]
    return entry.pw_uid, entry.pw_gid


def is_open_to_all(folder: Path) -> bool:
    return bool(folder.stat().st_mode & stat.S_IXOTH)


def children(pid: int) -> list[int]:
    listed = Path(f"/proc/{pid}/task/{pid}/children")
    if listed.exists():
        return [int(child) for child in listed.read_text().split()]
    table = subprocess.run(["ps", "-A", "-o", "pid=,ppid="], capture_output=True, check=True)
    rows = (line.split() for line in table.stdout.splitlines())
    return [int(row[0]) for row in rows if int(row[1]) == pid]


@contextmanager
def adopt_orphans() -> Iterator[None]:
    """Adopt orphaned processes: the first process of a container may not reap them."""
    if sys.platform != "linux":
        yield
        return
    libc = ctypes.CDLL(None)
    libc.prctl(PR_SET_CHILD_SUBREAPER, 1)
    yield
    libc.prctl(PR_SET_CHILD_SUBREAPER, 0)


def wait_for_end(pid: int) -> None:
    try:
        os.waitpid(pid, 0)
    except ChildProcessError:  # Not our child; its parent will reap it.
        while is_alive(pid):
            Event().wait(0.01)


def is_alive(pid: int) -> bool:
    """Whether a process is running; zombies are not."""
    try:
        os.kill(pid, 0)
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except ProcessLookupError:
        return False
    except FileNotFoundError:
        return not Path("/proc/self").exists()


def free_port() -> int:
    """A port that stays free until it is used: the system does not assign it to connections."""
    while True:
        port = next(_PORTS)
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


def _ports() -> Iterator[int]:
    """Below the range of ephemeral ports; each port once, and each process starts elsewhere."""
    first, many = 12_000, 20_000
    for number in itertools.count(97 * os.getpid()):
        yield first + number % many


_PORTS = _ports()
