"""A dealer who would rather pass than learn: nothing is gained by it, and what was begun counts."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from tests.drills.test_drills import BUNDLED, game_of
from tests.house.school.test_school import NOW, STUD, after, composed, remake

from pitbook.drills.item import Item
from pitbook.drills.kinds import allowed, drill
from pitbook.house.ledger.journal import Ledger
from pitbook.house.school.pupils import DrillDesk
from pitbook.house.school.table_tests import Examiner

HI_LO = "catfish-bend/matchem-hi-lo"
WAR = "classic/casino-war"


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    book = Ledger.open(f"sqlite:///{tmp_path}/book.db")
    yield book
    book.close()


@pytest.mark.long
def test_a_test_that_is_looked_at_and_left_is_taken_and_failed(ledger: Ledger) -> None:
    """Whoever begins, sees hard questions and goes away finds the result on file."""
    examiner = Examiner(ledger, DrillDesk(ledger))
    composed(examiner)
    first = examiner.begin("t1", "dee", game_of(STUD), NOW)
    assert [one.attempt for one in examiner.running("dee", after(9))] == [first.attempt]
    late = NOW + timedelta(minutes=11)
    second = examiner.begin("t1", "dee", game_of(STUD), late)
    assert second.attempt != first.attempt
    (left,) = examiner.filed().results.values()
    assert (left.person, left.right, left.passed) == ("dee", 0, False)
    assert left.ended == first.began.until
    examiner.close_overdue(("dee", "nobody"), late + timedelta(hours=1))
    assert [one.passed for one in examiner.filed().results.values()] == [False, False]
    assert examiner.running("dee", late + timedelta(hours=1)) == []


@pytest.mark.long
def test_two_tabs_and_reloading_give_one_test_and_one_question(ledger: Ledger) -> None:
    examiner = Examiner(ledger, DrillDesk(ledger))
    composed(examiner)
    with ThreadPoolExecutor(4) as tabs:
        begun = [tabs.submit(examiner.begin, "t1", "dee", game_of(STUD), NOW) for _ in range(4)]
        papers = [one.result() for one in begun]
    assert len({one.attempt for one in papers}) == 1
    assert len({one.item.question for one in papers if one.item}) == 1
    attempt = papers[0].attempt
    with ThreadPoolExecutor(4) as tabs:
        sent = [tabs.submit(examiner.answer, attempt, "dee", 0, x, after(5)) for x in "abcd"]
        assert {one.result().position for one in sent} == {1}
    assert (
        examiner.paper(attempt, "dee", after(6)).item
        == examiner.begin("t1", "dee", game_of(STUD), after(7)).item
    )


@pytest.mark.long
def test_a_clock_that_goes_back_gives_no_more_time_and_no_less_than_none(ledger: Ledger) -> None:
    examiner = Examiner(ledger, DrillDesk(ledger))
    composed(examiner)
    attempt = examiner.begin("t1", "dee", game_of(STUD), NOW).attempt
    examiner.answer(attempt, "dee", 0, "a", after(30))
    examiner.answer(attempt, "dee", 1, "0.01", after(-3_600))
    over = examiner.paper(attempt, "dee", after(601)).result
    assert over is not None
    assert [one.ms for one in over.items] == [30_000, 0, 0, 0]
    again = examiner.answer(attempt, "dee", 2, "a", NOW)
    assert (again.result, again.item) == (over, None)


def test_passing_hard_questions_over_is_seen(ledger: Ledger) -> None:
    desk = DrillDesk(ledger)
    for number in range(1, 4):
        desk.ask(("dee",), game_of(STUD), str(number), NOW, kinds=("odds",))
    assert desk.left(("dee", "nobody")) == 2  # The third is still open.
    desk.answer(("dee",), 3, "a", after(2), remake)
    assert desk.left(("dee",)) == 2


@pytest.mark.long
def test_what_a_guest_left_has_an_end_and_what_went_along_has_none(ledger: Ledger) -> None:
    desk, day = DrillDesk(ledger), timedelta(hours=12)
    for name in ("guest-old", "guest-joined", "dee"):
        desk.ask((name,), game_of(STUD), "s", NOW, kinds=("odds",))
        desk.answer((name,), 1, "a", after(1), remake)
    now = max(_last(ledger, one) for one in desk.names())
    desk.sweep({"guest-joined"}, now + day - timedelta(minutes=1), day)
    assert len(desk.names()) == 3
    desk.sweep({"guest-joined"}, now + day + timedelta(minutes=10), day)
    assert desk.names() == ["dee", "guest-joined"]
    assert desk.standing(("guest-old",)).answers == ()
    put = desk.ask(("guest-old",), game_of(STUD), "s", now, kinds=("odds",))
    assert put.asked.number == 1  # As if nothing had been.


def _last(ledger: Ledger, name: str) -> datetime:
    return datetime.fromisoformat(list(ledger.entries(f"drills/{name}"))[-1].at)


@pytest.mark.parametrize("sheet", [WAR, STUD, "pennsylvania/three-card-poker"])
def test_no_rank_of_the_odds_is_right_more_often_than_a_guess(sheet: str) -> None:
    """The lowest of all was right wherever a pay table has one line."""
    game, ranks, asked = game_of(sheet), Counter[int](), 240
    for seed in range(asked):
        item = drill(game, "odds", str(seed))
        values = sorted(_odds(one.text) for one in item.question.options)
        assert len(values) == 4
        (right,) = (one.text for one in item.question.options if one.id == item.answer)
        ranks[values.index(_odds(right))] += 1
    assert max(ranks.values()) < asked * 0.4


def _odds(text: str) -> float:
    to, _, one = text.replace(",", "").partition(" to ")
    return int(to) / int(one) if one else 0.0


def test_an_arrangement_is_not_told_by_the_order_of_its_cards() -> None:
    """All ways show their cards as they lie on the felt, the right one too."""
    for seed in range(80):
        item = drill(game_of(HI_LO), "arrange", str(seed))
        assert item.question.lies is not None
        ((_, board),) = item.question.lies.common
        for option in item.question.options:
            places = iter(board)
            assert all(card in places for card in option.cards)


def test_what_comes_next_is_not_said_in_how_far_it_is() -> None:
    """A dealer sees who has decided, and finds who has not."""
    game = game_of(STUD)
    for seed in range(120):
        item = drill(game, "next-step", str(seed))
        (told,) = item.question.lines
        assert "still" not in told
        assert "not decided" not in told


def _sent(item: Item) -> str:
    return json.dumps(item.question.document())


def test_nothing_that_is_sent_depends_on_which_answer_is_right() -> None:
    """Ids are letters by place, and no field is there that another option lacks."""
    for sheet in BUNDLED[::4]:
        kinds = {"odds", "read-hand", "what-becomes", "next-step"}
        for kind in kinds & set(allowed(game_of(sheet))):
            item = drill(game_of(sheet), kind, "1")
            document = json.loads(_sent(item))
            assert [one["id"] for one in document["options"]] == sorted(
                one["id"] for one in document["options"]
            )
            assert {tuple(sorted(one)) for one in document["options"]} == {("cards", "id", "text")}
