"""Best play in games of points, and figures with bonuses on the same cards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property, lru_cache
from itertools import combinations_with_replacement
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pitbook.cards import Card, rank
from pitbook.exact.compiled_games import exact_stake
from pitbook.exact.long_computations import track_parts
from pitbook.exact.methods.ladder.transitions import class_sizes
from pitbook.exact.methods.points.structure import (
    AheadTally,
    PointsGame,
    Shape,
    dealer_totals,
    points_game,
    step_seconds,
    walk_holdings,
    ways_to_hold,
)
from pitbook.exact.outcome_figures import FigureRow, Figures, figures_from_rows, round_row
from pitbook.hands import batch
from pitbook.hands.kinds import Ace
from pitbook.hands.low_and_high import arrange, total
from pitbook.hands.ranking import classes
from pitbook.money import Cents
from pitbook.rules.actions import Play
from pitbook.rules.game import Game, Seat, Showdown, compile_game
from pitbook.rules.payout_caps import apply_payout_caps
from pitbook.rules.settlement_lines import Kinds, Line, Settlement
from pitbook.sheets.model import Sheet
from pitbook.text import say

Ints = NDArray[np.int64]
Ranks = tuple[int, ...]  # Ascending ranks of a hand, 0 for a two to 12 for an ace.


@dataclass(frozen=True, eq=False)
class RankHands:
    """Every multiset of ranks of one size, with the count of each rank."""

    ranks: tuple[Ranks, ...]
    counts: Ints

    @cached_property
    def by_rank(self) -> Ints:
        """The counts transposed: one row for each rank."""
        return np.ascontiguousarray(self.counts.T)


@lru_cache(maxsize=16)
def hands(size: int, copies: int) -> RankHands:
    """The hands of `size` cards when every rank has `copies` cards."""
    multisets = combinations_with_replacement(range(13), size)
    ranks = tuple(
        ranks_of_hand
        for ranks_of_hand in multisets
        if max(map(ranks_of_hand.count, ranks_of_hand)) <= copies
    )
    counts = np.array(
        [[ranks_of_hand.count(index) for index in range(13)] for ranks_of_hand in ranks], np.int64
    )
    return RankHands(ranks, counts)


@dataclass(frozen=True, eq=False)
class DealerTotals:
    """Every dealer's hand with its two totals."""

    hands: RankHands
    low: Ints
    high: Ints


@lru_cache(maxsize=16)
def dealer_hands(shape: Shape) -> DealerTotals:
    """The dealer's hands, set as MHL-8 requires."""
    dealer_ranks = hands(shape.dealer, shape.copies)
    arrangements = [
        arrange(
            [Card(4 * card_rank) for card_rank in ranks],
            shape.points,
            shape.low,
            shape.shared,
            shape.equal,
        )
        for ranks in dealer_ranks.ranks
    ]
    low = np.array([arrangement.low_total for arrangement in arrangements], np.int64)
    return DealerTotals(
        dealer_ranks,
        low,
        np.array([arrangement.high_total for arrangement in arrangements], np.int64),
    )


@dataclass(frozen=True)
class HandValues:
    """One hand of ranks: ways to deal it, its totals, and the value of each play in Bets."""

    ranks: Ranks
    ways: int
    low: int
    high: int
    worth: dict[Play, Fraction]
    best: Play


@dataclass(frozen=True, eq=False)
class Solution:
    """Best play of a game of points."""

    game: Game
    ante: Cents
    capped: bool
    spots: tuple[HandValues, ...]
    tallies: dict[Ranks, dict[str, AheadTally]]  # By ranks and declaration.

    @property
    def sheet(self) -> Sheet:
        """The rules that the game was compiled from."""
        return self.game.sheet

    @property
    def expected(self) -> Fraction:
        """The value of a round to the player, in Bets."""
        ways = sum(spot.ways for spot in self.spots)
        return Fraction(sum(spot.worth[spot.best] * spot.ways for spot in self.spots), ways)


def solve(sheet: Sheet, ante: Cents | None = None, *, purse: Cents | None = None) -> Solution:
    """Best declaration and double for every hand, exact from the full shoe."""
    return solve_game(compile_game(sheet), ante, purse=purse)


