"""A coach at the player's elbow: the best play when asked, what a worse one gave away when made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

from pitbook.engine.game import Seat
from pitbook.engine.round import Round
from pitbook.errors import PitbookError
from pitbook.money import spoken
from pitbook.sheets.street_stud import StreetStud

if TYPE_CHECKING:
    from pitbook.exact.advice import Advice

OFF = "The coach is off; k calls it back."


@dataclass
class Coach:
    """Knows the exact value of every play, and keeps count of what was given away."""

    on: bool = True
    decisions: int = 0
    slips: int = 0
    given: Fraction = field(default_factory=Fraction)  # Cents.

    def toggled(self) -> str:
        """Switch on or off, and say so."""
        self.on = not self.on
        return f"The coach is {'on' if self.on else 'off'}."

    def hint(self, round: Round, seat: Seat, plays: Sequence[str]) -> str:
        """The best play and why, for a player who can pay for these plays."""
        if not self.on:
            return OFF
        try:
            advice = _advice(round, seat)
        except PitbookError as error:
            return f"The coach cannot tell: {error}."
        best = _best(advice, plays)
        if best == advice.best:
            return f"Best is {best}. {advice.why}"
        return f"Best is {advice.best}, which you cannot cover; {best} is the best you can."

    def remark(self, round: Round, seat: Seat, plays: Sequence[str], play: str) -> str | None:
        """What a play gave away against the best that the player could pay for, if anything."""
        if not self.on:
            return None
        try:
            advice = _advice(round, seat)
        except PitbookError:
            return None
        best = _best(advice, plays)
        cost = (advice.actions[best] - advice.actions[play]) * seat.main[0][1]
        self.decisions += 1
        if not cost:
            return None
        self.slips += 1
        self.given += cost
        return f"{play} gives away {_dollars(cost)} against {best}."

    def summary(self) -> str | None:
        """The evening's play in one sentence."""
        if not self.decisions:
            return None
        decided = "decision" if self.decisions == 1 else "decisions"
        if not self.slips:
            return f"Best play in {self.decisions} of {self.decisions} {decided}."
        best = self.decisions - self.slips
        return (
            f"Best play in {best} of {self.decisions} {decided}; "
            f"the others gave away {_dollars(self.given)}."
        )


def _advice(round: Round, seat: Seat) -> Advice:
    """What the player knows, asked of the mathematics."""
    from pitbook.exact.advice import advise  # noqa: PLC0415  It brings NumPy.

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


def _best(advice: Advice, plays: Sequence[str]) -> str:
    if advice.best in plays:
        return advice.best
    return max(plays, key=lambda play: advice.actions[play])


def _dollars(cents: Fraction) -> str:
    whole = round(cents)
    return spoken(whole) if whole else "less than a cent"
