"""The one way to write to a stream, whoever blocks or awaits: decided on what is on record."""

from __future__ import annotations

from collections.abc import Iterable
from threading import Thread
from typing import Any

import pytest
from tests.house.ledger.streams.kit import (
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
    summed,
)

from pitbook.errors import LedgerError, NotNow, RequestReused, RoundError, Superseded
from pitbook.house.ledger import stream_writer
from pitbook.house.ledger.batch import Append, Receipt
from pitbook.house.ledger.chain import Entry
from pitbook.house.ledger.journal import Ledger
from pitbook.house.ledger.stream_reader import SnapshotPolicy, StreamReader
from pitbook.house.ledger.stream_writer import (
    PendingWrite,
    RequestKey,
    WriteResult,
    load_request,
    request_key,
)

SUE = RequestKey("sue")
SHARED_OR_ALONE = pytest.mark.parametrize("alone", [False, True], ids=["shared", "alone"])


def test_what_is_decided_is_on_record_or_said(ledger: Ledger, way: Way) -> None:
    one = Counter(ledger, way)
    written = one.put(4, SUE)
    entry = list(ledger.entries(STREAM))[-1]
    assert (written.receipt.seq, written.receipt.hash) == (entry.seq, entry.hash)
    assert (written.facts, written.is_repeat, entry.actor) == ([Added(4)], False, "sue")
    assert one.state == 4
    assert one.write(add(7), SUE) == "4 is enough"
    assert kinds(ledger) == [["claimed"], ["added"]]


@SHARED_OR_ALONE
def test_what_is_refused_leaves_no_stream(ledger: Ledger, way: Way, alone: bool) -> None:
    one = Counter(ledger, way, exclusive=alone)
    assert one.write(add(11), request_key("sue", "r1", lambda: [1])) == "0 is enough"
    assert ledger.stream(STREAM) is None


@SHARED_OR_ALONE
def test_a_first_request_whose_id_came_before_elsewhere_leaves_no_stream(
    ledger: Ledger, way: Way, alone: bool
) -> None:
    """As twenty thousand malformed requests found it: the log was taken over, then refused."""
    asked = request_key("sue", "r1", lambda: ["elsewhere"])
    ledger.append("elsewhere", ledger.claim("elsewhere"), [], request=asked.id, body="other")
    with pytest.raises(RequestReused):
        Counter(ledger, way, exclusive=alone).put(4, asked)
    assert ledger.stream(STREAM) is None


def test_whoever_finds_that_another_wrote_decides_again(url: str, ledger: Ledger, way: Way) -> None:
    with Ledger.open(url) as elsewhere:
        one, two = Counter(ledger, way), Counter(elsewhere)
        for _ in range(2):
            one.write(add(3), SUE)
            two.write(add(1), SUE)
        assert one.write(add(3), SUE) == "8 is enough"
        assert one.catch_up() == two.catch_up() == 8


@pytest.mark.parametrize("held", [False, True])
def test_what_another_wrote_while_it_was_decided_is_heard_of(
    url: str, ledger: Ledger, way: Way, held: bool
) -> None:
    with Ledger.open(url) as elsewhere:
        one, two, heard = Counter(ledger, way), Counter(elsewhere), list[int]()
        if held:
            one.put(0, SUE)

        def decide(state: int) -> PendingWrite[Added] | str:
            heard.append(state)
            if not state:
                two.put(8, SUE)
                one.catch_up()  # Whoever looks on meanwhile does not make the decision newer.
            answer: PendingWrite[Added] | str = add(3)(state)
            return answer

        assert one.write(decide, SUE) == "8 is enough"
        assert heard == [0, 8]


def test_who_held_it_alone_has_lost_it_once_another_took_it_over(
    url: str, ledger: Ledger, way: Way
) -> None:
    with Ledger.open(url) as elsewhere:
        one, two = Counter(ledger, way, exclusive=True), Counter(elsewhere)
        one.put(1, SUE)

        def decide(_: int) -> PendingWrite[Added]:
            two.put(2, SUE)
            return PendingWrite([Added(3)])

        for _ in range(2):
            with pytest.raises(Superseded):
                one.write(decide, SUE)
        assert isinstance(one.writer.lost, Superseded)
        assert (two.writer.lost, two.catch_up()) == (None, 5)