def solve_game(game: Game, ante: Cents | None = None, *, purse: Cents | None = None) -> Solution:
    """The same for a game, whose pays may differ from its sheet's."""
    stake, structure = ante or exact_stake(game), points_game(game)
    table = play_table(game, stake, capped=ante is not None, purse=purse)
    points, spots, tallies_by_ranks = structure.shape.points, [], {}
    for ranks, ways, tallies in showdown_tallies(structure.shape):
        tallies_by_ranks[ranks] = named_tallies = _tallies_by_name(structure, tallies)
        value = {
            play: play_value(named_tallies[play.declaration], nets, stake)
            for play, nets in table.items()
        }
        cards = [Card(4 * card_rank) for card_rank in ranks]
        low, high = total(cards, points.low), total(cards, points.high)
        spots.append(HandValues(ranks, ways, low, high, value, best_play(value, game.sheet)))
    return Solution(game, stake, ante is not None, tuple(spots), tallies_by_ranks)


def _tallies_by_name(
    structure: PointsGame, tallies: dict[str, AheadTally]
) -> dict[str, AheadTally]:
    """Tallies against the low and the high hand, by the duels' names."""
    return {structure.low.name: tallies["low"], structure.high.name: tallies["high"]}


@lru_cache(maxsize=8)
def showdown_tallies(shape: Shape) -> tuple[tuple[Ranks, int, dict[str, AheadTally]], ...]:
    """For every hand of ranks: ways to deal it, and its tallies against the dealer."""
    player_hands = hands(shape.player, shape.copies)
    groups = shape.rank_groups
    holdings_total = ways_to_hold(shape)
    work_text = say("exact.working.hands", player=shape.player, dealer=shape.dealer)
    totals = track_parts(
        walk_holdings(shape), holdings_total, work_text, seconds_each=step_seconds(shape)
    )
    tallies = {
        group_counts: _tallies(shape, group_counts, low, high) for group_counts, low, high in totals
    }
    rows = []
    for ranks, counts in zip(player_hands.ranks, player_hands.counts.tolist(), strict=True):
        group_counts = tuple(sum(counts[rank] for rank in group.ranks) for group in groups)
        rows.append((ranks, _ways(counts, shape.copies), tallies[group_counts]))
    return tuple(rows)


def _tallies(
    shape: Shape, group_counts: Sequence[int], low: list[int], high: list[int]
) -> dict[str, AheadTally]:
    """How often a hand wins, ties and loses, from the ways of the dealer's totals."""
    player_low = sum(
        count * group.worth[0] for count, group in zip(group_counts, shape.rank_groups, strict=True)
    )
    player_high = sum(
        count * group.worth[1] for count, group in zip(group_counts, shape.rank_groups, strict=True)
    )
    over, level, under = _split_ways(low, player_low)
    lower, equal, higher = _split_ways(high, player_high)
    return {"low": (under, level, over), "high": (lower, equal, higher)}


def _split_ways(ways: list[int], player_total: int) -> AheadTally:
    """Ways below a total, at it and above it."""
    return (
        sum(ways[:player_total]),
        ways[player_total] if player_total < len(ways) else 0,
        sum(ways[player_total + 1 :]),
    )


def count_tallies(
    game: Game, cards: Sequence[Card], dead: Sequence[Card] = ()
) -> dict[str, AheadTally]:
    """How often a hand wins, ties and loses against the dealer, by declaration."""
    structure = points_game(game)
    return _tallies_by_name(structure, count_tallies_in(structure.shape, cards, dead))


def count_tallies_in(
    shape: Shape, cards: Sequence[Card], dead: Sequence[Card] = ()
) -> dict[str, AheadTally]:
    """The same against the dealer's low and high hand, for a shape without stakes."""
    dead_counts = np.bincount([rank(card) for card in (*cards, *dead)], minlength=13).tolist()
    rank_counts = np.bincount([rank(card) for card in cards], minlength=13).tolist()
    group_counts = [sum(rank_counts[rank] for rank in group.ranks) for group in shape.rank_groups]
    return _tallies(shape, group_counts, *dealer_totals(shape, dead_counts))


