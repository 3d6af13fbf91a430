"""A table test for a spreadsheet: every question, its cards, what was answered, the time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import repeat

from pitbook.spreadsheet import csv_text
from pitbook.text import Sentence, in_language, say, speech
from pitbook.text.catalogue import ENGLISH
from pitbook.train.drills.item import Lies, Option, Question, SeatLies
from pitbook.train.school.facts import ExamResult, ResultItem

COLUMNS = (
    *("number", "kind", "question", "answer", "given", "right", "seconds", "seed"),
    *("felt", "told", "options"),
)


def answers_csv(result: ExamResult, currency: str | None = None) -> str:
    """All questions of a test as comma-separated values, a header first."""
    words = speech(ENGLISH, currency)
    rows = (_row(number, item, words) for number, item in enumerate(result.items, start=1))
    return csv_text([COLUMNS, *rows])


def _row(number: int, one: ResultItem, words: str) -> list[str]:
    right, seconds = "yes" if one.right else "no", f"{one.ms / 1000:.1f}"
    kept = [str(number), one.kind, one.question, one.wanted, one.given, right, seconds, one.seed]
    put = _put(one.put.question) if one.put else repeat((), 3)
    return [*kept, *("; ".join(in_language(part, words) for part in many) for many in put)]


def _put(question: Question) -> Iterator[Iterable[str]]:
    """What lay on the felt, what was told, and what could be chosen or cut."""
    yield _felt(question.lies) if question.lies else ()
    yield question.lines
    chips = [say("drills.on-file.chips", chips=question.chips)] if question.chips else []
    yield chips or map(_option, question.options)


def _felt(lies: Lies) -> Iterator[Sentence]:
    for title, cards in lies.common:
        if cards:
            yield say("drills.on-file.common", title=title, cards=cards)
    yield from map(_seat, lies.seats)


def _seat(seat: SeatLies) -> Sentence:
    bets = tuple(say("drills.on-file.bet", title=title, amount=n) for title, n in seat.wagers)
    cards = (say("drills.cards", cards=seat.cards),) if seat.cards else ()
    return say("drills.on-file.seat", seat=seat.seat, shown=(*cards, *bets, *seat.plays))


def _option(option: Option) -> Sentence:
    cards = (say("drills.cards", cards=option.cards),) if option.cards else ()
    texts = (option.text,) if option.text else ()
    return say("drills.on-file.option", letter=option.id, shown=(*texts, *cards))
