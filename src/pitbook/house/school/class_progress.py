"""The trainer's view of a class: each dealer's progress, and what most get wrong."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import NamedTuple

from pitbook.drills.grade import render_answer
from pitbook.drills.progress import AnsweredItem, tally
from pitbook.drills.question import Item
from pitbook.errors import PitbookError
from pitbook.house.people.account_register import PersonRecord
from pitbook.house.people.accounts import People
from pitbook.house.people.names import GUEST_PREFIX
from pitbook.house.school.api_types import (
    ClassProgress,
    DealerProgress,
    KindTally,
    MissedFact,
    MissedKind,
    MissedQuestion,
)
from pitbook.house.school.facts import ItemAsked
from pitbook.house.school.views import School, kind_tallies, localize, question_shown, tally_view

FACTS_MAX = 12  # The facts most often wrong; more would be too much for one lesson.
EXAMPLES_TRIED = 5  # Recent wrong answers of a kind tried as an example.


class _DealerAnswer(NamedTuple):
    """An answer and who gave it."""

    who: str
    answer: AnsweredItem


def class_view(school: School, people: People, now: datetime) -> ClassProgress:
    """Each dealer's progress and the most common mistakes in drills and tests, without guests."""
    roster = people.persons.recent()
    names = {name for name in school.drill_sessions.names() if not name.startswith(GUEST_PREFIX)}
    dealers = {
        person.name for person in people.register.people.values() if _is_active_dealer(person)
    }
    dealers_view, answers = [], []
    for name in sorted(names | dealers | set(roster.joined.values()), key=str.casefold):
        names_of_dealer = (name, *roster.guests_of(name))
        record = people.register.people.get(name)
        dealers_view.append(
            _dealer_view(school, name, names_of_dealer, record.role if record else None, now)
        )
        dealer_answers = (
            *school.drill_sessions.answers(names_of_dealer),
            *_test_answers(school, names_of_dealer),
        )
        answers += [_DealerAnswer(name, answer) for answer in dealer_answers]
    answers.sort(key=lambda dealer_answer: dealer_answer.answer.at)
    return {
        "people": dealers_view,
        "kinds": _kind_views(school, answers),
        "facts": _missed_facts(school, answers),
    }


def _is_active_dealer(person: PersonRecord) -> bool:
    return person.role == "dealer" and not person.disabled


def _dealer_view(
    school: School, name: str, names: tuple[str, ...], role: str | None, now: datetime
) -> DealerProgress:
    progress = school.drill_sessions.progress(names)
    kinds = [
        kind_tally
        for kind_tally in kind_tallies(progress.answers)
        if kind_tally["right"] < kind_tally["asked"]
    ]
    weakest = min(kinds, key=_smoothed_share, default=None)
    return {
        "name": name,
        "role": role,
        "all": tally_view(tally(progress.answers)),
        "left": school.drill_sessions.skipped_count(names),
        "games": school.games(progress),
        "last": progress.answers[-1].at if progress.answers else None,
        "weakest": weakest["title"] if weakest else None,
        "results": school.results(names, now),
    }


def _test_answers(school: School, names: tuple[str, ...]) -> Iterator[AnsweredItem]:
    """A dealer's answers in table tests, for results that recorded the questions."""
    for result in school.examiner.load().results.values():
        for item in result.items if result.person in names else ():
            if item.recorded is not None and item.recorded.given is not None:
                yield AnsweredItem(
                    *(result.sheet, result.hash, item.kind, item.seed, 0, None),
                    *(
                        item.recorded.wanted,
                        item.recorded.given,
                        item.right,
                        item.ms,
                        0,
                        result.ended,
                    ),
                )


def _smoothed_share(kind_tally: KindTally) -> float:
    """The smoothed share of correct answers, so that one wrong answer of one is not the worst."""
    return (kind_tally["right"] + 1) / (kind_tally["asked"] + 2)


def _kind_views(school: School, answers: Sequence[_DealerAnswer]) -> list[MissedKind]:
    """Every kind, the worst first."""
    tallies = kind_tallies(answer for _, answer in answers)
    return [
        _kind_view(school, kind_tally, answers)
        for kind_tally in sorted(tallies, key=_smoothed_share)
    ]


def _kind_view(
    school: School, kind_tally: KindTally, answers: Sequence[_DealerAnswer]
) -> MissedKind:
    wrong_answers = [
        dealer_answer
        for dealer_answer in answers
        if dealer_answer.answer.kind == kind_tally["kind"] and not dealer_answer.answer.right
    ]
    view: MissedKind = {**kind_tally, "people": _people(wrong_answers), "example": None}
    for pupil, answer in reversed(wrong_answers[-EXAMPLES_TRIED:]):
        if (item := _remake_question(school, answer)) is not None:
            view["example"] = _example_json(school, pupil, answer, item)
            break
    return view


def _example_json(school: School, pupil: str, answer: AnsweredItem, item: Item) -> MissedQuestion:
    currency = school.currency(answer.sheet)
    view: MissedQuestion = {
        "who": pupil,
        "sheet_title": school.sheet_label(answer.sheet),
        "question": question_shown(item.question, currency),
        "answer": item.answer,
        "answer_text": render_answer(item.question, item.answer),
        "given_text": render_answer(item.question, answer.given),
    }
    return localize(view, currency)


def _missed_facts(school: School, answers: Sequence[_DealerAnswer]) -> list[MissedFact]:
    """The facts most often wrong, by today's rules."""
    by_fact: dict[tuple[str, str], list[_DealerAnswer]] = {}
    for dealer_answer in answers:
        if dealer_answer.answer.fact is not None:
            by_fact.setdefault((dealer_answer.answer.sheet, dealer_answer.answer.fact), []).append(
                dealer_answer
            )
    views: list[MissedFact] = []
    for group in sorted(by_fact.values(), key=lambda group: (-_count_wrong(group), len(group))):
        item = (
            _remake_question(school, group[-1].answer)
            if _count_wrong(group) and len(views) < FACTS_MAX
            else None
        )
        if item is not None:
            views.append(_missed_fact(school, group, item))
    return views


def _missed_fact(school: School, group: Sequence[_DealerAnswer], item: Item) -> MissedFact:
    view: MissedFact = {
        "sheet_title": school.sheet_label(group[-1].answer.sheet),
        "ask": item.question.ask,
        "answer_text": render_answer(item.question, item.answer),
        "wrong": _count_wrong(group),
        "asked": len(group),
        "people": _people(
            dealer_answer for dealer_answer in group if not dealer_answer.answer.right
        ),
    }
    return localize(view, school.currency(group[-1].answer.sheet))


def _count_wrong(group: Sequence[_DealerAnswer]) -> int:
    return sum(not dealer_answer.answer.right for dealer_answer in group)


def _people(answers: Iterable[_DealerAnswer]) -> list[str]:
    return sorted({dealer_answer.who for dealer_answer in answers}, key=str.casefold)


def _remake_question(school: School, answer: AnsweredItem) -> Item | None:
    """Remake an answered question; None if its rules are gone."""
    question = ItemAsked(0, answer.sheet, answer.hash, answer.kind, answer.seed, answer.at)
    try:
        return school.remake(question)
    except PitbookError:
        return None
