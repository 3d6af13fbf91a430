"""One night over the book: a command is decided on what is on record, and is on record or refused.

Several processes may serve one night, as a cage and an organiser do: whoever finds that another
wrote in between reads on and decides again.
"""

from __future__ import annotations

import asyncio
import secrets
import threading
from collections.abc import Callable, Mapping
from datetime import datetime
from functools import reduce
from typing import Any, NamedTuple

from pitbook.errors import LedgerError, Overdrawn, PeopleError, RequestReused, Superseded
from pitbook.game.refusals import Code, Refusal
from pitbook.identity.persons import persons_of
from pitbook.identity.roster import Door
from pitbook.ledger.aside import step_aside
from pitbook.ledger.book import Ledger
from pitbook.ledger.chain import Fact, canonical
from pitbook.ledger.writer import utc_now
from pitbook.money import Cents
from pitbook.nights.book import commands
from pitbook.nights.book.circumstances import Standing
from pitbook.nights.book.commands import KINDS
from pitbook.nights.book.decide import Command, decide
from pitbook.nights.book.decided import Decided
from pitbook.nights.book.evolve import evolve
from pitbook.nights.book.licences import concerns_others, hold_still, large_elsewhere
from pitbook.nights.book.names import buyer, on_record
from pitbook.nights.book.passes import passes_of
from pitbook.nights.book.state import STREAM, NightState
from pitbook.nights.book.streams import nights, told_in
from pitbook.sheets.findings import did_you_mean, printable

__all__ = ["Accepted", "Night", "found", "nights", "told_in"]

TRIES = 40


class Accepted(NamedTuple):
    """A command that is on record; the same answer for the same request, however often sent."""

    seq: int
    hash: str
    facts: tuple[Fact, ...]


Answer = Accepted | Refusal


