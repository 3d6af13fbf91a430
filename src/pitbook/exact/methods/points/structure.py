"""Games of points, and counts of the dealer's low and high totals.

What is already set matters only by its number of cards, its points, and whether an ace lies among
the low cards. So dealer hands are counted rank by rank, lowest first, without a list of hands, and
adjacent ranks of equal points are counted together.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import comb
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitbook.exact.games import cache_by_identity
from pitbook.hands.points import PLACES, EqualPoints, PointTable, SharedCard
from pitbook.rules.game import Duel, Game, Hand, Stage
from pitbook.rules.plays import Play
from pitbook.rules.pricing import Arranged, Kinds, Matches, PointSum

OWN_CARDS, DEALER_CARDS, ALL_CARDS = (0,), (1,), (0, 1)


class PointsGame(NamedTuple):
    """A game of points: what decides who is ahead, its two duels, and what side wagers meet."""

    shape: Shape
    low: Duel
    high: Duel
    matches: str  # The hands' names; empty where no wager asks.
    kind: str

    @property
    def duels(self) -> tuple[Duel, Duel]:
        """The duel with the dealer's low hand, and with the high one."""
        return self.low, self.high


def points_game(game: Game) -> PointsGame:
    """The measures of a game that is known to be one of points."""
    found = as_points_game(game)
    assert found is not None
    return found


@cache_by_identity
def as_points_game(game: Game) -> PointsGame | None:
    """The game as one of points; None where it is none."""
    if len(game.places) != 2 or len(game.stages) != 1 or len(game.duels) != 2 or game.equals:
        return None
    if any(place.later for place in game.places) or not _is_declaration(game, game.stages[0]):
        return None
    low, high = sorted(game.duels, key=lambda duel: not duel.low)
    shape, asked = _shape(game, low, high), [game.hand(one.hand) for one in game.asked]
    if shape is None or not all(_is_countable(game, hand) for hand in asked):
        return None
    matches = {hand.name for hand in asked if isinstance(hand.ranking, Matches)}
    kinds = {hand.name for hand in asked if isinstance(hand.ranking, Kinds)}
    if len(matches) > 1 or len(kinds) > 1:
        return None
    return PointsGame(shape, low, high, "".join(matches), "".join(kinds))


def _is_declaration(game: Game, stage: Stage) -> bool:
    """Whether everybody names a duel, the own cards seen and none of the dealer's."""
    seen = (game.places[0].cards, 0)
    names = {duel.name for duel in game.duels}
    always = not stage.once and stage.when is None and stage.opens == seen
    return always and all(_names_duel(play, names) for play in stage.plays)


def _names_duel(play: Play, duels: set[str]) -> bool:
    """Whether a play names a duel, whatever the hand, and gives nothing up."""
    return play.said in duels and not (play.folds or play.takes or play.needs)


def _shape(game: Game, low: Duel, high: Duel) -> Shape | None:
    """All that decides who is ahead, where one duel is about the low hand, one about the high."""
    own = [game.hand(duel.own) for duel in (low, high)]
    other = [game.hand(duel.other) for duel in (low, high)]
    if [hand.places for hand in (*own, *other)] != [
        OWN_CARDS,
        OWN_CARDS,
        DEALER_CARDS,
        DEALER_CARDS,
    ]:
        return None
    if not low.low or high.low:
        return None
    one, two = (hand.ranking for hand in other)
    if not isinstance(one, Arranged) or two != one._replace(which="high") or one.which != "low":
        return None
    if [hand.ranking for hand in own] != [PointSum(one.points.low), PointSum(one.points.high)]:
        return None
    cards, dealer = (place.cards for place in game.places)
    copies = 4 * game.sheet.deck.decks
    return Shape(cards, dealer, copies, one.points, one.low, one.shared, one.equal)


def _is_countable(game: Game, hand: Hand) -> bool:
    """Whether a side wager asks for a kind of the own cards, or for matches with the dealer's."""
    ranking = hand.ranking
    if isinstance(ranking, Kinds):
        many = game.sheet.deck.decks > 1
        whole = ranking == Kinds(game.places[0].cards, ranking.ace, many)
        return hand.places == OWN_CARDS and whole
    return isinstance(ranking, Matches) and hand.places == ALL_CARDS


