"""Review a finished round: the cost of each decision, and luck apart from skill."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from pitbook.cards import Card
from pitbook.coach.verdicts import Weighed, advised, made, pays_for_all, weigh
from pitbook.errors import PitbookError
from pitbook.money import Cents
from pitbook.rules.actions import Absent, Action, Decide
from pitbook.rules.costs import highest_cost
from pitbook.rules.game import Game, Seat
from pitbook.rules.round import Round
from pitbook.rules.stored import replay
from pitbook.sheets.digest import digest
from pitbook.sheets.model import Sheet
from pitbook.sheets.parts import Limit
from pitbook.sheets.pay_tables import lines_under_limit

KNOWN_MAX = 512

SideStakes = Mapping[str, Cents]


class Before(NamedTuple):
    """A seat's wagers in cents: those that its decisions bear on, and the side wagers apart."""

    decided: Fraction
    beside: Fraction
    apart: tuple[str, ...]


def before_the_deal(sheet: Sheet, seat: Seat, *, room: int | None = None) -> Before:
    """What a seat's wagers are worth; the same wagers are worked out once.

    `room` is how many antes (or Bets) are left to bet with; None is enough for any bet.
    """
    if not seat.main:  # Side wagers alone: nothing is decided.
        return Before(Fraction(0), _alone(sheet, dict(seat.side)), tuple(dict(seat.side)))
    key = (digest(sheet), seat.main[0][1], seat.side, room)
    if key not in _KNOWN:
        while len(_KNOWN) >= KNOWN_MAX:
            del _KNOWN[next(iter(_KNOWN))]
        _KNOWN[key] = _worked_out(sheet, seat, room)
    return _KNOWN[key]


_KNOWN: dict[tuple[str, Cents, tuple[tuple[str, Cents], ...], int | None], Before] = {}


def _worked_out(sheet: Sheet, seat: Seat, room: int | None) -> Before:
    """Side wagers under a cap that may bite are counted together with the rest."""
    from pitbook.exact.games import cached_game  # noqa: PLC0415  They bring NumPy.
    from pitbook.exact.sheet_figures import whole_round  # noqa: PLC0415

    game, stake, side = cached_game(sheet), seat.main[0][1], dict(seat.side)
    touched = _touched(game, side)
    apart = {wager: amount for wager, amount in side.items() if wager not in touched}
    worth = _decided(game, stake, touched, room)
    if _may_bite(sheet, stake, apart):
        beside = (whole_round(sheet, stake, side, room=room).expected - worth) * stake
    else:
        beside = _alone(sheet, apart)
    return Before(worth * stake, beside, tuple(apart))


def _touched(game: Game, side: SideStakes) -> SideStakes:
    """Side wagers that decisions bear on: they die with a fold, or share a cap.

    Where hands are compared with a dealer's and nobody folds, what is declared bears on none.
    """
    if game.board_is_a_hand and not game.sheet.has_fold:
        return {}
    dies = {one.wager for one in game.asked if not one.survives}
    caps = [limit for limit in game.sheet.limits if limit.per != "bet"]
    shares = {wager for limit in caps for wager, _, _ in lines_under_limit(game.sheet, limit)}
    return {wager: amount for wager, amount in side.items() if wager in dies | shares}


def _decided(game: Game, stake: Cents, touched: SideStakes, room: int | None) -> Fraction:
    """The main game and what it touches, in main wagers."""
    from pitbook.exact.methods.choose import method_for  # noqa: PLC0415  It brings NumPy.

    method = method_for(game)
    if touched:
        return method.whole_round(game, stake, touched, room).expected
    return method.cached_expected(game, stake, room)


def _may_bite(sheet: Sheet, stake: Cents, side: SideStakes) -> bool:
    """Whether these can win more under one cap than it pays, with the main game at its most."""
    for limit in sheet.limits:
        beside = sum(_most(sheet, limit, wager, amount) for wager, amount in side.items())
        main = _most(sheet, limit, "main", Cents(stake * sheet.units_max))
        if limit.per != "bet" and beside and beside + main > limit.pays_max:
            return True
    return False


