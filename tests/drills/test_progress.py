"""Shares of right answers, grades and schedules."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from random import Random

import pytest
from fsrs import Card, Scheduler
from fsrs import Rating as Grade
from tests.drills.test_drills import game_of

from pitbook.drills.grade import is_right, normal
from pitbook.drills.item import Question, lettered
from pitbook.drills.kinds import choose, drill
from pitbook.drills.progress import AnsweredItem, Share, Standing, grade_of, level_of, pooled, stand
from pitbook.errors import PitbookError

START = datetime(2026, 11, 2, 9, tzinfo=UTC)
SHEET = "catfish-bend/mississippi-stud"


def made(
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


def test_difficulty_is_the_share_of_right_answers() -> None:
    """Of all who answered; a guess by the amount of arithmetic counts like two answers."""
    answers = [made(n, kind="pay-hand", level=1, right=n % 4 > 0) for n in range(40)]
    like = (SHEET, "pay-hand", 1)
    assert pooled(answers) == {like: Share(30, 40)}
    assert stand(answers).shares == pooled(answers)
    assert stand(answers).ease(like) == pytest.approx((30 + 2 * 0.87) / 42)
    eases = [Standing().ease((SHEET, "pay-hand", level)) for level in range(8)]
    assert eases == sorted(eases, reverse=True)
    assert 0 < eases[-1] < eases[0] < 1


@pytest.mark.long
def test_a_question_that_everyone_gets_wrong_is_asked_first_of_hard_ones() -> None:
    """Level 0 looked easy; the answers say that it is not."""
    game = game_of(SHEET)
    wrong = [made(n, kind="pay-hand", level=1, right=False) for n in range(60)]
    standing = Standing(shares=pooled(wrong))
    chosen = [
        choose(game, standing, str(n), START, kinds=["pay-hand"], bias="hard") for n in range(20)
    ]
    assert sum(level_of(one.item.work) == 1 for one in chosen) > 10


def test_a_grade_comes_from_right_time_and_hints_and_is_not_easy_for_everything() -> None:
    times = [1_000 * n for n in range(1, 13)]
    assert grade_of(right=False, ms=500, hints=0, before=times) == Grade.Again
    assert grade_of(right=True, ms=500, hints=1, before=times) == Grade.Hard
    assert grade_of(right=True, ms=500, hints=0, before=[]) == Grade.Good
    assert grade_of(right=True, ms=500, hints=0, before=times) == Grade.Easy
    assert grade_of(right=True, ms=6_000, hints=0, before=times) == Grade.Good
    assert grade_of(right=True, ms=11_000, hints=0, before=times) == Grade.Hard
    luck, before, grades = Random(1), list[int](), list[Grade]()
    for _ in range(200):
        ms = luck.randrange(2_000, 6_000)
        grades.append(grade_of(right=True, ms=ms, hints=0, before=before))
        before.append(ms)
    assert 0 < grades.count(Grade.Easy) < 80


def test_facts_come_back_when_the_package_says() -> None:
    """The dates are those of fsrs itself, asked with the same grades."""
    fact = "odds/main/flush"
    days = (0, 1, 4)
    standing = stand(made(60 * 24 * day, fact=fact, seed=str(day)) for day in days)
    card, own = Card(card_id=1, due=START), Scheduler(enable_fuzzing=False)
    for day in days:
        card, _ = own.review_card(card, Grade.Good, START + timedelta(days=day))
    assert standing.cards[SHEET, fact] == card
    assert standing.due(SHEET, [fact], card.due - timedelta(minutes=1)) == []
    assert standing.due(SHEET, [fact], card.due) == [fact]


def test_what_is_due_is_asked_first_and_a_new_fact_when_nothing_is() -> None:
    game, fact = game_of(SHEET), "odds/main/flush"
    standing = stand([made(fact=fact, right=False)])
    soon = choose(game, standing, "s", START + timedelta(days=1), kinds=["odds"])
    assert soon.item.fact == fact
    assert drill(game, "odds", soon.seed) == soon.item
    first = choose(game, Standing(), "s", START, kinds=["odds"])
    assert first.item.kind == "odds"


def test_errors_come_back_until_they_are_right() -> None:
    game = game_of(SHEET)
    wrong = made(kind="pay-hand", seed="17", right=False)
    again = choose(game, stand([wrong]), "s", START, bias="errors")
    assert (again.item, again.seed) == (drill(game, "pay-hand", "17"), "17")
    right = made(5, kind="pay-hand", seed="17")
    after = choose(game, stand([wrong, right]), "s", START, bias="errors")
    assert after.seed != "17"


@pytest.mark.long
def test_hard_ones_are_harder_than_what_a_beginner_is_asked() -> None:
    game = game_of(SHEET)

    def work(bias: str) -> float:
        chosen = (
            choose(game, Standing(), str(n), START, kinds=["pay-hand"], bias=bias)  # type: ignore[arg-type]
            for n in range(40)
        )
        return sum(level_of(one.item.work) for one in chosen) / 40

    assert work("hard") > work("none") + 0.5


OPTIONS = lettered([("one", ()), ("two", ()), ("three", ())])


@pytest.mark.parametrize(
    ("form", "given", "read"),
    [
        ("amount", "$1,250.5", "1250.50"),
        ("amount", "25", "25.00"),
        ("amount", "-10", "-10.00"),
        *(("amount", one, "1250.50") for one in ("€1,250.50", "1250.5 £", "C$1250.50")),
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
def test_answers_are_read_as_they_are_meant(form: str, given: str, read: str) -> None:
    question = Question("?", form, options=OPTIONS, chips=(500, 2_500))  # type: ignore[arg-type]
    assert normal(question, given) == read


@pytest.mark.parametrize(
    ("form", "given"),
    [
        *(("amount", one) for one in ("", "ten", "1.234", "25,50", "1,25", "٣", "9" * 600)),
        *(("chips", one) for one in ("7x1", "25", "25x1 25x2", "25x1 and")),
        *(("choice", one) for one in ("", "d", "a b")),
        *(("order", one) for one in ("a b", "a b b", "a b d")),
        *(("steps", one) for one in ("a=1 b=2", "a=1 b=2 c", "a=1 b=2 c=x")),
    ],
)
def test_what_is_no_answer_is_told_how_to_answer(form: str, given: str) -> None:
    question = Question("?", form, options=OPTIONS, chips=(500, 2_500))  # type: ignore[arg-type]
    with pytest.raises(PitbookError, match="that is not an answer to this question; type"):
        normal(question, given)


def test_the_right_answer_is_right_however_it_is_typed() -> None:
    game = game_of(SHEET)
    for kind in ("pay-hand", "cut-chips", "settle-table", "paying-order", "after-fold"):
        item = drill(game, kind, "3")
        assert is_right(item, item.answer.replace(",", " ") or "none")
