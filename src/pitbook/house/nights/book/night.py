"""One night over the book: a command is decided on what is on record, and is on record or refused.

Several processes may serve one night, as a cage and an organiser do: whoever finds that another
wrote in between reads on and decides again.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Mapping
from datetime import datetime
from functools import cache, partial
from typing import Any, NamedTuple

from pitbook.errors import LedgerError, Overdrawn, PeopleError, RequestReused
from pitbook.house.ledger.chain import Entry
from pitbook.house.ledger.codec import fields
from pitbook.house.ledger.journal import Ledger
from pitbook.house.ledger.stream_writer import (
    OnRecord,
    Shell,
    Writing,
    asked_by,
    came_before,
    reused,
)
from pitbook.house.ledger.writer import utc_now
from pitbook.house.nights.book import commands
from pitbook.house.nights.book.circumstances import Circumstances
from pitbook.house.nights.book.commands import KINDS
from pitbook.house.nights.book.decide import Command, decide
from pitbook.house.nights.book.facts import Fact, SlipPassed, SlipUndone, dump
from pitbook.house.nights.book.licences import concerns_others, hold_still, large_elsewhere
from pitbook.house.nights.book.names import buyer, on_record
from pitbook.house.nights.book.passes import passes_of
from pitbook.house.nights.book.state import STREAM, NightState
from pitbook.house.nights.book.streams import fold_of, nights, told_in
from pitbook.house.people.roster import AccessList, get_persons
from pitbook.money import Cents
from pitbook.rules.refusals import Code, Refusal, refuse
from pitbook.sheets.findings import did_you_mean, printable
from pitbook.text import Sentence, say, sentence_of

TRIES = 40


class Accepted(NamedTuple):
    """A command that is on record; the same answer for the same request, however often sent."""

    seq: int
    hash: str
    facts: tuple[Fact, ...]

    @property
    def slip(self) -> int:
        """The number of the slip that it passed or undid."""
        return next(one.slip for one in self.facts if isinstance(one, SlipPassed | SlipUndone))


Answer = Accepted | Refusal


class _NightWords:
    """A night's own facts, and those of its tournaments."""

    dump = staticmethod(dump)

    @staticmethod
    def told(entry: Entry) -> list[Fact]:
        return list(told_in(entry))


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
        self._clock, self._draw, self._persons = clock, draw, get_persons(ledger)
        self._shell = Shell(fold_of(ledger, event), _NightWords, tries=TRIES)
        self._shell.read_on()

    @property
    def state(self) -> NightState:
        """The night as this process last read it."""
        return self._shell.state

    def now(self) -> datetime:
        """The time by the night's clock."""
        return self._clock()

    def holds(self, player: str) -> Cents:
        """What a player holds in chips of the night, however the name is written."""
        known = self._persons.read_on().resolve_name(player)
        name = player if isinstance(known, Refusal) else known
        return self.ledger.balance(self.state.till.wallet(name))

    def refreshed(self) -> NightState:
        """The night as it stands on record."""
        return self._shell.read_on()

    async def read(self) -> NightState:
        """The same beside the loop: no table waits for the book."""
        return await asyncio.to_thread(self.refreshed)

    async def take(self, command: Command, *, actor: str, request: str | None = None) -> Answer:
        """A command's answer, waited for beside the loop."""
        return await asyncio.to_thread(self.give, command, actor=actor, request=request)

    def before(self, actor: str, request: str | None) -> Accepted | None:
        """What a request put on the night's record when it came first, whatever its body is now."""
        entry = came_before(self.ledger, actor, request)
        if entry is None or entry.stream != self.stream:
            return None
        return Accepted(entry.seq, entry.hash, tuple(told_in(entry)))

    def is_known(self, actor: str, request: str | None) -> bool:
        """Whether a request is on record, whatever it asked and of whom."""
        return came_before(self.ledger, actor, request) is not None

    def give(self, command: Command, *, actor: str, request: str | None = None) -> Answer:
        """A command's answer, once it is on record or refused."""
        asked = asked_by(actor, request, lambda: [self.stream, _document(command)])
        try:
            answer = self._shell.write(
                partial(self._decided, command, actor),
                asked,
                once_ours=partial(self._decided_alone, command, actor),
                # Whoever looks at other nights as well needs a longer moment alone.
                patience=lambda: 6 * concerns_others(self.state, command),
            )
        except Overdrawn as error:
            return self._not_covered(sentence_of(error))
        except RequestReused as error:
            return reused(error.request)
        return answer if isinstance(answer, Refusal) else self._accepted(answer)

    def _not_covered(self, why: str) -> Refusal:
        """What an account does not have; where that is the drawer, a float helps."""
        account = why.fields.get("account") if isinstance(why, Sentence) else None
        if account != str(self.state.till.cash):
            return Refusal(Code.NOT_COVERED, why)
        return refuse(Code.NOT_COVERED, "nights.night.float-first", why=why)

    def _decided(self, command: Command, actor: str, state: NightState) -> Writing[Fact] | Refusal:
        """What is decided under the names on record; whoever is new is put there first."""
        while True:
            standing = self._standing(actor, command)
            decided = decide(state, command, standing)
            if isinstance(decided, Refusal):
                return decided
            if self._named(command, standing):
                return Writing(*decided)
            # Somebody who looks the same came this moment.

    def _decided_alone(
        self, command: Command, actor: str, state: NightState, made: Writing[Fact]
    ) -> Writing[Fact] | Refusal:
        """The same where other nights have a say, once those are held still."""
        if not concerns_others(state, command):
            return made
        hold_still(self.ledger, state, command, actor=actor)
        decided = decide(state, command, self._standing(actor, command))
        return decided if isinstance(decided, Refusal) else Writing(*decided)

    def _named(self, command: Command, standing: Circumstances) -> bool:
        """Put the name of whoever is new on record, before anything is sold under it."""
        asked = on_record(command, standing.door)
        player = None if isinstance(asked, Refusal) else buyer(asked)
        if player is None or standing.door.roster.knows(player):
            return True
        try:
            return self._persons.admit(player, actor=standing.actor) == player
        except PeopleError:
            return False

    def _accepted(self, written: OnRecord[Fact]) -> Accepted:
        if not written.again:
            passes_of(self.ledger).written(self.stream.removeprefix(STREAM))
        return Accepted(written.receipt.seq, written.receipt.hash, tuple(written.facts))

    def _standing(self, actor: str, command: Command) -> Circumstances:
        door = AccessList(self._persons.read_on(), self._clock())
        shared = concerns_others(self.state, command)
        other = large_elsewhere(self.ledger, self.state, command) if shared else None
        balance, balances = self.ledger.balance, self.ledger.balances
        return Circumstances(door.now, actor, balance, balances, self._draw, door, other)


def found(ledger: Ledger, event: str, **how: Any) -> Night:
    """A night that was made; raises LedgerError where there is none of that id."""
    night = Night(ledger, event, **how)
    if night.state.phase == "none":
        known = nights(ledger)
        remedy = did_you_mean(event, known) if known else say("nights.night.make-one")
        raise LedgerError(say("nights.night.unknown", event=printable(event), remedy=remedy))
    return night


def _document(command: Command) -> Mapping[str, Any]:
    """A command as the body of a request has it."""
    if type(command) in KINDS.values():
        return commands.encode(command)  # type: ignore[arg-type]
    kind: Any = type(command)
    return {"do": f"tournament {kind.__name__}", **_fields(kind).out(command)}


_fields = cache(fields)
