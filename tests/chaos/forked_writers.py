"""Short-lived processes that tests kill, forked with the ledger loaded.

As a program, it reads lives from stdin, one JSON line each. A life sends requests from several
threads and prints each receipt. All print to one pipe, so its order is the order of events.
"""

from __future__ import annotations

import importlib
import json
import os
import select
import signal
import subprocess
import sys
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import chain, count
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple

ROOT = Path(__file__).parent.parent.parent
LINE_SECONDS = 60.0
# Modules that every life would otherwise load again.
PRELOADED = (
    "alembic.command",
    "psycopg",
    "sqlalchemy.dialects.postgresql.psycopg",
    "tests.chaos.workload",
)


class Life(NamedTuple):
    """A process's requests: first the repeated ones, then new ones without end."""

    workload: str
    seed: str
    url: str
    threads: int
    again: Sequence[int]
    first: int


class Nursery:
    """The parent's side: starts lives, reads their receipts, and kills them."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.chaos.forked_writers"],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        self._buffer = b""
        self._life: int | None = None

    def start(self, life: Life) -> int:
        """Start a life and return its process id."""
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(life).encode() + b"\n")
        self.process.stdin.flush()
        status, pid = self.read_line(LINE_SECONDS).split()
        assert status == "born"
        self._life = int(pid)
        return self._life

    def read_line(self, seconds: float) -> str:
        """The next line, or "" if none came in time."""
        assert self.process.stdout is not None
        deadline = monotonic() + seconds
        while b"\n" not in self._buffer:
            ready, _, _ = select.select(
                [self.process.stdout], [], [], max(0, deadline - monotonic())
            )
            if not ready:
                return ""
            chunk = os.read(self.process.stdout.fileno(), 65536)
            assert chunk, "the nursery died"
            self._buffer += chunk
        line, self._buffer = self._buffer.split(b"\n", 1)
        return line.decode()

    def receipts(self, pid: int, *, seconds: float, enough: int) -> Iterator[tuple[int, str]]:
        """Each number with its receipt; kill the life after some time or number of receipts."""
        deadline = monotonic() + seconds
        for received in count():
            if received == enough:
                break
            line = self.read_line(max(0.0, deadline - monotonic()))
            if not line:
                break
            yield parse_receipt(line)
        os.kill(pid, signal.SIGKILL)
        while not (line := self.read_line(LINE_SECONDS)).startswith("dead"):
            yield parse_receipt(line)
        self._life = None
        assert line.split()[1] == str(int(signal.SIGKILL)), line

    def close(self) -> None:
        """End the nursery, and a life that is still running."""
        if self._life is not None:
            with suppress(ProcessLookupError):
                os.kill(self._life, signal.SIGKILL)
        self.process.communicate()


def parse_receipt(line: str) -> tuple[int, str]:
    number, _, receipt = line.partition(" ")
    assert number.isdigit(), line
    return int(number), receipt


def serve_lives(lines: Iterable[str]) -> None:
    """The nursery's side: fork for each line and report the death."""
    for name in PRELOADED:
        importlib.import_module(name)
    for line in lines:
        life = Life(*json.loads(line))
        module = importlib.import_module(life.workload.partition(":")[0])
        getattr(module, "warm", lambda: None)()
        pid = os.fork()
        if not pid:
            run_life(life)
        say(f"born {pid}")
        _, status = os.waitpid(pid, 0)
        say(f"dead {os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0}")


def run_life(life: Life) -> None:
    """Send requests until killed; never returns."""
    try:
        client = workload_of(life.workload, life.seed).start(life.url)
        say(f"0 {client.send(0)}")
        numbers = chain(life.again, count(life.first))
        threads = [
            threading.Thread(target=send_all, args=(client, numbers)) for _ in range(life.threads)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    except BaseException as failure:  # noqa: BLE001 the parent asks
        say(f"failed in {life.url}: {failure!r}")
    finally:
        os._exit(1)


def workload_of(name: str, seed: str) -> Any:
    """The workload named "module:class"."""
    module, _, kind = name.partition(":")
    return getattr(importlib.import_module(module), kind)(seed)


def send_all(client: Any, numbers: Iterator[int]) -> None:
    try:
        for number in numbers:
            say(f"{number} {client.send(number)}")
    except BaseException as failure:  # noqa: BLE001 the parent asks
        say(f"failed: {failure!r}")
        os._exit(1)


def say(line: str) -> None:
    """One write to the pipe, which is atomic."""
    os.write(1, line.encode() + b"\n")


if __name__ == "__main__":
    serve_lives(sys.stdin)
