"""All figures of a report as one record: shipped for bundled sheets, else cached on disk."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from hashlib import sha256
from math import comb, prod
from pathlib import Path
from typing import NamedTuple

from pitbook.errors import PitbookError
from pitbook.exact.compare import edge_of, with_pays
from pitbook.exact.jit import cache_folder
from pitbook.exact.methods.choose import choose_method
from pitbook.exact.methods.dealer.common import SEEN
from pitbook.exact.outcome_figures import WagerResult
from pitbook.exact.sheet_figures import OutcomeRow, WagerFigures, game_figures, wager_figures
from pitbook.exact.shipped_figures import REPORT, read_precomputed
from pitbook.exact.strategies import follow, simpler_strategies, strategy_lines
from pitbook.money import Cents, Odds
from pitbook.printing.record_json import dump_record, load_record
from pitbook.printing.report_simulation import (
    Confirmation,
    SeatEdge,
    SimulatedWager,
    by_seats,
    confirm,
)
from pitbook.printing.strategy_tables import CardStrategy, Json, card_strategy, strategy_parts
from pitbook.sheets.edit import change_sheet
from pitbook.sheets.field_types import Entries
from pitbook.sheets.hashes import digest
from pitbook.sheets.model import Sheet, Stake
from pitbook.sheets.pay_tables import pays_of

SUITED = " suited"  # Follows the ranks of a hand.
DECKS = (1, 2, 4, 6, 8)
ANTES = (1, 2, 5, 10, 20, 50, 100)  # Multiples of the minimum.


class AnteEdge(NamedTuple):
    """The main game's edge at one ante, with all limits."""

    ante: Cents
    edge: Fraction


class DeckEdges(NamedTuple):
    """Every wager's edge with a number of decks."""

    decks: int
    edges: Entries[str, Fraction]


class StartingHand(NamedTuple):
    """A starting hand: the number of deals, the best play and its value."""

    cards: str
    deals: int
    play: str
    value: Fraction


class StartingHands(NamedTuple):
    """Every starting hand; their values, weighted by deals, average to `mean`."""

    deals: int
    mean: Fraction
    hands: tuple[StartingHand, ...]


@dataclass(frozen=True)
class ReportFigures:
    """Every figure of a sheet's report."""

    wagers: Entries[str, WagerFigures]
    skewness: Entries[str, float]
    strategy: tuple[Json, ...]  # Best play, part by part.
    card: CardStrategy
    simpler: Entries[str, Fraction]  # The cost of every simpler strategy.
    hands: StartingHands | None
    by_ante: tuple[AnteEdge, ...]
    by_decks: tuple[DeckEdges, ...]
    sensitivity: Entries[str, Entries[str, Fraction]]
    by_seats: tuple[SeatEdge, ...]
    confirmed: Confirmation  # The simulation.

    @property
    def expected(self) -> Fraction:
        """The expected value of the main game under best play."""
        return self.wagers["main"].expected

    @property
    def decisions(self) -> tuple[Json, ...]:
        """Best play at every decision; a full board is on the strategy card only."""
        return (*self.strategy, *(part for part in self.card.parts if part["kind"] == "last"))


RECORDS = (
    *(ReportFigures, AnteEdge, DeckEdges, StartingHand, StartingHands, CardStrategy),
    *(WagerFigures, OutcomeRow, WagerResult),
    *(SeatEdge, Confirmation, SimulatedWager),
)


def by_ante(sheet: Sheet) -> list[AnteEdge]:
    """The main game's edge at several antes with all limits, for one seat; empty without limits."""
    if not sheet.limits:
        return []
    rows = []
    for ante in _stakes(sheet.main_wager):
        with suppress(PitbookError):  # Too large to recompute for every ante.
            rows.append(AnteEdge(ante, edge_of(sheet, "main", ante)))
    return rows


