"""Exact figures of a sheet and comparisons of two sheets: `pitbook math` and `pitbook compare`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from pitbook.api.answers import Answer, PictureFile, drawn
from pitbook.api.arguments import Sides, SomeSheet, ante_of, sheet_of, sides_of, text_of, whole
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
    """Rounds that end alike; `units` and `net` are in units of the wager."""

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
    cost: Fraction | None = None  # Against best play, where another strategy is followed.

    @property
    def house_edge(self) -> Fraction:
        """Expected loss over the ante, the Bet or the side wager."""
        return -self.expected

    @property
    def element_of_risk(self) -> Fraction:
        """Expected loss over all that is wagered."""
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
    _told: dict[str, Any] = field(compare=False)
    _drawn: dict[str, Any] = field(compare=False)

    @property
    def house_edge(self) -> Fraction:
        """The main game's, or that of the one wager that was asked for."""
        return self[self._first].house_edge

    @property
    def expected(self) -> Fraction:
        """The main game's, or that of the one wager that was asked for."""
        return self[self._first].expected

    def __getitem__(self, wager: str) -> WagerFigures:
        return self.wagers[_known(wager, self.wagers)]

    def document(self) -> dict[str, Any]:
        """What `pitbook math --json` answers."""
        return deepcopy(self._told)

    def plot(
        self, file: PictureFile = None, *, kind: PictureKind = "outcomes", wager: str | None = None
    ) -> Figure | Path:
        """Outcomes, the starting grid, or the edge against the ante: in a file, or as a Figure."""
        from pitbook.cli.plots import PictureKind as Kinds  # noqa: PLC0415  As the command draws it.
        from pitbook.cli.plots import figure_of  # noqa: PLC0415

        shown = Kinds(_known(kind, [one.value for one in Kinds], "plot"))
        chosen = _known(wager or self._first, ("main", *self._rules.side))
        if shown is Kinds.EDGE and self._drawn["strategy"] != "best":
            raise PitbookError(say("cli.plots.best-play-only"))
        asked = self._drawn if chosen == "main" else {**self._drawn, "main": None}
        return drawn(lambda: figure_of(self._rules, shown, wager=chosen, **asked), file)

    @property
    def _first(self) -> str:
        return next(iter(self.wagers))

    def _parts(self) -> Iterable[RenderableType]:
        from pitbook.cli.math import parts  # noqa: PLC0415  It brings Rich.

        return parts(self._rules, self._told)

    def __repr__(self) -> str:
        edges = (f"{name} {float(one.house_edge):.4%}" for name, one in self.wagers.items())
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
    from pitbook.cli.math import figures_of  # noqa: PLC0415  It brings NumPy.
    from pitbook.exact.spots import ante_or_minimum  # noqa: PLC0415  It brings NumPy.

    rules, sides = sheet_of(sheet), sides_of(side)
    at = ante_or_minimum(rules, ante_of(ante), sides)
    play = text_of(strategy, "strategy")
    told, main = figures_of(
        rules, play, ante=at, wager=wager, side=sides, seats=whole(seats, "seats")
    )
    wagers = {name: _wager(one) for name, one in told["wagers"].items()}
    return GameFigures(
        sheet=told["sheet"],
        hash=told["hash"],
        assumptions=freeze(told["assumptions"]),
        wagers=Entries(wagers),
        round=_wager(told["round"]) if "round" in told else None,
        _rules=rules,
        _told=told,
        _drawn={"ante": at, "strategy": play, "main": main},
    )


def _known(given: str, known: Iterable[str], what: str = "wager") -> str:
    names = list(known)
    if given not in names:
        told = {"what": what, "given": given, "remedy": did_you_mean(str(given), names)}
        raise PitbookError(say("api.none-such", **told))
    return given


def _wager(told: Mapping[str, Any]) -> WagerFigures:
    same = ("standard_deviation", "volatility_index", "win", "push", "lose", "rounds")
    return WagerFigures(
        expected=Fraction(told["expected"]),
        average_wager=Fraction(told["average_wager"]),
        variance=Fraction(told["variance"]),
        outcomes=tuple(_outcome(one) for one in told["outcomes"]),
        fold_rate=Entries(told.get("fold_rate", {})),
        cost=Fraction(told["cost"]) if "cost" in told else None,
        **{name: told[name] for name in same},
    )


def _outcome(told: Mapping[str, Any]) -> OutcomeRow:
    exact = {name: Fraction(told[name]) for name in ("units", "net", "probability", "contribution")}
    return OutcomeRow(outcome=told["outcome"], result=told["result"], count=told["count"], **exact)


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
