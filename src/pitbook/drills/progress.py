"""Progress from answers: difficulty, the FSRS schedule of facts, tallies and exports."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from statistics import median, quantiles
from typing import NamedTuple

from fsrs import Card, Scheduler
from fsrs import Rating as Grade

from pitbook.csv_files import csv_text
from pitbook.drills.spot_error import CLEAN
from pitbook.text import Sentence, say

LEVELS, PER_LEVEL = 8, 3
QUICK_AFTER = 8  # Correct answers of a kind needed before any can count as quick.
_SCHEDULER = Scheduler(enable_fuzzing=False)  # The same answers give the same due dates.

QuestionClass = tuple[str, str, int]  # Sheet, kind and level: questions of equal difficulty.


class Share(NamedTuple):
    """Correct answers among the questions of a class."""

    right: int = 0
    total: int = 0

    def after(self, answer: AnsweredItem) -> Share:
        """This share with one more answer."""
        return Share(self.right + answer.right, self.total + 1)


class AnsweredItem(NamedTuple):
    """An answered question."""

    sheet: str
    hash: str
    kind: str
    seed: str
    level: int
    fact: str | None
    wanted: str
    given: str
    right: bool
    ms: int
    hints: int
    at: str

    @property
    def question_class(self) -> QuestionClass:
        """The class of questions that are equally hard."""
        return self.sheet, self.kind, self.level


@dataclass(frozen=True)
class TraineeProgress:
    """A trainee's progress: shares by class, FSRS cards by fact, and all answers."""

    shares: Mapping[QuestionClass, Share] = field(default_factory=dict)
    cards: Mapping[tuple[str, str], Card] = field(default_factory=dict)  # By sheet and fact.
    answers: tuple[AnsweredItem, ...] = ()

    def ease(self, question_class: QuestionClass) -> float:
        """The share of correct answers to such questions, starting from a guess by level."""
        share = self.shares.get(question_class, Share())
        return (share.right + 2 * _initial_share(question_class[2])) / (share.total + 2)

    def due(self, sheet: str, facts: Iterable[str], now: datetime) -> list[str]:
        """Learned facts that are due, the most overdue first."""
        cards = {fact: self.cards[sheet, fact] for fact in facts if (sheet, fact) in self.cards}
        late = [fact for fact, card in cards.items() if card.due <= now]
        return sorted(late, key=lambda fact: cards[fact].due)

    def open_mistakes(self, digest: str) -> list[AnsweredItem]:
        """Questions of these rules whose last answer was wrong."""
        last = {
            (answer.kind, answer.seed): answer for answer in self.answers if answer.hash == digest
        }
        return [answer for answer in last.values() if not answer.right]


def progress_from(answers: Iterable[AnsweredItem]) -> TraineeProgress:
    """Progress after all these answers."""
    progress = TraineeProgress()
    for answer in answers:
        progress = add_answer(progress, answer)
    return progress


def add_answer(progress: TraineeProgress, answer: AnsweredItem) -> TraineeProgress:
    """Progress after one more answer."""
    shares = {
        **progress.shares,
        answer.question_class: progress.shares.get(answer.question_class, Share()).after(answer),
    }
    cards = progress.cards if answer.fact is None else _review_fact(progress, answer, answer.fact)
    return replace(progress, shares=shares, cards=cards, answers=(*progress.answers, answer))


def shares_by_class(answers: Iterable[AnsweredItem]) -> dict[QuestionClass, Share]:
    """Shares of correct answers by class, over everyone."""
    shares: dict[QuestionClass, Share] = {}
    for answer in answers:
        shares[answer.question_class] = shares.get(answer.question_class, Share()).after(answer)
    return shares


def _review_fact(
    progress: TraineeProgress, answer: AnsweredItem, fact: str
) -> Mapping[tuple[str, str], Card]:
    times = _answer_times(progress.answers, answer.kind)
    grade = fsrs_grade(right=answer.right, ms=answer.ms, hints=answer.hints, times=times)
    card = review_card(
        progress.cards.get((answer.sheet, fact)), grade, datetime.fromisoformat(answer.at)
    )
    return {**progress.cards, (answer.sheet, fact): card}


def review_card(card: Card | None, grade: Grade, at: datetime) -> Card:
    """A card of the schedule after a review; None starts a new card."""
    reviewed, _ = _SCHEDULER.review_card(card or Card(card_id=1, due=at), grade, review_datetime=at)
    return reviewed