def _most(sheet: Sheet, limit: Limit, wager: str, stake: Cents) -> Fraction:
    """The most that a wager can win of what a cap counts."""
    wins = (pay for name, _, pay in lines_under_limit(sheet, limit) if name == wager)
    return max((Fraction(stake * pay.to, pay.one) for pay in wins), default=Fraction(0))


def _alone(sheet: Sheet, side: SideStakes) -> Fraction:
    """Side wagers that have nothing to do with each other, in cents."""
    from pitbook.exact.side_wagers import side_figures  # noqa: PLC0415  It brings NumPy.

    worth = (side_figures(sheet, wager, stake).expected * stake for wager, stake in side.items())
    return sum(worth, Fraction(0))


# The review of a round ----------------------------------------------------------------------------


_ZERO = Fraction(0)


@dataclass(frozen=True)
class ReviewedDecision:
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
    chips: int | None = None  # What was left to bet with, in cents; None is enough, or not known.
    short: Fraction = _ZERO  # What chips that went elsewhere since the last decision cost.

    @property
    def cost(self) -> Fraction:
        """What it gave away, in cents; what nobody chose gave nothing away."""
        return self.weighed.cost(self.play) if self.chosen else _ZERO

    @property
    def absent(self) -> Fraction:
        """What was lost because the house had to play the hand, in cents."""
        return _ZERO if self.chosen else self.weighed.cost(self.play)


@dataclass(frozen=True)
class Reckoning:
    """Where a result comes from, in cents: net = expected - cost - absent - short + luck."""

    rounds: int = 0
    expected: Fraction = _ZERO
    cost: Fraction = _ZERO
    short: Fraction = _ZERO
    luck: Fraction = _ZERO
    net: Fraction = _ZERO
    absent: Fraction = _ZERO

    def __add__(self, other: Reckoning) -> Reckoning:
        return Reckoning(
            self.rounds + other.rounds,
            self.expected + other.expected,
            self.cost + other.cost,
            self.short + other.short,
            self.luck + other.luck,
            self.net + other.net,
            self.absent + other.absent,
        )


@dataclass(frozen=True)
class Review:
    """A seat's round: its decisions, and where its result comes from once it is settled."""

    seat: int
    decisions: tuple[ReviewedDecision, ...]
    reckoning: Reckoning | None


def review(
    opened: Round,
    actions: Sequence[Action],
    number: int,
    *,
    purse: int | None = None,
    bought: Mapping[int, int] = {},
) -> Review:
    """A seat's decisions so far, weighed with what its player knew and could pay for.

    `purse` is what the player had before the first wager; None is enough for anything. `bought` is
    what had been bought besides, by the position of an action.
    """
    final = replay(opened, actions)
    left = None if purse is None else purse - _dealt_in(final, number)
    try:
        found = tuple(_decisions(opened, actions, number, left, bought))
    except PitbookError:  # A card that was exposed, say: no spot that the mathematics knows.
        return Review(number, (), None)
    return Review(number, found, _reckoned(final, number, found, left))


def _decisions(
    opened: Round,
    actions: Sequence[Action],
    number: int,
    left: int | None,
    bought: Mapping[int, int],
) -> Iterator[ReviewedDecision]:
    """Decisions, with what was left for each; `kept` would be, had no chip gone elsewhere."""
    round, kept = opened, left
    for position, action in enumerate(actions):
        after = replay(round, [action])
        if isinstance(action, Decide | Absent) and action.seat == number:
            chips = None
            if left is not None:
                spent = _at_stake(round, number) - _dealt_in(round, number)
                chips = left - spent + bought.get(position, 0)
            yield _decision(round, after, position, action, chips=chips, kept=kept)
            if chips is not None:
                kept = chips + _at_stake(round, number) - _at_stake(after, number)
        round = after


