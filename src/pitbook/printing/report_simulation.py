"""Simulations for a report: confirm exact figures by play, and measure limits that seats share."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from math import sqrt
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

from pitbook.exact.compare import edge_of
from pitbook.exact.jit import cache_places
from pitbook.exact.long_computations import TooLarge
from pitbook.exact.sheet_figures import whole_round
from pitbook.money import Cents
from pitbook.sheets.field_types import Entries
from pitbook.sheets.hashes import digest
from pitbook.sheets.model import Sheet

if TYPE_CHECKING:
    from pitbook.simulation.plan import Plan
    from pitbook.simulation.prepare import ReadyPlan
    from pitbook.simulation.totals import Distribution, Totals


ROUNDS = 1_000_000_000  # For one seat, as test laboratories play.
SEATS_ROUNDS = 10_000_000
FIRST_ROUNDS = 1_000_000  # Always played; then ten times as many while time allows.
SECONDS_MAX = 300.0
SECONDS_SETTING = "PITBOOK_SIMULATION_SECONDS"
DEVIATIONS_MAX = 3.29  # Standard errors; chance alone exceeds them once in a thousand runs.
INTERVAL_95 = 1.959964  # Standard errors.
SHIPPED_FOLDER = Path(__file__).with_name("simulations")
FORMAT = 1

ShareCallback = Callable[[float], None]  # Called with the share of the rounds that is played.


@dataclass(frozen=True)
class SimulatedWager:
    """A wager's simulated edge with its standard error, beside the exact edge."""

    edge: float
    error: float
    exact: float
    strays: float  # The difference, in standard errors.


@dataclass(frozen=True)
class Confirmation:
    """A simulation of every wager at its minimum, compared with the exact figures."""

    rounds: int
    seed: int
    ante: Cents
    side: Entries[str, Cents]
    wagers: Entries[str, SimulatedWager]
    agrees: bool
    comparisons: int


@dataclass(frozen=True)
class SeatEdge:
    """The edge with a number of seats in play: exact, or simulated with its standard error."""

    seats: int
    ante: Cents
    edge: float
    exact: Fraction | None = None
    error: float | None = None
    rounds: int | None = None
    seed: int | None = None


def confirm(
    sheet: Sheet, rounds: int | None = None, on_share: ShareCallback = lambda _: None
) -> Confirmation:
    """Compare exact figures with play: every wager at its minimum, no payout limits.

    Plays `rounds` if given; otherwise a billion, or the power of ten that fits the time.
    """
    ante, side = sheet.main_wager.min, {name: side.stake.min for name, side in sheet.side.items()}
    uncapped = sheet.model_copy(update={"limits": ()})
    totals = _one_seat_totals(
        sheet, _plan(uncapped, ante, side, seed=_seed(sheet)), rounds, on_share
    )
    from pitbook.simulation.compare_with_exact import check  # noqa: PLC0415  Imports Numba.

    verdict, wagers = check(totals), dict(_wagers(uncapped, totals, {"main": ante, **side}))
    return Confirmation(
        rounds=totals.rounds,
        seed=totals.ready.plan.seed,
        ante=ante,
        side=Entries(side),
        wagers=Entries(wagers),
        agrees=verdict.agrees and all(wager.strays < DEVIATIONS_MAX for wager in wagers.values()),
        comparisons=verdict.comparisons + len(wagers),
    )


def _wagers(
    sheet: Sheet, totals: Totals, stakes: dict[str, Cents]
) -> Iterator[tuple[str, SimulatedWager]]:
    """Each wager's simulated edge and the exact one."""
    for wager, stake in stakes.items():
        edge, error = _edge_and_error(totals, _nets(totals, wager, stakes), stake)
        exact = float(edge_of(sheet, wager))
        difference = abs(edge - exact)
        strays = difference / error if error else 0.0 if difference < 1e-12 else DEVIATIONS_MAX
        yield wager, SimulatedWager(edge, error, exact, strays)


def _nets(totals: Totals, wager: str, stakes: dict[str, Cents]) -> Distribution:
    """The net result of one wager in a round; "main" is everything except side wagers."""
    from pitbook.simulation.totals import Distribution  # noqa: PLC0415

    counts: dict[int, int] = {}
    for cell, times in totals.cell_counts(1):
        lines = totals.ready.cells.cells[cell].lines
        matching = (
            line for line in lines if (line.wager if line.wager in stakes else "main") == wager
        )
        net = sum(line.net for line in matching)
        counts[net] = counts.get(net, 0) + times
    return Distribution.of(counts)


def _edge_and_error(totals: Totals, nets: Distribution, unit: int) -> tuple[float, float]:
    return float(Fraction(-nets.mean) / unit), nets.deviation / sqrt(totals.rounds) / unit


def _seed(sheet: Sheet) -> int:
    """The seed of a sheet's simulation, always the same."""
    return int(digest(sheet)[:8], 16)


