"""What every play in a spot is worth: the answer of `pitbook advise`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from pitbook.api.arguments import (
    CardsGiven,
    Sides,
    SomeSheet,
    ante_of,
    bets_of,
    cards_of,
    sheet_of,
    sides_of,
)
from pitbook.api.shown import Answer
from pitbook.errors import PitbookError
from pitbook.money import Cents
from pitbook.sheets.digest import digest
from pitbook.sheets.entries import Entries
from pitbook.sheets.findings import did_you_mean
from pitbook.sheets.model import Sheet
from pitbook.text import say

if TYPE_CHECKING:
    from rich.console import RenderableType

    from pitbook.exact.methods.method import Advice


@dataclass(frozen=True, repr=False)
class SpotAdvice(Answer):
    """The value of every legal play in antes (or Bets), the best one, and why."""

    sheet: str
    hash: str
    actions: Entries[str, Fraction]
    best: str
    why: str
    _rules: Sheet
    _advice: Advice = field(compare=False)
    _ante: Cents | None

    @property
    def value(self) -> Fraction:
        """What the best play is worth."""
        return self.actions[self.best]

    def cost(self, play: str) -> Fraction:
        """What a play gives away against the best."""
        if play not in self.actions:
            raise PitbookError(
                say("api.no-play", play=play, remedy=did_you_mean(play, self.actions))
            )
        return self.value - self.actions[play]

    def document(self) -> dict[str, Any]:
        """What `pitbook advise --json` answers."""
        return {"sheet": self.sheet, **self._advice.document()}

    def _parts(self) -> Iterable[RenderableType]:
        from pitbook.cli.advise import parts  # noqa: PLC0415  It brings Rich.

        return parts(self._rules, self._advice, self._ante)

    def __repr__(self) -> str:
        worth = ", ".join(f"{play} {float(one):+.4f}" for play, one in self.actions.items())
        return f"<advice: {self.best}; {worth}>"


def advice(
    sheet: SomeSheet,
    cards: CardsGiven,
    community: CardsGiven = "",
    *,
    bets: str | Sequence[str] = "",
    ante: str | None = None,
    side: Sides = None,
    dead: CardsGiven = "",
    purse: str | None = None,
) -> SpotAdvice:
    """The exact value of every play in a spot, as `pitbook advise` gives it.

    A `purse` is what the player has left beside the wagers made; it needs an ante in dollars.

    >>> spot = advice("catfish-bend/mississippi-stud", "6h5h", "7h", bets="1x")
    >>> spot.best, str(spot.cost("1x"))
    ('3x', '17/196')
    """
    from pitbook.exact.advice import advise  # noqa: PLC0415  It brings NumPy.
    from pitbook.exact.spots import ante_or_minimum  # noqa: PLC0415

    rules, sides = sheet_of(sheet), sides_of(side)
    at = ante_or_minimum(rules, ante_of(ante), sides)
    found = advise(
        rules,
        cards_of(cards, "cards"),
        cards_of(community, "community"),
        bets_of(bets),
        ante=at,
        side=sides,
        dead=cards_of(dead, "dead"),
        purse=ante_of(purse, "purse"),
    )
    return SpotAdvice(
        rules.id,
        digest(rules),
        Entries({str(play): worth for play, worth in found.actions.items()}),
        found.best,
        found.why,
        rules,
        found,
        at,
    )
