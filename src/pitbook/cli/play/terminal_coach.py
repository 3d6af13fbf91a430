"""The coach in the terminal: the best play when asked, what a worse one gave away when made."""

from __future__ import annotations

from dataclasses import dataclass, field

from pitbook.engine.round import Round
from pitbook.errors import PitbookError
from pitbook.game.description import Seat
from pitbook.train.coach import weigh
from pitbook.train.score import Score

OFF = "The coach is off; k calls it back."


@dataclass
class Coach:
    """Knows the exact value of every play, and keeps count of what was given away."""

    on: bool = True
    score: Score = field(default_factory=Score)

    def toggled(self) -> str:
        """Switch on or off, and say so."""
        self.on = not self.on
        return f"The coach is {'on' if self.on else 'off'}."

    def hint(self, round: Round, seat: Seat, chips: int) -> str:
        """The best play and why, for a player with so many chips left."""
        if not self.on:
            return OFF
        try:
            return weigh(round, seat, chips).hint
        except PitbookError as error:
            return f"The coach cannot tell: {error}."

    def remark(self, round: Round, seat: Seat, chips: int, play: str) -> str | None:
        """What a play gave away against the best that the player could pay for, if anything."""
        if not self.on:
            return None
        try:
            weighed = weigh(round, seat, chips)
        except PitbookError:
            return None
        cost = weighed.cost(play)
        self.score = self.score.after(cost)
        return weighed.verdict(play) if cost else None

    def summary(self) -> str | None:
        """The evening's play in one sentence."""
        return self.score.told()
