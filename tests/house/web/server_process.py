"""`pitbook serve` as a separate process on a real port."""

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
from tests.house.web.preloaded_processes import Changes, ForkedProcess, spawn

WEAK = {
    "PITBOOK_SIGN_IN_ARGON2_TIME_COST": "1",
    "PITBOOK_SIGN_IN_ARGON2_MEMORY_KIB": "8",
    "PITBOOK_SIGN_IN_FAILURE_DELAY_SECONDS": "0",
    "PITBOOK_SHUTDOWN_SECONDS": "2",
}
SECONDS = 60
PLAIN = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)  # No address here uses TLS: nothing to load.


class ServerProcess:
    """A running server with its log."""

    def __init__(self, process: subprocess.Popen[str] | ForkedProcess) -> None:
        self.process = process
        self.log: list[str] = []
        self.lines: SimpleQueue[str] = SimpleQueue()
        self._readers = [self._read_in_thread("stdout"), self._read_in_thread("stderr")]
        self.output: list[str] = []
        while not any("Press Ctrl-C to stop" in line for line in self.output):
            self.output.append(self.lines.get(timeout=SECONDS))
            assert self.output[-1], f"it ended: {''.join(self.log)}"
        match = re.search(r"running at (\S+)", self.output[-1])
        assert match
        self.address = match[1]
        self.output.append(self.lines.get(timeout=SECONDS))

    def link(self) -> str:
        """The path of the first supervisor's invitation."""
        self.output += [self.lines.get(timeout=SECONDS), self.lines.get(timeout=SECONDS)]
        return self.output[-1].strip().removeprefix(self.address)

    def client(self) -> httpx.Client:
        return httpx.Client(base_url=self.address, timeout=SECONDS, verify=PLAIN)

    def stop(self, signal_: signal.Signals = signal.SIGTERM) -> int:
        """Send a signal; returns the exit code."""
        self.process.send_signal(signal_)
        return self.wait_for_end()

    def wait_for_end(self) -> int:
        code = self.process.wait(SECONDS)
        for reader in self._readers:
            reader.join(SECONDS)
        return code

    def _read_in_thread(self, name: str) -> threading.Thread:
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
    variables = {
        name: value for name, value in os.environ.items() if not name.startswith("PITBOOK")
    }
    return variables | WEAK | more


@contextmanager
def run_server(folder: Path, *arguments: str, **variables: str) -> Iterator[ServerProcess]:
    """A server on any free port; killed afterwards if it still runs."""
    serve_arguments = _serve_arguments(folder, *arguments)
    with _run_process(spawn(serve_arguments, folder.parent, environment(**variables))) as server:
        yield server


@contextmanager
def run_server_with(changes: Changes, folder: Path, *arguments: str) -> Iterator[ServerProcess]:
    """A server with changed constants, as `spawn` takes them."""
    serve_arguments = _serve_arguments(folder, *arguments)
    with _run_process(spawn(serve_arguments, folder.parent, environment(), changes)) as server:
        yield server


@contextmanager
def run_server_from_shell(folder: Path, **variables: str) -> Iterator[ServerProcess]:
    """A server process that loads everything itself."""
    process = subprocess.Popen(
        command(*_serve_arguments(folder)),
        cwd=folder.parent,
        env=environment(**variables),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    with _run_process(process) as server:
        yield server


def _serve_arguments(folder: Path, *arguments: str) -> list[str]:
    return ["serve", "--port", "0", "--data", str(folder), *arguments]


@contextmanager
def _run_process(process: subprocess.Popen[str] | ForkedProcess) -> Iterator[ServerProcess]:
    try:
        yield ServerProcess(process)
    finally:
        process.kill()
        process.wait(SECONDS)


def pitbook(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run another command to its end."""
    process = spawn(list(arguments), folder.parent, environment())
    kill_timer = threading.Timer(SECONDS, process.kill)
    kill_timer.start()
    with process.stdout as out, process.stderr as err:
        printed = out.read(), err.read()
    kill_timer.cancel()
    return subprocess.CompletedProcess(arguments, process.wait(SECONDS), *printed)
