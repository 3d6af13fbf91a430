"""Games of points, and counts of the dealer's low and high totals.

Cards already set matter only by their number, their points, and whether an ace is in the low
hand. So dealer hands are counted rank by rank, lowest first, without listing hands, and adjacent
ranks of equal points are counted together.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import comb
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitbook.exact.compiled_games import cache_by_identity
from pitbook.hands.low_and_high import PLACES, EqualPoints, PointTable, SharedCard
from pitbook.rules.actions import Play
from pitbook.rules.game import Duel, Game, Hand, Stage
from pitbook.rules.settlement_lines import Arranged, Kinds, Matches, PointSum

PLAYER_CARDS, DEALER_CARDS, ALL_CARDS = (0,), (1,), (0, 1)


class PointsGame(NamedTuple):
    """A game of points: its shape, its two duels, and the hands of its side wagers."""

    shape: Shape
    low: Duel
    high: Duel
    matches: str  # The hands' names; empty if no wager uses them.
    kind: str

    @property
    def duels(self) -> tuple[Duel, Duel]:
        """The duel with the dealer's low hand, and with the high one."""
        return self.low, self.high


def points_game(game: Game) -> PointsGame:
    """The structure of a game that fits this method."""
    structure = as_points_game(game)
    assert structure is not None
    return structure


@cache_by_identity
def as_points_game(game: Game) -> PointsGame | None:
    """The game as one of points, or None if it does not fit."""
    if len(game.places) != 2 or len(game.stages) != 1 or len(game.duels) != 2 or game.equals:
        return None
    if any(place.later for place in game.places) or not _is_declaration(game, game.stages[0]):
        return None
    low, high = sorted(game.duels, key=lambda duel: not duel.low)
    shape = _shape(game, low, high)
    hands = [game.hand(wager_rule.hand) for wager_rule in game.wager_rules]
    if shape is None or not all(_is_countable(game, hand) for hand in hands):
        return None
    matches = {hand.name for hand in hands if isinstance(hand.ranking, Matches)}
    kinds = {hand.name for hand in hands if isinstance(hand.ranking, Kinds)}
    if len(matches) > 1 or len(kinds) > 1:
        return None
    return PointsGame(shape, low, high, "".join(matches), "".join(kinds))


def _is_declaration(game: Game, stage: Stage) -> bool:
    """Whether every player declares, seeing all own cards and none of the dealer's."""
    cards_seen = (game.places[0].cards, 0)
    names = {duel.name for duel in game.duels}
    always = not stage.once and stage.when is None and stage.opens == cards_seen
    return always and all(_names_duel(play, names) for play in stage.plays)


def _names_duel(play: Play, duels: set[str]) -> bool:
    """Whether a play only declares a duel, with any hand."""
    return play.declaration in duels and not (play.folds or play.takes or play.needs)


def _shape(game: Game, low: Duel, high: Duel) -> Shape | None:
    """The shape of a game with one duel about the low hand and one about the high hand."""
    player_hands = [game.hand(duel.own) for duel in (low, high)]
    dealer_hands = [game.hand(duel.other) for duel in (low, high)]
    if [hand.places for hand in (*player_hands, *dealer_hands)] != [
        PLAYER_CARDS,
        PLAYER_CARDS,
        DEALER_CARDS,
        DEALER_CARDS,
    ]:
        return None
    if not low.low or high.low:
        return None
    low_ranking, high_ranking = (hand.ranking for hand in dealer_hands)
    if (
        not isinstance(low_ranking, Arranged)
        or high_ranking != low_ranking._replace(which="high")
        or low_ranking.which != "low"
    ):
        return None
    if [hand.ranking for hand in player_hands] != [
        PointSum(low_ranking.points.low),
        PointSum(low_ranking.points.high),
    ]:
        return None
    cards, dealer = (place.cards for place in game.places)
    copies = 4 * game.sheet.deck.decks
    return Shape(
        cards,
        dealer,
        copies,
        low_ranking.points,
        low_ranking.low,
        low_ranking.shared,
        low_ranking.equal,
    )


def _is_countable(game: Game, hand: Hand) -> bool:
    """Whether a side wager uses the kind of the player's cards, or matches with the dealer's."""
    ranking = hand.ranking
    if isinstance(ranking, Kinds):
        many_decks = game.sheet.deck.decks > 1
        is_player_kind = ranking == Kinds(game.places[0].cards, ranking.ace, many_decks)
        return hand.places == PLAYER_CARDS and is_player_kind
    return isinstance(ranking, Matches) and hand.places == ALL_CARDS


