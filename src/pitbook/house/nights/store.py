"""A night in the ledger: read it, and write commands to it."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Mapping
from datetime import datetime
from functools import cache, partial
from typing import Any, NamedTuple

from pitbook.errors import LedgerError, Overdrawn, PeopleError, PitbookError, RequestReused
from pitbook.house.ledger.fact_codec import record_fields
from pitbook.house.ledger.hash_chain import Entry
from pitbook.house.ledger.ledger import Ledger
from pitbook.house.ledger.streams import (
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
from pitbook.house.nights.decide import Command, decide
from pitbook.house.nights.decision_types import NightContext
from pitbook.house.nights.facts import Fact, SlipBooked, SlipVoided, dump
from pitbook.house.nights.night_cache import night_cache
from pitbook.house.nights.resolve_names import joining_player, resolve_names
from pitbook.house.nights.sheets import closed_refusal, limit_violations
from pitbook.house.nights.state import (
    CORRECTABLE,
    REHEARSAL,
    STREAM,
    NightState,
    facts_in,
    load_night,
    night_reader,
    nights,
)
from pitbook.house.nights.tournament.commands import SetUp
from pitbook.house.people.access_list import AccessList
from pitbook.house.people.roster_store import get_persons
from pitbook.house.table import commands as table_commands
from pitbook.house.table.commands import Command as TableCommand
from pitbook.house.table.state import TableState
from pitbook.house.table.stored_sheets import game_of
from pitbook.money import Cents
from pitbook.rules.refusals import Code, Refusal, refuse
from pitbook.text import Sentence, say, sentence_of
from pitbook.text.user_input import did_you_mean, printable


def depends_on_other_nights(state: NightState, command: Command) -> bool:
    """Whether other nights of the licensed event decide about a command."""
    if state.rehearsal:
        return False
    if isinstance(command, SetUp):
        return command.schedule.higher_limit
    return isinstance(command, commands.Correct) and _large_tournament(state) is not None


def large_tournament_elsewhere(ledger: Ledger, state: NightState, command: Command) -> str | None:
    """The tournament of another night that uses the event's higher limit, if any."""
    after = _corrected_state(state, command)
    others = (load_night(ledger, event) for event in nights(ledger) if event != state.event)
    return next(
        (
            large
            for night in others
            if _is_same_event(night, after) and (large := _large_tournament(night))
        ),
        None,
    )


def claim_other_nights(ledger: Ledger, state: NightState, command: Command, *, actor: str) -> None:
    """Claim the other nights that a decision depends on, so that their writers must look again.

    Claim your own stream first, then call this, then look: of two concurrent callers at most one
    can still write.
    """
    after = _corrected_state(state, command)
    for event in nights(ledger):
        night = load_night(ledger, event)
        # A night that is not open may still be corrected into this license.
        may_be_same = night.phase == "made" or (
            night.phase == "open" and _is_same_event(night, after)
        )
        if event != state.event and may_be_same and not night.rehearsal:
            ledger.claim(f"{STREAM}{event}", actor=actor)


def _corrected_state(state: NightState, command: Command) -> NightState:
    """The night as a correction would leave it."""
    if not isinstance(command, commands.Correct):
        return state
    corrections = {name: getattr(command, name) for name in CORRECTABLE}
    return state._replace(
        **{name: value for name, value in corrections.items() if value is not None}
    )


def _is_same_event(night: NightState, other: NightState) -> bool:
    return not night.rehearsal and _event_key(night) == _event_key(other)


def _event_key(state: NightState) -> tuple[str, str]:
    return " ".join(state.licence.split()).casefold(), state.gaming_date


def _large_tournament(state: NightState) -> str | None:
    """The night's tournament with the higher limit; a canceled night has none."""
    if state.phase == "closed" and not state.opened_at:
        return None
    return next(
        (name for name, tournament in state.tournaments.items() if tournament.is_large), None
    )


TRIES = 40