@pytest.mark.long
def test_many_at_once_are_all_on_record_and_none_too_much(url: str, way: Way) -> None:
    def work() -> None:
        with Ledger.open(url) as ledger:
            mine = Counter(ledger, way, max_tries=200)
            for _ in range(4):
                mine.write(add(1, 11), SUE)

    Ledger.open(url).close()
    threads = [Thread(target=work) for _ in range(3)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    with Ledger.open(url) as ledger:
        assert Counter(ledger).catch_up() == 11


def test_rivals_without_end_are_given_up(
    ledger: Ledger, way: Way, monkeypatch: pytest.MonkeyPatch
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
    one = Counter(ledger, way, through=late, max_tries=3)
    with pytest.raises(NotNow, match='too many write to "counted" at once; send it again'):
        one.write(add(1), SUE, backoff=lambda: 6)
    assert waited == [(0, 6), (1, 6), (2, 6)]


def test_the_last_word_is_spoken_when_the_stream_is_ours(ledger: Ledger, way: Way) -> None:
    one, asked = Counter(ledger, way), list[int]()

    def last(state: int, made: PendingWrite[Added]) -> PendingWrite[Added] | str:
        asked.append(state)
        return PendingWrite([*made.facts, Added(1)]) if len(asked) == 1 else "no more"

    one.write(add(2), SUE, recheck=last)
    assert (one.state, kinds(ledger)[-1]) == (3, ["added", "added"])
    assert one.write(add(2), SUE, recheck=last) == "no more"
    assert asked == [0, 3]


# The same request again --------------------------------------------------------------------------


@SHARED_OR_ALONE
def test_a_request_that_comes_again_has_its_first_answer(
    ledger: Ledger, way: Way, alone: bool
) -> None:
    one, asked = (
        Counter(ledger, way, exclusive=alone),
        request_key("sue", "r1", lambda: [STREAM, 4]),
    )
    first = one.put(4, asked)
    again = WriteResult(first.receipt._replace(again=True), first.facts)
    count = len(kinds(ledger))
    for number in (4, 9):  # One that would go through now, one that would be refused.
        assert one.write(add(number), asked) == again
    assert one.write(_raises, asked) == again
    assert (one.catch_up(), len(kinds(ledger))) == (4, count)
    for number in (4, 9):
        with pytest.raises(RequestReused, match='request "sue/r1" came before with another body'):
            one.write(add(number), request_key("sue", "r1", lambda: [STREAM, 5]))
    assert one.put(4, request_key("bob", "r1", lambda: [STREAM, 4])).receipt != first.receipt


def _raises(_: int) -> PendingWrite[Added]:
    raise RoundError("no")


@SHARED_OR_ALONE
def test_what_decides_may_raise(ledger: Ledger, way: Way, alone: bool) -> None:
    one = Counter(ledger, way, exclusive=alone)
    one.put(1, SUE)
    with pytest.raises(RoundError, match="no"):
        one.write(_raises, request_key("sue", "r1", lambda: [1]))
    one.put(1, SUE)
    assert one.state == 2


def test_a_request_that_another_process_was_quicker_with_has_the_answer_on_record(
    url: str, ledger: Ledger, way: Way
) -> None:
    with Ledger.open(url) as elsewhere:
        one, two = Counter(ledger, way), Counter(elsewhere)
        asked = request_key("sue", "r1", lambda: [STREAM, "some"])
        one.write(add(1), SUE)

        def decide(_: int) -> PendingWrite[Added]:
            two.write(add(2), asked)
            return PendingWrite([Added(3)])

        answer = one.write(decide, asked)
        entry = load_request(ledger, asked)
        assert entry is not None
        assert isinstance(answer, WriteResult)
        assert (answer.receipt.seq, answer.facts, answer.is_repeat) == (entry.seq, [Added(2)], True)
        assert one.state == two.state == 3


def test_where_it_is_shared_a_request_that_comes_again_takes_nothing_over(
    url: str, ledger: Ledger, way: Way
) -> None:
    with Ledger.open(url) as elsewhere:
        asked = request_key("sue", "r1", lambda: [1])
        Counter(elsewhere).put(1, asked)
        two = Counter(ledger, way)
        assert two.put(1, asked).is_repeat
        assert (two.writer.epoch, kinds(ledger)) == (0, [["claimed"], ["added"]])


def test_without_an_id_nothing_is_known_again(ledger: Ledger) -> None:
    asked = request_key("sue", None, lambda: pytest.fail("nobody needs the body"))
    assert (asked, load_request(ledger, asked)) == (SUE, None)


# Held alone --------------------------------------------------------------------------------------


def test_who_holds_it_alone_reads_nothing_for_what_goes_through(
    ledger: Ledger, way: Way, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, asked = Counter(ledger, way, exclusive=True), request_key("sue", "r1", lambda: [1])

    def decide(state: int) -> PendingWrite[Added]:
        return PendingWrite([Added(2)], next_state=lambda: state + 2)

    one.write(decide, SUE)
    with monkeypatch.context() as closed:
        for name in ("_rows", "entries", "entry_of_request"):
            closed.setattr(ledger, name, lambda *_, **__: pytest.fail("the book is read"))
        one.write(decide, asked)
    assert (one.state, one.writer.seq, one.writer.epoch) == (4, 3, 1)
    assert (one.catch_up(), fold(ledger).catch_up()) == (4, 4)


@SHARED_OR_ALONE
def test_what_was_written_and_could_not_be_read_is_read_before_the_next(
    ledger: Ledger, way: Way, alone: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = Counter(ledger, way, exclusive=alone)
    one.put(1, SUE)

    def fails(*_: Any, **__: Any) -> None:
        raise LedgerError("it cannot be read")

    def decide(_: int) -> PendingWrite[Added]:
        monkeypatch.setattr(ledger, "entries", fails)
        return PendingWrite([Added(8)])

    written = one.write(decide, SUE)  # It is on record, and whoever wrote it hears so.
    assert isinstance(written, WriteResult)
    assert (written.is_repeat, written.facts) == (False, [Added(8)])
    with pytest.raises(LedgerError, match="it cannot be read"):
        one.write(decide, SUE)
    monkeypatch.undo()
    assert one.write(add(2), SUE) == "9 is enough"


def test_after_a_mistake_of_ours_the_record_is_believed(ledger: Ledger, way: Way) -> None:
    one = Counter(ledger, way, exclusive=True)
    one.write(lambda _: PendingWrite([Added(4)], next_state=lambda: 7), SUE)
    assert one.state == 7
    one.writer.reset()
    assert one.write(add(7), SUE) == "4 is enough"


# Kept states -------------------------------------------------------------------------------------


@SHARED_OR_ALONE
def test_a_state_is_kept_now_and_then_and_taken_up_again(
    ledger: Ledger, way: Way, alone: bool
) -> None:
    one = Counter(ledger, way, SNAPSHOTS, exclusive=alone)

    def decide(state: int) -> PendingWrite[Added]:
        return PendingWrite([Added(1)], next_state=(lambda: state + 1) if alone else None)

    for _ in range(8):
        one.write(decide, SUE)
    assert ledger.latest_snapshot(STREAM) == (8, {"sum": 6})
    again, read = noted(ledger, SNAPSHOTS)
    for _ in range(2):
        assert (again.catch_up(), again.seq, read) == (8, 9, [8, 9])
    again.reset()
    assert (again.state, again.catch_up(), read) == (0, 8, [8, 9, 8, 9])
    Counter(ledger, way, SNAPSHOTS).put(1, SUE)
    assert ledger.latest_snapshot(STREAM) == (8, {"sum": 6})  # Not due again so soon.


def noted(ledger: Ledger, snapshots: SnapshotPolicy[int]) -> tuple[StreamReader[int], list[int]]:
    """A fold, and the numbers of all entries that it has read."""
    read: list[int] = []

    def evolve(state: int, entries: Iterable[Entry]) -> int:
        found = list(entries)
        read.extend(one.seq for one in found)
        return summed(state, found)

    return StreamReader(ledger, STREAM, 0, evolve, snapshots), read


def test_a_kept_state_that_is_of_no_use_is_left_alone(ledger: Ledger) -> None:
    one = Counter(ledger, snapshots=SNAPSHOTS)
    for _ in range(5):
        one.write(add(1), SUE)
    for wrong in (lambda *_: None, lambda kept, _: kept["of a later form"]):
        again, read = noted(ledger, SNAPSHOTS._replace(decode=wrong))
        assert (again.catch_up(), read) == (5, [1, 2, 3, 4, 5, 6])


def test_a_state_that_is_not_to_be_kept_is_not(ledger: Ledger) -> None:
    never: SnapshotPolicy[int] = SNAPSHOTS._replace(encode=lambda _: None)
    one = Counter(ledger, snapshots=never)
    for _ in range(5):
        one.write(add(1), SUE)
    assert ledger.latest_snapshot(STREAM) is None


def test_what_cannot_be_read_is_not_passed_over(ledger: Ledger, way: Way) -> None:
    one = Counter(ledger, way)
    one.write(add(1), SUE)
    epoch = ledger.claim(STREAM)
    ledger.append(STREAM, epoch, [FACTS.dump(Added(2))])
    ledger.append(STREAM, epoch, [{"fact": "lost"}])
    for _ in range(2):
        with pytest.raises(RoundError, match='a counter knows no fact "lost"'):
            one.catch_up()
    assert (one.state, one.writer.seq) == (1, 2)
