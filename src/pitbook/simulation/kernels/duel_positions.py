"""Positions of a duel's integers in a table's `places`."""

from __future__ import annotations

COMMON = 0  # Community cards; the dealer's cards follow them.
LEAST = 1  # The first class with which the dealer qualifies.
BEST = 2  # Cards that count.
OWN_AT = 3  # In `sums`, the class by ranks: of the player's and community cards,
OTHER_AT = 4  # of the dealer's and community cards,
BOTH_AT = 5  # of all of them (if BOTHS is more than 1);
SUIT_AT = 6  # and by the ranks of one suit, as bits,
BOTH_SUIT_AT = 7  # for all of them.
GROUP_AT = 8  # In `small`, the group of kinds by class of the player's hand,
BOTH_GROUP_AT = 9  # and of all cards.
GROUPS = 10
BOTHS = 11
STREETS = 12  # Decisions.
STAGES = 13  # The number of stages of the game; a decision is numbered by its stage.
WIDTH = 14  # Of a menu in `wide`: number of plays, then targets; -1: the next decision.
MENU_OF_AT = 15  # In `small`, the menu by class of the player's hand.
# A decision by the player's hand:
POLICY_AT = 16  # In `small`, by class and rank of the card shown; MIXED: by the exact cards,
DETAIL_AT = 17  # by row of the hand and rank of the card shown,
ROWS_AT = 18  # in `wide` by hand, as a combination number,
CHOOSE_AT = 19  # with binomials, by card and size.
UPS = 20  # 13, or 1 if no card is shown.
# By two hole cards, by the flop, and by the whole board:
HOLE_AT = 21  # In `small`, by two cards.
FLOP_AT = 22  # In `sums`, the number of the equivalent flop;
SWAP_AT = 23  # in `small` the suit permutation that maps to it,
SWAPS_AT = 24  # the permutations,
PAIRS_AT = 25  # and the play by flop and pair.
SHAPE_AT = 26  # In `small`, the kind of gains by class;
GAIN_AT = 27  # in `wide`, the gain of the other play by that and event.
FIRST = 28  # Indexes of the two plays in the menu,
OTHER = 29
PREFERS = 30  # and whether the other is made when they are equal.
MORE_AT = 31  # In `sums`, one more card to 0, 1, ... cards.
STREETS_AT = 40  # Per street: mode, stage, menus in `wide`, and the play if FIXED.

NAMES = {name: index for name, index in list(globals().items()) if name.isupper()}

BY_HAND, BY_HOLE, BY_FLOP, BY_BOARD, FIXED = range(5)
MODES = ("BY_HAND", "BY_HOLE", "BY_FLOP", "BY_BOARD", "FIXED")
MIXED = 255  # The play depends on suits.
PAIRS = 49 * 48 // 2  # Pairs of hole cards beside a flop.
CHOOSE_WIDTH = 8