class Accepted(NamedTuple):
    """A recorded command. A repeated request gets the same answer."""

    seq: int
    hash: str
    facts: tuple[Fact, ...]

    @property
    def slip(self) -> int:
        """The number of the slip that it booked or voided."""
        return next(fact.slip for fact in self.facts if isinstance(fact, SlipBooked | SlipVoided))


Answer = Accepted | Refusal


class _NightCodec:
    """Encodes the facts of a night and of its tournaments."""

    dump = staticmethod(dump)

    @staticmethod
    def load_entry(entry: Entry) -> list[Fact]:
        return list(facts_in(entry))


class Night:
    """A night in the ledger: reads its state and writes commands."""

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
        self._writer = StreamWriter(night_reader(ledger, event), _NightCodec, max_tries=TRIES)
        self._writer.catch_up()

    @property
    def state(self) -> NightState:
        """The state as last read by this process."""
        return self._writer.state

    def now(self) -> datetime:
        return self._clock()

    def holds(self, player: str) -> Cents:
        """A player's chips of the night, by any spelling of the name."""
        resolved = self._persons.catch_up().resolve_name(player)
        name = player if isinstance(resolved, Refusal) else resolved
        return self.ledger.balance(self.state.accounts.wallet(name))

    def refresh(self) -> NightState:
        """Read new facts and return the state."""
        return self._writer.catch_up()

    async def read(self) -> NightState:
        """Refresh in a thread, so that tables do not wait for the ledger."""
        return await asyncio.to_thread(self.refresh)

    async def take(self, command: Command, *, actor: str, request: str | None = None) -> Answer:
        """Give a command in a thread."""
        return await asyncio.to_thread(self.give, command, actor=actor, request=request)

    def recorded_answer(self, actor: str, request: str | None) -> Accepted | None:
        """The recorded answer to a request, whatever its body is now."""
        entry = find_request(self.ledger, actor, request)
        if entry is None or entry.stream != self.stream:
            return None
        return Accepted(entry.seq, entry.hash, tuple(facts_in(entry)))

    def is_known(self, actor: str, request: str | None) -> bool:
        """Whether any request with this id is recorded."""
        return find_request(self.ledger, actor, request) is not None

    def give(self, command: Command, *, actor: str, request: str | None = None) -> Answer:
        """Decide and record a command; returns the record or a refusal."""
        key = request_key(actor, request, lambda: [self.stream, _document(command)])
        try:
            answer = self._writer.write(
                partial(self._decide, command, actor),
                key,
                recheck=partial(self._recheck, command, actor),
                # Checking other nights takes longer alone.
                backoff=lambda: 6 * depends_on_other_nights(self.state, command),
            )
        except Overdrawn as error:
            return self._not_covered(sentence_of(error))
        except RequestReused as error:
            return refuse_reused_id(error.request)
        return answer if isinstance(answer, Refusal) else self._accept(answer)

    def _not_covered(self, reason: str) -> Refusal:
        """Refuse an overdraft; for the drawer, suggest a float."""
        account = reason.fields.get("account") if isinstance(reason, Sentence) else None
        if account != str(self.state.accounts.cash):
            return Refusal(Code.NOT_COVERED, reason)
        return refuse(Code.NOT_COVERED, "nights.night.float-first", why=reason)

    def _decide(
        self, command: Command, actor: str, state: NightState
    ) -> PendingWrite[Fact] | Refusal:
        """Decide with recorded names, and record a new name first."""
        while True:
            context = self._context(actor, command)
            decision = decide(state, command, context)
            if isinstance(decision, Refusal):
                return decision
            if self._admit_name(command, context):
                return PendingWrite(*decision)
            # Another process recorded a look-alike first; decide again.

    def _recheck(
        self, command: Command, actor: str, state: NightState, write: PendingWrite[Fact]
    ) -> PendingWrite[Fact] | Refusal:
        """Decide again after claiming the other nights that the command depends on."""
        if not depends_on_other_nights(state, command):
            return write
        claim_other_nights(self.ledger, state, command, actor=actor)
        decision = decide(state, command, self._context(actor, command))
        return decision if isinstance(decision, Refusal) else PendingWrite(*decision)

    def _admit_name(self, command: Command, context: NightContext) -> bool:
        """Record a new name before anything is sold under it; False if a look-alike came first."""
        resolved = resolve_names(command, context.access_list)
        player = None if isinstance(resolved, Refusal) else joining_player(resolved)
        if player is None or context.access_list.roster.knows(player):
            return True
        try:
            return self._persons.admit(player, actor=context.actor) == player
        except PeopleError:
            return False

    def _accept(self, written: WriteResult[Fact]) -> Accepted:
        if not written.is_repeat:
            night_cache(self.ledger).refresh(self.stream.removeprefix(STREAM))
        return Accepted(written.receipt.seq, written.receipt.hash, tuple(written.facts))

    def _context(self, actor: str, command: Command) -> NightContext:
        access_list = AccessList(self._persons.catch_up(), self._clock())
        shared = depends_on_other_nights(self.state, command)
        large_tournament = (
            large_tournament_elsewhere(self.ledger, self.state, command) if shared else None
        )
        balance, balances = self.ledger.balance, self.ledger.balances
        return NightContext(
            access_list.now, actor, balance, balances, self._draw, access_list, large_tournament
        )


