"""Practice over time: where the result came from round by round, what is known, and what leaks."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from fractions import Fraction
from typing import NamedTuple, NotRequired, TypeVar

from typing_extensions import TypedDict

from pitbook.text.documents import currency_of_all, in_own_currency
from pitbook.train.log import Logged
from pitbook.train.review import Reckoning
from pitbook.train.score import score
from pitbook.train.shapes import ScoreTold, Sum
from pitbook.train.sums import document

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
