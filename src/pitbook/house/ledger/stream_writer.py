"""Optimistic stream writer: read, decide, append, and retry if another process wrote first."""

from __future__ import annotations

import asyncio
import secrets
import threading
import time
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext, suppress
from functools import partial
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from pitbook.errors import InDoubt, LedgerError, NotNow, PitbookError, RequestReused, Superseded
from pitbook.house.ledger.accounts import Transfer
from pitbook.house.ledger.batch import Append, Receipt
from pitbook.house.ledger.chain import Entry, canonical
from pitbook.house.ledger.journal import Ledger
from pitbook.house.ledger.stream_kinds import check_registered
from pitbook.house.ledger.stream_reader import ReadState
from pitbook.rules.refusals import Code, Refusal, refuse
from pitbook.text import say

# Adapters for blocking and async callers.


T = TypeVar("T")
Write = Callable[[Append], Awaitable[Receipt]]


class ReadBook(Protocol):
    """Does what reads in the book, and gives what it found."""

    def __call__(self, work: Callable[[], T], /) -> Awaitable[T]: ...


class Seam(NamedTuple):
    """How a stream is written and read, and who is in turn."""

    write: Write
    read: ReadBook
    rest: Callable[[float], Awaitable[None]]
    turn: AbstractAsyncContextManager[Any]  # Of whichever request is decided.
    lock: threading.RLock  # Of whoever reads on.


def blocking(ledger: Ledger) -> Seam:
    """For those who wait, in several threads."""

    async def write(append: Append) -> Receipt:
        return ledger.submit(append).result()

    async def rest(seconds: float) -> None:
        time.sleep(seconds)

    lock = threading.RLock()
    return Seam(write, _in_place, rest, _Turn(lock), lock)


def awaiting(ledger: Ledger, write: Write | None = None) -> Seam:
    """For those who await, on one loop; the book is read beside it."""
    turn, lock = asyncio.Lock(), threading.RLock()
    return Seam(write or ledger.written, asyncio.to_thread, asyncio.sleep, turn, lock)


def one_by_one(ledger: Ledger, write: Write | None = None) -> Seam:
    """For somebody who awaits, is in turn already, and reads where the loop is."""
    return awaiting(ledger, write)._replace(read=_in_place, turn=nullcontext())


async def _in_place(work: Callable[[], T]) -> T:
    """Read where one is: nothing else goes on meanwhile."""
    return work()


