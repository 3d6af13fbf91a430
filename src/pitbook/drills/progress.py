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

from pitbook.drills.spot_error import CLEAN
from pitbook.spreadsheet import csv_text
from pitbook.text import Sentence, say

LEVELS, PER_LEVEL = 8, 3
FEW = 8  # Right answers of a kind before any can be quick.
_SCHEDULER = Scheduler(enable_fuzzing=False)  # The same answers give the same days.

Class = tuple[str, str, int]  # Sheet, kind, level: questions that are as hard as each other.


class Share(NamedTuple):
    """How many of the questions of a class were answered rightly."""

    right: int = 0
    asked: int = 0

    def after(self, answer: AnsweredItem) -> Share:
        """The share with one more answer."""
        return Share(self.right + answer.right, self.asked + 1)


class AnsweredItem(NamedTuple):
    """One question, and what somebody made of it."""

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
    def like(self) -> Class:
        """The questions that are as hard."""
        return self.sheet, self.kind, self.level


@dataclass(frozen=True)
class Standing:
    """Where a dealer stands: shares of right answers by class, FSRS cards by fact, the answers."""

    shares: Mapping[Class, Share] = field(default_factory=dict)
    cards: Mapping[tuple[str, str], Card] = field(default_factory=dict)  # By sheet and fact.
    answers: tuple[AnsweredItem, ...] = ()

    def ease(self, like: Class) -> float:
        """The share of right answers to such questions; a guess by level while there are few."""
        share = self.shares.get(like, Share())
        return (share.right + 2 * _first_guess(like[2])) / (share.asked + 2)

    def due(self, sheet: str, facts: Iterable[str], now: datetime) -> list[str]:
        """Facts that were learnt and are to be asked again, the most overdue first."""
        known = {fact: self.cards[sheet, fact] for fact in facts if (sheet, fact) in self.cards}
        late = [fact for fact, card in known.items() if card.due <= now]
        return sorted(late, key=lambda fact: known[fact].due)

    def missed(self, digest: str) -> list[AnsweredItem]:
        """Questions of these very rules that were answered wrongly, and not rightly since."""
        last = {(one.kind, one.seed): one for one in self.answers if one.hash == digest}
        return [one for one in last.values() if not one.right]


def stand(answers: Iterable[AnsweredItem]) -> Standing:
    """Where all these answers lead."""
    found = Standing()
    for one in answers:
        found = answered(found, one)
    return found


def answered(before: Standing, one: AnsweredItem) -> Standing:
    """The standing after one more answer."""
    shares = {**before.shares, one.like: before.shares.get(one.like, Share()).after(one)}
    cards = before.cards if one.fact is None else _learnt(before, one, one.fact)
    return replace(before, shares=shares, cards=cards, answers=(*before.answers, one))


def pooled(answers: Iterable[AnsweredItem]) -> dict[Class, Share]:
    """How hard questions are to everyone: the shares of right answers of all who answered."""
    shares: dict[Class, Share] = {}
    for answer in answers:
        shares[answer.like] = shares.get(answer.like, Share()).after(answer)
    return shares


def _learnt(before: Standing, answer: AnsweredItem, fact: str) -> Mapping[tuple[str, str], Card]:
    times = _times(before.answers, answer.kind)
    grade = grade_of(right=answer.right, ms=answer.ms, hints=answer.hints, before=times)
    card = reviewed(
        before.cards.get((answer.sheet, fact)), grade, datetime.fromisoformat(answer.at)
    )
    return {**before.cards, (answer.sheet, fact): card}


def reviewed(card: Card | None, grade: Grade, at: datetime) -> Card:
    """A card of the schedule after a review; None: it is the first."""
    after, _ = _SCHEDULER.review_card(card or Card(card_id=1, due=at), grade, review_datetime=at)
    return after


