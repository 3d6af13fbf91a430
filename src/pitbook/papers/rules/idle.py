"""Rules that decide nothing in a game: a sheet holds them, and a paper need not say them."""

from __future__ import annotations

from pitbook.rules.game import Game, Stage
from pitbook.sheets.aloud import Saying, sayings


def sayings_that_decide(game: Game) -> list[Saying]:
    """What a sheet says, without what can never come up."""
    return [one for one in sayings(game.sheet) if not _is_idle(one, game)]


def _is_idle(one: Saying, game: Game) -> bool:
    if one.key == "payouts.share_ties":  # Only a limit on a round is shared between seats.
        return not any(limit.per == "round" for limit in game.sheet.limits)
    return one.key.endswith("_when_all_fold") and not _turned_for_somebody(game)


def _turned_for_somebody(game: Game) -> bool:
    """Whether cards in common lie closed when all have given up, and are turned all the same."""
    asked = game.board_always or any(one.survives for one in game.asked)
    return asked and any(_closed(game, stage) for stage in game.stages if _gives_up(stage))


def _gives_up(stage: Stage) -> bool:
    return any(play.folds for play in stage.plays)


def _closed(game: Game, stage: Stage) -> bool:
    piles = zip(game.places[1:], stage.opens[1:], strict=True)
    return any(opened < place.cards - place.later for place, opened in piles)
