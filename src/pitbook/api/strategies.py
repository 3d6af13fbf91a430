"""Advice for a spot and strategies over all spots: `pitbook advise` and `pitbook strategy`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from pitbook.api.answers import Answer, PictureFile, save_plot
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
from pitbook.rules.actions import bets
from pitbook.rules.game import compile_game
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
    """The EV of every legal play in antes (or Bets), the best play, and the reason."""

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
        """EV of the best play."""
        return self.actions[self.best]

    def cost(self, play: str) -> Fraction:
        """Cost of a play against the best one."""
        if play not in self.actions:
            raise PitbookError(
                say("api.no-play", play=play, remedy=did_you_mean(play, self.actions))
            )
        return self.value - self.actions[play]

    def document(self) -> dict[str, Any]:
        """The result of `pitbook advise --json`."""
        return {"sheet": self.sheet, **self._advice.document()}

    def _parts(self) -> Iterable[RenderableType]:
        from pitbook.cli.advise import answer_parts  # noqa: PLC0415  Imports Rich.

        return answer_parts(self._rules, self._advice, self._ante)

    def __repr__(self) -> str:
        values = ", ".join(
            f"{play} {float(play_value):+.4f}" for play, play_value in self.actions.items()
        )
        return f"<advice: {self.best}; {values}>"


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
    from pitbook.exact.advice import advise  # noqa: PLC0415  Imports NumPy.
    from pitbook.exact.spots import ante_or_minimum  # noqa: PLC0415

    rules, sides = sheet_of(sheet), sides_of(side)
    ante_cents = ante_or_minimum(rules, ante_of(ante), sides)
    spot_advice = advise(
        rules,
        cards_of(cards, "cards"),
        cards_of(community, "community"),
        bets_of(bets),
        ante=ante_cents,
        side=sides,
        dead=cards_of(dead, "dead"),
        purse=ante_of(purse, "purse"),
    )
    return SpotAdvice(
        rules.id,
        digest(rules),
        Entries({str(play): worth for play, worth in spot_advice.actions.items()}),
        spot_advice.best,
        spot_advice.why,
        rules,
        spot_advice,
        ante_cents,
    )


class StrategyRow(NamedTuple):
    """One spot: its street, the antes at stake, the cards, the play and its EV.

    `bets` lists the stakes by street if a payout limit makes them matter.
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
    """The plays of a strategy, its EV, and the cost of simpler strategies."""

    sheet: str
    hash: str
    name: str
    expected: Fraction
    cost: Fraction
    rows: tuple[StrategyRow, ...]
    _rules: Sheet
    _ante: Cents | None
    _street: str | None
    _strategy: SheetStrategy = field(compare=False)

    @property
    def house_edge(self) -> Fraction:
        """Expected loss over the ante or the Bet."""
        return -self.expected

    @cached_property
    def simpler(self) -> Entries[str, Fraction]:
        """Cost per round of every named strategy against the best."""
        from pitbook.exact.strategies import simpler_strategies  # noqa: PLC0415

        return Entries(simpler_strategies(self._rules, self._ante))

    def records(self) -> list[dict[str, Any]]:
        """The rows as plain dicts with floats, for a data frame."""
        return [{**row._asdict(), "worth": float(row.worth)} for row in self.rows]

    def document(self) -> dict[str, Any]:
        """The result of `pitbook strategy --json`."""
        from pitbook.cli.strategy import spots_of  # noqa: PLC0415

        return {**self._document, "streets": list(spots_of(self._strategy, self._street))}

    def plot(self, file: PictureFile = None) -> Figure | Path:
        """The starting grid, as a .svg, .png or .pdf file or as a Figure."""
        from pitbook.exact.plots import grid_plot  # noqa: PLC0415  Imports matplotlib.

        return save_plot(lambda: grid_plot(self._rules, self._strategy), file)

    @property
    def _document(self) -> dict[str, Any]:
        from pitbook.cli.strategy import document_of  # noqa: PLC0415

        best = self.expected + self.cost
        return document_of(self._rules, self._strategy, best, dict(self.simpler), self._ante)

    def _parts(self) -> Iterable[RenderableType]:
        from pitbook.cli.strategy_tables import answer_parts  # noqa: PLC0415  Imports Rich.

        return answer_parts(self._rules, self._strategy, self._document, self._street)

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
    from pitbook.cli.strategy import require_valid  # noqa: PLC0415  Imports NumPy.
    from pitbook.exact.strategies import follow  # noqa: PLC0415

    rules, ante_cents = sheet_of(sheet), ante_of(ante)
    require_valid(rules, ante_cents, street)
    chosen, best = (
        follow(rules, text_of(name, "name"), ante_cents),
        follow(rules, "best", ante_cents),
    )
    return GameStrategy(
        rules.id,
        digest(rules),
        chosen.name,
        chosen.expected,
        best.expected - chosen.expected,
        tuple(_rows(chosen, street)),
        rules,
        ante_cents,
        street,
        chosen,
    )


def _rows(chosen: SheetStrategy, only: str | None) -> Iterator[StrategyRow]:
    from pitbook.exact.methods.ladder.strategies import LadderStrategy, class_name  # noqa: PLC0415
    from pitbook.exact.methods.plain.method import PlainStrategy  # noqa: PLC0415
    from pitbook.exact.methods.points.strategies import PointsStrategy, hand_name  # noqa: PLC0415

    if isinstance(chosen, PointsStrategy):
        (stage,) = compile_game(chosen.solution.sheet).stages
        for points_spot in chosen.solution.spots:
            play = chosen.plays[points_spot.ranks]
            hand_text = hand_name(points_spot.ranks)
            yield StrategyRow(
                stage.id, 1, "", hand_text, play, points_spot.worth[play], reached=True
            )
    elif isinstance(chosen, PlainStrategy):
        for entry in chosen.entries():
            if only in (None, entry.street):
                yield StrategyRow(
                    entry.street,
                    entry.units,
                    "",
                    entry.cards,
                    entry.play,
                    entry.worth,
                    reached=True,
                )
    if not isinstance(chosen, LadderStrategy):
        return
    terms = chosen.solution.terms
    stages = compile_game(terms.sheet).stages
    for number, stage in enumerate(stages):
        for purse in chosen.purses(number) if only in (None, stage.id) else ():
            bet_names = [bets(stage.id, times) for stage, times in zip(stages, purse, strict=False)]
            bets_text = ",".join(bet_names) if terms.separates_bets else ""
            for spot in chosen.spots(number, purse):
                hand_text, units = class_name(spot.hand), terms.units(purse)
                yield StrategyRow(
                    stage.id, units, bets_text, hand_text, spot.play, spot.worth, spot.reached
                )
