"""Hand values: poker hands of two to five cards, and points.

Only `pitbook.hands.batch`, which ranks arrays of hands, needs NumPy.
"""

from pitbook.hands.kinds import Ace, Kind, atoms, hand_kinds, line_names
from pitbook.hands.low_and_high import (
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
    "classes",
    "hand_kinds",
    "kind_of",
    "line_names",
    "matches",
    "rank_of",
    "total",
]
