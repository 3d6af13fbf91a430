"""Several who write to one stream: each decides on what is on record, and none is half heard."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from tests.streams.kit import FACTS, KEEPING, STREAM, Added, add, counter, fold

from pitbook.errors import InDoubt, LedgerError, RequestReused, RoundError, Superseded
from pitbook.ledger.batch import Append, Receipt
from pitbook.ledger.book import Ledger
from pitbook.streams import shell
from pitbook.streams.reading import Keeping
from pitbook.streams.requests import KnownRequest, asked_by, before
from pitbook.streams.shell import OnRecord, Writing

SUE = KnownRequest("sue")


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'book.db'}"


@pytest.fixture
def ledger(url: str) -> Iterator[Ledger]:
    with Ledger.open(url) as ledger:
        yield ledger


def kinds(ledger: Ledger) -> list[list[str]]:
    return [[fact["fact"] for fact in entry.facts] for entry in ledger.entries(STREAM)]


def test_what_is_decided_is_on_record_or_said(ledger: Ledger) -> None:
    one = counter(ledger)
    written = one.write(add(4), SUE)
    assert isinstance(written, OnRecord)
    entry = list(ledger.entries(STREAM))[-1]
    assert (written.seq, written.hash, written.facts) == (entry.seq, entry.hash, [Added(4)])
    assert (one.state, entry.actor, written.again) == (4, "sue", False)
    assert one.write(add(7), SUE) == "4 is enough"
    assert kinds(ledger) == [["claimed"], ["added"]]


def test_whoever_finds_that_another_wrote_decides_again(url: str, ledger: Ledger) -> None:
    with Ledger.open(url) as elsewhere:
        one, two = counter(ledger), counter(elsewhere)
        for _ in range(2):
            one.write(add(3), SUE)
            two.write(add(1), SUE)
        assert one.write(add(3), SUE) == "8 is enough"
        assert one.read_on() == two.read_on() == 8


def test_what_was_written_between_reading_and_taking_over_is_heard_of(
    url: str, ledger: Ledger
) -> None:
    with Ledger.open(url) as elsewhere:
        one, two, heard = counter(ledger), counter(elsewhere), list[int]()

        def decide(state: int) -> Writing[Added] | str:
            heard.append(state)
            if not state:
                two.write(add(8), SUE)
            answer: Writing[Added] | str = add(3)(state)
            return answer

        assert one.write(decide, SUE) == "8 is enough"
        assert heard == [0, 8]


def test_many_at_once_are_all_on_record_and_none_too_much(url: str) -> None:
    def work() -> None:
        with Ledger.open(url) as ledger:
            mine = counter(ledger, tries=200)
            for _ in range(4):
                mine.write(add(1, 11), SUE)

    Ledger.open(url).close()
    threads = [Thread(target=work) for _ in range(3)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    with Ledger.open(url) as ledger:
        assert counter(ledger).read_on() == 11


def test_rivals_without_end_are_given_up(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    waited: list[tuple[int, int]] = []

    def aside(tried: int, *, at_least: int) -> None:
        waited.append((tried, at_least))

    def too_late(*_: Any, **__: Any) -> None:
        raise Superseded("another process wrote")

    monkeypatch.setattr(shell, "step_aside", aside)
    monkeypatch.setattr(ledger, "append", too_late)
    with pytest.raises(LedgerError, match="it is too busy"):
        counter(ledger, tries=3).write(add(1), SUE, patience=lambda: 6)
    assert waited == [(0, 6), (1, 6), (2, 6)]


def test_the_last_word_is_spoken_when_the_stream_is_ours(ledger: Ledger) -> None:
    one, asked = counter(ledger), list[int]()

    def last(state: int, made: Writing[Added]) -> Writing[Added] | str:
        asked.append(state)
        return Writing([*made.facts, Added(1)]) if len(asked) == 1 else "no more"

    one.write(add(2), SUE, once_ours=last)
    assert (one.state, kinds(ledger)[-1]) == (3, ["added", "added"])
    assert one.write(add(2), SUE, once_ours=last) == "no more"
    assert asked == [0, 3]


def test_a_request_that_comes_again_has_its_first_answer(ledger: Ledger) -> None:
    one, asked = counter(ledger), asked_by("sue", "r1", lambda: [STREAM, 4])
    first = one.write(add(4), asked)
    again = counter(ledger).write(add(9), asked)
    assert isinstance(first, OnRecord)
    assert again == first._replace(again=True)
    assert one.read_on() == 4
    with pytest.raises(RequestReused, match='request "sue/r1" came before with another body'):
        one.write(add(4), asked_by("sue", "r1", lambda: [STREAM, 5]))
    assert one.write(add(4), asked_by("bob", "r1", lambda: [STREAM, 4])) != first


def test_without_an_id_nothing_is_known_again(ledger: Ledger) -> None:
    asked = asked_by("sue", None, lambda: pytest.fail("nobody needs the body"))
    assert (asked, before(ledger, asked)) == (SUE, None)


def test_a_state_is_kept_now_and_then_and_taken_up_again(ledger: Ledger) -> None:
    one = counter(ledger, KEEPING)
    for _ in range(7):
        one.write(add(1), SUE)
    kept = ledger.kept(STREAM)
    assert kept == (8, {"sum": 6})
    again = fold(ledger, KEEPING)
    assert (again.state, again.place.seq) == (6, 7)
    assert (again.read_on(), again.place.seq) == (7, 8)


def test_a_kept_state_that_is_of_no_use_is_left_alone(ledger: Ledger) -> None:
    one = counter(ledger, KEEPING)
    for _ in range(5):
        one.write(add(1), SUE)
    for wrong in (lambda *_: None, lambda kept, _: kept["of a later form"]):
        again = fold(ledger, KEEPING._replace(restored=wrong))
        assert (again.state, again.place.seq, again.read_on()) == (0, 0, 5)


def test_a_state_that_is_not_to_be_kept_is_not(ledger: Ledger) -> None:
    never: Keeping[int] = KEEPING._replace(document=lambda _: None)
    one = counter(ledger, never)
    for _ in range(5):
        one.write(add(1), SUE)
    assert ledger.kept(STREAM) is None


def test_what_cannot_be_read_is_not_passed_over(ledger: Ledger) -> None:
    one = counter(ledger)
    one.write(add(1), SUE)
    epoch = ledger.claim(STREAM)
    ledger.append(STREAM, epoch, [FACTS.dump(Added(2))])
    ledger.append(STREAM, epoch, [{"fact": "lost"}])
    for _ in range(2):
        with pytest.raises(RoundError, match='a counter knows no fact "lost"'):
            one.read_on()
    assert one.state == 1


def test_a_request_that_another_process_was_quicker_with_has_the_answer_on_record(
    url: str, ledger: Ledger
) -> None:
    with Ledger.open(url) as elsewhere:
        one, two = counter(ledger), counter(elsewhere)
        asked = asked_by("sue", "r1", lambda: [STREAM, "some"])
        one.write(add(1), SUE)

        def decide(_: int) -> Writing[Added]:
            two.write(add(2), asked)
            return Writing([Added(3)])

        answer: OnRecord[Added] | str = one.write(decide, asked)
        entry = before(ledger, asked)
        assert entry is not None
        assert answer == OnRecord(entry.seq, entry.hash, [Added(2)], again=True)
        assert one.read_on() == two.read_on() == 3


def test_after_a_doubt_nothing_is_decided_before_what_was_under_way(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A commit whose line was cut may end after the next one has read."""
    one, written = counter(ledger), ledger.append
    one.write(add(4), SUE)

    def cut(*what: Any, **how: Any) -> None:
        late = ledger.submit

        def landed(append: Append) -> Future[Receipt]:
            monkeypatch.undo()
            written(*what, **how)
            return late(append)

        def appended(*other: Any, **others: Any) -> Receipt:
            monkeypatch.undo()
            written(*what, **how)
            return written(*other, **others)

        monkeypatch.setattr(ledger, "append", appended)
        monkeypatch.setattr(ledger, "submit", landed)
        raise InDoubt("the line was cut")

    monkeypatch.setattr(ledger, "append", cut)
    with pytest.raises(InDoubt):
        one.write(add(4), SUE)
    assert one.write(add(4), SUE) == "8 is enough"
    assert one.read_on() == 8