def aside_seconds(tried: int, *, at_least: int = 0) -> float:
    """A moment, by chance and longer each time: two who hurry would be in each other's way."""
    return secrets.randbelow(1 + 2 ** (at_least + min(tried, 7 - at_least // 2))) / 1_000


def at_once(work: Coroutine[Any, Any, T]) -> T:
    """What comes of work at a blocking seam, where nothing is awaited."""
    try:
        work.send(None)
    except StopIteration as done:
        result: T = done.value
        return result
    work.close()
    raise AssertionError(work)  # Our own mistake: it is at a seam for those who await.


class _Turn:
    """A lock of threads, held as a lock of tasks is."""

    def __init__(self, lock: threading.RLock) -> None:
        self._lock = lock

    async def __aenter__(self) -> None:
        self._lock.acquire()

    async def __aexit__(self, *_: object) -> None:
        self._lock.release()


# Request keys.


class KnownRequest(NamedTuple):
    """By its id a request is known again, by its body as the same one."""

    actor: str = ""
    request: str | None = None
    body: str | None = None


def asked_by(actor: str, request: str | None, what: Callable[[], Sequence[Any]]) -> KnownRequest:
    """What somebody asks for; without an id it is done again however often it comes."""
    if request is None:
        return KnownRequest(actor)
    return KnownRequest(actor, request_id(actor, request), canonical(what()))


def request_id(actor: str, request: str) -> str:
    """Ids are the sender's own: two people may choose the same."""
    return f"{actor}/{request}"


def before(ledger: Ledger, asked: KnownRequest) -> Entry | None:
    """What a request put on record when it came first; raises RequestReused for another body."""
    entry = None if asked.request is None else ledger.answered(asked.request)
    if entry is not None and entry.body != asked.body:
        raise RequestReused(entry.request or "")
    return entry


def came_before(ledger: Ledger, actor: str, request: str | None) -> Entry | None:
    """What somebody's request put on record when it came first, whatever its body is now."""
    return None if request is None else ledger.answered(request_id(actor, request))


def reused(request: str) -> Refusal:
    """What a request is told whose id came before with another body."""
    return refuse(Code.REQUEST_REUSED, "ledger.request-reused", request=request)


TRIES = 20

S = TypeVar("S")
F = TypeVar("F")
N = TypeVar("N")


class Writing(NamedTuple, Generic[F]):
    """What is to be written: facts, and the money that they move.

    `after` gives the state once they are on record, where that is known without reading them.
    """

    facts: Sequence[F]
    transfers: Sequence[Transfer] = ()
    after: Callable[[], Any] | None = None


class OnRecord(NamedTuple, Generic[F]):
    """Where something stands, and what it says; `again` where it was written before."""

    receipt: Receipt
    facts: Sequence[F]

    @property
    def again(self) -> bool:
        """Whether it was written when the same request came before."""
        return self.receipt.again


class FactWords(Protocol[F]):
    """How a stream's facts are written down and read; most have a codec."""

    def dump(self, fact: F, /) -> Mapping[str, Any]:
        """A fact as the ledger keeps it."""

    def told(self, entry: Entry, /) -> Sequence[F]:
        """What an entry says."""


class Shell(Generic[S, F]):
    """One stream, its state, and who writes to it.

    `alone`: until another takes it over, what this process knows is all there is, and nothing is
    read for a command that goes through.
    """

    def __init__(
        self,
        fold: ReadState[S],
        words: FactWords[F],
        seam: Seam | None = None,
        *,
        alone: bool = False,
        tries: int = TRIES,
        prunable: bool = False,
    ) -> None:
        check_registered(fold.stream)  # Otherwise the audit would reject the ledger for good.
        self._fold, self._words = fold, words
        self._seam, self._alone = seam or blocking(fold.ledger), alone
        self._tries, self._prunable = tries, prunable
        self.lock = self._seam.lock
        self.epoch = 0  # By which it is held; the book has a later one where it was taken over.
        self.is_sure = True  # That all that was written here has been heard of.
        self.lost: LedgerError | None = None  # Why nothing more is written here.

    @property
    def state(self) -> S:
        """The state as this process last read it."""
        return self._fold.state

    @property
    def seq(self) -> int:
        """The entry up to which that is the state."""
        return self._fold.seq

    def is_superseded(self) -> bool:
        """Whether another process has taken over the stream from this one."""
        if not (self._alone and self.epoch):
            return False
        stream = self._fold.ledger.stream(self._fold.stream)
        return stream is not None and stream.epoch > self.epoch

    def read_on(self) -> S:
        """The state as the book has it now."""
        with self.lock:
            return self._fold.read_on()

    def said(self, asked: KnownRequest) -> OnRecord[F] | None:
        """What a request put on record when it came first; raises RequestReused."""
        if (entry := before(self._fold.ledger, asked)) is None:
            return None
        receipt = Receipt(entry.stream, entry.seq, entry.epoch, entry.hash, entry.at, again=True)
        return OnRecord(receipt, self._words.told(entry))

    def write(
        self,
        decide: Callable[[S], Writing[F] | N],
        asked: KnownRequest,
        *,
        once_ours: Callable[[S, Writing[F]], Writing[F] | N] | None = None,
        patience: Callable[[], int] = int,
    ) -> OnRecord[F] | N:
        """The same as `written`, for those who block."""
        work: Coroutine[Any, Any, OnRecord[F] | N]
        work = self.written(decide, asked, once_ours=once_ours, patience=patience)
        return at_once(work)

    async def written(
        self,
        decide: Callable[[S], Writing[F] | N],
        asked: KnownRequest,
        *,
        once_ours: Callable[[S, Writing[F]], Writing[F] | N] | None = None,
        patience: Callable[[], int] = int,
    ) -> OnRecord[F] | N:
        """Append what is decided, or give back what is said instead; decided anew if that is old.

        `once_ours` has the last word when nobody else can write any more. With `patience` others
        are left a longer moment. Raises RequestReused, Overdrawn, InDoubt; Superseded where it was
        held alone.
        """
        async with self._seam.turn:
            for tried in range(self._tries):
                if not self.is_sure:
                    await self.make_sure(asked.actor)
                made: Writing[F] | OnRecord[F] | N
                if self._alone and self.epoch:
                    made, seq = self._decided(decide, asked), self._fold.seq
                else:
                    state, seq, said = await self._seam.read(partial(self._look, asked))
                    made = decide(state) if said is None else said
                if not isinstance(made, Writing):
                    return made
                try:
                    if not self.epoch and await self._claimed(asked.actor) != seq + 1:
                        continue
                    made = made if once_ours is None else once_ours(self.state, made)
                    return await self._append(made, asked) if isinstance(made, Writing) else made
                except Superseded:
                    if self._alone:
                        raise
                    self.epoch = 0
                    await self._seam.rest(aside_seconds(tried, at_least=patience()))
                except InDoubt:
                    await self.make_sure(asked.actor)
                    if (said := self.said(asked)) is None:
                        raise
                    return said
            raise NotNow(say("streams.busy", stream=self._fold.stream))

    async def take_over(
        self,
        asked: KnownRequest,
        facts: Sequence[Mapping[str, Any]] = (),
        *,
        prunable: bool = False,
    ) -> Receipt:
        """Claim the stream, write this with the claim, and read what was left."""
        async with self._seam.turn:
            return await self._take_over(asked, facts, prunable=prunable)

    async def make_sure(self, actor: str = "") -> None:
        """After a doubt nothing is believed but what stands before an entry that came later."""
        if self.is_sure:
            return
        if self._alone and self.epoch:
            await self._sent(Append(self._fold.stream, self.epoch, actor=actor))
            await self._read()
        else:
            await self._claimed(actor)

    def start_over(self) -> None:
        """After a mistake of ours nothing is believed but the record."""
        self._fold.start_over()
        self.is_sure = False

    def _decided(
        self, decide: Callable[[S], Writing[F] | N], asked: KnownRequest
    ) -> Writing[F] | OnRecord[F] | N:
        """What is decided alone; only for a no it is looked up whether the request came before."""
        try:
            made = decide(self._fold.state)
        except PitbookError:
            if (said := self.said(asked)) is None:
                raise
            return said
        return made if isinstance(made, Writing) else self.said(asked) or made

    def _look(self, asked: KnownRequest) -> tuple[S, int, OnRecord[F] | None]:
        with self.lock:
            return self._fold.read_on(), self._fold.seq, self.said(asked)

    async def _claimed(self, actor: str) -> int:
        """Take the stream over, and read on; the number of that entry."""
        return (await self._take_over(KnownRequest(actor), prunable=self._prunable)).seq

    async def _take_over(
        self, asked: KnownRequest, facts: Sequence[Mapping[str, Any]] = (), *, prunable: bool
    ) -> Receipt:
        claim = Append(self._fold.stream, None, facts, (), *asked, prunable=prunable)
        held = receipt = await self._sent(claim)
        if receipt.again:  # By that claim somebody else may hold it.
            held = await self._sent(Append(self._fold.stream, None, actor=asked.actor))
        self.epoch = held.epoch
        await self._read()
        return receipt

    async def _append(self, made: Writing[F], asked: KnownRequest) -> OnRecord[F]:
        keep = self._fold.to_keep()
        facts = [self._words.dump(fact) for fact in made.facts]
        what = Append(self._fold.stream, self.epoch, facts, made.transfers, *asked, keep)
        receipt = await self._sent(what)
        if receipt.again:  # Another process was quicker, or it had been a yes before.
            await self._read()
            return self.said(asked) or OnRecord(receipt, made.facts)
        if keep is not None:
            self._fold.kept_with(receipt.seq)
        if made.after is None:
            with suppress(PitbookError):  # It is on record, and whoever asks next reads it first.
                await self._read()
        else:
            self.is_sure = False
            self._fold.wrote(receipt.seq, made.after())
            self.is_sure = True
        return OnRecord(receipt, made.facts)

    async def _read(self) -> None:
        """Bring the state to where the book is; whoever fails at that knows it no more."""
        self.is_sure = False
        await self._seam.read(self.read_on)
        self.is_sure = True

    async def _sent(self, append: Append) -> Receipt:
        """Write, and remember what that tells about who holds the stream."""
        try:
            return await self._seam.write(append)
        except BaseException as error:  # Whoever went away has not heard of it either.
            if isinstance(error, InDoubt) or not isinstance(error, LedgerError):
                self.is_sure = False
            if self._alone and isinstance(error, Superseded):
                self.lost = error
            raise