def dealer_ways(dealer: RankHands, known_counts: Ints, copies: int) -> Ints:
    """The ways to deal each dealer's hand from the shoe without the known cards."""
    ways = np.ones(len(dealer.ranks), np.int64)
    count_max = int(dealer.by_rank.max())
    for index in range(13):
        copies_left = copies - int(known_counts[index])
        choose = np.array([comb(copies_left, count) for count in range(count_max + 1)], np.int64)
        ways *= np.take(choose, dealer.by_rank[index])
    return ways


def play_table(
    game: Game, stake: Cents, *, capped: bool, purse: Cents | None = None
) -> dict[Play, AheadTally]:
    """What every affordable play nets in cents if the hand is ahead, level or behind."""
    seat = Seat(1, "", ((game.sheet.main_id, stake),))
    return {
        play: (_net(ahead), _net(level), _net(behind))
        for play, (ahead, level, behind) in play_lines(game, stake, capped=capped).items()
        if purse is None or seat.cost(play) <= purse
    }


SettledLines = tuple[Line, ...]


def _net(lines: SettledLines) -> int:
    return sum(line.net for line in lines)


def play_lines(
    game: Game, stake: Cents, *, capped: bool
) -> dict[Play, tuple[SettledLines, SettledLines, SettledLines]]:
    """The lines of every play if the hand is ahead, level or behind.

    At a Bet in dollars, a double above the table's maximum is not allowed.
    """
    seat, structure = Seat(1, "", ((game.sheet.main_id, stake),)), points_game(game)

    def lines(play: Play, ahead: int) -> SettledLines:
        return settle_lines(
            game, showdown_at(game, structure, ahead), seat.after_play(play), capped=capped
        )

    return {
        play: (lines(play, 1), lines(play, 0), lines(play, -1))
        for play in game.plays(0)
        if not capped or game.exceeded_clause(seat, 0, play) is None
    }


def showdown_at(
    game: Game, structure: PointsGame, ahead: int, matches: int = 0, kind_index: int = 0
) -> Showdown:
    """A showdown with the hand `ahead` points ahead under either declaration."""
    low, high = structure.duels
    totals = {low.own: 0, low.other: ahead, high.own: ahead, high.other: 0}
    # A hand without a name does not exist in the game.
    totals |= {structure.matches: matches, structure.kind: kind_index}
    return game.showdown(**totals)


def settle_lines(game: Game, showdown: Showdown, seat: Seat, *, capped: bool) -> SettledLines:
    """Every wager's line of a seat, after caps."""
    settlement = Settlement(1, game.price(showdown, seat))
    if capped:
        (settlement,), _ = apply_payout_caps(game.sheet, [settlement])
    return settlement.lines


def play_value(tally: AheadTally, nets: AheadTally, stake: Cents) -> Fraction:
    """The value of a play in Bets."""
    total_net = sum(ways * net for ways, net in zip(tally, nets, strict=True))
    return Fraction(total_net, sum(tally) * stake)


def add_ways(places: Ints, ways: Ints, size: int) -> list[int]:
    """Sum ways by place exactly: nine cards of twelve decks come in over 2^63 ways."""
    if ways.sum(dtype=np.float64) < 2**52:
        counts: list[int] = np.bincount(places, ways, minlength=size).astype(np.int64).tolist()
        return counts
    high = [int((ways[places == index] >> 32).sum()) for index in range(size)]
    low = [int((ways[places == index] & 0xFFFFFFFF).sum()) for index in range(size)]
    return [(upper << 32) + lower for upper, lower in zip(high, low, strict=True)]


def _ways(counts: Sequence[int], copies: int) -> int:
    ways = 1
    for count in counts:
        ways *= comb(copies, count)
    return ways


def best_play(value: dict[Play, Fraction], sheet: Sheet) -> Play:
    """GEN-16: on a tie the smaller wager; between low and high, the one listed first."""
    larger_first = sheet.best_play.ties.value == "largest-bet"
    order = sorted(value, key=lambda play: bool(play.puts) != larger_first)
    return max(order, key=lambda play: value[play])


SIGNS = (1, 0, -1)


def round_figures(solution: Solution, side: Mapping[str, Cents]) -> Figures:
    """The figures of a round with the main game under best play and the given bonuses, in Bets."""
    return figures_from_rows(_round_rows(solution, dict(side)))


