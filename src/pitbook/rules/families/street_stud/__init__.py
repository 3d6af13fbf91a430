"""Street-stud: Mississippi Stud, Louisiana Stud and other games with a bet before each street."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from pitbook.rules.families.street_stud.sheet import StreetStud, scope
from pitbook.sheets.family_registry import Checks, Family
from pitbook.sheets.largest_payout import Exposure

if TYPE_CHECKING:
    from pitbook.rules.game import Game
    from pitbook.sheets.prose import RuleText


def checks() -> Checks:
    """Sheet checks of the family."""
    from pitbook.rules.families.street_stud.checks import CHECKS  # noqa: PLC0415  Few who load sheets check them.

    return CHECKS


def rule_texts(sheet: StreetStud) -> Iterator[RuleText]:
    """The family's rules in sentences."""
    from pitbook.rules.families.street_stud import prose  # noqa: PLC0415  Few who load sheets print them.

    return prose.rule_texts(sheet)


def main_table(sheet: StreetStud) -> tuple[str, str]:
    """The main pay table's title and subject."""
    from pitbook.rules.families.street_stud import prose  # noqa: PLC0415

    return prose.main_table(sheet)


def exposure(sheet: StreetStud) -> Exposure:
    """The largest payout of a round of this sheet."""
    from pitbook.rules.families.street_stud.largest_payout import exposure  # noqa: PLC0415  Imports NumPy.

    return exposure(sheet)


def compile_game(sheet: StreetStud) -> Game:
    """The sheet as a game."""
    from pitbook.rules.families.street_stud.game import StreetStudGame  # noqa: PLC0415  Few who load sheets play them.

    return StreetStudGame(sheet)


FAMILY = Family(
    "street-stud",
    StreetStud,
    scope,
    checks,
    rule_texts,
    main_table,
    exposure,
    compile_game,
)
