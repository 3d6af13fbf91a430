"""Answers about clauses, made once for the sheets that they are about: reading aloud takes time."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence

from pitbook.sheets.model import Sheet

KEPT_MAX = 1_000


class ToldClauses:
    """The last answers, each good for as long as the shelf gives out the very same sheets."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[str, str], tuple[Sequence[Sheet], str]] = OrderedDict()

    def of(self, clause: str, asked: str, sheets: Sequence[Sheet], made: Callable[[], str]) -> str:
        """The answer as JSON; what `made` raises is raised, and not kept."""
        key = (clause.strip().upper(), asked)
        known, text = self._kept.get(key, ((), ""))
        if not text or not _are_same(known, sheets):
            text = made()
            self._kept[key] = (sheets, text)
            if len(self._kept) > KEPT_MAX:
                self._kept.popitem(last=False)
        self._kept.move_to_end(key)
        return text


def _are_same(known: Sequence[Sheet], sheets: Sequence[Sheet]) -> bool:
    alike = zip(known, sheets, strict=False)
    return len(known) == len(sheets) and all(one is other for one, other in alike)
