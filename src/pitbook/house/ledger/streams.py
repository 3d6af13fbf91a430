"""Read and write streams: replay entries into a state; read, decide, append, retry on conflict."""

from __future__ import annotations

import asyncio
import secrets
import threading
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext, suppress
from functools import partial
from itertools import chain
from typing import Any, Generic, NamedTuple, Protocol, TypeAlias, TypeVar

from pitbook.errors import (
    FactError,
    InDoubt,
    LedgerError,
    NotNow,
    PitbookError,
    RequestReused,
    Superseded,
)
from pitbook.house.ledger.accounts import Transfer
from pitbook.house.ledger.append_batch import Append, Receipt
from pitbook.house.ledger.hash_chain import Entry, canonical
from pitbook.house.ledger.ledger import Ledger
from pitbook.house.ledger.stream_kinds import check_registered
from pitbook.rules.refusals import Code, Refusal, refuse
from pitbook.text import say, sentence_of

MAX_TRIES = 20

State = TypeVar("State")
F = TypeVar("F")  # The stream's fact type.
Answer = TypeVar("Answer")  # What `decide` returns when there is nothing to write.
T = TypeVar("T")
Json = dict[str, Any]


class SnapshotPolicy(NamedTuple, Generic[State]):
    """When to write a snapshot, and how to encode and decode one."""

    every: Callable[[], int]  # Entries between two snapshots.
    encode: Callable[[State], Json | None]  # None: this state cannot be a snapshot.
    decode: Callable[[Json, int], State | None]  # Second argument: the last entry it includes.


class StreamReader(Generic[State]):
    """A stream's state as far as this process has read it.

    `apply` returns the state after some entries and leaves its argument unchanged.
    """

    def __init__(
        self,
        ledger: Ledger,
        stream: str,
        start: State,
        apply: Callable[[State, Iterable[Entry]], State],
        snapshots: SnapshotPolicy[State] | None = None,
    ) -> None:
        self.ledger, self.stream = ledger, stream
        self._start, self._apply, self._snapshots = start, apply, snapshots
        self.reset()

    def reset(self) -> None:
        """Return to the start, as if nothing had been read."""
        self.state, self.seq, self._snapshot_seq = self._start, 0, 0
        self._is_new = True

    def catch_up(self) -> State:
        """Read new entries and return the state. Other threads see the old state until then."""
        if self._is_new and self._snapshots is not None:
            self._load_snapshot(self._snapshots)
        self._is_new = False
        seq, entries = self.seq, self._new_entries()
        if (first := next(entries, None)) is not None:
            try:
                self.state = self._apply(self.state, chain((first,), entries))
            except BaseException as error:
                self.seq = seq  # Never skip an entry that cannot be read.
                if isinstance(error, Exception):
                    self._raise_for_unreadable_entry()
                raise
        return self.state

    def advance(self, seq: int, state: State) -> None:
        """Take the state after our own write, which saves reading it back."""
        self.seq, self.state = seq, state

    def due_snapshot(self) -> Json | None:
        """The snapshot to store with the next entry, or None if none is due."""
        if self._snapshots is None or self.seq - self._snapshot_seq < self._snapshots.every():
            return None
        return self._snapshots.encode(self.state)

    def mark_snapshot(self, seq: int) -> None:
        """Note that a snapshot was stored with this entry."""
        self._snapshot_seq = seq

    def _load_snapshot(self, snapshots: SnapshotPolicy[State]) -> None:
        """Start from the stored snapshot, or from the first entry if it cannot be decoded."""
        if (stored := self.ledger.latest_snapshot(self.stream)) is None:
            return
        seq, document = stored
        try:
            state = snapshots.decode(document, seq - 1)
        except (PitbookError, LookupError, TypeError, ValueError, AttributeError):
            return
        if state is not None:
            self.state, self.seq, self._snapshot_seq = state, seq - 1, seq

    def _new_entries(self) -> Iterator[Entry]:
        """Entries not read yet. Each counts as read when the next one is requested."""
        for entry in self.ledger.entries(self.stream, after=self.seq):
            yield entry
            self.seq = entry.seq

    def _raise_for_unreadable_entry(self) -> None:
        """Apply the entries one at a time and raise FactError for the first that fails."""
        state = self.state
        for entry in self.ledger.entries(self.stream, after=self.seq):
            try:
                state = self._apply(state, (entry,))
            except Exception as error:  # A forged fact can fail anywhere.
                raise unreadable_entry(entry, error) from error


def unreadable_entry(entry: Entry, error: Exception) -> FactError:
    """The error for an entry that cannot be read: where it is, why, and what to do."""
    why = sentence_of(error) if isinstance(error, PitbookError) else say("streams.no-sense")
    return FactError(say("streams.place", stream=entry.stream, seq=entry.seq, why=why))


