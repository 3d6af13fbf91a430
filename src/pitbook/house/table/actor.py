"""A live table: one mailbox that handles commands in order."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from datetime import datetime
from functools import partial
from itertools import accumulate, islice
from typing import Any, NamedTuple, TypeVar

from pydantic_core import to_json

from pitbook.errors import InDoubt, LedgerError, Overdrawn, PitbookError, RequestReused
from pitbook.house.ledger.fact_codec import Fact
from pitbook.house.ledger.hash_chain import Entry, canonical
from pitbook.house.ledger.ledger import Ledger
from pitbook.house.ledger.streams import (
    PendingWrite,
    RequestKey,
    SnapshotPolicy,
    StreamReader,
    StreamWriter,
    Submit,
    refuse_reused_id,
    request_id,
    request_key,
    unlocked_adapter,
)
from pitbook.house.table import commands
from pitbook.house.table.apply_facts import apply
from pitbook.house.table.commands import CLOCK, Envelope, Tick
from pitbook.house.table.decide import Decision, decide, resume
from pitbook.house.table.environment import TableEnv
from pitbook.house.table.events import Event, events
from pitbook.house.table.facts import FACTS, STOPPED
from pitbook.house.table.state import TableState, restore, snapshot
from pitbook.house.table.view_types import Presence
from pitbook.house.table.views import ViewCache
from pitbook.house.table.watchers import AWAY_SECONDS, Subscribers
from pitbook.rules.refusals import Code, Refusal
from pitbook.text import say, sentence_of

RETRY_SECONDS = 1.0  # Delay before a clock is handled again if the ledger cannot be reached.
LATE_SECONDS = 2.0  # An alarm this late means that the server was stalled, not the players.
PRESENCE_SECONDS = 1.0  # Who is connected is sent at most this often.
SAME_MOMENT_SECONDS = 0.05  # Views built within this time carry the same time of day.
CALL_SECONDS = 0.05  # How often to look for answers to a connection check.
SNAPSHOT_EVERY = 200  # Entries between two snapshots.
SNAPSHOTS = SnapshotPolicy(lambda: SNAPSHOT_EVERY, snapshot, lambda document, _: restore(document))

T = TypeVar("T")


class Accepted(NamedTuple):
    """A recorded command; repeated requests get the same answer."""

    seq: int
    hash: str


Answer = Accepted | Refusal


class _Moment(NamedTuple):
    """The last members of views that are built in one moment, and since when they hold."""

    state: TableState
    at: float
    text: str


class LiveTable:
    """One live table. Opening it takes it over from any other process."""

    def __init__(
        self, ledger: Ledger, stream: str, env: TableEnv, write: Submit | None = None
    ) -> None:
        self.stream = stream
        self.subscribers = Subscribers()
        self.env = env
        reader = StreamReader(ledger, stream, TableState(), self._read, SNAPSHOTS)
        adapter = unlocked_adapter(ledger, write)._replace(read=self._read_and_publish)
        self._writer: StreamWriter[TableState, Fact] = StreamWriter(
            reader, FACTS, adapter, exclusive=True
        )
        self._mailbox: asyncio.Queue[tuple[Envelope, asyncio.Future[Answer]]] = asyncio.Queue()
        self._refusals = RefusalCache()
        self._events: list[Event] = []  # From the entries being read; sent once all could be read.
        self._turn = asyncio.Lock()  # Held while a command is handled.
        self._views = ViewCache(self.state)
        self._task: asyncio.Task[None] | None = None
        self._in_flight: asyncio.Future[Answer] | None = None
        # The task of a caller that handles its own command.
        self._direct_task: asyncio.Task[Any] | None = None
        self._alarm: tuple[float, asyncio.TimerHandle] | None = None
        self._connection_check = ConnectionCheck(self.subscribers)
        self.subscribers.on_gone = self._on_watcher_gone
        self.subscribers.on_change = self._on_watchers_changed
        self._presence_timer: asyncio.TimerHandle | None = None
        self._moment = _Moment(TableState(), 0.0, "")

    @property
    def state(self) -> TableState:
        """The recorded state of the table."""
        return self._writer.state

    @property
    def views(self) -> ViewCache:
        """A view cache for the current state."""
        if self._views.state is not self.state:
            self._views = ViewCache(self.state)
        return self._views

    @property
    def presence(self) -> Presence:
        """The number of spectators, and the seats whose players are disconnected."""
        seats, viewers = self.state.seats, self.subscribers.viewers
        connected = {viewer.name for viewer in viewers if viewer.role == "player"}
        watching = sum(
            viewer.role != "player" or viewer.name not in seats.values() for viewer in viewers
        )
        away = [seat for seat in seats if seats[seat] not in connected]
        return {"watching": watching, "away": away}

    def now_and_presence(self) -> str:
        """The last members of a view as JSON; clients count deadlines down from `now`."""
        at = time.monotonic()
        if self._moment.state is not self.state or at - self._moment.at > SAME_MOMENT_SECONDS:
            now_text = f'"now":"{self.env.now().isoformat()}"'
            text = f"{now_text},{_presence_member(self.presence)}"
            self._moment = _Moment(self.state, at, text)
        return self._moment.text

    @property
    def epoch(self) -> int:
        """The epoch of this process's claim."""
        return self._writer.epoch

    async def open(
        self, opening: Sequence[Fact] = (), *, actor: str = "", prunable: bool = False
    ) -> None:
        """Take over an existing table or set up a new one, then accept commands."""
        opening_json, key = FACTS.dump_all(opening), RequestKey(actor)
        if opening:  # If two callers set up the same table, one gets the other's receipt.
            key = RequestKey(actor, request_id("", f"open {self.stream}"), canonical(opening_json))
        await self._writer.take_over(key, opening_json, prunable=prunable)
        if not opening and (resumed := resume(self.state, self.env, STOPPED)).facts:
            await self._writer.append(self._pending_write(resumed), RequestKey(actor))
        self._set_alarm()
        self._task = asyncio.create_task(self._serve(), name=f"pitbook {self.stream}")

    async def send(self, envelope: Envelope) -> Answer:
        """A command's answer, once it is recorded or refused."""
        if self._writer.lost is not None:
            raise self._writer.lost
        if not self._turn.locked() and self._mailbox.empty():
            async with self._turn:  # Nothing is queued, so handle it directly.
                if self._writer.lost is not None:  # Meanwhile.
                    raise self._writer.lost
                self._direct_task = asyncio.current_task()
                try:
                    return await self._answer_safely(envelope)
                finally:
                    self._direct_task = None
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._mailbox.put_nowait((envelope, answer))
        return await answer

    async def close(self) -> None:
        """Stop accepting commands; wagers stay on the table."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        if self._direct_task is not None:
            self._direct_task.cancel()  # The caller sees an outcome in doubt.
        if self._alarm is not None:
            self._alarm[1].cancel()
        if self._presence_timer is not None:
            self._presence_timer.cancel()
        self.subscribers.close()

    async def _serve(self) -> None:
        try:
            while True:
                envelope, answer = await self._mailbox.get()
                async with self._take_turn(envelope, answer):
                    self._in_flight = answer
                    if self._writer.lost is not None:
                        _set_answer(answer, self._writer.lost)
                        return
                    try:
                        _set_answer(answer, await self._answer_safely(envelope))
                    except PitbookError as error:
                        _set_answer(answer, error)
        finally:
            self._reject_pending()

    @asynccontextmanager
    async def _take_turn(
        self, envelope: Envelope, answer: asyncio.Future[Answer]
    ) -> AsyncIterator[None]:
        """Hold the turn; a canceled command is queued again and refused with the rest."""
        try:
            await self._turn.acquire()
        except asyncio.CancelledError:
            self._mailbox.put_nowait((envelope, answer))
            raise
        try:
            yield
        finally:
            self._turn.release()

    async def _answer_safely(self, envelope: Envelope) -> Answer:
        """A command's answer; handles errors and cancellation without losing the state."""
        try:
            return await self._handle(envelope)
        except PitbookError:
            if self._writer.lost is not None:
                self._mailbox.put_nowait(_tick())  # Tells the queued callers too.
            raise
        except asyncio.CancelledError:
            if (
                self._writer.lost is not None
                and self._direct_task is not None
                and not self._direct_task.uncancel()
            ):
                raise _in_doubt(self._writer.lost) from None
            self._writer.in_sync = False
            self._mailbox.put_nowait(_tick())
            raise
        except Exception as bug:
            self.subscribers.close()  # Watchers reconnect and get a new view.
            self._writer.reset()
            raise InDoubt(say("table.live.our-mistake", bug=repr(bug))) from bug
        finally:
            self._set_alarm()

    def _set_alarm(self) -> None:
        """Set the alarm for the next clock; an alarm that rings early is set again."""
        wait = self._until_due()
        if wait is None or self._writer.lost is not None:
            return
        self._set_alarm_in(wait)

    def _set_alarm_in(self, delay_s: float) -> None:
        loop = asyncio.get_running_loop()
        alarm_at = loop.time() + delay_s
        if self._alarm is not None:
            if self._alarm[0] <= alarm_at:
                return
            self._alarm[1].cancel()
        self._alarm = alarm_at, loop.call_at(alarm_at, self._on_alarm, alarm_at)

    def _on_alarm(self, alarm_at: float) -> None:
        """Handle an alarm; before a clock runs out, the players' connections are checked."""
        self._alarm = None
        if asyncio.get_running_loop().time() - alarm_at >= LATE_SECONDS:
            self._connection_check.end()  # No player could have answered either.
            self._mailbox.put_nowait(_tick(late=True))
        elif self._until_due() == 0.0 and self._connection_check.is_waiting(self.state):
            self._set_alarm_in(CALL_SECONDS)
        else:
            self._connection_check.end()
            self._mailbox.put_nowait(_tick())

    def _on_watcher_gone(self) -> None:
        """After a player disconnects, check whether all others are ready."""
        if self.state.ready:
            loop = asyncio.get_running_loop()
            loop.call_later(AWAY_SECONDS, self._mailbox.put_nowait, _tick())

    def _on_watchers_changed(self) -> None:
        """Tell the watchers who is connected, a little later and once for several changes."""
        self._moment = self._moment._replace(at=0.0)
        if self._presence_timer is None and self.state.kind != "practice":
            loop = asyncio.get_running_loop()
            self._presence_timer = loop.call_later(PRESENCE_SECONDS, self._send_presence)

    def _send_presence(self) -> None:
        self._presence_timer = None
        self.subscribers.send_presence(f"{{{_presence_member(self.presence)}}}")

    def _until_due(self) -> float | None:
        """Seconds until the first of the table's clocks runs out, or None."""
        if not self.state.deadlines:
            return None
        first = min(datetime.fromisoformat(at) for at in self.state.deadlines.values())
        delay_min = 0.0 if self._writer.in_sync else RETRY_SECONDS
        return max(delay_min, (first - self.env.now()).total_seconds())

    async def _handle(self, envelope: Envelope) -> Answer:
        """Decide a command on the cached state, and record what it changes."""
        if not self._writer.in_sync:
            await self._writer.resync()
        key = self._request_key(envelope)
        answer: Answer | Decision
        try:
            answer = self._decide(envelope, key)
            if isinstance(answer, Decision):
                receipt = (await self._writer.append(self._pending_write(answer), key)).receipt
                return Accepted(receipt.seq, receipt.hash)
        except Overdrawn as error:
            answer = Refusal(Code.NOT_COVERED, sentence_of(error), "GEN-10")
        except RequestReused as error:
            answer = refuse_reused_id(error.request)
        if isinstance(answer, Refusal):
            self._refusals.add(key.id, key.body, answer)
        return answer

    def _decide(self, envelope: Envelope, key: RequestKey) -> Decision | Answer:
        """The decision to record, or the answer if there is nothing to record.

        A repeated request gets its first answer: from here, or from the ledger when the decision is
        written again.
        """
        try:
            refusal = self._refusals.get(key.id, key.body)
            decision = refusal or decide(self.state, envelope, self.env)
        except PitbookError:
            if (recorded := self._recorded_answer(key)) is None:
                raise
            return recorded
        if isinstance(decision, Refusal):
            return self._recorded_answer(key) or decision
        if decision.facts:
            return decision
        return self._recorded_answer(key) or Accepted(self._writer.seq, "")

    def _recorded_answer(self, key: RequestKey) -> Accepted | None:
        """The first answer to a repeated request, or None; raises RequestReused."""
        recorded = self._writer.recorded_answer(key)
        return None if recorded is None else Accepted(recorded.receipt.seq, recorded.receipt.hash)

    def _pending_write(self, decision: Decision) -> PendingWrite[Fact]:
        after = partial(self._publish, self.state, decision.facts, decision.after)
        return PendingWrite(decision.facts, decision.transfers, after)

    def _publish(
        self, state: TableState, facts: Iterable[Fact], after: Iterable[TableState]
    ) -> TableState:
        """Notify watchers and return the new state."""
        new_events, state = _events_of(state, facts, after)
        self.subscribers.publish(new_events)
        return state

    def _request_key(self, envelope: Envelope) -> RequestKey:
        name, role = envelope.by.name, envelope.by.role
        command = envelope.command
        return request_key(
            name, envelope.request, lambda: [self.stream, role, commands.encode(command)]
        )

    async def _read_and_publish(self, work: Callable[[], T]) -> T:
        """Run a read on the event loop, and publish its events if it succeeds."""
        self._events = []
        result = work()
        self.subscribers.publish(self._events)
        return result

    def _read(self, state: TableState, entries: Iterable[Entry]) -> TableState:
        facts = [fact for entry in entries for fact in FACTS.load_entry(entry)]
        states = islice(accumulate(facts, apply, initial=state), 1, None)
        self._events, state = _events_of(state, facts, states)
        return state

    def _reject_pending(self) -> None:
        """Answer the command in flight and all queued commands with an error."""
        error = self._writer.lost or LedgerError(say("table.live.closed", table=self.stream))
        if self._in_flight is not None:  # Stopped between the append and its receipt.
            _set_answer(self._in_flight, _in_doubt(error))
        while not self._mailbox.empty():
            _set_answer(self._mailbox.get_nowait()[1], error)
        self._writer.lost = error


