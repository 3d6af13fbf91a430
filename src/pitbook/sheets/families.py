"""The registry of game families; each provides a fixed set of functions.

No module here or below names a family. `pitbook.rules.families` registers the bundled ones.
Another
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
Idle = tuple[str, str, str]  # A field's dotted path, why it has no effect, its clause.


@dataclass(frozen=True)
class Checks:
    """The checks of one family's sheets."""

    structure: Callable[[Any], Iterator[Finding]]
    names: Callable[[Any], Iterator[Finding]]
    fits: Callable[[Any], Iterator[Finding]]
    idle: Callable[[Any], Iterator[Idle]]
    why_never: Callable[[Any, str, str], str | None]  # Why no cards make a line of a wager.
    is_play: Callable[[str], bool]  # Whether a word is a play at a decision.


@dataclass(frozen=True)
class Family:
    """A family of games: its sheet model and its functions."""

    name: str
    sheet: type[Sheet]
    scope: Callable[[Any, str], Scope | None]  # The outcomes that a wager's pay table may list.
    checks: Callable[[], Checks]  # Loaded on the first check.
    rule_texts: Callable[[Any], Iterator[RuleText]]
    main_table: Callable[[Any], tuple[str, str]]  # The main pay table's title and subject.
    exposure: Callable[[Any], Exposure]
    compile: Callable[[Any], Any]  # The sheet as a game: pitbook.rules.game.Game.


_FAMILIES: dict[str, Family] = {}


def register(family: Family) -> None:
    """Register a family, after checking that its sheets provide every required attribute."""
    missing = [
        attribute
        for attribute in sorted(Sheet.__class_vars__)
        if not hasattr(family.sheet, attribute)
    ]
    if missing := [*missing, *sorted(family.sheet.__abstractmethods__)]:
        raise ValueError(f'sheets of the family "{family.name}" do not say {", ".join(missing)}')
    if (literals := get_args(family.sheet.model_fields["family"].annotation)) != (family.name,):
        names_text = " or ".join(map(repr, literals)) or "any text"
        raise ValueError(f'the family "{family.name}" has sheets whose family is {names_text}')
    if _FAMILIES.setdefault(family.name, family) is not family:
        raise ValueError(f'there is a family "{family.name}" already')


def known_families() -> dict[str, Family]:
    """Every family by name, bundled ones first."""
    _load_families()
    return _FAMILIES


def models() -> dict[str, type[Sheet]]:
    """The sheet model of every family, by the family's name."""
    return {name: family.sheet for name, family in known_families().items()}


def find_family(name: str) -> Family | None:
    """The family with that name, if any."""
    return known_families().get(name)


def family_of(sheet: Sheet) -> Family:
    return known_families()[sheet.family]


@cache
def _load_families() -> None:
    import_module("pitbook.rules.families")
    for point in entry_points(group=GROUP):
        try:
            register(point.load())
        except Exception as error:  # Third-party packages may raise anything.
            values = {"family": point.name, "of": point.value, "why": str(error)}
            raise SheetError(say("sheets.family-broken", **values)) from error
