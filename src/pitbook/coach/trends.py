"""Scores, trends by week and spot, and the costliest kinds of mistakes."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from fractions import Fraction
from typing import NamedTuple, NotRequired, TypeVar

from typing_extensions import TypedDict

from pitbook.coach.log import Logged
from pitbook.coach.review import Reckoning
from pitbook.coach.values import LuckShare, ScoreTold, Sum, document, told
from pitbook.text import Sentence, say
from pitbook.text.documents import currency_of_all, in_own_currency


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


# Trends -------------------------------------------------------------------------------------------


LEAKS_MAX = 5
POINTS_MAX = 200
WEEKS_MAX = 26

K = TypeVar("K", bound=Hashable)


class Point(TypedDict):
    """How things stood after so many rounds: what came out, what best play expects, and luck."""

    rounds: int
    net: Sum
    expected: Sum
    luck: Sum
    cost: Sum


class SpotScore(ScoreTold):
    """How well one kind of spot is played."""

    sheet: str
    sheet_title: str
    street: str
    street_title: str


class WeekScore(ScoreTold):
    """How well a week was played; `week` is its Monday."""

    week: str


class LeakTold(TypedDict):
    """One mistake that came again and again; `leak` asks for a drill of it."""

    leak: str
    sheet: str
    sheet_title: str
    hash: str
    table: str
    street: str
    street_title: str
    play: str
    best: str
    times: int
    cost: Sum


class Streaks(TypedDict):
    """Best plays in a row: up to now, and at most."""

    now: int
    longest: int


class Trends(TypedDict):
    """Practice over time; `currency`: what its points are in, where that is no US dollars."""

    currency: NotRequired[str]
    points: list[Point]
    spots: list[SpotScore]
    weeks: list[WeekScore]
    streaks: Streaks
    leaks: list[LeakTold]


class Leak(NamedTuple):
    """The same worse play where the same one was best, on one street of one sheet."""

    sheet: str
    street: str
    play: str
    best: str

    @property
    def text(self) -> str:
        """As a request names it."""
        return "/".join((self.street, self.play, self.best))


def trends(
    reckonings: Sequence[Reckoning], decisions: Sequence[Logged], currency: str | None = None
) -> Trends:
    """All of it, from rounds, whose money is of a currency, and decisions, oldest first."""
    told: Trends = {
        "points": in_own_currency(list(_points(reckonings)), currency),
        "spots": list(_spots(decisions)),
        "weeks": list(_weeks(decisions))[-WEEKS_MAX:],
        "streaks": _streaks(decisions),
        "leaks": [_told(leak, found) for leak, found in leaks(decisions)[:LEAKS_MAX]],
    }
    return {**told, "currency": currency} if currency else told


def _points(reckonings: Sequence[Reckoning]) -> Iterator[Point]:
    """Every so many rounds a point, and always the last."""
    every = max(1, -(-len(reckonings) // POINTS_MAX))
    total = Reckoning()
    for number, one in enumerate(reckonings, 1):
        total = total + one
        if number % every == 0 or number == len(reckonings):
            yield {
                "rounds": number,
                "net": document(total.net),
                "expected": document(total.expected),
                "luck": document(total.luck),
                "cost": document(total.cost),
            }


def _spots(decisions: Sequence[Logged]) -> Iterator[SpotScore]:
    for found in _by(decisions, lambda one: (one.sheet["id"], one.decision.street)).values():
        last = found[-1]
        yield {
            **_scored(found),
            "sheet": last.sheet["id"],
            "sheet_title": last.sheet["title"],
            "street": last.decision.street,
            "street_title": last.decision.title,
        }


def _weeks(decisions: Sequence[Logged]) -> Iterator[WeekScore]:
    for monday, found in _by(decisions, _monday).items():
        yield {**_scored(found), "week": monday}


def _monday(one: Logged) -> str:
    day = datetime.fromisoformat(one.at).date()
    return (day - timedelta(days=day.weekday())).isoformat()


def _streaks(decisions: Sequence[Logged]) -> Streaks:
    now = longest = 0
    for one in decisions:
        now = 0 if one.cost else now + 1
        longest = max(longest, now)
    return {"now": now, "longest": longest}


def leaks(decisions: Iterable[Logged]) -> list[tuple[Leak, list[Logged]]]:
    """Mistakes by kind, the dearest first."""
    wrong = [one for one in decisions if one.cost]
    return sorted(_by(wrong, leak_of).items(), key=lambda one: -_cost(one[1]))


def leak_of(one: Logged) -> Leak:
    """The kind of mistake that a decision is."""
    spot = one.decision
    return Leak(one.sheet["id"], spot.street, str(spot.play), str(spot.weighed.best))


def _told(leak: Leak, found: list[Logged]) -> LeakTold:
    last = found[-1]
    titles = {str(one["play"]): one["title"] for one in last.decision.weighed.plays}
    return {
        "leak": leak.text,
        "sheet": leak.sheet,
        "sheet_title": last.sheet["title"],
        "hash": last.sheet["hash"],
        "table": last.table,
        "street": leak.street,
        "street_title": last.decision.title,
        "play": titles.get(leak.play, leak.play),
        "best": titles.get(leak.best, leak.best),
        "times": len(found),
        "cost": in_own_currency(document(_cost(found)), last.currency),
    }


def _scored(found: Sequence[Logged]) -> ScoreTold:
    told = score(one.cost for one in found).document()
    return in_own_currency(told, currency_of_all(one.currency for one in found))


def _cost(found: Iterable[Logged]) -> Fraction:
    return sum((one.cost for one in found), Fraction(0))


def _by(decisions: Iterable[Logged], what: Callable[[Logged], K]) -> dict[K, list[Logged]]:
    found: dict[K, list[Logged]] = {}
    for one in decisions:
        found.setdefault(what(one), []).append(one)
    return found
