"""A night in the ledger: read it, and write commands to it."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Mapping
from datetime import datetime
from functools import cache, partial
from typing import Any, NamedTuple

from pitbook.errors import LedgerError, Overdrawn, PeopleError, PitbookError, RequestReused
from pitbook.house.ledger.chain import Entry
from pitbook.house.ledger.codec import fields
from pitbook.house.ledger.journal import Ledger
from pitbook.house.ledger.stream_writer import (
    PendingWrite,
    StreamWriter,
    WriteResult,
    find_request,
    refuse_reused_id,
    request_key,
)
from pitbook.house.ledger.writer import utc_now
from pitbook.house.nights import commands
from pitbook.house.nights.commands import KINDS
from pitbook.house.nights.context import Circumstances
from pitbook.house.nights.decide import Command, decide
from pitbook.house.nights.facts import Fact, SlipPassed, SlipUndone, dump
from pitbook.house.nights.names import buyer, on_record
from pitbook.house.nights.sheets import departures, outside
from pitbook.house.nights.state import (
    CORRECTED,
    REHEARSAL,
    STREAM,
    NightState,
    fold_of,
    nights,
    told_in,
)
from pitbook.house.nights.state import on_record as read_night
from pitbook.house.nights.tickets import passes_of
from pitbook.house.nights.tournament.commands import SetUp
from pitbook.house.people.roster import AccessList, get_persons
from pitbook.house.table import commands as table_commands
from pitbook.house.table.commands import Command as TableCommand
from pitbook.house.table.state import TableState, game_of
from pitbook.money import Cents
from pitbook.rules.refusals import Code, Refusal, refuse
from pitbook.sheets.findings import did_you_mean, printable
from pitbook.text import Sentence, say, sentence_of


def concerns_others(state: NightState, command: Command) -> bool:
    """Whether what other nights of the licensed event have decides about a command."""
    if state.rehearsal:
        return False
    if isinstance(command, SetUp):
        return command.schedule.higher_limit
    return isinstance(command, commands.Correct) and _large(state) is not None


def large_elsewhere(ledger: Ledger, state: NightState, command: Command) -> str | None:
    """The tournament of another night that has the event's higher limit; None: nobody has it."""
    wanted = _after(state, command)
    found = (read_night(ledger, event) for event in nights(ledger) if event != state.event)
    return next((large for one in found if _same(one, wanted) and (large := _large(one))), None)


def hold_still(ledger: Ledger, state: NightState, command: Command, *, actor: str) -> None:
    """Whoever decides about the higher limit in another process finds that it must look again.

    Claim your own stream first, then call this, then look: of two who do so at once, at most one
    can still write.
    """
    wanted = _after(state, command)
    for event in nights(ledger):
        one = read_night(ledger, event)
        # A night that is made may still be corrected into this licence.
        may_be = one.phase == "made" or (one.phase == "open" and _same(one, wanted))
        if event != state.event and may_be and not one.rehearsal:
            ledger.claim(f"{STREAM}{event}", actor=actor)


def _after(state: NightState, command: Command) -> NightState:
    """The night as a correction would leave it."""
    if not isinstance(command, commands.Correct):
        return state
    given = {name: getattr(command, name) for name in CORRECTED}
    return state._replace(**{name: one for name, one in given.items() if one is not None})


def _same(one: NightState, other: NightState) -> bool:
    return not one.rehearsal and _event(one) == _event(other)


def _event(state: NightState) -> tuple[str, str]:
    return " ".join(state.licence.split()).casefold(), state.gaming_date


