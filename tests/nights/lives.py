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
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

from tests.nights.kit import EIGHT, EVENT, OMS
from tests.nights.scripts import SCRIPTS, Clock, Step
from tests.web.conftest import fast_folder

from pitbook.engine.refusals import Refusal
from pitbook.ledger.book import Ledger
from pitbook.ledger.database import connect
from pitbook.ledger.folder import KEYS, Folder
from pitbook.ledger.keys import read_keys
from pitbook.ledger.verify import verify
from pitbook.ledger.writer import Writer
from pitbook.nights import commands as do
from pitbook.nights import cut_hands, dealing, felt, tables
from pitbook.nights.felt import Felt
from pitbook.nights.night import Night
from pitbook.nights.statement import statement
from pitbook.nights.tournament import commands as floor
from pitbook.shoe import record
from pitbook.table import commands as at_table
from pitbook.table.actor import Table
from pitbook.table.commands import By, Envelope
from pitbook.table.house import House
from pitbook.web import leases

ROOT = Path(__file__).parents[2]
NO_CLOCKS = {"betting": None, "decision": None}
LOOKS, NEVER, SECONDS = 2, 10**9, 60


class Life(NamedTuple):
    """From which step on a process works, and when it is killed: after a step, or a write."""

    script: str
    path: str
    url: str | None
    first: int = 0
    last: int = NEVER
    writes: int = NEVER


class Process:
    """What a server is to its night, with a clock that the script moves and cards of one seed."""

    def __init__(self, life: Life) -> None:
        self.script = SCRIPTS[life.script]
        passed = [one.now for one in self.script[: life.first] if isinstance(one, Clock)]
        self.now: datetime = passed[-1] if passed else EIGHT
        self.folder = opened(life, lambda: self.now)
        self.house = self._house(life)
        self.night = Night(self.folder.ledger, EVENT, clock=lambda: self.now, draw=lambda _: 0)

    def _house(self, life: Life) -> House:
        if life.url is None:
            return House(self.folder, clock=lambda: self.now)
        house = leases.SharedHouse(self.folder)
        house._clock = lambda: self.now
        return house

    async def take_over(self, first: int) -> None:
        """What was left is there again, nothing has ended or been paid, and whoever is asked
        says that it goes on."""
        before, asked = self._money(), any(one.asks for one in self.script[: first + 1])
        await self._all_tables()
        for _ in range(LOOKS):
            await cut_hands.take_up(self.house, self.night, actor="house")
        assert asked or self._money() == before  # After an interruption, its end may follow.
        for name, one in self.night.state.tournaments.items():
            if one.stopped:
                here = Felt(self.house, self.night, name, "olga")
                answer = await dealing.ask(here, floor.GoOn(name))
                assert not isinstance(answer, Refusal), answer
        if not asked:
            await self._all_agree()

    async def _all_tables(self) -> None:
        """Where a lock of the killed is not free yet, the next look has it."""
        async with asyncio.timeout(SECONDS):
            await self.house.take_up()
            streams = self.folder.ledger.streams()
            left = [one for one in streams if one.name.startswith("table/")]
            names = [one.name[6:] for one in left if not self.house.is_retired(one)]
            while not set(names) <= self.house.tables.keys():
                await asyncio.sleep(0.02)
                await self.house.take_up()

    async def _all_agree(self) -> None:
        for table in self.house.tables.values():
            for player, yes in (table.state.awaiting or {}).items():
                if yes is None:
                    agree = at_table.Agree(seat_of(table, player), finish=True)
                    await table.send(Envelope(By(player, "player"), agree))

    def _money(self) -> Any:
        held = self.night.refreshed().tournaments.values()
        state = [(one.status, one.still_in, one.players, one.recalled) for one in held]
        return state, self.folder.ledger.balances()

    async def do(self, number: int, step: Step) -> None:
        """A step with the id of its request, the same whoever sends it again."""
        request = f"step {number}"
        if isinstance(step, Clock):
            self.now = step.now
        elif step.no is not None:
            answer = await self.ask(step, request)
            assert isinstance(answer, Refusal), (number, step, answer)
            assert (answer.clause or "") == step.no, (number, step, answer)
        else:
            answer = await self.ask(step, request)
            assert not isinstance(answer, Refusal), (number, step, answer)

    async def ask(self, step: Step, request: str) -> Any:
        what, here = step.what, self._felt(step)
        if step.table:
            return await self._said(step, request)
        if what == "lay out":
            return await felt.lay_out(here, OMS, clocks=NO_CLOCKS)
        if what == "look":
            for _ in range(LOOKS):
                await cut_hands.look_at(here)
            return None
        if what == "undo":
            return await dealing.ask(here, self._undo(here, request), request=request)
        return await self._asked(what, request, here)

    async def _asked(self, command: Any, request: str, here: Felt) -> Any:
        if isinstance(command, do.Close):
            return await tables.close(self.house, self.night, actor="olga", request=request)
        if isinstance(command, do.AdmitTable):
            return await self._admitted(command, request)
        if isinstance(command, do.Interrupt):
            return await tables.interrupt(
                self.house, self.night, command.why, actor="olga", request=request
            )
        if isinstance(command, floor.Command):
            return await dealing.ask(here, command, request=request)
        return await self.night.take(command, actor="olga", request=request)

    async def _admitted(self, command: do.AdmitTable, request: str) -> Any:
        """Typed; sent again where it is set up, the answer is that it is there."""
        if await asyncio.to_thread(tables.is_set_up, self.house, command.table):
            return None
        kind: Any = "typed"
        return await tables.open_table(
            self.house, self.night, command, kind=kind, actor="olga", request=request
        )

    async def _said(self, step: Step, request: str) -> Any:
        """Something at a table; a step that names a player is about the player's seat."""
        table = await self._table(step.table)
        command, by = step.what, step.by or By("dee", "dealer")
        if step.player:
            seat = seat_of(table, step.player)
            command, by = command._replace(seat=seat), By(step.player, "player")
        return await table.send(Envelope(by, command, request))

    async def _table(self, name: str) -> Table:
        if (held := self.house.held(name)) is not None:
            return held
        stream = self.folder.ledger.stream(f"table/{name}")
        assert stream is not None
        return await self.house.load(stream)

    def _undo(self, here: Felt, request: str) -> floor.Undo:
        """The last step, or the one that was meant when this was sent first."""
        if (said := self.night.before("olga", request)) is not None:
            return floor.Undo(here.tournament, int(said.facts[0]["of"]))
        last = here.state.last
        assert last is not None
        return floor.Undo(here.tournament, last[0])

    def _felt(self, step: Step) -> Felt:
        self.night.refreshed()
        name = getattr(step.what, "tournament", f"{EVENT}.t1")
        return Felt(self.house, self.night, name, "olga")