ACE = 12

CountArray = NDArray[Any]
AheadTally = tuple[int, int, int]  # Ways to be ahead of the dealer, level and behind.


@dataclass(frozen=True)
class Shape:
    """The rules that decide who is ahead: cards and points, without stakes."""

    player: int
    dealer: int
    copies: int
    points: PointTable
    low: int
    shared: SharedCard
    equal: EqualPoints

    @cached_property
    def rank_groups(self) -> tuple[RankGroup, ...]:
        """The ranks in the order in which the dealer sets them, with equal neighbors merged."""
        low, high, places = self.points.low, self.points.high, PLACES[self.equal]
        groups: list[RankGroup] = []
        for rank in sorted(
            range(13), key=lambda rank_number: (low[rank_number], places[rank_number])
        ):
            value, ace = (low[rank], high[rank]), rank == ACE
            if groups and groups[-1].worth == value and not (ace or groups[-1].ace):
                groups[-1] = RankGroup((*groups[-1].ranks, rank), value, ace=False)
            else:
                groups.append(RankGroup((rank,), value, ace=ace))
        return tuple(groups)

    @cached_property
    def numbers(self) -> type:
        """The fastest number type that counts all dealer hands exactly."""
        hand_count = comb(13 * self.copies, self.dealer)
        return np.float64 if hand_count < 2**53 else np.int64 if hand_count < 2**63 else object


@dataclass(frozen=True)
class RankGroup:
    """Adjacent ranks with equal points; the ace is always alone."""

    ranks: tuple[int, ...]
    worth: tuple[int, int]
    ace: bool


def dealer_totals(shape: Shape, known_counts: Sequence[int]) -> tuple[list[int], list[int]]:
    """Ways of the dealer's low and high total, given the known cards of each rank."""
    ways = _initial_ways(shape)
    for step in _steps(shape):
        gone_count = sum(known_counts[rank] for rank in step.group.ranks)
        ways = step.extend(ways, (gone_count,))[0]
    return _final_totals(shape, ways)


def walk_holdings(shape: Shape) -> Iterator[tuple[tuple[int, ...], list[int], list[int]]]:
    """For every player's hand, as counts by rank group: the dealer's totals."""
    yield from _walk_holdings(shape, _steps(shape), (), shape.player, _initial_ways(shape))


def ways_to_hold(shape: Shape) -> int:
    """The number of player's hands that the walk visits."""
    counts = [1] + [0] * shape.player
    for group in shape.rank_groups:
        count_max = shape.copies * len(group.ranks)
        counts = [
            sum(counts[cards - added] for added in range(min(count_max, cards) + 1))
            for cards in range(shape.player + 1)
        ]
    return counts[shape.player]


def step_seconds(shape: Shape) -> float:
    """Approximate time for one player's hand."""
    low, high = _lengths(shape)
    slower = 20 if shape.numbers is object else 1
    return 3e-5 + 1.4e-8 * slower * (shape.dealer + 1) ** 2 * (low + 2 * high)


def _walk_holdings(
    shape: Shape,
    steps: Sequence[_Step],
    group_counts: tuple[int, ...],
    cards_left: int,
    ways: WaysByState,
) -> Iterator[tuple[tuple[int, ...], list[int], list[int]]]:
    place = len(group_counts)
    if place == len(steps):
        yield group_counts, *_final_totals(shape, ways)
        return
    groups = shape.rank_groups
    later_cards = shape.copies * sum(len(group.ranks) for group in groups[place + 1 :])
    count_max = min(cards_left, shape.copies * len(groups[place].ranks))
    counts = range(max(0, cards_left - later_cards), count_max + 1)
    for count, next_ways in zip(counts, steps[place].extend(ways, counts), strict=True):
        yield from _walk_holdings(
            shape, steps, (*group_counts, count), cards_left - count, next_ways
        )


class WaysByState(NamedTuple):
    """Ways by state, in one row each; the last place is not a state.

    Low: [cards, points of the low hand]. High: [ace in the low hand, cards, points].
    """

    low: CountArray
    high: CountArray


