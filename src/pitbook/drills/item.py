"""A drill question: what it shows, how it is answered, and its correct answer with reasons."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from string import ascii_lowercase
from typing import Any, Literal, NamedTuple

from pitbook.cards import Card, name
from pitbook.money import Cents, money

AnswerForm = Literal["amount", "number", "chips", "choice", "choices", "order", "steps"]
TYPED: tuple[AnswerForm, ...] = ("amount", "number")
MARKS = re.compile(r"[0-9][0-9.,]*")


class SeatLies(NamedTuple):
    """A position as it is shown: its cards, what lies on its wagers, what it has played."""

    seat: int
    cards: tuple[Card, ...]
    wagers: tuple[tuple[str, Cents], ...]  # By title.
    plays: tuple[str, ...] = ()


class Lies(NamedTuple):
    """What lies on the felt: cards in common by title, then the seats."""

    common: tuple[tuple[str, tuple[Card, ...]], ...] = ()
    seats: tuple[SeatLies, ...] = ()


class Option(NamedTuple):
    """Something to choose: a letter that says nothing, a text, and cards where it has some."""

    id: str
    text: str
    cards: tuple[Card, ...] = ()


class Reason(NamedTuple):
    """Why an answer is right, and the clause that says so."""

    text: str
    clause: str | None


class Question(NamedTuple):
    """All that somebody who is asked may see."""

    ask: str
    form: AnswerForm
    lies: Lies | None = None
    lines: tuple[str, ...] = ()
    options: tuple[Option, ...] = ()
    chips: tuple[Cents, ...] = ()
    pick: int | None = None  # So many of the options are to be chosen.

    def texts(self) -> Iterator[str]:
        """Every text and amount that is shown, but for the options of a choice."""
        yield self.ask
        yield from self.lines
        for option in self.options:
            yield option.text
        for seat in self.lies.seats if self.lies else ():
            yield str(seat.seat)
            yield from (f"{title} {money(amount)}" for title, amount in seat.wagers)
            yield from seat.plays

    def document(self) -> dict[str, Any]:
        """The question as JSON: the answer is not in it."""
        lies = self.lies
        return {
            "ask": self.ask,
            "form": self.form,
            "common": [] if lies is None else [_common(*one) for one in lies.common],
            "seats": [] if lies is None else [_seat(one) for one in lies.seats],
            "lines": list(self.lines),
            "options": [_option(one) for one in self.options],
            "chips": [money(value) for value in self.chips],
            "pick": self.pick,
        }


@dataclass(frozen=True)
class Item:
    """A question of a kind, its one right answer, why, and how much work it is."""

    kind: str
    question: Question
    answer: str
    reasons: tuple[Reason, ...]
    work: int  # Steps of arithmetic: the first guess of how hard it is.
    fact: str | None = None  # What is to be known by heart, where that is all.
    evidence: Mapping[str, Any] | None = field(default=None, compare=False)  # For who checks it.

    @property
    def clauses(self) -> tuple[str, ...]:
        """The clauses that the answer rests on, once each."""
        return tuple(dict.fromkeys(one.clause for one in self.reasons if one.clause))

    @property
    def gives_itself_away(self) -> bool:
        """Whether a number that is asked for stands in the question already."""
        if self.question.form not in TYPED:
            return False
        shown = (mark for text in self.question.texts() for mark in MARKS.findall(text))
        return _plain(self.answer) in {_plain(mark) for mark in shown}


def lettered(options: Sequence[tuple[str, tuple[Card, ...]]]) -> tuple[Option, ...]:
    """Options with a letter each, by where they stand."""
    letters = [*ascii_lowercase, *(f"a{one}" for one in ascii_lowercase)]
    return tuple(
        Option(letter, text, cards) for letter, (text, cards) in zip(letters, options, strict=False)
    )


def _plain(number: str) -> str:
    """A number as it is compared: 25.00, 25 and 25. are the same."""
    whole, _, rest = number.replace(",", "").strip(".").partition(".")
    return whole if not rest.strip("0") else f"{whole}.{rest}"


def _common(title: str, cards: tuple[Card, ...]) -> dict[str, Any]:
    return {"title": title, "cards": [name(card) for card in cards]}


def _seat(seat: SeatLies) -> dict[str, Any]:
    return {
        "seat": seat.seat,
        "cards": [name(card) for card in seat.cards],
        "wagers": [[title, money(amount)] for title, amount in seat.wagers],
        "plays": list(seat.plays),
    }


def _option(option: Option) -> dict[str, Any]:
    return {"id": option.id, "text": option.text, "cards": [name(one) for one in option.cards]}
