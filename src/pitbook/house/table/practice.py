"""Practice tables: opened for guests and members, cleared away when idle."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from http import HTTPStatus

from pitbook.errors import LedgerError, PitbookError
from pitbook.house.ledger.writer import utc_now
from pitbook.house.people.register import Person
from pitbook.house.table import commands
from pitbook.house.table.actor import LiveTable
from pitbook.house.table.commands import By, Command, Envelope
from pitbook.house.table.state import TableState
from pitbook.house.table.streams import PRACTICE
from pitbook.house.web.errors import Problem, RefusedPlay
from pitbook.house.web.rate_limits import Client, Limiter
from pitbook.house.web.server import Server
from pitbook.rules.refusals import Refusal
from pitbook.sheets.model import Sheet
from pitbook.text import say

PRACTICE_SEAT = 1
IDLE_SECONDS = 1_800.0
MEMBER_IDLE_SECONDS = 30 * 86_400.0  # What somebody with an account has practised stays longer.
SWEEP_SECONDS = 60.0
GUEST_SECONDS_MAX = 3.0  # That a new guest waits in line: whoever asks again at once gains nothing.
UNUSED_SECONDS = 8.0  # The same for one that nobody has played at yet, nor listens at.
SPARE_SECONDS = 120.0  # Where an address has too many, the first that were left alone go so soon.
HOUSE = By("house", "supervisor")


class Practice:
    """The practice tables of a server: so many for an address, and none for ever."""

    def __init__(self, server: Server, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._server, self._clock = server, clock
        self._used: dict[str, tuple[int, float]] = {}
        self._new: dict[str, tuple[int, float]] = {}  # The same of when it was opened.
        self._left: set[str] = set()
        self._swept = clock()

    async def admit(
        self, person: Person | None, sheet: Sheet, asker: Client
    ) -> tuple[Person, str | None, LiveTable]:
        """Somebody's table, or a new guest's with the guest's token; raises Problem."""
        if person is not None:
            return person, None, await self.open(person, sheet, asker.group)
        async with new_guest(self._server.limiter, asker.address):
            person, token = self._server.sessions.guest()
            return person, token, await self.open(person, sheet, asker.group)

    async def guest(self, asker: Client) -> tuple[Person, str]:
        """A new guest and the guest's token, in turn like one who opens a table."""
        async with new_guest(self._server.limiter, asker.address):
            return self._server.sessions.guest()

    async def open(self, person: Person, sheet: Sheet, address: str) -> LiveTable:
        """A table with its owner at the first seat; raises Problem where there are too many.

        The address is that of the guests or of the members behind it: neither takes the others'.
        """
        door = self._server.people.persons.access_list(utc_now())
        if (barred := door.exclusion_of(person.name)) is not None:
            raise RefusedPlay(barred)
        await self.sweep()
        name = f"practice-{secrets.token_hex(6)}"
        quota = self._server.limiter.guest_tables
        self._check_number(person)
        if not quota.take(address, name) and not await self._room(address, name):
            full = say("web.tables.practice-of-address", most=quota.most)
            raise Problem(HTTPStatus.TOO_MANY_REQUESTS, full, retry_after=SWEEP_SECONDS)
        try:
            table = await self._opened(name, person, sheet)
        except BaseException:
            quota.release(name)
            raise
        self._new[name] = (table.state.version, self._clock())
        return table

    def _check_number(self, person: Person) -> None:
        """An address may have several people behind it; one person has no more than one address."""
        limits, quota = self._server.limiter.limits, self._server.limiter.guest_tables
        most = limits.practice_tables_per_person
        if person.role != "guest":
            most = min(most, quota.most)
        tables = [one.state for one in self._server.house.tables.values()]
        own = [one for one in tables if one.kind == "practice" and self._is_of(person.name, one)]
        if len(own) >= most:
            full = say("web.tables.practice-of-one", count=len(own))
            raise Problem(HTTPStatus.TOO_MANY_REQUESTS, full, retry_after=SWEEP_SECONDS)

    async def _room(self, address: str, name: str) -> bool:
        """Whether a table of that address which nobody has come back to could make room."""
        quota, now = self._server.limiter.guest_tables, self._clock()
        for old in quota.held(address):
            table = self._server.house.tables.get(old)
            if table is None:
                await self.forget(old)
            elif self._is_spare(old, table, now) and not self._is_kept(table):
                await self._clear(old, table)
            if quota.take(address, name):
                return True
        return False

    def _is_spare(self, name: str, table: LiveTable, now: float) -> bool:
        """Whether a table was left alone for long enough; one without a wager is soon."""
        played = table.state.finished or table.state.live
        spare = SPARE_SECONDS if played else UNUSED_SECONDS
        return self._idle_seconds(name, table, now) >= spare

    def _idle_seconds(self, name: str, table: LiveTable, now: float) -> float:
        """How long it is known that nobody watched or touched a table."""
        if len(table.subscribers):
            return 0.0
        noted = (self._new.get(name), self._used.get(name))
        known = dict(one for one in reversed(noted) if one is not None)
        return now - known.get(table.state.version, now)

    def _is_of(self, name: str, state: TableState) -> bool:
        joined = self._server.people.persons.recent().joined
        return joined.get(state.owner, state.owner) == name

    async def _opened(self, name: str, person: Person, sheet: Sheet) -> LiveTable:
        house = self._server.house
        table = await house.open_table(
            name, "practice", actor=person.name, unit="play", sheet=sheet, owner=person.name
        )
        await table.send(Envelope(By(person.name, "player"), commands.Sit(PRACTICE_SEAT)))
        return table

    async def forget(self, name: str) -> None:
        """Clear a table away that is retired."""
        if name in self._server.house.tables:
            self._server.keep_last_answer(self._server.house.tables[name].stream)
            await self._server.house.forget(name)
        self._server.limiter.guest_tables.release(name)
        self._used.pop(name, None)
        self._new.pop(name, None)

    async def sweep(self) -> None:
        """Clear away what nobody has touched or watched for a while."""
        now = self._clock()
        if now - self._swept < SWEEP_SECONDS:
            return
        self._swept = now
        for name, table in list(self._server.house.tables.items()):
            if table.state.kind == "practice" and self._is_idle(name, table, now):
                await self._clear(name, table)
        await asyncio.to_thread(self._prune)

    def _prune(self) -> None:
        """Tables that were retired, but whose process died before it could clear them away."""
        house = self._server.house
        streams = [one for one in house.ledger.streams() if one.name.startswith(PRACTICE)]
        held = {table.stream for table in list(house.tables.values())}
        left = {one.name for one in streams if one.name not in held and house.is_retired(one)}
        for stream in left & self._left:  # Whoever retired it had time to do it.
            with suppress(LedgerError):  # Another process did, this moment.
                house.prune(stream)
        self._left = left

    def _is_idle(self, name: str, table: LiveTable, now: float) -> bool:
        version = table.state.version
        known, since = self._used.get(name, (-1, now))
        if len(table.subscribers) or version != known:
            self._used[name] = (version, now)
            return False
        if now - since >= IDLE_SECONDS:  # It takes nobody's place any more.
            self._server.limiter.guest_tables.release(name)
        return now - since >= (MEMBER_IDLE_SECONDS if self._is_kept(table) else IDLE_SECONDS)

    def _is_kept(self, table: LiveTable) -> bool:
        """Whether somebody with an account looks back on it: at least one round was played."""
        server, state = self._server, table.state
        person = server.people.persons.recent().joined.get(state.owner, state.owner)
        return person in server.people.register.people and state.finished > 0

    async def _clear(self, name: str, table: LiveTable) -> None:
        """Whatever lies there goes back first; a table that cannot be cleared stays."""
        owner = By(table.state.owner, "player")
        seats = tuple(table.state.seats)
        try:
            if table.state.live:
                await self._try(table, HOUSE, *map(commands.Leave, seats))
            if table.state.live:
                voided = (commands.VoidHand(seat, "supervisor") for seat in seats)
                await self._try(table, HOUSE, commands.Misdeal("left alone"), *voided)
            answer = await table.send(Envelope(owner, commands.Retire()))
            if not isinstance(answer, Refusal):
                await self.forget(name)
        except PitbookError:
            return

    async def _try(self, table: LiveTable, by: By, *given: Command) -> None:
        for command in given:
            await table.send(Envelope(by, command))


@asynccontextmanager
async def new_guest(limiter: Limiter, address: str) -> AsyncIterator[None]:
    """So many come from an address in a minute, in turn; who gets no table is not counted."""
    if (wait := limiter.guests.wait(address)) > GUEST_SECONDS_MAX:
        raise Problem(HTTPStatus.TOO_MANY_REQUESTS, say("web.tables.many-guests"), wait)
    limiter.guests.spend(address)
    try:
        await asyncio.sleep(wait)
        yield
    except BaseException:
        limiter.guests.spend(address, -1.0)
        raise
