"""The families of games, by the name a sheet gives; a new game of a family needs no line here."""

from __future__ import annotations

from typing import TypeAlias

from pitbook.sheets.hi_lo import HiLo
from pitbook.sheets.street_stud import StreetStud

Sheet: TypeAlias = StreetStud | HiLo

FAMILIES: dict[str, type[StreetStud] | type[HiLo]] = {"street-stud": StreetStud, "hi-lo": HiLo}
