"""A game is what its sheet says: those of equal sheets are equal, whatever was loaded when."""

from __future__ import annotations

from functools import cached_property
from itertools import accumulate
from typing import Any

from pitbook.engine.game import Stage
from pitbook.sheets.digest import digest

__all__ = ["Bound"]


class Bound:
    """A sheet bound to its family's rules, told from others by the sheet's hash."""

    sheet: Any
    stages: tuple[Stage, ...]
    tried: Any = None  # Other pays than the sheet's, where a comparison tries them.

    def __eq__(self, other: object) -> bool:
        return isinstance(other, type(self)) and self._content == other._content

    def __hash__(self) -> int:
        return hash(self._content)

    @cached_property
    def turned_by(self) -> tuple[int, ...]:
        """By stage, how many cards of the board are turned by its end."""
        return tuple(accumulate(stage.reveals for stage in self.stages))

    @cached_property
    def _content(self) -> tuple[str, Any]:
        return digest(self.sheet), self.tried
