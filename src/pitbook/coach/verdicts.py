"""The exact value of every play in a spot, and what a worse play costs."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

from pitbook.coach.values import PlayValue, PlayWeighed, Sum, ValueTerms, amount_json, render_amount
from pitbook.money import Cents, money
from pitbook.rules.actions import PASSED, Play
from pitbook.rules.game import Seat
from pitbook.rules.round import Round
from pitbook.rules.step import highest_cost
from pitbook.text import Sentence, say

if TYPE_CHECKING:
    from pitbook.exact.methods.method import Advice


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
        return self._worths[play] * self.stake

    @cached_property
    def _worths(self) -> dict[str, Fraction]:
        return {play: worth for play, worth in self.advice.actions.items()}  # noqa: C416  By text.

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
    from pitbook.exact.advice import advise  # noqa: PLC0415  It brings NumPy, and takes a while.

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