def existing_night(ledger: Ledger, event: str, **options: Any) -> Night:
    """An existing night; raises LedgerError if there is none with that id."""
    night = Night(ledger, event, **options)
    if night.state.phase == "none":
        events = nights(ledger)
        remedy = did_you_mean(event, events) if events else say("nights.night.make-one")
        raise LedgerError(say("nights.night.unknown", event=printable(event), remedy=remedy))
    return night


def _document(command: Command) -> Mapping[str, Any]:
    """A command as the JSON body of a request."""
    if type(command) in KINDS.values():
        return commands.encode(command)  # type: ignore[arg-type]
    kind: Any = type(command)
    return {"do": f"tournament {kind.__name__}", **_fields(kind).out(command)}


_fields = cache(record_fields)


# Commands that bring money into play. An undo may restore a removed wager.
STARTING_COMMANDS = (
    table_commands.Sit,
    table_commands.PutWager,
    table_commands.Rebet,
    table_commands.Undo,
    table_commands.OpenRound,
)


class Hours:
    """The hours of the nights, checked by their tables."""

    def __init__(self, ledger: Ledger, *, clock: Callable[[], datetime] = utc_now) -> None:
        self._ledger, self._clock = ledger, clock
        self._kept: dict[str, NightState] = {}

    def start_refusal(self, state: TableState, command: TableCommand) -> Refusal | None:
        """OMS-17: why nothing may start at a table now. A dealt hand is finished."""
        event = event_of(state.unit)
        if event is not None and isinstance(command, table_commands.ChangeSheet):
            return self._not_admitted(event, command)
        takes_back = isinstance(command, table_commands.PutWager) and not command.amount
        if event is None or takes_back or not isinstance(command, STARTING_COMMANDS):
            return None
        return closed_refusal(self._night(event), self._clock())

    def _not_admitted(self, event: str, command: table_commands.ChangeSheet) -> Refusal | None:
        """OMS-10: a new sheet at a night's table must be within the limits, too."""
        try:
            sheet = game_of(command.sheet).sheet
        except PitbookError as error:
            return Refusal(Code.NO_RULE, sentence_of(error))
        return next(iter(limit_violations(sheet, self._night(event).rules)), None)

    def _night(self, event: str) -> NightState:
        """Once a night is open its date cannot change, so a cached state is enough."""
        night = self._kept.get(event)
        if night is None or night.phase != "open":
            night = self._kept[event] = Night(self._ledger, event).state
        return night


def event_of(unit: str) -> str | None:
    """The night whose chips a table is played for, if any.

    >>> event_of("event-chip:gala"), event_of("rehearsal-tournament:gala.t1"), event_of("usd")
    ('gala', 'gala', None)

    """
    kind, _, name = unit.removeprefix(f"{REHEARSAL}-").partition(":")
    return name.partition(".")[0] if kind in ("event-chip", "tournament") else None