def seat_of(table: Table, player: str) -> int:
    return next(seat for seat, name in table.state.seats.items() if name == player)


def opened(life: Life, clock: Any) -> Folder:
    """The book as a process of the house opens it."""
    path = Path(life.path)
    if life.url is None:
        path.mkdir(exist_ok=True)
        return fast_folder(path, clock)
    return Folder(path, read_keys(path / KEYS), Ledger(connect(life.url), clock=clock))


async def lived(life: Life) -> None:
    """Steps from the first to the last; then it is killed, unless the script is over."""
    process = Process(life)
    await process.take_over(life.first)
    for number, step in enumerate(process.script):
        if life.first <= number <= life.last:
            await process.do(number, step)
            os.write(1, b"%d\n" % number)
    if life.last < len(process.script):
        os.kill(os.getpid(), signal.SIGKILL)
    await process.house.close()
    process.folder.close()


def _killed_after(writes: int) -> None:
    """No answer of the last write comes back."""
    send, left = Writer.send, [writes]

    def counted(self: Any, append: Any, give: Any, *begin: Any) -> None:
        def given(answer: Any) -> None:
            left[0] -= 1
            if not left[0]:
                os.kill(os.getpid(), signal.SIGKILL)
            give(answer)

        send(self, append, given, *begin)

    Writer.send = counted  # type: ignore[method-assign]


def _live(life: Life) -> None:
    code = 1
    try:
        record.secrets = SimpleNamespace(token_bytes=bytes)  # type: ignore[assignment]
        leases.SILENT_SECONDS = 300
        if life.writes != NEVER:
            _killed_after(life.writes)
        asyncio.run(lived(life))
        code = 0
    finally:
        sys.excepthook(*sys.exc_info()) if code else None  # type: ignore[arg-type]
        sys.stderr.flush()
        os._exit(code)


class Lives:
    """Starts lives, one after the other, and hears how far each came."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.nights.lives"],
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
        assert verify(folder.ledger).findings == ()
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


def main() -> None:
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
