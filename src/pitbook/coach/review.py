"""Review a finished round: the cost of each decision, and luck apart from skill."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from pitbook.cards import Card
from pitbook.coach.verdicts import WeighedDecision, advise_seat, covers_all_bets, plays_made, weigh
from pitbook.errors import PitbookError
from pitbook.exact.shipped_figures import precomputed_figures
from pitbook.money import Cents
from pitbook.rules.actions import Absent, Action, Decide
from pitbook.rules.cost_to_end import highest_cost
from pitbook.rules.game import Game, Seat, compile_game
from pitbook.rules.round import Round
from pitbook.rules.stored_rounds import replay
from pitbook.sheets.hashes import digest
from pitbook.sheets.model import Limit, Sheet
from pitbook.sheets.pay_tables import lines_under_limit

CACHE_MAX = 512

SideStakes = Mapping[str, Cents]


class ValueBeforeDeal(NamedTuple):
    """A seat's wagers in cents: the value that decisions affect, and separate side wagers."""

    decided: Fraction
    separate_value: Fraction
    separate: tuple[str, ...]


def before_the_deal(sheet: Sheet, seat: Seat, *, antes_left: int | None = None) -> ValueBeforeDeal:
    """What a seat's wagers are worth before the deal. Cached.

    `antes_left` is how many antes (or Bets) the player has left; None is enough for any bet.
    """
    if not seat.main:  # Side wagers alone: there are no decisions.
        return ValueBeforeDeal(
            Fraction(0), _separate_value(sheet, dict(seat.side)), tuple(dict(seat.side))
        )
    key = (digest(sheet), seat.main[0][1], seat.side, antes_left)
    if key not in _CACHE:
        while len(_CACHE) >= CACHE_MAX:
            del _CACHE[next(iter(_CACHE))]
        _CACHE[key] = _value_before(sheet, seat, antes_left)
    return _CACHE[key]


_CACHE: dict[tuple[str, Cents, tuple[tuple[str, Cents], ...], int | None], ValueBeforeDeal] = {}


def _value_before(sheet: Sheet, seat: Seat, antes_left: int | None) -> ValueBeforeDeal:
    """Side wagers under a cap that may apply are counted together with the main game."""
    from pitbook.exact.sheet_figures import whole_round  # noqa: PLC0415  Imports NumPy.

    game, stake, side = compile_game(sheet), seat.main[0][1], dict(seat.side)
    connected = _connected_sides(game, side)
    separate = {wager: amount for wager, amount in side.items() if wager not in connected}
    if antes_left is None and (shipped := _shipped_value(game, stake, connected, separate)):
        return shipped
    value = _connected_value(game, stake, connected, antes_left)
    if _may_reach_limit(sheet, stake, separate):
        separate_value = (
            whole_round(sheet, stake, side, antes_left=antes_left).expected - value
        ) * stake
    else:
        separate_value = _separate_value(sheet, separate)
    return ValueBeforeDeal(value * stake, separate_value, tuple(separate))


def _shipped_value(
    game: Game, stake: Cents, connected: SideStakes, separate: SideStakes
) -> ValueBeforeDeal | None:
    """The value of a bundled sheet's wagers from its shipped figures, if these stakes allow it.

    They do if no cap can apply, and if no side wager is lost with a fold.
    """
    sheet, stakes = game.sheet, {**connected, **separate}
    survives = {rule.wager: rule.survives for rule in game.wager_rules}
    if not all(survives[wager] for wager in connected) or _can_reach_limit(sheet, stake, stakes):
        return None
    values: dict[str, Fraction] = {}
    for wager, amount in {"main": stake, **stakes}.items():
        figures = precomputed_figures(sheet, wager)
        if figures is None:
            return None
        values[wager] = figures.expected * amount
    decided = values["main"] + sum((values[wager] for wager in connected), Fraction(0))
    apart = sum((values[wager] for wager in separate), Fraction(0))
    return ValueBeforeDeal(decided, apart, tuple(separate))


def _can_reach_limit(sheet: Sheet, stake: Cents, side: SideStakes) -> bool:
    """Whether these wagers together can win more than a cap allows."""
    stakes = {"main": Cents(stake * sheet.units_max), **side}
    return any(
        sum(_win_max(sheet, limit, wager, amount) for wager, amount in stakes.items())
        > limit.pays_max
        for limit in sheet.limits
    )


def _connected_sides(game: Game, side: SideStakes) -> SideStakes:
    """Side wagers that decisions affect: they lose on a fold, or share a cap.

    If hands are compared with a dealer's and nobody folds, declarations affect none.
    """
    if game.board_is_a_hand and not game.sheet.has_fold:
        return {}
    dies = {asked_wager.wager for asked_wager in game.wager_rules if not asked_wager.survives}
    caps = [limit for limit in game.sheet.limits if limit.per != "bet"]
    shares = {wager for limit in caps for wager, _, _ in lines_under_limit(game.sheet, limit)}
    return {wager: amount for wager, amount in side.items() if wager in dies | shares}