class _Step:
    """The next rank group to set: for every number of cards, the source of each state."""

    def __init__(self, shape: Shape, group: RankGroup, *, last: bool) -> None:
        self.shape, self.group = shape, group
        cards, self.counts = shape.dealer + 1, range(shape.dealer + 1)
        low, high = _lengths(shape)
        self.low: CountArray = np.full((cards, cards, low), cards * low, np.intp)
        self.high: CountArray = np.full((2, cards, 2, cards, high), 2 * cards * high, np.intp)
        for added in self.counts:
            for cards_set in range(cards - added):
                if not last or cards_set + added == shape.dealer:
                    self._set_group_sources(cards_set, added, (low, high))
        self.low, self.high = self.low.reshape(cards, -1), self.high.reshape(2, cards, -1)

    def _set_group_sources(self, cards_set: int, added: int, lengths: tuple[int, int]) -> None:
        """Add cards to those already set: the low hand is filled first, the rest is high."""
        shape, group, (low, high) = self.shape, self.group, lengths
        low_added = min(added, max(0, shape.low - cards_set))
        completes_low = low_added > 0 and cards_set + low_added == shape.low
        _set_sources(
            self.low[added, cards_set + added], cards_set * low, low_added * group.worth[0]
        )
        for ace in (0, 1):
            has_ace = int(ace or (group.ace and low_added > 0))
            shared = _shared_points(shape, group, ace=bool(has_ace)) if completes_low else 0
            points = (added - low_added) * group.worth[1] + shared
            sources = self.high[ace, added, has_ace, cards_set + added]
            _set_sources(sources, (ace * (shape.dealer + 1) + cards_set) * high, points)

    def extend(self, state_ways: WaysByState, gone_counts: Sequence[int]) -> list[WaysByState]:
        """The dealer's ways with any number of these ranks, for each number of known cards."""
        draw_ways = _ways(self.shape.copies * len(self.group.ranks), self.shape, tuple(gone_counts))
        lows = draw_ways @ state_ways.low[self.low]
        highs = state_ways.high[self.high[0]]
        highs = draw_ways @ (highs + state_ways.high[self.high[1]])
        rows = zip(_pad(lows), _pad(highs), strict=True)
        return [WaysByState(low, high) for low, high in rows]


@lru_cache(maxsize=8)
def _steps(shape: Shape) -> tuple[_Step, ...]:
    *first, last = shape.rank_groups
    return (*(_Step(shape, group, last=False) for group in first), _Step(shape, last, last=True))


@lru_cache(maxsize=1024)
def _ways(copies: int, shape: Shape, gone_counts: tuple[int, ...]) -> CountArray:
    return np.array(
        [[comb(copies - gone, added) for added in range(shape.dealer + 1)] for gone in gone_counts],
        shape.numbers,
    )


def _lengths(shape: Shape) -> tuple[int, int]:
    """The number of possible totals of a low and a high hand."""
    high_cards = shape.dealer - shape.low + (shape.shared != "none")
    return shape.low * max(shape.points.low) + 1, high_cards * max(shape.points.high) + 1


def _initial_ways(shape: Shape) -> WaysByState:
    low, high = _lengths(shape)
    cards = shape.dealer + 1
    lows: CountArray = np.zeros(cards * low + 1, shape.numbers)
    highs: CountArray = np.zeros(2 * cards * high + 1, shape.numbers)
    lows[0] = highs[0] = 1
    return WaysByState(lows, highs)


def _pad(rows: CountArray) -> CountArray:
    """Append a place that is not a state and has no ways."""
    return np.concatenate([rows, np.zeros((len(rows), 1), rows.dtype)], axis=1)


def _set_sources(sources: NDArray[np.intp], start: int, points: int) -> None:
    """Set the sources of these places: a row with `points` fewer points."""
    if points < len(sources):
        sources[points:] = start + np.arange(len(sources) - points)


def _shared_points(shape: Shape, last: RankGroup, *, ace: bool) -> int:
    """The points of the card shared by both hands, when the last low card is set (MHL-8)."""
    if shape.shared == "none":
        return 0
    if shape.shared == "ace-then-highest" and ace:
        return shape.points.high[ACE]
    return last.worth[1]


def _final_totals(shape: Shape, ways: WaysByState) -> tuple[list[int], list[int]]:
    low, high = _lengths(shape)
    cards = shape.dealer + 1
    lows = ways.low[:-1].reshape(cards, low)[shape.dealer]
    highs = ways.high[:-1].reshape(2, cards, high)[:, shape.dealer].sum(axis=0)
    return [int(count) for count in lows], [int(count) for count in highs]
