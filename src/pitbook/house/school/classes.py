"""The trainer's view of a class: each dealer's progress, and what most get wrong."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import NamedTuple

from pitbook.drills.grade import shown
from pitbook.drills.item import Item
from pitbook.drills.progress import AnsweredItem, tally
from pitbook.errors import PitbookError
from pitbook.house.people.accounts import People
from pitbook.house.people.names import GUEST_PREFIX
from pitbook.house.people.register import PersonRecord
from pitbook.house.school.api_types import (
    ClassTold,
    DealerStands,
    FactMissed,
    KindMissed,
    KindTally,
    Missed,
)
from pitbook.house.school.events import ItemAsked
from pitbook.house.school.views import School, dealt_with, kinds_told, question_shown, tally_told

FACTS_MAX = 12  # To know by heart, the worst; more are no lesson.
LOOKED_AT = 5  # Wrong answers of a kind of which the newest is shown that can be put again.


class _Made(NamedTuple):
    """An answer, and whose it is."""

    who: str
    one: AnsweredItem


def class_told(school: School, people: People, now: datetime) -> ClassTold:
    """Who stands where, and what goes wrong in drills and tests; guests are not in it."""
    roster = people.persons.recent()
    names = {one for one in school.desk.names() if not one.startswith(GUEST_PREFIX)}
    dealers = {one.name for one in people.register.people.values() if _deals(one)}
    stands, made = [], []
    for name in sorted(names | dealers | set(roster.joined.values()), key=str.casefold):
        known = (name, *roster.guests_of(name))
        record = people.register.people.get(name)
        stands.append(_stands(school, name, known, record.role if record else None, now))
        given = (*school.desk.answers(known), *_tested(school, known))
        made += [_Made(name, one) for one in given]
    made.sort(key=lambda every: every.one.at)
    return {"people": stands, "kinds": _kinds(school, made), "facts": _facts(school, made)}


def _deals(one: PersonRecord) -> bool:
    return one.role == "dealer" and not one.disabled


def _stands(
    school: School, name: str, known: tuple[str, ...], role: str | None, now: datetime
) -> DealerStands:
    standing = school.desk.standing(known)
    kinds = [one for one in kinds_told(standing.answers) if one["right"] < one["asked"]]
    weakest = min(kinds, key=_share, default=None)
    return {
        "name": name,
        "role": role,
        "all": tally_told(tally(standing.answers)),
        "left": school.desk.left(known),
        "games": school.games(standing),
        "last": standing.answers[-1].at if standing.answers else None,
        "weakest": weakest["title"] if weakest else None,
        "results": school.results(known, now),
    }


def _tested(school: School, known: tuple[str, ...]) -> Iterator[AnsweredItem]:
    """What somebody answered in table tests, where the book has the questions whole."""
    for result in school.examiner.filed().results.values():
        for one in result.items if result.person in known else ():
            if one.put is not None and one.put.given is not None:
                yield AnsweredItem(
                    *(result.sheet, result.hash, one.kind, one.seed, 0, None),
                    *(one.put.wanted, one.put.given, one.right, one.ms, 0, result.ended),
                )


def _share(one: KindTally) -> float:
    """How much is right, with one more of each: one wrong of one is not the worst of all."""
    return (one["right"] + 1) / (one["asked"] + 2)


def _kinds(school: School, made: Sequence[_Made]) -> list[KindMissed]:
    """Every kind, worst first."""
    tallies = kinds_told(one for _, one in made)
    return [_missed(school, one, made) for one in sorted(tallies, key=_share)]


def _missed(school: School, one: KindTally, made: Sequence[_Made]) -> KindMissed:
    wrong = [every for every in made if every.one.kind == one["kind"] and not every.one.right]
    found: KindMissed = {**one, "people": _people(wrong), "example": None}
    for who, given in reversed(wrong[-LOOKED_AT:]):
        if (item := _again(school, given)) is not None:
            found["example"] = _example(school, who, given, item)
            break
    return found


def _example(school: School, who: str, given: AnsweredItem, item: Item) -> Missed:
    currency = school.currency(given.sheet)
    told: Missed = {
        "who": who,
        "sheet_title": school.called(given.sheet),
        "question": question_shown(item.question, currency),
        "answer": item.answer,
        "answer_text": shown(item.question, item.answer),
        "given_text": shown(item.question, given.given),
    }
    return dealt_with(told, currency)


def _facts(school: School, made: Sequence[_Made]) -> list[FactMissed]:
    """What is to be known by heart and was wrong most often, by the rules of today."""
    by_fact: dict[tuple[str, str], list[_Made]] = {}
    for every in made:
        if every.one.fact is not None:
            by_fact.setdefault((every.one.sheet, every.one.fact), []).append(every)
    told: list[FactMissed] = []
    for group in sorted(by_fact.values(), key=lambda group: (-_wrong(group), len(group))):
        item = _again(school, group[-1].one) if _wrong(group) and len(told) < FACTS_MAX else None
        if item is not None:
            told.append(_fact(school, group, item))
    return told


def _fact(school: School, group: Sequence[_Made], item: Item) -> FactMissed:
    told: FactMissed = {
        "sheet_title": school.called(group[-1].one.sheet),
        "ask": item.question.ask,
        "answer_text": shown(item.question, item.answer),
        "wrong": _wrong(group),
        "asked": len(group),
        "people": _people(every for every in group if not every.one.right),
    }
    return dealt_with(told, school.currency(group[-1].one.sheet))


def _wrong(group: Sequence[_Made]) -> int:
    return sum(not every.one.right for every in group)


def _people(made: Iterable[_Made]) -> list[str]:
    return sorted({every.who for every in made}, key=str.casefold)


def _again(school: School, one: AnsweredItem) -> Item | None:
    """A question that was answered, made again; None where its rules are gone."""
    asked = ItemAsked(0, one.sheet, one.hash, one.kind, one.seed, one.at)
    try:
        return school.remake(asked)
    except PitbookError:
        return None