def _connected_value(
    game: Game, stake: Cents, touched: SideStakes, antes_left: int | None
) -> Fraction:
    """The main game with its connected side wagers, in main wagers."""
    from pitbook.exact.methods.choose import method_for  # noqa: PLC0415  Imports NumPy.

    method = method_for(game)
    if touched:
        return method.whole_round(game, stake, touched, antes_left).expected
    return method.cached_expected(game, stake, antes_left)


def _may_reach_limit(sheet: Sheet, stake: Cents, side: SideStakes) -> bool:
    """Whether these wagers can exceed a cap while the main game wins its maximum."""
    for limit in sheet.limits:
        side_wins = sum(_win_max(sheet, limit, wager, amount) for wager, amount in side.items())
        main = _win_max(sheet, limit, "main", Cents(stake * sheet.units_max))
        if limit.per != "bet" and side_wins and side_wins + main > limit.pays_max:
            return True
    return False


def _win_max(sheet: Sheet, limit: Limit, wager: str, stake: Cents) -> Fraction:
    """The most that a wager can win under a cap."""
    wins = (pay for name, _, pay in lines_under_limit(sheet, limit) if name == wager)
    return max((Fraction(stake * pay.to, pay.one) for pay in wins), default=Fraction(0))


def _separate_value(sheet: Sheet, side: SideStakes) -> Fraction:
    """The value of independent side wagers, in cents."""
    from pitbook.exact.side_wagers import side_figures  # noqa: PLC0415  Imports NumPy.

    value = (side_figures(sheet, wager, stake).expected * stake for wager, stake in side.items())
    return sum(value, Fraction(0))


# The review of a round ----------------------------------------------------------------------------


_ZERO = Fraction(0)


@dataclass(frozen=True)
class ReviewedDecision:
    """A decision of a seat: what the player knew, what was played, and the value of every play."""

    position: int  # Index of its action in the round.
    stage: int
    street: str
    title: str
    cards: tuple[Card, ...]
    board: tuple[Card, ...]
    before: tuple[str, ...]
    stakes: tuple[tuple[str, int], ...]
    dealt: tuple[tuple[str, int], ...]  # The wagers of these placed before the deal.
    play: str
    chosen: bool  # False if the house played the hand, or if there was no choice.
    weighed: WeighedDecision
    chips: int | None = None  # What was left to bet, in cents; None is enough, or unknown.
    shortage_cost: Fraction = _ZERO  # Cost of chips spent elsewhere since the last decision.

    @property
    def cost(self) -> Fraction:
        """What the play cost, in cents; nothing if the player did not choose it."""
        return self.weighed.cost(self.play) if self.chosen else _ZERO

    @property
    def absence_cost(self) -> Fraction:
        """What was lost because the house had to play the hand, in cents."""
        return _ZERO if self.chosen else self.weighed.cost(self.play)


@dataclass(frozen=True)
class ResultBreakdown:
    """The parts of a result, in cents: net = expected - cost - absence_cost - shortage_cost
    + luck.
    """

    rounds: int = 0
    expected: Fraction = _ZERO
    cost: Fraction = _ZERO
    shortage_cost: Fraction = _ZERO
    luck: Fraction = _ZERO
    net: Fraction = _ZERO
    absence_cost: Fraction = _ZERO

    def __add__(self, other: ResultBreakdown) -> ResultBreakdown:
        return ResultBreakdown(
            self.rounds + other.rounds,
            self.expected + other.expected,
            self.cost + other.cost,
            self.shortage_cost + other.shortage_cost,
            self.luck + other.luck,
            self.net + other.net,
            self.absence_cost + other.absence_cost,
        )


@dataclass(frozen=True)
class Review:
    """A seat's round: its decisions, and the parts of its result once it is settled."""

    seat: int
    decisions: tuple[ReviewedDecision, ...]
    breakdown: ResultBreakdown | None


def review(
    opened: Round,
    actions: Sequence[Action],
    number: int,
    *,
    purse: int | None = None,
    bought: Mapping[int, int] = {},
) -> Review:
    """Review a seat's decisions so far, given what its player knew and could pay for.

    `purse` is what the player had before the first wager; None is enough for anything. `bought`
    is what the player had bought in addition, by the position of an action.
    """
    final = replay(opened, actions)
    left = None if purse is None else purse - _dealt_in(final, number)
    try:
        decisions = tuple(_decisions(opened, actions, number, left, bought))
    except PitbookError:  # An exposed card, for example: no spot that the mathematics covers.
        return Review(number, (), None)
    return Review(number, decisions, _split_result(final, number, decisions, left))


def _decisions(
    opened: Round,
    actions: Sequence[Action],
    number: int,
    left: int | None,
    bought: Mapping[int, int],
) -> Iterator[ReviewedDecision]:
    """Decisions, each with the chips left; `undisturbed` ignores chips spent elsewhere."""
    round, undisturbed = opened, left
    for position, action in enumerate(actions):
        after = replay(round, [action])
        if isinstance(action, Decide | Absent) and action.seat == number:
            chips = None
            if left is not None:
                spent = _at_stake(round, number) - _dealt_in(round, number)
                chips = left - spent + bought.get(position, 0)
            yield _decision(round, after, position, action, chips=chips, undisturbed=undisturbed)
            if chips is not None:
                undisturbed = chips + _at_stake(round, number) - _at_stake(after, number)
        round = after


