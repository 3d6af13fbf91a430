"""A pay table put to counts: which play is best on every row, and what all rows come to.

Hands of one kind are rows that follow each other, and are paid alike.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from pitbook.exact.methods.duels.machine import compiled

__all__ = ["gathered", "weighed"]


@compiled
def weighed(events: Any, starts: Any, nets: Any, least: Any) -> Any:
    """By row, the first of the best plays that its kind allows; where none is, the first."""
    found = np.zeros(len(events), np.int8)
    for kind in range(len(starts) - 1):
        for row in range(starts[kind], starts[kind + 1]):
            most, any_yet = np.int64(0), False
            for play in range(len(nets)):
                if kind < least[play]:
                    continue
                won = np.int64(0)
                for event in range(events.shape[1]):
                    won += events[row, event] * nets[play, kind, event]
                if not any_yet or won > most:
                    most, any_yet, found[row] = won, True, play
    return found


@compiled
def gathered(events: Any, starts: Any, ways: Any, chosen: Any, plays: int) -> Any:
    """By play, kind and event, how often it is met; fewer than 2**48 deals are in all."""
    found = np.zeros((plays, len(starts) - 1, events.shape[1]), np.int64)
    for kind in range(len(starts) - 1):
        for row in range(starts[kind], starts[kind + 1]):
            for event in range(events.shape[1]):
                found[chosen[row], kind, event] += ways[row] * events[row, event]
    return found
