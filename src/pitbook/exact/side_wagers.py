"""Figures of side wagers, counted over every hand that can decide them."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement
from math import comb, prod

import numpy as np

from pitbook.exact.compiled_games import exact_ante
from pitbook.exact.long_computations import TooLarge
from pitbook.exact.methods.dealer.strength import best_ways, can_count
from pitbook.exact.methods.ladder.transitions import class_sizes
from pitbook.exact.methods.plain.solve import PlainSolver
from pitbook.exact.methods.points.solve import hands
from pitbook.exact.outcome_figures import FigureRow, Figures, figures_from_rows
from pitbook.hands import batch
from pitbook.hands.kinds import Ace
from pitbook.hands.ranking import classes
from pitbook.money import Cents
from pitbook.rules.game import Game, Hand, compile_game
from pitbook.rules.payout_caps import apply_payout_caps
from pitbook.rules.settlement_lines import Kinds, Matches, Settlement, pay_by_kind, price_line
from pitbook.sheets.model import Sheet
from pitbook.text import say

DEALS_MAX = 1_000_000  # Of the cards that decide a wager; some seconds.


def side_figures(sheet: Sheet, wager: str, stake: Cents | None = None) -> Figures:
    """The figures of a side wager per unit staked; with a stake in cents, caps apply."""
    return figures_from_rows(_rows(sheet, wager, stake))


def deals_to_count(game: Game, wager: str) -> int:
    """The number of deals to enumerate for a wager; raises TooLarge if there are too many."""
    hand, decks = game.looks_at(wager), game.sheet.deck.decks
    ranking, cards = hand.ranking, [game.places[place].cards for place in hand.places]
    if isinstance(ranking, Kinds) and (
        ranking.cards == sum(cards) or (decks == 1 and can_count(ranking.cards, sum(cards)))
    ):
        return 0
    if isinstance(ranking, Matches) and len(cards) == 2:
        return 0
    plain = PlainSolver(game)
    opens = [
        place_rule.cards if index in hand.places else 0
        for index, place_rule in enumerate(game.places)
    ]
    first_deal = [
        cards_open and cards_open - place.later
        for cards_open, place in zip(opens, game.places, strict=True)
    ]
    deal_counts = [
        prod(plain.shoe.hand_count_max(plain.no_cards, count) for count in cards_by_place)
        for cards_by_place in (first_deal, opens)
    ]
    if min(deal_counts) > DEALS_MAX:
        raise _too_large(game, wager)
    return sum(deals for deals in set(deal_counts) if deals <= DEALS_MAX)


def _too_large(game: Game, wager: str) -> TooLarge:
    cards = sum(game.places[place].cards for place in game.looks_at(wager).places)
    return TooLarge(say("exact.large.side", title=game.wager_title(wager), cards=cards))


def kind_ways(sheet: Sheet, wager: str) -> tuple[int, ...]:
    """The number of ways of each kind that a side wager can have."""
    game = compile_game(sheet)
    hand, decks = game.looks_at(wager), sheet.deck.decks
    ranking, cards = hand.ranking, [game.places[place].cards for place in hand.places]
    if isinstance(ranking, Kinds) and ranking.cards == sum(cards):
        return many_deck_ways(ranking.cards, decks, ranking.ace)
    if isinstance(ranking, Kinds) and decks == 1 and can_count(ranking.cards, sum(cards)):
        return best_ways(ranking.cards, sum(cards), ranking.ace)
    if isinstance(ranking, Matches) and len(cards) == 2:
        return match_ways(*cards, decks)
    try:
        return enumerate_ways(game, hand)
    except TooLarge:
        raise _too_large(game, wager) from None


def enumerate_ways(game: Game, hand: Hand) -> tuple[int, ...]:
    """The ways of each kind of another hand, over all its possible cards.

    If cards dealt later make no difference, only those of the first deal are enumerated.
    """
    cards_by_place = [(place.cards, place.later) for place in game.places]
    first_deal, full_deal = (
        tuple(
            cards - later * without_later if index in hand.places else 0
            for index, (cards, later) in enumerate(cards_by_place)
        )
        for without_later in (1, 0)
    )
    counts = _ways_by_reading(game, hand, first_deal) or _ways_by_reading(game, hand, full_deal)
    assert counts is not None
    return tuple(counts.get(kind, 0) for kind in range(max(counts) + 1))


def _ways_by_reading(game: Game, hand: Hand, opens: tuple[int, ...]) -> dict[int, int] | None:
    """The ways of each kind of a hand; None if these cards do not determine it."""
    plain, place = PlainSolver(game), game.hands.index(hand)
    deals = prod(plain.shoe.hand_count_max(plain.no_cards, count) for count in opens)
    if deals > DEALS_MAX:
        raise TooLarge(say("exact.large.simulate-it", deals=deals, most=DEALS_MAX))
    counts: dict[int, int] = {}
    for cards_seen, ways in plain.shoe.ways_one_by_one(plain.no_cards, opens):
        kind = game.read(*cards_seen)[place]
        if kind is None:
            return None
        counts[kind] = counts.get(kind, 0) + ways
    return counts


@cache
def hand_counts_by_kind(size: int, ace: Ace) -> tuple[int, ...]:
    """The number of hands of this size from one deck, by kind."""
    counts: dict[int, int] = {}
    for hand, ways in zip(classes(size, ace), class_sizes(size, ace).tolist(), strict=True):
        counts[hand.kind] = counts.get(hand.kind, 0) + ways
    return tuple(counts.get(kind, 0) for kind in range(max(counts) + 1))


@cache
def many_deck_ways(size: int, decks: int, ace: Ace) -> tuple[int, ...]:
    """Hands of several decks by kind: every set of card faces, times the ways to pick copies."""
    if decks == 1:
        return hand_counts_by_kind(size, ace)
    faces = np.array(list(combinations_with_replacement(range(52), size)), np.uint8)
    kinds = batch.kinds(faces, many_decks=True, ace=ace)
    ways = np.ones(len(faces), np.int64)
    for face in range(52):
        copies = (faces == face).sum(axis=1)
        ways *= np.array([comb(decks, count) for count in range(size + 1)], np.int64)[copies]
    ways_by_kind = np.bincount(kinds, ways, minlength=int(kinds.max()) + 1)
    return tuple(int(count) for count in ways_by_kind)


@cache
def match_ways(player: int, dealer: int, decks: int) -> tuple[int, ...]:
    """Deals by the number of the dealer's cards whose rank the player holds (MHL-11)."""
    copies = 4 * decks
    by_distinct = [0] * (player + 1)
    for ranks in hands(player, copies).ranks:
        by_distinct[len(set(ranks))] += prod(
            comb(copies, ranks.count(rank_held)) for rank_held in set(ranks)
        )
    ways_by_matches = [0] * (dealer + 1)
    for distinct, ways in enumerate(by_distinct):
        matching = copies * distinct - player  # Cards left in the shoe of the ranks held.
        other_cards = copies * (13 - distinct)
        for matches in range(dealer + 1) if ways else ():
            ways_by_matches[matches] += (
                ways * comb(matching, matches) * comb(other_cards, dealer - matches)
            )
    return tuple(ways_by_matches)


def _rows(sheet: Sheet, wager: str, stake: Cents | None) -> Iterator[FigureRow]:
    pays, clause = pay_by_kind(sheet, wager), sheet.side[wager].clause
    stake_counted = sheet.payouts.stake_counted.value
    at_stake = stake or exact_ante(sheet)
    for kind, ways in enumerate(kind_ways(sheet, wager)):
        if not ways:
            continue
        line = price_line(wager, at_stake, pays[kind], clause, stake_counted=stake_counted)
        settlement = Settlement(1, (line,))
        if stake is not None:
            (settlement,), _ = apply_payout_caps(sheet, [settlement])
        net = Fraction(settlement.net, at_stake)
        yield FigureRow(str(line.outcome), 1, line.result, net, ways)
