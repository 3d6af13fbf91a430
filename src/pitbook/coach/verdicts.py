"""The exact value of every play in a spot, and what a worse play costs."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

from pitbook.coach.values import PlayValue, PlayWeighed, Sum, ValueTerms, document, told
from pitbook.money import Cents, money
from pitbook.rules.costs import highest_cost
from pitbook.rules.game import Seat
from pitbook.rules.plays import PASSED, Play
from pitbook.rules.round import Round
from pitbook.text import Sentence, say

if TYPE_CHECKING:
    from pitbook.exact.methods.method import Advice


@dataclass(frozen=True)
class Weighed:
    """One decision: the exact value of every play to a player with so many chips left."""

    advice: Advice  # With the chips as they are: what they do not pay for is no play.
    ample: Advice  # With chips for every bet.
    stake: Cents  # One ante, or one Bet.
    unit: str

    @property
    def covered(self) -> tuple[str, ...]:
        """The plays that can be paid for."""
        return tuple(self.advice.actions)

    @property
    def best(self) -> str:
        """The best play among those that can be paid for."""
        return self.advice.best

    def worth(self, play: str) -> Fraction:
        """What the round is worth from here with that play, in cents."""
        return self._worths[play] * self.stake

    @cached_property
    def _worths(self) -> dict[str, Fraction]:
        return {play: worth for play, worth in self.advice.actions.items()}  # noqa: C416  By text.

    def cost(self, play: str) -> Fraction:
        """What a play gives away against the best that can be paid for, in cents."""
        return self.worth(self.best) - self.worth(play)

    @property
    def hint(self) -> Sentence:
        """The best play, and why."""
        best = {"best": _named(self.best), "why": self.advice.why}
        if self.best == self.ample.best:
            return say("train.best", **best)
        return say("train.best-with-chips", more=_named(self.ample.best), **best)

    def verdict(self, play: str) -> Sentence:
        """One sentence on a play."""
        both = {"play": _named(play), "best": _named(self.best)}
        if cost := self.cost(play):
            return say("train.gives-away", cost=told(cost), **both)
        if play == self.best:
            return say("train.is-best", play=_named(play))
        return say("train.as-good", **both)

    @cached_property
    def plays(self) -> list[PlayValue]:
        """Every play with its worth and its cost, as JSON; none where it cannot be paid for."""
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
        """A play held against the others, as JSON."""
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
        """What the values are measured in, the values, and what would be best with more chips."""
        return {
            "unit": self.unit,
            "stake": money(self.stake),
            "plays": self.plays,
            "best_with_chips": self.ample.best,
        }

    def _sum(self, cents: Fraction) -> Sum:
        return {"units": str(cents / self.stake), **document(cents)}


def _named(play: str) -> Sentence:
    return say("exact.why.play", play=str(play))


def weigh(round: Round, seat: Seat, chips: int | None = None) -> Weighed:
    """What the player knows, asked of the mathematics; `chips` are left, None is enough."""
    unit, stake = seat.main[0]
    ample = advised(round, seat)
    enough = chips is None or pays_for_all(round, seat, chips)
    advice = ample if enough else advised(round, seat, chips)
    return Weighed(advice, ample, stake, unit)


def advised(round: Round, seat: Seat, chips: int | None = None) -> Advice:
    """The exact value of every play, at the seat's stakes and with every cap; raises SpotError."""
    from pitbook.exact.advice import advise  # noqa: PLC0415  It brings NumPy, and takes a while.

    game = round.game
    return advise(
        game.sheet,
        seat.cards,
        [card for pile in round.common for card in pile] if game.seen_in_play else (),
        made(seat),
        ante=seat.main[0][1],
        side=dict(seat.side),
        purse=None if chips is None else Cents(chips),
    )


def made(seat: Seat) -> tuple[Play, ...]:
    """What a seat played so far, without the stages that asked it nothing."""
    return tuple(play for play in seat.plays if play != PASSED)


def pays_for_all(round: Round, seat: Seat, chips: int) -> bool:
    """Whether so many chips pay for every bet that can still be made on the hand."""
    return chips >= highest_cost(round.game, seat, round.stage)
