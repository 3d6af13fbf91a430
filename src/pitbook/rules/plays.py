"""Plays at a decision, and how they are written."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from pitbook.text import say

WORDS = ("fold", "check", "pull", "ride", "war", "surrender", "low", "high")
_MULTIPLE = re.compile(r"[0-9]{1,9}x", re.ASCII)
_BET_LIKE = re.compile(r"[0-9]+x", re.ASCII)


class Need(NamedTuple):
    """A condition on a play: a hand of the game, and its lowest value."""

    hand: str
    least: int


class Play(str):
    """One play: wagers placed (in main wagers) or pulled back, and its declaration."""

    __slots__ = ("folds", "needs", "puts", "said", "takes", "times")

    puts: tuple[tuple[str, int], ...]
    takes: tuple[str, ...]
    folds: bool
    said: str  # Used by later rules, such as a declaration.
    needs: Need | None
    times: int  # The sum placed, in main wagers.

    def __new__(
        cls,
        text: str,
        *,
        puts: tuple[tuple[str, int], ...] = (),
        takes: tuple[str, ...] = (),
        folds: bool = False,
        declaration: str = "",
        needs: Need | None = None,
    ) -> Play:
        play = super().__new__(cls, text)
        play.puts, play.takes, play.folds = puts, takes, folds
        play.said, play.needs = declaration, needs
        play.times = sum(times for _, times in puts)
        return play

    @property
    def label(self) -> str:
        """The text of its button.

        >>> [play.label for play in (FOLD, bets("ante", 3), declaration_play("high", "double", 1))]
        ['Fold', '3x', 'High, double']
        """
        return say("game.play", play=str(self), plain=self.capitalize().replace("+", ", "))

    @property
    def short(self) -> str:
        """One or two letters for a grid.

        >>> [play.short for play in (FOLD, bets("ante", 3), declaration_play("high", "double", 1))]
        ['F', '3', 'HD']
        """
        if self.said:
            return self.said[0].upper() + "".join(wager[0].upper() for wager, _ in self.puts)
        return str(self.times) if _MULTIPLE.fullmatch(self) else self[:1].upper()


FOLD = Play("fold", folds=True)
PASSED = Play(
    "-"
)  # For a stage that did not reach the seat, so that indexes of plays match stages.


@lru_cache(maxsize=1024)  # All sheets of a family have the same few.
def bets(wager: str, times: int) -> Play:
    """A bet of a multiple of the main wager on another wager; 0x continues without a bet."""
    return Play(f"{times}x", puts=((wager, times),) if times else ())


def declaration_play(declaration: str, wager: str = "", times: int = 0) -> Play:
    """A declaration, optionally with a further wager."""
    if not times:
        return Play(declaration, declaration=declaration)
    return Play(f"{declaration}+{wager}", declaration=declaration, puts=((wager, times),))


def parse_play(text: str) -> tuple[str, ...]:
    """The parts of a play's text: declaration and further wager.

    >>> parse_play("high+double"), parse_play("fold")
    (('high', 'double'), ('fold',))
    """
    return tuple(text.split("+"))


def multiple(text: str) -> int | None:
    """The multiple of the main wager in a text such as "3x"; None for any other text."""
    return int(text[:-1]) if _MULTIPLE.fullmatch(text) else None


def is_play(text: str) -> bool:
    """Whether a word is reserved for plays and cannot name anything else."""
    return text in WORDS or bool(_BET_LIKE.fullmatch(text))
