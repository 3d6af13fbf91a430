"""Red dog, a family outside the package: this folder is all that Pitbook needs to play it."""

from __future__ import annotations

from tests.red_dog import prose
from tests.red_dog.checks import CHECKS
from tests.red_dog.game import RedDogGame
from tests.red_dog.sheet import RedDog, scope

from pitbook.sheets.family_registry import Family
from pitbook.sheets.largest_payout import exposure_bound

__all__ = ["FAMILY"]

FAMILY = Family(
    "red-dog",
    RedDog,
    scope,
    lambda: CHECKS,
    prose.rule_texts,
    prose.main_table,
    exposure_bound,
    RedDogGame,
)
