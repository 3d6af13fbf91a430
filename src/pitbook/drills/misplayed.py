"""Misplayed hands as drill questions, scheduled by FSRS."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from fractions import Fraction
from math import lcm
from typing import NamedTuple

from fsrs import Card
from fsrs import Rating as Grade

from pitbook.coach.log import Logged
from pitbook.drills.item import Item, Lies, Question, Reason, SeatLies, lettered
from pitbook.drills.progress import AnsweredItem, reviewed
from pitbook.money import Cents
from pitbook.rules.game import Game
from pitbook.text import say

KIND = "best-play"
WORK = 5


def seed_of(one: Logged) -> str:
    """How a spot is found again in the record of practice."""
    return f"{one.round}/{one.decision.stage}/{one.seat}"


def spot_item(game: Game, one: Logged) -> Item | None:
    """Which play is best in a spot; None where two are as good."""
    spot = one.decision
    found = spot.weighed
    best = [play for play in found.covered if not found.cost(play)]
    if len(best) != 1:
        return None
    plays = [play for play in game.plays(spot.stage) if play in found.covered]
    options = lettered([(play.label, ()) for play in plays])
    ask = say("drills.best-play", seat=one.seat, title=spot.title)
    question = Question(ask, "choice", _lies(game, one), options=options)
    answer = options[[str(play) for play in plays].index(best[0])].id
    return Item(KIND, question, answer, (Reason(found.hint, None),), WORK)


def _lies(game: Game, one: Logged) -> Lies:
    spot, place = one.decision, game.places[1]
    title = say("drills.place", place=place.id, title=place.title.capitalize())
    wagers = tuple((game.wager_title(wager), Cents(stake)) for wager, stake in spot.stakes)
    return Lies(((title, spot.board),), (SeatLies(one.seat, spot.cards, wagers),))


# The schedule -------------------------------------------------------------------------------------


Pick = Callable[[int], int]  # A number below another, each as likely.


class _Review(NamedTuple):
    """A hand that was played at a table, or answered in a drill, well or not."""

    at: datetime
    spot: object
    right: bool
    decision: Logged | None


class MisplayedHand(NamedTuple):
    """A hand that was misplayed: the decision, its cost, and its card in the schedule."""

    decision: Logged
    cost: Fraction
    card: Card
    known: bool  # Whether it was played well the last time.

    def is_due(self, now: datetime) -> bool:
        """A hand is due until it is played well, and then when FSRS says."""
        return not self.known or self.card.due <= now


def misplayed_hands(
    decisions: Sequence[Logged], answers: Iterable[AnsweredItem] = ()
) -> list[MisplayedHand]:
    """Every hand that was ever misplayed; plays at a table and answers in drills both count."""
    spots = {_key(one): _spot(one) for one in decisions}
    reviews = [_Review(_time(one.at), _spot(one), not one.missed, one) for one in decisions]
    reviews += [
        _Review(_time(one.at), spots[one.hash, one.seed], one.right, None)
        for one in answers
        if one.kind == KIND and (one.hash, one.seed) in spots
    ]
    hands: dict[object, MisplayedHand] = {}
    for review in sorted(reviews, key=lambda one: one.at):
        before = hands.get(review.spot)
        missed = None if review.right else review.decision
        decision = missed or (before.decision if before else None)
        if decision is not None:
            grade = Grade.Good if review.right else Grade.Again
            card = reviewed(before.card if before else None, grade, review.at)
            hands[review.spot] = MisplayedHand(decision, decision.missed, card, review.right)
    return list(hands.values())


def due_hand(hands: Sequence[MisplayedHand], now: datetime, pick: Pick) -> Logged | None:
    """One of the hands that are due, each as likely as it was costly."""
    due = [hand for hand in hands if hand.is_due(now)]
    if not due:
        return None
    weights = _whole([hand.cost for hand in due])
    left = pick(sum(weights))
    for hand, weight in zip(due, weights, strict=True):
        if left < weight:
            return hand.decision
        left -= weight
    raise AssertionError("a number below the sum of all weights lies within one of them")


def next_due(hands: Iterable[MisplayedHand]) -> datetime | None:
    """When the next hand is due."""
    return min((hand.card.due for hand in hands), default=None)


def _key(decision: Logged) -> tuple[str, str]:
    return decision.sheet["hash"], seed_of(decision)


def _spot(one: Logged) -> tuple[object, ...]:
    """What makes two decisions the same hand to their player."""
    spot = one.decision
    return one.sheet["hash"], frozenset(spot.cards), frozenset(spot.board), spot.before


def _time(at: str) -> datetime:
    read = datetime.fromisoformat(at)
    return read if read.tzinfo else read.replace(tzinfo=UTC)


def _whole(weights: Sequence[Fraction]) -> list[int]:
    """The same weights as whole numbers."""
    scale = lcm(*(one.denominator for one in weights))
    return [int(one * scale) for one in weights]