class Night:
    """A night that can be asked."""

    def __init__(
        self,
        ledger: Ledger,
        event: str,
        *,
        clock: Callable[[], datetime] = utc_now,
        draw: Callable[[int], int] = secrets.randbelow,
    ) -> None:
        self.ledger, self.stream = ledger, f"{STREAM}{event}"
        self._clock, self._draw, self._persons = clock, draw, persons_of(ledger)
        self._state, self._seq, self._epoch = NightState(), 0, 0
        self._one_at_a_time = threading.Lock()
        self._read_on()

    @property
    def state(self) -> NightState:
        """The night as this process last read it."""
        return self._state

    def now(self) -> datetime:
        """The time by the night's clock."""
        return self._clock()

    def holds(self, player: str) -> Cents:
        """What a player holds in chips of the night, however the name is written."""
        known = self._persons.read_on().known_as(player)
        name = player if isinstance(known, Refusal) else known
        return self.ledger.balance(self._state.till.wallet(name))

    def refreshed(self) -> NightState:
        """The night as it stands on record."""
        with self._one_at_a_time:
            self._read_on()
            return self._state

    async def read(self) -> NightState:
        """The same beside the loop: no table waits for the book."""
        return await asyncio.to_thread(self.refreshed)

    async def take(self, command: Command, *, actor: str, request: str | None = None) -> Answer:
        """A command's answer, waited for beside the loop."""
        return await asyncio.to_thread(self.give, command, actor=actor, request=request)

    def before(self, actor: str, request: str | None) -> Accepted | None:
        """What a request put on the night's record when it came first, whatever its body is now."""
        entry = None if request is None else self.ledger.answered(f"{actor}/{request}")
        if entry is None or entry.stream != self.stream:
            return None
        return Accepted(entry.seq, entry.hash, tuple(told_in(entry)))

    def is_known(self, actor: str, request: str | None) -> bool:
        """Whether a request is on record, whatever it asked and of whom."""
        return request is not None and self.ledger.answered(f"{actor}/{request}") is not None

    def give(self, command: Command, *, actor: str, request: str | None = None) -> Answer:
        """A command's answer, once it is on record or refused."""
        asked = None if request is None else f"{actor}/{request}"
        body = None if request is None else canonical([self.stream, _document(command)])
        with self._one_at_a_time:
            for tried in range(TRIES):
                try:
                    return self._given(command, actor, asked, body)
                except Superseded:
                    self._epoch = 0
                    # Whoever looks at other nights as well needs a longer moment alone.
                    step_aside(tried, at_least=6 * concerns_others(self._state, command))
            raise LedgerError(f'"{self.stream}" is too busy; send it again')

    def _given(self, command: Command, actor: str, asked: str | None, body: str | None) -> Answer:
        self._read_on()
        if (said := self._said_before(asked, body)) is not None:
            return said
        standing = self._standing(actor, command)
        decided = decide(self._state, command, standing)
        if isinstance(decided, Refusal):
            return decided
        if not self._named(command, standing):  # Somebody who looks the same came this moment.
            return self._given(command, actor, asked, body)
        if not self._epoch:
            self._epoch = self.ledger.claim(self.stream, actor=actor)
            if self._read_on():  # Somebody wrote between reading and claiming.
                raise Superseded(f'"{self.stream}" has moved on')
        if concerns_others(self._state, command):
            hold_still(self.ledger, self._state, command, actor=actor)
            decided = decide(self._state, command, self._standing(actor, command))
            if isinstance(decided, Refusal):
                return decided
        try:
            return self._record(decided, actor, asked, body)
        except Overdrawn as error:
            empty = str(error).startswith(f"{self._state.till.cash} ")
            remedy = "; bring a float first" if empty else ""
            return Refusal(Code.NOT_COVERED, f"{error}{remedy}")
        except RequestReused as error:
            return Refusal(Code.REQUEST_REUSED, str(error))

    def _named(self, command: Command, standing: Standing) -> bool:
        """Put the name of whoever is new on record, before anything is sold under it."""
        asked = on_record(command, standing.door)
        player = None if isinstance(asked, Refusal) else buyer(asked)
        if player is None or standing.door.roster.knows(player):
            return True
        try:
            return self._persons.admit(player, actor=standing.actor) == player
        except PeopleError:
            return False

    def _record(
        self, decided: Decided, actor: str, asked: str | None, body: str | None
    ) -> Accepted:
        receipt = self.ledger.append(
            self.stream,
            self._epoch,
            decided.facts,
            decided.transfers,
            actor=actor,
            request=asked,
            body=body,
        )
        self._read_on()
        passes_of(self.ledger).written(self.stream.removeprefix(STREAM))
        return Accepted(receipt.seq, receipt.hash, decided.facts)

    def _said_before(self, asked: str | None, body: str | None) -> Answer | None:
        """The answer that a request had when it came first."""
        entry = None if asked is None else self.ledger.answered(asked)
        if entry is None:
            return None
        if entry.body != body:
            return Refusal(Code.REQUEST_REUSED, str(RequestReused(entry.request or "")))
        return Accepted(entry.seq, entry.hash, tuple(told_in(entry)))

    def _standing(self, actor: str, command: Command) -> Standing:
        door = Door(self._persons.read_on(), self._clock())
        shared = concerns_others(self._state, command)
        other = large_elsewhere(self.ledger, self._state, command) if shared else None
        balance, balances = self.ledger.balance, self.ledger.balances
        return Standing(door.now, actor, balance, balances, self._draw, door, other)

    def _read_on(self) -> bool:
        """Bring the state up to what is on record; whether that was any news."""
        before = self._state.version
        for entry in self.ledger.entries(self.stream, after=self._seq):
            # Whoever looks from another thread sees an entry whole, or not yet.
            self._state = reduce(evolve, told_in(entry), self._state)
            self._seq = entry.seq
        return self._state.version != before


def found(ledger: Ledger, event: str, **how: Any) -> Night:
    """A night that was made; raises LedgerError where there is none of that id."""
    night = Night(ledger, event, **how)
    if night.state.phase == "none":
        known = nights(ledger)
        remedy = did_you_mean(event, known) if known else "pitbook night new makes one"
        raise LedgerError(f'there is no night "{printable(event)}"; {remedy}')
    return night


def _document(command: Command) -> Mapping[str, Any]:
    """A command as the body of a request has it."""
    if type(command) in KINDS.values():
        return commands.encode(command)  # type: ignore[arg-type]
    from pitbook.nights.tournament.written import written  # noqa: PLC0415

    return {"do": f"tournament {type(command).__name__}", **written(command)}
