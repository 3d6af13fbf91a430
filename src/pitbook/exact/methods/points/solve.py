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
from pitbook.exact.figures import FigureRow, Figures, figures_from_rows, round_row
from pitbook.exact.games import cached_game, exact_stake
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
from pitbook.exact.work import track_parts
from pitbook.hands import batch
from pitbook.hands.kinds import Ace
from pitbook.hands.points import arrange, total
from pitbook.hands.ranking import classes
from pitbook.money import Cents
from pitbook.rules.game import Game, Seat, Showdown
from pitbook.rules.limits import apply_limits
from pitbook.rules.plays import Play
from pitbook.rules.pricing import Kinds
from pitbook.rules.settlement import Line, Settlement
from pitbook.sheets.model import Sheet
from pitbook.text import say

Ints = NDArray[np.int64]
Ranks = tuple[int, ...]  # Rising ranks of a hand, 0 for a two to 12 for an ace.


@dataclass(frozen=True, eq=False)
class RankHands:
    """Every multiset of ranks of one size, and how often each holds each rank."""

    ranks: tuple[Ranks, ...]
    counts: Ints

    @cached_property
    def by_rank(self) -> Ints:
        """The counts of one rank side by side."""
        return np.ascontiguousarray(self.counts.T)


@lru_cache(maxsize=16)
def hands(size: int, copies: int) -> RankHands:
    """The hands of so many cards when every rank has so many copies."""
    every = combinations_with_replacement(range(13), size)
    ranks = tuple(one for one in every if max(map(one.count, one)) <= copies)
    counts = np.array([[one.count(place) for place in range(13)] for one in ranks], np.int64)
    return RankHands(ranks, counts)


@dataclass(frozen=True, eq=False)
class DealerTotals:
    """Every dealer's hand with its two totals."""

    hands: RankHands
    low: Ints
    high: Ints


@lru_cache(maxsize=16)
def dealer_hands(form: Shape) -> DealerTotals:
    """The dealer's hands, arranged (MHL-8)."""
    every = hands(form.dealer, form.copies)
    laid = [
        arrange([Card(4 * own) for own in one], form.points, form.low, form.shared, form.equal)
        for one in every.ranks
    ]
    low = np.array([one.low_total for one in laid], np.int64)
    return DealerTotals(every, low, np.array([one.high_total for one in laid], np.int64))


@dataclass(frozen=True)
class HandWorth:
    """One hand of ranks: ways it is dealt, its totals, and the value of each play in Bets."""

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
    spots: tuple[HandWorth, ...]
    ahead: dict[Ranks, dict[str, AheadTally]]  # By what is said.

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
    return solve_game(cached_game(sheet), ante, purse=purse)


def solve_game(game: Game, ante: Cents | None = None, *, purse: Cents | None = None) -> Solution:
    """The same for a game, whose pays may be others than its sheet's."""
    stake, form = ante or exact_stake(game), points_game(game)
    table = play_table(game, stake, capped=ante is not None, purse=purse)
    points, spots, ahead = form.shape.points, [], {}
    for ranks, ways, tallies in showdowns(form.shape):
        ahead[ranks] = said = _tallies_by_name(form, tallies)
        worth = {play: play_value(said[play.said], nets, stake) for play, nets in table.items()}
        cards = [Card(4 * own) for own in ranks]
        low, high = total(cards, points.low), total(cards, points.high)
        spots.append(HandWorth(ranks, ways, low, high, worth, best_play(worth, game.sheet)))
    return Solution(game, stake, ante is not None, tuple(spots), ahead)


def _tallies_by_name(form: PointsGame, tallies: dict[str, AheadTally]) -> dict[str, AheadTally]:
    """Tallies against the low and the high hand, by the duels' names."""
    return {form.low.name: tallies["low"], form.high.name: tallies["high"]}


@lru_cache(maxsize=8)
def showdowns(form: Shape) -> tuple[tuple[Ranks, int, dict[str, AheadTally]], ...]:
    """For every hand of ranks: ways to deal it, and its tallies against the dealer."""
    own, ranked, total = hands(form.player, form.copies), form.ranked, ways_to_hold(form)
    of = say("exact.working.hands", player=form.player, dealer=form.dealer)
    told = track_parts(walk_holdings(form), total, of, each=step_seconds(form))
    tallies = {held: _tallies(form, held, low, high) for held, low, high in told}
    found = []
    for ranks, counts in zip(own.ranks, own.counts.tolist(), strict=True):
        held = tuple(sum(counts[rank] for rank in one.ranks) for one in ranked)
        found.append((ranks, _ways(counts, form.copies), tallies[held]))
    return tuple(found)


