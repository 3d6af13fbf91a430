"""A helper for plays by text."""

from __future__ import annotations

from pitbook.rules.actions import Play
from pitbook.rules.game import Game


def play_of(game: Game, stage: int, text: str) -> Play:
    """The play of a stage with that text."""
    play = game.play(stage, text)
    assert play is not None, text
    return play
