"""Precomputed solutions of games against a dealer's hand, for any stakes that play alike.

A solution is stored with what every hand nets after every play. It fits other stakes if what
they add to a result is the same after every play: a larger ante that no payout limit reaches, or
a side wager that a fold does not lose. Best play is then the same, and values differ by what the
side wagers add.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pitbook.exact.methods.dealer import boards_solve as boards
from pitbook.exact.methods.dealer import pairs_solve as pairs
from pitbook.exact.methods.dealer.structure import (
    EVENTS,
    Terms,
    side_wagers_on_other_hands,
)
from pitbook.exact.methods.method import StrategyLine
from pitbook.exact.shipped_figures import INDEX, read_precomputed
from pitbook.money import Cents
from pitbook.rules.actions import Play
from pitbook.sheets.model import Sheet

Ints = NDArray[np.int64]
Numbers = NDArray[Any]  # Integers of any size.
PlayNames = list[list[str]]  # By street.


def _documents(sheet: Sheet, name: str, plays: PlayNames) -> Iterator[dict[str, Any]]:
    """The stored solutions with these plays on each street."""
    for member, stored_name, stored_plays in read_precomputed(sheet, INDEX) or ():
        if (stored_name, stored_plays) == (name, plays):
            yield read_precomputed(sheet, member)


def _extra_nets(nets: Numbers, stored: Numbers, stakes: tuple[int, int]) -> Numbers | None:
    """What stakes add to a stored result, by cell; None if it depends on the play.

    The arguments have a row for each play. The result is in cents times the stored stake.
    """
    stake, stored_stake = stakes
    extra = nets * stored_stake - stored * stake
    return extra[0] if (extra == extra[0]).all() else None


# One decision.


def pair_solution(terms: Terms, name: str) -> pairs.Solution | None:
    """The precomputed solution of a game with one decision, or None."""
    plays = terms.plays(0, terms.seat)
    sheet = terms.game.sheet
    for document in _documents(sheet, name, [list(map(str, plays))]):
        nets = np.array([terms.nets(terms.seat.after_play(play)) for play in plays], object)
        stored = np.array(document["nets"], object)
        extra = _extra_nets(nets, stored, (terms.stake, document["stake"]))
        if extra is None:
            continue
        counts = dict(zip(plays, document["counts"], strict=True))
        lines = None if extra.any() else _line_reader(sheet, document["lines"], plays)
        return pairs.Solution(terms, plays, stored=pairs.StoredOutcomes(counts, lines))
    return None


def encode_pair_solution(solution: pairs.Solution, name: str) -> dict[str, Any]:
    """A solution as JSON, with its lines."""
    terms = solution.terms
    nets = [terms.nets(terms.seat.after_play(play)).tolist() for play in solution.plays]
    return {
        "name": name,
        "plays": [list(map(str, solution.plays))],
        "stake": terms.stake,
        "nets": nets,
        "counts": [solution.event_counts[play] for play in solution.plays],
        "lines": _encode_lines(solution.entries()),
    }


def _encode_lines(lines: Iterable[StrategyLine]) -> list[list[Any]]:
    return [
        [line.street, line.cards, line.units, str(line.play), str(line.worth)] for line in lines
    ]


def _line_reader(
    sheet: Sheet, member: str, plays: Iterable[Play]
) -> Callable[[], list[StrategyLine]]:
    """A function that reads the lines of a solution: they are many, and few callers want them."""
    by_name = {str(play): play for play in plays}

    def read() -> list[StrategyLine]:
        return [
            StrategyLine(street, cards, units, by_name[play], Fraction(value))
            for street, cards, units, play, value in read_precomputed(sheet, member)
        ]

    return read


# Hold'em.


def board_solution(plan: boards.StreetPlan) -> boards.Solution | None:
    """The precomputed solution of a hold'em game, or None."""
    names = [list(map(str, plays)) for plays in plan.plays]
    for document in _documents(plan.terms.game.sheet, "", names):
        solution = _fit_boards(plan, document)
        if solution is not None:
            return solution
    return None