def _tallies(
    form: Shape, held: Sequence[int], low: list[int], high: list[int]
) -> dict[str, AheadTally]:
    """How often a hand is ahead, level and behind, from the ways of the dealer's totals."""
    own_low = sum(n * one.worth[0] for n, one in zip(held, form.ranked, strict=True))
    own_high = sum(n * one.worth[1] for n, one in zip(held, form.ranked, strict=True))
    over, level, under = _split_ways(low, own_low)
    lower, equal, higher = _split_ways(high, own_high)
    return {"low": (under, level, over), "high": (lower, equal, higher)}


def _split_ways(ways: list[int], own: int) -> AheadTally:
    """Ways below a total, at it and above it."""
    return sum(ways[:own]), ways[own] if own < len(ways) else 0, sum(ways[own + 1 :])


def count_tallies(
    game: Game, cards: Sequence[Card], dead: Sequence[Card] = ()
) -> dict[str, AheadTally]:
    """How often a hand is ahead of the dealer, level and behind, by what is said."""
    form = points_game(game)
    return _tallies_by_name(form, count_tallies_in(form.shape, cards, dead))


def count_tallies_in(
    form: Shape, cards: Sequence[Card], dead: Sequence[Card] = ()
) -> dict[str, AheadTally]:
    """The same against the dealer's low and high hand, for a shape without a game's money."""
    gone = np.bincount([rank(card) for card in (*cards, *dead)], minlength=13).tolist()
    own = np.bincount([rank(card) for card in cards], minlength=13).tolist()
    held = [sum(own[rank] for rank in one.ranks) for one in form.ranked]
    return _tallies(form, held, *dealer_totals(form, gone))


def dealer_ways(dealer: RankHands, held: Ints, copies: int) -> Ints:
    """In how many ways each dealer's hand comes from the shoe without the cards held."""
    ways = np.ones(len(dealer.ranks), np.int64)
    most = int(dealer.by_rank.max())
    for place in range(13):
        left = copies - int(held[place])
        choose = np.array([comb(left, taken) for taken in range(most + 1)], np.int64)
        ways *= np.take(choose, dealer.by_rank[place])
    return ways


def play_table(
    game: Game, stake: Cents, *, capped: bool, purse: Cents | None = None
) -> dict[Play, AheadTally]:
    """What every play that can be paid for nets in cents, the hand ahead, level or behind."""
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
    """The lines of every play when the hand is ahead, level or behind.

    At a Bet in dollars a double above the table's maximum is no play.
    """
    bare, form = Seat(1, "", ((game.sheet.main_id, stake),)), points_game(game)

    def lines(play: Play, ahead: int) -> SettledLines:
        return settle_lines(game, showdown_at(game, form, ahead), bare.made(play), capped=capped)

    return {
        play: (lines(play, 1), lines(play, 0), lines(play, -1))
        for play in game.plays(0)
        if not capped or game.too_much(bare, 0, play) is None
    }


def showdown_at(
    game: Game, form: PointsGame, ahead: int, matches: int = 0, kind: int = 0
) -> Showdown:
    """A showdown at which a hand is so many points ahead, whatever is declared."""
    low, high = form.duels
    found = {low.own: 0, low.other: ahead, high.own: ahead, high.other: 0}
    found |= {form.matches: matches} | {form.kind: kind}  # A hand without a name is nobody's.
    return game.shown(**found)


def settle_lines(game: Game, shown: Showdown, seat: Seat, *, capped: bool) -> SettledLines:
    """Every wager's line of a seat, after caps."""
    settlement = Settlement(1, game.price(shown, seat))
    if capped:
        (settlement,), _ = apply_limits(game.sheet, [settlement])
    return settlement.lines


def play_value(counted: AheadTally, nets: AheadTally, stake: Cents) -> Fraction:
    """What a play is worth in Bets."""
    total_net = sum(ways * net for ways, net in zip(counted, nets, strict=True))
    return Fraction(total_net, sum(counted) * stake)


def add_ways(places: Ints, ways: Ints, size: int) -> list[int]:
    """Ways added up place by place, exactly: nine cards of twelve decks come in over 2^63 ways."""
    if ways.sum(dtype=np.float64) < 2**52:
        counts: list[int] = np.bincount(places, ways, minlength=size).astype(np.int64).tolist()
        return counts
    high = [int((ways[places == place] >> 32).sum()) for place in range(size)]
    low = [int((ways[places == place] & 0xFFFFFFFF).sum()) for place in range(size)]
    return [(one << 32) + other for one, other in zip(high, low, strict=True)]


