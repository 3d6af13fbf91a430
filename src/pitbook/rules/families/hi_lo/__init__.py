"""Hi-lo: Match'em Hi-Lo and similar games, declared low or high against the dealer's two hands."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from pitbook.rules.families.hi_lo.sheet import HiLo, scope
from pitbook.sheets.family_registry import Checks, Family
from pitbook.sheets.largest_payout import exposure_bound

if TYPE_CHECKING:
    from pitbook.rules.game import Game
    from pitbook.sheets.prose import RuleText


def checks() -> Checks:
    """Sheet checks of the family."""
    from pitbook.rules.families.hi_lo.checks import CHECKS  # noqa: PLC0415  Few who load sheets check them.

    return CHECKS


def compile_game(sheet: HiLo) -> Game:
    """The sheet as a game."""
    from pitbook.rules.families.hi_lo.game import HiLoGame  # noqa: PLC0415  Few who load sheets play them.

    return HiLoGame(sheet)


def rule_texts(sheet: HiLo) -> Iterator[RuleText]:
    """The family's rules in sentences."""
    from pitbook.rules.families.hi_lo import prose  # noqa: PLC0415  Few who load sheets print them.

    return prose.rule_texts(sheet)


def main_table(sheet: HiLo) -> tuple[str, str]:
    """The main pay table's title and subject."""
    from pitbook.rules.families.hi_lo import prose  # noqa: PLC0415

    return prose.main_table(sheet)


FAMILY = Family(
    "hi-lo",
    HiLo,
    scope,
    checks,
    rule_texts,
    main_table,
    exposure_bound,
    compile_game,
)