ACE = 12

CountArray = NDArray[Any]
AheadTally = tuple[int, int, int]  # Ways to be ahead of the dealer, level and behind.


@dataclass(frozen=True)
class Shape:
    """All of a sheet that decides who is ahead: cards and points, no money."""

    player: int
    dealer: int
    copies: int
    points: PointTable
    low: int
    shared: SharedCard
    equal: EqualPoints

    @cached_property
    def ranked(self) -> tuple[RankGroup, ...]:
        """The ranks in the order in which the dealer lays them, equal neighbours together."""
        low, high, places = self.points.low, self.points.high, PLACES[self.equal]
        found: list[RankGroup] = []
        for rank in sorted(range(13), key=lambda one: (low[one], places[one])):
            worth, ace = (low[rank], high[rank]), rank == ACE
            if found and found[-1].worth == worth and not (ace or found[-1].ace):
                found[-1] = RankGroup((*found[-1].ranks, rank), worth, ace=False)
            else:
                found.append(RankGroup((rank,), worth, ace=ace))
        return tuple(found)

    @cached_property
    def numbers(self) -> type:
        """Numbers that hold the count of all dealer's hands exactly, the fastest that do."""
        most = comb(13 * self.copies, self.dealer)
        return np.float64 if most < 2**53 else np.int64 if most < 2**63 else object


@dataclass(frozen=True)
class RankGroup:
    """Ranks that count alike and lie side by side; the ace is always by itself."""

    ranks: tuple[int, ...]
    worth: tuple[int, int]
    ace: bool


def dealer_totals(form: Shape, held: Sequence[int]) -> tuple[list[int], list[int]]:
    """Ways of the dealer's low and high total when so many cards of each rank are gone."""
    laid = _nothing_laid(form)
    for step in _steps(form):
        gone = sum(held[rank] for rank in step.one.ranks)
        laid = step.extend(laid, (gone,))[0]
    return _final_totals(form, laid)


def walk_holdings(form: Shape) -> Iterator[tuple[tuple[int, ...], list[int], list[int]]]:
    """For every way to hold a player's cards, by entries of `ranked`: the dealer's totals."""
    yield from _walk_holdings(form, _steps(form), (), form.player, _nothing_laid(form))


def ways_to_hold(form: Shape) -> int:
    """How many ways to hold a player's cards the walk goes through."""
    counts = [1] + [0] * form.player
    for one in form.ranked:
        most = form.copies * len(one.ranks)
        counts = [
            sum(counts[cards - more] for more in range(min(most, cards) + 1))
            for cards in range(form.player + 1)
        ]
    return counts[form.player]


def step_seconds(form: Shape) -> float:
    """About how long one way to hold the cards takes."""
    low, high = _lengths(form)
    slower = 20 if form.numbers is object else 1
    return 3e-5 + 1.4e-8 * slower * (form.dealer + 1) ** 2 * (low + 2 * high)


def _walk_holdings(
    form: Shape, steps: Sequence[_Step], held: tuple[int, ...], left: int, laid: WaysLaid
) -> Iterator[tuple[tuple[int, ...], list[int], list[int]]]:
    place = len(held)
    if place == len(steps):
        yield held, *_final_totals(form, laid)
        return
    ranked = form.ranked
    room = form.copies * sum(len(later.ranks) for later in ranked[place + 1 :])
    most = min(left, form.copies * len(ranked[place].ranks))
    taken = range(max(0, left - room), most + 1)
    for count, after in zip(taken, steps[place].extend(laid, taken), strict=True):
        yield from _walk_holdings(form, steps, (*held, count), left - count, after)


class WaysLaid(NamedTuple):
    """Ways by cards laid and what they count, in one row each; the last place is no state.

    Low: [cards, points of the low hand]. High: [an ace among the low cards, cards, points].
    """

    low: CountArray
    high: CountArray


