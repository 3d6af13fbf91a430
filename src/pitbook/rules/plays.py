"""What a player may do at a decision, and how a play is written."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from pitbook.text import say

WORDS = ("fold", "check", "pull", "ride", "war", "surrender", "low", "high")
_MULTIPLE = re.compile(r"[0-9]{1,9}x", re.ASCII)
_BET_LIKE = re.compile(r"[0-9]+x", re.ASCII)


class Need(NamedTuple):
    """A play that only some hands may make: a hand of the game, and the least it must be."""

    hand: str
    least: int


class Play(str):
    """One play: what it puts on the table and takes back, in times the main wager; what it says."""

    __slots__ = ("folds", "needs", "puts", "said", "takes", "times")

    puts: tuple[tuple[str, int], ...]
    takes: tuple[str, ...]
    folds: bool
    said: str  # What later rules ask for, as a declaration.
    needs: Need | None
    times: int  # All that it puts, in main wagers.

    def __new__(
        cls,
        text: str,
        *,
        puts: tuple[tuple[str, int], ...] = (),
        takes: tuple[str, ...] = (),
        folds: bool = False,
        said: str = "",
        needs: Need | None = None,
    ) -> Play:
        """A play by its text and its effects."""
        play = super().__new__(cls, text)
        play.puts, play.takes, play.folds = puts, takes, folds
        play.said, play.needs = said, needs
        play.times = sum(times for _, times in puts)
        return play

    @property
    def label(self) -> str:
        """As a button says it.

        >>> [play.label for play in (FOLD, bets("ante", 3), play_text("high", "double", 1))]
        ['Fold', '3x', 'High, double']
        """
        return say("game.play", play=str(self), plain=self.capitalize().replace("+", ", "))

    @property
    def short(self) -> str:
        """One or two letters for a grid.

        >>> [play.short for play in (FOLD, bets("ante", 3), play_text("high", "double", 1))]
        ['F', '3', 'HD']
        """
        if self.said:
            return self.said[0].upper() + "".join(wager[0].upper() for wager, _ in self.puts)
        return str(self.times) if _MULTIPLE.fullmatch(self) else self[:1].upper()


FOLD = Play("fold", folds=True)
PASSED = Play("-")  # At a stage that did not come to the seat, so that plays stand by stage.


@lru_cache(maxsize=1024)  # Every sheet of a family has the same few.
def bets(wager: str, times: int) -> Play:
    """A multiple of the main wager put on another; 0x goes on for nothing."""
    return Play(f"{times}x", puts=((wager, times),) if times else ())


def play_text(word: str, wager: str = "", times: int = 0) -> Play:
    """A declaration, with a further wager where one is made along with it."""
    if not times:
        return Play(word, said=word)
    return Play(f"{word}+{wager}", said=word, puts=((wager, times),))


def parse_play(text: str) -> tuple[str, ...]:
    """What a play says, and the further wager that it makes along with it.

    >>> parse_play("high+double"), parse_play("fold")
    (('high', 'double'), ('fold',))
    """
    return tuple(text.split("+"))


def multiple(text: str) -> int | None:
    """How many main wagers a text would bet; None where it speaks of no bet."""
    return int(text[:-1]) if _MULTIPLE.fullmatch(text) else None


def is_play(text: str) -> bool:
    """Whether players use a word at decisions, so that nothing else may have it for a name."""
    return text in WORDS or bool(_BET_LIKE.fullmatch(text))
