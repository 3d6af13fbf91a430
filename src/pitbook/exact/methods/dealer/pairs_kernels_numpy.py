"""The loops of `pairs_kernels` with NumPy, for an installation without Numba.

The functions take the same arguments and give the same results, some ten times slower.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pitbook.exact.methods.dealer.pairs_solve import TABLE_CARDS_MAX
from pitbook.exact.methods.dealer.showdowns import (
    BATCH,
    BIT_OF_CARD,
    KEY_OF_CARD,
    CardSets,
    extend_sets,
    rank_sets,
)
from pitbook.exact.methods.dealer.strength import Strength

Ints = NDArray[np.int64]
NO_CARD = 52  # From here on, a number is no card.


def list_hands(deck: Any, size: int, maps: Any) -> tuple[NDArray[np.uint8], NDArray[np.int32]]:
    """Every set of `size` cards up to the suit swaps `maps`, and how many sets it represents."""
    hands = np.array(deck, np.uint8)[_positions(len(deck), size)]
    bits = np.uint64(1) << np.asarray(maps, np.uint64)
    original = (np.uint64(1) << hands.astype(np.uint64)).sum(axis=1, dtype=np.uint64)
    lowest, fixed_swaps = np.ones(len(hands), np.bool_), np.zeros(len(hands), np.int32)
    for images in bits:
        image = images[hands].sum(axis=1, dtype=np.uint64)
        lowest &= image >= original
        fixed_swaps += image == original
    return hands[lowest], (len(bits) // fixed_swaps[lowest]).astype(np.int32)


def _positions(count: int, size: int) -> NDArray[np.uint8]:
    """Every ascending set of `size` positions below `count`."""
    last, sets = np.array([-1]), np.zeros((1, 0), np.uint8)
    for _ in range(size):
        parents, last = extend_sets(last, count)
        sets = np.concatenate([sets[parents], last[:, None].astype(np.uint8)], axis=1)
    return sets


def rank_hands(hands: Any, up: Any, keys: Any, by_ranks: Any, by_suit: Any) -> NDArray[np.int16]:
    """The class of every hand together with the open cards."""
    strength, up_cards = Strength(by_ranks, by_suit, 0), np.asarray(up, np.int64)
    up_keys, up_bits = KEY_OF_CARD[up_cards].sum(), BIT_OF_CARD[up_cards].sum()
    classes = [
        rank_sets(_card_sets(hands[start : start + BATCH], up_keys, up_bits), strength)
        for start in range(0, len(hands), BATCH)
    ]
    return np.concatenate([np.zeros(0, np.int16), *classes])


def _card_sets(hands: Any, more_keys: int, more_bits: int) -> CardSets:
    """The hands as sets, with what other cards add."""
    return CardSets(
        KEY_OF_CARD[hands].sum(axis=1, dtype=np.int32) + np.int32(more_keys),
        BIT_OF_CARD[hands].sum(axis=1) + more_bits,
    )


def count_beaten(
    player_hands: Any, player_starts: Any, dealer_hands: Any, dealer_starts: Any, rule: Any
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]:
    """By player's hand, count the dealer's hands that are weaker, not stronger, and not qualified.

    See `pairs_kernels` for the table and the arguments.
    """
    least, ways, as_other, (entries, fixed_swaps, choose) = rule
    dealer_cards = dealer_hands.shape[1]
    sets, signs = _subsets(player_hands, dealer_cards, entries, choose)
    dealer_sets, _ = _subsets(dealer_hands, dealer_cards, entries, choose)
    table = np.zeros(len(fixed_swaps), np.int64)
    equal_size = player_hands.shape[1] == dealer_cards > TABLE_CARDS_MAX

    def disjoint(rows: slice, class_number: int) -> Ints:
        """The dealer's hands so far that share no card with the player's hands."""
        counts: Ints = (table[sets[rows]] @ signs) // fixed_swaps[0]
        return counts - (as_other[rows] < class_number) if equal_size else counts

    out = tuple(np.zeros(len(player_hands), np.int32) for _ in range(3))
    weaker, not_stronger, below = out
    for number in range(len(player_starts) - 1):
        if number == least and least:
            for start in range(0, len(below), BATCH):
                batch = slice(start, start + BATCH)
                below[batch] = disjoint(batch, number)
        rows = slice(player_starts[number], player_starts[number + 1])
        added = slice(dealer_starts[number], dealer_starts[number + 1])
        if rows.start < rows.stop:
            weaker[rows] = disjoint(rows, number)
        if added.start < added.stop:
            into = dealer_sets[added]
            np.add.at(table, into, ways[added, None] * fixed_swaps[into])
        if rows.start < rows.stop:
            not_stronger[rows] = disjoint(rows, number + 1)
    return weaker, not_stronger, below


def _subsets(hands: Any, size_max: int, entries: Any, choose: Any) -> tuple[Ints, Ints]:
    """By hand, the table's entry of each set of its cards; by set, the sign of its count."""
    columns, signs, offset = [], [], 0
    cards = np.asarray(hands, np.int64)
    for size in range(min(TABLE_CARDS_MAX, size_max, cards.shape[1]) + 1):
        for places in combinations(range(cards.shape[1]), size):
            number = np.full(len(cards), offset, np.int64)
            for position, place in enumerate(places, start=1):
                number += choose[cards[:, place], position]
            columns.append(entries[number])
            signs.append(-1 if size % 2 else 1)
        offset += int(choose[52, size])
    return np.stack(columns, axis=1), np.array(signs, np.int64)