def _large(state: NightState) -> str | None:
    """The night's tournament that has the higher limit; a night that was called off has none."""
    if state.phase == "closed" and not state.opened_at:
        return None
    return next((name for name, one in state.tournaments.items() if one.is_large), None)


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
    def load_entry(entry: Entry) -> list[Fact]:
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
        self._writer = StreamWriter(fold_of(ledger, event), _NightWords, max_tries=TRIES)
        self._writer.catch_up()

    @property
    def state(self) -> NightState:
        """The night as this process last read it."""
        return self._writer.state

    def now(self) -> datetime:
        """The time by the night's clock."""
        return self._clock()

    def holds(self, player: str) -> Cents:
        """What a player holds in chips of the night, however the name is written."""
        known = self._persons.catch_up().resolve_name(player)
        name = player if isinstance(known, Refusal) else known
        return self.ledger.balance(self.state.till.wallet(name))

    def refreshed(self) -> NightState:
        """The night as it stands on record."""
        return self._writer.catch_up()

    async def read(self) -> NightState:
        """The same beside the loop: no table waits for the book."""
        return await asyncio.to_thread(self.refreshed)

    async def take(self, command: Command, *, actor: str, request: str | None = None) -> Answer:
        """A command's answer, waited for beside the loop."""
        return await asyncio.to_thread(self.give, command, actor=actor, request=request)

    def before(self, actor: str, request: str | None) -> Accepted | None:
        """What a request put on the night's record when it came first, whatever its body is now."""
        entry = find_request(self.ledger, actor, request)
        if entry is None or entry.stream != self.stream:
            return None
        return Accepted(entry.seq, entry.hash, tuple(told_in(entry)))

    def is_known(self, actor: str, request: str | None) -> bool:
        """Whether a request is on record, whatever it asked and of whom."""
        return find_request(self.ledger, actor, request) is not None

    def give(self, command: Command, *, actor: str, request: str | None = None) -> Answer:
        """A command's answer, once it is on record or refused."""
        asked = request_key(actor, request, lambda: [self.stream, _document(command)])
        try:
            answer = self._writer.write(
                partial(self._decided, command, actor),
                asked,
                recheck=partial(self._decided_alone, command, actor),
                # Whoever looks at other nights as well needs a longer moment alone.
                backoff=lambda: 6 * concerns_others(self.state, command),
            )
        except Overdrawn as error:
            return self._not_covered(sentence_of(error))
        except RequestReused as error:
            return refuse_reused_id(error.request)
        return answer if isinstance(answer, Refusal) else self._accepted(answer)

    def _not_covered(self, why: str) -> Refusal:
        """What an account does not have; where that is the drawer, a float helps."""
        account = why.fields.get("account") if isinstance(why, Sentence) else None
        if account != str(self.state.till.cash):
            return Refusal(Code.NOT_COVERED, why)
        return refuse(Code.NOT_COVERED, "nights.night.float-first", why=why)

    def _decided(
        self, command: Command, actor: str, state: NightState
    ) -> PendingWrite[Fact] | Refusal:
        """What is decided under the names on record; whoever is new is put there first."""
        while True:
            standing = self._standing(actor, command)
            decided = decide(state, command, standing)
            if isinstance(decided, Refusal):
                return decided
            if self._named(command, standing):
                return PendingWrite(*decided)
            # Somebody who looks the same came this moment.

    def _decided_alone(
        self, command: Command, actor: str, state: NightState, made: PendingWrite[Fact]
    ) -> PendingWrite[Fact] | Refusal:
        """The same where other nights have a say, once those are held still."""
        if not concerns_others(state, command):
            return made
        hold_still(self.ledger, state, command, actor=actor)
        decided = decide(state, command, self._standing(actor, command))
        return decided if isinstance(decided, Refusal) else PendingWrite(*decided)

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

    def _accepted(self, written: WriteResult[Fact]) -> Accepted:
        if not written.is_repeat:
            passes_of(self.ledger).written(self.stream.removeprefix(STREAM))
        return Accepted(written.receipt.seq, written.receipt.hash, tuple(written.facts))

    def _standing(self, actor: str, command: Command) -> Circumstances:
        door = AccessList(self._persons.catch_up(), self._clock())
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


# Whatever brings new money into play; an undo may put back a wager that was taken off.
BEGINS = (
    table_commands.Sit,
    table_commands.PutWager,
    table_commands.Rebet,
    table_commands.Undo,
    table_commands.OpenRound,
)


class Hours:
    """The hours of a house's nights, as their tables ask for them."""

    def __init__(self, ledger: Ledger, *, clock: Callable[[], datetime] = utc_now) -> None:
        self._ledger, self._clock = ledger, clock
        self._kept: dict[str, NightState] = {}

    def forbidden(self, state: TableState, command: TableCommand) -> Refusal | None:
        """OMS-17: why nothing is begun at a table now; a hand that is dealt is finished."""
        event = event_of(state.unit)
        if event is not None and isinstance(command, table_commands.ChangeSheet):
            return self._not_admitted(event, command)
        takes_back = isinstance(command, table_commands.PutWager) and not command.amount
        if event is None or takes_back or not isinstance(command, BEGINS):
            return None
        return outside(self._night(event), self._clock())

    def _not_admitted(self, event: str, command: table_commands.ChangeSheet) -> Refusal | None:
        """OMS-10: other rules at a night's table are within its limits, as those admitted were."""
        try:
            sheet = game_of(command.sheet).sheet
        except PitbookError as error:
            return Refusal(Code.NO_RULE, sentence_of(error))
        return next(iter(departures(sheet, self._night(event).rules)), None)

    def _night(self, event: str) -> NightState:
        """Once the doors are open the date cannot change, and memory will do."""
        kept = self._kept.get(event)
        if kept is None or kept.phase != "open":
            kept = self._kept[event] = Night(self._ledger, event).state
        return kept


def event_of(unit: str) -> str | None:
    """The night whose chips a table is played for; None: it is no night's.

    >>> event_of("event-chip:gala"), event_of("rehearsal-tournament:gala.t1"), event_of("usd")
    ('gala', 'gala', None)
    """
    kind, _, name = unit.removeprefix(f"{REHEARSAL}-").partition(":")
    return name.partition(".")[0] if kind in ("event-chip", "tournament") else None
