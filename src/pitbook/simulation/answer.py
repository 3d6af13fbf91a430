"""A simulation as a value: `pitbook.simulate`, rendered by `pitbook simulate`."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from math import sqrt
from pathlib import Path
from time import monotonic
from typing import Any, TypeAlias

from pitbook.answer_tables import Answer
from pitbook.errors import PitbookError
from pitbook.exact.plot_files import PlotFile
from pitbook.extras import require_extra
from pitbook.money import Odds
from pitbook.rules.settlement_answer import SettledRound, settle
from pitbook.sheets.arguments import (
    Sides,
    SomeSheet,
    ante_of,
    integer_of,
    rounds_of,
    sheet_of,
    sides_of,
    text_of,
)
from pitbook.sheets.field_types import Entries
from pitbook.sheets.hashes import digest
from pitbook.sheets.model import Sheet
from pitbook.simulation.compare_with_exact import TheoryCheck, check, expected_figures
from pitbook.simulation.job import Job
from pitbook.simulation.plan import Plan, plan
from pitbook.simulation.prepare import expect_strategy, prepare_job
from pitbook.simulation.replay import round_document
from pitbook.simulation.run import Backend, load_totals, play_on, save_totals
from pitbook.simulation.totals import Totals, outcome_counts, outcome_order
from pitbook.text import say
from pitbook.text.user_input import did_you_mean, show_value

QUANTILES = tuple(Fraction(share, 1000) for share in (1, 10, 50, 250, 500, 750, 950, 990, 999))
BACKENDS = ("local", "ray", "gpu")
SAVE_INTERVAL_S = 60


@dataclass(frozen=True, slots=True)
class CountRow:
    """How often a wager had an outcome, for all seats together."""

    wager: str
    outcome: str
    units: int
    result: str
    odds: Odds | None
    count: int
    share: Fraction


@dataclass(frozen=True, slots=True)
class SeatNet:
    """The net result of one seat; money in dollars."""

    seat: int
    mean: Fraction
    standard_deviation: float
    withheld: Decimal  # By payout limits that several seats share.


@dataclass(frozen=True, slots=True)
class LimitCount:
    """How often a payout limit applied; money in dollars."""

    clause: str
    times: int
    due: Decimal
    paid: Decimal

    @property
    def withheld(self) -> Decimal:
        """What the limit saved the house."""
        return self.due - self.paid


@dataclass(frozen=True, repr=False)
class Simulation(Answer):
    """A simulation: the net result in dollars, the outcomes, and the check against theory."""

    sheet: str
    hash: str
    rounds: int
    seed: int
    total: Decimal  # Net of all seats.
    mean: Fraction  # Per round.
    standard_error: float
    standard_deviation: float
    win: Fraction  # The share of rounds with a net win.
    push: Fraction
    lose: Fraction
    quantiles: Entries[Fraction, Decimal]  # Of the net of a round.
    least: Decimal
    most: Decimal
    staked: Decimal
    hold: Fraction  # The house's share of the total bet.
    hands_per_hour: int
    deviation_per_hour: float
    seats: tuple[SeatNet, ...]
    limits: tuple[LimitCount, ...]
    rounds_limited: int  # Rounds in which a limit of the whole table applied.
    outcomes: tuple[CountRow, ...]
    plan: Plan
    run: Run | None = field(compare=False)
    check: TheoryCheck | None = field(compare=False)

    @property
    def agrees(self) -> bool | None:
        """Whether the totals agree with the exact figures; None if they were not checked."""
        return None if self.check is None else self.check.agrees

    @property
    def partial(self) -> bool:
        """Whether fewer rounds were played than requested."""
        return self.run is not None and self.rounds < self.run.rounds

    @property
    def house_wins_per_hour(self) -> Fraction:
        """What the house wins at this table in an hour, in dollars."""
        return -self.mean * self.hands_per_hour

    def round(self, number: int) -> SettledRound:
        """One of the rounds, counted from 0, dealt again and settled."""
        if integer_of(number, "round") < 0:
            raise PitbookError(say("api.from-zero", number=number))
        return settle(round_document(self.plan, number), sheet=self.plan.sheet)

    def document(self) -> dict[str, Any]:
        """The result of `pitbook simulate --json`."""
        plan_json = self.plan.document()
        return {
            "sheet": self.sheet,
            "hash": self.hash,
            "assumptions": {
                name: plan_json[name] for name in plan_json if name not in ("sheet", "hash")
            },
            "rounds": self.rounds,
            "net": self._net_json(),
            "staked": str(self.staked),
            "hold": float(self.hold),
            "hour": {
                "hands": self.hands_per_hour,
                "house_wins": float(self.house_wins_per_hour),
                "standard_deviation": self.deviation_per_hour,
            },
            "seats": [_seat_json(seat) for seat in self.seats],
            "caps": {
                "rounds": self.rounds_limited,
                "bites": [_limit_json(limit) for limit in self.limits],
            },
            "wagers": self._wagers_json(),
            **({} if self.run is None else {"partial": self.partial, "run": self.run.document()}),
            **({} if self.check is None else {"check": self.check.document()}),
        }

    def _net_json(self) -> dict[str, Any]:
        return {
            "total": str(self.total),
            "mean": float(self.mean),
            "mean_exact": str(self.mean),
            "standard_deviation": self.standard_deviation,
            "standard_error": self.standard_error,
            "least": str(self.least),
            "most": str(self.most),
            "win": float(self.win),
            "push": float(self.push),
            "lose": float(self.lose),
            "quantiles": {
                str(float(share)): str(amount) for share, amount in self.quantiles.items()
            },
        }

    def _wagers_json(self) -> dict[str, list[dict[str, Any]]]:
        rows_by_wager: dict[str, list[dict[str, Any]]] = {}
        for row in self._rows():
            share, odds = float(row["share"]), row["odds"]
            rows = rows_by_wager.setdefault(row.pop("wager"), [])
            rows.append({**row, "odds": odds, "share": share})
        return rows_by_wager

    def _rows(self) -> Iterator[dict[str, Any]]:
        """Every outcome of every wager with its count."""
        for row in self.outcomes:
            yield {
                "wager": row.wager,
                "outcome": row.outcome,
                "units": row.units,
                "result": row.result,
                "odds": str(row.odds) if row.odds else None,
                "count": row.count,
                "share": row.share,
            }

    def _lines(self) -> tuple[str, ...]:
        verdict = {None: "", True: "; agrees", False: "; disagrees"}[self.agrees]
        error = f"{self.standard_error:.4f}"
        mean = f"{float(self.mean):+.4f} dollars a round, standard error {error}"
        return (f"{self.rounds:,} rounds of {self.sheet}, seed {self.seed}: {mean}{verdict}",)


def _seat_json(seat: SeatNet) -> dict[str, Any]:
    return {
        "seat": seat.seat,
        "mean": float(seat.mean),
        "standard_deviation": seat.standard_deviation,
        "withheld": str(seat.withheld),
    }


def _limit_json(limit: LimitCount) -> dict[str, Any]:
    return {
        "clause": limit.clause,
        "times": limit.times,
        "due": str(limit.due),
        "paid": str(limit.paid),
        "withheld": str(limit.withheld),
    }


def simulate(
    sheet: SomeSheet,
    rounds: int | float | str = 1_000_000,
    *,
    seats: int = 1,
    ante: str | None = None,
    side: Sides = None,
    strategy: str = "best",
    seed: int | None = None,
    workers: int | None = None,
    check: bool = False,
    against: SomeSheet | None = None,
    hands_per_hour: int = 40,
    on: Backend = "local",
    address: str | None = None,
    resume: PlotFile = None,
    parquet: PlotFile = None,
) -> Simulation:
    """Play many rounds with compiled kernels; every seat bets and plays alike.

    The same seed deals the same rounds on every machine. `check` compares every figure with the
    exact one, `against` with another sheet's. `resume` names a file to continue from, `parquet`
    a folder that receives every round.

    >>> played = simulate("catfish-bend/mississippi-stud", 20_000, seed=7, check=True)
    >>> played.rounds, played.agrees
    (20000, True)
    """
    seed_used = secrets.randbits(32) if seed is None else integer_of(seed, "seed")

    def plan_for(rules: Sheet) -> Plan:
        return parse_plan(rules, ante, side, seats, strategy, seed_used)

    simulation_plan = plan_for(sheet_of(sheet))
    exact_plan = None if against is None else plan_for(sheet_of(against))
    pace = integer_of(hands_per_hour, "hands_per_hour")
    run = Run(
        rounds_of(rounds),
        on=_require_backend(on, parquet),
        workers=None if workers is None else integer_of(workers, "workers"),
        address=address,
        save_file=None if resume is None else Path(resume),
        parquet=None if parquet is None else Path(parquet),
    )
    totals = run.play(simulation_plan)
    if run.interrupted:
        raise KeyboardInterrupt
    is_checked = check or exact_plan is not None
    theory_check = check_totals(totals, exact_plan or simulation_plan) if is_checked else None
    return simulation_answer(totals, hands_per_hour=pace, run=run, theory_check=theory_check)


def parse_plan(  # noqa: PLR0917
    rules: Sheet, ante: str | None, side: Sides, seats: int, strategy: str, seed: int
) -> Plan:
    """A plan from the arguments of a public function."""
    return plan(
        rules,
        ante=ante_of(ante),
        side=sides_of(side),
        seats=integer_of(seats, "seats"),
        strategy=text_of(strategy, "strategy"),
        seed=seed,
    )


def _require_backend(on: Backend, parquet: PlotFile) -> Backend:
    if on not in BACKENDS:
        remedy = did_you_mean(str(on), BACKENDS)
        raise PitbookError(say("api.no-place", on=show_value(on), remedy=remedy))
    if parquet is not None and on != "local":
        raise PitbookError(say("api.parquet-here"))
    return on


def check_totals(totals: Totals, exact_plan: Plan) -> TheoryCheck:
    """Check totals against the exact figures of a plan."""
    return check(totals, expected_figures(exact_plan))


ShowProgress: TypeAlias = Callable[[int, int], AbstractContextManager[Callable[[int], object]]]


def _show_nothing(total: int, done: int) -> AbstractContextManager[Callable[[int], object]]:
    del total, done
    return nullcontext(lambda _: None)


@dataclass
class Run:
    """One run: its length and its place; then how many rounds it played, and how long it took."""

    rounds: int
    on: Backend = "local"
    workers: int | None = None
    address: str | None = None
    save_file: Path | None = None
    parquet: Path | None = None
    interrupted: bool = False
    rounds_played: int = 0
    seconds: float = 0.0
    _saved_at: float = field(default_factory=monotonic)

    @property
    def rounds_per_second(self) -> int | None:
        """The speed of this run."""
        return round(self.rounds_played / self.seconds) if self.seconds else None

    def play(
        self,
        simulation_plan: Plan,
        show_progress: ShowProgress = _show_nothing,
        *,
        on_interrupt: Callable[[], object] = lambda: None,
    ) -> Totals:
        """Play the missing rounds; after an interruption the totals hold what was finished."""
        require_extra("numba")
        expect_strategy(simulation_plan, self.rounds)
        ready_plan = prepare_job(simulation_plan)
        totals = load_totals(self.save_file, ready_plan) if self.save_file else Totals(ready_plan)
        self._save(totals, last=True)  # Fail before playing if the file cannot be written.
        if self.on == "local" and isinstance(ready_plan.job, Job):
            ready_plan.job.play(0, 1)  # Compile the kernels before timing starts.
        before, began = totals.rounds, monotonic()
        try:
            with show_progress(self.rounds, before) as show:

                def on_progress(current: Totals) -> None:
                    show(current.rounds)
                    self._save(current)

                play_on(
                    totals,
                    self.rounds,
                    on=self.on,
                    workers=self.workers,
                    address=self.address,
                    parquet=self.parquet,
                    on_progress=on_progress,
                )
        except KeyboardInterrupt:
            on_interrupt()
            self.interrupted = True
        self.rounds_played, self.seconds = totals.rounds - before, monotonic() - began
        self._save(totals, last=True)
        return totals

    def _save(self, totals: Totals, *, last: bool = False) -> None:
        if self.save_file and (last or monotonic() - self._saved_at > SAVE_INTERVAL_S):
            save_totals(self.save_file, totals)
            self._saved_at = monotonic()

    def document(self) -> dict[str, Any]:
        """The run as JSON."""
        return {
            "on": self.on,
            "rounds": self.rounds_played,
            "seconds": round(self.seconds, 3),
            "rounds_per_second": self.rounds_per_second,
        }


def simulation_answer(
    totals: Totals,
    *,
    hands_per_hour: int = 40,
    run: Run | None = None,
    theory_check: TheoryCheck | None = None,
) -> Simulation:
    """The figures of the rounds played so far; there must be at least one."""
    plan_played, nets = totals.ready.plan, totals.nets()
    cells = totals.ready.cells.cells
    staked = sum(times * cells[cell].total_bet for cell, times in totals.cell_counts())
    win, lose = nets.share(above=0), nets.share(below=0)
    return Simulation(
        sheet=plan_played.sheet.id,
        hash=digest(plan_played.sheet),
        rounds=totals.rounds,
        seed=plan_played.seed,
        total=_dollars(nets.total),
        mean=nets.mean / 100,
        standard_error=nets.deviation / sqrt(nets.rounds) / 100,
        standard_deviation=nets.deviation / 100,
        win=win,
        push=1 - win - lose,
        lose=lose,
        quantiles=Entries({share: _dollars(nets.quantile(share)) for share in QUANTILES}),
        least=_dollars(nets.amounts[0]),
        most=_dollars(nets.amounts[-1]),
        staked=_dollars(staked),
        hold=Fraction(-nets.total, staked),
        hands_per_hour=hands_per_hour,
        deviation_per_hour=nets.deviation * sqrt(hands_per_hour) / 100,
        seats=tuple(_seat_net(totals, seat) for seat in range(1, plan_played.seats + 1)),
        limits=tuple(
            LimitCount(clause, cap.times, _dollars(cap.due), _dollars(cap.paid))
            for clause, cap in sorted(totals.caps().items())
        ),
        rounds_limited=totals.shared_rounds,
        outcomes=tuple(_count_rows(totals)),
        plan=plan_played,
        run=run,
        check=theory_check,
    )


def _seat_net(totals: Totals, seat: int) -> SeatNet:
    nets, withheld_cents = totals.seat_nets(seat), int(totals.withheld[seat - 1])
    mean = (nets.mean - Fraction(withheld_cents, totals.rounds)) / 100
    return SeatNet(seat, mean, nets.deviation / 100, _dollars(withheld_cents))


def _count_rows(totals: Totals) -> Iterator[CountRow]:
    """Every outcome of every wager, for all seats together."""
    hands = totals.rounds * totals.ready.plan.seats
    counts = outcome_counts(totals)
    for outcome in sorted(counts, key=outcome_order):
        count = counts[outcome]
        yield CountRow(*outcome, count=count, share=Fraction(count, hands))


def _dollars(cents: int) -> Decimal:
    return Decimal(cents).scaleb(-2)
