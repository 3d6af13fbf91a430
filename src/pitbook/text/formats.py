"""Money, cards, numbers, days and lists, as each language writes them."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

CARDS = tuple(rank + suit for rank in "23456789TJQKA" for suit in "cdhs")


class Joint(NamedTuple):
    """What stands before the last of a list, and what instead where that begins with a sound."""

    word: str
    instead: str = ""
    before: tuple[str, ...] = ()


class CurrencyFormat(NamedTuple):
    """A currency as a language writes it: before an amount, and where amounts are whole ones."""

    sign: str
    whole: str


DOLLAR = "USD"  # Of sheets that name no currency.
CHIPS = "CHIPS"  # Of tournaments: they are counted, and no money.


class Habits(NamedTuple):
    """How a language writes what is no word."""

    thousands: str
    decimal: str
    numbers: tuple[str, ...]  # In words, from none on.
    months: tuple[str, ...]
    day: str
    joints: Mapping[str, Joint]  # "and" and "or".
    contracted: Mapping[str, str]  # Words that melt into one where they meet.
    currency: CurrencyFormat

    @classmethod
    def read(cls, table: Mapping[str, Any], currency: str = DOLLAR) -> Habits:
        """The habits that a catalogue's table "format" tells, where money is of a currency."""
        joints = {
            name: Joint(one["word"], one.get("instead", ""), tuple(one.get("before", ())))
            for name, one in table["lists"].items()
        }
        numbers, months = tuple(table["numbers"]), tuple(table["months"])
        return cls(
            table["thousands"],
            table["decimal"],
            numbers,
            months,
            table["day"],
            joints,
            table.get("contracted", {}),
            CurrencyFormat(**table["currencies"][currency]),
        )


def amount(cents: int, thousands: str = ",", decimal: str = ".", currency: str = "$") -> str:
    """Money as a dealer says it: no decimals where there are none.

    >>> amount(2500000), amount(250), amount(-123456, ".", ",", "€")
    ('$25,000', '$2.50', '-€1.234,56')
    """
    sign = f"-{currency}" if cents < 0 else currency
    whole, rest = divmod(abs(cents), 100)
    grouped = f"{whole:,}" if thousands == "," else f"{whole:,}".replace(",", thousands)
    return f"{sign}{grouped}{decimal}{rest:02d}" if rest else f"{sign}{grouped}"


def averaged(money: float, digits: int, habits: Habits) -> str:
    """Money that need not be whole cents, as an average is not, to so many decimals."""
    sign = "-" if money < 0 else ""
    whole, _, rest = f"{abs(money):,.{digits}f}".partition(".")
    grouped = whole.replace(",", habits.thousands)
    return f"{sign}{habits.currency.sign}{grouped}{habits.decimal if rest else ''}{rest}"


def listed(words: Iterable[str], joint: Joint) -> str:
    """Words as one says a list.

    >>> listed(["1x", "2x", "3x"], Joint("or")), listed(["a", "ir"], Joint("y", "e", ("i", "hi")))
    ('1x, 2x or 3x', 'a e ir')
    """
    *first, final = words
    if not first:
        return final
    apart = joint.before and final.lower().startswith(joint.before)
    return f"{', '.join(first)} {joint.instead if apart else joint.word} {final}"


Shown = Callable[[Any], str]


def _money(habits: Habits) -> Shown:
    how = habits.thousands, habits.decimal, habits.currency.sign
    if how == (",", ".", "$"):
        return amount
    return lambda cents: amount(cents, *how)


def _chips(habits: Habits) -> Shown:
    """Chips of a tournament: counted like money, with no sign of any."""
    return lambda cents: amount(cents, habits.thousands, habits.decimal, "")


def _whole(habits: Habits) -> Shown:
    return lambda _: habits.currency.whole


def _count(habits: Habits) -> Shown:
    return lambda value: f"{value:,}".replace(",", habits.thousands)


def _number(habits: Habits) -> Shown:
    words = dict(enumerate(habits.numbers))
    return lambda value: words.get(value) or str(value)


def _card(habits: Habits) -> Shown:
    return CARDS.__getitem__


def _cards(habits: Habits) -> Shown:
    return lambda cards: " ".join([CARDS[card] for card in cards])


def _quoted(habits: Habits) -> Shown:
    return lambda value: f'"{value}"'


def _day(habits: Habits) -> Shown:
    def day(date: datetime.date) -> str:
        month = habits.months[date.month - 1]
        return habits.day.format(day=date.day, month=month, year=date.year)

    return day


FORMATS: dict[str, Callable[[Habits], Shown]] = {
    "money": _money,
    "chips": _chips,
    "whole": _whole,
    "count": _count,
    "number": _number,
    "card": _card,
    "cards": _cards,
    "quoted": _quoted,
    "day": _day,
}
