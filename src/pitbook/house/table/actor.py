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

from pitbook.errors import InDoubt, LedgerError, Overdrawn, PitbookError, RequestReused
from pitbook.house.ledger.chain import Entry, canonical
from pitbook.house.ledger.codec import Fact
from pitbook.house.ledger.journal import Ledger
from pitbook.house.ledger.stream_reader import SnapshotPolicy, StreamReader
from pitbook.house.ledger.stream_writer import (
    PendingWrite,
    RequestKey,
    StreamWriter,
    Submit,
    WriteResult,
    refuse_reused_id,
    request_id,
    request_key,
    unlocked_adapter,
)
from pitbook.house.table import commands
from pitbook.house.table.commands import CLOCK, Envelope, Tick
from pitbook.house.table.decide import Decision, decide, resume
from pitbook.house.table.env import TableEnv
from pitbook.house.table.events import Event, events
from pitbook.house.table.facts import FACTS, STOPPED
from pitbook.house.table.state import TableState, apply, restore, snapshot
from pitbook.house.table.views import ViewCache
from pitbook.house.table.watchers import AWAY_SECONDS, Subscribers
from pitbook.rules.refusals import Code, Refusal
from pitbook.text import say, sentence_of

RETRY_SECONDS = 1.0  # How soon a clock is heard again when the book cannot be reached.
LATE_SECONDS = 2.0  # An alarm that comes so late: the house itself stood still, not the players.
CALL_SECONDS = 0.05  # How often it is looked whether those who are called have answered.
KEEP_EVERY = 200  # Entries between two kept states: a start replays fewer than that.
SNAPSHOTS = SnapshotPolicy(lambda: KEEP_EVERY, snapshot, lambda kept, _: restore(kept))

T = TypeVar("T")


class Accepted(NamedTuple):
    """A command that is on record; the same answer for the same request, however often sent."""

    seq: int
    hash: str


Answer = Accepted | Refusal


