"""Somebody's drills as the fold of what the book says of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from pitbook.errors import FactError
from pitbook.house.ledger.chain import Entry
from pitbook.sheets.findings import printable
from pitbook.text import say
from pitbook.train.drills.learning import AnsweredItem
from pitbook.train.school.facts import (
    DRILLS,
    Began,
    ExamEnded,
    Hinted,
    ItemAnswered,
    ItemAsked,
    OfDrills,
    PaperGiven,
)


class ExamAttempt(NamedTuple):
    """A test that is being taken, or was."""

    began: Began
    given: tuple[PaperGiven, ...] = ()
    ended: ExamEnded | None = None

    @property
    def position(self) -> int:
        """Which question comes next."""
        return len(self.given)


class Pupil(NamedTuple):
    """What was asked and answered, and tests by their number."""

    open: ItemAsked | None = None
    hints: int = 0
    asked: int = 0
    answers: tuple[AnsweredItem, ...] = ()
    last: tuple[ItemAsked, ItemAnswered] | None = None  # The question that was answered last.
    attempts: Mapping[str, ExamAttempt] = {}


def read(before: Pupil, entries: Iterable[Entry]) -> Pupil:
    """Somebody after some entries."""
    for entry in entries:
        for fact in DRILLS.told(entry):
            before = evolve(before, fact)
    return before


def evolve(before: Pupil, fact: OfDrills) -> Pupil:
    """Somebody after one more fact."""
    return _FOLDS[type(fact)](before, fact)


def _asked(before: Pupil, fact: ItemAsked) -> Pupil:
    return before._replace(open=fact, hints=0, asked=fact.number)


def _hinted(before: Pupil, fact: Hinted) -> Pupil:
    return before._replace(hints=before.hints + 1)


def _given(before: Pupil, fact: ItemAnswered) -> Pupil:
    if (asked := before.open) is None or asked.number != fact.number:
        raise FactError(say("drills.not-open", number=fact.number))
    made = AnsweredItem(
        *(asked.sheet, asked.hash, asked.kind, asked.seed, fact.level, fact.about),
        *(fact.wanted, fact.given, fact.right, fact.ms, before.hints, fact.at),
    )
    answers = (*before.answers, made)
    return before._replace(open=None, answers=answers, last=(asked, fact))


def _began(before: Pupil, fact: Began) -> Pupil:
    return before._replace(attempts={**before.attempts, fact.attempt: ExamAttempt(fact)})


def _test_given(before: Pupil, fact: PaperGiven) -> Pupil:
    was = _attempt(before, fact.attempt)
    now = was._replace(given=(*was.given, fact))
    return before._replace(attempts={**before.attempts, fact.attempt: now})


def _ended(before: Pupil, fact: ExamEnded) -> Pupil:
    now = _attempt(before, fact.attempt)._replace(ended=fact)
    return before._replace(attempts={**before.attempts, fact.attempt: now})


def _attempt(pupil: Pupil, attempt: str) -> ExamAttempt:
    if (found := pupil.attempts.get(attempt)) is None:
        raise FactError(say("drills.not-begun", attempt=printable(attempt)))
    return found


_FOLDS: dict[type, Callable[[Pupil, Any], Pupil]] = {
    ItemAsked: _asked,
    Hinted: _hinted,
    ItemAnswered: _given,
    Began: _began,
    PaperGiven: _test_given,
    ExamEnded: _ended,
}
