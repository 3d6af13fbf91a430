"""A night whose process is killed at every step; the next process continues.

As a program it reads one life per JSON line from stdin and forks for each.
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
from tests.house.nights.takeover import NEVER, Life, Process, open_folder
from tests.house.web.stay_awake import PATIENT

from pitbook.house.ledger.audit import verify
from pitbook.house.ledger.database import connect
from pitbook.house.ledger.stream_kinds import audit_of
from pitbook.house.ledger.writer import LEDGER_STREAMS, Writer
from pitbook.house.nights.statement import statement
from pitbook.house.nights.store import Night
from pitbook.house.web import leases
from pitbook.shoe import stored_shoe

__all__ = ["Life", "Lives", "final_amounts"]

ROOT = Path(__file__).parents[3]


def _report_step(step: int) -> None:
    os.write(1, b"%d\n" % step)


async def run_life(life: Life, tell: Callable[[int], None] = _report_step) -> None:
    """Run steps from first to last, then die, unless the script is over."""
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


def _kill_after_writes(writes: int) -> None:
    """Kill the process before the last write is answered."""
    put, remaining = Writer._put_all, [writes]

    def put_with_kill(self: Any, waiting: Any) -> None:
        put(
            self,
            [
                write if write.append.stream in LEDGER_STREAMS else _deadly(write, remaining)
                for write in waiting
            ],
        )

    setattr(Writer, "_put", put_with_kill)  # noqa: B010


def _deadly(write: Any, left: list[int]) -> Any:
    """A write whose answer kills the process when it is the last."""

    def answer_or_die(answer: Any) -> None:
        left[0] -= 1
        if not left[0]:
            os.kill(os.getpid(), signal.SIGKILL)
        write.give(answer)

    return write._replace(give=answer_or_die)


def _live(life: Life) -> None:
    try:
        setattr(stored_shoe, "secrets", SimpleNamespace(token_bytes=bytes))  # noqa: B010
        leases.SILENT_SECONDS = PATIENT
        if life.writes != NEVER:
            _kill_after_writes(life.writes)
        asyncio.run(run_life(life))
        os._exit(0)
    except BaseException:  # noqa: BLE001  Whoever started it reads why.
        traceback.print_exc()
        sys.stderr.flush()
        os._exit(1)


class Lives:
    """Starts lives one after the other and reports how far each came."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.house.nights.killed_night"],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def live(self, life: Life) -> tuple[int, bool]:
        """The steps answered before the life ended, and whether it was killed."""
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


def final_amounts(life: Life) -> dict[str, int]:
    """Everybody's final money, after checking the ledger and the statement."""
    clock_times = [step.now for step in SCRIPTS[life.script] if isinstance(step, Clock)]
    with open_folder(life, lambda: clock_times[-1] if clock_times else EIGHT) as folder:
        assert verify(folder.ledger, replay_of=audit_of).findings == ()
        night = Night(folder.ledger, EVENT)
        assert (night.state.phase, statement(night, at="now").findings) == ("closed", ())
        slips = {
            f"{slip.number} {slip.what} {slip.player}": slip.amount for slip in night.state.slips
        }
        prizes = {
            f"{tournament} {player}": entrant.paid
            for tournament, played in night.state.tournaments.items()
            for player, entrant in played.players.items()
        }
        balances = {
            str(account): cents for account, cents in folder.ledger.balances().items() if cents
        }
        return {**slips, **prizes, **balances}


def _warm_up() -> None:
    """Load and compile everything once, so that forked lives need not."""
    connect("postgresql://nobody@127.0.0.1/nowhere").dispose()
    with tempfile.TemporaryDirectory() as path:
        asyncio.run(run_life(Life("the evening", path, None), lambda _: None))


def main() -> None:
    _warm_up()
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
