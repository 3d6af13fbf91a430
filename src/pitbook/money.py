"""Money is whole cents and odds are whole numbers; nothing here can round."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import NewType

from pitbook.errors import MoneyError
from pitbook.text import Sentence, say
from pitbook.text.catalogue import signs
from pitbook.text.formats import amount

__all__ = ["Cents", "Odds", "dollars", "money", "odds", "spoken"]

Cents = NewType("Cents", int)

CENTS_MAX = 10**15  # Ten trillion dollars: far above any table, far below 2^53.

_AMOUNT = re.compile(r"[0-9]+(\.[0-9]{2})?")
_GROUPED = re.compile(r"[0-9]{1,3}(,[0-9]{3})+(\.[0-9]*)?")
_BLANKS = " \t\r\n"
_ODDS = re.compile(r"([0-9]{1,9}):([0-9]{1,9})")


def dollars(text: str) -> Cents:
    """The cents that a text like "10" or "10.00" stands for.

    >>> dollars("25000"), dollars("2.50")
    (2500000, 250)
    """
    if not _AMOUNT.fullmatch(text):
        raise MoneyError(say("money.no-amount", text=text, remedy=_amount_remedy(text)))
    whole, _, cents = text.lstrip("0").partition(".")
    if len(whole) > 13:
        raise MoneyError(say("money.too-much", text=text))
    return Cents(int(whole or 0) * 100 + int(cents or 0))


@lru_cache(maxsize=4_096)  # The same amounts are written all evening.
def money(cents: int) -> str:
    """Dollars with two decimals, as contracts and files write them.

    >>> money(-250)
    '-2.50'
    """
    sign = "-" if cents < 0 else ""
    return f"{sign}{abs(cents) // 100}.{abs(cents) % 100:02d}"


def spoken(cents: int) -> str:
    """Dollars as a dealer says them: no decimals where there are none.

    >>> spoken(2500000), spoken(250)
    ('$25,000', '$2.50')
    """
    return amount(cents)


@dataclass(frozen=True, slots=True)
class Odds:
    """What a wager wins for each unit staked: Odds(3, 2) is three to two.

    >>> odds("3:2").wins(Cents(1000))
    1500
    """

    to: int
    one: int = 1

    def wins(self, stake: Cents) -> Cents:
        """The winnings on a stake, without the stake (GEN-3)."""
        won, rest = divmod(stake * self.to, self.one)
        if rest:
            raise MoneyError(say("money.not-whole-cents", stake=stake, odds=str(self)))
        return Cents(won)

    def __str__(self) -> str:
        return f"{self.to}:{self.one}"

    def __lt__(self, other: Odds) -> bool:
        return self.to * other.one < other.to * self.one

    def __le__(self, other: Odds) -> bool:
        return self.to * other.one <= other.to * self.one


def odds(text: str) -> Odds:
    """The odds that a text like "500:1" stands for."""
    found = _ODDS.fullmatch(text)
    if not found:
        raise MoneyError(say("money.no-odds", text=text))
    to, one = int(found[1]), int(found[2])
    if not to or not one:
        raise MoneyError(say("money.odds-of-nothing", text=text))
    return Odds(to, one)


def _amount_remedy(text: str) -> Sentence:
    plain = _unsigned(text.strip(_BLANKS))
    if plain.startswith("-"):
        return say("money.not-negative")
    if "," in plain and not _GROUPED.fullmatch(plain):
        return _comma_remedy(plain)
    plain = plain.replace(",", "")
    if re.fullmatch(r"[0-9]+\.[0-9]{3,}", plain):
        return _thousands_remedy(plain)
    if re.fullmatch(r"[0-9]+\.[0-9]", plain):
        return say("money.write", text=f"{plain}0")
    if plain != text and _AMOUNT.fullmatch(plain):
        return say("money.write", text=plain)
    return say("money.write-amount")


def _unsigned(text: str) -> str:
    """An amount without the sign of whichever currency stands before it."""
    return next((text.removeprefix(one) for one in signs() if text.startswith(one)), text)


def _comma_remedy(plain: str) -> Sentence:
    """For "5,0", which one reads as five and another as fifty: nobody here decides that."""
    if found := re.fullmatch(r"([0-9]+),([0-9]{1,2})", plain):
        whole, cents = found[1], found[2]
        both = {"decimal": f"{whole}.{cents:0<2}", "whole": f"{whole}{cents}"}
        return say("money.comma", **both)
    return say("money.commas")


def _thousands_remedy(plain: str) -> Sentence:
    if re.fullmatch(r"[1-9][0-9]{0,2}\.[0-9]{3}", plain):
        return say("money.finer-or-thousands", text=plain.replace(".", ""))
    return say("money.finer")
