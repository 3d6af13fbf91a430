"""Questions to take along: practice where there is no line, judged by the page, counted nowhere."""

from __future__ import annotations

from functools import lru_cache

from pitbook.rules.game import Game
from pitbook.train.drills.item import Item
from pitbook.train.drills.kinds import allowed, drill

QUESTIONS = 36


@lru_cache(maxsize=64)
def packet(game: Game, day: str) -> tuple[Item, ...]:
    """The questions of a day, each kind as often as another; a test never asks any of them."""
    kinds = allowed(game)
    return tuple(
        drill(game, kinds[number % len(kinds)], f"packet {day} {number}")
        for number in range(QUESTIONS)
    )