class _Step:
    """The next ranks laid: for every number of cards where each state comes from."""

    def __init__(self, form: Shape, one: RankGroup, *, last: bool) -> None:
        self.form, self.one = form, one
        cards, self.more = form.dealer + 1, range(form.dealer + 1)
        low, high = _lengths(form)
        self.low: CountArray = np.full((cards, cards, low), cards * low, np.intp)
        self.high: CountArray = np.full((2, cards, 2, cards, high), 2 * cards * high, np.intp)
        for more in self.more:
            for before in range(cards - more):
                if not last or before + more == form.dealer:
                    self._lay(before, more, (low, high))
        self.low, self.high = self.low.reshape(cards, -1), self.high.reshape(2, cards, -1)

    def _lay(self, before: int, more: int, lengths: tuple[int, int]) -> None:
        """So many more cards on so many: the low hand takes what it lacks, the rest lies above."""
        form, one, (low, high) = self.form, self.one, lengths
        below = min(more, max(0, form.low - before))
        full = below > 0 and before + below == form.low
        _set_sources(self.low[more, before + more], before * low, below * one.worth[0])
        for ace in (0, 1):
            seen = int(ace or (one.ace and below > 0))
            shared = _shared_points(form, one, ace=bool(seen)) if full else 0
            points = (more - below) * one.worth[1] + shared
            to = self.high[ace, more, seen, before + more]
            _set_sources(to, (ace * (form.dealer + 1) + before) * high, points)

    def extend(self, laid: WaysLaid, gone: Sequence[int]) -> list[WaysLaid]:
        """The dealer's cards with any number of these ranks, for each number that is gone."""
        ways = _ways(self.form.copies * len(self.one.ranks), self.form, tuple(gone))
        lows = ways @ laid.low[self.low]
        highs = laid.high[self.high[0]]
        highs = ways @ (highs + laid.high[self.high[1]])
        rows = zip(_pad(lows), _pad(highs), strict=True)
        return [WaysLaid(low, high) for low, high in rows]


@lru_cache(maxsize=8)
def _steps(form: Shape) -> tuple[_Step, ...]:
    *first, last = form.ranked
    return (*(_Step(form, one, last=False) for one in first), _Step(form, last, last=True))


@lru_cache(maxsize=1024)
def _ways(copies: int, form: Shape, gone: tuple[int, ...]) -> CountArray:
    return np.array(
        [[comb(copies - less, more) for more in range(form.dealer + 1)] for less in gone],
        form.numbers,
    )


def _lengths(form: Shape) -> tuple[int, int]:
    """How many totals a low and a high hand can have."""
    above = form.dealer - form.low + (form.shared != "none")
    return form.low * max(form.points.low) + 1, above * max(form.points.high) + 1


def _nothing_laid(form: Shape) -> WaysLaid:
    low, high = _lengths(form)
    cards = form.dealer + 1
    lows: CountArray = np.zeros(cards * low + 1, form.numbers)
    highs: CountArray = np.zeros(2 * cards * high + 1, form.numbers)
    lows[0] = highs[0] = 1
    return WaysLaid(lows, highs)


def _pad(rows: CountArray) -> CountArray:
    """With a place at the end that is no state, and no way leads to."""
    return np.concatenate([rows, np.zeros((len(rows), 1), rows.dtype)], axis=1)


def _set_sources(to: NDArray[np.intp], start: int, points: int) -> None:
    """These places come from a row that counts so many points less."""
    if points < len(to):
        to[points:] = start + np.arange(len(to) - points)


def _shared_points(form: Shape, last: RankGroup, *, ace: bool) -> int:
    """What the card counts that stands in both hands, when the last low card is laid (MHL-8)."""
    if form.shared == "none":
        return 0
    if form.shared == "ace-then-highest" and ace:
        return form.points.high[ACE]
    return last.worth[1]


def _final_totals(form: Shape, laid: WaysLaid) -> tuple[list[int], list[int]]:
    low, high = _lengths(form)
    cards = form.dealer + 1
    lows = laid.low[:-1].reshape(cards, low)[form.dealer]
    highs = laid.high[:-1].reshape(2, cards, high)[:, form.dealer].sum(axis=0)
    return [int(one) for one in lows], [int(one) for one in highs]