class LiveTable:
    """One live table. Whoever opens it holds it; another process that opens it takes it over."""

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
        self._events: list[Event] = []  # Of what is being read: told once all of it could be.
        self._turn = asyncio.Lock()  # Of whichever command is worked on.
        self._views = ViewCache(self.state)
        self._task: asyncio.Task[None] | None = None
        self._in_flight: asyncio.Future[Answer] | None = None
        self._direct_task: asyncio.Task[Any] | None = None  # Whose own task works on a command.
        self._alarm: tuple[float, asyncio.TimerHandle] | None = None
        self._connection_check = ConnectionCheck(self.subscribers)
        self.subscribers.on_gone = self._on_watcher_gone

    @property
    def state(self) -> TableState:
        """The table as it stands on record."""
        return self._writer.state

    @property
    def views(self) -> ViewCache:
        """The same, for all who look at it."""
        if self._views.state is not self.state:
            self._views = ViewCache(self.state)
        return self._views

    @property
    def epoch(self) -> int:
        """By which it is held; the book has a later one where another process took it over."""
        return self._writer.epoch

    async def open(
        self, opening: Sequence[Fact] = (), *, actor: str = "", prunable: bool = False
    ) -> None:
        """Take the table over as it was left, or set a new one up; then take commands."""
        kept, asked = FACTS.dump_all(opening), RequestKey(actor)
        if opening:  # Of two that set up the same table at once, one is told of the other.
            asked = RequestKey(actor, request_id("", f"open {self.stream}"), canonical(kept))
        await self._writer.take_over(asked, kept, prunable=prunable)
        if not opening and (due := resume(self.state, self.env, STOPPED)).facts:
            await self._writer.write_async(partial(self._pending_write, due), RequestKey(actor))
        self._set_alarm()
        self._task = asyncio.create_task(self._serve(), name=f"pitbook {self.stream}")

    async def send(self, envelope: Envelope) -> Answer:
        """A command's answer, once it is on record or refused."""
        if self._writer.lost is not None:
            raise self._writer.lost
        if not self._turn.locked() and self._mailbox.empty():
            async with self._turn:  # Nobody is before us: no need to wait in line.
                return await self._handle_directly(envelope)
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._mailbox.put_nowait((envelope, answer))
        return await answer

    async def _handle_directly(self, envelope: Envelope) -> Answer:
        if self._writer.lost is not None:
            raise self._writer.lost
        self._direct_task = asyncio.current_task()
        try:
            return await self._answer_safely(envelope)
        finally:
            self._direct_task = None

    async def close(self) -> None:
        """Stop taking commands; wagers stay held, as after any stop."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        if self._direct_task is not None:
            self._direct_task.cancel()  # Which it is told as a doubt.
        if self._alarm is not None:
            self._alarm[1].cancel()
        self.subscribers.close()

    async def _serve(self) -> None:
        try:
            while True:
                envelope, asked = await self._mailbox.get()
                async with self._in_turn(envelope, asked):
                    self._in_flight = asked
                    if self._writer.lost is not None:
                        _set_answer(asked, self._writer.lost)
                        return
                    try:
                        _set_answer(asked, await self._answer_safely(envelope))
                    except PitbookError as error:
                        _set_answer(asked, error)
        finally:
            self._refuse_waiting()

    @asynccontextmanager
    async def _in_turn(
        self, envelope: Envelope, asked: asyncio.Future[Answer]
    ) -> AsyncIterator[None]:
        """Whoever is stopped before the turn came is in line again, and refused with the rest."""
        try:
            await self._turn.acquire()
        except asyncio.CancelledError:
            self._mailbox.put_nowait((envelope, asked))
            raise
        try:
            yield
        finally:
            self._turn.release()

    async def _answer_safely(self, envelope: Envelope) -> Answer:
        """A command's answer; whoever waits for it may go away, and nothing is lost."""
        try:
            return await self._handle(envelope)
        except PitbookError:
            if self._writer.lost is not None:
                self._mailbox.put_nowait(_tick())  # Whoever waits in line hears of it too.
            raise
        except asyncio.CancelledError:
            if (
                self._writer.lost is not None
                and self._direct_task is not None
                and not self._direct_task.uncancel()
            ):
                raise _unconfirmed(self._writer.lost) from None
            self._writer.in_sync = False
            self._mailbox.put_nowait(_tick())
            raise
        except Exception as bug:
            self.subscribers.close()  # Who looks on looks anew.
            self._writer.reset()
            raise InDoubt(say("table.live.our-mistake", bug=repr(bug))) from bug
        finally:
            self._set_alarm()

    def _set_alarm(self) -> None:
        """Most clocks are stopped before they run out: an alarm that comes early is set anew."""
        wait = self._until_due()
        if wait is None or self._writer.lost is not None:
            return
        self._ring_in(wait)

    def _ring_in(self, seconds: float) -> None:
        loop = asyncio.get_running_loop()
        due = loop.time() + seconds
        if self._alarm is not None:
            if self._alarm[0] <= due:
                return
            self._alarm[1].cancel()
        self._alarm = due, loop.call_at(due, self._ring, due)

    def _ring(self, due: float) -> None:
        """A clock has run out; before it speaks for anybody, the players' lines are called."""
        self._alarm = None
        if asyncio.get_running_loop().time() - due >= LATE_SECONDS:
            self._connection_check.end()  # Whoever was called could not answer either.
            self._mailbox.put_nowait(_tick(late=True))
        elif self._until_due() == 0.0 and self._connection_check.is_waiting(self.state):
            self._ring_in(CALL_SECONDS)
        else:
            self._connection_check.end()
            self._mailbox.put_nowait(_tick())

    def _on_watcher_gone(self) -> None:
        """Somebody's line was lost: where all others are ready, nobody waits for that player."""
        if self.state.ready:
            loop = asyncio.get_running_loop()
            loop.call_later(AWAY_SECONDS, self._mailbox.put_nowait, _tick())

    def _until_due(self) -> float | None:
        """Seconds until the first of the table's clocks runs out."""
        if not self.state.deadlines:
            return None
        first = min(datetime.fromisoformat(at) for at in self.state.deadlines.values())
        least = 0.0 if self._writer.in_sync else RETRY_SECONDS
        return max(least, (first - self.env.now()).total_seconds())

    async def _handle(self, envelope: Envelope) -> Answer:
        if not self._writer.in_sync:
            await self._writer.resync()
        asked = self._request_key(envelope)
        answer: WriteResult[Fact] | Answer
        try:
            if (no := self._refusals.get(asked.id, asked.body)) is not None:
                answer = self._writer.recorded_answer(asked) or no
            else:
                answer = await self._writer.write_async(partial(self._decide, envelope), asked)
        except Overdrawn as error:
            answer = Refusal(Code.NOT_COVERED, sentence_of(error), "GEN-10")
        except RequestReused as error:
            answer = refuse_reused_id(error.request)
        if isinstance(answer, WriteResult):
            return Accepted(answer.receipt.seq, answer.receipt.hash)
        if isinstance(answer, Refusal):
            return self._refusals.add(asked.id, asked.body, answer)
        return answer

    def _decide(self, envelope: Envelope, state: TableState) -> PendingWrite[Fact] | Answer:
        decided = decide(state, envelope, self.env)
        if isinstance(decided, Refusal):
            return decided
        return (
            self._pending_write(decided, state) if decided.facts else Accepted(self._writer.seq, "")
        )

    def _pending_write(self, decided: Decision, state: TableState) -> PendingWrite[Fact]:
        after = partial(self._publish, state, decided.facts, decided.after)
        return PendingWrite(decided.facts, decided.transfers, after)

    def _publish(
        self, state: TableState, facts: Iterable[Fact], after: Iterable[TableState]
    ) -> TableState:
        """The table after facts of its own, once all who watch are told."""
        told, state = _events_of(state, facts, after)
        self.subscribers.tell(told)
        return state

    def _request_key(self, envelope: Envelope) -> RequestKey:
        name, role = envelope.by.name, envelope.by.role
        what = envelope.command
        return request_key(
            name, envelope.request, lambda: [self.stream, role, commands.encode(what)]
        )

    async def _read_and_publish(self, work: Callable[[], T]) -> T:
        """Read where the loop is; who watches hears of it when nothing was amiss."""
        self._events = []
        found = work()
        self.subscribers.tell(self._events)
        return found

    def _read(self, state: TableState, entries: Iterable[Entry]) -> TableState:
        """The table after some entries."""
        facts = [fact for entry in entries for fact in FACTS.load_entry(entry)]
        states = islice(accumulate(facts, apply, initial=state), 1, None)
        self._events, state = _events_of(state, facts, states)
        return state

    def _refuse_waiting(self) -> None:
        stopped = self._writer.lost or LedgerError(say("table.live.closed", table=self.stream))
        if self._in_flight is not None:  # Cut off between asking the book and hearing of it.
            _set_answer(self._in_flight, _unconfirmed(stopped))
        while not self._mailbox.empty():
            _set_answer(self._mailbox.get_nowait()[1], stopped)
        self._writer.lost = stopped


