"""Families as sheets know them: each registers the rooms that the rest of Pitbook asks for.

No module here or below names a family. `pitbook.rules.families` registers the bundled ones. Another
package adds its own as an entry point of the group `pitbook.families`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Any, get_args

from pitbook.errors import SheetError
from pitbook.sheets.model import Sheet
from pitbook.text import say

if TYPE_CHECKING:
    from pitbook.sheets.exposure import Exposure
    from pitbook.sheets.findings import Finding
    from pitbook.sheets.pay_tables import Scope
    from pitbook.sheets.prose.rule_text import RuleText

GROUP = "pitbook.families"
Idle = tuple[str, str, str]  # A field's path with dots, why it decides nothing, its clause.


@dataclass(frozen=True)
class Checks:
    """What a careful reader objects to in sheets of one family."""

    structure: Callable[[Any], Iterator[Finding]]
    names: Callable[[Any], Iterator[Finding]]
    fits: Callable[[Any], Iterator[Finding]]
    idle: Callable[[Any], Iterator[Idle]]
    why_never: Callable[[Any, str, str], str | None]  # Why no cards come to a line of a wager.
    is_play: Callable[[str], bool]  # Whether a word is what a player says at a decision.


@dataclass(frozen=True)
class Family:
    """A family of games: its sheet and its rooms."""

    name: str
    sheet: type[Sheet]
    scope: Callable[[Any, str], Scope | None]  # What the pay table of a wager can speak of.
    checks: Callable[[], Checks]  # Loaded when somebody checks a sheet.
    rule_texts: Callable[[Any], Iterator[RuleText]]
    main_table: Callable[[Any], tuple[str, str]]  # The main pay table's title, and what it is on.
    exposure: Callable[[Any], Exposure]
    compile: Callable[[Any], Any]  # The sheet as a game: pitbook.rules.game.Game.


_KNOWN: dict[str, Family] = {}


def register(family: Family) -> None:
    """Make a family known; sheets name it by its name, and answer every question of a sheet."""
    unsaid = [one for one in sorted(Sheet.__class_vars__) if not hasattr(family.sheet, one)]
    if unsaid := [*unsaid, *sorted(family.sheet.__abstractmethods__)]:
        raise ValueError(f'sheets of the family "{family.name}" do not say {", ".join(unsaid)}')
    if (own := get_args(family.sheet.model_fields["family"].annotation)) != (family.name,):
        named = " or ".join(map(repr, own)) or "any text"
        raise ValueError(f'the family "{family.name}" has sheets whose family is {named}')
    if _KNOWN.setdefault(family.name, family) is not family:
        raise ValueError(f'there is a family "{family.name}" already')


def known_families() -> dict[str, Family]:
    """Every family by its name, those that ship first."""
    _found()
    return _KNOWN


def models() -> dict[str, type[Sheet]]:
    """The sheet of every family, by the family's name."""
    return {name: family.sheet for name, family in known_families().items()}


def find_family(name: str) -> Family | None:
    """The family of that name, if there is one."""
    return known_families().get(name)


def family_of(sheet: Sheet) -> Family:
    """The family of a sheet."""
    return known_families()[sheet.family]


@cache
def _found() -> None:
    import_module("pitbook.rules.families")
    for point in entry_points(group=GROUP):
        try:
            register(point.load())
        except Exception as error:  # Whatever a package of somebody else's raises.
            told = {"family": point.name, "of": point.value, "why": str(error)}
            raise SheetError(say("sheets.family-broken", **told)) from error
