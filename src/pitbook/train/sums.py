"""Sums of money that need not be whole cents: exact for the record, rounded for people."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from pitbook.money import money
from pitbook.text import Sentence, say
from pitbook.train.shapes import Sum

Json = dict[str, Any]


def told(cents: Fraction) -> Sentence:
    """An amount as the coach says it.

    >>> told(Fraction(1203, 10)), told(Fraction(-1, 3)), told(Fraction(0))
    ('$1.20', 'less than a cent', '$0')
    """
    whole = round(cents)
    if whole or not cents:
        return say("train.amount", amount=whole)
    return say("train.less-than-a-cent")


def document(cents: Fraction) -> Sum:
    """An amount as JSON: a fraction of dollars, dollars to the cent, and words.

    >>> document(Fraction(-31000, 49))
    {'exact': '-310/49', 'dollars': '-6.33', 'text': '-$6.33'}
    """
    return {"exact": str(cents / 100), "dollars": money(round(cents)), "text": told(cents)}
