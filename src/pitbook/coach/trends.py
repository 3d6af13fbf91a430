"""Scores, trends by week and spot, and the costliest kinds of mistakes."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from fractions import Fraction
from typing import NamedTuple, NotRequired, TypeVar

from typing_extensions import TypedDict

from pitbook.coach.mistake_log import LoggedDecision
from pitbook.coach.review import ResultBreakdown
from pitbook.coach.verdicts import (
    DecisionScore,
    ResultBreakdownDocument,
    Sum,
    amount_json,
    render_amount,
)
from pitbook.text import Sentence, say
from pitbook.text.sentences import common_currency, fix_foreign_currency


@dataclass(frozen=True)
class Score:
    """How many decisions there were, how many cost something, and how much, in cents."""

    decisions: int = 0
    mistakes: int = 0
    cost: Fraction = Fraction(0)

    def after(self, cost: Fraction) -> Score:
        """The score with one more decision."""
        return Score(self.decisions + 1, self.mistakes + bool(cost), self.cost + cost)

    @property
    def best(self) -> int:
        """Decisions that cost nothing."""
        return self.decisions - self.mistakes

    @property
    def accuracy(self) -> Fraction | None:
        """The share of best plays; None without decisions."""
        return Fraction(self.best, self.decisions) if self.decisions else None

    def sentence(self) -> Sentence | None:
        """The score in one sentence; None without decisions.

        >>> Score(31, 4, Fraction(410)).sentence()
        'Best play in 27 of 31 decisions; the others cost $4.10.'
        """
        if not self.decisions:
            return None
        played = {"best": self.best, "decisions": self.decisions}
        if not self.mistakes:
            return say("train.all-best", **played)
        return say("train.score", cost=render_amount(self.cost), **played)

    def document(self) -> DecisionScore:
        """The score as JSON."""
        share = self.accuracy
        return {
            "decisions": self.decisions,
            "best": self.best,
            "mistakes": self.mistakes,
            "accuracy": None if share is None else f"{self.best}/{self.decisions}",
            "accuracy_text": None if share is None else f"{float(share) * 100:.1f}%",
            "cost": amount_json(self.cost),
        }


def score(costs: Iterable[Fraction]) -> Score:
    """The score of decisions, given what each cost."""
    total = Score()
    for cost in costs:
        total = total.after(cost)
    return total


def breakdown_document(breakdown: ResultBreakdown) -> ResultBreakdownDocument:
    """A result broken down into expectation, mistakes, absence, lack of chips and luck, as JSON."""
    return {
        "rounds": breakdown.rounds,
        "expected": amount_json(breakdown.expected),
        "cost": amount_json(breakdown.cost),
        "absent": amount_json(breakdown.absence_cost),
        "short": amount_json(breakdown.shortage_cost),
        "luck": amount_json(breakdown.luck),
        "net": amount_json(breakdown.net),
        "sentence": render_breakdown(breakdown),
    }


def render_breakdown(breakdown: ResultBreakdown) -> Sentence | None:
    """The parts of a result in one sentence; None without a round."""
    if not breakdown.rounds:
        return None
    parts = [
        say(
            "train.expected",
            amount=_absolute_amount(breakdown.expected),
            above=breakdown.expected > 0,
        )
    ]
    if breakdown.cost:
        parts.append(say("train.given-away", amount=render_amount(breakdown.cost)))
    if breakdown.absence_cost:
        parts.append(say("train.by-absence", amount=render_amount(breakdown.absence_cost)))
    if breakdown.shortage_cost:
        parts.append(say("train.for-want-of-chips", amount=render_amount(breakdown.shortage_cost)))
    parts.append(
        say("train.luck", amount=_absolute_amount(breakdown.luck), above=breakdown.luck > 0)
    )
    fields = {
        "stands": _render_net(breakdown.net),
        "rounds": breakdown.rounds,
        "parts": tuple(parts),
    }
    return say("train.reckoning", **fields)


def _render_net(net: Fraction) -> Sentence:
    if not net:
        return say("train.even")
    return say("train.stands", amount=_absolute_amount(net), above=net > 0)


def _absolute_amount(cents: Fraction) -> Sentence:
    return render_amount(abs(cents))


# Trends -------------------------------------------------------------------------------------------


LEAKS_MAX = 5
POINTS_MAX = 200
WEEKS_MAX = 26

K = TypeVar("K", bound=Hashable)


class Point(TypedDict):
    """The state after this many rounds: net result, expected result, luck and cost."""

    rounds: int
    net: Sum
    expected: Sum
    luck: Sum
    cost: Sum


class SpotScore(DecisionScore):
    """How well one kind of spot is played."""

    sheet: str
    sheet_title: str
    street: str
    street_title: str


class WeekScore(DecisionScore):
    """How well a week was played; `week` is its Monday."""

    week: str


class LeakSummary(TypedDict):
    """A repeated mistake; `leak` requests a drill of it."""

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
    """Best plays in a row: current and longest."""

    now: int
    longest: int


class Trends(TypedDict):
    """Trends of practice over time; `currency` is omitted for US dollars."""

    currency: NotRequired[str]
    points: list[Point]
    spots: list[SpotScore]
    weeks: list[WeekScore]
    streaks: Streaks
    leaks: list[LeakSummary]


class Leak(NamedTuple):
    """The same worse play instead of the same best play, on one street of one sheet."""

    sheet: str
    street: str
    play: str
    best: str

    @property
    def text(self) -> str:
        """The leak as a request names it."""
        return "/".join((self.street, self.play, self.best))


def trends(
    breakdowns: Sequence[ResultBreakdown],
    decisions: Sequence[LoggedDecision],
    currency: str | None = None,
) -> Trends:
    """All trends, from rounds in one currency and decisions, oldest first."""
    report: Trends = {
        "points": fix_foreign_currency(list(_graph_points(breakdowns)), currency),
        "spots": list(_spot_scores(decisions)),
        "weeks": list(_week_scores(decisions))[-WEEKS_MAX:],
        "streaks": _streaks(decisions),
        "leaks": [
            _leak_json(leak, decisions_of_leak)
            for leak, decisions_of_leak in leaks(decisions)[:LEAKS_MAX]
        ],
    }
    return {**report, "currency": currency} if currency else report


def _graph_points(breakdowns: Sequence[ResultBreakdown]) -> Iterator[Point]:
    """Evenly spaced points, and always the last."""
    every = max(1, -(-len(breakdowns) // POINTS_MAX))
    total = ResultBreakdown()
    for number, breakdown in enumerate(breakdowns, 1):
        total = total + breakdown
        if number % every == 0 or number == len(breakdowns):
            yield {
                "rounds": number,
                "net": amount_json(total.net),
                "expected": amount_json(total.expected),
                "luck": amount_json(total.luck),
                "cost": amount_json(total.cost),
            }


def _spot_scores(decisions: Sequence[LoggedDecision]) -> Iterator[SpotScore]:
    for spot_decisions in _group_by(
        decisions, lambda logged: (logged.sheet["id"], logged.decision.street)
    ).values():
        last = spot_decisions[-1]
        yield {
            **_score_of(spot_decisions),
            "sheet": last.sheet["id"],
            "sheet_title": last.sheet["title"],
            "street": last.decision.street,
            "street_title": last.decision.title,
        }


def _week_scores(decisions: Sequence[LoggedDecision]) -> Iterator[WeekScore]:
    for monday, week_decisions in _group_by(decisions, _monday_of).items():
        yield {**_score_of(week_decisions), "week": monday}


def _monday_of(logged: LoggedDecision) -> str:
    day = datetime.fromisoformat(logged.at).date()
    return (day - timedelta(days=day.weekday())).isoformat()


def _streaks(decisions: Sequence[LoggedDecision]) -> Streaks:
    now = longest = 0
    for logged in decisions:
        now = 0 if logged.cost else now + 1
        longest = max(longest, now)
    return {"now": now, "longest": longest}


def leaks(decisions: Iterable[LoggedDecision]) -> list[tuple[Leak, list[LoggedDecision]]]:
    """Mistakes by kind, the costliest first."""
    mistakes = [logged for logged in decisions if logged.cost]
    return sorted(_group_by(mistakes, leak_of).items(), key=lambda group: -_total_cost(group[1]))


def leak_of(logged: LoggedDecision) -> Leak:
    """The kind of mistake that a decision is."""
    spot = logged.decision
    return Leak(logged.sheet["id"], spot.street, str(spot.play), str(spot.weighed.best))


def _leak_json(leak: Leak, decisions: list[LoggedDecision]) -> LeakSummary:
    last = decisions[-1]
    titles = {str(play["play"]): play["title"] for play in last.decision.weighed.plays}
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
        "times": len(decisions),
        "cost": fix_foreign_currency(amount_json(_total_cost(decisions)), last.currency),
    }


def _score_of(decisions: Sequence[LoggedDecision]) -> DecisionScore:
    document_of_score = score(logged.cost for logged in decisions).document()
    return fix_foreign_currency(
        document_of_score, common_currency(logged.currency for logged in decisions)
    )


def _total_cost(decisions: Iterable[LoggedDecision]) -> Fraction:
    return sum((logged.cost for logged in decisions), Fraction(0))


def _group_by(
    decisions: Iterable[LoggedDecision], key: Callable[[LoggedDecision], K]
) -> dict[K, list[LoggedDecision]]:
    groups: dict[K, list[LoggedDecision]] = {}
    for logged in decisions:
        groups.setdefault(key(logged), []).append(logged)
    return groups
