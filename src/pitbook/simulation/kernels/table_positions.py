"""Positions of the integers in a table that kernels read."""

from __future__ import annotations

# Every table:
SEATS = 0  # Seats played.
HAND = 1  # Cards per seat.
BOARD = 2  # Cards on the board.
SHOE = 3  # Cards to draw from.
ALONE = 4  # 1: one seat of a ladder game, whose cards are counted by class.
LADDER = 5  # 0: points; 1: a ladder game; 2: duels, whose numbers are in `places`; 3: ranks.
KEPT = 6  # Random words reserved for each round.
ERR = 7  # Mistakes: this many decisions go wrong
ERR_OF = 8  # out of this many; ERR 0: none.
FLOOR = 9  # Minimum net of all seats together, in steps.
# Ladder games:
STREETS = 10  # Maximum decisions of a seat.
HANDS = 11  # Groups of five-card kinds.
HOLES = 12  # Groups of kinds of hole cards.
BOARDS = 13  # Groups of kinds of boards.
HOLE_SETS = 14  # Multisets of hole card ranks.
BOARD_SETS = 15  # Multisets of ranks on the whole board.
HAND_AT = 16  # Start of groups in the small table: hands,
HOLE_AT = 17  # hole cards,
BOARD_AT = 18  # boards.
# Points games:
PLAYS = 19  # Number of declarations.
MATCHES = 20  # Groups of numbers of matches.
KINDS = 21  # Groups of kinds of hands.
BEST_AT = 22  # Start in the small table: the best declaration of each hand,
MATCH_AT = 23  # groups of matches,
KIND_AT = 24  # groups of kinds by ranks, one suit, and duplicate cards,
LOW_AT = 25  # and for each declaration whether it is low.
DEALER_AT = 26  # Start of the dealer's totals, after the players'.

NAMES = {name: index for name, index in list(globals().items()) if name.isupper()}
LENGTH = len(NAMES)

BY_POINTS, BY_LADDER, BY_DUELS, BY_RANKS = range(4)  # Values of LADDER.
ROW_BITS = 12  # Row of one seat's last table: a class of four cards, at most 2,535, or none.
STREETS_AT = 8  # In a ladder's `places`, after adding a card to 0, 1, ...; three a street.