Decide: TypeAlias = Callable[[State], "PendingWrite[F] | Answer"]
Recheck: TypeAlias = Callable[[State, "PendingWrite[F]"], "PendingWrite[F] | Answer"]
Decision: TypeAlias = "PendingWrite[F] | WriteResult[F] | Answer"


class StreamWriter(Generic[State, F]):
    """Writes to one stream and caches its state.

    An exclusive writer assumes that it holds the stream until an append fails. It decides on the
    cached state and reads nothing for a command that succeeds.
    """

    def __init__(
        self,
        reader: StreamReader[State],
        codec: FactCodec[F],
        adapter: IOAdapter | None = None,
        *,
        exclusive: bool = False,
        max_tries: int = MAX_TRIES,
        prunable: bool = False,
    ) -> None:
        check_registered(reader.stream)  # Otherwise the audit would reject the ledger forever.
        self._reader, self._codec = reader, codec
        self._adapter, self._exclusive = adapter or blocking_adapter(reader.ledger), exclusive
        self._max_tries, self._prunable = max_tries, prunable
        self.lock = self._adapter.state_lock
        self.epoch = 0  # The epoch of our claim; 0 while we hold none.
        self.in_sync = True  # False while a write of ours may be missing from the state.
        self.lost: LedgerError | None = None  # Why an exclusive writer stopped.

    @property
    def state(self) -> State:
        """The cached state."""
        return self._reader.state

    @property
    def seq(self) -> int:
        """Number of the last entry in the cached state."""
        return self._reader.seq

    def is_superseded(self) -> bool:
        """Whether another process has taken the stream over from this exclusive writer."""
        if not (self._exclusive and self.epoch):
            return False
        stream = self._reader.ledger.stream(self._reader.stream)
        return stream is not None and stream.epoch > self.epoch

    def catch_up(self) -> State:
        """Read new entries and return the current state."""
        with self.lock:
            return self._reader.catch_up()

    def write(
        self,
        decide: Decide[State, F, Answer],
        request: RequestKey,
        *,
        recheck: Recheck[State, F, Answer] | None = None,
        backoff: Callable[[], int] = lambda: 0,
    ) -> WriteResult[F] | Answer:
        """`write_async` for blocking callers."""
        work: Coroutine[Any, Any, WriteResult[F] | Answer]
        work = self.write_async(decide, request, recheck=recheck, backoff=backoff)
        return run_sync(work)

    async def write_async(
        self,
        decide: Decide[State, F, Answer],
        request: RequestKey,
        *,
        recheck: Recheck[State, F, Answer] | None = None,
        backoff: Callable[[], int] = lambda: 0,
    ) -> WriteResult[F] | Answer:
        """Append what `decide` returns, or return its answer if there is nothing to write.

        `decide` runs again if the state was out of date. `recheck` runs last, once we hold the
        stream, and may change the decision. `backoff` gives the first retry delay: at most
        2**backoff milliseconds.

        Raises RequestReused, Overdrawn or InDoubt; NotNow after too many conflicts; and
        Superseded if an exclusive writer lost the stream.
        """
        async with self._adapter.write_lock:
            for attempt in range(self._max_tries):
                if not self.in_sync:
                    await self.resync(request.actor)
                decision: Decision[F, Answer]
                decision, seq = await self._decide(decide, request)
                if not isinstance(decision, PendingWrite):
                    return decision
                try:
                    if not self.epoch and await self._claim(request.actor) != seq + 1:
                        continue  # Another process wrote after we read: decide again.
                    final = decision if recheck is None else recheck(self.state, decision)
                    if not isinstance(final, PendingWrite):
                        return final
                    return await self._append(final, request)
                except Superseded:
                    if self._exclusive:
                        raise
                    self.epoch = 0
                    await self._adapter.sleep(backoff_seconds(attempt, backoff()))
                except InDoubt:
                    await self.resync(request.actor)
                    if (recorded := self.recorded_answer(request)) is None:
                        raise
                    return recorded
            raise NotNow(say("streams.busy", stream=self._reader.stream))

    async def append(self, write: PendingWrite[F], request: RequestKey) -> WriteResult[F]:
        """Append what an exclusive writer decided on the cached state.

        Raises RequestReused, Overdrawn, InDoubt or Superseded.
        """
        try:
            return await self._append(write, request)
        except InDoubt:
            await self.resync(request.actor)
            if (recorded := self.recorded_answer(request)) is None:
                raise
            return recorded

    async def take_over(
        self,
        request: RequestKey,
        facts: Sequence[Mapping[str, Any]] = (),
        *,
        prunable: bool = False,
    ) -> Receipt:
        """Claim the stream, record these facts with the claim, and catch up."""
        async with self._adapter.write_lock:
            return await self._take_over(request, facts, prunable=prunable)

    async def resync(self, actor: str = "") -> None:
        """Learn the outcome of an append in doubt: write another entry and catch up to it."""
        if self.in_sync:
            return
        if self._exclusive and self.epoch:
            await self._submit(Append(self._reader.stream, self.epoch, actor=actor))
            await self._catch_up()
        else:
            await self._claim(actor)

    def reset(self) -> None:
        """Drop the cached state after an internal error; the next write reads it again."""
        self._reader.reset()
        self.in_sync = False

    def recorded_answer(self, request: RequestKey) -> WriteResult[F] | None:
        """The first answer to a repeated request, or None; raises RequestReused."""
        if (entry := load_request(self._reader.ledger, request)) is None:
            return None
        receipt = Receipt(entry.stream, entry.seq, entry.epoch, entry.hash, entry.at, again=True)
        return WriteResult(receipt, self._codec.load_entry(entry))

    async def _decide(
        self, decide: Decide[State, F, Answer], request: RequestKey
    ) -> tuple[Decision[F, Answer], int]:
        """The decision, and the number of the last entry that it is based on."""
        if self._exclusive and self.epoch:
            return self._decide_cached(decide, request), self._reader.seq
        state, seq, recorded = await self._adapter.read(partial(self._load, request))
        return (decide(state) if recorded is None else recorded), seq

    def _decide_cached(
        self, decide: Decide[State, F, Answer], request: RequestKey
    ) -> Decision[F, Answer]:
        """Decide on the cached state. Look up an earlier answer only if there is nothing to write.

        A write needs no lookup, because the ledger recognizes a repeated request.
        """
        try:
            decision = decide(self._reader.state)
        except PitbookError:
            if (recorded := self.recorded_answer(request)) is None:
                raise
            return recorded
        if isinstance(decision, PendingWrite):
            return decision
        return self.recorded_answer(request) or decision

    def _load(self, request: RequestKey) -> tuple[State, int, WriteResult[F] | None]:
        with self.lock:
            return self._reader.catch_up(), self._reader.seq, self.recorded_answer(request)

    async def _claim(self, actor: str) -> int:
        """Take the stream over, catch up, and return the number of the claim's entry."""
        return (await self._take_over(RequestKey(actor), prunable=self._prunable)).seq

    async def _take_over(
        self, request: RequestKey, facts: Sequence[Mapping[str, Any]] = (), *, prunable: bool
    ) -> Receipt:
        append = Append(self._reader.stream, None, facts, (), *request, prunable=prunable)
        claim = receipt = await self._submit(append)
        if receipt.again:  # An old claim: the stream may have been taken over since.
            claim = await self._submit(Append(self._reader.stream, None, actor=request.actor))
        self.epoch = claim.epoch
        await self._catch_up()
        return receipt

    async def _append(self, write: PendingWrite[F], request: RequestKey) -> WriteResult[F]:
        snapshot = self._reader.due_snapshot()
        facts = [self._codec.dump(fact) for fact in write.facts]
        append = Append(self._reader.stream, self.epoch, facts, write.transfers, *request, snapshot)
        receipt = await self._submit(append)
        if receipt.again:  # Recorded before, by us or by another process.
            await self._catch_up()
            return self.recorded_answer(request) or WriteResult(receipt, write.facts)
        if snapshot is not None:
            self._reader.mark_snapshot(receipt.seq)
        if write.next_state is None:
            with suppress(PitbookError):  # The write is safe; the next call catches up first.
                await self._catch_up()
        else:
            self.in_sync = False
            self._reader.advance(receipt.seq, write.next_state())
            self.in_sync = True
        return WriteResult(receipt, write.facts)

    async def _catch_up(self) -> None:
        """Read new entries; if that fails, the state stays marked as out of date."""
        self.in_sync = False
        await self._adapter.read(self.catch_up)
        self.in_sync = True

    async def _submit(self, append: Append) -> Receipt:
        """Send an append to the ledger, and note if its outcome is unknown or the stream lost."""
        try:
            return await self._adapter.write(append)
        except BaseException as error:  # A canceled caller does not learn the outcome either.
            if isinstance(error, InDoubt) or not isinstance(error, LedgerError):
                self.in_sync = False
            if self._exclusive and isinstance(error, Superseded):
                self.lost = error
            raise


