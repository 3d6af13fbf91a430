"""Named strategies and a player's own rules: plays, figures and cost; `pitbook.strategy`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from pitbook.answer_tables import Answer
from pitbook.errors import PitbookError
from pitbook.exact.long_computations import releasable_cache
from pitbook.exact.methods.choose import choose_method
from pitbook.exact.methods.ladder.strategies import LadderStrategy, class_name
from pitbook.exact.methods.method import SheetStrategy, StrategyLine
from pitbook.exact.methods.plain.method import PlainStrategy
from pitbook.exact.methods.points.strategies import PointsStrategy, hand_name
from pitbook.exact.outcome_figures import Figures
from pitbook.exact.plot_files import PlotFile, save_plot
from pitbook.exact.rule_files import (
    Rules,
    StrategyError,
    load_rules,
)
from pitbook.exact.spots import Spot, check_stakes
from pitbook.money import Cents, money
from pitbook.rules.actions import bets
from pitbook.rules.game import compile_game
from pitbook.sheets.arguments import SomeSheet, ante_of, sheet_of, text_of
from pitbook.sheets.field_types import Entries
from pitbook.sheets.hashes import digest
from pitbook.sheets.model import Sheet
from pitbook.sheets.phrases import figures_shoe_note
from pitbook.text import say
from pitbook.text.catalog import ENGLISH
from pitbook.text.user_input import did_you_mean

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def follow(sheet: Sheet, name: str = "best", ante: Cents | None = None) -> SheetStrategy:
    """A strategy by its name or its rule file; raises StrategyError."""
    if not _is_rule_file(name):
        return _follow_named(sheet, name, ante)
    return follow_rules(sheet, load_rules(Path(name)), ante)


def follow_rules(sheet: Sheet, rules: Rules, ante: Cents | None = None) -> SheetStrategy:
    """A player's own rules; raises StrategyError."""
    game, method = choose_method(sheet)
    return method.follow_rules(game, rules, ante)


@releasable_cache(maxsize=32)
def _follow_named(sheet: Sheet, name: str, ante: Cents | None) -> SheetStrategy:
    """A named strategy, cached with its figures."""
    game, method = choose_method(sheet)
    return method.follow(game, name, ante)


def simpler_strategies(sheet: Sheet, ante: Cents | None = None) -> Iterator[tuple[str, Fraction]]:
    """Every named strategy that the sheet allows, and its cost per round."""
    best = follow(sheet, "best", ante).expected
    for name in strategy_names(sheet)[1:]:
        try:
            yield name, best - follow(sheet, name, ante).expected
        except StrategyError:  # A street without that bet, or without any other.
            continue


def _is_rule_file(name: str) -> bool:
    return name.endswith(".toml")


def strategy_lines(
    sheet: Sheet, ante: Cents | None = None, *, purse: Cents | None = None
) -> Iterator[StrategyLine]:
    """The whole best strategy, line by line. `purse` is the money left after the ante; None means
    no limit.
    """
    check_stakes(sheet, Spot((), ante=ante, purse=purse))
    game, method = choose_method(sheet)
    yield from method.entries(game, ante, purse)


def strategy_figures(sheet: Sheet, name: str, ante: Cents | None = None) -> Figures:
    """The main game's figures under "best", "always-1x", "never-fold", "never-3x" and the like."""
    game, method = choose_method(sheet)
    return method.follow(game, name, ante).figures


def strategy_names(sheet: Sheet) -> tuple[str, ...]:
    """The strategies that need no rule file."""
    game, method = choose_method(sheet)
    return method.names(game)


def starting_hand_grid(sheet: Sheet, ante: Cents | None = None) -> dict[str, dict[str, Any]]:
    """The 13 by 13 grid of starting hands: best play and its value; suited hands above the
    diagonal.
    """
    game, _ = choose_method(sheet)
    if game.hand_size != 2 or any(game.stages[0].opens[1:]):
        raise StrategyError(say("exact.strategy.no-grid"))
    first = game.stages[0].id
    rows = [line for line in strategy_lines(sheet, ante) if line.street == first]
    return {line.cards: {"play": line.play, "worth": line.worth} for line in rows}