def _events_of(
    state: TableState, facts: Iterable[Fact], after: Iterable[TableState]
) -> tuple[list[Event], TableState]:
    """The events of some facts, and the state after them."""
    table_events: list[Event] = []
    for fact, next_state in zip(facts, after, strict=True):
        table_events += events(state, fact, next_state)
        state = next_state
    return table_events, state


def _presence_member(presence: Presence) -> str:
    return f'"presence":{to_json(presence).decode()}'


def _in_doubt(error: PitbookError) -> InDoubt:
    return InDoubt(say("table.live.send-again", why=sentence_of(error)))


def _tick(*, late: bool = False) -> tuple[Envelope, asyncio.Future[Answer]]:
    return Envelope(CLOCK, Tick(late)), asyncio.get_running_loop().create_future()


def _set_answer(future: asyncio.Future[Answer], outcome: Answer | PitbookError) -> None:
    if future.done():
        return  # The caller has gone.
    if isinstance(outcome, PitbookError):
        future.set_exception(outcome)
        future.exception()  # A tick has no one to tell.
    else:
        future.set_result(outcome)


WAIT_SECONDS = 5.0  # By then a broken connection is detected on either side.


class ConnectionCheck:
    """Checks that players' connections are alive before a clock decides for them."""

    def __init__(self, subscribers: Subscribers) -> None:
        self._subscribers = subscribers
        self._at: float | None = None

    def is_waiting(self, state: TableState) -> bool:
        """Whether an answer is still missing and the wait is not over."""
        players, now = players_on_clock(state), time.monotonic()
        if self._at is None:
            self._at = now
            self._subscribers.ping(players)
        if now - self._at < WAIT_SECONDS and self._subscribers.has_silent(players, self._at):
            return True
        self.end()
        return False

    def end(self) -> None:
        """Reset, so that the next clock checks again."""
        self._at = None


def players_on_clock(state: TableState) -> set[str]:
    """The players that the running clocks apply to."""
    if state.awaiting:
        return {player for player, answer in state.awaiting.items() if answer is None}
    if state.round is None or state.round.phase == "wagers":
        return set(state.seats.values())
    waiting = state.round.waiting
    return {seat.player for seat in state.round.seats if seat.number in waiting}


REFUSALS_MAX = 500  # Older requests have long been answered.


class RefusalCache:
    """The latest refusals of a table, by request id and body."""

    def __init__(self) -> None:
        self._refusals: OrderedDict[tuple[str, str | None], Refusal] = OrderedDict()

    def get(self, request: str | None, body: str | None) -> Refusal | None:
        """The earlier refusal of a request, or None."""
        return None if request is None else self._refusals.get((request, body))

    def add(self, request: str | None, body: str | None, refusal: Refusal) -> None:
        """Store a refusal and drop the oldest over the limit."""
        if request is not None:
            self._refusals[request, body] = refusal
            if len(self._refusals) > REFUSALS_MAX:
                self._refusals.popitem(last=False)
