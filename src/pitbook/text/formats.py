"""Formats of money, cards, numbers, days and lists in each language."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

CARDS = tuple(rank + suit for rank in "23456789TJQKA" for suit in "cdhs")


class Conjunction(NamedTuple):
    """The word before the last element of a list, and its variant before certain sounds."""

    word: str
    variant: str = ""
    variant_before: tuple[str, ...] = ()


class CurrencyFormat(NamedTuple):
    """A currency in a language: its sign, and the text for "whole amounts"."""

    sign: str
    whole: str


DOLLAR = "USD"  # For sheets that name no currency.
CHIPS = "CHIPS"  # For tournaments: chips are counted and are not money.


class Conventions(NamedTuple):
    """How a language writes numbers, money, days and lists."""

    thousands: str
    decimal: str
    numbers: tuple[str, ...]  # Number words, from zero.
    months: tuple[str, ...]
    day: str
    conjunctions: Mapping[str, Conjunction]  # "and" and "or".
    contractions: Mapping[str, str]  # Pairs of words and their contractions.
    currency: CurrencyFormat

    @classmethod
    def read(cls, table: Mapping[str, Any], currency: str = DOLLAR) -> Conventions:
        """Read the table "format" of a catalog for a currency."""
        conjunctions = {
            name: Conjunction(
                entry["word"], entry.get("instead", ""), tuple(entry.get("before", ()))
            )
            for name, entry in table["lists"].items()
        }
        numbers, months = tuple(table["numbers"]), tuple(table["months"])
        return cls(
            table["thousands"],
            table["decimal"],
            numbers,
            months,
            table.get("days", {}).get(currency, table["day"]),
            conjunctions,
            table.get("contracted", {}),
            CurrencyFormat(**table["currencies"][currency]),
        )


def money_text(cents: int, thousands: str = ",", decimal: str = ".", currency: str = "$") -> str:
    """Money as a dealer says it, without decimals for whole amounts.

    >>> money_text(2500000), money_text(250), money_text(-123456, ".", ",", "€")
    ('$25,000', '$2.50', '-€1.234,56')
    """
    sign = f"-{currency}" if cents < 0 else currency
    whole, cents_part = divmod(abs(cents), 100)
    grouped = f"{whole:,}" if thousands == "," else f"{whole:,}".replace(",", thousands)
    return f"{sign}{grouped}{decimal}{cents_part:02d}" if cents_part else f"{sign}{grouped}"


def average_text(money: float, digits: int, conventions: Conventions) -> str:
    """An average amount, which need not be whole cents, with this many decimals."""
    sign = "-" if money < 0 else ""
    whole, _, decimals = f"{abs(money):,.{digits}f}".partition(".")
    grouped = whole.replace(",", conventions.thousands)
    point = conventions.decimal if decimals else ""
    return f"{sign}{conventions.currency.sign}{grouped}{point}{decimals}"


def list_text(words: Iterable[str], conjunction: Conjunction) -> str:
    """Words as a spoken list.

    >>> list_text(["1x", "2x", "3x"], Conjunction("or"))
    '1x, 2x or 3x'
    >>> list_text(["a", "ir"], Conjunction("y", "e", ("i", "hi")))
    'a e ir'
    """
    *first, final = words
    if not first:
        return final
    uses_variant = conjunction.variant_before and final.lower().startswith(
        conjunction.variant_before
    )
    return f"{', '.join(first)} {conjunction.variant if uses_variant else conjunction.word} {final}"


ValueFormatter = Callable[[Any], str]


def _money(conventions: Conventions) -> ValueFormatter:
    style = conventions.thousands, conventions.decimal, conventions.currency.sign
    if style == (",", ".", "$"):
        return money_text
    return lambda cents: money_text(cents, *style)


def _chips(conventions: Conventions) -> ValueFormatter:
    """Tournament chips: formatted like money, without a sign."""
    return lambda cents: money_text(cents, conventions.thousands, conventions.decimal, "")


def _whole(conventions: Conventions) -> ValueFormatter:
    return lambda _: conventions.currency.whole


def _count(conventions: Conventions) -> ValueFormatter:
    return lambda value: f"{value:,}".replace(",", conventions.thousands)


def _number(conventions: Conventions) -> ValueFormatter:
    words = dict(enumerate(conventions.numbers))
    return lambda value: words.get(value) or str(value)


def _card(conventions: Conventions) -> ValueFormatter:
    return CARDS.__getitem__


def _cards(conventions: Conventions) -> ValueFormatter:
    return lambda cards: " ".join([CARDS[card] for card in cards])


def _quote(conventions: Conventions) -> ValueFormatter:
    return lambda value: f'"{value}"'


def _day(conventions: Conventions) -> ValueFormatter:
    def format_day(date: datetime.date) -> str:
        month = conventions.months[date.month - 1]
        return conventions.day.format(day=date.day, month=month, year=date.year)

    return format_day


FORMATS: dict[str, Callable[[Conventions], ValueFormatter]] = {
    "money": _money,
    "chips": _chips,
    "whole": _whole,
    "count": _count,
    "number": _number,
    "card": _card,
    "cards": _cards,
    "quoted": _quote,
    "day": _day,
}
