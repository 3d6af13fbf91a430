"""Processes of `pitbook` that begin with everything loaded: each is a fork of one that waits.

To load the server takes longer than most tests of it; each is still a process of its own, with
its own environment, folder, signals and end. Run as a program it reads what to start from a
socket: one message for each, with its three standard streams.
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


class Born:
    """A process of the nursery, as much of `subprocess.Popen` as tests ask for."""

    returncode: int | None = None

    def __init__(self, line: socket.socket, stdout: TextIO, stderr: TextIO) -> None:
        self._line, self.stdout, self.stderr = line, stdout, stderr
        self._said = line.makefile("r")
        self.pid = int(self._said.readline())

    def poll(self) -> int | None:
        """How it ended, if it has."""
        return self.returncode if self.returncode is not None else self._ended(0)

    def wait(self, timeout: float | None = None) -> int:
        """How it ended; raises where it still runs then."""
        if self.returncode is None and self._ended(timeout) is None:
            raise subprocess.TimeoutExpired("pitbook", timeout or 0)
        assert self.returncode is not None
        return self.returncode

    def send_signal(self, how: int) -> None:
        """A signal, unless it has ended: its number may be somebody else's now."""
        if self.poll() is None:
            os.kill(self.pid, how)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def _ended(self, timeout: float | None) -> int | None:
        if select.select([self._line], [], [], timeout)[0]:
            self.returncode = int(self._said.readline())
            self._said.close()
            self._line.close()
        return self.returncode


def born(
    arguments: list[str], folder: Path, variables: dict[str, str], changes: Changes | None = None
) -> Born:
    """Start `pitbook` with these arguments after `changes`: {"pitbook.house.web.leases.X": 300}."""
    ours, theirs = socket.socketpair()
    out, err = os.pipe(), os.pipe()
    asked = json.dumps([arguments, str(folder), variables, changes or {}]).encode()
    with theirs:
        socket.send_fds(_nursery(), [asked], [theirs.fileno(), out[1], err[1]])
    for written in (out[1], err[1]):
        os.close(written)
    read = (os.fdopen(one[0], encoding="utf-8") for one in (out, err))
    return Born(ours, *read)


@functools.cache
def _nursery() -> socket.socket:
    """Started with the first that is asked for; ends with this process."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    command = [sys.executable, "-m", "tests.house.web.nursery", str(theirs.fileno())]
    with theirs:
        process = subprocess.Popen(command, cwd=ROOT, pass_fds=[theirs.fileno()])

    def closed() -> None:
        ours.close()
        process.wait()

    atexit.register(closed)
    return ours


def _live(asked: list[Any], streams: tuple[int, int]) -> NoReturn:
    """What `python -m pitbook` does, from here on."""
    arguments, folder, variables, changes = asked
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
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
    except BaseException:  # noqa: BLE001  As an interpreter does.
        traceback.print_exc()
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    for printed in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            printed.flush()
    os._exit(code)


def _value(given: Any) -> Any:
    """A value as it is given; "import:tests.noon.now" is what is found there."""
    if not (isinstance(given, str) and given.startswith("import:")):
        return given
    module, _, attribute = given.removeprefix("import:").rpartition(".")
    return getattr(importlib.import_module(module), attribute)


def _watch(asked: list[Any], line: int, streams: tuple[int, int]) -> NoReturn:
    """Starts one process, and tells its number and its end to whoever asked for it."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    if not (pid := os.fork()):
        _live(asked, streams)
    for stream in streams:
        os.close(stream)
    with contextlib.suppress(BrokenPipeError):
        os.write(line, b"%d\n" % pid)
        _, status = os.waitpid(pid, 0)
        os.write(line, b"%d\n" % os.waitstatus_to_exitcode(status))
    os._exit(0)


def main() -> None:
    for module in LOADED:
        importlib.import_module(module)
    gc.freeze()  # What is loaded is shared by all.
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the tests, and ends us by them.
    with socket.socket(fileno=int(sys.argv[1])) as waiting:
        while True:
            message, passed, _, _ = socket.recv_fds(waiting, MESSAGE, 3)
            if not message:
                return
            line, *streams = passed
            if not os.fork():
                waiting.close()
                _watch(json.loads(message), line, (streams[0], streams[1]))
            for one in passed:
                os.close(one)


if __name__ == "__main__":
    main()
