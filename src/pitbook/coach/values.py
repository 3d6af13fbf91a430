"""JSON records of the coach, and exact amounts of money in text."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NotRequired

from typing_extensions import TypedDict

from pitbook.money import money
from pitbook.rules.report import StakedWager
from pitbook.text import Sentence, say


class Sum(TypedDict):
    """An amount: a fraction of dollars, dollars to the cent, words; `units` are antes or Bets."""

    exact: str
    dollars: str
    text: str
    units: NotRequired[str]


class PlayValue(TypedDict):
    """A play with its worth and its cost; none where the chips do not pay for it."""

    play: str
    title: str
    worth: Sum | None
    cost: Sum | None
    best: bool
    covered: bool


class ValueTerms(TypedDict):
    """What values are measured in, the values, and what would be best with chips for every bet."""

    unit: str
    stake: str
    plays: list[PlayValue]
    best_with_chips: str


class AdviceTold(ValueTerms):
    """What the coach would do, and the exact value of every play."""

    actions: dict[str, str]
    best: str
    cost: dict[str, str]
    why: str


class PlayWeighed(ValueTerms):
    """A play held against the others."""

    play: str
    best: str
    is_best: bool
    cost: Sum
    sentence: str
    why: str


class SheetMet(TypedDict):
    """The sheet that a decision was made by; what its money is in, where that is no US dollars."""

    id: str
    title: str
    hash: str
    currency: NotRequired[str]


class DecisionTold(TypedDict):
    """A decision of practice: what was known, played and best, and what was tried before."""

    round: str
    table: str
    at: str
    sheet: SheetMet
    seat: int
    stage: int
    street: str
    street_title: str
    cards: list[str]
    board: list[str]
    before: list[str]
    wagers: list[StakedWager]
    purse: str | None
    play: str
    best: str
    is_best: bool
    cost: Sum
    why: str
    plays: list[PlayValue]
    tried: list[str]
    first: str
    first_cost: Sum
    advised: bool
    mistake: bool
    arranged: bool


class ScoreTold(TypedDict):
    """How often the best was played, and what the rest gave away."""

    decisions: int
    best: int
    mistakes: int
    accuracy: str | None
    accuracy_text: str | None
    cost: Sum


class LuckShare(TypedDict):
    """Where a result comes from."""

    rounds: int
    expected: Sum
    cost: Sum
    absent: Sum
    short: Sum
    luck: Sum
    net: Sum
    sentence: str | None


# Amounts ------------------------------------------------------------------------------------------


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
