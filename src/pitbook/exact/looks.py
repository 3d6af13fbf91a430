"""How plays look in grids and plots: a letter, and a colour that colour-blind eyes keep apart."""

from __future__ import annotations

__all__ = ["colour", "ink", "letter"]

FOLDED = "#c9c9c9"
BETS = ("#cfe8f7", "#8cc8ee", "#f5d76e", "#f0a030", "#d5602b", "#8c3a12")  # 0x to 5x and more.
DECLARED = {
    "low": "#8cc8ee",
    "low+double": "#2a78b5",
    "high": "#f5c04f",
    "high+double": "#d5602b",
}
DARK = 120  # Below this brightness a colour wants white letters.


def letter(play: str) -> str:
    """A play in one or two letters.

    >>> [letter(play) for play in ("fold", "3x", "low", "high+double")]
    ['F', '3', 'L', 'HD']
    """
    if play == "fold":
        return "F"
    if play.endswith("x"):
        return play[:-1]
    declared, _, double = play.partition("+")
    return declared[0].upper() + ("D" if double else "")


def colour(play: str) -> str:
    """The colour of a play as #rrggbb."""
    if play.endswith("x"):
        return BETS[min(int(play[:-1]), len(BETS) - 1)]
    return DECLARED.get(play, FOLDED)


def ink(background: str) -> str:
    """Black or white, whichever is read more easily on a colour."""
    red, green, blue = (int(background[place : place + 2], 16) for place in (1, 3, 5))
    brightness = (299 * red + 587 * green + 114 * blue) // 1000
    return "#ffffff" if brightness < DARK else "#1a1a1a"
