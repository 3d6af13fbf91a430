"""Simulations for a report: exact figures confirmed by play, and limits that seats share."""

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
from pitbook.exact.sheet_figures import whole_round
from pitbook.exact.work import TooLarge
from pitbook.money import Cents, money
from pitbook.sheets.digest import digest
from pitbook.sheets.model import Sheet

if TYPE_CHECKING:
    from pitbook.simulate.plan import Plan
    from pitbook.simulate.prepare import ReadyPlan
    from pitbook.simulate.totals import Distribution, Totals


ROUNDS = 1_000_000_000  # Of one seat, as a laboratory plays them.
SEATS_ROUNDS = 10_000_000
FIRST_ROUNDS = 1_000_000  # Played whatever the time; then ten times as many while time allows.
SECONDS_MAX = 300.0
SECONDS_SETTING = "PITBOOK_SIMULATION_SECONDS"
DEVIATIONS_MAX = 3.29  # Standard errors; chance alone exceeds them once in a thousand runs.
INTERVAL_95 = 1.959964  # Standard errors.
SHIPPED = Path(__file__).with_name("simulations")
FORMAT = 1

Json = dict[str, Any]
HearShare = Callable[[float], None]  # Hears which share of the rounds is played.


def confirm(sheet: Sheet, rounds: int | None = None, hear: HearShare = lambda _: None) -> Json:
    """Compare exact figures with play: every wager at its minimum, no limit on payouts.

    Plays as many rounds as asked for; otherwise a billion, or the power of ten that fits the time.
    """
    ante, side = sheet.main_wager.min, {name: one.stake.min for name, one in sheet.side.items()}
    free = sheet.model_copy(update={"limits": ()})
    totals = _one_seat_totals(sheet, _plan(free, ante, side, seed=_seed(sheet)), rounds, hear)
    from pitbook.simulate.check import check  # noqa: PLC0415  It brings Numba.

    verdict, wagers = check(totals), dict(_wagers(free, totals, {"main": ante, **side}))
    agrees = verdict.agrees and all(one["strays"] < DEVIATIONS_MAX for one in wagers.values())
    return {
        **_run(totals),
        "ante": money(ante),
        "side": {name: money(stake) for name, stake in side.items()},
        "wagers": wagers,
        "agrees": agrees,
        "judgements": verdict.judgements + len(wagers),
    }


def _wagers(sheet: Sheet, totals: Totals, stakes: dict[str, Cents]) -> Iterator[tuple[str, Json]]:
    """Each wager's simulated edge beside the exact one."""
    for wager, stake in stakes.items():
        simulated = _edge(totals, _nets(totals, wager, stakes), stake)
        exact = float(edge_of(sheet, wager))
        off = abs(simulated["edge"] - exact)
        error = simulated["error"]
        strays = off / error if error else 0.0 if off < 1e-12 else DEVIATIONS_MAX
        yield wager, {**simulated, "exact": exact, "strays": strays}


def _nets(totals: Totals, wager: str, stakes: dict[str, Cents]) -> Distribution:
    """The net result of one wager in a round; the main game is all that is no side wager."""
    from pitbook.simulate.totals import Distribution  # noqa: PLC0415

    counts: dict[int, int] = {}
    for cell, times in totals.met(1):
        lines = totals.ready.cells.every[cell].lines
        matching = (
            line for line in lines if (line.wager if line.wager in stakes else "main") == wager
        )
        net = sum(line.net for line in matching)
        counts[net] = counts.get(net, 0) + times
    return Distribution.of(counts)


def _edge(totals: Totals, nets: Distribution, unit: int) -> Json:
    error = nets.deviation / sqrt(totals.rounds) / unit
    return {**_run(totals), "edge": float(Fraction(-nets.mean) / unit), "error": error}


def _run(totals: Totals) -> Json:
    return {"rounds": totals.rounds, "seed": totals.ready.plan.seed}


def _seed(sheet: Sheet) -> int:
    """The same sheet is dealt the same rounds."""
    return int(digest(sheet)[:8], 16)


def _plan(sheet: Sheet, ante: Cents, side: dict[str, Cents], *, seed: int, seats: int = 1) -> Plan:
    from pitbook.simulate.plan import plan  # noqa: PLC0415  It brings Numba.

    return plan(sheet, ante=ante, side=side, seats=seats, strategy="best", seed=seed)


