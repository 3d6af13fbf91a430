"""A helper for plays by text."""

from __future__ import annotations

from pitbook.rules.game import Game
from pitbook.rules.plays import Play


def play_of(game: Game, stage: int, text: str) -> Play:
    """The play of a stage with that text."""
    play = game.play(stage, text)
    assert play is not None, text
    return play
