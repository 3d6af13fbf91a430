"""The school's records: drills, table tests, certificates and their expiry."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from tests.drills.test_drills import game_of

from pitbook.cards import names
from pitbook.drills.kinds import drill
from pitbook.drills.progress import shares_by_class
from pitbook.drills.question import Item
from pitbook.errors import PitbookError
from pitbook.house.ledger.ledger import Ledger
from pitbook.house.ledger.stream_kinds import audit_of
from pitbook.house.school.drill_sessions import DrillSessions
from pitbook.house.school.facts import TESTS, ExamComposed, ExamResult, ItemAsked
from pitbook.house.school.table_tests import (
    PASS_MARK_MIN,
    Examiner,
    ExamPaper,
    answers_csv,
    hash_of,
)
from pitbook.rules.game import Game, compile_game
from pitbook.sheets.edit import change_sheet

STUD = "catfish-bend/mississippi-stud"
NOW = datetime(2026, 11, 17, 9, tzinfo=UTC)


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    book = Ledger.open(f"sqlite:///{tmp_path}/book.db")
    yield book
    book.close()


def remake(question: ItemAsked) -> Item:
    return drill(game_of(question.sheet), question.kind, question.seed)


def after(seconds: float) -> datetime:
    return NOW + timedelta(seconds=seconds)


def test_question_hint_and_answer_are_recorded(ledger: Ledger) -> None:
    desk = DrillSessions(ledger)
    put = desk.ask(("dee",), game_of(STUD), "s", NOW)
    assert desk.hint("dee", 1, remake) == put.item
    judged = desk.answer(("dee",), 1, put.item.answer or "none", after(4), remake)
    assert (judged.given.right, judged.given.ms) == (True, 4_000)
    again = desk.answer(("dee",), 1, put.item.answer or "none", after(9), remake)
    assert again.given == judged.given
    (answer,) = DrillSessions(ledger).pupil("dee").answers
    assert (answer.hints, answer.right, answer.seed) == (1, True, put.question.seed)
    assert DrillSessions(ledger).progress(("dee",)) == judged.progress


def test_late_answer_is_wrong_and_unknown_question_is_refused(ledger: Ledger) -> None:
    desk = DrillSessions(ledger)
    put = desk.ask(("dee",), game_of(STUD), "s", NOW, seconds=5)
    with pytest.raises(PitbookError, match="Question 2 is not open"):
        desk.answer(("dee",), 2, "a", NOW, remake)
    late = desk.answer(("dee",), 1, put.item.answer or "none", after(6), remake)
    assert (late.given.right, late.given.late) == (False, True)


def test_guest_answers_count_after_sign_in(ledger: Ledger) -> None:
    desk = DrillSessions(ledger)
    for name, at in (("guest-1", 0), ("dee", 60)):
        put = desk.ask((name,), game_of(STUD), name, after(at))
        desk.answer((name,), 1, put.item.answer or "none", after(at + 1), remake)
    both = desk.progress(("dee", "guest-1"))
    assert len(both.answers) == 2
    assert sum(share.total for share in both.shares.values()) == 2
    with pytest.raises(PitbookError, match="Sign in to continue and keep your record"):
        desk.ask(("guest-1",), game_of(STUD), "x", after(9), questions_max=1)


def compose_test(examiner: Examiner, **changes: object) -> ExamComposed:
    composed = ExamComposed(
        *("t1", "Stud, first table", STUD, ("odds", "pay-hand"), 4, 75, 10, "sue"),
        NOW.isoformat(),
    )
    return examiner.compose(composed._replace(**changes), game_of(STUD))  # type: ignore[arg-type]


def take_test(examiner: Examiner, right: int, *, game: Game | None = None) -> ExamPaper:
    """A test taken with this many correct answers."""
    paper = examiner.begin("t1", "dee", game or game_of(STUD), NOW)
    while paper.item is not None:
        answer = paper.item.answer if paper.position < right else _wrong(paper)
        at = after(10 * (paper.position + 1))
        paper = examiner.answer(paper.attempt, "dee", paper.position, answer, at)
    return paper


def _wrong(paper: ExamPaper) -> str:
    assert paper.item is not None
    options = [
        option.id for option in paper.item.question.options if option.id != paper.item.answer
    ]
    return options[0] if options else "0.01"


@pytest.mark.parametrize(("right", "passed"), [(2, False), (3, True), (4, True)])
def test_test_is_passed_at_its_mark_and_filed_with_every_answer(
    ledger: Ledger, right: int, passed: bool
) -> None:
    examiner = Examiner(ledger, DrillSessions(ledger))
    compose_test(examiner)
    paper = take_test(examiner, right)
    result = paper.result
    assert result is not None
    assert (result.passed, result.right, result.asked) == (passed, right, 4)
    assert [item.kind for item in result.items] == ["odds", "pay-hand"] * 2
    assert [item.ms for item in result.items] == [10_000] * 4
    for result_item in result.items:
        item = drill(game_of(STUD), result_item.kind, result_item.seed)
        assert result_item.recorded is not None
        assert (result_item.recorded.question, result_item.recorded.wanted) == (
            item.question,
            item.answer,
        )
    assert [bool(item.recorded.question.lies) for item in result.items if item.recorded] == [
        False,
        True,
    ] * 2
    filed = Examiner(ledger, DrillSessions(ledger)).load()
    assert filed.results[result.id] == result
    assert hash_of(result) == result.id
    assert hash_of(result._replace(right=4 if right != 4 else 3)) != result.id


# As recorded before whole questions were kept.
OLD_RESULT = {
    "fact": "result",
    "id": "fed5a50eabf77acb786a4c2f90dc69621935deb82153b3d403c4d6a878c95cb0",
    "test": "t1",
    "title": "Stud, first table",
    "person": "dee",
    "sheet": "catfish-bend/mississippi-stud",
    "hash": "c36535ab8e90d790abaa8c7913f5fdf5fbcf631d7d4c505c43bcdb4d82e9d6e5",
    "asked": 2,
    "right": 1,
    "pass_mark": 75,
    "passed": False,
    "minutes": 10,
    "began": "2026-11-17T09:00:00.000+00:00",
    "ended": "2026-11-17T09:00:20.000+00:00",
    "items": [
        {
            "kind": "odds",
            "seed": "bbfddb5f847891f1",
            "question": "Ante: what does royal flush pay?",
            "wanted": "pays 500:1",
            "given": "pays 500:1",
            "right": True,
            "ms": 10000,
        },
        {
            "kind": "pay-hand",
            "seed": "461fb3eee4070613",
            "question": "What is seat 2 paid, all wagers together? Leave stakes out.",
            "wanted": "$286",
            "given": "$0.01",
            "right": False,
            "ms": 10000,
        },
    ],
}


def test_older_result_stays_genuine() -> None:
    result = TESTS.load(OLD_RESULT)
    assert isinstance(result, ExamResult)
    assert TESTS.dump(result) == OLD_RESULT
    assert hash_of(result) == OLD_RESULT["id"]
    assert [item.recorded for item in result.items] == [None, None]
    row = list(csv.DictReader(answers_csv(result).splitlines()))[1]
    assert (row["question"][:19], row["answer"], row["felt"]) == ("What is seat 2 paid", "$286", "")


def test_recorded_layout_is_read_back(ledger: Ledger) -> None:
    """An inspector can read cards, wagers and stakes without remaking the question."""
    examiner = Examiner(ledger, DrillSessions(ledger))
    compose_test(examiner, kinds=("pay-hand", "what-becomes"))
    result = take_test(examiner, 1).result
    assert result is not None
    (again,) = Examiner(ledger, DrillSessions(ledger)).load().results.values()
    assert again == result
    put = again.items[0].recorded
    assert put is not None
    assert put.question.lies is not None
    seat = put.question.lies.seats[0]
    assert seat.cards
    assert (seat.wagers[0][0], seat.wagers[0][1] > 0) == ("Ante", True)
    assert type(put.question.ask) is str  # Plain text, readable from the file.
    first = next(csv.DictReader(answers_csv(again).splitlines()))
    assert f"Seat {seat.seat}: {names(seat.cards)}" in first["felt"]
    assert f"Ante ${seat.wagers[0][1] // 100}" in first["felt"]
    second = list(csv.DictReader(answers_csv(again).splitlines()))[1]
    assert {text[3:] for text in second["options"].split("; ")} == {"Win", "Push", "Lose"}


def test_test_ends_on_time_and_answers_count_once(ledger: Ledger) -> None:
    examiner = Examiner(ledger, DrillSessions(ledger))
    compose_test(examiner)
    paper = examiner.begin("t1", "dee", game_of(STUD), NOW)
    assert examiner.begin("t1", "dee", game_of(STUD), after(1)).attempt == paper.attempt
    assert paper.item is not None
    for _ in range(2):
        paper = examiner.answer(
            paper.attempt, "dee", 0, paper.began.items[0].seed and "a", after(5)
        )
    assert paper.position == 1
    with pytest.raises(PitbookError, match="Question 4 is not open"):
        examiner.answer(paper.attempt, "dee", 3, "a", after(6))
    over = examiner.answer(paper.attempt, "dee", 1, "0.01", after(601))
    assert over.result is not None
    assert (over.result.asked, over.position) == (4, 1)
    assert [item.given for item in over.result.items][1:] == ["", "", ""]
    with pytest.raises(PitbookError, match="have not started this table test"):
        examiner.paper(paper.attempt, "ann", NOW)


def test_certificate_expires_when_a_rule_changes(ledger: Ledger) -> None:
    examiner = Examiner(ledger, DrillSessions(ledger))
    compose_test(examiner)
    result = take_test(examiner, 4).result
    assert result is not None
    sheet = game_of(STUD).sheet
    assert examiner.changed_rules(result, sheet) == []
    (change,) = examiner.changed_rules(result, change_sheet(sheet, {"main.pays.flush": "9:1"}))
    assert change.startswith("Flush pays 6:1 in the rules of the test")
    assert "9:1" in change
    (gone,) = examiner.changed_rules(result, None)
    assert "is missing or cannot be read" in gone


@pytest.mark.parametrize("mark", [0, 69, 101])
def test_pass_mark_is_at_least_seventy_percent(ledger: Ledger, mark: int) -> None:
    examiner = Examiner(ledger, DrillSessions(ledger))
    with pytest.raises(PitbookError, match=f"must be 70% to 100%, not {mark}%"):
        compose_test(examiner, pass_mark=mark)
    assert compose_test(examiner, pass_mark=PASS_MARK_MIN).pass_mark == 70


def test_composer_cannot_take_their_own_test(ledger: Ledger) -> None:
    examiner = Examiner(ledger, DrillSessions(ledger))
    compose_test(examiner, by="sue")
    with pytest.raises(PitbookError, match="Another dealer must take it"):
        examiner.begin("t1", "sue", game_of(STUD), NOW)
    assert examiner.begin("t1", "dee", game_of(STUD), NOW).item is not None


def test_test_asks_only_supported_kinds(ledger: Ledger) -> None:
    examiner = Examiner(ledger, DrillSessions(ledger))
    with pytest.raises(PitbookError, match="Did you mean"):
        compose_test(examiner, kinds=("pay-hnd",))
    with pytest.raises(PitbookError, match="has no questions of the type"):
        compose_test(examiner, kinds=("qualifies",))
    with pytest.raises(
        PitbookError, match=r"15 question types need at least 15 questions. You chose 4"
    ):
        compose_test(examiner, kinds=())
    assert len(compose_test(examiner, kinds=(), questions=15).kinds) == 15
    examiner.withdraw("t1", "sue", NOW)
    with pytest.raises(PitbookError, match="was withdrawn"):
        examiner.begin("t1", "dee", game_of(STUD), NOW)


def test_test_keeps_the_rules_it_began_with(ledger: Ledger) -> None:
    examiner = Examiner(ledger, DrillSessions(ledger))
    compose_test(examiner)
    other = compile_game(change_sheet(game_of(STUD).sheet, {"main.pays.flush": "9:1"}))
    result = take_test(examiner, 4, game=other).result
    assert result is not None
    assert (result.hash, result.passed) == (other.digest, True)
    assert examiner.changed_rules(result, game_of(STUD).sheet)


def test_audit_knows_school_streams() -> None:
    assert audit_of("drills/dee") is not None
    assert audit_of("table-tests") is not None


@pytest.mark.long
def test_shares_pool_everyone_but_guests(ledger: Ledger) -> None:
    desk = DrillSessions(ledger)
    for name in ("dee", "don", "guest-1"):
        for number in range(1, 6):
            desk.ask((name,), game_of(STUD), f"{name}{number}", NOW, kinds=("odds",))
            desk.answer((name,), number, "a", after(number), remake)
    shares = DrillSessions(ledger).shares(after(99))
    answers = desk.answers(("dee", "don"))
    assert shares == shares_by_class(answers)
    assert set(shares) == {answer.question_class for answer in answers}
    assert desk.shares(NOW) == {}  # The shares from before anyone answered are cached for a minute.
