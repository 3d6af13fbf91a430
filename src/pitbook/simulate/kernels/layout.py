"""Positions of the whole numbers in a table that kernels read."""

from __future__ import annotations

# Of every table:
SEATS = 0  # Seats that are played.
HAND = 1  # Cards to each.
BOARD = 2  # Cards on the board.
SHOE = 3  # Cards to draw from.
ALONE = 4  # 1: one seat of a ladder, whose cards are counted by class.
LADDER = 5  # 0: points; 1: a ladder; 2: duels, whose numbers are in `places`; 3: ranks.
KEPT = 6  # Words of luck set aside for each round.
ERR = 7  # Mistakes: so many decisions go wrong
ERR_OF = 8  # out of so many; ERR 0: none.
FLOOR = 9  # The least that all seats together can net, in steps.
# Of a ladder:
STREETS = 10  # Decisions that a seat makes at most.
HANDS = 11  # Groups of five-card kinds.
HOLES = 12  # Groups of kinds of hole cards.
BOARDS = 13  # Groups of kinds of boards.
HOLE_SETS = 14  # Multisets of ranks in the hole.
BOARD_SETS = 15  # And on the whole board.
HAND_AT = 16  # Where groups begin in the small table: of hands,
HOLE_AT = 17  # of hole cards,
BOARD_AT = 18  # of boards.
# Of points:
PLAYS = 19  # Declarations there are.
MATCHES = 20  # Groups of numbers of matches.
KINDS = 21  # Groups of kinds of hands.
BEST_AT = 22  # Where they begin in the small table: the best declaration of each hand,
MATCH_AT = 23  # groups of matches,
KIND_AT = 24  # groups of kinds by ranks, one suit, and the very same card twice,
LOW_AT = 25  # and for each declaration whether it is low.
DEALER_AT = 26  # Where the dealer's totals begin, after the players'.

NAMES = {name: place for name, place in list(globals().items()) if name.isupper()}
LENGTH = len(NAMES)

BY_POINTS, BY_LADDER, BY_DUELS, BY_RANKS = range(4)  # What LADDER says.
ROW_BITS = 12  # A row of one seat's last table: a class of four cards, 2,535 at most, or none.
STREETS_AT = 8  # In a ladder's `places`: one more card to 0, 1, ... cards; then three a street.
