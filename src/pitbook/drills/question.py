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
TYPED_FORMS: tuple[AnswerForm, ...] = ("amount", "number")
NUMBER = re.compile(r"[0-9][0-9.,]*")


class SeatLayout(NamedTuple):
    """A seat as shown: its cards, its wagers by title and its plays."""

    seat: int
    cards: tuple[Card, ...]
    wagers: tuple[tuple[str, Cents], ...]  # By title.
    plays: tuple[str, ...] = ()


class Layout(NamedTuple):
    """The layout: common cards by title, then the seats."""

    common: tuple[tuple[str, tuple[Card, ...]], ...] = ()
    seats: tuple[SeatLayout, ...] = ()


class Option(NamedTuple):
    """A choice: its letter, its text, and its cards if any."""

    id: str
    text: str
    cards: tuple[Card, ...] = ()


class Reason(NamedTuple):
    """Why an answer is right, and the clause that says so."""

    text: str
    clause: str | None


class Question(NamedTuple):
    """Everything a trainee sees of a question."""

    ask: str
    form: AnswerForm
    lies: Layout | None = None
    lines: tuple[str, ...] = ()
    options: tuple[Option, ...] = ()
    chips: tuple[Cents, ...] = ()
    pick: int | None = None  # How many options to choose.

    def texts(self) -> Iterator[str]:
        """Every text and amount shown, except the options of a choice."""
        yield self.ask
        yield from self.lines
        for option in self.options:
            yield option.text
        for seat in self.lies.seats if self.lies else ():
            yield str(seat.seat)
            yield from (f"{title} {money(amount)}" for title, amount in seat.wagers)
            yield from seat.plays

    def document(self) -> dict[str, Any]:
        """The question as JSON, without the answer."""
        lies = self.lies
        return {
            "ask": self.ask,
            "form": self.form,
            "common": [] if lies is None else [_common_json(*pile) for pile in lies.common],
            "seats": [] if lies is None else [_seat_json(seat) for seat in lies.seats],
            "lines": list(self.lines),
            "options": [_option_json(option) for option in self.options],
            "chips": [money(value) for value in self.chips],
            "pick": self.pick,
        }


@dataclass(frozen=True)
class Item:
    """A question of a kind, with its answer, the reasons and the amount of work."""

    kind: str
    question: Question
    answer: str
    reasons: tuple[Reason, ...]
    work: int  # Steps of arithmetic: the initial estimate of difficulty.
    fact: str | None = None  # The fact to memorize, if that is all the question asks.
    # For the tests that check the answer.
    evidence: Mapping[str, Any] | None = field(default=None, compare=False)

    @property
    def clauses(self) -> tuple[str, ...]:
        """The distinct clauses that the answer cites."""
        return tuple(dict.fromkeys(reason.clause for reason in self.reasons if reason.clause))

    @property
    def reveals_answer(self) -> bool:
        """Whether the question already shows the number it asks for."""
        if self.question.form not in TYPED_FORMS:
            return False
        numbers = (mark for text in self.question.texts() for mark in NUMBER.findall(text))
        return _comparable_number(self.answer) in {_comparable_number(mark) for mark in numbers}


def label_options(options: Sequence[tuple[str, tuple[Card, ...]]]) -> tuple[Option, ...]:
    """Options labeled a, b, c, … in order."""
    letters = [*ascii_lowercase, *(f"a{letter}" for letter in ascii_lowercase)]
    return tuple(
        Option(letter, text, cards) for letter, (text, cards) in zip(letters, options, strict=False)
    )


def _comparable_number(number: str) -> str:
    """A number in comparable form: 25.00, 25 and 25. are equal."""
    whole, _, fraction = number.replace(",", "").strip(".").partition(".")
    return whole if not fraction.strip("0") else f"{whole}.{fraction}"


def _common_json(title: str, cards: tuple[Card, ...]) -> dict[str, Any]:
    return {"title": title, "cards": [name(card) for card in cards]}


def _seat_json(seat: SeatLayout) -> dict[str, Any]:
    return {
        "seat": seat.seat,
        "cards": [name(card) for card in seat.cards],
        "wagers": [[title, money(amount)] for title, amount in seat.wagers],
        "plays": list(seat.plays),
    }


def _option_json(option: Option) -> dict[str, Any]:
    return {"id": option.id, "text": option.text, "cards": [name(card) for card in option.cards]}
