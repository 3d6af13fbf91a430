"""Street-stud: Mississippi Stud, Louisiana Stud and other games with a bet before each street."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pitbook.rules.families.street_stud import prose
from pitbook.rules.families.street_stud.sheet import StreetStud, scope
from pitbook.sheets.exposure import Exposure
from pitbook.sheets.families import Checks, Family

if TYPE_CHECKING:
    from pitbook.rules.game import Game


def checks() -> Checks:
    """Sheet checks of the family."""
    from pitbook.rules.families.street_stud.checks import CHECKS  # noqa: PLC0415  Few who load sheets check them.

    return CHECKS


def exposure(sheet: StreetStud) -> Exposure:
    """The largest payout of a round of this sheet."""
    from pitbook.rules.families.street_stud.exposure import exposure  # noqa: PLC0415  It brings NumPy.

    return exposure(sheet)


def compile_game(sheet: StreetStud) -> Game:
    """The sheet as a game."""
    from pitbook.rules.families.street_stud.compile import StreetStudGame  # noqa: PLC0415  Few who load sheets play them.

    return StreetStudGame(sheet)


FAMILY = Family(
    "street-stud",
    StreetStud,
    scope,
    checks,
    prose.rule_texts,
    prose.main_table,
    exposure,
    compile_game,
)
