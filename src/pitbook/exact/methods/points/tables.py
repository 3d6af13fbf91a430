"""A strategy of declarations in few lines: hands put together by their points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from pitbook.exact.methods.points.followed import DeclaredStrategy
from pitbook.exact.methods.points.solving import HandWorth, Ranks
from pitbook.exact.methods.points.structure import pointed
from pitbook.hands.kinds import RANK_NAMES
from pitbook.rules.plays import Play
from pitbook.text import say

ACE = 12


@dataclass(frozen=True)
class PointsRow:
    """Hands of one total: plays with their hands, the share of deals, the value in Bets."""

    low: int
    high: int
    plays: dict[Play, tuple[str, ...]]
    share: Fraction
    worth: Fraction


def points_tables(declared: DeclaredStrategy) -> dict[str, tuple[PointsRow, ...]]:
    """Hands by points, one table for each number of cards that count otherwise in a high hand."""
    points = pointed(declared.solution.game).shape.points
    turning = [rank for rank in range(13) if points.low[rank] != points.high[rank]]
    tables: dict[str, list[HandWorth]] = {}
    for spot in sorted(declared.solution.spots, key=lambda one: _held(one.ranks, turning)):
        tables.setdefault(_held_name(_held(spot.ranks, turning), turning), []).append(spot)
    return {name: tuple(_rows(declared, spots)) for name, spots in tables.items()}


def _rows(declared: DeclaredStrategy, spots: list[HandWorth]) -> list[PointsRow]:
    dealt = sum(spot.ways for spot in declared.solution.spots)
    rows = []
    for low, high in sorted({(spot.low, spot.high) for spot in spots}):
        same = [spot for spot in spots if (spot.low, spot.high) == (low, high)]
        ways = sum(spot.ways for spot in same)
        won = sum(spot.worth[declared.plays[spot.ranks]] * spot.ways for spot in same)
        plays = _plays(declared, same)
        rows.append(PointsRow(low, high, plays, Fraction(ways, dealt), Fraction(won) / ways))
    return rows


def _plays(declared: DeclaredStrategy, spots: list[HandWorth]) -> dict[Play, tuple[str, ...]]:
    found: dict[Play, list[str]] = {}
    for spot in spots:
        found.setdefault(declared.plays[spot.ranks], []).append(hand_name(spot.ranks))
    return {play: tuple(hands) for play, hands in found.items()}


def hand_name(ranks: Ranks) -> str:
    """A hand of ranks, highest first."""
    return " ".join(RANK_NAMES[rank] for rank in reversed(ranks))


def _held(ranks: Ranks, turning: Sequence[int]) -> int:
    return sum(rank in turning for rank in ranks)


def _held_name(many: int, turning: Sequence[int]) -> str:
    """What a table is called: "no ace", "two aces"."""
    if not turning:
        return say("exact.held.all-hands")
    return say("exact.held.aces" if list(turning) == [ACE] else "exact.held.turning", many=many)