def _round_rows(solution: Solution, side: dict[str, Cents]) -> Iterator[FigureRow]:
    game, structure = solution.game, points_game(solution.game)
    shape = structure.shape
    rankings = [game.looks_at(wager).ranking for wager in side]
    kinds_met = next((ranking for ranking in rankings if isinstance(ranking, Kinds)), None)
    matching = any(not isinstance(ranking, Kinds) for ranking in rankings)
    hand_counts = (
        kinds_by_ranks(shape.player, game.sheet.deck.decks, kinds_met.ace) if kinds_met else {}
    )
    rows: dict[tuple[Play, int, int, int], FigureRow] = {}
    seconds_each = len(dealer_hands(shape).hands.ranks) * 7e-8 if matching else 1e-4
    spots, work_text = solution.spots, say("exact.working.player")
    for spot in track_parts(spots, len(spots), work_text, seconds_each=seconds_each):
        kinds = hand_counts[spot.ranks] if kinds_met else {0: spot.ways}
        ways_met = _dealer_matches(
            shape, spot.ranks, low=spot.best.declaration == structure.low.name
        )
        if not matching:
            ways_met = ways_met.sum(axis=1, keepdims=True)
        for (sign, matches), ways in np.ndenumerate(ways_met):
            for kind, hand_ways in kinds.items() if ways else ():
                key = (spot.best, sign, matches, kind)
                if key not in rows:
                    rows[key] = _price_row(solution, structure, side, key)
                row = rows[key]
                yield FigureRow(row.outcome, row.units, row.result, row.net, hand_ways * int(ways))


def _price_row(
    solution: Solution,
    structure: PointsGame,
    side: dict[str, Cents],
    key: tuple[Play, int, int, int],
) -> FigureRow:
    play, sign, matches, kind = key
    main = ((solution.sheet.main_id, solution.ante),)
    seat = Seat(1, "", main, tuple(side.items())).after_play(play)
    showdown = showdown_at(solution.game, structure, SIGNS[sign], matches, kind)
    lines = settle_lines(solution.game, showdown, seat, capped=solution.capped)
    return round_row(lines, solution.ante, 0)


@lru_cache(maxsize=4096)
def _dealer_matches(shape: Shape, ranks: Ranks, *, low: bool) -> NDArray[Any]:
    """Ways of the dealer's hand by [ahead, level, behind] and by the number of matches."""
    dealer = dealer_hands(shape)
    rank_counts = np.bincount(ranks, minlength=13)
    weights = dealer_ways(dealer.hands, rank_counts, shape.copies)
    cards = [Card(4 * card_rank) for card_rank in ranks]
    if low:
        ahead = dealer.low - total(cards, shape.points.low)
    else:
        ahead = total(cards, shape.points.high) - dealer.high
    matched = dealer.hands.counts[:, rank_counts > 0].sum(axis=1)
    place = (1 - np.sign(ahead)) * (shape.dealer + 1) + matched
    counts = add_ways(place, weights, 3 * (shape.dealer + 1))
    return np.array(counts, object).reshape(3, -1)


@cache
def kinds_by_ranks(size: int, decks: int, ace: Ace) -> dict[Ranks, dict[int, int]]:
    """For every hand of ranks: the ways in which its cards make each kind."""
    ways_by_ranks: dict[Ranks, dict[int, int]] = {}
    if decks == 1:
        for hand, ways in zip(classes(size, ace), class_sizes(size, ace).tolist(), strict=True):
            kind_ways = ways_by_ranks.setdefault(hand.ranks[::-1], {})
            kind_ways[hand.kind] = kind_ways.get(hand.kind, 0) + ways
        return ways_by_ranks
    faces = np.array(list(combinations_with_replacement(range(52), size)), np.uint8)
    kinds = batch.kinds(faces, many_decks=True, ace=ace)
    for row, kind in zip(faces.tolist(), kinds.tolist(), strict=True):
        ways = 1
        for face in set(row):
            ways *= comb(decks, row.count(face))
        if ways:
            kind_ways = ways_by_ranks.setdefault(tuple(rank(Card(face)) for face in row), {})
            kind_ways[int(kind)] = kind_ways.get(int(kind), 0) + ways
    return ways_by_ranks