def _stakes(stake: Stake) -> list[Cents]:
    """Every allowed amount if there are few, else a sample."""
    amounts = range(stake.min, stake.max + 1, stake.step)
    if len(amounts) <= len(ANTES):
        return [Cents(amount) for amount in amounts]
    sampled = [Cents(stake.min * times) for times in ANTES if stake.min * times < stake.max]
    return [amount for amount in sampled if not amount % stake.step] + [stake.max]


def by_decks(sheet: Sheet) -> list[DeckEdges]:
    """Every wager's edge with other numbers of decks, if the game uses several."""
    if sheet.deck.decks == 1:
        return []
    rows = []
    for decks in sorted({*DECKS, sheet.deck.decks}):
        with suppress(PitbookError):  # Fewer decks may not contain a hand that the table pays.
            other = change_sheet(sheet, {"deck.decks": decks})
            edges = {name: edge_of(other, name) for name in ("main", *sheet.side)}
            rows.append(DeckEdges(decks, Entries(edges)))
    return rows


def sensitivity(sheet: Sheet) -> dict[str, dict[str, Fraction]]:
    """By wager and line: the change of the edge if the line pays one to one more, with best play
    recomputed.
    """
    return {
        wager: {
            line: _edge(_raise_pay(sheet, wager, line, pay), wager) - _edge(sheet, wager)
            for line, pay in pays_of(sheet, wager).items()
            if isinstance(pay, Odds)
        }
        for wager in ("main", *sheet.side)
    }


def _raise_pay(sheet: Sheet, wager: str, line: str, pay: Odds) -> Sheet:
    raised = Odds(pay.to + pay.one, pay.one)
    return with_pays(sheet, wager, {**pays_of(sheet, wager), line: raised})


def _edge(sheet: Sheet, wager: str) -> Fraction:
    """The edge without caching: no other caller needs such a pay table."""
    if wager != "main":
        return edge_of(sheet, wager)
    game, method = choose_method(sheet)
    return -method.expected(game, None)


PACKAGE = Path(__file__).parents[1]
# Figures that other code computed are not used.
SOURCES = "exact", "hands", "rules", "simulation"
REPORT_SOURCES = (
    "record_json.py",
    "report_figures.py",
    "report_simulation.py",
    "strategy_tables.py",
)

SIMULATION_STEPS = tuple(f"simulation {percent}%" for percent in range(0, 100, 10))
STEPS = ("mathematics", "strategy", "limits", "sensitivity", "seats", *SIMULATION_STEPS)

StepCallback = Callable[[str], None]  # Called when a step begins.


def report_figures(
    sheet: Sheet, on_step: StepCallback = lambda _: None, *, rounds: int | None = None
) -> ReportFigures:
    """Every figure of a sheet's report, from the cache on disk if possible.

    With `rounds`, a stored simulation of fewer rounds is continued to that number.
    """
    text = _stored_text(sheet)
    figures = compute_report_figures(sheet, on_step, rounds) if text is None else _load(text)
    needs_rounds = rounds is not None and figures.confirmed.rounds < rounds
    if needs_rounds:
        figures = replace(figures, confirmed=_confirm(sheet, rounds, on_step))
    if text is None or needs_rounds:
        text = dump_record(figures)
        if path := _path(sheet):
            with suppress(OSError):  # A full disk costs time, but the figures are right.
                _write(path, text)
    return _load(text)


def _load(text: str) -> ReportFigures:
    figures: ReportFigures = load_record(text, RECORDS)
    return figures


def has_stored_figures(sheet: Sheet, rounds: int | None = None) -> bool:
    """Whether a sheet's figures are on disk, with at least `rounds` simulated rounds."""
    text = _stored_text(sheet)
    return text is not None and (rounds is None or _load(text).confirmed.rounds >= rounds)


def _stored_text(sheet: Sheet) -> str | None:
    """A sheet's figures, from this machine or shipped with the package; None without either."""
    path = _path(sheet)
    text = None if path is None else _read_checked(path)
    if text is None and (shipped := read_precomputed(sheet, REPORT)) is not None:
        text = json.dumps(shipped)
    return text