def rule_figures(sheet: Sheet, rules: Rules, ante: Cents | None = None) -> Figures:
    """The main game's figures for a player who follows the rules."""
    return follow_rules(sheet, rules, ante).figures


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
    ante: Cents | None  # In cents; None without payout limits.
    street: str | None  # The only street of the rows, if one was requested.
    expected: Fraction
    cost: Fraction
    _rules: Sheet
    solved: SheetStrategy = field(compare=False)

    @property
    def house_edge(self) -> Fraction:
        """Expected loss over the ante or the Bet."""
        return -self.expected

    @cached_property
    def rows(self) -> tuple[StrategyRow, ...]:
        """Every spot with its play and EV, street by street and stake by stake."""
        return tuple(_strategy_rows(self.solved, self.street))

    @cached_property
    def simpler(self) -> Entries[str, Fraction]:
        """Cost per round of every named strategy against the best."""
        return Entries(simpler_strategies(self._rules, self.ante))

    def document(self) -> dict[str, Any]:
        """The result of `pitbook strategy --json`."""
        shoe_note = figures_shoe_note(self._rules)
        return {
            "sheet": self.sheet,
            "hash": self.hash,
            "assumptions": {
                "ante": None if self.ante is None else money(self.ante),
                "limits": self.ante is not None,
                "ties": self._rules.best_play.ties.value.replace("-", " "),
                "play": self.name,
                **({} if shoe_note is None else {"shoe": shoe_note}),
            },
            "expected": str(self.expected),
            "house_edge": float(self.house_edge),
            "cost": str(self.cost),
            "simpler": {name: str(cost) for name, cost in self.simpler.items()},
            "streets": self._streets_json(),
        }

    def _streets_json(self) -> list[dict[str, Any]]:
        """The plays by street and stake; with the bets made if payout limits make them matter."""
        chosen = self.solved
        bets_matter = isinstance(chosen, LadderStrategy) and chosen.solution.terms.separates_bets
        streets: dict[tuple[str, int, str], dict[str, Any]] = {}
        for row in self.rows:
            bets_made = {"bets": row.bets.split(",") if row.bets else []} if bets_matter else {}
            head = {"street": row.street, "units": row.units, **bets_made}
            street = streets.setdefault(
                (row.street, row.units, row.bets), {**head, "plays": {}, "worth": {}}
            )
            street["plays"][row.cards], street["worth"][row.cards] = row.play, str(row.worth)
        return list(streets.values())

    def plot(self, file: PlotFile = None, *, language: str = ENGLISH) -> Figure | Path:
        """The starting grid, as a Matplotlib figure or in the file given."""

        def draw() -> Figure:
            from pitbook.exact.plots import grid_plot  # noqa: PLC0415  Imports matplotlib.

            return grid_plot(self._rules, self.solved)

        return save_plot(self._rules, draw, file, language=language)

    def _rows(self) -> Iterator[dict[str, Any]]:
        return (row._asdict() for row in self.rows)

    def _lines(self) -> tuple[str, ...]:
        edge, row_count = f"{float(self.house_edge):.4%}", f"{len(self.rows):,}"
        return (f"strategy {self.name} of {self.sheet}: house edge {edge}, {row_count} spots",)


def strategy(
    sheet: SomeSheet, name: str = "best", *, ante: str | None = None, street: str | None = None
) -> GameStrategy:
    """Best play, a simpler strategy ("never-3x"), or your own from a rule file in TOML.

    >>> simple = strategy("catfish-bend/mississippi-stud", "never-3x", street="flop")
    >>> f"{float(simple.cost):.4f}", len(simple.rows)
    ('0.3378', 169)
    """
    return game_strategy(sheet_of(sheet), text_of(name, "name"), ante=ante_of(ante), street=street)


def game_strategy(
    sheet: Sheet, name: str = "best", *, ante: Cents | None = None, street: str | None = None
) -> GameStrategy:
    """A strategy at an ante in cents; raises PitbookError if there is no such street."""
    check_stakes(sheet, Spot((), ante=ante))
    street_ids = [stage.id for stage in compile_game(sheet).stages if stage.plays]
    if street is not None and street not in street_ids:
        single_decision = say("cli.strategy.one-decision", stage=street_ids[0])
        remedy = single_decision if len(street_ids) == 1 else did_you_mean(street, street_ids)
        raise PitbookError(say("cli.no-street", street=street, remedy=remedy))
    chosen, best = follow(sheet, name, ante), follow(sheet, "best", ante)
    return GameStrategy(
        sheet=sheet.id,
        hash=digest(sheet),
        name=chosen.name,
        ante=ante,
        street=street,
        expected=chosen.expected,
        cost=best.expected - chosen.expected,
        _rules=sheet,
        solved=chosen,
    )


def _strategy_rows(chosen: SheetStrategy, only: str | None) -> Iterator[StrategyRow]:
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
