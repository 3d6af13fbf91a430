"""Strategies of declarations as data: the best one, simpler ones, and rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from pitbook.exact.figures import FigureRow, Figures, figures, main_row
from pitbook.exact.methods.method import StrategyLine
from pitbook.exact.methods.points.solving import HandWorth, Ranks, Solution, play_lines, solve_game
from pitbook.exact.rule_files import StrategyError
from pitbook.hands.kinds import RANK_NAMES
from pitbook.money import Cents
from pitbook.rules.game import Game
from pitbook.rules.plays import Play
from pitbook.text import say

__all__ = ["Declarer", "declared", "entries", "evaluated", "named_declarer", "strategy_names"]

Declarer = Callable[[HandWorth], str]
UNRAISED = "never-double"


def entries(game: Game, ante: Cents | None, purse: Cents | None) -> Iterator[StrategyLine]:
    """The whole best strategy, hand by hand."""
    for spot in solve_game(game, ante, purse=purse).spots:
        held = " ".join(RANK_NAMES[one] for one in reversed(spot.ranks))
        yield StrategyLine(game.stages[0].id, held, 1, spot.best, spot.worth[spot.best])


def strategy_names(game: Game) -> tuple[str, ...]:
    """The strategies that need no rule file."""
    raised = any(play.puts for play in game.plays(0))
    return _known(game) if raised else tuple(one for one in _known(game) if one != UNRAISED)


def named_declarer(game: Game, name: str) -> Declarer:
    """A named strategy as a rule; who never doubles needs no double to be had."""
    always = {f"always-{one}": one for one in game.plays(0) if not one.puts}
    if name in always:
        return lambda spot: always[name]
    if name == UNRAISED:
        return _best_unraised
    if name == "best":
        return lambda spot: spot.best
    known = _known(game)
    raise StrategyError(say("exact.strategy.unknown-or-file", name=name, known=known))


def _known(game: Game) -> tuple[str, ...]:
    return ("best", UNRAISED, *(f"always-{one}" for one in game.plays(0) if not one.puts))


def _best_unraised(spot: HandWorth) -> Play:
    return max((play for play in spot.worth if not play.puts), key=lambda play: spot.worth[play])


def declared(solution: Solution, declare: Declarer) -> dict[Ranks, Play]:
    """A rule laid out over every hand; raises StrategyError for what is no play there."""
    plays = {}
    for spot in solution.spots:
        said = declare(spot)
        play = next((one for one in spot.worth if one == said), None)
        if play is None:
            allowed = {"play": said, "plays": tuple(spot.worth)}
            raise StrategyError(say("exact.strategy.no-play", **allowed))
        plays[spot.ranks] = play
    return plays


def evaluated(solution: Solution, plays: dict[Ranks, Play]) -> Figures:
    """The main game's figures when every hand is declared so."""
    return figures(_rows(solution, plays))


def _rows(solution: Solution, plays: dict[Ranks, Play]) -> Iterator[FigureRow]:
    lines = play_lines(solution.game, solution.ante, capped=solution.capped)
    for spot in solution.spots:
        play = plays[spot.ranks]
        tally = solution.ahead[spot.ranks][play.said]
        for ways, settled in zip(tally, lines[play], strict=True):
            if ways:
                yield main_row(settled, solution.ante, spot.ways * ways)
