"""The coach in the terminal: the best play when asked, what a worse one gave away when made."""

from __future__ import annotations

from dataclasses import dataclass, field

from pitbook.cli.common.progress import progress_reports
from pitbook.errors import PitbookError
from pitbook.rules.game import Seat
from pitbook.rules.round import Round
from pitbook.text import Sentence, say, sentence_of
from pitbook.train.coach import Weighed, weigh
from pitbook.train.score import Score

WAIT_SECONDS_MAX = 30.0  # A player would not wait longer for a hint.


@dataclass
class TerminalCoach:
    """Knows the exact value of every play, and keeps count of what was given away."""

    on: bool = True
    score: Score = field(default_factory=Score)

    def toggled(self) -> Sentence:
        """Switch on or off, and say so."""
        self.on = not self.on
        return say("cli.coach.switched", on=self.on)

    def hint(self, round: Round, seat: Seat, chips: int) -> Sentence:
        """The best play and why, for a player with so many chips left."""
        if not self.on:
            return say("cli.coach.off")
        try:
            return _weigh(round, seat, chips).hint
        except PitbookError as error:
            return say("cli.coach.cannot-tell", why=sentence_of(error))

    def remark(self, round: Round, seat: Seat, chips: int, play: str) -> Sentence | None:
        """What a play gave away against the best that the player could pay for, if anything."""
        if not self.on:
            return None
        try:
            weighed = _weigh(round, seat, chips)
        except PitbookError:
            return None
        cost = weighed.cost(play)
        self.score = self.score.after(cost)
        return weighed.verdict(play) if cost else None

    def summary(self) -> Sentence | None:
        """The evening's play in one sentence."""
        return self.score.told()


def _weigh(round: Round, seat: Seat, chips: int) -> Weighed:
    """The EV of every play; raises TooLarge if computing it would keep the player waiting."""
    with progress_reports(seconds_max=WAIT_SECONDS_MAX):
        return weigh(round, seat, chips)
