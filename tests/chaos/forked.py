"""Processes forked from one that has loaded the house, so that each starts in no time."""

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

LOADED = [
    "alembic.command",
    "pitbook.house.cli.serve",
    "pitbook.house.ledger.journal",
    "pitbook.house.web.serve",
    "psycopg",
    "sqlalchemy.dialects.postgresql.psycopg",
]


@functools.cache
def forks() -> ForkServerContext:
    """Where processes are forked; what most of them need is loaded there."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(LOADED)
    return context


class Forked:
    """The command line in a forked process, which can be used as one that subprocess started."""

    def __init__(
        self, words: Sequence[str], cwd: Path, env: Mapping[str, str], silent: float
    ) -> None:
        ends = {name: forks().Pipe(duplex=False) for name in ("stdout", "stderr")}
        told = {name: end for name, (_, end) in ends.items()}
        self._process = forks().Process(
            target=_live, args=(words, cwd, dict(env), silent, told), daemon=True
        )
        self._process.start()
        for end in told.values():
            end.close()
        self.stdout, self.stderr = (_text(heard) for heard, _ in ends.values())

    def send_signal(self, how: signal.Signals) -> None:
        """Send a signal, if it still lives."""
        if self._process.exitcode is None:
            assert self._process.pid is not None
            os.kill(self._process.pid, how)

    def kill(self) -> None:
        """End it at once."""
        self.send_signal(signal.SIGKILL)

    def wait(self, seconds: float) -> int:
        """How it ended."""
        self._process.join(seconds)
        code = self._process.exitcode
        assert code is not None, "it did not end"
        return code


def _text(heard: Connection) -> TextIO:
    text = os.fdopen(os.dup(heard.fileno()), "r", encoding="utf-8")
    heard.close()
    return text


def _live(
    words: Sequence[str],
    cwd: Path,
    env: Mapping[str, str],
    silent: float,
    told: Mapping[str, Connection],
) -> None:
    """What the forked process does: whatever the command line does."""
    Thread(target=_end_with_the_run, daemon=True).start()
    for place, (name, pipe) in enumerate(told.items(), start=1):
        os.dup2(pipe.fileno(), place)
        pipe.close()
        setattr(sys, name, os.fdopen(place, "w", encoding="utf-8", closefd=False))
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(env)
    sys.argv = ["pitbook", *words]

    from pitbook.cli.app import main
    from pitbook.house.web import leases

    leases.SILENT_SECONDS = silent
    main()


def _end_with_the_run() -> None:
    """Nothing outlives the run, in whatever way that ends."""
    run = multiprocessing.parent_process()
    assert run is not None
    run.join()
    os.kill(os.getpid(), signal.SIGKILL)
