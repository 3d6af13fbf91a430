"""The exact figures of a sheet: every wager and the whole round; `pitbook.figures`.

NumPy and the methods are imported when something is computed: the figures of a bundled sheet are
stored."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from pitbook.answer_tables import Answer
from pitbook.errors import PitbookError
from pitbook.exact.outcome_figures import Figures, Units, WagerResult
from pitbook.exact.plot_files import PlotFile, save_plot
from pitbook.exact.shipped_figures import precomputed_figures, precomputed_fold_rates
from pitbook.exact.spots import Spot, ante_or_minimum, check_stakes
from pitbook.money import Cents, money
from pitbook.sheets.arguments import (
    Sides,
    SomeSheet,
    ante_of,
    integer_of,
    one_of,
    sheet_of,
    sides_of,
    text_of,
)
from pitbook.sheets.assumptions import describe_pays
from pitbook.sheets.field_types import Entries
from pitbook.sheets.hashes import digest
from pitbook.sheets.model import Sheet
from pitbook.sheets.phrases import figures_shoe_note
from pitbook.text import say
from pitbook.text.catalog import ENGLISH
from pitbook.text.user_input import did_you_mean

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class MathError(PitbookError):
    """A question that the exact figures cannot answer; its text says why."""


def wager_figures(
    sheet: Sheet, wager: str, ante: Cents | None = None, stake: Cents | None = None
) -> Figures:
    """The figures of the main game under best play, or of a side wager."""
    if ante is None and stake is None and (stored := precomputed_figures(sheet, wager)):
        return stored
    from pitbook.exact.methods.choose import choose_method  # noqa: PLC0415  Imports NumPy.
    from pitbook.exact.side_wagers import side_figures  # noqa: PLC0415

    if wager != "main":
        capped_stake = (
            stake if stake is not None else (sheet.side[wager].stake.min if ante else None)
        )
        return side_figures(sheet, wager, capped_stake)
    game, method = choose_method(sheet)
    return method.cached_figures(game, ante)


def fold_rates(sheet: Sheet, ante: Cents | None = None) -> Mapping[str, Fraction] | None:
    """By street, how often best play folds; None if the game has no fold."""
    if ante is None and precomputed_figures(sheet, "main") is not None:
        return precomputed_fold_rates(sheet)
    from pitbook.exact.methods.choose import choose_method  # noqa: PLC0415  Imports NumPy.

    game, method = choose_method(sheet)
    return None if method.fold_rates is None else method.fold_rates(game, ante)


def whole_round(
    sheet: Sheet, ante: Cents | None, side: Mapping[str, Cents], *, antes_left: int | None = None
) -> Figures:
    """The main game and the given side wagers together, in antes (or Bets).

    `antes_left` is how many antes the player has left to bet; None means no limit.
    """
    from pitbook.exact.methods.choose import choose_method  # noqa: PLC0415  Imports NumPy.

    game, method = choose_method(sheet)
    return method.whole_round(game, ante, side, antes_left)


def prose_edge_change(sheet: Sheet) -> Fraction | None:
    """The change in house edge if the prose governed where it contradicts the pay table (OMS-7)."""
    from pitbook.exact.methods.choose import choose_method  # noqa: PLC0415  Imports NumPy.

    prose = sheet.main.prose
    if prose is None:
        return None

    def expected_under(decides: str) -> Fraction:
        prose_changed = prose.model_copy(update={"decides": decides})
        main = sheet.main.model_copy(update={"prose": prose_changed})
        game, method = choose_method(sheet.model_copy(update={"main": main}))
        return method.cached_expected(game, None, None)

    return expected_under("pays") - expected_under("prose")


def check_question(sheet: Sheet, wager: str | None, seats: int, ante: Cents | None) -> None:
    """Raise MathError if the sheet has no such wager or number of seats."""
    wagers = ("main", *sheet.side)
    if wager is not None and wager not in wagers:
        remedy = did_you_mean(wager, wagers)
        raise MathError(say("exact.no-wager", wager=wager, remedy=remedy))
    if not 1 <= seats <= sheet.seats.count:
        raise MathError(say("exact.seats", most=sheet.seats.count, given=seats))
    shared = any(limit.per == "round" for limit in sheet.limits)
    if seats > 1 and ante is not None and shared:
        raise MathError(say("exact.shared-cap"))


PlotKind: TypeAlias = Literal["outcomes", "grid", "edge"]
TIE_NAMES = {"smallest-bet": "smallest bet", "largest-bet": "largest bet", "fold": "fold"}


@dataclass(frozen=True, slots=True)
class OutcomeRow:
    """An outcome; `units` and `net` are in units of the wager.

    `wagers` lists the result of each wager if they ended differently; the row is their sum.
    """

    outcome: str
    units: Units
    result: str
    net: Fraction
    count: int
    probability: Fraction
    contribution: Fraction
    wagers: tuple[WagerResult, ...] = ()


@dataclass(frozen=True, slots=True)
class WagerFigures:
    """The figures of one wager, or of a whole round, in units of the wager or the ante."""

    expected: Fraction
    average_wager: Fraction
    variance: Fraction
    standard_deviation: float
    volatility_index: float
    win: Fraction
    push: Fraction
    lose: Fraction
    rounds: int
    outcomes: tuple[OutcomeRow, ...] = field(repr=False)
    fold_rate: Entries[str, Fraction] | None  # By street; None if the wager cannot be folded.
    cost: Fraction | None  # Against best play, if another strategy is used.

    @property
    def house_edge(self) -> Fraction:
        """Expected loss over the ante, the Bet or the side wager."""
        return -self.expected

    @property
    def element_of_risk(self) -> Fraction:
        """Expected loss divided by the average total bet."""
        return self.house_edge / self.average_wager

    @property
    def hit_frequency(self) -> Fraction:
        """The share of rounds with a net win; a push does not count."""
        return self.win

    def document(self) -> dict[str, Any]:
        """The figures as JSON."""
        return {
            "expected": str(self.expected),
            "house_edge": float(self.house_edge),
            "average_wager": str(self.average_wager),
            "element_of_risk": float(self.element_of_risk),
            "standard_deviation": self.standard_deviation,
            "variance": str(self.variance),
            "volatility_index": self.volatility_index,
            "win": float(self.win),
            "push": float(self.push),
            "lose": float(self.lose),
            "hit_frequency": float(self.hit_frequency),
            "rounds": self.rounds,
            "outcomes": [_outcome_json(row) for row in self.outcomes],
            **({} if self.fold_rate is None else {"fold_rate": _floats(self.fold_rate)}),
            **({} if self.cost is None else {"cost": str(self.cost)}),
        }


def _outcome_json(row: OutcomeRow) -> dict[str, Any]:
    wagers = [{"wager": wager.wager, **_result_json(wager)} for wager in row.wagers]
    return {
        **_result_json(row),
        "count": row.count,
        "probability": str(row.probability),
        "contribution": str(row.contribution),
        **({"wagers": wagers} if wagers else {}),
    }


def _result_json(row: OutcomeRow | WagerResult) -> dict[str, Any]:
    return {
        "outcome": row.outcome,
        "units": row.units if isinstance(row.units, int) else str(row.units),
        "result": row.result,
        "net": str(row.net),
    }


def _floats(shares: Mapping[str, Fraction]) -> dict[str, float]:
    return {name: float(share) for name, share in shares.items()}


def wager_answer(
    figures: Figures,
    *,
    fold_rate: Mapping[str, Fraction] | None = None,
    cost: Fraction | None = None,
) -> WagerFigures:
    """The figures with the probability of every outcome."""
    return WagerFigures(
        expected=figures.expected,
        average_wager=figures.average_wager,
        variance=figures.variance,
        standard_deviation=figures.standard_deviation,
        volatility_index=figures.volatility_index(),
        win=figures.share("win"),
        push=figures.share("push"),
        lose=figures.share("lose"),
        rounds=figures.rounds,
        outcomes=tuple(_outcome_rows(figures)),
        fold_rate=None if fold_rate is None else Entries(fold_rate),
        cost=cost,
    )


def _outcome_rows(figures: Figures) -> Iterator[OutcomeRow]:
    for row in figures.rows:
        probability = Fraction(row.count, figures.rounds)
        yield OutcomeRow(
            outcome=row.outcome,
            units=row.units,
            result=row.result,
            net=row.net,
            count=row.count,
            probability=probability,
            contribution=probability * row.net,
            wagers=row.wagers,
        )


@dataclass(frozen=True, repr=False)
class GameFigures(Answer):
    """The figures of a sheet, wager by wager; `figures["main"]` is one of them."""

    sheet: str
    hash: str
    ante: Cents | None  # In cents; None without payout limits.
    seats: int
    strategy: str
    side: Entries[str, Cents]  # Stakes of the whole round.
    wagers: Entries[str, WagerFigures]
    round: WagerFigures | None
    _rules: Sheet
    _strategy: str = field(compare=False)  # As given: a name, or the path of a rule file.
    _main: Figures | None = field(compare=False)  # Under another strategy than the best.

    @property
    def house_edge(self) -> Fraction:
        """House edge of the main game, or of the only wager requested."""
        return self[self._first_wager].house_edge

    @property
    def expected(self) -> Fraction:
        """Expected value of the main game, or of the only wager requested."""
        return self[self._first_wager].expected

    @property
    def assumptions(self) -> Entries[str, Any]:
        """What the figures assume: ante, payout limits, seats, ties, strategy, shoe."""
        shoe_note = figures_shoe_note(self._rules)
        return Entries(
            {
                "ante": None if self.ante is None else money(self.ante),
                "limits": self.ante is not None,
                "seats": self.seats,
                "ties": TIE_NAMES[self._rules.best_play.ties.value],
                "play": self.strategy,
                **({} if shoe_note is None else {"shoe": shoe_note}),
                **({"side": self._side_json()} if self.side else {}),
            }
        )

    def _side_json(self) -> dict[str, str]:
        return {name: money(stake) for name, stake in self.side.items()}

    def __getitem__(self, wager: str) -> WagerFigures:
        return self.wagers[one_of(self.wagers, wager, "wager")]

    def document(self) -> dict[str, Any]:
        """The result of `pitbook math --json`."""
        return {
            "sheet": self.sheet,
            "hash": self.hash,
            "assumptions": dict(self.assumptions),
            "wagers": {
                name: {
                    **figures.document(),
                    "ours": describe_pays(self._rules, name),
                }
                for name, figures in self.wagers.items()
            },
            **({} if self.round is None else {"round": self.round.document()}),
        }

    def plot(
        self,
        file: PlotFile = None,
        *,
        kind: PlotKind = "outcomes",
        wager: str | None = None,
        language: str = ENGLISH,
    ) -> Figure | Path:
        """Plot outcomes, the starting grid, or the edge against the ante.

        Returns a Matplotlib figure, or the path of the file if one is given.
        """
        kinds = ("outcomes", "grid", "edge")
        one_of(kinds, kind, "plot")
        chosen = one_of(("main", *self._rules.side), wager or self._first_wager, "wager")
        if kind == "edge" and self.strategy != "best":
            raise PitbookError(say("cli.plots.best-play-only"))

        def draw() -> Figure:
            from pitbook.exact.plots import figures_plot  # noqa: PLC0415  Imports matplotlib.

            main = self._main if chosen == "main" else None
            strategy = self._strategy
            return figures_plot(
                self._rules, kind, ante=self.ante, wager=chosen, strategy=strategy, main=main
            )

        return save_plot(self._rules, draw, file, language=language)

    @property
    def _first_wager(self) -> str:
        return next(iter(self.wagers))

    def _rows(self) -> Iterator[dict[str, Any]]:
        """Every outcome of every wager, and of the whole round."""
        round_figures = {} if self.round is None else {"round": self.round}
        for wager, figures in (self.wagers | round_figures).items():
            for row in figures.outcomes:
                yield {
                    "wager": wager,
                    "outcome": row.outcome,
                    "units": row.units,
                    "result": row.result,
                    "net": row.net,
                    "count": row.count,
                    "probability": row.probability,
                    "contribution": row.contribution,
                }

    def _lines(self) -> tuple[str, ...]:
        edges = (f"{name} {float(figures.house_edge):.4%}" for name, figures in self.wagers.items())
        return (f"figures of {self.sheet} {self.hash[:8]}: house edge {', '.join(edges)}",)


def figures(
    sheet: SomeSheet,
    *,
    ante: str | None = None,
    wager: str | None = None,
    side: Sides = None,
    seats: int = 1,
    strategy: str = "best",
) -> GameFigures:
    """The exact figures of every wager of a sheet.

    With an ante in dollars, payout limits apply at that stake. `side` adds the whole round:
    the main game and the side wagers named, on the same cards.

    >>> figures("catfish-bend/mississippi-stud").house_edge
    Fraction(53223, 1082900)
    """
    rules, sides = sheet_of(sheet), sides_of(side)
    return game_figures(
        rules,
        ante=ante_or_minimum(rules, ante_of(ante), sides),
        wager=wager,
        side=sides,
        seats=integer_of(seats, "seats"),
        strategy=text_of(strategy, "strategy"),
    )


def game_figures(
    sheet: Sheet,
    *,
    ante: Cents | None = None,
    wager: str | None = None,
    side: Mapping[str, Cents] | None = None,
    seats: int = 1,
    strategy: str = "best",
) -> GameFigures:
    """The figures of every wager or of one, and of the whole round if side wagers are given.

    `side` has stakes in cents beside that ante, or beside one dollar.
    """
    if strategy != "best" and (side or wager not in (None, "main")):
        raise PitbookError(say("cli.main-game-alone"))
    check_question(sheet, wager, seats, ante)
    check_stakes(sheet, Spot((), ante=ante, side=side or {}))
    main: Figures | None = None
    name = strategy
    if strategy == "best":
        wagers = {
            key: _best_play_figures(sheet, key, ante, (side or {}).get(key) if ante else None)
            for key in (("main", *sheet.side) if wager is None else (wager,))
        }
    else:
        from pitbook.exact.methods.ladder.strategies import LadderStrategy  # noqa: PLC0415  NumPy.
        from pitbook.exact.strategies import follow  # noqa: PLC0415

        chosen, best = follow(sheet, strategy, ante), follow(sheet, "best", ante)
        rates = chosen.fold_rates if isinstance(chosen, LadderStrategy) else None
        cost = best.expected - chosen.expected
        name, main = chosen.name, chosen.figures
        wagers = {"main": wager_answer(chosen.figures, fold_rate=rates, cost=cost)}
    return GameFigures(
        sheet=sheet.id,
        hash=digest(sheet),
        ante=ante,
        seats=seats,
        strategy=name,
        side=Entries(side or {}),
        wagers=Entries(wagers),
        round=wager_answer(whole_round(sheet, ante, side)) if side else None,
        _rules=sheet,
        _strategy=strategy,
        _main=main,
    )


def _best_play_figures(
    sheet: Sheet, wager: str, ante: Cents | None, stake: Cents | None
) -> WagerFigures:
    """The figures of a wager under best play; those of the main game include its fold rates."""
    figures = wager_figures(sheet, wager, ante, stake)
    rates = fold_rates(sheet, ante) if wager == "main" else None
    return wager_answer(figures, fold_rate=rates)
