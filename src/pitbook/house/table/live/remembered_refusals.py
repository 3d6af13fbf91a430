"""What was refused stays refused: a copy of a request that comes late has the answer of the first.

Refusals are on no record, so each process remembers its own; copies do not outlive it either.
"""

from __future__ import annotations

from collections import OrderedDict

from pitbook.rules.refusals import Refusal

__all__ = ["Noes"]

KEPT = 500  # Whoever has waited longer has long been answered.


class Noes:
    """The last refusals of a table, by the id and the body of what was asked."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[str, str | None], Refusal] = OrderedDict()

    def said(self, request: str | None, body: str | None) -> Refusal | None:
        """The no that a request had before."""
        return None if request is None else self._kept.get((request, body))

    def keep(self, request: str | None, body: str | None, refusal: Refusal) -> Refusal:
        """Remember it, and forget the oldest."""
        if request is not None:
            self._kept[request, body] = refusal
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return refusal