def _plan(sheet: Sheet, ante: Cents, side: dict[str, Cents], *, seed: int, seats: int = 1) -> Plan:
    from pitbook.simulation.plan import plan  # noqa: PLC0415  Imports Numba.

    return plan(sheet, ante=ante, side=side, seats=seats, strategy="best", seed=seed)


def _one_seat_totals(
    sheet: Sheet, plan: Plan, rounds: int | None, on_share: ShareCallback = lambda _: None
) -> Totals:
    """A plan's stored totals, continued to the number of rounds and stored again."""
    from pitbook.simulation.prepare import prepare_job  # noqa: PLC0415

    prepared, name = prepare_job(plan), f"{digest(sheet)}.json"
    totals = max(_stored_totals(name, prepared), key=lambda stored: stored.rounds)
    _continue(totals, rounds, on_share, lambda: _store_totals(name, totals))
    return totals


def _continue(
    totals: Totals, rounds: int | None, on_share: ShareCallback, store: Callable[[], None]
) -> None:
    """Play up to `rounds`; by default a billion, in powers of ten while the time allows."""
    from pitbook.simulation.run import play_on  # noqa: PLC0415

    goal = ROUNDS if rounds is None else rounds
    started, stored_rounds = monotonic(), totals.rounds
    for target in _targets(stored_rounds, goal):
        elapsed, played = monotonic() - started, totals.rounds - stored_rounds
        seconds_left = elapsed * (target - stored_rounds) / played if played else 0.0
        if rounds is None and (
            seconds_left > _seconds_max() or (stored_rounds and not _seconds_max())
        ):
            break
        play_on(totals, target, on_progress=lambda now: on_share(now.rounds / goal))
        store()
    on_share(1.0)


def _targets(played: int, goal: int) -> Iterator[int]:
    """Numbers of rounds at which play pauses: powers of ten, then the goal."""
    target = FIRST_ROUNDS
    while target < goal:
        if target > played:
            yield target
        target *= 10
    if goal > played:
        yield goal


def _seconds_max() -> float:
    """The time limit of a report's simulation when no number of rounds is given."""
    try:
        return float(os.environ[SECONDS_SETTING])
    except (KeyError, ValueError):
        return SECONDS_MAX


def _stored_totals(name: str, prepared: ReadyPlan) -> Iterator[Totals]:
    """Totals in the package and in the user's cache; totals of other rules are ignored."""
    from pitbook.simulation.plan import SimulationError  # noqa: PLC0415
    from pitbook.simulation.run import load_totals  # noqa: PLC0415
    from pitbook.simulation.totals import Totals  # noqa: PLC0415

    yield Totals(prepared)
    for path in _stored_paths(name):
        with suppress(SimulationError):
            yield load_totals(path, prepared)


def _store_totals(name: str, totals: Totals) -> None:
    from pitbook.simulation.plan import SimulationError  # noqa: PLC0415
    from pitbook.simulation.run import save_totals  # noqa: PLC0415

    if folder := _cache_folder():
        with suppress(SimulationError):  # A full disk costs time, but the figures are right.
            save_totals(folder / name, totals)


def _stored_paths(name: str) -> list[Path]:
    folder = _cache_folder()
    return [SHIPPED_FOLDER / name, *([folder / name] if folder else [])]


def _cache_folder() -> Path | None:
    """The user's folder of simulations; None if no cache folder is writable."""
    for cache_root in cache_places():
        folder = cache_root / "pitbook" / "simulations"
        with suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
            if os.access(folder, os.W_OK):
                return folder
    return None


def by_seats(sheet: Sheet) -> list[SeatEdge]:
    """The edge by seats in play at the largest stakes, if seats share a limit.

    Each round is settled twice with the same cards: with the shared limit, and as if each seat
    played alone. So the effect of sharing is measured directly and never negative.
    """
    if not any(limit.per == "round" for limit in sheet.limits):
        return []
    ante, side = sheet.main_wager.max, {name: side.stake.max for name, side in sheet.side.items()}
    seat_counts = [seats for seats in _seat_counts(sheet) if seats > 1]
    runs = {seats: _load_sharing(sheet, ante, side, seats) for seats in seat_counts}
    single = _single_seat_edge(sheet, ante, side, runs)
    rows = [single]
    for seats, run in runs.items():
        unit = ante * seats
        extra = run.mean("extra") / unit
        error = max(run.error("extra"), _error_of_rare_rounds(sheet, run.rounds)) / unit
        rows.append(
            SeatEdge(
                seats,
                ante,
                edge=single.edge + extra,
                error=sqrt(error**2 + (single.error or 0.0) ** 2),
                rounds=run.rounds,
                seed=run.seed,
            )
        )
    return rows


def _error_of_rare_rounds(sheet: Sheet, rounds: int) -> float:
    """A lower bound of the standard error, in cents: an event unseen in n rounds may still have a
    rate of 3/n.
    """
    most = sum(limit.pays_max for limit in sheet.limits if limit.per == "round")
    return 3 / INTERVAL_95 * most / rounds


