"""Progress: shares of correct answers, grades and schedules."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from random import Random

import pytest
from fsrs import Card, Scheduler
from fsrs import Rating as Grade
from tests.drills.test_drills import game_of

from pitbook.drills.grade import is_right, normalize_answer
from pitbook.drills.kinds import choose_item, drill
from pitbook.drills.progress import (
    AnsweredItem,
    Share,
    TraineeProgress,
    difficulty_level,
    fsrs_grade,
    progress_from,
    shares_by_class,
)
from pitbook.drills.question import Question, label_options
from pitbook.errors import PitbookError

START = datetime(2026, 11, 2, 9, tzinfo=UTC)
SHEET = "catfish-bend/mississippi-stud"


def answer_at(
    minute: int = 0,
    *,
    kind: str = "odds",
    seed: str = "1",
    level: int = 0,
    fact: str | None = None,
    right: bool = True,
    ms: int = 4_000,
    hints: int = 0,
) -> AnsweredItem:
    at = (START + timedelta(minutes=minute)).isoformat()
    digest = game_of(SHEET).digest
    return AnsweredItem(
        SHEET, digest, kind, seed, level, fact, "a", "a" if right else "b", right, ms, hints, at
    )


def test_ease_is_the_share_of_correct_answers() -> None:
    """Over everyone; the initial guess counts like two answers."""
    answers = [answer_at(n, kind="pay-hand", level=1, right=n % 4 > 0) for n in range(40)]
    like = (SHEET, "pay-hand", 1)
    assert shares_by_class(answers) == {like: Share(30, 40)}
    assert progress_from(answers).shares == shares_by_class(answers)
    assert progress_from(answers).ease(like) == pytest.approx((30 + 2 * 0.87) / 42)
    eases = [TraineeProgress().ease((SHEET, "pay-hand", level)) for level in range(8)]
    assert eases == sorted(eases, reverse=True)
    assert 0 < eases[-1] < eases[0] < 1


@pytest.mark.long
def test_hard_bias_prefers_questions_that_everyone_gets_wrong() -> None:
    """Level 0 looks easy; the answers show otherwise."""
    game = game_of(SHEET)
    wrong = [answer_at(n, kind="pay-hand", level=1, right=False) for n in range(60)]
    progress = TraineeProgress(shares=shares_by_class(wrong))
    chosen = [
        choose_item(game, progress, str(n), START, kinds=["pay-hand"], bias="hard")
        for n in range(20)
    ]
    assert sum(difficulty_level(candidate.item.work) == 1 for candidate in chosen) > 10


def test_grade_depends_on_correctness_time_and_hints() -> None:
    times = [1_000 * n for n in range(1, 13)]
    assert fsrs_grade(right=False, ms=500, hints=0, times=times) == Grade.Again
    assert fsrs_grade(right=True, ms=500, hints=1, times=times) == Grade.Hard
    assert fsrs_grade(right=True, ms=500, hints=0, times=[]) == Grade.Good
    assert fsrs_grade(right=True, ms=500, hints=0, times=times) == Grade.Easy
    assert fsrs_grade(right=True, ms=6_000, hints=0, times=times) == Grade.Good
    assert fsrs_grade(right=True, ms=11_000, hints=0, times=times) == Grade.Hard
    rng, before, grades = Random(1), list[int](), list[Grade]()
    for _ in range(200):
        ms = rng.randrange(2_000, 6_000)
        grades.append(fsrs_grade(right=True, ms=ms, hints=0, times=before))
        before.append(ms)
    assert 0 < grades.count(Grade.Easy) < 80


def test_facts_follow_the_fsrs_schedule() -> None:
    """The dates are those of fsrs for the same grades."""
    fact = "odds/main/flush"
    days = (0, 1, 4)
    progress = progress_from(answer_at(60 * 24 * day, fact=fact, seed=str(day)) for day in days)
    card, scheduler = Card(card_id=1, due=START), Scheduler(enable_fuzzing=False)
    for day in days:
        card, _ = scheduler.review_card(card, Grade.Good, START + timedelta(days=day))
    assert progress.cards[SHEET, fact] == card
    assert progress.due(SHEET, [fact], card.due - timedelta(minutes=1)) == []
    assert progress.due(SHEET, [fact], card.due) == [fact]


def test_due_facts_are_asked_first() -> None:
    game, fact = game_of(SHEET), "odds/main/flush"
    progress = progress_from([answer_at(fact=fact, right=False)])
    soon = choose_item(game, progress, "s", START + timedelta(days=1), kinds=["odds"])
    assert soon.item.fact == fact
    assert drill(game, "odds", soon.seed) == soon.item
    first = choose_item(game, TraineeProgress(), "s", START, kinds=["odds"])
    assert first.item.kind == "odds"


def test_missed_questions_repeat_until_correct() -> None:
    game = game_of(SHEET)
    wrong = answer_at(kind="pay-hand", seed="17", right=False)
    again = choose_item(game, progress_from([wrong]), "s", START, bias="errors")
    assert (again.item, again.seed) == (drill(game, "pay-hand", "17"), "17")
    right = answer_at(5, kind="pay-hand", seed="17")
    after = choose_item(game, progress_from([wrong, right]), "s", START, bias="errors")
    assert after.seed != "17"


@pytest.mark.long
def test_hard_bias_gives_a_beginner_harder_questions() -> None:
    game = game_of(SHEET)

    def work(bias: str) -> float:
        chosen = (
            choose_item(game, TraineeProgress(), str(n), START, kinds=["pay-hand"], bias=bias)  # type: ignore[arg-type]
            for n in range(40)
        )
        return sum(difficulty_level(candidate.item.work) for candidate in chosen) / 40

    assert work("hard") > work("none") + 0.5


OPTIONS = label_options([("one", ()), ("two", ()), ("three", ())])


@pytest.mark.parametrize(
    ("form", "given", "read"),
    [
        ("amount", "$1,250.5", "1250.50"),
        ("amount", "25", "25.00"),
        ("amount", "-10", "-10.00"),
        *(("amount", text, "1250.50") for text in ("€1,250.50", "1250.5 £", "C$1250.50")),
        ("amount", "\N{MINUS SIGN}$10", "-10.00"),
        ("number", "007", "7"),
        ("chips", "5x3 25x1", "25.00x1,5.00x3"),
        ("chips", "25 x 1, 5.00*3", "25.00x1,5.00x3"),
        ("choice", " B ", "b"),
        ("choices", "ca", "a,c"),
        ("choices", "none", ""),
        ("order", "c, a b", "c,a,b"),
        ("steps", "b=25, a=-10 c=0", "b=25.00,a=-10.00,c=0.00"),
    ],
)
def test_typed_answers_are_normalized(form: str, given: str, read: str) -> None:
    question = Question("?", form, options=OPTIONS, chips=(500, 2_500))  # type: ignore[arg-type]
    assert normalize_answer(question, given) == read


@pytest.mark.parametrize(
    ("form", "given"),
    [
        *(("amount", text) for text in ("", "ten", "1.234", "25,50", "1,25", "٣", "9" * 600)),
        *(("chips", text) for text in ("7x1", "25", "25x1 25x2", "25x1 and")),
        *(("choice", text) for text in ("", "d", "a b")),
        *(("order", text) for text in ("a b", "a b b", "a b d")),
        *(("steps", text) for text in ("a=1 b=2", "a=1 b=2 c", "a=1 b=2 c=x")),
    ],
)
def test_invalid_answer_is_refused_with_the_format(form: str, given: str) -> None:
    question = Question("?", form, options=OPTIONS, chips=(500, 2_500))  # type: ignore[arg-type]
    with pytest.raises(PitbookError, match=r"That answer does not fit this question. Type"):
        normalize_answer(question, given)


def test_correct_answer_is_accepted_in_other_spellings() -> None:
    game = game_of(SHEET)
    for kind in ("pay-hand", "cut-chips", "settle-table", "paying-order", "after-fold"):
        item = drill(game, kind, "3")
        assert is_right(item, item.answer.replace(",", " ") or "none")
