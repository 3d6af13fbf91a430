"""Money in whole cents, and odds in whole numbers; nothing here rounds."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import NewType

from pitbook.errors import MoneyError
from pitbook.text import Sentence, say
from pitbook.text.catalog import currency_signs
from pitbook.text.formats import money_text

__all__ = ["Cents", "Odds", "dollar_text", "dollars", "money", "odds"]

Cents = NewType("Cents", int)

CENTS_MAX = 10**15  # Ten trillion dollars: far above any table, far below 2^53.

_AMOUNT = re.compile(r"[0-9]+(\.[0-9]{2})?")
_GROUPED = re.compile(r"[0-9]{1,3}(,[0-9]{3})+(\.[0-9]*)?")
_BLANKS = " \t\r\n"
_ODDS = re.compile(r"([0-9]{1,9}):([0-9]{1,9})")


def dollars(text: str) -> Cents:
    """The cents for a text like "10" or "10.00".

    >>> dollars("25000"), dollars("2.50")
    (2500000, 250)
    """
    if not _AMOUNT.fullmatch(text):
        raise MoneyError(say("money.no-amount", text=text, remedy=_amount_remedy(text)))
    whole, _, cents = text.lstrip("0").partition(".")
    if len(whole) > 13:
        raise MoneyError(say("money.too-much", text=text))
    return Cents(int(whole or 0) * 100 + int(cents or 0))


@lru_cache(maxsize=4_096)  # The same amounts occur again and again.
def money(cents: int) -> str:
    """Dollars with two decimals, as in JSON and files.

    >>> money(-250)
    '-2.50'
    """
    sign = "-" if cents < 0 else ""
    return f"{sign}{abs(cents) // 100}.{abs(cents) % 100:02d}"


def dollar_text(cents: int) -> str:
    """Dollars with a sign, and decimals only if needed.

    >>> dollar_text(2500000), dollar_text(250)
    ('$25,000', '$2.50')
    """
    return money_text(cents)


@dataclass(frozen=True, slots=True)
class Odds:
    """The win per unit staked: Odds(3, 2) is three to two.

    >>> odds("3:2").wins(Cents(1000))
    1500
    """

    to: int
    one: int = 1

    def wins(self, stake: Cents) -> Cents:
        """The winnings on a stake, excluding the stake (GEN-3)."""
        if self.one == 1:
            return Cents(stake * self.to)
        win, remainder = divmod(stake * self.to, self.one)
        if remainder:
            raise MoneyError(say("money.not-whole-cents", stake=stake, odds=str(self)))
        return Cents(win)

    def __str__(self) -> str:
        return f"{self.to}:{self.one}"

    def __lt__(self, other: Odds) -> bool:
        return self.to * other.one < other.to * self.one

    def __le__(self, other: Odds) -> bool:
        return self.to * other.one <= other.to * self.one


def odds(text: str) -> Odds:
    """The odds for a text like "500:1"."""
    match = _ODDS.fullmatch(text)
    if not match:
        raise MoneyError(say("money.no-odds", text=text))
    to, stake_units = int(match[1]), int(match[2])
    if not to or not stake_units:
        raise MoneyError(say("money.odds-of-nothing", text=text))
    return Odds(to, stake_units)


def _amount_remedy(text: str) -> Sentence:
    plain = _without_sign(text.strip(_BLANKS))
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


def _without_sign(text: str) -> str:
    """An amount without its currency sign."""
    return next(
        (text.removeprefix(sign) for sign in currency_signs() if text.startswith(sign)), text
    )


def _comma_remedy(plain: str) -> Sentence:
    """For "5,0", which is ambiguous: five in some countries, fifty in others."""
    if match := re.fullmatch(r"([0-9]+),([0-9]{1,2})", plain):
        whole, cents = match[1], match[2]
        values = {"decimal": f"{whole}.{cents:0<2}", "whole": f"{whole}{cents}"}
        return say("money.comma", **values)
    return say("money.commas")


def _thousands_remedy(plain: str) -> Sentence:
    if re.fullmatch(r"[1-9][0-9]{0,2}\.[0-9]{3}", plain):
        return say("money.finer-or-thousands", text=plain.replace(".", ""))
    return say("money.finer")
