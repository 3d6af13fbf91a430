"""A round looked at afterwards: what each decision gave away, and what was luck.

A hand has a worth at every moment: what best play makes of it from there. Decisions can only lower
it, by what they cost; cards raise and lower it, and on average leave it alone. So, to the cent,

    net = worth before the deal - cost of the decisions - cost of too few chips + luck,

where luck is the sum, card by card, of what the cards changed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from pitbook.cards import Card
from pitbook.engine.actions import Absent, Action, Decide
from pitbook.engine.game import Seat
from pitbook.engine.journal import replay
from pitbook.engine.round import Round
from pitbook.errors import PitbookError
from pitbook.train.before import Before, before_the_deal
from pitbook.train.coach import Weighed, covered, weigh

__all__ = ["Decision", "Reckoning", "Review", "review"]

_ZERO = Fraction(0)


@dataclass(frozen=True)
class Decision:
    """One decision of a seat: what was known, what was played, and what every play was worth."""

    position: int  # Of its action in the round.
    stage: int
    street: str
    title: str
    cards: tuple[Card, ...]
    board: tuple[Card, ...]
    before: tuple[str, ...]
    stakes: tuple[tuple[str, int], ...]
    dealt: tuple[tuple[str, int], ...]  # The wagers of these that lay there before the deal.
    play: str
    chosen: bool  # False where the house played the hand, or where there was nothing to choose.
    weighed: Weighed

    @property
    def cost(self) -> Fraction:
        """What it gave away, in cents; what nobody chose gave nothing away."""
        return self.weighed.cost(self.play) if self.chosen else _ZERO

    @property
    def short(self) -> Fraction:
        """What was lost beyond the player's choice, in cents."""
        best = self.weighed.worth(self.weighed.advice.best)
        return best - self.weighed.worth(self.play) - self.cost


@dataclass(frozen=True)
class Reckoning:
    """Where a result comes from, in cents: net = expected - cost - short + luck."""

    rounds: int = 0
    expected: Fraction = _ZERO
    cost: Fraction = _ZERO
    short: Fraction = _ZERO
    luck: Fraction = _ZERO
    net: Fraction = _ZERO

    def __add__(self, other: Reckoning) -> Reckoning:
        return Reckoning(
            self.rounds + other.rounds,
            self.expected + other.expected,
            self.cost + other.cost,
            self.short + other.short,
            self.luck + other.luck,
            self.net + other.net,
        )


@dataclass(frozen=True)
class Review:
    """A seat's round: its decisions, and where its result comes from once it is settled."""

    seat: int
    decisions: tuple[Decision, ...]
    reckoning: Reckoning | None


def review(
    opened: Round, actions: Sequence[Action], number: int, *, purse: int | None = None
) -> Review:
    """A seat's decisions so far, weighed with what its player knew and could pay for.

    `purse` is what the player had before the first wager; None is enough for anything.
    """
    try:
        found = tuple(_decisions(opened, actions, number, purse))
    except PitbookError:  # A card that was exposed, say: no spot that the mathematics knows.
        return Review(number, (), None)
    final = replay(opened, actions)
    return Review(number, found, _reckoned(final, number, found))


def _decisions(
    opened: Round, actions: Sequence[Action], number: int, purse: int | None
) -> Iterator[Decision]:
    round = opened
    for position, action in enumerate(actions):
        after = replay(round, [action])
        if isinstance(action, Decide | Absent) and action.seat == number:
            yield _decision(round, after, position, action, purse)
        round = after


def _decision(
    round: Round, after: Round, position: int, action: Decide | Absent, purse: int | None
) -> Decision:
    seat, decided = _seat(round, action.seat), _seat(after, action.seat)
    stage = round.game.stages[round.stage]
    plays = round.game.plays(round.stage)
    if purse is not None:
        plays = covered(round, seat, purse - _at_stake(round, seat.player))
    return Decision(
        position,
        round.stage,
        stage.id,
        stage.title,
        seat.cards,
        round.board,
        seat.plays,
        seat.stakes,
        _as_dealt(seat).stakes,
        decided.plays[-1],
        isinstance(action, Decide) and len(plays) > 1,
        weigh(round, seat, plays),
    )


def _reckoned(final: Round, number: int, decisions: Sequence[Decision]) -> Reckoning | None:
    """Nothing where the round is not settled, or the hand is void: no card decided it."""
    seat = final.seat(number)
    if final.ending != "settled" or seat is None or seat.void is not None or not decisions:
        return None
    before = before_the_deal(final.game.sheet, _as_dealt(seat))
    net = next(one.net for one in final.settlements if one.seat == number)
    return Reckoning(
        rounds=1,
        expected=before.decided + before.beside,
        cost=sum((one.cost for one in decisions), _ZERO),
        short=sum((one.short for one in decisions), _ZERO),
        luck=sum(_luck(final, number, decisions, before), _ZERO),
        net=Fraction(net),
    )


def _luck(
    final: Round, number: int, decisions: Sequence[Decision], before: Before
) -> Iterator[Fraction]:
    """Card by card: how the worth of the hand changed when they were seen."""
    worth = before.decided
    for one in decisions:
        yield one.weighed.worth(one.weighed.advice.best) - worth
        worth = one.weighed.worth(one.play)
    (settlement,) = (one for one in final.settlements if one.seat == number)
    apart = [line for line in settlement.lines if line.wager in before.apart]
    beside = settlement._replace(lines=tuple(apart)).net
    yield settlement.net - beside - worth
    yield beside - before.beside


def _at_stake(round: Round, player: str) -> int:
    """What a player has on the layout, at all spots."""
    own = (seat for seat in round.seats if seat.player == player)
    return sum(amount for seat in own for _, amount in seat.stakes)


def _as_dealt(seat: Seat) -> Seat:
    """The seat with the wagers that it had when betting closed."""
    return seat._replace(main=seat.main[:1])


def _seat(round: Round, number: int) -> Seat:
    seat = round.seat(number)
    assert seat is not None
    return seat
