"""The exact value of every play in a spot, and what a worse play costs."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, NotRequired

from typing_extensions import TypedDict

from pitbook.money import Cents, money
from pitbook.rules.actions import PASSED, Play
from pitbook.rules.cost_to_end import highest_cost
from pitbook.rules.game import Seat
from pitbook.rules.result_json import StakedWager
from pitbook.rules.round import Round
from pitbook.text import Sentence, say

if TYPE_CHECKING:
    from pitbook.exact.methods.method import Advice


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


class AdviceValues(ValueTerms):
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


class SheetReference(TypedDict):
    """The rule sheet of a decision; `currency` is omitted for US dollars."""

    id: str
    title: str
    hash: str
    currency: NotRequired[str]


class DecisionSummary(TypedDict):
    """A decision from practice: what the player knew, played and tried, and the best play."""

    round: str
    table: str
    at: str
    sheet: SheetReference
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


class DecisionScore(TypedDict):
    """How often the best play was made, and what the rest cost."""

    decisions: int
    best: int
    mistakes: int
    accuracy: str | None
    accuracy_text: str | None
    cost: Sum


class ResultBreakdownDocument(TypedDict):
    """A result broken down into expectation, mistakes, absence, lack of chips and luck, as JSON."""

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


@dataclass(frozen=True)
class WeighedDecision:
    """One decision: the exact value of every play to a player with so many chips left."""

    advice: Advice  # With the player's actual chips: only the plays they cover.
    ample: Advice  # With enough chips for every bet.
    stake: Cents  # One ante, or one Bet.
    unit: str

    @property
    def covered(self) -> tuple[str, ...]:
        """The plays that the player's chips cover."""
        return tuple(self.advice.actions)

    @property
    def best(self) -> str:
        """The best of the covered plays."""
        return self.advice.best

    def worth(self, play: str) -> Fraction:
        """The value of the round from here with that play, in cents."""
        return self._value_by_play[play] * self.stake

    @cached_property
    def _value_by_play(self) -> dict[str, Fraction]:
        return {play: value for play, value in self.advice.actions.items()}  # noqa: C416  By text.

    def cost(self, play: str) -> Fraction:
        """What a play costs against the best covered play, in cents."""
        return self.worth(self.best) - self.worth(play)

    @property
    def hint(self) -> Sentence:
        """The best play, and why."""
        fields = {"best": _render_play_name(self.best), "why": self.advice.why}
        if self.best == self.ample.best:
            return say("train.best", **fields)
        return say("train.best-with-chips", more=_render_play_name(self.ample.best), **fields)

    def verdict(self, play: str) -> Sentence:
        """One sentence on a play."""
        fields = {"play": _render_play_name(play), "best": _render_play_name(self.best)}
        if cost := self.cost(play):
            return say("train.gives-away", cost=render_amount(cost), **fields)
        if play == self.best:
            return say("train.is-best", play=_render_play_name(play))
        return say("train.as-good", **fields)

    @cached_property
    def plays(self) -> list[PlayValue]:
        """Every play with its value and cost, as JSON; null if it is not covered."""
        return [
            {
                "play": play,
                "title": play.label,
                "worth": self._sum(self.worth(play)) if play in self.covered else None,
                "cost": self._sum(self.cost(play)) if play in self.covered else None,
                "best": play == self.best,
                "covered": play in self.covered,
            }
            for play in self.ample.actions
        ]

    def weighing(self, play: str) -> PlayWeighed:
        """A play compared with the others, as JSON."""
        return {
            "play": play,
            "best": self.best,
            "is_best": not self.cost(play),
            "cost": self._sum(self.cost(play)),
            "sentence": self.verdict(play),
            "why": self.advice.why,
            **self.terms(),
        }

    def terms(self) -> ValueTerms:
        """The unit of the values, the values, and the best play with more chips."""
        return {
            "unit": self.unit,
            "stake": money(self.stake),
            "plays": self.plays,
            "best_with_chips": self.ample.best,
        }

    def _sum(self, cents: Fraction) -> Sum:
        return {"units": str(cents / self.stake), **amount_json(cents)}


def _render_play_name(play: str) -> Sentence:
    return say("exact.why.play", play=str(play))


def weigh(round: Round, seat: Seat, chips: int | None = None) -> WeighedDecision:
    """Evaluate every play given what the player knows; `chips` None is enough for every bet."""
    unit, stake = seat.main[0]
    ample = advise_seat(round, seat)
    enough = chips is None or covers_all_bets(round, seat, chips)
    advice = ample if enough else advise_seat(round, seat, chips)
    return WeighedDecision(advice, ample, stake, unit)


def advise_seat(round: Round, seat: Seat, chips: int | None = None) -> Advice:
    """The exact value of every play at the seat's stakes, with every cap. Raises SpotError."""
    from pitbook.exact.advice import advise  # noqa: PLC0415  Imports NumPy, and takes a while.

    game = round.game
    return advise(
        game.sheet,
        seat.cards,
        [card for pile in round.common for card in pile] if game.board_open_in_play else (),
        plays_made(seat),
        ante=seat.main[0][1],
        side=dict(seat.side),
        purse=None if chips is None else Cents(chips),
    )


def plays_made(seat: Seat) -> tuple[Play, ...]:
    """A seat's plays so far, without stages that asked for none."""
    return tuple(play for play in seat.plays if play != PASSED)


def covers_all_bets(round: Round, seat: Seat, chips: int) -> bool:
    """Whether these chips cover every bet that the hand can still make."""
    return chips >= highest_cost(round.game, seat, round.stage)
