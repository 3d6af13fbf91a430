"""Versus: Three Card Poker, Caribbean Stud, Ultimate Texas Hold'em and others against a dealer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from pitbook.rules.families.versus.sheet import Versus, scope
from pitbook.sheets.family_registry import Checks, Family
from pitbook.sheets.largest_payout import Exposure

if TYPE_CHECKING:
    from pitbook.rules.game import Game
    from pitbook.sheets.prose import RuleText


def checks() -> Checks:
    """Sheet checks of the family."""
    from pitbook.rules.families.versus.checks import CHECKS  # noqa: PLC0415  Few who load sheets check them.

    return CHECKS


def rule_texts(sheet: Versus) -> Iterator[RuleText]:
    """The family's rules in sentences."""
    from pitbook.rules.families.versus import prose  # noqa: PLC0415  Few who load sheets print them.

    return prose.rule_texts(sheet)


def main_table(sheet: Versus) -> tuple[str, str]:
    """The main pay table's title and subject."""
    from pitbook.rules.families.versus import prose  # noqa: PLC0415

    return prose.main_table(sheet)


def exposure(sheet: Versus) -> Exposure:
    """The largest payout of a round of this sheet."""
    from pitbook.rules.families.versus.largest_payout import exposure  # noqa: PLC0415  Few who load sheets ask.

    return exposure(sheet)


def compile_game(sheet: Versus) -> Game:
    """The sheet as a game."""
    from pitbook.rules.families.versus.game import VersusGame  # noqa: PLC0415  Few who load sheets play them.

    return VersusGame(sheet)


FAMILY = Family(
    "versus",
    Versus,
    scope,
    checks,
    rule_texts,
    main_table,
    exposure,
    compile_game,
)