def _one_seat_totals(
    sheet: Sheet, plan: Plan, rounds: int | None, hear: HearShare = lambda _: None
) -> Totals:
    """Stored totals of a plan, continued if they have fewer rounds than wanted, and stored."""
    from pitbook.simulate.prepare import ready  # noqa: PLC0415

    prepared, name = ready(plan), f"{digest(sheet)}.json"
    totals = max(_stored_totals(name, prepared), key=lambda stored: stored.rounds)
    _continue(totals, rounds, hear, lambda: _store_totals(name, totals))
    return totals


def _continue(
    totals: Totals, rounds: int | None, hear: HearShare, store: Callable[[], None]
) -> None:
    """Play up to `rounds`; by default a billion, in powers of ten while the time allows."""
    from pitbook.simulate.run import play_on  # noqa: PLC0415

    goal = ROUNDS if rounds is None else rounds
    began, first = monotonic(), totals.rounds
    for target in _targets(first, goal):
        spent, played = monotonic() - began, totals.rounds - first
        expected = spent * (target - first) / played if played else 0.0
        if rounds is None and (expected > _seconds_max() or (first and not _seconds_max())):
            break
        play_on(totals, target, told=lambda now: hear(now.rounds / goal))
        store()
    hear(1.0)


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
    """The longest that a report's simulation may take when no number of rounds is asked for."""
    try:
        return float(os.environ[SECONDS_SETTING])
    except (KeyError, ValueError):
        return SECONDS_MAX


def _stored_totals(name: str, prepared: ReadyPlan) -> Iterator[Totals]:
    """Totals in the package and in the user's cache; those of other rules do not count."""
    from pitbook.simulate.plan import SimulationError  # noqa: PLC0415
    from pitbook.simulate.run import kept  # noqa: PLC0415
    from pitbook.simulate.totals import Totals  # noqa: PLC0415

    yield Totals(prepared)
    for path in _places(name):
        with suppress(SimulationError):
            yield kept(path, prepared)


def _store_totals(name: str, totals: Totals) -> None:
    from pitbook.simulate.plan import SimulationError  # noqa: PLC0415
    from pitbook.simulate.run import keep  # noqa: PLC0415

    if folder := _cache_folder():
        with suppress(SimulationError):  # A full disk costs time, not figures.
            keep(folder / name, totals)


def _places(name: str) -> list[Path]:
    folder = _cache_folder()
    return [SHIPPED / name, *([folder / name] if folder else [])]


def _cache_folder() -> Path | None:
    """The user's folder of simulations; None if no cache folder can be written."""
    for place in cache_places():
        folder = place / "pitbook" / "simulations"
        with suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
            if os.access(folder, os.W_OK):
                return folder
    return None


def by_seats(sheet: Sheet) -> list[Json]:
    """The edge by seats in play at the largest stakes, if seats share a limit.

    Each round is settled twice: with the shared limit, and as if each seat played alone. The same
    cards are in both, so what sharing adds is measured directly and is never below zero.
    """
    if not any(limit.per == "round" for limit in sheet.limits):
        return []
    ante, side = sheet.main_wager.max, {name: one.stake.max for name, one in sheet.side.items()}
    several = [seats for seats in _seat_counts(sheet) if seats > 1]
    runs = {seats: _sharing(sheet, ante, side, seats) for seats in several}
    alone = {"seats": 1, "ante": money(ante), **_alone(sheet, ante, side, runs)}
    rows = [alone]
    for seats, run in runs.items():
        unit = ante * seats
        extra = run.mean("extra") / unit
        error = max(run.error("extra"), _error_of_rare_rounds(sheet, run.rounds)) / unit
        rows.append(
            {
                "seats": seats,
                "ante": money(ante),
                "rounds": run.rounds,
                "seed": run.seed,
                "edge": alone["edge"] + extra,
                "error": sqrt(error**2 + alone.get("error", 0.0) ** 2),
            }
        )
    return rows


def _error_of_rare_rounds(sheet: Sheet, rounds: int) -> float:
    """The least standard error, in cents: none met in n rounds may still come 3 times in n."""
    most = sum(limit.pays_max for limit in sheet.limits if limit.per == "round")
    return 3 / INTERVAL_95 * most / rounds