def _read_checked(path: Path) -> str | None:
    """A file's figures; None if there is no such file or its checksum does not match."""
    try:
        checksum, _, text = path.read_text(encoding="utf-8").partition("\n")
    except (OSError, ValueError):
        return None
    return text if checksum == _checksum(text) else None


def _checksum(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def compute_report_figures(
    sheet: Sheet, on_step: StepCallback = lambda _: None, rounds: int | None = None
) -> ReportFigures:
    """Every figure of a sheet's report."""
    on_step("mathematics")
    wagers, skewness = game_figures(sheet).wagers, Entries(_skewness(sheet))
    on_step("strategy")
    strategy = strategy_parts(sheet)
    card, simpler = card_strategy(sheet, strategy), Entries(simpler_strategies(sheet))
    hands = starting_hand_values(sheet)
    on_step("limits")
    ante_edges, deck_edges = tuple(by_ante(sheet)), tuple(by_decks(sheet))
    on_step("sensitivity")
    changes = {wager: Entries(lines) for wager, lines in sensitivity(sheet).items()}
    on_step("seats")
    seat_edges = tuple(by_seats(sheet))
    return ReportFigures(
        wagers=wagers,
        skewness=skewness,
        strategy=tuple(strategy),
        card=card,
        simpler=simpler,
        hands=hands,
        by_ante=ante_edges,
        by_decks=deck_edges,
        sensitivity=Entries(changes),
        by_seats=seat_edges,
        confirmed=_confirm(sheet, rounds, on_step),
    )


def _confirm(sheet: Sheet, rounds: int | None, on_step: StepCallback) -> Confirmation:
    on_step(SIMULATION_STEPS[0])
    last = len(SIMULATION_STEPS) - 1
    return confirm(
        sheet, rounds, lambda share: on_step(SIMULATION_STEPS[min(last, int(share * (last + 1)))])
    )


def _skewness(sheet: Sheet) -> dict[str, float]:
    return {name: wager_figures(sheet, name).skewness for name in ("main", *sheet.side)}


def starting_hand_values(sheet: Sheet) -> StartingHands | None:
    """Every starting hand with its deals, best play and value; None if other cards matter too.

    None also unless the values, weighted by deals, equal a round's expected value.
    """
    lines = list(strategy_lines(sheet))
    first = [line for line in lines if line.street == lines[0].street]
    names = {line.cards for line in first}
    if len(names) != len(first) or any(SEEN in name for name in names):
        return None
    decks = sheet.deck.decks
    hands = tuple(
        StartingHand(line.cards, _deals(line.cards, decks, names), str(line.play), line.worth)
        for line in first
    )
    deals = sum(hand.deals for hand in hands)
    mean = sum((hand.deals * hand.value for hand in hands), Fraction(0)) / deals
    return StartingHands(deals, mean, hands) if mean == follow(sheet).expected else None


def _deals(name: str, decks: int, names: set[str]) -> int:
    """The number of ways to deal a hand; suited hands are counted separately if listed."""
    ranks = name.removesuffix(SUITED).split()
    suited: int = 4 * decks ** len(ranks)
    if name.endswith(SUITED):
        return suited
    total = int(prod(comb(4 * decks, copies) for copies in Counter(ranks).values()))
    return total - suited if name + SUITED in names else total


def _path(sheet: Sheet) -> Path | None:
    folder = _folder()
    return folder and folder / f"{digest(sheet)}.figures"


@cache
def _folder() -> Path | None:
    files = [path for name in SOURCES for path in sorted((PACKAGE / name).rglob("*.py"))]
    report_files = [Path(__file__).with_name(name) for name in REPORT_SOURCES]
    return cache_folder("reports", PACKAGE, [*files, *report_files])


def _write(path: Path, text: str) -> None:
    """Write the file atomically, with the checksum on the first line."""
    part = path.with_name(f".{path.stem}.{os.getpid()}.part")
    try:
        part.write_text(f"{_checksum(text)}\n{text}", encoding="utf-8")
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
