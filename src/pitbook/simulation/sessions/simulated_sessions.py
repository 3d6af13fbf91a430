"""Simulates sessions of plans whose round has no exact distribution."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from fractions import Fraction
from threading import Event

import numpy as np
from numpy.typing import NDArray

from pitbook.extras import require_extra
from pitbook.rules.payout_caps import apply_payout_caps
from pitbook.rules.settlement_lines import Settlement
from pitbook.simulation.job import Job
from pitbook.simulation.kernel_tables import OneSeatTables
from pitbook.simulation.plan import SimulationError
from pitbook.simulation.prepare import ReadyPlan, expect_strategy, prepare_job
from pitbook.simulation.run import core_count
from pitbook.simulation.sessions.session import (
    GOAL,
    QUANTILES,
    RUIN,
    STOP_LOSS,
    TIME,
    BankrollMark,
    Outlook,
    ProgressCallback,
    Session,
    SessionEnd,
    Spread,
)
from pitbook.text import say

Ints = NDArray[np.int64]

SESSIONS_MAX = 10_000_000
PIECE_ROUNDS = 2**18  # Rounds that each worker holds in memory at a time.
ALONE_FACTOR = 4  # More rounds fit in memory if one seat is played without actual cards.


def play_sessions(
    session: Session,
    sessions: int,
    *,
    workers: int | None = None,
    on_progress: ProgressCallback | None = None,
) -> Outlook:
    """The outlook of a session from simulated sessions."""
    if not 1 <= sessions <= SESSIONS_MAX:
        raise SimulationError(say("simulate.sessions", most=SESSIONS_MAX, given=sessions))
    worker_count = core_count() if workers is None else workers
    if not 1 <= worker_count <= 1024:
        raise SimulationError(say("simulate.workers", given=worker_count))
    expect_strategy(session.plan, sessions * session.rounds)
    seat = _Seat(session)
    counts = _Counts(session)
    pieces = _session_ranges(session, sessions, seat.piece)
    with ThreadPoolExecutor(worker_count, thread_name_prefix="sessions") as pool:
        try:
            for piece in pool.map(lambda bounds: _play_sessions(session, seat, *bounds), pieces):
                counts.add(piece)
                if on_progress is not None:
                    on_progress(counts.sessions * session.rounds, sessions * session.rounds)
        except BaseException:  # An interrupt does not wait for running pieces.
            seat.stopped.set()
            pool.shutdown(wait=True, cancel_futures=True)
            raise
    return counts.outlook()


def _session_ranges(session: Session, sessions: int, rounds: int) -> Iterator[tuple[int, int]]:
    size = max(1, rounds // session.rounds)
    for start in range(0, sessions, size):
        yield start, min(sessions, start + size)


class _Seat:
    """Seat 1 at a table where all other seats play in full, whatever their bankroll."""

    def __init__(self, session: Session) -> None:
        require_extra("numba")
        self.levels = [prepare_job(level.plan) for level in session.reachable_levels]
        self.least = np.array([level.least for level in session.reachable_levels], np.int64)
        sheet = session.plan.sheet
        caps = [limit for limit in sheet.limits if limit.per == "round"]
        self.shared = sheet.model_copy(update={"limits": tuple(caps)})
        self.stopped = Event()
        for level in self.levels:
            level.job.trace(0, 1)  # Compile once before workers share it.

    @property
    def piece(self) -> int:
        """Rounds that each worker holds in memory at a time."""
        job = self.levels[-1].job
        slow = [level.job for level in self.levels if not isinstance(level.job, Job)]
        if slow or not isinstance(job, Job):  # A player short of money may need another method.
            return 16 * slow[0].chunk
        return PIECE_ROUNDS * (ALONE_FACTOR if isinstance(job.tables, OneSeatTables) else 1)

    def nets(self, level: int, start: int, stop: int) -> Ints:
        """Net of the seat in each round at a level's bankroll, in cents."""
        level_plan, full_plan = self.levels[level], self.levels[-1]
        trace = level_plan.job.trace(start, stop)
        nets: Ints = level_plan.cells.nets[trace[:, 0]]
        if trace.shape[1] > 1 and self.shared.limits:
            others = trace if level_plan is full_plan else full_plan.job.trace(start, stop)
            for row in self._capped_rows(level_plan, trace, others):
                nets[row] -= self._withheld_by_shared_caps(level_plan, trace[row], others[row])
        return nets

    def _capped_rows(
        self, level_plan: ReadyPlan, trace: NDArray[np.int32], others: NDArray[np.int32]
    ) -> Ints:
        """The rounds in which a shared cap applies."""
        full_cells = self.levels[-1].cells
        due = level_plan.cells.due[:, trace[:, 0]] + full_cells.due[:, others[:, 1:]].sum(axis=2)
        return np.flatnonzero((due > full_cells.due_max[:, None]).any(axis=0))

    def _withheld_by_shared_caps(
        self, level_plan: ReadyPlan, trace: NDArray[np.int32], others: NDArray[np.int32]
    ) -> int:
        lines = [level_plan.cells.cells[int(trace[0])].lines]
        lines += [self.levels[-1].cells.cells[int(cell)].lines for cell in others[1:]]
        before = [Settlement(seat, seat_lines) for seat, seat_lines in enumerate(lines, start=1)]
        after, _ = apply_payout_caps(self.shared, before)
        return before[0].net - after[0].net


