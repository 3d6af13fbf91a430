"""Money is whole cents and odds are whole numbers; nothing here can round."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NewType

from pitbook.errors import MoneyError
from pitbook.wording.formats import amount

__all__ = ["Cents", "Odds", "dollars", "money", "odds", "spoken"]

Cents = NewType("Cents", int)

CENTS_MAX = 10**15  # Ten trillion dollars: far above any table, far below 2^53.

_AMOUNT = re.compile(r"[0-9]+(\.[0-9]{2})?", re.ASCII)
_GROUPED = re.compile(r"[0-9]{1,3}(,[0-9]{3})+(\.[0-9]*)?", re.ASCII)
_BLANKS = " \t\r\n"
_ODDS = re.compile(r"([0-9]{1,9}):([0-9]{1,9})", re.ASCII)


def dollars(text: str) -> Cents:
    """The cents that a text like "10" or "10.00" stands for.

    >>> dollars("25000"), dollars("2.50")
    (2500000, 250)
    """
    if not _AMOUNT.fullmatch(text):
        raise MoneyError(f'"{text}" is no amount of money{_amount_remedy(text)}')
    whole, _, cents = text.lstrip("0").partition(".")
    if len(whole) > 13:
        raise MoneyError(f'"{text}" is more money than any table holds')
    return Cents(int(whole or 0) * 100 + int(cents or 0))


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
            raise MoneyError(f"{spoken(stake)} at {self} does not come to whole cents")
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
        raise MoneyError(f'"{text}" is no odds; write them as in "3:1"')
    to, one = int(found[1]), int(found[2])
    if not to or not one:
        raise MoneyError(f'odds of "{text}" pay nothing; both sides must be 1 or more')
    return Odds(to, one)


def _amount_remedy(text: str) -> str:
    plain = text.strip(_BLANKS).removeprefix("$")
    if plain.startswith("-"):
        return "; it must not be negative"
    if "," in plain and not _GROUPED.fullmatch(plain):
        return _comma_remedy(plain)
    plain = plain.replace(",", "")
    if re.fullmatch(r"[0-9]+\.[0-9]{3,}", plain, re.ASCII):
        return f"; nothing is finer than a cent{_thousands_remedy(plain)}"
    if re.fullmatch(r"[0-9]+\.[0-9]", plain, re.ASCII):
        return f'; write "{plain}0"'
    if plain != text and _AMOUNT.fullmatch(plain):
        return f'; write "{plain}"'
    return '; write dollars as in "10" or "10.00"'


def _comma_remedy(plain: str) -> str:
    """For "5,0", which one reads as five and another as fifty: nobody here decides that."""
    if found := re.fullmatch(r"([0-9]+),([0-9]{1,2})", plain, re.ASCII):
        whole, cents = found[1], found[2]
        return f'; a comma is no decimal point: write "{whole}.{cents:0<2}" or "{whole}{cents}"'
    return '; commas go before groups of three digits alone: write dollars as in "1000" or "10.00"'


def _thousands_remedy(plain: str) -> str:
    if re.fullmatch(r"[1-9][0-9]{0,2}\.[0-9]{3}", plain, re.ASCII):
        return f'; for thousands write "{plain.replace(".", "")}"'
    return ""
