"""How well somebody plays, in numbers and in one sentence."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from pitbook.english import counted
from pitbook.train.review import Reckoning
from pitbook.train.shapes import Luck, ScoreTold
from pitbook.train.sums import document, told

__all__ = ["Score", "reckoning_document", "reckoning_told", "score"]


@dataclass(frozen=True)
class Score:
    """Decisions, those that gave something away, and how much, in cents."""

    decisions: int = 0
    mistakes: int = 0
    cost: Fraction = Fraction(0)

    def after(self, cost: Fraction) -> Score:
        """The score with one more decision."""
        return Score(self.decisions + 1, self.mistakes + bool(cost), self.cost + cost)

    @property
    def best(self) -> int:
        """Decisions that gave nothing away."""
        return self.decisions - self.mistakes

    @property
    def accuracy(self) -> Fraction | None:
        """The share of best plays; None without a decision."""
        return Fraction(self.best, self.decisions) if self.decisions else None

    def told(self) -> str | None:
        """The score in one sentence.

        >>> Score(31, 4, Fraction(410)).told()
        'Best play in 27 of 31 decisions; the others gave away $4.10.'
        """
        if not self.decisions:
            return None
        decided = "decision" if self.decisions == 1 else "decisions"
        said = f"Best play in {self.best} of {self.decisions} {decided}"
        return f"{said}; the others gave away {told(self.cost)}." if self.mistakes else f"{said}."

    def document(self) -> ScoreTold:
        """The score as JSON."""
        share = self.accuracy
        return {
            "decisions": self.decisions,
            "best": self.best,
            "mistakes": self.mistakes,
            "accuracy": None if share is None else f"{self.best}/{self.decisions}",
            "accuracy_text": None if share is None else f"{float(share) * 100:.1f}%",
            "cost": document(self.cost),
        }


def score(costs: Iterable[Fraction]) -> Score:
    """The score of decisions by what each gave away."""
    found = Score()
    for cost in costs:
        found = found.after(cost)
    return found


def reckoning_document(found: Reckoning) -> Luck:
    """Where a result comes from, as JSON."""
    return {
        "rounds": found.rounds,
        "expected": document(found.expected),
        "cost": document(found.cost),
        "absent": document(found.absent),
        "short": document(found.short),
        "luck": document(found.luck),
        "net": document(found.net),
        "sentence": reckoning_told(found),
    }


def reckoning_told(found: Reckoning) -> str | None:
    """Where a result comes from, in one sentence; None without a round."""
    if not found.rounds:
        return None
    played = counted(found.rounds, "round")
    stands = f"{told(abs(found.net))} {_side(found.net, 'up', 'down')}" if found.net else "Even"
    expected = _side(found.expected, "won", "lost")
    parts = [f"{told(abs(found.expected))} was to be {expected} by best play"]
    if found.cost:
        parts.append(f"{told(found.cost)} was given away")
    if found.absent:
        parts.append(f"{told(found.absent)} was lost by absence")
    if found.short:
        parts.append(f"{told(found.short)} was lost for want of chips")
    parts.append(f"luck {_side(found.luck, 'brought', 'took')} {told(abs(found.luck))}")
    return f"{stands} after {played}: {', '.join(parts)}."


def _side(cents: Fraction, above: str, below: str) -> str:
    return above if cents > 0 else below
