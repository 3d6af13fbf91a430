"""A player's name: one rule for cage, door and seat, told before anybody pays under it."""

from __future__ import annotations

from pitbook.engine.refusals import Code, Refusal
from pitbook.sheets.findings import printable
from pitbook.table.seating import NAME_MAX

__all__ = ["NAME_MAX", "NAME_RULE", "nobody"]

NAME_RULE = f"a player's name is printable text of at most {NAME_MAX} characters, without a slash"


def nobody(name: str) -> Refusal | None:
    """Why nobody can play under a name; a live table would not seat them, or mix them up."""
    fits = 0 < len(name) <= NAME_MAX and name.isprintable() and name == name.strip()
    if fits and "/" not in name:
        return None
    return Refusal(Code.FORBIDDEN, f'"{printable(name[:NAME_MAX])}" is no name; {NAME_RULE}')