def _ways(counts: Sequence[int], copies: int) -> int:
    ways = 1
    for count in counts:
        ways *= comb(copies, count)
    return ways


def best_play(worth: dict[Play, Fraction], sheet: Sheet) -> Play:
    """GEN-16: on a tie the smaller wager; between low and high the one named first."""
    larger_first = sheet.best_play.ties.value == "largest-bet"
    order = sorted(worth, key=lambda play: bool(play.puts) != larger_first)
    return max(order, key=lambda play: worth[play])


SIGNS = (1, 0, -1)


def round_figures(solution: Solution, side: Mapping[str, Cents]) -> Figures:
    """The figures of a round with the main game under best play and the chosen bonuses, in Bets."""
    return figures_from_rows(_round_rows(solution, dict(side)))


def _round_rows(solution: Solution, side: dict[str, Cents]) -> Iterator[FigureRow]:
    game, form = solution.game, points_game(solution.game)
    shape = form.shape
    rankings = [game.looks_at(wager).ranking for wager in side]
    kinds_met = next((one for one in rankings if isinstance(one, Kinds)), None)
    matching = any(not isinstance(one, Kinds) for one in rankings)
    hand_counts = (
        kinds_by_ranks(shape.player, game.sheet.deck.decks, kinds_met.ace) if kinds_met else {}
    )
    priced: dict[tuple[Play, int, int, int], FigureRow] = {}
    each = len(dealer_hands(shape).hands.ranks) * 7e-8 if matching else 1e-4
    spots, of = solution.spots, say("exact.working.player")
    for spot in track_parts(spots, len(spots), of, each=each):
        kinds = hand_counts[spot.ranks] if kinds_met else {0: spot.ways}
        ways_met = _dealer_matches(shape, spot.ranks, low=spot.best.said == form.low.name)
        if not matching:
            ways_met = ways_met.sum(axis=1, keepdims=True)
        for (sign, matches), ways in np.ndenumerate(ways_met):
            for kind, own in kinds.items() if ways else ():
                key = (spot.best, sign, matches, kind)
                if key not in priced:
                    priced[key] = _price_row(solution, form, side, key)
                row = priced[key]
                yield FigureRow(row.outcome, row.units, row.result, row.net, own * int(ways))


def _price_row(
    solution: Solution, form: PointsGame, side: dict[str, Cents], key: tuple[Play, int, int, int]
) -> FigureRow:
    play, sign, matches, kind = key
    main = ((solution.sheet.main_id, solution.ante),)
    seat = Seat(1, "", main, tuple(side.items())).made(play)
    shown = showdown_at(solution.game, form, SIGNS[sign], matches, kind)
    lines = settle_lines(solution.game, shown, seat, capped=solution.capped)
    return round_row(lines, solution.ante, 0)


@lru_cache(maxsize=4096)
def _dealer_matches(form: Shape, ranks: Ranks, *, low: bool) -> NDArray[Any]:
    """Ways of the dealer's hand by [ahead, level, behind] and by the number of matches."""
    dealer = dealer_hands(form)
    held = np.bincount(ranks, minlength=13)
    weights = dealer_ways(dealer.hands, held, form.copies)
    cards = [Card(4 * one) for one in ranks]
    if low:
        ahead = dealer.low - total(cards, form.points.low)
    else:
        ahead = total(cards, form.points.high) - dealer.high
    matched = dealer.hands.counts[:, held > 0].sum(axis=1)
    place = (1 - np.sign(ahead)) * (form.dealer + 1) + matched
    counts = add_ways(place, weights, 3 * (form.dealer + 1))
    return np.array(counts, object).reshape(3, -1)


@cache
def kinds_by_ranks(size: int, decks: int, ace: Ace) -> dict[Ranks, dict[int, int]]:
    """For every hand of ranks: in how many ways its cards make each kind."""
    found: dict[Ranks, dict[int, int]] = {}
    if decks == 1:
        for hand, ways in zip(classes(size, ace), class_sizes(size, ace).tolist(), strict=True):
            own = found.setdefault(hand.ranks[::-1], {})
            own[hand.kind] = own.get(hand.kind, 0) + ways
        return found
    faces = np.array(list(combinations_with_replacement(range(52), size)), np.uint8)
    kinds = batch.kinds(faces, many_decks=True, ace=ace)
    for row, kind in zip(faces.tolist(), kinds.tolist(), strict=True):
        ways = 1
        for face in set(row):
            ways *= comb(decks, row.count(face))
        if ways:
            own = found.setdefault(tuple(rank(Card(face)) for face in row), {})
            own[int(kind)] = own.get(int(kind), 0) + ways
    return found
