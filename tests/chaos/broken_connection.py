"""A connection to PostgreSQL that breaks, possibly after the server acted."""

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
CUTS = 50  # Cuts of one ledger.


class CuttableProxy:
    """A proxy between clients and a server that can be cut while bytes travel."""

    def __init__(self, host: str, port: int, rng: random.Random) -> None:
        self._server = (host, port)
        self._luck = rng
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._lock = Lock()
        self._chunks_left = -1  # How many more chunks pass; negative: all.
        self.is_cut = Event()
        self.port: int = self._listener.getsockname()[1]
        Thread(target=self._accept, daemon=True).start()

    def cut_soon(self) -> None:
        """Let a few more chunks pass, then break the connection that carries the next."""
        with self._lock:
            self.is_cut.clear()
            self._chunks_left = self._luck.randrange(1, 60)

    def spare(self) -> None:
        """Let all chunks pass."""
        with self._lock:
            self._chunks_left = -1

    def close(self) -> None:
        """Accept no new connections."""
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _accept(self) -> None:
        with suppress(OSError):  # Closed.
            while True:
                client, _ = self._listener.accept()
                Thread(target=self._carry, args=(client,), daemon=True).start()

    def _carry(self, client: socket.socket) -> None:
        with client, socket.create_connection(self._server) as upstream, suppress(OSError):
            for end in (client, upstream):
                end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            while self._forward(client, upstream):
                pass

    def _forward(self, client: socket.socket, upstream: socket.socket) -> bool:
        ready, _, _ = select.select([client, upstream], [], [])
        for end in ready:
            chunk = end.recv(CHUNK)
            breaks = self._breaks()
            if not chunk or (breaks and self._luck.random() < 0.5):
                return False  # Broken before it arrived.
            (upstream if end is client else client).sendall(chunk)
            if breaks:
                return False  # Broken after it arrived, which the sender cannot know.
        return True

    def _breaks(self) -> bool:
        with self._lock:
            self._chunks_left -= 1
            if self._chunks_left == 0:
                self.is_cut.set()
            return self._chunks_left == 0


def broken_connections(*, cuts: int, seed: str) -> Result:
    """Cut connections under load at any byte; the same ledger reconnects."""
    wrong: list[str] = []
    acknowledged = 0
    for start in range(0, cuts, CUTS):
        load = cut_connections(min(CUTS, cuts - start), f"{seed}-{start}")
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


def cut_connections(cuts: int, seed: str) -> Load:
    """One ledger through several cuts, checked at the end."""
    rounds, rng = Rounds(seed), random.Random(seed)
    with database_of(server().url()) as direct, through_proxy(direct, rng) as (proxy, url):
        client = rounds.start(url)
        load = Load(client, THREADS)
        load.send([0])
        for _ in range(cuts):
            proxy.cut_soon()
            load.send_until(proxy.is_cut)
        proxy.spare()
        load.send_until_known(tries=5)  # A connection may turn out to be dead when it is used.
        client.close()
        load.wrong += rounds.wrong(direct, load.acknowledged)
    return load


@contextmanager
def through_proxy(url: str, rng: random.Random) -> Iterator[tuple[CuttableProxy, str]]:
    """A proxy to the server of a URL, and the URL through the proxy."""
    parts = urlsplit(url)
    assert parts.hostname is not None
    assert parts.port is not None
    proxy = CuttableProxy(parts.hostname, parts.port, rng)
    yield proxy, re.sub(rf":{parts.port}/", f":{proxy.port}/", url)
    proxy.close()
