"""JSON records of the coach, and exact amounts of money in text."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NotRequired

from typing_extensions import TypedDict

from pitbook.money import money
from pitbook.rules.report import StakedWager
from pitbook.text import Sentence, say


class Sum(TypedDict):
    """An amount in exact dollars, rounded dollars and words; `units` are antes or Bets."""

    exact: str
    dollars: str
    text: str
    units: NotRequired[str]


class PlayValue(TypedDict):
    """A play with its value and cost; null if the player's chips do not cover it."""

    play: str
    title: str
    worth: Sum | None
    cost: Sum | None
    best: bool
    covered: bool


class ValueTerms(TypedDict):
    """The unit of the values, the values, and the best play with enough chips."""

    unit: str
    stake: str
    plays: list[PlayValue]
    best_with_chips: str


class AdviceTold(ValueTerms):
    """The coach's recommendation, and the exact value of every play."""

    actions: dict[str, str]
    best: str
    cost: dict[str, str]
    why: str


class PlayWeighed(ValueTerms):
    """A play compared with the others."""

    play: str
    best: str
    is_best: bool
    cost: Sum
    sentence: str
    why: str


class SheetMet(TypedDict):
    """The rule sheet of a decision; `currency` is omitted for US dollars."""

    id: str
    title: str
    hash: str
    currency: NotRequired[str]


class DecisionTold(TypedDict):
    """A decision from practice: what the player knew, played and tried, and the best play."""

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
    """How often the best play was made, and what the rest cost."""

    decisions: int
    best: int
    mistakes: int
    accuracy: str | None
    accuracy_text: str | None
    cost: Sum


class LuckShare(TypedDict):
    """The parts of a result."""

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


def render_amount(cents: Fraction) -> Sentence:
    """An amount in words.

    >>> render_amount(Fraction(1203, 10)), render_amount(Fraction(-1, 3))
    ('$1.20', 'less than a cent')
    >>> render_amount(Fraction(0))
    '$0'
    """
    cents_rounded = round(cents)
    if cents_rounded or not cents:
        return say("train.amount", amount=cents_rounded)
    return say("train.less-than-a-cent")


def amount_json(cents: Fraction) -> Sum:
    """An amount as JSON: a fraction of dollars, dollars to the cent, and words.

    >>> amount_json(Fraction(-31000, 49))
    {'exact': '-310/49', 'dollars': '-6.33', 'text': '-$6.33'}
    """
    return {"exact": str(cents / 100), "dollars": money(round(cents)), "text": render_amount(cents)}
