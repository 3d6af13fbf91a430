"""A line to PostgreSQL that breaks: the server may have done what its client never hears of."""

from __future__ import annotations

import random
import re
import select
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Event, Lock, Thread
from urllib.parse import urlsplit

from tests.chaos.load import Load
from tests.chaos.results import Result, result
from tests.chaos.workload import Rounds
from tests.postgres import database_of, server

CHUNK = 65_536
THREADS = 4
CUTS = 50  # As many as one book sees.


class Wire:
    """Carries bytes between clients and a server, and can be cut while they travel."""

    def __init__(self, host: str, port: int, luck: random.Random) -> None:
        self._server = (host, port)
        self._luck = luck
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._lock = Lock()
        self._left = -1  # How many more chunks pass; less than none: all.
        self.is_cut = Event()
        self.port: int = self._listener.getsockname()[1]
        Thread(target=self._accept, daemon=True).start()

    def cut_soon(self) -> None:
        """Lets a few more chunks pass, then breaks the connection that carries the next."""
        with self._lock:
            self.is_cut.clear()
            self._left = self._luck.randrange(1, 60)

    def spare(self) -> None:
        """Lets all chunks pass."""
        with self._lock:
            self._left = -1

    def close(self) -> None:
        """Takes no new connections."""
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _accept(self) -> None:
        with suppress(OSError):  # Closed.
            while True:
                client, _ = self._listener.accept()
                Thread(target=self._carry, args=(client,), daemon=True).start()

    def _carry(self, client: socket.socket) -> None:
        with client, socket.create_connection(self._server) as there, suppress(OSError):
            for end in (client, there):
                end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            while self._passed(client, there):
                pass

    def _passed(self, client: socket.socket, there: socket.socket) -> bool:
        ready, _, _ = select.select([client, there], [], [])
        for end in ready:
            chunk = end.recv(CHUNK)
            breaks = self._breaks()
            if not chunk or (breaks and self._luck.random() < 0.5):
                return False  # Broken before it arrived.
            (there if end is client else client).sendall(chunk)
            if breaks:
                return False  # Broken after: whoever sent it will not know.
        return True

    def _breaks(self) -> bool:
        with self._lock:
            self._left -= 1
            if self._left == 0:
                self.is_cut.set()
            return self._left == 0


def broken_lines(*, cuts: int, seed: str) -> Result:
    """Connections cut under load at any byte; the same ledger connects again and finds out."""
    wrong: list[str] = []
    acknowledged = 0
    for start in range(0, cuts, CUTS):
        load = cut(min(CUTS, cuts - start), f"{seed}-{start}")
        wrong += load.wrong
        acknowledged += len(load.acknowledged)
    return result(
        "connection to PostgreSQL broken",
        on="PostgreSQL",
        count=cuts,
        what="cuts",
        seed=seed,
        wrong=wrong,
        acknowledged=acknowledged,
    )


def cut(cuts: int, seed: str) -> Load:
    """One book through several cuts, judged at the end."""
    rounds, luck = Rounds(seed), random.Random(seed)
    with database_of(server().url()) as direct, through(direct, luck) as (wire, url):
        client = rounds.start(url)
        load = Load(client, THREADS)
        load.send([0])
        for _ in range(cuts):
            wire.cut_soon()
            load.send_until(wire.is_cut)
        wire.spare()
        load.send_until_known(tries=5)  # A connection may turn out to be dead when it is used.
        client.close()
        load.wrong += rounds.wrong(direct, load.acknowledged)
    return load


@contextmanager
def through(url: str, luck: random.Random) -> Iterator[tuple[Wire, str]]:
    """A wire to the server of a URL, and the URL that leads through it."""
    parts = urlsplit(url)
    assert parts.hostname is not None
    assert parts.port is not None
    wire = Wire(parts.hostname, parts.port, luck)
    yield wire, re.sub(rf":{parts.port}/", f":{wire.port}/", url)
    wire.close()