def fsrs_grade(*, right: bool, ms: int, hints: int, times: Sequence[int]) -> Grade:
    """The FSRS grade from correctness, time and hints.

    An answer is quick or slow against the trainee's own earlier answers, so not all can be easy.
    """
    if not right:
        return Grade.Again
    if hints:
        return Grade.Hard
    if len(times) < QUICK_AFTER:
        return Grade.Good
    quick, _, slow = quantiles(times, n=4)
    return Grade.Easy if ms < quick else Grade.Hard if ms > slow else Grade.Good


def difficulty_level(work: int) -> int:
    """The difficulty level of a question, from its amount of arithmetic.

    >>> [difficulty_level(work) for work in (1, 3, 10, 100)]
    [0, 1, 3, 7]
    """
    return min(work // PER_LEVEL, LEVELS - 1)


def _initial_share(level: int) -> float:
    """The assumed share of correct answers at a level, before anyone has answered."""
    return 0.95 - 0.08 * level


def _answer_times(answers: Iterable[AnsweredItem], kind: str) -> list[int]:
    return [answer.ms for answer in answers if answer.kind == kind and answer.right]


# Tallies ------------------------------------------------------------------------------------------


HANDS_AN_HOUR = 60  # What a floor expects of a dealer unless a goal is set.
COLUMNS = (
    *("at", "sheet", "hash", "kind", "seed", "level", "right", "answer", "given", "seconds"),
    "hints",
)


@dataclass(frozen=True)
class DrillTally:
    """Questions, correct answers, and the median time of a correct one."""

    asked: int
    right: int
    ms: int | None

    @property
    def hands_an_hour(self) -> int | None:
        """Questions per hour at this speed."""
        return 3_600_000 // self.ms if self.ms else None

    def sentence(self) -> Sentence:
        """The tally in one sentence."""
        if self.ms is None:
            return say("drills.tally", right=self.right, asked=self.asked)
        seconds = f"{self.ms / 1000:.1f}"
        hands = self.hands_an_hour
        return say(
            "drills.tally-timed", right=self.right, asked=self.asked, seconds=seconds, hands=hands
        )


@dataclass(frozen=True)
class PracticeDay:
    """A day of practice."""

    day: str
    tally: DrillTally


def tally(answers: Iterable[AnsweredItem]) -> DrillTally:
    answer_list = list(answers)
    times = [answer.ms for answer in answer_list if answer.right]
    return DrillTally(len(answer_list), len(times), max(1, round(median(times))) if times else None)


def by_kind(answers: Iterable[AnsweredItem]) -> dict[str, DrillTally]:
    """The tally of each kind, in order of first appearance."""
    answer_list = list(answers)
    kinds = dict.fromkeys(answer.kind for answer in answer_list)
    return {kind: tally(answer for answer in answer_list if answer.kind == kind) for kind in kinds}


def by_sheet(answers: Iterable[AnsweredItem]) -> dict[str, DrillTally]:
    """The tally of each sheet."""
    answer_list = list(answers)
    sheets = dict.fromkeys(answer.sheet for answer in answer_list)
    return {
        sheet: tally(answer for answer in answer_list if answer.sheet == sheet) for sheet in sheets
    }


def by_day(answers: Iterable[AnsweredItem]) -> list[PracticeDay]:
    """The tally of each day with answers, oldest first."""
    answer_list = list(answers)
    days = sorted({answer.at[:10] for answer in answer_list})
    return [
        PracticeDay(day, tally(answer for answer in answer_list if answer.at[:10] == day))
        for day in days
    ]


def spot_error_counts(answers: Iterable[AnsweredItem]) -> dict[str, int]:
    """Counts of spot-the-error results: catches, misses, false alarms, wrong acts, clean rounds."""
    counts = Counter(
        _spot_error_result(answer) for answer in answers if answer.kind == "spot-error"
    )
    return {
        result: counts[result] for result in ("catch", "miss", "false-alarm", "elsewhere", "clean")
    }


def _spot_error_result(answer: AnsweredItem) -> str:
    if answer.wanted == CLEAN:
        return "clean" if answer.right else "false-alarm"
    if answer.right:
        return "catch"
    return "miss" if answer.given == CLEAN else "elsewhere"


def csv_of(answers: Iterable[AnsweredItem]) -> str:
    """Answers as CSV, with a header row."""
    return csv_text([COLUMNS, *map(_row, answers)])


def _row(answer: AnsweredItem) -> list[str]:
    return [
        *(answer.at, answer.sheet, answer.hash, answer.kind, answer.seed, str(answer.level)),
        *("yes" if answer.right else "no", answer.wanted, answer.given, f"{answer.ms / 1000:.1f}"),
        str(answer.hints),
    ]