def grade_of(*, right: bool, ms: int, hints: int, before: Sequence[int]) -> Grade:
    """How well something is known, from being right, time and hints; mostly no more than good.

    Quick and slow are measured by one's own right answers before, so that not all can be easy.
    """
    if not right:
        return Grade.Again
    if hints:
        return Grade.Hard
    if len(before) < FEW:
        return Grade.Good
    quick, _, slow = quantiles(before, n=4)
    return Grade.Easy if ms < quick else Grade.Hard if ms > slow else Grade.Good


def level_of(work: int) -> int:
    """How much arithmetic a question asks for.

    >>> [level_of(work) for work in (1, 3, 10, 100)]
    [0, 1, 3, 7]
    """
    return min(work // PER_LEVEL, LEVELS - 1)


def _first_guess(level: int) -> float:
    """The share of right answers that a question of a level gets before anybody has answered."""
    return 0.95 - 0.08 * level


def _times(answers: Iterable[AnsweredItem], kind: str) -> list[int]:
    return [one.ms for one in answers if one.kind == kind and one.right]


# Tallies ------------------------------------------------------------------------------------------


HANDS_AN_HOUR = 60  # What a floor expects of a dealer, where nobody says otherwise.
COLUMNS = (
    *("at", "sheet", "hash", "kind", "seed", "level", "right", "answer", "given", "seconds"),
    "hints",
)


@dataclass(frozen=True)
class DrillTally:
    """Questions, right answers, and what a right one took in the middle."""

    asked: int
    right: int
    ms: int | None

    @property
    def hands_an_hour(self) -> int | None:
        """How many such questions would be done in an hour."""
        return 3_600_000 // self.ms if self.ms else None

    def told(self) -> Sentence:
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
    """All answers as one."""
    made = list(answers)
    times = [one.ms for one in made if one.right]
    return DrillTally(len(made), len(times), max(1, round(median(times))) if times else None)


def by_kind(answers: Iterable[AnsweredItem]) -> dict[str, DrillTally]:
    """The tally of each kind, in the order in which kinds came."""
    made = list(answers)
    kinds = dict.fromkeys(one.kind for one in made)
    return {kind: tally(one for one in made if one.kind == kind) for kind in kinds}


def by_sheet(answers: Iterable[AnsweredItem]) -> dict[str, DrillTally]:
    """The tally of each sheet."""
    answer_list = list(answers)
    sheets = dict.fromkeys(answer.sheet for answer in answer_list)
    return {
        sheet: tally(answer for answer in answer_list if answer.sheet == sheet) for sheet in sheets
    }


def by_day(answers: Iterable[AnsweredItem]) -> list[PracticeDay]:
    """The tally of each day on which something was answered, oldest first."""
    made = list(answers)
    days = sorted({one.at[:10] for one in made})
    return [PracticeDay(day, tally(one for one in made if one.at[:10] == day)) for day in days]


def spotted(answers: Iterable[AnsweredItem]) -> dict[str, int]:
    """Of rounds with a mistake or none: catches, misses, false alarms, and what went rightly on."""
    counts = Counter(_spotted(one) for one in answers if one.kind == "spot-error")
    return {what: counts[what] for what in ("catch", "miss", "false-alarm", "elsewhere", "clean")}


def _spotted(one: AnsweredItem) -> str:
    if one.wanted == CLEAN:
        return "clean" if one.right else "false-alarm"
    if one.right:
        return "catch"
    return "miss" if one.given == CLEAN else "elsewhere"


def csv_of(answers: Iterable[AnsweredItem]) -> str:
    """Answers as comma-separated values, a header first."""
    return csv_text([COLUMNS, *map(_row, answers)])


def _row(one: AnsweredItem) -> list[str]:
    return [
        *(one.at, one.sheet, one.hash, one.kind, one.seed, str(one.level)),
        *("yes" if one.right else "no", one.wanted, one.given, f"{one.ms / 1000:.1f}"),
        str(one.hints),
    ]
