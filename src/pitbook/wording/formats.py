"""Money, cards, numbers, days and lists, as each language writes them."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

__all__ = ["FORMATS", "Habits", "Joint", "amount", "listed"]

CARDS = tuple(rank + suit for rank in "23456789TJQKA" for suit in "cdhs")


class Joint(NamedTuple):
    """What stands before the last of a list, and what instead where that begins with a sound."""

    word: str
    instead: str = ""
    before: tuple[str, ...] = ()


class Habits(NamedTuple):
    """How a language writes what is no word."""

    thousands: str
    decimal: str
    numbers: tuple[str, ...]  # In words, from none on.
    months: tuple[str, ...]
    day: str
    joints: Mapping[str, Joint]  # "and" and "or".
    contracted: Mapping[str, str]  # Words that melt into one where they meet.

    @classmethod
    def read(cls, table: Mapping[str, Any]) -> Habits:
        """The habits that a catalogue's table "format" tells."""
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
        )


def amount(cents: int, thousands: str = ",", decimal: str = ".") -> str:
    """Dollars as a dealer says them: no decimals where there are none.

    >>> amount(2500000), amount(250), amount(-123456, ".", ",")
    ('$25,000', '$2.50', '-$1.234,56')
    """
    sign = "-" if cents < 0 else ""
    whole, rest = divmod(abs(cents), 100)
    grouped = f"{whole:,}" if thousands == "," else f"{whole:,}".replace(",", thousands)
    return f"{sign}${grouped}" + (f"{decimal}{rest:02d}" if rest else "")


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


def _money(value: Any, habits: Habits) -> str:
    return amount(value, habits.thousands, habits.decimal)


def _count(value: Any, habits: Habits) -> str:
    return f"{value:,}".replace(",", habits.thousands)


def _number(value: Any, habits: Habits) -> str:
    return habits.numbers[value] if 0 <= value < len(habits.numbers) else str(value)


def _card(value: int, habits: Habits) -> str:
    return CARDS[value]


def _cards(value: Sequence[int], habits: Habits) -> str:
    return " ".join([CARDS[card] for card in value])


def _quoted(value: Any, habits: Habits) -> str:
    return f'"{value}"'


def _day(value: datetime.date, habits: Habits) -> str:
    month = habits.months[value.month - 1]
    return habits.day.format(day=value.day, month=month, year=value.year)


FORMATS: dict[str, Callable[[Any, Habits], str]] = {
    "money": _money,
    "count": _count,
    "number": _number,
    "card": _card,
    "cards": _cards,
    "quoted": _quoted,
    "day": _day,
}
