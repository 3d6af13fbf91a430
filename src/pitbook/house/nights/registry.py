"""The nights a server has read, and the task that keeps them in step with their tables."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http import HTTPStatus
from typing import TypeVar

from pitbook.errors import LedgerError
from pitbook.house.ledger.ledger import Ledger
from pitbook.house.nights.decide import EVENT, EVENT_MAX, Command
from pitbook.house.nights.decision_types import NightContext
from pitbook.house.nights.state import NightState, nights
from pitbook.house.nights.store import Accepted, Night
from pitbook.house.nights.tournament.state import Tournament
from pitbook.house.people.roster_store import get_persons
from pitbook.house.web.errors import Problem, RefusedPlay
from pitbook.rules.refusals import Refusal
from pitbook.text import say
from pitbook.text.user_input import did_you_mean, printable

FRESH_SECONDS = 0.5  # A board is at most this old.
Result = TypeVar("Result")


class Nights:
    """Every night by id. Thread-safe."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger
        self._kept: dict[str, Night] = {}
        self._read_at: dict[str, float] = {}

    async def ask(self, event: str, work: Callable[[Night], Result]) -> Result:
        """Run a function on a night in a thread; raises Problem 404."""
        return await asyncio.to_thread(lambda: work(self._find(event)))

    async def night(self, event: str) -> Night:
        """An existing night; raises Problem 404."""
        return await asyncio.to_thread(self._find, event)

    async def find_or_new(self, event: str) -> Night:
        """A night that may not exist yet. The id must be valid."""
        return await asyncio.to_thread(self._find_or_new, event)

    async def recent(self, event: str) -> NightState:
        """A recent state of a night, so that many boards share one read.

        Strangers may call it; errors do not name other nights.
        """
        night = self._kept.get(event)
        if night is not None and self._is_fresh(event):
            return night.state
        return await asyncio.to_thread(self._refresh, event)

    def all(self) -> list[NightState]:
        """Every night, latest gaming date first."""
        with _ledger_errors_as_503():
            states = [self._find(event).refresh() for event in nights(self.ledger)]
        return sorted(states, key=lambda state: (state.gaming_date, state.event), reverse=True)

    def _refresh(self, event: str) -> NightState:
        try:
            night = self._find(event)
        except Problem as problem:
            if problem.status != HTTPStatus.NOT_FOUND:
                raise
            raise Problem(
                problem.status, say("web.nights.none", event=_printable_event(event))
            ) from None
        self._read_at[event] = time.monotonic()
        with _ledger_errors_as_503():
            return night.refresh()

    def _is_fresh(self, event: str) -> bool:
        return time.monotonic() - self._read_at.get(event, -FRESH_SECONDS) < FRESH_SECONDS

    def _find(self, event: str) -> Night:
        night = self._find_or_new(event) if _is_id(event) else None
        if night is None or (night.state.phase == "none" and night.refresh().phase == "none"):
            raise self._not_found(event)
        return self._kept.setdefault(event, night)

    def _find_or_new(self, event: str) -> Night:
        with _ledger_errors_as_503():
            return self._kept.get(event) or Night(self.ledger, event)

    def _not_found(self, event: str) -> Problem:
        with _ledger_errors_as_503():
            events = nights(self.ledger)
        first = say("web.nights.make-one")
        remedy = did_you_mean(event[:EVENT_MAX], events) if events else first
        message = say("web.nights.unknown", event=_printable_event(event), remedy=remedy)
        return Problem(HTTPStatus.NOT_FOUND, message)


def accept_command(night: Night, command: Command, *, actor: str, request: str) -> Accepted:
    """Give a command to a night; raises RefusedPlay if it is refused."""
    answer = night.give(command, actor=actor, request=request)
    if isinstance(answer, Refusal):
        raise RefusedPlay(answer)
    return answer


def preview_context(night: Night, actor: str) -> NightContext:
    """The context for previewing commands: nothing is drawn or written."""
    ledger, access_list = night.ledger, get_persons(night.ledger).access_list(night.now())
    return NightContext(
        access_list.now, actor, ledger.balance, ledger.balances, lambda _: 0, access_list
    )


def find_tournament(state: NightState, short_name: str) -> Tournament:
    """A tournament by its short name; raises Problem 404."""
    tournament = state.tournaments.get(f"{state.event}.{short_name}")
    if tournament is None or tournament.status == "withdrawn":
        short_names = [name.partition(".")[2] for name in state.tournaments]
        first = say("web.nights.set-one-up")
        remedy = did_you_mean(short_name[:EVENT_MAX], short_names) if short_names else first
        fields = {"event": state.event, "tournament": printable(short_name[:60]), "remedy": remedy}
        raise Problem(HTTPStatus.NOT_FOUND, say("web.nights.no-tournament", **fields))
    return tournament


def _printable_event(event: str) -> str:
    return printable(event[:60])


def _is_id(event: str) -> bool:
    return len(event) <= EVENT_MAX and EVENT.fullmatch(event) is not None


@contextmanager
def _ledger_errors_as_503() -> Iterator[None]:
    """Turn ledger errors into Problem 503."""
    try:
        yield
    except LedgerError as error:
        raise Problem(HTTPStatus.SERVICE_UNAVAILABLE, str(error), retry_after=1) from None
