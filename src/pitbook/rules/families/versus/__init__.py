"""Versus: Three Card Poker, Caribbean Stud, Ultimate Texas Hold'em and others against a dealer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pitbook.rules.families.versus import prose
from pitbook.rules.families.versus.sheet import Versus, scope
from pitbook.sheets.exposure import Exposure
from pitbook.sheets.families import Checks, Family

if TYPE_CHECKING:
    from pitbook.rules.game import Game


def checks() -> Checks:
    """Sheet checks of the family."""
    from pitbook.rules.families.versus.checks import CHECKS  # noqa: PLC0415  Few who load sheets check them.

    return CHECKS


def exposure(sheet: Versus) -> Exposure:
    """The largest payout of a round of this sheet."""
    from pitbook.rules.families.versus.exposure import exposure  # noqa: PLC0415  Few who load sheets ask.

    return exposure(sheet)


def compile_game(sheet: Versus) -> Game:
    """The sheet as a game."""
    from pitbook.rules.families.versus.compile import VersusGame  # noqa: PLC0415  Few who load sheets play them.

    return VersusGame(sheet)


FAMILY = Family(
    "versus",
    Versus,
    scope,
    checks,
    prose.rule_texts,
    prose.main_table,
    exposure,
    compile_game,
)
