"""A coach at the player's elbow: what every play is worth, and what a worse one gives away."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

from pitbook.engine.game import Seat
from pitbook.engine.round import Round
from pitbook.engine.words import play_title
from pitbook.money import Cents, money
from pitbook.sheets.street_stud import StreetStud
from pitbook.train.sums import Json, document, told

if TYPE_CHECKING:
    from pitbook.exact.advice import Advice

__all__ = ["Weighed", "advised", "covered", "weigh", "weighed"]


@dataclass(frozen=True)
class Weighed:
    """One decision: the exact value of every play, and those that the player can pay for."""

    advice: Advice
    stake: Cents  # One ante, or one Bet.
    unit: str
    covered: tuple[str, ...]

    @property
    def best(self) -> str:
        """The best play among those that can be paid for."""
        if self.advice.best in self.covered or not self.covered:
            return self.advice.best
        return max(self.covered, key=lambda play: self.advice.actions[play])

    def worth(self, play: str) -> Fraction:
        """What the round is worth from here with that play, in cents."""
        return self.advice.actions[play] * self.stake

    def cost(self, play: str) -> Fraction:
        """What a play gives away against the best that can be paid for, in cents."""
        return self.worth(self.best) - self.worth(play)

    @property
    def short(self) -> Fraction:
        """What too few chips cost: the best play of all against the best that can be paid for."""
        return self.worth(self.advice.best) - self.worth(self.best)

    @property
    def hint(self) -> str:
        """The best play, and why."""
        if self.best == self.advice.best:
            return f"Best is {self.best}. {self.advice.why}"
        return (
            f"Best is {self.advice.best}, which you cannot cover; {self.best} is the best you can."
        )

    def verdict(self, play: str) -> str:
        """One sentence on a play."""
        if cost := self.cost(play):
            return f"{play} gives away {told(cost)} against {self.best}."
        return f"{play} is best." if play == self.best else f"{play} is as good as {self.best}."

    @cached_property
    def plays(self) -> list[Json]:
        """Every play with its worth and its cost, as JSON."""
        return [
            {
                "play": play,
                "title": play_title(play),
                "worth": self._sum(self.worth(play)),
                "cost": self._sum(self.cost(play)),
                "best": play == self.best,
                "covered": play in self.covered,
            }
            for play in self.advice.actions
        ]

    def weighing(self, play: str) -> Json:
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

    def terms(self) -> Json:
        """What the values are measured in, and the values."""
        return {"unit": self.unit, "stake": money(self.stake), "plays": self.plays}

    def _sum(self, cents: Fraction) -> Json:
        return {"units": str(cents / self.stake), **document(cents)}


def weigh(round: Round, seat: Seat, plays: Sequence[str]) -> Weighed:
    """What the player knows, asked of the mathematics; `plays` are those that can be paid for."""
    return weighed(advised(round, seat), round, seat, plays)


def weighed(advice: Advice, round: Round, seat: Seat, plays: Sequence[str]) -> Weighed:
    """Advice that is known already, for a seat that can pay for these plays."""
    unit, stake = seat.main[0]
    return Weighed(advice, stake, unit, tuple(one for one in advice.actions if one in plays))


def advised(round: Round, seat: Seat) -> Advice:
    """The exact value of every play, at the seat's stakes and with every cap; raises SpotError."""
    from pitbook.exact.advice import advise  # noqa: PLC0415  It brings NumPy, and takes a while.

    sheet = round.game.sheet
    streets = isinstance(sheet, StreetStud)
    return advise(
        sheet,
        seat.cards,
        round.board if streets else (),
        seat.plays if streets else (),
        ante=seat.main[0][1],
        side=dict(seat.side),
    )


def covered(round: Round, seat: Seat, chips: int) -> tuple[str, ...]:
    """The plays of the moment that so many chips pay for."""
    game, stage = round.game, round.stage
    return tuple(
        play
        for play in game.plays(stage)
        if game.too_much(seat, stage, play) is None and game.bet(seat, stage, play).amount <= chips
    )
