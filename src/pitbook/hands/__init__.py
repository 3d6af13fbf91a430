"""What cards are worth to a rule: poker hands of two to five cards, and points.

Whole arrays of hands are ranked by `pitbook.hands.batch`, which alone needs NumPy.
"""

from pitbook.hands.kinds import Ace, Kind, atoms, catalogue, line_names
from pitbook.hands.points import (
    Arrangement,
    EqualPoints,
    PointTable,
    SharedCard,
    arrange,
    matches,
    total,
)
from pitbook.hands.ranking import HandClass, classes, kind_of, rank_of

__all__ = [
    "Ace",
    "Arrangement",
    "EqualPoints",
    "HandClass",
    "Kind",
    "PointTable",
    "SharedCard",
    "arrange",
    "atoms",
    "catalogue",
    "classes",
    "kind_of",
    "line_names",
    "matches",
    "rank_of",
    "total",
]
