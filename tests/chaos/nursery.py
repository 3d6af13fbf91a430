"""Processes that are born to be killed: forked with the ledger loaded, so that a life is short.

Run as a program it reads lives from stdin, one JSON line each. A life sends requests from several
threads and prints each receipt after it came; all print to one pipe, whose order is what happened.
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
FOREVER = 60.0
# What every life would load for itself otherwise.
LOADED = (
    "alembic.command",
    "psycopg",
    "sqlalchemy.dialects.postgresql.psycopg",
    "tests.chaos.workload",
)


class Life(NamedTuple):
    """What a process does: requests once more, then new ones without end."""

    workload: str
    seed: str
    url: str
    threads: int
    again: Sequence[int]
    first: int


class Nursery:
    """The parent's side: starts lives, hears their receipts, and kills them."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.chaos.nursery"],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        self._heard = b""
        self._life: int | None = None

    def start(self, life: Life) -> int:
        """The process id of a new life."""
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(life).encode() + b"\n")
        self.process.stdin.flush()
        word, pid = self.line(FOREVER).split()
        assert word == "born"
        self._life = int(pid)
        return self._life

    def line(self, seconds: float) -> str:
        """The next line, or "" when none came in time."""
        assert self.process.stdout is not None
        until = monotonic() + seconds
        while b"\n" not in self._heard:
            ready, _, _ = select.select([self.process.stdout], [], [], max(0, until - monotonic()))
            if not ready:
                return ""
            read = os.read(self.process.stdout.fileno(), 65536)
            assert read, "the nursery died"
            self._heard += read
        line, self._heard = self._heard.split(b"\n", 1)
        return line.decode()

    def receipts(self, pid: int, *, seconds: float, enough: int) -> Iterator[tuple[int, str]]:
        """Each number with its receipt; the life is killed after some time or some receipts."""
        until = monotonic() + seconds
        for heard in count():
            if heard == enough:
                break
            line = self.line(max(0.0, until - monotonic()))
            if not line:
                break
            yield told(line)
        os.kill(pid, signal.SIGKILL)
        while not (line := self.line(FOREVER)).startswith("dead"):
            yield told(line)
        self._life = None
        assert line.split()[1] == str(int(signal.SIGKILL)), line

    def close(self) -> None:
        """Ends the nursery, and a life that something else kept us from ending."""
        if self._life is not None:
            with suppress(ProcessLookupError):
                os.kill(self._life, signal.SIGKILL)
        self.process.communicate()


def told(line: str) -> tuple[int, str]:
    number, _, receipt = line.partition(" ")
    assert number.isdigit(), line
    return int(number), receipt


def raise_lives(lines: Iterable[str]) -> None:
    """The nursery's side: forks for each line, and reports the death."""
    for name in LOADED:
        importlib.import_module(name)
    for line in lines:
        life = Life(*json.loads(line))
        module = importlib.import_module(life.workload.partition(":")[0])
        getattr(module, "warm", lambda: None)()
        pid = os.fork()
        if not pid:
            live(life)
        say(f"born {pid}")
        _, status = os.waitpid(pid, 0)
        say(f"dead {os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0}")


def live(life: Life) -> None:
    """Sends requests until killed; never returns."""
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
    """The workload that "module:class" names."""
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
    """One write to the pipe, which takes it whole or not at all."""
    os.write(1, line.encode() + b"\n")


if __name__ == "__main__":
    raise_lives(sys.stdin)