class PendingWrite(NamedTuple, Generic[F]):
    """Facts to append and the transfers they cause.

    `next_state` computes the state after the write, which saves reading it back.
    """

    facts: Sequence[F]
    transfers: Sequence[Transfer] = ()
    next_state: Callable[[], Any] | None = None


class WriteResult(NamedTuple, Generic[F]):
    """The facts on record and the receipt for them."""

    receipt: Receipt
    facts: Sequence[F]

    @property
    def is_repeat(self) -> bool:
        """Whether an earlier call of the same request recorded them."""
        return self.receipt.again


class FactCodec(Protocol[F]):
    """Encodes and decodes a stream's facts; usually a `Codec`."""

    def dump(self, fact: F, /) -> Mapping[str, Any]:
        """The fact as JSON."""

    def load_entry(self, entry: Entry, /) -> Sequence[F]:
        """The facts in an entry."""


class RequestKey(NamedTuple):
    """Identifies a request: the id finds an earlier call, and the bodies must match."""

    actor: str = ""
    id: str | None = None
    body: str | None = None


def request_key(actor: str, request: str | None, body: Callable[[], Sequence[Any]]) -> RequestKey:
    """The key of a request; without an id, every call counts as a new request."""
    if request is None:
        return RequestKey(actor)
    return RequestKey(actor, request_id(actor, request), canonical(body()))


