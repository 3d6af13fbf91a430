"""Small words as a dealer says them: hands, numbers, amounts, days and lists."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable

from pitbook.money import Odds, spoken
from pitbook.sheets.model import Stake
from pitbook.sheets.values import Push

__all__ = ["amounts", "bounds", "day", "listed", "number", "outcome", "paid", "way"]

_NUMBERS = (
    *("no", "one", "two", "three", "four", "five", "six"),
    *("seven", "eight", "nine", "ten", "eleven", "twelve"),
)
_RANKS = {
    "2": "twos",
    "3": "threes",
    "4": "fours",
    "5": "fives",
    "6": "sixes",
    "7": "sevens",
    "8": "eights",
    "9": "nines",
    "10": "tens",
    "J": "jacks",
    "Q": "queens",
    "K": "kings",
    "A": "aces",
}
_SINGLE = {rank: "six" if rank == "6" else word[:-1] for rank, word in _RANKS.items()}
_RANK = "|".join(_RANKS)
_PAIR = re.compile(rf"(suited-)?pair-({_RANK})(?:-({_RANK}))?(-flush)?")
_HIGH_CARD = re.compile(rf"high-card-({_RANK})(?:-({_RANK}))?")
_MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)


def outcome(line: str) -> str:
    """A line of a pay table, or a kind of hand, in words.

    >>> outcome("pair-J-A"), outcome("pair-6-10"), outcome("match-5"), outcome("high-card-A")
    ('pair of jacks or better', 'pair of sixes to tens', 'five matches', 'ace high')
    """
    if found := _PAIR.fullmatch(line):
        return _pair(found)
    if found := _HIGH_CARD.fullmatch(line):
        return _high_card(found[1], found[2])
    if line.startswith("match-") and line[6:].isdecimal():
        return counted(int(line[6:]), "match", "matches")
    if line in ("low", "high"):
        return f"{line} hand"
    return line.replace("-", " ")


def _pair(found: re.Match[str]) -> str:
    suited, low, high, flush = found.groups()
    name = f"{'suited ' if suited else ''}pair of {_RANKS[low]}"
    if high:
        name += " or better" if high == "A" else f" to {_RANKS[high]}"
    return name + (" in one suit" if flush else "")


def _high_card(low: str, high: str | None) -> str:
    if high is None or high == low:
        return f"{_SINGLE[low]} high"
    return f"{_SINGLE[low]} high " + ("or better" if high == "A" else f"to {_SINGLE[high]} high")


def called(title: str, venue: str) -> str:
    """A game and where it is dealt; a venue that the title names already is not said again.

    >>> called("Mississippi Stud", "Oceanfront"), called("Louisiana Stud", "Louisiana Stud")
    ('Mississippi Stud, Oceanfront', 'Louisiana Stud')
    """
    return title if title.startswith(venue) else f"{title}, {venue}"


def paid(pay: Odds | Push | None) -> str:
    """What a line does: pays 500:1, pushes or loses."""
    if pay is None:
        return "loses"
    return "pushes" if pay == "push" else f"pays {pay}"


def number(count: int) -> str:
    """A number in words as far as twelve."""
    return _NUMBERS[count] if 0 <= count < len(_NUMBERS) else str(count)


def counted(count: int, one: str, more: str) -> str:
    """A number and what is counted.

    >>> counted(1, "deck", "decks"), counted(6, "deck", "decks")
    ('one deck', 'six decks')
    """
    return f"{number(count)} {one if count == 1 else more}"


def often(count: int) -> str:
    """How often something is done: once, twice, three times."""
    return {1: "once", 2: "twice"}.get(count, f"{number(count)} times")


def listed(words: Iterable[str], last: str = "and") -> str:
    """Words as one says a list.

    >>> listed(["1x", "2x", "3x"], "or")
    '1x, 2x or 3x'
    """
    *first, final = words
    return f"{', '.join(first)} {last} {final}" if first else final


def bounds(stake: Stake) -> str:
    """From the least to the most that may be wagered."""
    if stake.min == stake.max:
        return f"exactly {spoken(stake.min)}"
    return f"{spoken(stake.min)} to {spoken(stake.max)}"


def amounts(cents: Iterable[int]) -> str:
    """Amounts of money as a list."""
    return listed([spoken(one) for one in cents])


def day(date: datetime.date) -> str:
    """A day as a document writes it, whatever the machine's language.

    >>> day(datetime.date(2018, 3, 12))
    '12 March 2018'
    """
    return f"{date.day} {_MONTHS[date.month - 1]} {date.year}"


def way(direction: str) -> str:
    """A direction in words."""
    return direction.replace("-", " ")
