"""Exact figures of a sheet and comparisons of two sheets: `pitbook math` and `pitbook compare`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from pitbook.api.answers import Answer, PictureFile, save_plot
from pitbook.api.arguments import Sides, SomeSheet, ante_of, integer_of, sheet_of, sides_of, text_of
from pitbook.errors import PitbookError
from pitbook.money import Cents
from pitbook.sheets.digest import digest
from pitbook.sheets.findings import did_you_mean
from pitbook.sheets.model import Sheet
from pitbook.sheets.values import Entries, freeze
from pitbook.text import say

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from rich.console import RenderableType

    from pitbook.exact.compare import WagerComparison


PictureKind: TypeAlias = Literal["outcomes", "grid", "edge"]


@dataclass(frozen=True, slots=True)
class OutcomeRow:
    """An outcome; `units` and `net` are in units of the wager."""

    outcome: str
    units: Fraction
    result: str
    net: Fraction
    count: int
    probability: Fraction
    contribution: Fraction


@dataclass(frozen=True)
class WagerFigures:
    """The figures of one wager, or of a whole round, in units of the wager or the ante."""

    expected: Fraction
    average_wager: Fraction
    variance: Fraction
    standard_deviation: float
    volatility_index: float
    win: float
    push: float
    lose: float
    rounds: int
    outcomes: tuple[OutcomeRow, ...] = field(repr=False)
    fold_rate: Entries[str, float]
    cost: Fraction | None = None  # Against best play, if another strategy is used.

    @property
    def house_edge(self) -> Fraction:
        """Expected loss over the ante, the Bet or the side wager."""
        return -self.expected

    @property
    def element_of_risk(self) -> Fraction:
        """Expected loss divided by the average total bet."""
        return self.house_edge / self.average_wager

    @property
    def hit_frequency(self) -> float:
        """The share of rounds with a net win; a push does not count."""
        return self.win


@dataclass(frozen=True, repr=False)
class GameFigures(Answer):
    """The figures of a sheet, wager by wager; `figures["main"]` is one of them."""

    sheet: str
    hash: str
    assumptions: Entries[str, Any]
    wagers: Entries[str, WagerFigures]
    round: WagerFigures | None
    _rules: Sheet
    _document: dict[str, Any] = field(compare=False)
    _plot_options: dict[str, Any] = field(compare=False)

    @property
    def house_edge(self) -> Fraction:
        """House edge of the main game, or of the only wager requested."""
        return self[self._first_wager].house_edge

    @property
    def expected(self) -> Fraction:
        """Expected value of the main game, or of the only wager requested."""
        return self[self._first_wager].expected

    def __getitem__(self, wager: str) -> WagerFigures:
        return self.wagers[_require_known(wager, self.wagers)]

    def document(self) -> dict[str, Any]:
        """The result of `pitbook math --json`."""
        return deepcopy(self._document)

    def plot(
        self, file: PictureFile = None, *, kind: PictureKind = "outcomes", wager: str | None = None
    ) -> Figure | Path:
        """Plot outcomes, the starting grid, or the edge against the ante; returns a file or a
        Figure.
        """
        from pitbook.cli.plots import PictureKind as Kinds  # noqa: PLC0415  Shared with the command.
        from pitbook.cli.plots import figure_of  # noqa: PLC0415

        plot_kind = Kinds(_require_known(kind, [member.value for member in Kinds], "plot"))
        chosen = _require_known(wager or self._first_wager, ("main", *self._rules.side))
        if plot_kind is Kinds.EDGE and self._plot_options["strategy"] != "best":
            raise PitbookError(say("cli.plots.best-play-only"))
        options = self._plot_options if chosen == "main" else {**self._plot_options, "main": None}
        return save_plot(lambda: figure_of(self._rules, plot_kind, wager=chosen, **options), file)

    @property
    def _first_wager(self) -> str:
        return next(iter(self.wagers))

    def _parts(self) -> Iterable[RenderableType]:
        from pitbook.cli.math import answer_parts  # noqa: PLC0415  Imports Rich.

        return answer_parts(self._rules, self._document)

    def __repr__(self) -> str:
        edges = (
            f"{name} {float(wager_figures.house_edge):.4%}"
            for name, wager_figures in self.wagers.items()
        )
        return f"<figures of {self.sheet} {self.hash[:8]}: house edge {', '.join(edges)}>"


def figures(
    sheet: SomeSheet,
    *,
    ante: str | None = None,
    wager: str | None = None,
    side: Sides = None,
    seats: int = 1,
    strategy: str = "best",
) -> GameFigures:
    """The exact figures of every wager of a sheet, as `pitbook math` gives them.

    With an ante in dollars every cap applies at that stake. `side` adds the whole round.

    >>> figures("catfish-bend/mississippi-stud").house_edge
    Fraction(53223, 1082900)
    """
    from pitbook.cli.math import figures_of  # noqa: PLC0415  Imports NumPy.
    from pitbook.exact.spots import ante_or_minimum  # noqa: PLC0415  Imports NumPy.

    rules, sides = sheet_of(sheet), sides_of(side)
    ante_cents = ante_or_minimum(rules, ante_of(ante), sides)
    play = text_of(strategy, "strategy")
    document, main = figures_of(
        rules, play, ante=ante_cents, wager=wager, side=sides, seats=integer_of(seats, "seats")
    )
    wagers = {name: _wager(wager_document) for name, wager_document in document["wagers"].items()}
    return GameFigures(
        sheet=document["sheet"],
        hash=document["hash"],
        assumptions=freeze(document["assumptions"]),
        wagers=Entries(wagers),
        round=_wager(document["round"]) if "round" in document else None,
        _rules=rules,
        _document=document,
        _plot_options={"ante": ante_cents, "strategy": play, "main": main},
    )


def _require_known(given: str, allowed: Iterable[str], what: str = "wager") -> str:
    names = list(allowed)
    if given not in names:
        details = {"what": what, "given": given, "remedy": did_you_mean(str(given), names)}
        raise PitbookError(say("api.none-such", **details))
    return given


def _wager(document: Mapping[str, Any]) -> WagerFigures:
    plain_fields = ("standard_deviation", "volatility_index", "win", "push", "lose", "rounds")
    return WagerFigures(
        expected=Fraction(document["expected"]),
        average_wager=Fraction(document["average_wager"]),
        variance=Fraction(document["variance"]),
        outcomes=tuple(_outcome(outcome) for outcome in document["outcomes"]),
        fold_rate=Entries(document.get("fold_rate", {})),
        cost=Fraction(document["cost"]) if "cost" in document else None,
        **{name: document[name] for name in plain_fields},
    )


def _outcome(document: Mapping[str, Any]) -> OutcomeRow:
    exact = {
        name: Fraction(document[name]) for name in ("units", "net", "probability", "contribution")
    }
    return OutcomeRow(
        outcome=document["outcome"], result=document["result"], count=document["count"], **exact
    )


@dataclass(frozen=True, repr=False)
class Comparison(Answer):
    """Every wager of two sheets with both edges, and the effect of each difference."""

    a: str
    b: str
    hashes: tuple[str, str]
    wagers: tuple[WagerComparison, ...]
    _a: Sheet
    _b: Sheet
    _ante: Cents | None

    def __getitem__(self, wager: str) -> WagerComparison:
        by_wager = {comparison.wager: comparison for comparison in self.wagers}
        if wager not in by_wager:
            raise PitbookError(
                say("api.no-wager", wager=wager, remedy=did_you_mean(wager, by_wager))
            )
        return by_wager[wager]

    def document(self) -> dict[str, Any]:
        """The result of `pitbook compare --json`."""
        from pitbook.cli.compare import document_of  # noqa: PLC0415

        return document_of(self._a, self._b, self._ante, list(self.wagers))

    def _parts(self) -> Iterable[RenderableType]:
        from pitbook.cli.compare import answer_parts  # noqa: PLC0415  Imports Rich.

        return answer_parts(self._a, self._b, self._ante, list(self.wagers))

    def _currency_sheet(self) -> Sheet:
        return self._a

    def __repr__(self) -> str:
        both = (comparison for comparison in self.wagers if comparison.difference is not None)
        changes = (
            f"{comparison.wager} {float(comparison.difference or 0) * 100:+.4f} points"
            for comparison in both
        )
        a, b = (full_hash[:8] for full_hash in self.hashes)
        return f"<{self.b} {b} against {self.a} {a}: {', '.join(changes)}>"


def compare(a: SomeSheet, b: SomeSheet, *, ante: str | None = None) -> Comparison:
    """The effect of each difference between two sheets on the house edge, as in `pitbook compare`.

    >>> compared = compare("catfish-bend/mississippi-stud", "oceanfront/mississippi-stud")
    >>> f"{float(compared['main'].difference):.4%}"
    '4.3267%'
    """
    from pitbook.cli.compare import require_valid_ante  # noqa: PLC0415  Imports NumPy.
    from pitbook.exact.compare import compare as compare_sheets  # noqa: PLC0415

    first, second, ante_cents = sheet_of(a), sheet_of(b), ante_of(ante)
    for compared_sheet in (first, second):
        require_valid_ante(compared_sheet, ante_cents)
    comparisons = compare_sheets(first, second, ante_cents)
    hashes = (digest(first), digest(second))
    return Comparison(first.id, second.id, hashes, tuple(comparisons), first, second, ante_cents)
