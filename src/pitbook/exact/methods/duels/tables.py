"""A strategy against a dealer's hand in few lines: hands in their order, put together by play."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import NamedTuple

from pitbook.exact.methods.ladder.strategies import class_name
from pitbook.exact.methods.method import StrategyLine
from pitbook.hands.ranking import classes
from pitbook.rules.plays import Play

__all__ = ["PlayRun", "runs", "starting"]

SEEN = " | "  # Before the dealer's cards against which a play is made.


class PlayRun(NamedTuple):
    """Hands that follow each other, from the highest, and are played alike.

    Where a hand has several plays, suits or the dealer's cards decide.
    """

    first: str
    last: str
    plays: tuple[Play, ...]


def runs(lines: Iterable[StrategyLine]) -> dict[str, tuple[PlayRun, ...]]:
    """By street, its hands."""
    streets: dict[str, dict[str, tuple[Play, ...]]] = {}
    for line in lines:
        hands = streets.setdefault(line.street, {})
        held = line.cards.partition(SEEN)[0]
        hands[held] = (*hands.get(held, ()), line.play)
    found: dict[str, tuple[PlayRun, ...]] = {}
    for street, hands in streets.items():
        parts = [list(part) for _, part in groupby(hands, key=lambda held: set(hands[held]))]
        found[street] = tuple(PlayRun(part[0], part[-1], hands[part[0]]) for part in parts)
    return found


def starting(lines: Iterable[StrategyLine]) -> dict[tuple[tuple[int, ...], bool], Play]:
    """Plays with two hole cards, by their ranks and whether they are of one suit."""
    known = {class_name(hand): (hand.ranks, hand.suited) for hand in classes(2)}
    return {known[line.cards]: line.play for line in lines if line.cards in known}