def _seat_counts(sheet: Sheet) -> list[int]:
    return list(dict.fromkeys((1, (1 + sheet.seats.count) // 2, sheet.seats.count)))


def _single_seat_edge(
    sheet: Sheet, ante: Cents, side: dict[str, Cents], runs: dict[int, SharingSums]
) -> SeatEdge:
    """The edge of one seat: exact, or exact except for the limit's part."""
    try:
        exact = -whole_round(sheet, ante, side).expected
        return SeatEdge(1, ante, float(exact), exact)
    except TooLarge:  # Side wagers depend on other cards than the main game.
        pass
    if runs and _only_bonus_limits(sheet, ante):
        seats, run = max(runs.items())
        uncapped_edge = sum(
            edge_of(sheet, name) * stake for name, stake in {"main": ante, **side}.items()
        )
        unit = ante * seats
        return SeatEdge(
            1,
            ante,
            edge=float(uncapped_edge) / ante + run.mean("alone") / unit,
            error=run.error("alone") / unit,
            rounds=run.rounds,
            seed=run.seed,
        )
    from pitbook.simulation.run import run as play  # noqa: PLC0415

    totals = play(_plan(sheet, ante, side, seed=_seed(sheet)), SEATS_ROUNDS)
    edge, error = _edge_and_error(totals, totals.nets(), ante)
    return SeatEdge(1, ante, edge, None, error, totals.rounds, totals.ready.plan.seed)


def _only_bonus_limits(sheet: Sheet, ante: Cents) -> bool:
    """Whether limits are per round and do not affect the main game or its best play."""
    on_round = all(limit.per == "round" for limit in sheet.limits)
    return on_round and edge_of(sheet, "main", ante) == edge_of(sheet, "main")


@dataclass
class SharingSums:
    """What a limit withholds in rounds of several seats, in cents: sums and sums of squares.

    `alone` is what it would withhold from seats that play alone, `extra` what sharing adds.
    """

    rounds: int
    seed: int
    alone: list[int] = field(default_factory=lambda: [0, 0])
    extra: list[int] = field(default_factory=lambda: [0, 0])

    def add(self, alone: int, extra: int, times: int) -> None:
        """Add `times` rounds in which the limit withholds these amounts."""
        for sums, amount in ((self.alone, alone), (self.extra, extra)):
            sums[0] += times * amount
            sums[1] += times * amount**2

    def mean(self, part: str) -> float:
        """Mean in cents per round."""
        return float(getattr(self, part)[0] / self.rounds)

    def error(self, part: str) -> float:
        total, squares = getattr(self, part)
        return sqrt(max(squares / self.rounds - (total / self.rounds) ** 2, 0.0) / self.rounds)


def _load_sharing(sheet: Sheet, ante: Cents, side: dict[str, Cents], seats: int) -> SharingSums:
    """Stored sums for a number of seats; computed and stored if missing."""
    from pitbook.simulation.prepare import prepare_job  # noqa: PLC0415

    prepared = prepare_job(_plan(sheet, ante, side, seed=_seed(sheet), seats=seats))
    name = f"{digest(sheet)}-{seats}.json"
    head = {"format": FORMAT, "plan": prepared.plan.document(), "digest": prepared.job.digest}
    for path in _stored_paths(name):
        with suppress(OSError, ValueError, KeyError, TypeError):
            document = json.loads(path.read_text(encoding="utf-8"))
            if all(document[key] == value for key, value in head.items()):
                return SharingSums(**document["sharing"])
    sharing = _play_sharing(prepared)
    if folder := _cache_folder():
        document = {**head, "sharing": vars(sharing)}
        with suppress(OSError):
            _write(folder / name, json.dumps(document, separators=(",", ":")) + "\n")
    return sharing


def _play_sharing(prepared: ReadyPlan) -> SharingSums:
    from pitbook.simulation.run import play_on  # noqa: PLC0415
    from pitbook.simulation.totals import Totals  # noqa: PLC0415

    sharing = SharingSums(_sharing_rounds(), prepared.plan.seed)

    class SharingTotals(Totals):
        """Totals that also settle each round of a shared limit seat by seat."""

        def _add_capped_rounds(self, net: int, cells: Any, times: int) -> None:
            super()._add_capped_rounds(net, cells, times)
            cell_table = self.ready.cells
            together = sum(cell_table.apply_shared_caps(cells.tolist()).withheld)
            base = sum(
                sum(cell_table.apply_shared_caps([cell]).withheld) for cell in cells.tolist()
            )
            sharing.add(base, together - base, times)

    play_on(SharingTotals(prepared), sharing.rounds)
    return sharing


def _sharing_rounds() -> int:
    return SEATS_ROUNDS if _seconds_max() else FIRST_ROUNDS


def _write(path: Path, text: str) -> None:
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        part.write_text(text, encoding="utf-8")
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
