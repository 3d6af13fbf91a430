"""The bundled families, each imported when a sheet needs it.

All have the same modules, and none imports another:

sheet      the rule sheet model of the family
checks     its additional sheet checks
compile    the sheet as a game: places, stages, plays, wagers, `read` and `price`
prose      its rules in sentences
exposure   the largest payout of a round

docs/families.md shows how to add one. Not public; docs/python.md lists the public API.
"""

from __future__ import annotations

from importlib import import_module

from pitbook.sheets.family_registry import Family

FOLDERS = {"street-stud": "street_stud", "hi-lo": "hi_lo", "versus": "versus"}


def load_family(name: str) -> Family:
    """The bundled family of that name."""
    family: Family = import_module(f"{__name__}.{FOLDERS[name]}").FAMILY
    return family
