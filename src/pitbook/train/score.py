"""How well somebody plays, in numbers and in one sentence."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from pitbook.text import Sentence, say
from pitbook.train.review import Reckoning
from pitbook.train.shapes import LuckShare, ScoreTold
from pitbook.train.sums import document, told


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

    def told(self) -> Sentence | None:
        """The score in one sentence.

        >>> Score(31, 4, Fraction(410)).told()
        'Best play in 27 of 31 decisions; the others gave away $4.10.'
        """
        if not self.decisions:
            return None
        played = {"best": self.best, "decisions": self.decisions}
        if not self.mistakes:
            return say("train.all-best", **played)
        return say("train.score", cost=told(self.cost), **played)

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


def reckoning_document(found: Reckoning) -> LuckShare:
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


def reckoning_told(found: Reckoning) -> Sentence | None:
    """Where a result comes from, in one sentence; None without a round."""
    if not found.rounds:
        return None
    parts = [say("train.expected", amount=_size(found.expected), above=found.expected > 0)]
    if found.cost:
        parts.append(say("train.given-away", amount=told(found.cost)))
    if found.absent:
        parts.append(say("train.by-absence", amount=told(found.absent)))
    if found.short:
        parts.append(say("train.for-want-of-chips", amount=told(found.short)))
    parts.append(say("train.luck", amount=_size(found.luck), above=found.luck > 0))
    whole = {"stands": _stands(found.net), "rounds": found.rounds, "parts": tuple(parts)}
    return say("train.reckoning", **whole)


def _stands(net: Fraction) -> Sentence:
    if not net:
        return say("train.even")
    return say("train.stands", amount=_size(net), above=net > 0)


def _size(cents: Fraction) -> Sentence:
    return told(abs(cents))
