"""A pupil as recorded: questions, answers and tests."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from pitbook.drills.progress import (
    AnsweredItem,
)
from pitbook.errors import FactError
from pitbook.house.ledger.hash_chain import Entry
from pitbook.house.school.facts import (
    DRILLS,
    ExamAnswered,
    ExamBegan,
    ExamEnded,
    HintGiven,
    ItemAnswered,
    ItemAsked,
    OfDrills,
)
from pitbook.text import say
from pitbook.text.user_input import printable


class ExamAttempt(NamedTuple):
    """A test in progress or completed."""

    began: ExamBegan
    given: tuple[ExamAnswered, ...] = ()
    ended: ExamEnded | None = None

    @property
    def position(self) -> int:
        """The index of the next question."""
        return len(self.given)


class Pupil(NamedTuple):
    """A trainee's questions, answers and tests."""

    open: ItemAsked | None = None
    hints: int = 0
    questions_asked: int = 0
    answers: tuple[AnsweredItem, ...] = ()
    last: tuple[ItemAsked, ItemAnswered] | None = None  # The last answered question.
    attempts: Mapping[str, ExamAttempt] = {}


def replay_entries(before: Pupil, entries: Iterable[Entry]) -> Pupil:
    """The trainee after some entries."""
    for entry in entries:
        for fact in DRILLS.load_entry(entry):
            before = evolve(before, fact)
    return before


def evolve(before: Pupil, fact: OfDrills) -> Pupil:
    """The trainee after one more event."""
    return _APPLY[type(fact)](before, fact)


def _apply_asked(before: Pupil, fact: ItemAsked) -> Pupil:
    return before._replace(open=fact, hints=0, questions_asked=fact.number)


def _apply_hinted(before: Pupil, fact: HintGiven) -> Pupil:
    return before._replace(hints=before.hints + 1)


def _apply_answered(before: Pupil, fact: ItemAnswered) -> Pupil:
    if (question := before.open) is None or question.number != fact.number:
        raise FactError(say("drills.not-open", number=fact.number))
    answer = AnsweredItem(
        *(question.sheet, question.hash, question.kind, question.seed, fact.level, fact.about),
        *(fact.wanted, fact.given, fact.right, fact.ms, before.hints, fact.at),
    )
    answers = (*before.answers, answer)
    return before._replace(open=None, answers=answers, last=(question, fact))


def _apply_began(before: Pupil, fact: ExamBegan) -> Pupil:
    return before._replace(attempts={**before.attempts, fact.attempt: ExamAttempt(fact)})


def _apply_test_answered(before: Pupil, fact: ExamAnswered) -> Pupil:
    attempt = _attempt(before, fact.attempt)
    updated = attempt._replace(given=(*attempt.given, fact))
    return before._replace(attempts={**before.attempts, fact.attempt: updated})


def _apply_ended(before: Pupil, fact: ExamEnded) -> Pupil:
    updated = _attempt(before, fact.attempt)._replace(ended=fact)
    return before._replace(attempts={**before.attempts, fact.attempt: updated})


def _attempt(pupil: Pupil, attempt: str) -> ExamAttempt:
    if (exam_attempt := pupil.attempts.get(attempt)) is None:
        raise FactError(say("drills.not-begun", attempt=printable(attempt)))
    return exam_attempt


_APPLY: dict[type, Callable[[Pupil, Any], Pupil]] = {
    ItemAsked: _apply_asked,
    HintGiven: _apply_hinted,
    ItemAnswered: _apply_answered,
    ExamBegan: _apply_began,
    ExamAnswered: _apply_test_answered,
    ExamEnded: _apply_ended,
}


# Drill sessions -----------------------------------------------------------------------------------