def _seat_counts(sheet: Sheet) -> list[int]:
    return list(dict.fromkeys((1, (1 + sheet.seats.count) // 2, sheet.seats.count)))


def _alone(sheet: Sheet, ante: Cents, side: dict[str, Cents], runs: dict[int, Sharing]) -> Json:
    """The edge of one seat: exact, or with exact figures for all but the limit's part."""
    try:
        edge = -whole_round(sheet, ante, side).expected
        return {"edge": float(edge), "exact": str(edge)}
    except TooLarge:  # Side wagers depend on other cards than the main game.
        pass
    if runs and _only_bonus_limits(sheet, ante):
        seats, run = max(runs.items())
        free = sum(edge_of(sheet, name) * stake for name, stake in {"main": ante, **side}.items())
        unit = ante * seats
        return {
            "rounds": run.rounds,
            "seed": run.seed,
            "edge": float(free) / ante + run.mean("alone") / unit,
            "error": run.error("alone") / unit,
        }
    from pitbook.simulate.run import run as play  # noqa: PLC0415

    totals = play(_plan(sheet, ante, side, seed=_seed(sheet)), SEATS_ROUNDS)
    return _edge(totals, totals.nets(), ante)


def _only_bonus_limits(sheet: Sheet, ante: Cents) -> bool:
    """Whether limits are on the round and leave the main game, and so best play, as it is."""
    on_round = all(limit.per == "round" for limit in sheet.limits)
    return on_round and edge_of(sheet, "main", ante) == edge_of(sheet, "main")


@dataclass
class Sharing:
    """What a limit takes in rounds of several seats, in cents: sums and sums of squares.

    `alone` is what it would take from seats that play alone, `extra` what sharing adds.
    """

    rounds: int
    seed: int
    alone: list[int] = field(default_factory=lambda: [0, 0])
    extra: list[int] = field(default_factory=lambda: [0, 0])

    def add(self, alone: int, extra: int, times: int) -> None:
        """Count rounds in which the limit takes the same."""
        for sums, taken in ((self.alone, alone), (self.extra, extra)):
            sums[0] += times * taken
            sums[1] += times * taken**2

    def mean(self, part: str) -> float:
        """Cents a round."""
        return float(getattr(self, part)[0] / self.rounds)

    def error(self, part: str) -> float:
        """The standard error of the mean."""
        total, squares = getattr(self, part)
        return sqrt(max(squares / self.rounds - (total / self.rounds) ** 2, 0.0) / self.rounds)


def _sharing(sheet: Sheet, ante: Cents, side: dict[str, Cents], seats: int) -> Sharing:
    """Stored sums of a number of seats, or new ones, which are stored."""
    from pitbook.simulate.prepare import ready  # noqa: PLC0415

    prepared = ready(_plan(sheet, ante, side, seed=_seed(sheet), seats=seats))
    name = f"{digest(sheet)}-{seats}.json"
    head = {"format": FORMAT, "plan": prepared.plan.document(), "digest": prepared.job.digest}
    for path in _places(name):
        with suppress(OSError, ValueError, KeyError, TypeError):
            document = json.loads(path.read_text(encoding="utf-8"))
            if all(document[key] == value for key, value in head.items()):
                return Sharing(**document["sharing"])
    sharing = _play_sharing(prepared)
    if folder := _cache_folder():
        document = {**head, "sharing": vars(sharing)}
        with suppress(OSError):
            _write(folder / name, json.dumps(document, separators=(",", ":")) + "\n")
    return sharing


def _play_sharing(prepared: ReadyPlan) -> Sharing:
    from pitbook.simulate.run import play_on  # noqa: PLC0415
    from pitbook.simulate.totals import Totals  # noqa: PLC0415

    sharing = Sharing(_sharing_rounds(), prepared.plan.seed)

    class SharingTotals(Totals):
        """Totals that settle each round of a shared limit seat by seat as well."""

        def _share(self, net: int, cells: Any, times: int) -> None:
            super()._share(net, cells, times)
            known = self.ready.cells
            together = sum(known.met(cells.tolist()).withheld)
            alone = sum(sum(known.met([cell]).withheld) for cell in cells.tolist())
            sharing.add(alone, together - alone, times)

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