@dataclass
class _Counts:
    """Counts of sessions, in integers, so that the order of addition does not matter."""

    session: Session
    sessions: int = 0
    ends: Counter[str] = field(default_factory=Counter)
    rounds: Counter[str] = field(default_factory=Counter)
    playing: Counter[int] = field(default_factory=Counter)
    bankrolls: dict[int, Counter[int]] = field(default_factory=dict)  # By mark.

    def add(self, other: _Counts) -> None:
        """Add further sessions."""
        self.sessions += other.sessions
        for counter, other_counter in (
            (self.ends, other.ends),
            (self.rounds, other.rounds),
            (self.playing, other.playing),
        ):
            counter.update(other_counter)  # type: ignore[arg-type]
        for mark, bankrolls in other.bankrolls.items():
            self.bankrolls.setdefault(mark, Counter()).update(bankrolls)

    def record_mark(self, mark: int, bankrolls: Ints, playing: int) -> None:
        """Record every bankroll after this many rounds."""
        amounts, counts = np.unique(bankrolls, return_counts=True)
        self.playing[mark] = playing
        self.bankrolls[mark] = Counter(dict(zip(amounts.tolist(), counts.tolist(), strict=True)))

    def record_ending(self, reason: str, session_count: int, done: int) -> None:
        """Record sessions that end after this many rounds."""
        self.ends[reason] += session_count
        self.rounds[reason] += session_count * done

    def _spread(self, mark: int) -> Spread:
        rising = sorted(self.bankrolls[mark].items())
        amounts, counts = zip(*rising, strict=True)
        return Spread(np.array(amounts, np.int64), np.array(counts, np.int64))

    def outlook(self) -> Outlook:
        """The outlook of the sessions counted."""
        final, session_count = self._spread(self.session.rounds), self.sessions
        nets = [amount - self.session.bankroll for amount in final.amounts.tolist()]
        counts = final.weights.tolist()
        return Outlook(
            self.session,
            "simulated",
            {reason: self._end(reason) for reason in (RUIN, STOP_LOSS, GOAL, TIME)},
            rounds_mean=Fraction(sum(self.rounds.values()), session_count),
            mean=Fraction(sum(map(_product, nets, counts)), session_count),
            square=Fraction(sum(map(_product, map(_square, nets), counts)), session_count),
            marks=tuple(self._mark(mark) for mark in self.session.marks),
            final=final,
            sessions=session_count,
        )

    def _end(self, reason: str) -> SessionEnd:
        session_count = self.ends[reason]
        mean = Fraction(self.rounds[reason], session_count) if session_count else None
        return SessionEnd(Fraction(session_count, self.sessions), mean)

    def _mark(self, mark: int) -> BankrollMark:
        spread = self._spread(mark)
        quantiles = [spread.quantile(share) for share in QUANTILES]
        tracked = tuple(quantile for quantile in quantiles if quantile is not None)
        return BankrollMark(mark, Fraction(self.playing[mark], self.sessions), tracked)


def _product(left: int, right: int) -> int:
    return left * right


def _square(number: int) -> int:
    return number * number


def _play_sessions(session: Session, seat: _Seat, start: int, stop: int) -> _Counts:
    """Play sessions `start` to `stop` together."""
    rounds, session_count = session.rounds, stop - start
    counts = _Counts(session, session_count)
    nets_by_level: dict[int, Ints] = {}

    def nets(level: int) -> Ints:
        if level not in nets_by_level:
            flat = seat.nets(level, start * rounds, stop * rounds)
            nets_by_level[level] = np.ascontiguousarray(flat.reshape(session_count, rounds).T)
        return nets_by_level[level]

    bankrolls = np.full(session_count, session.bankroll, np.int64)
    playing, marks = np.arange(session_count), set(session.marks)
    counts.record_mark(0, bankrolls, session_count)
    for done in range(1, rounds + 1):
        current = bankrolls[playing]
        levels = np.searchsorted(seat.least, current, side="right") - 1
        if seat.stopped.is_set():
            break
        for level in np.unique(levels).tolist():
            at_level = levels == level
            current[at_level] += nets(level)[done - 1, playing[at_level]]
        bankrolls[playing] = current
        playing = playing[_record_stops(session, counts, current, done)]
        if done in marks:
            counts.record_mark(done, bankrolls, len(playing))
    counts.record_ending(TIME, len(playing), rounds)
    return counts


def _record_stops(session: Session, counts: _Counts, current: Ints, done: int) -> NDArray[np.bool_]:
    """Record the players who stop after a round; True for those who play on."""
    ruined = current < session.stake_min
    stopped = ~ruined & (current <= session.stop_bankroll)
    won = (
        current >= session.goal_bankroll
        if session.goal_bankroll is not None
        else np.zeros_like(ruined)
    )
    for reason, mask in ((RUIN, ruined), (STOP_LOSS, stopped), (GOAL, won)):
        counts.record_ending(reason, int(mask.sum()), done)
    return ~(ruined | stopped | won)
