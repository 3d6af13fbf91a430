"""Takeovers and writes in doubt: the outcome is known before the next decision."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest
from tests.house.ledger.counter_stream import FACTS, STREAM, Added, Counter, Way, Write, add, kinds

from pitbook.errors import InDoubt, Superseded
from pitbook.house.ledger.append_batch import Append, Receipt
from pitbook.house.ledger.ledger import Ledger
from pitbook.house.ledger.streams import (
    RequestKey,
    WriteResult,
    backoff_seconds,
    request_key,
    run_sync,
)

SUE = RequestKey("sue")
ONE = [FACTS.dump(Added(1))]
SHARED_OR_ALONE = pytest.mark.parametrize("alone", [False, True], ids=["shared", "alone"])


class Line:
    """A connection to the sqlite_ledger that can be cut before or after the next write."""

    def __init__(self) -> None:
        self.cut: str | None = None
        self.under_way: list[Append] = []

    def __call__(self, write: Write) -> Write:
        async def through(append: Append) -> Receipt:
            if self.under_way:  # It lands all the same, and late.
                await write(self.under_way.pop())
            if append.facts and self.cut == "late":
                self.cut = None
                self.under_way = [append]
                raise InDoubt("the connection was lost")
            if self.cut == "before":
                raise InDoubt("the connection was lost")
            receipt = await write(append)
            if append.facts and self.cut == "after":
                self.cut = None
                raise InDoubt("the connection was lost")
            return receipt

        return through


@SHARED_OR_ALONE
def test_uncertain_write_that_was_committed_is_confirmed(
    sqlite_ledger: Ledger, way: Way, alone: bool
) -> None:
    line = Line()
    counter = Counter(sqlite_ledger, way, through=line, exclusive=alone)
    counter.put(1, SUE)
    for cut, number in (("after", 2), ("late", 3)):
        line.cut = cut
        result = counter.put(number, RequestKey("sue", f"sue/{cut}", "the same"))
        assert (result.is_repeat, result.facts) == (True, [Added(number)])
    assert (counter.state, counter.catch_up()) == (6, 6)
    assert counter.writer.in_sync


@SHARED_OR_ALONE
def test_uncertain_write_that_was_lost_is_retried(
    sqlite_ledger: Ledger, way: Way, alone: bool
) -> None:
    line, request = Line(), request_key("sue", "r1", lambda: [1])
    counter = Counter(sqlite_ledger, way, through=line, exclusive=alone)
    counter.put(1, SUE)
    line.cut = "before"
    for _ in range(2):  # The second time it is not even known where the stream stands.
        with pytest.raises(InDoubt, match="the connection was lost"):
            counter.write(add(2), request)
    assert not counter.writer.in_sync
    line.cut = None
    assert not counter.put(2, request).is_repeat
    assert (counter.state, counter.catch_up()) == (3, 3)


@SHARED_OR_ALONE
def test_uncertain_write_without_an_id_stays_uncertain(
    sqlite_ledger: Ledger, way: Way, alone: bool
) -> None:
    line = Line()
    counter = Counter(sqlite_ledger, way, through=line, exclusive=alone)
    line.cut = "after"
    with pytest.raises(InDoubt, match="the connection was lost"):
        counter.write(add(8), SUE)
    assert counter.write(add(8), SUE) == "8 is enough"


@SHARED_OR_ALONE
def test_no_decision_before_a_write_in_doubt_is_resolved(
    sqlite_url: str, sqlite_ledger: Ledger, way: Way, alone: bool
) -> None:
    """A commit whose line was cut may end after the next one has read."""
    line = Line()
    counter = Counter(sqlite_ledger, way, through=line, exclusive=alone)
    counter.put(4, SUE)
    line.cut = "late"
    with pytest.raises(InDoubt):
        counter.write(add(4), SUE)
    assert counter.write(add(4), SUE) == "8 is enough"
    with Ledger.open(sqlite_url) as elsewhere:
        assert Counter(elsewhere).catch_up() == 8


def test_exclusive_writer_in_doubt_does_not_reclaim(
    sqlite_url: str, sqlite_ledger: Ledger, way: Way
) -> None:
    line = Line()
    counter = Counter(sqlite_ledger, way, through=line, exclusive=True)
    counter.put(1, SUE)
    with Ledger.open(sqlite_url) as elsewhere:
        Counter(elsewhere).put(1, SUE)
        line.cut = "before"
        with pytest.raises(InDoubt):
            counter.write(add(1), SUE)
        line.cut = None
        with pytest.raises(Superseded):
            counter.write(add(1), SUE)
        assert isinstance(counter.writer.lost, Superseded)
        assert Counter(elsewhere).catch_up() == 2


@SHARED_OR_ALONE
def test_write_after_a_cancelled_call_sees_its_outcome(sqlite_ledger: Ledger, alone: bool) -> None:
    async def scene() -> None:
        gate, writing = asyncio.Event(), asyncio.Event()

        def slow(write: Write) -> Write:
            async def through(append: Append) -> Receipt:
                if append.facts and not gate.is_set():
                    under_way.append(asyncio.ensure_future(write(append)))
                    writing.set()
                    await gate.wait()
                return await write(append)

            return through

        under_way: list[asyncio.Future[Receipt]] = []
        shell = Counter(sqlite_ledger, "awaits", through=slow, exclusive=alone).writer
        await shell.take_over(SUE)
        first = asyncio.ensure_future(shell.write_async(add(8), SUE))
        await writing.wait()
        first.cancel()
        await asyncio.wait([first])
        gate.set()
        assert await shell.write_async(add(8), SUE) == "8 is enough"
        await under_way[0]

    asyncio.run(scene())


# Taking over -------------------------------------------------------------------------------------


def scene_of(sqlite_ledger: Ledger, scene: Callable[[Counter, Counter], object]) -> None:
    counters = [Counter(sqlite_ledger, "awaits", exclusive=True) for _ in range(2)]
    asyncio.run(scene(*counters))  # type: ignore[arg-type]


def test_takeover_fences_the_old_writer_and_catches_up(sqlite_ledger: Ledger) -> None:
    async def scene(first: Counter, second: Counter) -> None:
        await first.writer.take_over(SUE, ONE)
        await first.writer.write_async(add(1), SUE)
        await second.writer.take_over(SUE)
        assert second.state == 2
        with pytest.raises(Superseded):
            await first.writer.write_async(add(1), SUE)
        await second.writer.write_async(add(1), SUE)
        assert (first.writer.epoch, second.writer.epoch, second.writer.lost) == (1, 2, None)

    scene_of(sqlite_ledger, scene)
    assert kinds(sqlite_ledger) == [["claimed", "added"], ["added"], ["claimed"], ["added"]]


def test_repeated_claim_is_not_held_twice(sqlite_ledger: Ledger) -> None:
    async def scene(first: Counter, second: Counter) -> None:
        request = request_key("sue", "open", lambda: [1])
        await first.writer.take_over(request, ONE)
        again = await second.writer.take_over(request, ONE)
        assert (again.again, again.seq) == (True, 1)
        await second.writer.write_async(add(1), SUE)
        with pytest.raises(Superseded):
            await first.writer.write_async(add(1), SUE)

    scene_of(sqlite_ledger, scene)
    assert kinds(sqlite_ledger) == [["claimed", "added"], ["claimed"], ["added"]]


def test_prunable_is_set_by_the_first_claim(sqlite_ledger: Ledger, way: Way) -> None:
    Counter(sqlite_ledger, way, prunable=True).put(1, SUE)
    stream = sqlite_ledger.stream(STREAM)
    assert stream is not None
    assert stream.prunable


# Seams -------------------------------------------------------------------------------------------


def test_tasks_take_turns(sqlite_ledger: Ledger) -> None:
    async def scene() -> list[WriteResult[Added] | str]:
        writer = Counter(sqlite_ledger, "awaits").writer
        return list(await asyncio.gather(*(writer.write_async(add(4), SUE) for _ in range(4))))

    answers = asyncio.run(scene())
    assert [isinstance(answer, WriteResult) for answer in answers] == [True, True, False, False]
    assert kinds(sqlite_ledger) == [["claimed"], ["added"], ["added"]]


def test_blocking_adapter_never_suspends(sqlite_ledger: Ledger) -> None:
    with pytest.raises(AssertionError, match="coroutine"):
        run_sync(asyncio.sleep(0))
    writer = Counter(sqlite_ledger, "awaits").writer

    async def wrong() -> None:
        writer.write(add(1), SUE)

    with pytest.raises(AssertionError, match="coroutine"):
        asyncio.run(wrong())


def test_backoff_doubles_up_to_a_limit() -> None:
    longest = [max(backoff_seconds(tried) for _ in range(3_000)) for tried in (0, 3, 7, 50)]
    assert longest[0] <= 0.001
    assert longest == sorted(longest)
    assert longest[-1] <= 0.128
