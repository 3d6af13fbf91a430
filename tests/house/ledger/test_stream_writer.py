"""Stream writers, blocking and async: decide on the recorded state, then append."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from threading import Thread
from typing import Any

import pytest
from tests.house.ledger.counter_stream import (
    FACTS,
    SNAPSHOTS,
    STREAM,
    Added,
    Counter,
    Way,
    Write,
    add,
    fold,
    kinds,
    sum_entries,
)

from pitbook.errors import LedgerError, NotNow, RequestReused, RoundError, Superseded
from pitbook.house.ledger import streams as stream_writer
from pitbook.house.ledger.append_batch import Append, Receipt
from pitbook.house.ledger.hash_chain import Entry
from pitbook.house.ledger.ledger import Ledger
from pitbook.house.ledger.streams import (
    PendingWrite,
    RequestKey,
    SnapshotPolicy,
    StreamReader,
    WriteResult,
    load_request,
    request_key,
)

SUE = RequestKey("sue")
SHARED_OR_ALONE = pytest.mark.parametrize("alone", [False, True], ids=["shared", "alone"])


def test_write_appends_or_returns_the_answer(sqlite_ledger: Ledger, way: Way) -> None:
    counter = Counter(sqlite_ledger, way)
    written = counter.put(4, SUE)
    entry = list(sqlite_ledger.entries(STREAM))[-1]
    assert (written.receipt.seq, written.receipt.hash) == (entry.seq, entry.hash)
    assert (written.facts, written.is_repeat, entry.actor) == ([Added(4)], False, "sue")
    assert counter.state == 4
    assert counter.write(add(7), SUE) == "4 is enough"
    assert kinds(sqlite_ledger) == [["claimed"], ["added"]]


@SHARED_OR_ALONE
def test_refused_write_creates_no_stream(sqlite_ledger: Ledger, way: Way, alone: bool) -> None:
    counter = Counter(sqlite_ledger, way, exclusive=alone)
    assert counter.write(add(11), request_key("sue", "r1", lambda: [1])) == "0 is enough"
    assert sqlite_ledger.stream(STREAM) is None


@SHARED_OR_ALONE
def test_reused_request_id_creates_no_stream(sqlite_ledger: Ledger, way: Way, alone: bool) -> None:
    """As twenty thousand malformed requests found it: the log was taken over, then refused."""
    request = request_key("sue", "r1", lambda: ["elsewhere"])
    sqlite_ledger.append(
        "elsewhere", sqlite_ledger.claim("elsewhere"), [], request=request.id, body="other"
    )
    with pytest.raises(RequestReused):
        Counter(sqlite_ledger, way, exclusive=alone).put(4, request)
    assert sqlite_ledger.stream(STREAM) is None


def test_writer_decides_again_after_another_wrote(
    sqlite_url: str, sqlite_ledger: Ledger, way: Way
) -> None:
    with Ledger.open(sqlite_url) as elsewhere:
        counter, two = Counter(sqlite_ledger, way), Counter(elsewhere)
        for _ in range(2):
            counter.write(add(3), SUE)
            two.write(add(1), SUE)
        assert counter.write(add(3), SUE) == "8 is enough"
        assert counter.catch_up() == two.catch_up() == 8


@pytest.mark.parametrize("held", [False, True])
def test_writer_sees_entries_written_while_deciding(
    sqlite_url: str, sqlite_ledger: Ledger, way: Way, held: bool
) -> None:
    with Ledger.open(sqlite_url) as elsewhere:
        counter, two, heard = Counter(sqlite_ledger, way), Counter(elsewhere), list[int]()
        if held:
            counter.put(0, SUE)

        def decide(state: int) -> PendingWrite[Added] | str:
            heard.append(state)
            if not state:
                two.put(8, SUE)
                counter.catch_up()  # Whoever looks on meanwhile does not make the decision newer.
            answer: PendingWrite[Added] | str = add(3)(state)
            return answer

        assert counter.write(decide, SUE) == "8 is enough"
        assert heard == [0, 8]


def test_exclusive_writer_stops_after_a_takeover(
    sqlite_url: str, sqlite_ledger: Ledger, way: Way
) -> None:
    with Ledger.open(sqlite_url) as elsewhere:
        counter, two = Counter(sqlite_ledger, way, exclusive=True), Counter(elsewhere)
        counter.put(1, SUE)

        def decide(_: int) -> PendingWrite[Added]:
            two.put(2, SUE)
            return PendingWrite([Added(3)])

        for _ in range(2):
            with pytest.raises(Superseded):
                counter.write(decide, SUE)
        assert isinstance(counter.writer.lost, Superseded)
        assert (two.writer.lost, two.catch_up()) == (None, 5)


@pytest.mark.long
def test_concurrent_commands_are_each_recorded_once(sqlite_url: str, way: Way) -> None:
    def work() -> None:
        with Ledger.open(sqlite_url) as sqlite_ledger:
            mine = Counter(sqlite_ledger, way, max_tries=200)
            for _ in range(4):
                mine.write(add(1, 11), SUE)

    Ledger.open(sqlite_url).close()
    threads = [Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with Ledger.open(sqlite_url) as sqlite_ledger:
        assert Counter(sqlite_ledger).catch_up() == 11


def test_endless_conflicts_raise(
    sqlite_ledger: Ledger, way: Way, monkeypatch: pytest.MonkeyPatch
) -> None:
    waited: list[tuple[int, int]] = []

    def aside(attempt: int, first: int) -> float:
        waited.append((attempt, first))
        return 0.0

    def late(write: Write) -> Write:
        async def through(append: Append) -> Receipt:
            if append.epoch is not None:
                raise Superseded("another process wrote")
            return await write(append)

        return through

    monkeypatch.setattr(stream_writer, "backoff_seconds", aside)
    counter = Counter(sqlite_ledger, way, through=late, max_tries=3)
    with pytest.raises(NotNow, match=r'"counted" is busy. Send the request again.'):
        counter.write(add(1), SUE, backoff=lambda: 6)
    assert waited == [(0, 6), (1, 6), (2, 6)]


def test_final_decision_is_made_while_holding_the_stream(sqlite_ledger: Ledger, way: Way) -> None:
    counter, states = Counter(sqlite_ledger, way), list[int]()

    def last(state: int, pending: PendingWrite[Added]) -> PendingWrite[Added] | str:
        states.append(state)
        return PendingWrite([*pending.facts, Added(1)]) if len(states) == 1 else "no more"

    counter.write(add(2), SUE, recheck=last)
    assert (counter.state, kinds(sqlite_ledger)[-1]) == (3, ["added", "added"])
    assert counter.write(add(2), SUE, recheck=last) == "no more"
    assert states == [0, 3]


# The same request again --------------------------------------------------------------------------


@SHARED_OR_ALONE
def test_repeated_request_gets_its_first_answer(
    sqlite_ledger: Ledger, way: Way, alone: bool
) -> None:
    counter, request = (
        Counter(sqlite_ledger, way, exclusive=alone),
        request_key("sue", "r1", lambda: [STREAM, 4]),
    )
    first = counter.put(4, request)
    again = WriteResult(first.receipt._replace(again=True), first.facts)
    count = len(kinds(sqlite_ledger))
    for number in (4, 9):  # One that would go through now, one that would be refused.
        assert counter.write(add(number), request) == again
    assert counter.write(_raises, request) == again
    assert (counter.catch_up(), len(kinds(sqlite_ledger))) == (4, count)
    for number in (4, 9):
        with pytest.raises(
            RequestReused, match='Request id "sue/r1" was already used with a different body'
        ):
            counter.write(add(number), request_key("sue", "r1", lambda: [STREAM, 5]))
    assert counter.put(4, request_key("bob", "r1", lambda: [STREAM, 4])).receipt != first.receipt


def _raises(_: int) -> PendingWrite[Added]:
    raise RoundError("no")


@SHARED_OR_ALONE
def test_errors_from_decide_propagate(sqlite_ledger: Ledger, way: Way, alone: bool) -> None:
    counter = Counter(sqlite_ledger, way, exclusive=alone)
    counter.put(1, SUE)
    with pytest.raises(RoundError, match="no"):
        counter.write(_raises, request_key("sue", "r1", lambda: [1]))
    counter.put(1, SUE)
    assert counter.state == 2


def test_request_written_by_another_process_gets_its_recorded_answer(
    sqlite_url: str, sqlite_ledger: Ledger, way: Way
) -> None:
    with Ledger.open(sqlite_url) as elsewhere:
        counter, two = Counter(sqlite_ledger, way), Counter(elsewhere)
        request = request_key("sue", "r1", lambda: [STREAM, "some"])
        counter.write(add(1), SUE)

        def decide(_: int) -> PendingWrite[Added]:
            two.write(add(2), request)
            return PendingWrite([Added(3)])

        answer = counter.write(decide, request)
        entry = load_request(sqlite_ledger, request)
        assert entry is not None
        assert isinstance(answer, WriteResult)
        assert (answer.receipt.seq, answer.facts, answer.is_repeat) == (entry.seq, [Added(2)], True)
        assert counter.state == two.state == 3


def test_repeated_request_does_not_claim_a_shared_stream(
    sqlite_url: str, sqlite_ledger: Ledger, way: Way
) -> None:
    with Ledger.open(sqlite_url) as elsewhere:
        request = request_key("sue", "r1", lambda: [1])
        Counter(elsewhere).put(1, request)
        two = Counter(sqlite_ledger, way)
        assert two.put(1, request).is_repeat
        assert (two.writer.epoch, kinds(sqlite_ledger)) == (0, [["claimed"], ["added"]])


def test_requests_without_an_id_are_never_repeats(sqlite_ledger: Ledger) -> None:
    request = request_key("sue", None, lambda: pytest.fail("nobody needs the body"))
    assert (request, load_request(sqlite_ledger, request)) == (SUE, None)


# Held alone --------------------------------------------------------------------------------------


def test_exclusive_writer_reads_nothing_for_a_successful_write(
    sqlite_ledger: Ledger, way: Way, monkeypatch: pytest.MonkeyPatch
) -> None:
    counter, request = (
        Counter(sqlite_ledger, way, exclusive=True),
        request_key("sue", "r1", lambda: [1]),
    )

    def decide(state: int) -> PendingWrite[Added]:
        return PendingWrite([Added(2)], next_state=lambda: state + 2)

    counter.write(decide, SUE)
    with monkeypatch.context() as closed:
        for name in ("_rows", "entries", "entry_of_request"):
            closed.setattr(sqlite_ledger, name, lambda *_, **__: pytest.fail("the book is read"))
        counter.write(decide, request)
    assert (counter.state, counter.writer.seq, counter.writer.epoch) == (4, 3, 1)
    assert (counter.catch_up(), fold(sqlite_ledger).catch_up()) == (4, 4)


@SHARED_OR_ALONE
def test_failed_read_after_a_write_is_repeated_before_the_next(
    sqlite_ledger: Ledger, way: Way, alone: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    counter = Counter(sqlite_ledger, way, exclusive=alone)
    counter.put(1, SUE)

    def fails(*_: Any, **__: Any) -> None:
        raise LedgerError("it cannot be read")

    def decide(_: int) -> PendingWrite[Added]:
        monkeypatch.setattr(sqlite_ledger, "entries", fails)
        return PendingWrite([Added(8)])

    written = counter.write(decide, SUE)  # Recorded, and the caller is told.
    assert isinstance(written, WriteResult)
    assert (written.is_repeat, written.facts) == (False, [Added(8)])
    with pytest.raises(LedgerError, match="it cannot be read"):
        counter.write(decide, SUE)
    monkeypatch.undo()
    assert counter.write(add(2), SUE) == "9 is enough"


def test_state_is_reloaded_after_an_internal_error(sqlite_ledger: Ledger, way: Way) -> None:
    counter = Counter(sqlite_ledger, way, exclusive=True)
    counter.write(lambda _: PendingWrite([Added(4)], next_state=lambda: 7), SUE)
    assert counter.state == 7
    counter.writer.reset()
    assert counter.write(add(7), SUE) == "4 is enough"


# Kept states -------------------------------------------------------------------------------------


@SHARED_OR_ALONE
def test_snapshots_are_written_and_restored(sqlite_ledger: Ledger, way: Way, alone: bool) -> None:
    counter = Counter(sqlite_ledger, way, SNAPSHOTS, exclusive=alone)

    def decide(state: int) -> PendingWrite[Added]:
        return PendingWrite([Added(1)], next_state=(lambda: state + 1) if alone else None)

    for _ in range(8):
        counter.write(decide, SUE)
    assert sqlite_ledger.latest_snapshot(STREAM) == (8, {"sum": 6})
    again, read = recording_reader(sqlite_ledger, SNAPSHOTS)
    for _ in range(2):
        assert (again.catch_up(), again.seq, read) == (8, 9, [8, 9])
    again.reset()
    assert (again.state, again.catch_up(), read) == (0, 8, [8, 9, 8, 9])
    Counter(sqlite_ledger, way, SNAPSHOTS).put(1, SUE)
    assert sqlite_ledger.latest_snapshot(STREAM) == (8, {"sum": 6})  # Not due again so soon.


def recording_reader(
    sqlite_ledger: Ledger, snapshots: SnapshotPolicy[int]
) -> tuple[StreamReader[int], list[int]]:
    """A reader, and the numbers of all entries that it has read."""
    read: list[int] = []

    def evolve(state: int, entries: Iterable[Entry]) -> int:
        batch_entries = list(entries)
        read.extend(entry.seq for entry in batch_entries)
        return sum_entries(state, batch_entries)

    return StreamReader(sqlite_ledger, STREAM, 0, evolve, snapshots), read


def test_unusable_snapshot_is_ignored(sqlite_ledger: Ledger) -> None:
    counter = Counter(sqlite_ledger, snapshots=SNAPSHOTS)
    for _ in range(5):
        counter.write(add(1), SUE)
    for wrong in (lambda *_: None, lambda document, _: document["of a later form"]):
        again, read = recording_reader(sqlite_ledger, SNAPSHOTS._replace(decode=wrong))
        assert (again.catch_up(), read) == (5, [1, 2, 3, 4, 5, 6])


def test_snapshots_can_be_disabled(sqlite_ledger: Ledger) -> None:
    never: SnapshotPolicy[int] = SNAPSHOTS._replace(encode=lambda _: None)
    counter = Counter(sqlite_ledger, snapshots=never)
    for _ in range(5):
        counter.write(add(1), SUE)
    assert sqlite_ledger.latest_snapshot(STREAM) is None


def test_unreadable_entry_is_not_skipped(sqlite_ledger: Ledger, way: Way) -> None:
    counter = Counter(sqlite_ledger, way)
    counter.write(add(1), SUE)
    epoch = sqlite_ledger.claim(STREAM)
    sqlite_ledger.append(STREAM, epoch, [FACTS.dump(Added(2))])
    sqlite_ledger.append(STREAM, epoch, [{"fact": "lost"}])
    for _ in range(2):
        with pytest.raises(RoundError, match='a counter has no event "lost"'):
            counter.catch_up()
    assert (counter.state, counter.writer.seq) == (1, 2)


def failing_once(error: BaseException) -> Callable[[int, Iterable[Entry]], int]:
    """Sum entries, but raise an error at the first call."""
    errors = [error]

    def apply(state: int, entries: Iterable[Entry]) -> int:
        total = sum_entries(state, entries)
        if errors:
            raise errors.pop()
        return total

    return apply


@pytest.mark.parametrize("error", [KeyboardInterrupt(), RuntimeError("no memory")], ids=repr)
def test_failed_read_starts_again_at_the_same_entry(
    sqlite_ledger: Ledger, error: BaseException
) -> None:
    counter = Counter(sqlite_ledger)
    counter.put(1, SUE)
    counter.put(2, RequestKey("sue", "r2", "other"))
    reader = StreamReader(sqlite_ledger, STREAM, 0, failing_once(error))
    with pytest.raises(type(error)):
        reader.catch_up()
    assert (reader.seq, reader.state) == (0, 0)
    assert reader.catch_up() == 3


def test_resync_writes_nothing_while_in_sync(sqlite_ledger: Ledger) -> None:
    counter = Counter(sqlite_ledger)
    counter.put(1, SUE)
    entries = len(list(sqlite_ledger.entries(STREAM)))
    asyncio.run(counter.writer.resync())
    assert len(list(sqlite_ledger.entries(STREAM))) == entries
