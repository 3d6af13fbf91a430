"""Cheating on tests and drills gains nothing, and a begun test counts."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from tests.drills.test_drills import BUNDLED, game_of
from tests.house.school.test_school import NOW, STUD, after, compose_test, remake

from pitbook.drills.kinds import drill, supported_kinds
from pitbook.drills.question import Item
from pitbook.house.ledger.ledger import Ledger
from pitbook.house.school.drill_sessions import DrillSessions
from pitbook.house.school.table_tests import Examiner

HI_LO = "catfish-bend/matchem-hi-lo"
WAR = "classic/casino-war"


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    book = Ledger.open(f"sqlite:///{tmp_path}/book.db")
    yield book
    book.close()


@pytest.mark.long
def test_abandoned_test_is_filed_as_failed(ledger: Ledger) -> None:
    """Beginning a test, seeing its questions and leaving files a result."""
    examiner = Examiner(ledger, DrillSessions(ledger))
    compose_test(examiner)
    first = examiner.begin("t1", "dee", game_of(STUD), NOW)
    assert [paper.attempt for paper in examiner.running("dee", after(9))] == [first.attempt]
    late = NOW + timedelta(minutes=11)
    second = examiner.begin("t1", "dee", game_of(STUD), late)
    assert second.attempt != first.attempt
    (abandoned,) = examiner.load().results.values()
    assert (abandoned.person, abandoned.right, abandoned.passed) == ("dee", 0, False)
    assert abandoned.ended == first.began.until
    examiner.close_overdue(("dee", "nobody"), late + timedelta(hours=1))
    assert [result.passed for result in examiner.load().results.values()] == [False, False]
    assert examiner.running("dee", late + timedelta(hours=1)) == []


@pytest.mark.long
def test_concurrent_tabs_share_one_test(ledger: Ledger) -> None:
    examiner = Examiner(ledger, DrillSessions(ledger))
    compose_test(examiner)
    with ThreadPoolExecutor(4) as tabs:
        begun = [tabs.submit(examiner.begin, "t1", "dee", game_of(STUD), NOW) for _ in range(4)]
        papers = [future.result() for future in begun]
    assert len({paper.attempt for paper in papers}) == 1
    assert len({paper.item.question for paper in papers if paper.item}) == 1
    attempt = papers[0].attempt
    with ThreadPoolExecutor(4) as tabs:
        futures = [tabs.submit(examiner.answer, attempt, "dee", 0, x, after(5)) for x in "abcd"]
        assert {future.result().position for future in futures} == {1}
    assert (
        examiner.paper(attempt, "dee", after(6)).item
        == examiner.begin("t1", "dee", game_of(STUD), after(7)).item
    )


@pytest.mark.long
def test_clock_moving_back_gives_no_extra_time(ledger: Ledger) -> None:
    examiner = Examiner(ledger, DrillSessions(ledger))
    compose_test(examiner)
    attempt = examiner.begin("t1", "dee", game_of(STUD), NOW).attempt
    examiner.answer(attempt, "dee", 0, "a", after(30))
    examiner.answer(attempt, "dee", 1, "0.01", after(-3_600))
    over = examiner.paper(attempt, "dee", after(601)).result
    assert over is not None
    assert [item.ms for item in over.items] == [30_000, 0, 0, 0]
    again = examiner.answer(attempt, "dee", 2, "a", NOW)
    assert (again.result, again.item) == (over, None)


def test_skipped_questions_are_counted(ledger: Ledger) -> None:
    desk = DrillSessions(ledger)
    for number in range(1, 4):
        desk.ask(("dee",), game_of(STUD), str(number), NOW, kinds=("odds",))
    assert desk.skipped_count(("dee", "nobody")) == 2  # The third is still open.
    desk.answer(("dee",), 3, "a", after(2), remake)
    assert desk.skipped_count(("dee",)) == 2


@pytest.mark.long
def test_only_unclaimed_guest_records_are_deleted(ledger: Ledger) -> None:
    desk, day = DrillSessions(ledger), timedelta(hours=12)
    for name in ("guest-old", "guest-joined", "dee"):
        desk.ask((name,), game_of(STUD), "s", NOW, kinds=("odds",))
        desk.answer((name,), 1, "a", after(1), remake)
    now = max(_last(ledger, name) for name in desk.names())
    desk.sweep({"guest-joined"}, now + day - timedelta(minutes=1), day)
    assert len(desk.names()) == 3
    desk.sweep({"guest-joined"}, now + day + timedelta(minutes=10), day)
    assert desk.names() == ["dee", "guest-joined"]
    assert desk.progress(("guest-old",)).answers == ()
    put = desk.ask(("guest-old",), game_of(STUD), "s", now, kinds=("odds",))
    assert put.question.number == 1  # As if the guest had never been there.


def _last(ledger: Ledger, name: str) -> datetime:
    return datetime.fromisoformat(list(ledger.entries(f"drills/{name}"))[-1].at)


@pytest.mark.parametrize("sheet", [WAR, STUD, "pennsylvania/three-card-poker"])
def test_no_odds_rank_is_right_too_often(sheet: str) -> None:
    """Otherwise the lowest odds were right for every one-line pay table."""
    game, ranks, count = game_of(sheet), Counter[int](), 240
    for seed in range(count):
        item = drill(game, "odds", str(seed))
        values = sorted(_odds(option.text) for option in item.question.options)
        assert len(values) == 4
        (right,) = (option.text for option in item.question.options if option.id == item.answer)
        ranks[values.index(_odds(right))] += 1
    assert max(ranks.values()) < count * 0.4


def _odds(text: str) -> float:
    to, _, unit = text.replace(",", "").partition(" to ")
    return int(to) / int(unit) if unit else 0.0


def test_card_order_does_not_reveal_the_arrangement() -> None:
    """Every option shows its cards in the order of the felt."""
    for seed in range(80):
        item = drill(game_of(HI_LO), "arrange", str(seed))
        assert item.question.lies is not None
        ((_, board),) = item.question.lies.common
        for option in item.question.options:
            places = iter(board)
            assert all(card in places for card in option.cards)


def test_progress_line_does_not_reveal_the_next_step() -> None:
    """A dealer has to find out who has not decided."""
    game = game_of(STUD)
    for seed in range(120):
        item = drill(game, "next-step", str(seed))
        (line,) = item.question.lines
        assert "still" not in line
        assert "not decided" not in line


def _sent_json(item: Item) -> str:
    return json.dumps(item.question.document())


def test_sent_fields_do_not_depend_on_the_answer() -> None:
    """Ids are letters by position, and every option has the same fields."""
    for sheet in BUNDLED[::4]:
        kinds = {"odds", "read-hand", "what-becomes", "next-step"}
        for kind in kinds & set(supported_kinds(game_of(sheet))):
            item = drill(game_of(sheet), kind, "1")
            document = json.loads(_sent_json(item))
            assert [option["id"] for option in document["options"]] == sorted(
                option["id"] for option in document["options"]
            )
            assert {tuple(sorted(option)) for option in document["options"]} == {
                ("cards", "id", "text")
            }
