"""How plays look in grids and plots: a letter, and a colour that colour-blind eyes keep apart."""

from __future__ import annotations

from pitbook.rules.plays import Play

__all__ = ["colour", "ink", "letter"]

FOLDED = "#c9c9c9"
BETS = ("#cfe8f7", "#8cc8ee", "#f5d76e", "#f0a030", "#d5602b", "#8c3a12")  # 0x to 5x and more.
DECLARED = {"low": ("#8cc8ee", "#2a78b5"), "high": ("#f5c04f", "#d5602b")}  # Alone, and raised.
DARK = 120  # Below this brightness a colour wants white letters.


def letter(play: Play) -> str:
    """A play in one or two letters.

    >>> from pitbook.rules.plays import FOLD, bets, says
    >>> [letter(play) for play in (FOLD, bets("ante", 3), says("low"), says("high", "double", 1))]
    ['F', '3', 'L', 'HD']
    """
    return play.short


def colour(play: Play) -> str:
    """The colour of a play as #rrggbb."""
    if play.folds or play.takes:
        return FOLDED
    if play.said in DECLARED:
        return DECLARED[play.said][bool(play.puts)]
    return BETS[min(play.times, len(BETS) - 1)]


def ink(background: str) -> str:
    """Black or white, whichever is read more easily on a colour."""
    red, green, blue = (int(background[place : place + 2], 16) for place in (1, 3, 5))
    brightness = (299 * red + 587 * green + 114 * blue) // 1000
    return "#ffffff" if brightness < DARK else "#1a1a1a"
