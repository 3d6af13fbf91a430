"""Practice tables: opened for guests and members, cleared when idle."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from http import HTTPStatus

from pitbook.errors import LedgerError, PitbookError
from pitbook.house.ledger.writer import utc_now
from pitbook.house.people.account_register import Person
from pitbook.house.table import commands
from pitbook.house.table.actor import LiveTable
from pitbook.house.table.commands import By, Command, Envelope
from pitbook.house.table.state import TableState
from pitbook.house.table.stream_names import PRACTICE
from pitbook.house.web.errors import Problem, RefusedPlay
from pitbook.house.web.rate_limits import Client, Limiter
from pitbook.house.web.server import Server
from pitbook.rules.refusals import Refusal
from pitbook.sheets.model import Sheet
from pitbook.text import say

PRACTICE_SEAT = 1
IDLE_SECONDS = 1_800.0
MEMBER_IDLE_SECONDS = 30 * 86_400.0  # An account's practice tables are kept longer.
SWEEP_SECONDS = 60.0
GUEST_SECONDS_MAX = 3.0  # The longest wait for a new guest; asking again does not help.
UNUSED_SECONDS = 8.0  # The same for a table without play or watchers.
SPARE_SECONDS = 120.0  # When an address has too many tables, idle ones are cleared this soon.
HOUSE = By("house", "supervisor")


class Practice:
    """A server's practice tables, limited per address and in time."""

    def __init__(self, server: Server, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._server, self._clock = server, clock
        self._versions_seen: dict[str, tuple[int, float]] = {}
        self._opened_versions: dict[str, tuple[int, float]] = {}  # The same at the time of opening.
        self._retired_streams: set[str] = set()
        self._swept_at = clock()

    async def admit(
        self, person: Person | None, sheet: Sheet, client: Client
    ) -> tuple[Person, str | None, LiveTable]:
        """A player's table, or a new guest's with a token; raises Problem."""
        if person is not None:
            return person, None, await self.open(person, sheet, client.group)
        async with new_guest(self._server.limiter, client.address):
            person, token = self._server.sessions.guest()
            return person, token, await self.open(person, sheet, client.group)

    async def guest(self, client: Client) -> tuple[Person, str]:
        """A new guest and token, with the same wait as for a table."""
        async with new_guest(self._server.limiter, client.address):
            return self._server.sessions.guest()

    async def open(self, person: Person, sheet: Sheet, address: str) -> LiveTable:
        """A table with its owner seated; raises Problem if there are too many.

        Guests and members of one address have separate quotas.
        """
        access_list = self._server.people.persons.access_list(utc_now())
        if (exclusion := access_list.exclusion_of(person.name)) is not None:
            raise RefusedPlay(exclusion)
        await self.sweep()
        name = f"practice-{secrets.token_hex(6)}"
        quota = self._server.limiter.guest_tables
        self._check_number(person)
        if not quota.take(address, name) and not await self._make_room(address, name):
            message = say("web.tables.practice-of-address", most=quota.per_key_max)
            raise Problem(HTTPStatus.TOO_MANY_REQUESTS, message, retry_after=SWEEP_SECONDS)
        try:
            table = await self._open_seated(name, person, sheet)
        except BaseException:
            quota.release(name)
            raise
        self._opened_versions[name] = (table.state.version, self._clock())
        return table

    def _check_number(self, person: Person) -> None:
        """Raise Problem if one person has too many tables."""
        limits, quota = self._server.limiter.limits, self._server.limiter.guest_tables
        tables_max = limits.practice_tables_per_person
        if person.role != "guest":
            tables_max = min(tables_max, quota.per_key_max)
        tables = [table.state for table in self._server.house.tables.values()]
        own_tables = [
            table_state
            for table_state in tables
            if table_state.kind == "practice" and self._is_of(person.name, table_state)
        ]
        if len(own_tables) >= tables_max:
            message = say("web.tables.practice-of-one", count=len(own_tables))
            raise Problem(HTTPStatus.TOO_MANY_REQUESTS, message, retry_after=SWEEP_SECONDS)

    async def _make_room(self, address: str, name: str) -> bool:
        """Whether clearing an idle table of that address made room."""
        quota, now = self._server.limiter.guest_tables, self._clock()
        for old_name in quota.holders(address):
            table = self._server.house.tables.get(old_name)
            if table is None:
                await self.forget(old_name)
            elif self._is_spare(old_name, table, now) and not self._has_history(table):
                await self._clear(old_name, table)
            if quota.take(address, name):
                return True
        return False

    def _is_spare(self, name: str, table: LiveTable, now: float) -> bool:
        """Whether a table is idle for long enough to be cleared; sooner without a wager."""
        has_played = table.state.finished or table.state.has_live_wagers
        spare_s = SPARE_SECONDS if has_played else UNUSED_SECONDS
        return self._idle_seconds(name, table, now) >= spare_s

    def _idle_seconds(self, name: str, table: LiveTable, now: float) -> float:
        """Seconds that a table has been idle, as far as known."""
        if len(table.subscribers):
            return 0.0
        notes = (self._opened_versions.get(name), self._versions_seen.get(name))
        seen_at = dict(note for note in reversed(notes) if note is not None)
        return now - seen_at.get(table.state.version, now)

    def _is_of(self, name: str, state: TableState) -> bool:
        joined = self._server.people.persons.recent().joined
        return joined.get(state.owner, state.owner) == name

    async def _open_seated(self, name: str, person: Person, sheet: Sheet) -> LiveTable:
        house = self._server.house
        table = await house.open_table(
            name, "practice", actor=person.name, unit="play", sheet=sheet, owner=person.name
        )
        await table.send(Envelope(By(person.name, "player"), commands.Sit(PRACTICE_SEAT)))
        return table

    async def forget(self, name: str) -> None:
        """Remove a retired table."""
        if name in self._server.house.tables:
            self._server.keep_last_answer(self._server.house.tables[name].stream)
            await self._server.house.forget(name)
        self._server.limiter.guest_tables.release(name)
        self._versions_seen.pop(name, None)
        self._opened_versions.pop(name, None)

    async def sweep(self) -> None:
        """Clear tables that are idle."""
        now = self._clock()
        if now - self._swept_at < SWEEP_SECONDS:
            return
        self._swept_at = now
        for name, table in list(self._server.house.tables.items()):
            if table.state.kind == "practice" and self._is_idle(name, table, now):
                await self._clear(name, table)
        await asyncio.to_thread(self._prune)

    def _prune(self) -> None:
        """Prune retired tables whose process ended before it could."""
        house = self._server.house
        held = {table.stream for table in list(house.tables.values())}
        retired = {
            stream.name
            for stream in house.ledger.streams(PRACTICE)
            if stream.name not in held and house.is_retired(stream)
        }
        # Retired for a whole sweep, so its owner had time to prune it.
        for stream in retired & self._retired_streams:
            with suppress(LedgerError):  # Another process pruned it.
                house.prune(stream)
        self._retired_streams = retired

    def _is_idle(self, name: str, table: LiveTable, now: float) -> bool:
        version = table.state.version
        seen_version, since = self._versions_seen.get(name, (-1, now))
        if len(table.subscribers) or version != seen_version:
            self._versions_seen[name] = (version, now)
            return False
        if now - since >= IDLE_SECONDS:  # It no longer counts against the quota.
            self._server.limiter.guest_tables.release(name)
        return now - since >= (MEMBER_IDLE_SECONDS if self._has_history(table) else IDLE_SECONDS)

    def _has_history(self, table: LiveTable) -> bool:
        """Whether the owner has an account and played at least one round there."""
        server, state = self._server, table.state
        person = server.people.persons.recent().joined.get(state.owner, state.owner)
        return person in server.people.register.people and state.finished > 0

    async def _clear(self, name: str, table: LiveTable) -> None:
        """Return wagers and retire the table; one that cannot be cleared stays."""
        owner = By(table.state.owner, "player")
        seats = tuple(table.state.seats)
        try:
            if table.state.has_live_wagers:
                await self._send_all(table, HOUSE, *map(commands.Leave, seats))
            if table.state.has_live_wagers:
                void_commands = (commands.VoidHand(seat, "supervisor") for seat in seats)
                await self._send_all(table, HOUSE, commands.Misdeal("left alone"), *void_commands)
            answer = await table.send(Envelope(owner, commands.Retire()))
            if not isinstance(answer, Refusal):
                await self.forget(name)
        except PitbookError:
            return

    async def _send_all(self, table: LiveTable, by: By, *table_commands: Command) -> None:
        for command in table_commands:
            await table.send(Envelope(by, command))


@asynccontextmanager
async def new_guest(limiter: Limiter, address: str) -> AsyncIterator[None]:
    """Limit new guests per address; failed attempts do not count."""
    if (wait_s := limiter.guests.wait(address)) > GUEST_SECONDS_MAX:
        raise Problem(HTTPStatus.TOO_MANY_REQUESTS, say("web.tables.many-guests"), wait_s)
    limiter.guests.spend(address)
    try:
        await asyncio.sleep(wait_s)
        yield
    except BaseException:
        limiter.guests.spend(address, -1.0)
        raise
