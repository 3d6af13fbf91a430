"""Red dog: a family outside the tree. This folder is all that Pitbook is told about it."""

from __future__ import annotations

from tests.red_dog import aloud
from tests.red_dog.checks import CHECKS
from tests.red_dog.compile import RedDogGame
from tests.red_dog.sheet import RedDog, scope

from pitbook.sheets.exposure import bounded
from pitbook.sheets.families import Family

__all__ = ["FAMILY"]

FAMILY = Family(
    "red-dog",
    RedDog,
    scope,
    lambda: CHECKS,
    aloud.sayings,
    aloud.main_table,
    bounded,
    RedDogGame,
)
