"""An evening whose process is killed at every step: each life does some of it, the next goes on.

Run as a program it reads lives from stdin, one JSON line each, and forks for each of them.
"""

from __future__ import annotations

import asyncio
import gc
import json
import os
import signal
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from tests.house.nights.kit import EIGHT, EVENT
from tests.house.nights.scripts import SCRIPTS, Clock
from tests.house.nights.taken_over import NEVER, Life, Process, opened
from tests.house.web.awake import PATIENT

from pitbook.house.ledger.audit import verify
from pitbook.house.ledger.database import connect
from pitbook.house.ledger.stream_kinds import audit_of
from pitbook.house.ledger.writer import OWN, Writer
from pitbook.house.nights.statement import statement
from pitbook.house.nights.store import Night
from pitbook.house.web import leases
from pitbook.shoe import record

__all__ = ["Life", "Lives", "what_is_left"]

ROOT = Path(__file__).parents[3]


def _told(step: int) -> None:
    os.write(1, b"%d\n" % step)


async def lived(life: Life, tell: Callable[[int], None] = _told) -> None:
    """Steps from the first to the last; then it is killed, unless the script is over."""
    process = Process(life)
    await process.take_over(life.first)
    for number, step in enumerate(process.script):
        if life.first <= number <= life.last:
            await process.take(number, step)
            tell(number)
    if life.last < len(process.script):
        os.kill(os.getpid(), signal.SIGKILL)
    await process.house.close()
    process.folder.close()


def _killed_after(writes: int) -> None:
    """No answer of the last write comes back."""
    put, left = Writer._put, [writes]

    def counted(self: Any, waiting: Any) -> None:
        put(self, [one if one.append.stream in OWN else _deadly(one, left) for one in waiting])

    setattr(Writer, "_put", counted)  # noqa: B010


def _deadly(one: Any, left: list[int]) -> Any:
    """A write whose answer, as the last of so many, kills the process."""

    def given(answer: Any) -> None:
        left[0] -= 1
        if not left[0]:
            os.kill(os.getpid(), signal.SIGKILL)
        one.give(answer)

    return one._replace(give=given)


def _live(life: Life) -> None:
    try:
        setattr(record, "secrets", SimpleNamespace(token_bytes=bytes))  # noqa: B010
        leases.SILENT_SECONDS = PATIENT
        if life.writes != NEVER:
            _killed_after(life.writes)
        asyncio.run(lived(life))
        os._exit(0)
    except BaseException:  # noqa: BLE001  Whoever started it reads why.
        traceback.print_exc()
        sys.stderr.flush()
        os._exit(1)


class Lives:
    """Starts lives, one after the other, and hears how far each came."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.house.nights.lives"],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def live(self, life: Life) -> tuple[int, bool]:
        """The number of steps that were answered before the life ended; whether by a kill."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps(life) + "\n")
        self.process.stdin.flush()
        done = life.first
        for line in self.process.stdout:
            if line.startswith("dead"):
                code = int(line.split()[1])
                assert code in (0, signal.SIGKILL), f"{life} failed after step {done}"
                return done, code == signal.SIGKILL
            done = int(line) + 1
        raise AssertionError("nobody is left to start lives")

    def close(self) -> None:
        with suppress(BrokenPipeError):
            self.process.communicate()


def what_is_left(life: Life) -> dict[str, int]:
    """Everybody's money in the end, in a book that is sound and a statement that adds up."""
    now = [one.now for one in SCRIPTS[life.script] if isinstance(one, Clock)]
    with opened(life, lambda: now[-1] if now else EIGHT) as folder:
        assert verify(folder.ledger, following=audit_of).findings == ()
        night = Night(folder.ledger, EVENT)
        assert (night.state.phase, statement(night, at="now").findings) == ("closed", ())
        slips = {f"{one.number} {one.what} {one.player}": one.amount for one in night.state.slips}
        prizes = {
            f"{tournament} {player}": one.paid
            for tournament, played in night.state.tournaments.items()
            for player, one in played.players.items()
        }
        balances = {str(one): cents for one, cents in folder.ledger.balances().items() if cents}
        return {**slips, **prizes, **balances}


def _warmed() -> None:
    """An evening in this process: what it loads and compiles, no life need load again."""
    connect("postgresql://nobody@127.0.0.1/nowhere").dispose()
    with tempfile.TemporaryDirectory() as path:
        asyncio.run(lived(Life("the evening", path, None), lambda _: None))


def main() -> None:
    _warmed()
    gc.freeze()  # What is loaded is shared by all lives.
    for line in sys.stdin:
        life = Life(*json.loads(line))
        if not (pid := os.fork()):
            _live(life)
        _, status = os.waitpid(pid, 0)
        killed = os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)
        os.write(1, b"dead %d\n" % (killed or 0))


if __name__ == "__main__":
    main()