def request_id(actor: str, request: str) -> str:
    """The client's request id with the actor in front: two clients may choose the same id."""
    return f"{actor}/{request}"


def find_request(ledger: Ledger, actor: str, request: str | None) -> Entry | None:
    """The entry that an earlier call of this request wrote, whatever its body."""
    return None if request is None else ledger.entry_of_request(request_id(actor, request))


def load_request(ledger: Ledger, request: RequestKey) -> Entry | None:
    """The entry that this request wrote; raises RequestReused if the body differs."""
    entry = None if request.id is None else ledger.entry_of_request(request.id)
    if entry is not None and entry.body != request.body:
        raise RequestReused(entry.request or "")
    return entry


def refuse_reused_id(request: str) -> Refusal:
    """The refusal for a request id that was used before with another body."""
    return refuse(Code.REQUEST_REUSED, "ledger.request-reused", request=request)


Submit = Callable[[Append], Awaitable[Receipt]]


class Read(Protocol):
    """Runs a function that reads the ledger, here or in another thread."""

    def __call__(self, work: Callable[[], T], /) -> Awaitable[T]: ...


class IOAdapter(NamedTuple):
    """How a stream writer does its I/O: blocking threads or an event loop."""

    write: Submit
    read: Read
    sleep: Callable[[float], Awaitable[None]]
    write_lock: AbstractAsyncContextManager[Any]  # Held from the decision to the append.
    state_lock: threading.RLock  # Held while the cached state is brought up to date.


def blocking_adapter(ledger: Ledger) -> IOAdapter:
    """For callers in threads. Its coroutines never suspend, so `run_sync` can run them."""

    async def write(append: Append) -> Receipt:
        return ledger.submit(append).result()

    async def sleep(seconds: float) -> None:
        time.sleep(seconds)

    lock = threading.RLock()
    return IOAdapter(write, _read_inline, sleep, _AsyncLock(lock), lock)


def async_adapter(ledger: Ledger, write: Submit | None = None) -> IOAdapter:
    """For callers on one event loop; reads run in a worker thread."""
    write_lock, state_lock = asyncio.Lock(), threading.RLock()
    submit = write or ledger.submit_async
    return IOAdapter(submit, asyncio.to_thread, asyncio.sleep, write_lock, state_lock)


def unlocked_adapter(ledger: Ledger, write: Submit | None = None) -> IOAdapter:
    """For an event-loop caller that already sends one command at a time; reads run inline."""
    return async_adapter(ledger, write)._replace(read=_read_inline, write_lock=nullcontext())


async def _read_inline(work: Callable[[], T]) -> T:
    return work()


class _AsyncLock:
    """A thread lock that `async with` accepts. It blocks."""

    def __init__(self, lock: threading.RLock) -> None:
        self._lock = lock

    async def __aenter__(self) -> None:
        self._lock.acquire()

    async def __aexit__(self, *_: object) -> None:
        self._lock.release()


def run_sync(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine that never suspends and return its result."""
    try:
        work.send(None)
    except StopIteration as done:
        result: T = done.value
        return result
    work.close()
    raise AssertionError(work)  # It suspended: our bug, the wrong adapter.


def backoff_seconds(attempt: int, first: int = 0) -> float:
    """A random delay of up to 2**first milliseconds that doubles with each attempt.

    The exponent is capped at 7 for first=0, and at 10 for first=6.
    """
    return secrets.randbelow(1 + 2 ** (first + min(attempt, 7 - first // 2))) / 1_000
