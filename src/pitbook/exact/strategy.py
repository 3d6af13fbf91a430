"""Strategies as data: the best one, simpler ones, and what each simplification costs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pitbook.errors import PitbookError
from pitbook.exact.advice import solved
from pitbook.exact.figures import Figures, Row, figures
from pitbook.exact.methods.ladder import solving as stud
from pitbook.exact.methods.ladder.main_game import main_figures
from pitbook.exact.methods.ladder.terms import Purse, Terms, net
from pitbook.exact.methods.points import solving as hi_lo
from pitbook.exact.spots import Spot, stakes_checked
from pitbook.families.hi_lo.compile import HiLoGame
from pitbook.families.hi_lo.sheet import HiLo
from pitbook.families.street_stud.sheet import StreetStud
from pitbook.hands.kinds import RANK_NAMES
from pitbook.hands.ranking import HandClass, classes
from pitbook.money import Cents, spoken
from pitbook.sheets.model import Sheet

Chooser = Callable[[int, HandClass, int], str]  # street, class, antes at stake -> play
Declarer = Callable[[hi_lo.Spot], str]
StudPolicy = dict[int, dict[Purse, NDArray[np.int8]]]


class StrategyError(PitbookError):
    """A strategy that cannot be played; its text says why."""


@dataclass(frozen=True)
class Entry:
    """One line of a strategy: where, with what, how much at stake, and what to do."""

    street: str
    cards: str
    units: int
    play: str
    worth: Fraction


def entries(
    sheet: Sheet, ante: Cents | None = None, *, purse: Cents | None = None
) -> Iterator[Entry]:
    """The whole best strategy, line by line; `purse` is left beside the ante, None is enough."""
    stakes_checked(sheet, Spot((), ante=ante, purse=purse))
    if isinstance(sheet, HiLo):
        for spot in hi_lo.solve(sheet, ante, purse=purse).spots:
            held = " ".join(RANK_NAMES[one] for one in reversed(spot.ranks))
            yield Entry("declare", held, 1, spot.best, spot.worth[spot.best])
        return
    solution = solved(sheet, ante, purse // ante if purse is not None and ante else None)
    for number, level in enumerate(solution.streets):
        for bets, choice in level.items():
            if solution.terms.room is not None and sum(bets) > solution.terms.room:
                continue  # Nobody has so much to bet.
            for place, hand in enumerate(classes(solution.seen[number], solution.ace)):
                best = int(choice.best[place])
                worth = Fraction(int(choice.worth[best, place]), choice.ways * solution.terms.ante)
                street, units = sheet.streets[number].id, solution.terms.units(bets)
                yield Entry(street, class_name(hand), units, choice.plays[best], worth)


def class_name(hand: HandClass) -> str:
    """A class as players write it.

    >>> class_name(HandClass((12, 11), True, 0)), class_name(HandClass((8, 8), False, 0))
    ('A K suited', '10 10')
    """
    suited = " suited" if hand.suited and len(hand.ranks) > 1 else ""
    return " ".join(RANK_NAMES[rank] for rank in hand.ranks) + suited


def restricted(sheet: StreetStud, *, without: tuple[str, ...]) -> StreetStud:
    """The sheet for a player who never makes some plays: "3x", "fold"."""
    streets = []
    for street in sheet.streets:
        bets = tuple(bet for bet in street.bets if f"{bet}x" not in without)
        fold = street.fold and "fold" not in without
        if not bets:
            raise StrategyError(f"without {', '.join(without)} there is no {street.title}")
        streets.append(street.model_copy(update={"bets": bets, "fold": fold}))
    return sheet.model_copy(update={"streets": tuple(streets)})


def named(sheet: Sheet, name: str, ante: Cents | None = None) -> Figures:
    """The main game's figures under "best", "always-1x", "never-fold", "never-3x" and the like."""
    if isinstance(sheet, HiLo):
        return evaluated_hi_lo(sheet, named_declarer(name), ante)
    return main_figures(named_solution(sheet, name, ante))


def named_solution(sheet: StreetStud, name: str, ante: Cents | None = None) -> stud.Solution:
    """Best play among the plays that a strategy of that name allows."""
    if name == "best":
        return solved(sheet, ante)
    kind, _, play = name.partition("-")
    plays = _all_plays(sheet)
    if kind == "never" and play in plays:
        return _solved_without(sheet, (play,), ante)
    if kind == "always" and play in plays and play != "fold":
        others = tuple(one for one in plays if one != play)
        return _solved_without(sheet, others, ante)
    known = ", ".join(strategy_names(sheet))
    raise StrategyError(f'"{name}" is no strategy; known are {known}, or a rule file')


