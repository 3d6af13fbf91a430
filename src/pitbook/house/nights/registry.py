"""The nights a server has read, and the task that keeps them in step with their tables."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from http import HTTPStatus
from typing import TypeVar

from pitbook.errors import LedgerError, PitbookError, Superseded
from pitbook.house.ledger.journal import Ledger
from pitbook.house.nights.context import Circumstances
from pitbook.house.nights.decide import EVENT, EVENT_MAX, Command
from pitbook.house.nights.interruptions import look_at
from pitbook.house.nights.live_tables import stop_here
from pitbook.house.nights.state import NightState, nights
from pitbook.house.nights.store import Accepted, Night
from pitbook.house.nights.tournament.state import Tournament
from pitbook.house.nights.tournament_tables import TournamentTables
from pitbook.house.people.roster import get_persons
from pitbook.house.table.tables import LiveTables
from pitbook.house.web.errors import Problem, RefusedPlay
from pitbook.house.web.logs import log_event
from pitbook.rules.refusals import Refusal
from pitbook.sheets.findings import did_you_mean, printable
from pitbook.text import say

FRESH_SECONDS = 0.5  # What a board shows is at most this old.
Told = TypeVar("Told")


class Nights:
    """Every night of the house by id; safe to use from several threads."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger
        self._kept: dict[str, Night] = {}
        self._read_at: dict[str, float] = {}

    async def ask(self, event: str, work: Callable[[Night], Told]) -> Told:
        """What some work on a night gives, done beside the loop; raises Problem 404."""
        return await asyncio.to_thread(lambda: work(self._found(event)))

    async def night(self, event: str) -> Night:
        """A night that was made; raises Problem 404."""
        return await asyncio.to_thread(self._found, event)

    async def made(self, event: str) -> Night:
        """A night that may or may not be made yet; its id is one."""
        return await asyncio.to_thread(self._any, event)

    async def glance(self, event: str) -> NightState:
        """A night as it was a moment ago: many boards cost one look into the book.

        Strangers look, too, and are not told which other nights there are.
        """
        kept = self._kept.get(event)
        if kept is not None and self._is_fresh(event):
            return kept.state
        return await asyncio.to_thread(self._glanced, event)

    def all(self) -> list[NightState]:
        """Every night, the latest gaming date first."""
        with _readable():
            found = [self._found(event).refreshed() for event in nights(self.ledger)]
        return sorted(found, key=lambda one: (one.gaming_date, one.event), reverse=True)

    def _glanced(self, event: str) -> NightState:
        try:
            night = self._found(event)
        except Problem as failed:
            if failed.status != HTTPStatus.NOT_FOUND:
                raise
            raise Problem(failed.status, say("web.nights.none", event=_shown(event))) from None
        self._read_at[event] = time.monotonic()
        with _readable():
            return night.refreshed()

    def _is_fresh(self, event: str) -> bool:
        return time.monotonic() - self._read_at.get(event, -FRESH_SECONDS) < FRESH_SECONDS

    def _found(self, event: str) -> Night:
        night = self._any(event) if _is_id(event) else None
        if night is None or (night.state.phase == "none" and night.refreshed().phase == "none"):
            raise self._unknown(event)
        return self._kept.setdefault(event, night)

    def _any(self, event: str) -> Night:
        with _readable():
            return self._kept.get(event) or Night(self.ledger, event)

    def _unknown(self, event: str) -> Problem:
        with _readable():
            known = nights(self.ledger)
        first = say("web.nights.make-one")
        remedy = did_you_mean(event[:EVENT_MAX], known) if known else first
        told = say("web.nights.unknown", event=_shown(event), remedy=remedy)
        return Problem(HTTPStatus.NOT_FOUND, told)


def taken(night: Night, command: Command, *, actor: str, request: str) -> Accepted:
    """A command that is on record; raises RefusedPlay for a no."""
    answer = night.give(command, actor=actor, request=request)
    if isinstance(answer, Refusal):
        raise RefusedPlay(answer)
    return answer


def standing_of(night: Night, actor: str) -> Circumstances:
    """The surroundings for offers; nothing is drawn and nothing is written."""
    ledger, door = night.ledger, get_persons(night.ledger).access_list(night.now())
    return Circumstances(door.now, actor, ledger.balance, ledger.balances, lambda _: 0, door)


def tournament_of(state: NightState, own: str) -> Tournament:
    """A tournament by its own name; raises Problem 404."""
    found = state.tournaments.get(f"{state.event}.{own}")
    if found is None or found.status == "withdrawn":
        known = [one.partition(".")[2] for one in state.tournaments]
        first = say("web.nights.set-one-up")
        remedy = did_you_mean(own[:EVENT_MAX], known) if known else first
        fields = {"event": state.event, "tournament": printable(own[:60]), "remedy": remedy}
        raise Problem(HTTPStatus.NOT_FOUND, say("web.nights.no-tournament", **fields))
    return found


def _shown(event: str) -> str:
    return printable(event[:60])


def _is_id(event: str) -> bool:
    return len(event) <= EVENT_MAX and EVENT.fullmatch(event) is not None


@contextmanager
def _readable() -> Iterator[None]:
    """A book that cannot be read now is said to be so, with 503."""
    try:
        yield
    except LedgerError as failed:
        raise Problem(HTTPStatus.SERVICE_UNAVAILABLE, str(failed), retry_after=1) from None


LOOK_SECONDS = 5.0
ACTOR = "house"


class Evenings:
    """The open nights of a house, as far as this process holds their tables or can take them.

    Of several processes each looks: what one has settled, another finds settled.
    """

    def __init__(self, house: LiveTables) -> None:
        self._house = house
        self._known: dict[str, Night] = {}
        self._stops: dict[str, int] = {}  # Interruptions of each night that were heard of.

    async def look(self) -> list[str]:
        """Tell nights what became of hands that were cut short; tournaments found interrupted."""
        ledger, found = self._house.ledger, []
        for event in await asyncio.to_thread(nights, ledger):
            if event not in self._known:
                self._known[event] = await asyncio.to_thread(Night, ledger, event)
            night = self._known[event]
            if night.state.phase != "closed" and (await night.read()).phase == "open":
                await self._stopped(night)
                found += [name for name in night.state.tournaments if await self._cut(night, name)]
        return found

    async def _stopped(self, night: Night) -> None:
        """An interruption of the evening that was told to another process is ours as well."""
        event, stops = night.state.event, night.state.stops
        # Tables that were left before this process came were stopped by that.
        for stop in stops[self._stops.setdefault(event, len(stops)) :]:
            await stop_here(self._house, night, stop)
        self._stops[event] = len(stops)

    async def _cut(self, night: Night, name: str) -> bool:
        try:
            return await look_at(TournamentTables(self._house, night, name, ACTOR))
        except Superseded:  # Whoever holds its tables sees to it.
            return False

    async def go_on(self) -> None:
        """Look again and again; a book that cannot be read now is read the next time."""
        while True:
            try:
                for name in await self.look():
                    log_event(logging.WARNING, "tournament_interrupted", tournament=name)
            except PitbookError as failed:
                log_event(logging.ERROR, "night_sync_failed", reason=str(failed))
            await asyncio.sleep(LOOK_SECONDS)


@asynccontextmanager
async def kept_in_step(house: LiveTables) -> AsyncIterator[None]:
    """While the house is open."""
    looking = asyncio.create_task(Evenings(house).go_on())
    try:
        yield
    finally:
        looking.cancel()
        await asyncio.gather(looking, return_exceptions=True)