def _events_of(
    state: TableState, facts: Iterable[Fact], after: Iterable[TableState]
) -> tuple[list[Event], TableState]:
    """What some facts tell whoever watches, and the table after them."""
    told: list[Event] = []
    for fact, then in zip(facts, after, strict=True):
        told += events(state, fact, then)
        state = then
    return told, state


def _unconfirmed(why: PitbookError) -> InDoubt:
    return InDoubt(say("table.live.send-again", why=sentence_of(why)))


def _tick(*, late: bool = False) -> tuple[Envelope, asyncio.Future[Answer]]:
    return Envelope(CLOCK, Tick(late)), asyncio.get_running_loop().create_future()


def _set_answer(answer: asyncio.Future[Answer], said: Answer | PitbookError) -> None:
    if answer.done():
        return  # Nobody waits for it any more.
    if isinstance(said, PitbookError):
        answer.set_exception(said)
        answer.exception()  # A tick has no one to tell.
    else:
        answer.set_result(said)


WAIT_SECONDS = 5.0  # By then either side of a line that is silent has noticed.


class ConnectionCheck:
    """One call to those for whom a clock would speak; whoever answers is waited for no longer."""

    def __init__(self, subscribers: Subscribers) -> None:
        self._subscribers = subscribers
        self._at: float | None = None

    def is_waiting(self, state: TableState) -> bool:
        """Whether a line has not answered yet, and may still be found to be lost."""
        players, now = players_on_clock(state), time.monotonic()
        if self._at is None:
            self._at = now
            self._subscribers.call(players)
        if now - self._at < WAIT_SECONDS and self._subscribers.silent(players, self._at):
            return True
        self.end()
        return False

    def end(self) -> None:
        """The next clock calls anew."""
        self._at = None


def players_on_clock(state: TableState) -> set[str]:
    """The players for whom the clocks that run would speak."""
    if state.awaiting:
        return {player for player, answer in state.awaiting.items() if answer is None}
    if state.round is None or state.round.phase == "wagers":
        return set(state.seats.values())
    waiting = state.round.waiting
    return {seat.player for seat in state.round.seats if seat.number in waiting}


REFUSALS_MAX = 500  # Whoever has waited longer has long been answered.


class RefusalCache:
    """The last refusals of a table, by the id and the body of what was asked."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[str, str | None], Refusal] = OrderedDict()

    def get(self, request: str | None, body: str | None) -> Refusal | None:
        """The no that a request had before."""
        return None if request is None else self._kept.get((request, body))

    def add(self, request: str | None, body: str | None, refusal: Refusal) -> Refusal:
        """Remember it, and forget the oldest."""
        if request is not None:
            self._kept[request, body] = refusal
            if len(self._kept) > REFUSALS_MAX:
                self._kept.popitem(last=False)
        return refusal
