"""A server process for tests that kill it: it takes steps and takes over from another."""

from __future__ import annotations

import asyncio
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from tests.house.nights.kit import EIGHT, EVENT, OMS
from tests.house.nights.scripts import SCRIPTS, Clock, Step
from tests.house.web.conftest import fast_folder

from pitbook.house.ledger.data_folder import KEYS_FILE, Folder
from pitbook.house.ledger.database import connect
from pitbook.house.ledger.keys import read_keys
from pitbook.house.ledger.ledger import Ledger
from pitbook.house.nights import commands as do
from pitbook.house.nights import (
    interruptions as cut_hands,
)
from pitbook.house.nights import table_commands as chance_tables
from pitbook.house.nights import table_commands as floor_commands
from pitbook.house.nights import (
    tournament_tables as tournament_rounds,
)
from pitbook.house.nights.facts import dump
from pitbook.house.nights.store import Night
from pitbook.house.nights.tournament import commands as floor
from pitbook.house.nights.tournament_tables import TournamentTables
from pitbook.house.table import commands as at_table
from pitbook.house.table.actor import LiveTable
from pitbook.house.table.commands import By, Envelope
from pitbook.house.table.live_tables import LiveTables
from pitbook.house.web import leases
from pitbook.rules.refusals import Refusal

NO_CLOCKS = {"betting": None, "decision": None}
LOOKS, NEVER, SECONDS = 2, 10**9, 60


class Life(NamedTuple):
    """The steps that a process runs, and when it is killed: after a step or a write."""

    script: str
    path: str
    url: str | None
    first: int = 0
    last: int = NEVER
    writes: int = NEVER


class Process:
    """A server process with a scripted clock and cards from one seed."""

    def __init__(self, life: Life) -> None:
        self.script = SCRIPTS[life.script]
        clock_times = [step.now for step in self.script[: life.first] if isinstance(step, Clock)]
        self.now: datetime = clock_times[-1] if clock_times else EIGHT
        self.folder = open_folder(life, lambda: self.now)
        self.house = self._house(life)
        self.night = Night(self.folder.ledger, EVENT, clock=lambda: self.now, draw=lambda _: 0)

    def _house(self, life: Life) -> LiveTables:
        if life.url is None:
            return LiveTables(self.folder, clock=lambda: self.now)
        house = leases.SharedHouse(self.folder)
        house._clock = lambda: self.now
        return house

    async def take_over(self, first: int) -> None:
        """Reload everything and resume play; nothing may have ended or been paid."""
        before, expects_answers = self._money(), any(step.asks for step in self.script[: first + 1])
        await self._all_tables()
        for _ in range(LOOKS):
            await cut_hands.resume_after_restart(self.house, self.night, actor="house")
        # After an interruption, its end may follow.
        assert expects_answers or self._money() == before
        for name, tournament in self.night.state.tournaments.items():
            if tournament.interrupted_tables:
                tables = TournamentTables(self.house, self.night, name, "olga")
                answer = await floor_commands.ask(tables, floor.GoOn(name))
                assert not isinstance(answer, Refusal), answer
        if not expects_answers:
            await self._all_agree()

    async def _all_tables(self) -> None:
        """Load all tables, waiting for locks of the killed process to be released."""
        async with asyncio.timeout(SECONDS):
            await self.house.load_tables()
            streams = self.folder.ledger.streams()
            streams_left = [stream for stream in streams if stream.name.startswith("table/")]
            names = [
                stream.name[6:] for stream in streams_left if not self.house.is_retired(stream)
            ]
            while not set(names) <= self.house.tables.keys():
                await asyncio.sleep(0.02)
                await self.house.load_tables()

    async def _all_agree(self) -> None:
        for table in self.house.tables.values():
            for player, yes in (table.state.awaiting or {}).items():
                if yes is None:
                    agree = at_table.Agree(seat_of(table, player), finish=True)
                    await table.send(Envelope(By(player, "player"), agree))

    def _money(self) -> Any:
        tournaments = self.night.refresh().tournaments.values()
        state = [
            (tournament.status, tournament.still_in, tournament.players, tournament.undo_pending)
            for tournament in tournaments
        ]
        return state, self.folder.ledger.balances()

    async def take(self, number: int, step: Step | Clock) -> None:
        """Run a step with a request id that depends only on its number."""
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
        what, tables = step.what, self._tables(step)
        if step.table:
            return await self._send(step, request)
        if what == "lay out":
            return await tournament_rounds.open_tables(tables, OMS, clocks=NO_CLOCKS)
        if what == "look":
            for _ in range(LOOKS):
                await cut_hands.sync_tournament(tables)
            return None
        if what == "undo":
            return await floor_commands.ask(tables, self._undo(tables, request), request=request)
        return await self._dispatch(what, request, tables)

    async def _dispatch(self, command: Any, request: str, tables: TournamentTables) -> Any:
        if isinstance(command, do.Close):
            return await chance_tables.close(self.house, self.night, actor="olga", request=request)
        if isinstance(command, do.AdmitTable):
            return await self._admit(command, request)
        if isinstance(command, do.Interrupt):
            return await chance_tables.interrupt(
                self.house, self.night, command.why, actor="olga", request=request
            )
        if isinstance(command, floor.Command):
            return await floor_commands.ask(tables, command, request=request)
        return await self.night.take(command, actor="olga", request=request)

    async def _admit(self, command: do.AdmitTable, request: str) -> Any:
        """Open a typed table; a repeated step finds it open."""
        if await asyncio.to_thread(chance_tables.is_set_up, self.house, command.table):
            return None
        kind: Any = "typed"
        return await chance_tables.open_table(
            self.house, self.night, command, kind=kind, actor="olga", request=request
        )

    async def _send(self, step: Step, request: str) -> Any:
        """Send a command to a table; a named player's seat is filled in."""
        table = await self._table(step.table)
        command, by = step.what, step.by or By("dee", "dealer")
        if step.player:
            seat = seat_of(table, step.player)
            command, by = command._replace(seat=seat), By(step.player, "player")
        return await table.send(Envelope(by, command, request))

    async def _table(self, name: str) -> LiveTable:
        if (held := self.house.get(name)) is not None:
            return held
        stream = self.folder.ledger.stream(f"table/{name}")
        assert stream is not None
        return await self.house.load(stream)

    def _undo(self, tables: TournamentTables, request: str) -> floor.Undo:
        """Undo the last step, or repeat the recorded undo."""
        if (recorded := self.night.recorded_answer("olga", request)) is not None:
            return floor.Undo(tables.tournament, int(dump(recorded.facts[0])["of"]))
        last = tables.state.last
        assert last is not None
        return floor.Undo(tables.tournament, last[0])

    def _tables(self, step: Step) -> TournamentTables:
        self.night.refresh()
        name = getattr(step.what, "tournament", f"{EVENT}.t1")
        return TournamentTables(self.house, self.night, name, "olga")


def seat_of(table: LiveTable, player: str) -> int:
    return next(seat for seat, name in table.state.seats.items() if name == player)


def open_folder(life: Life, clock: Any) -> Folder:
    """The ledger as a server process opens it."""
    path = Path(life.path)
    if life.url is None:
        path.mkdir(exist_ok=True)
        return fast_folder(path, clock)
    return Folder(path, read_keys(path / KEYS_FILE), Ledger(connect(life.url), clock=clock))