def _fit_boards(plan: boards.StreetPlan, document: Mapping[str, Any]) -> boards.Solution | None:
    ends = {(street, str(play)): (street, play) for street, play in plan.end_seats}
    stored_ends = [tuple(end) for end in document["ends"]]
    cell_of = _cell_map(plan, document["cells"])
    if set(ends) != set(stored_ends) or cell_of is None:
        return None
    nets = np.array(
        [plan.cells.nets(plan.end_seats[ends[end]])[cell_of] for end in stored_ends], object
    )
    stored = np.array(document["nets"], object)
    extra = _extra_nets(nets, stored, (plan.terms.stake, document["stake"]))
    if extra is None:
        return None
    event_counts = {
        ends[end]: _sum_cells(np.array(counts, object), cell_of, plan).tolist()
        for end, counts in zip(stored_ends, document["counts"], strict=True)
        if counts is not None
    }
    by_hole = np.array(document["by_hole"], np.int64)
    holes = boards.HoleCounts(
        np.array(document["pairs"], np.int64), _sum_cells(by_hole, cell_of, plan)
    )
    before = None
    if document["worths"] is not None:
        added = by_hole.astype(object) @ extra
        scaled = np.array(document["worths"], object) * plan.terms.stake + added
        values = scaled // document["stake"]
        before = boards.StreetValues(values, values.argmax(axis=0).astype(np.int8))
    plays = [play for street_plays in plan.plays for play in street_plays]
    lines = None if extra.any() else _line_reader(plan.terms.game.sheet, document["lines"], plays)
    stored_outcomes = boards.StoredOutcomes(holes, lines)
    return boards.Solution(plan, before, event_counts, stored=stored_outcomes)


def _cell_map(plan: boards.StreetPlan, stored_cells: list[list[int]]) -> Ints | None:
    """By stored cell, the plan's; None if the plan tells results apart that were stored as one."""
    cells: dict[int, int] = {}
    for kind, row in enumerate(stored_cells):
        for event in range(len(EVENTS)):
            if (kind, event) not in plan.cells.occurring:
                continue
            cell = plan.cells.cells[plan.cells.groups[kind]][event]
            if cells.setdefault(row[event], cell) != cell:
                return None
    return np.array([cells.get(number, 0) for number in range(max(cells) + 1)], np.int64)


def _sum_cells(counts: NDArray[Any], cell_of: Ints, plan: boards.StreetPlan) -> NDArray[Any]:
    """Counts by stored cell, in the last axis, as counts by the plan's cells."""
    sums = np.zeros((*counts.shape[:-1], len(plan.cells.examples_by_cell)), counts.dtype)
    for number, cell in enumerate(cell_of.tolist()):
        sums[..., cell] += counts[..., number]
    return sums


def solve_in_fine_cells(
    terms: Terms, play_filter: boards.PlayFilter | None = None
) -> boards.Solution:
    """The solution, with cells that also tell apart what side wagers on the same hand pay."""
    game = terms.game
    others = side_wagers_on_other_hands(game, game.sheet.side)
    side = {wager: Cents(100) for wager in game.sheet.side if wager not in others}
    plan = boards.plan_of(terms, play_filter)
    fine = boards.plan_of(Terms(game, terms.ante, side)).cells
    return boards.solve_plan(replace(plan, own_cells=replace(fine, terms=terms)))


def encode_board_solution(solution: boards.Solution) -> dict[str, Any]:
    """A solution as JSON, with its lines."""
    plan, before = solution.plan, solution.before_flop
    ends = list(plan.end_seats)
    return {
        "name": "",
        "plays": [list(map(str, plays)) for plays in plan.plays],
        "stake": plan.terms.stake,
        "ends": [[street, str(play)] for street, play in ends],
        "nets": [plan.cells.nets(plan.end_seats[end]).tolist() for end in ends],
        "counts": [solution.event_counts.get(end) for end in ends],
        "cells": [list(plan.cells.cells[group]) for group in plan.cells.groups],
        "pairs": solution.holes.pairs.tolist(),
        "by_hole": solution.holes.counts.tolist(),
        "worths": None if before is None else before.worths.tolist(),
        "lines": _encode_lines(solution.entries()),
    }
