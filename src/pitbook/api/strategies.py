"""Advice for a spot and strategies over all spots: `pitbook advise` and `pitbook strategy`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from pitbook.api.answers import Answer, PictureFile, drawn
from pitbook.api.arguments import (
    CardsGiven,
    Sides,
    SomeSheet,
    ante_of,
    bets_of,
    cards_of,
    sheet_of,
    sides_of,
    text_of,
)
from pitbook.errors import PitbookError
from pitbook.money import Cents
from pitbook.rules.game import compile_game
from pitbook.rules.plays import bets
from pitbook.sheets.digest import digest
from pitbook.sheets.findings import did_you_mean
from pitbook.sheets.model import Sheet
from pitbook.sheets.values import Entries
from pitbook.text import say

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from rich.console import RenderableType

    from pitbook.exact.methods.method import Advice, SheetStrategy


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


class StrategyRow(NamedTuple):
    """One spot: its street, the antes at stake, the cards, what to do, and what that is worth.

    `bets` tells street by street what is at stake, where a cap makes that matter.
    """

    street: str
    units: int
    bets: str
    cards: str
    play: str
    worth: Fraction
    reached: bool


@dataclass(frozen=True, repr=False)
class GameStrategy(Answer):
    """What a strategy does with which cards, what it is worth, and what simpler ones cost."""

    sheet: str
    hash: str
    name: str
    expected: Fraction
    cost: Fraction
    rows: tuple[StrategyRow, ...]
    _rules: Sheet
    _ante: Cents | None
    _street: str | None
    _followed: SheetStrategy = field(compare=False)

    @property
    def house_edge(self) -> Fraction:
        """Expected loss over the ante or the Bet."""
        return -self.expected

    @cached_property
    def simpler(self) -> Entries[str, Fraction]:
        """What every named strategy costs a round against the best."""
        from pitbook.exact.strategies import simpler_strategies  # noqa: PLC0415

        return Entries(simpler_strategies(self._rules, self._ante))

    def records(self) -> list[dict[str, Any]]:
        """The rows as plain dicts, values as floats: what a data frame is made of."""
        return [{**row._asdict(), "worth": float(row.worth)} for row in self.rows]

    def document(self) -> dict[str, Any]:
        """What `pitbook strategy --json` answers."""
        from pitbook.cli.strategy import spots_of  # noqa: PLC0415

        return {**self._told, "streets": list(spots_of(self._followed, self._street))}

    def plot(self, file: PictureFile = None) -> Figure | Path:
        """The first decision at a glance: in a .svg or .png file, or as a Figure."""
        from pitbook.exact.plots import grid_plot  # noqa: PLC0415  It brings matplotlib.

        return drawn(lambda: grid_plot(self._rules, self._followed), file)

    @property
    def _told(self) -> dict[str, Any]:
        from pitbook.cli.strategy import document_of  # noqa: PLC0415

        best = self.expected + self.cost
        return document_of(self._rules, self._followed, best, dict(self.simpler), self._ante)

    def _parts(self) -> Iterable[RenderableType]:
        from pitbook.cli.strategy_tables import parts  # noqa: PLC0415  It brings Rich.

        return parts(self._rules, self._followed, self._told, self._street)

    def __repr__(self) -> str:
        edge, many = f"{float(self.house_edge):.4%}", f"{len(self.rows):,}"
        return f"<strategy {self.name} of {self.sheet}: house edge {edge}, {many} spots>"


def strategy(
    sheet: SomeSheet, name: str = "best", *, ante: str | None = None, street: str | None = None
) -> GameStrategy:
    """Best play, a simpler one ("never-3x") or a rule file's, as `pitbook strategy` gives it.

    >>> simple = strategy("catfish-bend/mississippi-stud", "never-3x", street="flop")
    >>> f"{float(simple.cost):.4f}", len(simple.rows)
    ('0.3378', 169)
    """
    from pitbook.cli.strategy import checked  # noqa: PLC0415  It brings NumPy.
    from pitbook.exact.strategies import follow  # noqa: PLC0415

    rules, at = sheet_of(sheet), ante_of(ante)
    checked(rules, at, street)
    followed, best = follow(rules, text_of(name, "name"), at), follow(rules, "best", at)
    return GameStrategy(
        rules.id,
        digest(rules),
        followed.name,
        followed.expected,
        best.expected - followed.expected,
        tuple(_rows(followed, street)),
        rules,
        at,
        street,
        followed,
    )


def _rows(followed: SheetStrategy, only: str | None) -> Iterator[StrategyRow]:
    from pitbook.exact.methods.ladder.strategies import LadderStrategy, class_name  # noqa: PLC0415
    from pitbook.exact.methods.plain.method import PlainStrategy  # noqa: PLC0415
    from pitbook.exact.methods.points.strategies import PointsStrategy, hand_name  # noqa: PLC0415

    if isinstance(followed, PointsStrategy):
        (stage,) = compile_game(followed.solution.sheet).stages
        for one in followed.solution.spots:
            play = followed.plays[one.ranks]
            held = hand_name(one.ranks)
            yield StrategyRow(stage.id, 1, "", held, play, one.worth[play], reached=True)
    elif isinstance(followed, PlainStrategy):
        for met in followed.entries():
            if only in (None, met.street):
                yield StrategyRow(
                    met.street, met.units, "", met.cards, met.play, met.worth, reached=True
                )
    if not isinstance(followed, LadderStrategy):
        return
    terms = followed.solution.terms
    stages = compile_game(terms.sheet).stages
    for number, stage in enumerate(stages):
        for purse in followed.purses(number) if only in (None, stage.id) else ():
            made = [bets(one.id, times) for one, times in zip(stages, purse, strict=False)]
            told = ",".join(made) if terms.keeps_bets_apart else ""
            for spot in followed.spots(number, purse):
                held, units = class_name(spot.hand), terms.units(purse)
                yield StrategyRow(stage.id, units, told, held, spot.play, spot.worth, spot.reached)