def _decision(
    round: Round,
    after: Round,
    position: int,
    action: Decide | Absent,
    *,
    chips: int | None,
    kept: int | None,
) -> ReviewedDecision:
    seat, decided = _seat(round, action.seat), _seat(after, action.seat)
    stage = round.game.stages[round.stage]
    found, play = weigh(round, seat, chips), decided.plays[len(seat.plays)]
    if play not in found.covered:  # Paid for with chips that the record does not know of.
        found, chips, kept = weigh(round, seat), None, None
    return ReviewedDecision(
        position,
        round.stage,
        stage.id,
        stage.title,
        seat.cards,
        round.board,
        made(seat),
        seat.stakes,
        _as_dealt(round.game, seat).stakes,
        play,
        isinstance(action, Decide) and len(found.covered) > 1,
        found,
        chips,
        _gone(round, seat, found, chips, kept),
    )


def _gone(
    round: Round, seat: Seat, found: Weighed, chips: int | None, kept: int | None
) -> Fraction:
    """What it costs the hand that its player has less left than it was played for so far."""
    if chips is None or kept is None or chips == kept:
        return _ZERO
    if all(pays_for_all(round, seat, one) for one in (chips, kept)):
        return _ZERO
    before = advised(round, seat, kept)
    return before.actions[before.best] * found.stake - found.worth(found.best)


def _reckoned(
    final: Round, number: int, decisions: Sequence[ReviewedDecision], left: int | None
) -> Reckoning | None:
    """Nothing where the round is not settled, or the hand is void: no card decided it."""
    seat = final.seat(number)
    if final.ending != "settled" or seat is None or seat.void is not None:
        return None
    ample = before_the_deal(final.game.sheet, _as_dealt(final.game, seat))
    unknown = bool(decisions) and decisions[0].chips is None
    before = ample if unknown else _with(final, seat, left, ample)
    net = next(one.net for one in final.settlements if one.seat == number)
    expected = ample.decided + ample.beside
    gone = sum((one.short for one in decisions), _ZERO)
    return Reckoning(
        rounds=1,
        expected=expected,
        cost=sum((one.cost for one in decisions), _ZERO),
        absent=sum((one.absent for one in decisions), _ZERO),
        short=expected - before.decided - before.beside + gone,
        luck=sum(_luck(final, number, decisions, before), _ZERO),
        net=Fraction(net),
    )


def _with(final: Round, seat: Seat, left: int | None, ample: Before) -> Before:
    """What the wagers are worth to a player with so much left beside them."""
    dealt = _as_dealt(final.game, seat)
    if left is None or not dealt.main or left >= highest_cost(final.game, dealt, 0):
        return ample
    return before_the_deal(final.game.sheet, dealt, room=left // dealt.main[0][1])


def _luck(
    final: Round, number: int, decisions: Sequence[ReviewedDecision], before: Before
) -> Iterator[Fraction]:
    """Card by card: how the worth of the hand changed when they were seen."""
    worth = before.decided
    for one in decisions:
        yield one.weighed.worth(one.weighed.best) + one.short - worth
        worth = one.weighed.worth(one.play)
    (settlement,) = (one for one in final.settlements if one.seat == number)
    apart = [line for line in settlement.lines if line.wager in before.apart]
    beside = settlement._replace(lines=tuple(apart)).net
    yield settlement.net - beside - worth
    yield beside - before.beside


def _at_stake(round: Round, number: int) -> int:
    """What the player of a seat has on the layout, at all spots."""
    return sum(amount for seat in _own(round, number) for _, amount in seat.stakes)


def _dealt_in(round: Round, number: int) -> int:
    """What of it lay there when betting closed."""
    own = (_as_dealt(round.game, seat) for seat in _own(round, number))
    return sum(amount for seat in own for _, amount in seat.stakes)


def _own(round: Round, number: int) -> list[Seat]:
    seat = round.seat(number)
    return [] if seat is None else [one for one in round.seats if one.player == seat.player]


def _as_dealt(game: Game, seat: Seat) -> Seat:
    """The seat with the wagers that it had when betting closed."""
    alike = ((wager, stake) for _, stake in seat.main[:1] for wager in game.equals)
    return seat._replace(main=(*seat.main[:1], *alike))


def _seat(round: Round, number: int) -> Seat:
    seat = round.seat(number)
    assert seat is not None
    return seat
