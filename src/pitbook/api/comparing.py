"""Two sheets side by side: the answer of `pitbook compare`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pitbook.api.arguments import SomeSheet, ante_of, sheet_of
from pitbook.api.shown import Answer
from pitbook.errors import PitbookError
from pitbook.money import Cents
from pitbook.sheets.digest import digest
from pitbook.sheets.findings import did_you_mean
from pitbook.sheets.model import Sheet
from pitbook.text import say

if TYPE_CHECKING:
    from rich.console import RenderableType

    from pitbook.exact.compare import WagerComparison


@dataclass(frozen=True, repr=False)
class Comparison(Answer):
    """Every wager of two sheets with both edges, and what each difference is worth."""

    a: str
    b: str
    hashes: tuple[str, str]
    wagers: tuple[WagerComparison, ...]
    _a: Sheet
    _b: Sheet
    _ante: Cents | None

    def __getitem__(self, wager: str) -> WagerComparison:
        found = {one.wager: one for one in self.wagers}
        if wager not in found:
            raise PitbookError(say("api.no-wager", wager=wager, remedy=did_you_mean(wager, found)))
        return found[wager]

    def document(self) -> dict[str, Any]:
        """What `pitbook compare --json` answers."""
        from pitbook.cli.compare import document_of  # noqa: PLC0415

        return document_of(self._a, self._b, self._ante, list(self.wagers))

    def _parts(self) -> Iterable[RenderableType]:
        from pitbook.cli.compare import parts  # noqa: PLC0415  It brings Rich.

        return parts(self._a, self._b, self._ante, list(self.wagers))

    def _game(self) -> Sheet:
        return self._a

    def __repr__(self) -> str:
        both = (one for one in self.wagers if one.together is not None)
        told = (f"{one.wager} {float(one.together or 0) * 100:+.4f} points" for one in both)
        a, b = (one[:8] for one in self.hashes)
        return f"<{self.b} {b} against {self.a} {a}: {', '.join(told)}>"


def compare(a: SomeSheet, b: SomeSheet, *, ante: str | None = None) -> Comparison:
    """What the differences of two sheets are worth in house edge, as `pitbook compare` tells it.

    >>> compared = compare("catfish-bend/mississippi-stud", "oceanfront/mississippi-stud")
    >>> f"{float(compared['main'].together):.4%}"
    '4.3267%'
    """
    from pitbook.cli.compare import checked  # noqa: PLC0415  It brings NumPy.
    from pitbook.exact.compare import compare as compared  # noqa: PLC0415

    first, second, at = sheet_of(a), sheet_of(b), ante_of(ante)
    for one in (first, second):
        checked(one, at)
    found = compared(first, second, at)
    hashes = (digest(first), digest(second))
    return Comparison(first.id, second.id, hashes, tuple(found), first, second, at)
