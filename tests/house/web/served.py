"""`pitbook serve` as a process of its own, asked over a real port."""

from __future__ import annotations

import os
import re
import signal
import ssl
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import SimpleQueue

import httpx
from tests.house.web.nursery import Born, Changes, born

WEAK = {
    "PITBOOK_SIGN_IN_ARGON2_TIME_COST": "1",
    "PITBOOK_SIGN_IN_ARGON2_MEMORY_KIB": "8",
    "PITBOOK_SIGN_IN_FAILURE_DELAY_SECONDS": "0",
    "PITBOOK_SHUTDOWN_SECONDS": "2",
}
SECONDS = 60
PLAIN = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)  # No address here needs it: nothing to load.


class Served:
    """A server that runs; its log is read as it comes."""

    def __init__(self, process: subprocess.Popen[str] | Born) -> None:
        self.process = process
        self.log: list[str] = []
        self.lines: SimpleQueue[str] = SimpleQueue()
        self._readers = [self._reading("stdout"), self._reading("stderr")]
        self.said: list[str] = []
        while not any("Ctrl-C closes it" in line for line in self.said):
            self.said.append(self.lines.get(timeout=SECONDS))
            assert self.said[-1], f"it ended: {''.join(self.log)}"
        found = re.search(r"open at (\S+)", self.said[-1])
        assert found
        self.address = found[1]
        self.said.append(self.lines.get(timeout=SECONDS))

    def link(self) -> str:
        """The path of the first supervisor's invitation."""
        self.said += [self.lines.get(timeout=SECONDS), self.lines.get(timeout=SECONDS)]
        return self.said[-1].strip().removeprefix(self.address)

    def client(self) -> httpx.Client:
        return httpx.Client(base_url=self.address, timeout=SECONDS, verify=PLAIN)

    def stop(self, how: signal.Signals = signal.SIGTERM) -> int:
        """Send a signal; the exit code."""
        self.process.send_signal(how)
        return self.ended()

    def ended(self) -> int:
        code = self.process.wait(SECONDS)
        for one in self._readers:
            one.join(SECONDS)
        return code

    def _reading(self, name: str) -> threading.Thread:
        pipe = getattr(self.process, name)

        def read() -> None:
            with pipe:
                for line in pipe:
                    (self.lines.put if name == "stdout" else self.log.append)(line)
            if name == "stdout":
                self.lines.put("")

        thread = threading.Thread(target=read, daemon=True)
        thread.start()
        return thread


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "pitbook", *arguments]


def environment(**more: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PITBOOK")}
    return kept | WEAK | more


@contextmanager
def served(folder: Path, *arguments: str, **variables: str) -> Iterator[Served]:
    """A server on any free port; killed in the end if it still runs."""
    asked = _asked(folder, *arguments)
    with _running(born(asked, folder.parent, environment(**variables))) as server:
        yield server


@contextmanager
def served_with(changes: Changes, folder: Path, *arguments: str) -> Iterator[Served]:
    """The same with other constants, as `born` takes them."""
    asked = _asked(folder, *arguments)
    with _running(born(asked, folder.parent, environment(), changes)) as server:
        yield server


@contextmanager
def served_from_a_shell(folder: Path, **variables: str) -> Iterator[Served]:
    """The same, which loads everything itself."""
    process = subprocess.Popen(
        command(*_asked(folder)),
        cwd=folder.parent,
        env=environment(**variables),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    with _running(process) as server:
        yield server


def _asked(folder: Path, *arguments: str) -> list[str]:
    return ["serve", "--port", "0", "--data", str(folder), *arguments]


@contextmanager
def _running(process: subprocess.Popen[str] | Born) -> Iterator[Served]:
    try:
        yield Served(process)
    finally:
        process.kill()
        process.wait(SECONDS)


def pitbook(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Another command, to its end."""
    process = born(list(arguments), folder.parent, environment())
    late = threading.Timer(SECONDS, process.kill)
    late.start()
    with process.stdout as out, process.stderr as err:
        printed = out.read(), err.read()
    late.cancel()
    return subprocess.CompletedProcess(arguments, process.wait(SECONDS), *printed)
