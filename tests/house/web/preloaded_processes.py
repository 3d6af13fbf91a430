"""Forks `pitbook` processes from one that has loaded everything.

Loading the server takes longer than most tests of it. Each fork has its own environment, folder,
signals and exit code. Run as a program, this module reads what to start from a socket: one
message per process, with its three standard streams.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import gc
import importlib
import json
import os
import select
import signal
import socket
import subprocess
import sys
import threading
import traceback
from pathlib import Path
from typing import Any, NoReturn, TextIO

ROOT = Path(__file__).parents[3]
LOADED = (
    *(
        "pitbook.cli.app",
        "pitbook.house.web.serve",
        "pitbook.house.cli.serve",
        "pitbook.house.cli.users",
    ),
    *(
        "alembic.command",
        "psycopg",
        "sqlalchemy.dialects.postgresql.psycopg",
        "uvicorn.lifespan.on",
    ),
    *("uvicorn.protocols.http.auto", "uvicorn.protocols.websockets.auto", "uvicorn.loops.auto"),
)
MESSAGE = 1 << 20
Changes = dict[str, Any]


class ForkedProcess:
    """A forked process with the part of `subprocess.Popen` that tests use."""

    returncode: int | None = None

    def __init__(self, connection: socket.socket, stdout: TextIO, stderr: TextIO) -> None:
        self._connection, self.stdout, self.stderr = connection, stdout, stderr
        self._reports = connection.makefile("r")
        self.pid = int(self._reports.readline())

    def poll(self) -> int | None:
        """The exit code if it has ended."""
        return self.returncode if self.returncode is not None else self._wait_for_end(0)

    def wait(self, timeout: float | None = None) -> int:
        """The exit code; raises TimeoutExpired if it still runs then."""
        if self.returncode is None and self._wait_for_end(timeout) is None:
            raise subprocess.TimeoutExpired("pitbook", timeout or 0)
        assert self.returncode is not None
        return self.returncode

    def send_signal(self, signal_number: int) -> None:
        """Send a signal unless the process has ended: its pid may be reused."""
        if self.poll() is None:
            os.kill(self.pid, signal_number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def _wait_for_end(self, timeout: float | None) -> int | None:
        if select.select([self._connection], [], [], timeout)[0]:
            self.returncode = int(self._reports.readline())
            self._reports.close()
            self._connection.close()
        return self.returncode


def spawn(
    arguments: list[str], folder: Path, variables: dict[str, str], changes: Changes | None = None
) -> ForkedProcess:
    """Start `pitbook` with these arguments after `changes`: {"pitbook.house.web.leases.X": 300}."""
    ours, theirs = socket.socketpair()
    out, err = os.pipe(), os.pipe()
    request = json.dumps([arguments, str(folder), variables, changes or {}]).encode()
    with theirs:
        socket.send_fds(_fork_server(), [request], [theirs.fileno(), out[1], err[1]])
    for write_end in (out[1], err[1]):
        os.close(write_end)
    read = (os.fdopen(pipe[0], encoding="utf-8") for pipe in (out, err))
    return ForkedProcess(ours, *read)


@functools.cache
def _fork_server() -> socket.socket:
    """The connection to the fork server, which starts on first use and ends with this process."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    command = [sys.executable, "-m", "tests.house.web.preloaded_processes", str(theirs.fileno())]
    with theirs:
        process = subprocess.Popen(command, cwd=ROOT, pass_fds=[theirs.fileno()])

    def close_nursery() -> None:
        ours.close()
        process.wait()

    atexit.register(close_nursery)
    return ours


def _run_pitbook(request: list[Any], streams: tuple[int, int]) -> NoReturn:
    """Become `python -m pitbook`."""
    arguments, folder, variables, changes = request
    for number, stream in enumerate(streams, start=1):
        os.dup2(stream, number)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.closerange(3, 256)
    sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", buffering=1, encoding="utf-8", closefd=False)  # noqa: SIM115
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(variables)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for name, value in changes.items():
        module, _, attribute = name.rpartition(".")
        setattr(importlib.import_module(module), attribute, _value(value))
    code = 1
    try:
        importlib.import_module("pitbook.cli").main(arguments)
    except SystemExit as exit_error:
        code = (
            exit_error.code
            if isinstance(exit_error.code, int)
            else int(exit_error.code is not None)
        )
    except BaseException:  # noqa: BLE001  As an interpreter does.
        traceback.print_exc()
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    for output in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            output.flush()
    os._exit(code)


def _value(text: Any) -> Any:
    """A value as given; "import:tests.house.nights.gaming_date.now" is imported."""
    if not (isinstance(text, str) and text.startswith("import:")):
        return text
    module, _, attribute = text.removeprefix("import:").rpartition(".")
    return getattr(importlib.import_module(module), attribute)


def _fork_and_report(request: list[Any], connection: int, streams: tuple[int, int]) -> NoReturn:
    """Fork one process, and report its pid and its exit code."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    if not (pid := os.fork()):
        _run_pitbook(request, streams)
    for stream in streams:
        os.close(stream)
    with contextlib.suppress(BrokenPipeError):
        os.write(connection, b"%d\n" % pid)
        _, status = os.waitpid(pid, 0)
        os.write(connection, b"%d\n" % os.waitstatus_to_exitcode(status))
    os._exit(0)


def main() -> None:
    for module in LOADED:
        importlib.import_module(module)
    gc.freeze()  # Loaded modules are shared by all forks.
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the tests, which end us.
    with socket.socket(fileno=int(sys.argv[1])) as waiting:
        while True:
            message, passed, _, _ = socket.recv_fds(waiting, MESSAGE, 3)
            if not message:
                return
            connection, *streams = passed
            if not os.fork():
                waiting.close()
                _fork_and_report(json.loads(message), connection, (streams[0], streams[1]))
            for descriptor in passed:
                os.close(descriptor)


if __name__ == "__main__":
    main()
