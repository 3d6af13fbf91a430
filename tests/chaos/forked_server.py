"""Processes forked from a preloaded fork server, so that each starts quickly."""

from __future__ import annotations

import functools
import multiprocessing
import os
import signal
import sys
from collections.abc import Mapping, Sequence
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerContext
from pathlib import Path
from threading import Thread
from typing import TextIO

PRELOADED = [
    "alembic.command",
    "pitbook.house.cli.serve",
    "pitbook.house.ledger.ledger",
    "pitbook.house.web.serve",
    "psycopg",
    "sqlalchemy.dialects.postgresql.psycopg",
]


@functools.cache
def forks() -> ForkServerContext:
    """The fork server, with the modules that most commands need."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(PRELOADED)
    return context


class ForkedCommand:
    """A command line in a forked process, with the interface of subprocess.Popen."""

    def __init__(
        self, words: Sequence[str], cwd: Path, env: Mapping[str, str], silent: float
    ) -> None:
        ends = {name: forks().Pipe(duplex=False) for name in ("stdout", "stderr")}
        write_ends = {name: end for name, (_, end) in ends.items()}
        self._process = forks().Process(
            target=_run_command, args=(words, cwd, dict(env), silent, write_ends), daemon=True
        )
        self._process.start()
        for end in write_ends.values():
            end.close()
        self.stdout, self.stderr = (_text(read_end) for read_end, _ in ends.values())

    def send_signal(self, signal_number: signal.Signals) -> None:
        """Send a signal if the process is still alive."""
        if self._process.exitcode is None:
            assert self._process.pid is not None
            os.kill(self._process.pid, signal_number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def wait(self, seconds: float) -> int:
        """The exit code."""
        self._process.join(seconds)
        code = self._process.exitcode
        assert code is not None, "it did not end"
        return code


def _text(read_end: Connection) -> TextIO:
    text = os.fdopen(os.dup(read_end.fileno()), "r", encoding="utf-8")
    read_end.close()
    return text


def _run_command(
    words: Sequence[str],
    cwd: Path,
    env: Mapping[str, str],
    silent: float,
    write_ends: Mapping[str, Connection],
) -> None:
    """Run the command line in the forked process."""
    Thread(target=_die_with_the_run, daemon=True).start()
    for descriptor, (name, pipe) in enumerate(write_ends.items(), start=1):
        os.dup2(pipe.fileno(), descriptor)
        pipe.close()
        setattr(sys, name, os.fdopen(descriptor, "w", encoding="utf-8", closefd=False))
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(env)
    sys.argv = ["pitbook", *words]

    from pitbook.cli.app import main
    from pitbook.house.web import leases

    leases.SILENT_SECONDS = silent
    main()


def _die_with_the_run() -> None:
    """Kill this process when the test run ends, however it ends."""
    run = multiprocessing.parent_process()
    assert run is not None
    run.join()
    os.kill(os.getpid(), signal.SIGKILL)