def choose_plays(events: Any, starts: Any, nets: Any, least: Any) -> NDArray[np.int8]:
    """For each hand, the best play that it is good enough for, or else the first play."""
    choices = np.zeros(len(events), np.int8)
    for kind in range(len(starts) - 1):
        rows = slice(starts[kind], starts[kind + 1])
        allowed = [play for play in range(len(nets)) if kind >= least[play]]
        if allowed:
            values = np.stack([events[rows] @ nets[play, kind] for play in allowed])
            choices[rows] = np.array(allowed, np.int8)[values.argmax(axis=0)]
    return choices


def count_events(events: Any, starts: Any, ways: Any, choices: Any, plays: int) -> Ints:
    """By play, kind and event, its count."""
    counts = np.zeros((plays, len(starts) - 1, events.shape[1]), np.int64)
    for kind in range(len(starts) - 1):
        rows = slice(starts[kind], starts[kind + 1])
        for play in range(plays):
            chosen = choices[rows] == play
            counts[play, kind] = ways[rows][chosen] @ events[rows][chosen]
    return counts


def count_deals(hands: Any, up: Any, deck: Any, tables: Any, out: Any) -> None:
    """By player's hand, event and group of the combined hand, count the dealer's hands."""
    _, dealer_tables, all_cards, groups, classes, least, closed = tables
    dealer_strength = Strength(dealer_tables[0], dealer_tables[1], 0)
    combined_strength = Strength(all_cards[0], all_cards[1], 0)
    group_of = np.asarray(groups)
    for row in range(len(hands)):
        hand_cards = np.asarray(hands[row], np.int64)
        open_card = np.array([up[row]] if up[row] < NO_CARD else [], np.int64)
        unseen = np.array(
            [card for card in deck if card not in hand_cards and card not in open_card]
        )
        closed_cards = unseen[_positions(len(unseen), closed)]
        dealer = rank_sets(_sets_with(closed_cards, open_card), dealer_strength)
        cards = np.concatenate([hand_cards, open_card])
        combined = rank_sets(_sets_with(closed_cards, cards), combined_strength)
        event = 1 + np.sign(np.int64(classes[row]) - dealer) + 3 * (dealer < least)
        np.add.at(out[row], (event, group_of[combined]), 1)


def _sets_with(hands: Any, cards: Ints) -> CardSets:
    return _card_sets(hands, int(KEY_OF_CARD[cards].sum()), int(BIT_OF_CARD[cards].sum()))
