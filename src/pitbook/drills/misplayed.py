"""Misplayed hands as drill questions, scheduled by FSRS."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from fractions import Fraction
from math import lcm
from typing import NamedTuple

from fsrs import Card
from fsrs import Rating as Grade

from pitbook.coach.mistake_log import LoggedDecision
from pitbook.drills.progress import AnsweredItem, review_card
from pitbook.drills.question import Item, Layout, Question, Reason, SeatLayout, label_options
from pitbook.money import Cents
from pitbook.rules.game import Game
from pitbook.text import say

KIND = "best-play"
WORK = 5


def spot_seed(decision: LoggedDecision) -> str:
    """The key of a spot in the practice record."""
    return f"{decision.round}/{decision.decision.stage}/{decision.seat}"


def spot_item(game: Game, logged: LoggedDecision) -> Item | None:
    """A question that asks for the best play in a spot; None if two are equally good."""
    spot = logged.decision
    weighed = spot.weighed
    best = [play for play in weighed.covered if not weighed.cost(play)]
    if len(best) != 1:
        return None
    plays = [play for play in game.plays(spot.stage) if play in weighed.covered]
    options = label_options([(play.label, ()) for play in plays])
    ask = say("drills.best-play", seat=logged.seat, title=spot.title)
    question = Question(ask, "choice", _layout(game, logged), options=options)
    answer = options[[str(play) for play in plays].index(best[0])].id
    return Item(KIND, question, answer, (Reason(weighed.hint, None),), WORK)


def _layout(game: Game, logged: LoggedDecision) -> Layout:
    spot, place = logged.decision, game.places[1]
    title = say("drills.place", place=place.id, title=place.title.capitalize())
    wagers = tuple((game.wager_title(wager), Cents(stake)) for wager, stake in spot.stakes)
    return Layout(((title, spot.board),), (SeatLayout(logged.seat, spot.cards, wagers),))


# The schedule -------------------------------------------------------------------------------------


RandomBelow = Callable[[int], int]  # A uniform random number below another.


class _Review(NamedTuple):
    """A hand reviewed by playing it at a table or answering it in a drill."""

    at: datetime
    spot: object
    right: bool
    decision: LoggedDecision | None


class MisplayedHand(NamedTuple):
    """A misplayed hand: the decision, its cost, and its card in the FSRS schedule."""

    decision: LoggedDecision
    cost: Fraction
    card: Card
    last_played_well: bool  # Whether it was played well the last time.

    def is_due(self, now: datetime) -> bool:
        """Whether the hand is due: until it is played well, then when FSRS says."""
        return not self.last_played_well or self.card.due <= now


def misplayed_hands(
    decisions: Sequence[LoggedDecision], answers: Iterable[AnsweredItem] = ()
) -> list[MisplayedHand]:
    """Every hand ever misplayed; plays at a table and answers in drills both count."""
    spots = {_spot_key(decision): _spot_identity(decision) for decision in decisions}
    reviews = [
        _Review(
            _parse_time(decision.at), _spot_identity(decision), not decision.worst_cost, decision
        )
        for decision in decisions
    ]
    reviews += [
        _Review(_parse_time(answer.at), spots[answer.hash, answer.seed], answer.right, None)
        for answer in answers
        if answer.kind == KIND and (answer.hash, answer.seed) in spots
    ]
    hands: dict[object, MisplayedHand] = {}
    for review in sorted(reviews, key=lambda review: review.at):
        before = hands.get(review.spot)
        missed = None if review.right else review.decision
        decision = missed or (before.decision if before else None)
        if decision is not None:
            grade = Grade.Good if review.right else Grade.Again
            card = review_card(before.card if before else None, grade, review.at)
            hands[review.spot] = MisplayedHand(decision, decision.worst_cost, card, review.right)
    return list(hands.values())


def pick_due_decision(
    hands: Sequence[MisplayedHand], now: datetime, random_below: RandomBelow
) -> LoggedDecision | None:
    """The decision of a random due hand, weighted by cost."""
    hands_due = [hand for hand in hands if hand.is_due(now)]
    if not hands_due:
        return None
    weights = _integer_weights([hand.cost for hand in hands_due])
    remaining = random_below(sum(weights))
    for hand, weight in zip(hands_due, weights, strict=True):
        if remaining < weight:
            return hand.decision
        remaining -= weight
    raise AssertionError("a number below the sum of all weights lies within one of them")


def next_due(hands: Iterable[MisplayedHand]) -> datetime | None:
    """When the next hand is due."""
    return min((hand.card.due for hand in hands), default=None)


def _spot_key(decision: LoggedDecision) -> tuple[str, str]:
    return decision.sheet["hash"], spot_seed(decision)


def _spot_identity(decision: LoggedDecision) -> tuple[object, ...]:
    """What makes two decisions the same hand."""
    spot = decision.decision
    return decision.sheet["hash"], frozenset(spot.cards), frozenset(spot.board), spot.before


def _parse_time(at: str) -> datetime:
    time = datetime.fromisoformat(at)
    return time if time.tzinfo else time.replace(tzinfo=UTC)


def _integer_weights(weights: Sequence[Fraction]) -> list[int]:
    """The weights scaled to integers."""
    scale = lcm(*(weight.denominator for weight in weights))
    return [int(weight * scale) for weight in weights]
