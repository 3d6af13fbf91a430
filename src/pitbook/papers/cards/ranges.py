"""Ranges of hands as a player says them: who holds a pair finds it in a line that goes below it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pitbook.exact.methods.ladder.strategies import class_name
from pitbook.hands.kinds import catalogue
from pitbook.hands.ranking import classes
from pitbook.papers.report.plays import hand_said, run_said
from pitbook.rules.game import Game
from pitbook.rules.pricing import Best
from pitbook.sheets.aloud import capital
from pitbook.sheets.aloud.words import outcome
from pitbook.text import Sentence, say

LOOSE, PAIR = "high-card-", "pair-"


def ranges(game: Game, rows: list[list[Any]]) -> Iterator[str]:
    """What each row of hands is called, the highest first."""
    kinds = _kinds(game)
    for place, (first, last, *_) in enumerate(rows):
        above = kinds.get(rows[place - 1][1], "") if place else None
        below = kinds.get(rows[place + 1][0], "") if rows[place + 1 :] else None
        told = None
        if first in kinds and last in kinds:
            told = _in_words(kinds[first], kinds[last], above, below, last)
        yield capital(told) if told else run_said(first, last)


def _kinds(game: Game) -> Mapping[str, str]:
    """The kinds of hands that are compared, by the hands' names."""
    for one in (hand.ranking for hand in game.hands if isinstance(hand.ranking, Best)):
        kinds = [kind.name for kind in catalogue(one.cards)]
        if any(kind.startswith(PAIR) for kind in kinds):
            return {class_name(hand): kinds[hand.kind] for hand in classes(one.cards, one.ace)}
    return {}


def _in_words(
    first: str, last: str, above: str | None, below: str | None, lowest: str
) -> Sentence | None:
    """A range over several kinds, whole pairs at its ends; none where one is parted between two."""
    whole = above is None or (first.startswith(PAIR) and first != above)
    if last.startswith(LOOSE) and not first.startswith(LOOSE) and whole:
        told = {"top": above is None, "pair": outcome(first), "last": hand_said(lowest)}
        return say("papers.wallet.over-pairs", **told)
    if last.startswith(PAIR) and above is None and last != below:
        return say("words.or-better", hand=outcome(last))
    return None
