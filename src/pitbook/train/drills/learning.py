"""What answers teach of who gave them, and of the questions: ratings, cards, times.

All of it is worked out from answers, oldest first; nothing but answers is ever on record.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from statistics import quantiles
from typing import NamedTuple

from fsrs import Card, Scheduler
from fsrs import Rating as Grade

from pitbook.train.drills.glicko import Opponent, Rating, rated

__all__ = [
    "LEVELS",
    "AnsweredItem",
    "Class",
    "Standing",
    "answered",
    "grade_of",
    "guess",
    "level_of",
    "pooled",
    "stand",
]

LEVELS, PER_LEVEL = 8, 3
EASIEST, HARDER = 1_150.0, 110.0  # The first guess of a question's rating, and for each level more.
SURE = 200.0  # How far off such a guess may be.
FEW = 8  # Right answers of a kind before any can be quick.
_SCHEDULER = Scheduler(enable_fuzzing=False)  # The same answers give the same days.

Class = tuple[str, str, int]  # Sheet, kind, level: questions that are rated as one.


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
        """The questions that it is rated with."""
        return self.sheet, self.kind, self.level

    @property
    def score(self) -> float:
        """What it counts in a rating: with a hint, right is half."""
        return 0.0 if not self.right else 0.5 if self.hints else 1.0


@dataclass(frozen=True)
class Standing:
    """Where somebody stands: a rating for each sheet, questions as they were met, cards by fact."""

    ratings: Mapping[str, Rating] = field(default_factory=dict)
    items: Mapping[Class, Rating] = field(default_factory=dict)
    cards: Mapping[tuple[str, str], Card] = field(default_factory=dict)  # By sheet and fact.
    answers: tuple[AnsweredItem, ...] = ()

    def rating(self, sheet: str) -> Rating:
        """How strong somebody is at a sheet."""
        return self.ratings.get(sheet, Rating(EASIEST))

    def item(self, like: Class) -> Rating:
        """How hard such questions are: as learnt, or as guessed."""
        return self.items.get(like, guess(like[2]))

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
    mine, its = before.rating(one.sheet), before.item(one.like)
    ratings = {**before.ratings, one.sheet: rated(mine, [Opponent(its, one.score)])}
    items = {**before.items, one.like: rated(its, [Opponent(mine, 1.0 - one.score)])}
    cards = before.cards if one.fact is None else _reviewed(before, one, one.fact)
    return replace(
        before, ratings=ratings, items=items, cards=cards, answers=(*before.answers, one)
    )


def pooled(by_person: Mapping[str, Iterable[AnsweredItem]]) -> dict[Class, Rating]:
    """How hard questions are, learnt from all who answered them, in the order of time."""
    every = [(one.at, name, one) for name, answers in by_person.items() for one in answers]
    people: dict[tuple[str, str], Rating] = {}
    items: dict[Class, Rating] = {}
    for _, name, one in sorted(every, key=lambda made: made[:2]):
        mine = people.get((name, one.sheet), Rating(EASIEST))
        its = items.get(one.like, guess(one.level))
        people[name, one.sheet] = rated(mine, [Opponent(its, one.score)])
        items[one.like] = rated(its, [Opponent(mine, 1.0 - one.score)])
    return items


def _reviewed(before: Standing, one: AnsweredItem, fact: str) -> Mapping[tuple[str, str], Card]:
    times = _times(before.answers, one.kind)
    grade = grade_of(right=one.right, ms=one.ms, hints=one.hints, before=times)
    at = datetime.fromisoformat(one.at)
    card = before.cards.get((one.sheet, fact)) or Card(card_id=1, due=at)
    after, _ = _SCHEDULER.review_card(card, grade, review_datetime=at)
    return {**before.cards, (one.sheet, fact): after}


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
    """How hard a question is at first sight, from its steps of arithmetic.

    >>> [level_of(work) for work in (1, 3, 10, 100)]
    [0, 1, 3, 7]
    """
    return min(work // PER_LEVEL, LEVELS - 1)


def guess(level: int) -> Rating:
    """The first guess of a question's rating."""
    return Rating(EASIEST + HARDER * level, SURE)


def _times(answers: Iterable[AnsweredItem], kind: str) -> list[int]:
    return [one.ms for one in answers if one.kind == kind and one.right]
