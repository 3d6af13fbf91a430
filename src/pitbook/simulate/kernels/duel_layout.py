"""Positions of the whole numbers of a duel in a table's `places`."""

from __future__ import annotations

COMMON = 0  # Cards in common; the dealer's lie behind them.
LEAST = 1  # The first class with which the dealer qualifies.
BEST = 2  # Cards that count.
OWN_AT = 3  # In `sums`, the class by ranks: of the own cards and those in common,
OTHER_AT = 4  # of the dealer's and those in common,
BOTH_AT = 5  # of all of them (where BOTHS is more than 1);
SUIT_AT = 6  # and by the ranks of one suit, as bits,
BOTH_SUIT_AT = 7  # for all of them.
GROUP_AT = 8  # In `small`, by class the group of kinds of the own hand,
BOTH_GROUP_AT = 9  # and of all cards.
GROUPS = 10
BOTHS = 11
STREETS = 12  # Decisions.
STAGES = 13  # Stages of the game: a decision is numbered by them.
WIDTH = 14  # Of a menu in `wide`: how many plays, then where each leads; -1: to the next decision.
MENU_OF_AT = 15  # In `small`, by class the menu of the own hand.
# A decision by the own hand:
POLICY_AT = 16  # In `small`, by class and rank of the card seen; MIXED: by the very cards,
DETAIL_AT = 17  # by row of the hand and rank of the card seen,
ROWS_AT = 18  # in `wide` by hand, as sets of cards are counted,
CHOOSE_AT = 19  # with binomials, by card and size.
UPS = 20  # 13, or 1 where no card is seen.
# By two hole cards, by the flop, and by the whole board:
HOLE_AT = 21  # In `small`, by two cards.
FLOP_AT = 22  # In `sums`, by flop the number of its like;
SWAP_AT = 23  # in `small` the swap of suits that makes it that,
SWAPS_AT = 24  # the swaps,
PAIRS_AT = 25  # and by flop and pair beside it the play.
SHAPE_AT = 26  # In `small`, by class the kind of its gains;
GAIN_AT = 27  # in `wide`, by that and event what the other play gains.
FIRST = 28  # Where the two plays stand in the menu,
OTHER = 29
PREFERS = 30  # and whether, of equal ones, the other is made.
MORE_AT = 31  # In `sums`, one more card to 0, 1, ... cards.
STREETS_AT = 40  # Four a street: its mode, stage, menus in `wide`, and the play where it is FIXED.

NAMES = {name: place for name, place in list(globals().items()) if name.isupper()}

BY_HAND, BY_HOLE, BY_FLOP, BY_BOARD, FIXED = range(5)
MODES = ("BY_HAND", "BY_HOLE", "BY_FLOP", "BY_BOARD", "FIXED")
MIXED = 255  # A play that suits decide.
PAIRS = 49 * 48 // 2  # Beside a flop.
CHOOSE_WIDTH = 8