def _decision(
    round: Round,
    after: Round,
    position: int,
    action: Decide | Absent,
    *,
    chips: int | None,
    undisturbed: int | None,
) -> ReviewedDecision:
    seat, decided = _seat_of(round, action.seat), _seat_of(after, action.seat)
    stage = round.game.stages[round.stage]
    weighed, play = weigh(round, seat, chips), decided.plays[len(seat.plays)]
    if play not in weighed.covered:  # Paid for with chips that are not on record.
        weighed, chips, undisturbed = weigh(round, seat), None, None
    return ReviewedDecision(
        position,
        round.stage,
        stage.id,
        stage.title,
        seat.cards,
        round.board,
        plays_made(seat),
        seat.stakes,
        _as_dealt(round.game, seat).stakes,
        play,
        isinstance(action, Decide) and len(weighed.covered) > 1,
        weighed,
        chips,
        _cost_of_missing_chips(round, seat, weighed, chips, undisturbed),
    )


def _cost_of_missing_chips(
    round: Round, seat: Seat, weighed: WeighedDecision, chips: int | None, undisturbed: int | None
) -> Fraction:
    """What the hand loses because its player has fewer chips than at the start of the hand."""
    if chips is None or undisturbed is None or chips == undisturbed:
        return _ZERO
    if all(covers_all_bets(round, seat, amount) for amount in (chips, undisturbed)):
        return _ZERO
    before = advise_seat(round, seat, undisturbed)
    return before.actions[before.best] * weighed.stake - weighed.worth(weighed.best)


def _split_result(
    final: Round, number: int, decisions: Sequence[ReviewedDecision], left: int | None
) -> ResultBreakdown | None:
    """The parts of a result; None if the round is not settled or the hand is void."""
    seat = final.seat(number)
    if final.ending != "settled" or seat is None or seat.void is not None:
        return None
    ample = before_the_deal(final.game.sheet, _as_dealt(final.game, seat))
    unknown = bool(decisions) and decisions[0].chips is None
    before = ample if unknown else _value_with_chips(final, seat, left, ample)
    net = next(hand.net for hand in final.settlements if hand.seat == number)
    expected_value = ample.decided + ample.separate_value
    missing_chips = sum((decision.shortage_cost for decision in decisions), _ZERO)
    return ResultBreakdown(
        rounds=1,
        expected=expected_value,
        cost=sum((decision.cost for decision in decisions), _ZERO),
        absence_cost=sum((decision.absence_cost for decision in decisions), _ZERO),
        shortage_cost=expected_value - before.decided - before.separate_value + missing_chips,
        luck=sum(_luck_by_card(final, number, decisions, before), _ZERO),
        net=Fraction(net),
    )


def _value_with_chips(
    final: Round, seat: Seat, left: int | None, ample: ValueBeforeDeal
) -> ValueBeforeDeal:
    """What the wagers are worth to a player with limited chips."""
    dealt = _as_dealt(final.game, seat)
    if left is None or not dealt.main or left >= highest_cost(final.game, dealt, 0):
        return ample
    return before_the_deal(final.game.sheet, dealt, antes_left=left // dealt.main[0][1])


def _luck_by_card(
    final: Round, number: int, decisions: Sequence[ReviewedDecision], before: ValueBeforeDeal
) -> Iterator[Fraction]:
    """How each card changed the value of the hand."""
    value = before.decided
    for decision in decisions:
        yield decision.weighed.worth(decision.weighed.best) + decision.shortage_cost - value
        value = decision.weighed.worth(decision.play)
    (settlement,) = (hand for hand in final.settlements if hand.seat == number)
    lines = [line for line in settlement.lines if line.wager in before.separate]
    separate_net = settlement._replace(lines=tuple(lines)).net
    yield settlement.net - separate_net - value
    yield separate_net - before.separate_value


def _at_stake(round: Round, number: int) -> int:
    """What the player of a seat has at stake, over all seats."""
    return sum(amount for seat in _seats_of_player(round, number) for _, amount in seat.stakes)


def _dealt_in(round: Round, number: int) -> int:
    """How much of it was at stake when betting closed."""
    seats = (_as_dealt(round.game, seat) for seat in _seats_of_player(round, number))
    return sum(amount for seat in seats for _, amount in seat.stakes)


def _seats_of_player(round: Round, number: int) -> list[Seat]:
    seat = round.seat(number)
    return [] if seat is None else [other for other in round.seats if other.player == seat.player]


def _as_dealt(game: Game, seat: Seat) -> Seat:
    """The seat with the wagers that it had when betting closed."""
    alike = ((wager, stake) for _, stake in seat.main[:1] for wager in game.equals)
    return seat._replace(main=(*seat.main[:1], *alike))


def _seat_of(round: Round, number: int) -> Seat:
    seat = round.seat(number)
    assert seat is not None
    return seat