def _solved_without(sheet: StreetStud, plays: tuple[str, ...], ante: Cents | None) -> stud.Solution:
    narrower = restricted(sheet, without=plays)
    if ante is not None:  # A maximum in dollars may forbid the bets that are left.
        allowed = Terms(narrower, ante, True, {}).bets
        for street, bets in zip(narrower.streets, allowed, strict=True):
            if not bets:
                without = ", ".join(plays)
                raise StrategyError(
                    f"at {spoken(ante)} no {street.title} is left without {without}"
                )
    return stud.solve(narrower, ante)


def strategy_names(sheet: Sheet) -> tuple[str, ...]:
    """The strategies that need no rule file."""
    if isinstance(sheet, HiLo):
        doubles = ("never-double",) if sheet.double else ()
        return ("best", *doubles, "always-low", "always-high")
    fold, *bets = _all_plays(sheet)
    plays = [fold, *bets] if any(street.fold for street in sheet.streets) else bets
    return ("best", *(f"never-{one}" for one in plays), *(f"always-{one}" for one in bets))


def _all_plays(sheet: StreetStud) -> list[str]:
    bets = sorted({bet for street in sheet.streets for bet in street.bets})
    return ["fold", *(f"{bet}x" for bet in bets)]


def evaluated(sheet: StreetStud, choose: Chooser, ante: Cents | None = None) -> Figures:
    """The main game's figures when every decision is made by a rule."""
    solution = solved(sheet, ante)
    return main_figures(solution, stud.endings(solution, chosen(solution, choose)))


def chosen(solution: stud.Solution, choose: Chooser) -> StudPolicy:
    """A rule laid out over every class and purse."""
    policy: StudPolicy = {}
    for number, level in enumerate(solution.streets):
        hands = classes(solution.seen[number], solution.ace)
        policy[number] = {}
        for purse, choice in level.items():
            units = solution.terms.units(purse)
            plays = [choose(number, hand, units) for hand in hands]
            policy[number][purse] = np.array([_place(choice, play) for play in plays], np.int8)
    return policy


def _place(choice: stud.Choice, play: str) -> int:
    if play not in choice.plays:
        raise StrategyError(f'"{play}" is no play here; allowed are {", ".join(choice.plays)}')
    return choice.plays.index(play)


def evaluated_hi_lo(sheet: HiLo, choose: Declarer, ante: Cents | None = None) -> Figures:
    """The main game's figures when every hand is declared by a rule."""
    solution = hi_lo.solve(sheet, ante)
    return figures(_declared_rows(solution, choose))


def named_declarer(name: str) -> Declarer:
    """A named strategy of hi-lo as a rule."""
    if name == "best":
        return lambda spot: spot.best
    if name == "never-double":
        return _best_undoubled
    if name in ("always-low", "always-high"):
        return lambda spot: name.removeprefix("always-")
    known = "best, never-double, always-low, always-high"
    raise StrategyError(f'"{name}" is no strategy; known are {known}, or a rule file')


def _best_undoubled(spot: hi_lo.Spot) -> str:
    return max(("low", "high"), key=lambda play: spot.worth[play])


def _declared_rows(solution: hi_lo.HiLoSolution, choose: Declarer) -> Iterator[Row]:
    game = HiLoGame(solution.sheet)
    lines = hi_lo.play_lines(game, solution.ante, capped=solution.capped)
    for spot in solution.spots:
        play = choose(spot)
        if play not in spot.worth:
            raise StrategyError(f'"{play}" is no play here; allowed are {", ".join(spot.worth)}')
        tally = solution.ahead[spot.ranks][play.removesuffix("+double")]
        for ways, settled in zip(tally, lines[play], strict=True):
            if ways:
                units = sum(line.stake for line in settled) // solution.ante
                won = Fraction(net(settled), solution.ante)
                first = settled[0]
                yield Row(str(first.outcome), units, first.result, won, spot.ways * ways)


def grid(sheet: StreetStud, ante: Cents | None = None) -> dict[str, dict[str, Any]]:
    """The 13 by 13 of starting hands: best play and its worth; suited hands above the diagonal."""
    if sheet.deal.hole.value != 2:
        raise StrategyError("only two hole cards make a 13 by 13 grid")
    first = sheet.streets[0].id
    rows = [one for one in entries(sheet, ante) if one.street == first]
    return {one.cards: {"play": one.play, "worth": one.worth} for one in rows}
