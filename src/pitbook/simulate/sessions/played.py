"""Simulated sessions, for plans whose round has no exact distribution."""

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
from pitbook.rules.limits import apply_limits
from pitbook.rules.settlement import Settlement
from pitbook.simulate.estimate import expect_strategy
from pitbook.simulate.job import Job
from pitbook.simulate.plan import SimulationError
from pitbook.simulate.prepare import ReadyPlan, ready
from pitbook.simulate.run import cores
from pitbook.simulate.sessions.session import (
    GOAL,
    QUANTILES,
    RUIN,
    STOP_LOSS,
    TIME,
    BankrollMark,
    HearProgress,
    Outlook,
    Session,
    SessionEnd,
    Spread,
)
from pitbook.simulate.tables import Alone
from pitbook.text import say

Ints = NDArray[np.int64]

SESSIONS_MAX = 10_000_000
PIECE = 2**18  # Rounds that are held in memory at a time, by each worker.
ALONE = 4  # Times as many where one seat is played without its cards being named.


def played(
    session: Session,
    sessions: int,
    *,
    workers: int | None = None,
    told: HearProgress | None = None,
) -> Outlook:
    """The outlook of a session after so many have been played; `told` hears of rounds."""
    if not 1 <= sessions <= SESSIONS_MAX:
        raise SimulationError(say("simulate.sessions", most=SESSIONS_MAX, given=sessions))
    many = cores() if workers is None else workers
    if not 1 <= many <= 1024:
        raise SimulationError(say("simulate.workers", given=many))
    expect_strategy(session.plan, sessions * session.rounds)
    seat = _Seat(session)
    counts = _Counts(session)
    pieces = _pieces(session, sessions, seat.piece)
    with ThreadPoolExecutor(many, thread_name_prefix="sessions") as pool:
        try:
            for piece in pool.map(lambda one: _piece(session, seat, *one), pieces):
                counts.add(piece)
                if told is not None:
                    told(counts.sessions * session.rounds, sessions * session.rounds)
        except BaseException:  # Whoever interrupts does not wait for what is under way.
            seat.left.set()
            pool.shutdown(wait=True, cancel_futures=True)
            raise
    return counts.outlook()


def _pieces(session: Session, sessions: int, rounds: int) -> Iterator[tuple[int, int]]:
    size = max(1, rounds // session.rounds)
    for start in range(0, sessions, size):
        yield start, min(sessions, start + size)


class _Seat:
    """Seat 1 at a table where all others play in full, whatever its own bankroll."""

    def __init__(self, session: Session) -> None:
        require_extra("numba")
        self.levels = [ready(level.plan) for level in session.played_at]
        self.least = np.array([level.least for level in session.played_at], np.int64)
        sheet = session.plan.sheet
        caps = [one for one in sheet.limits if one.per == "round"]
        self.shared = sheet.model_copy(update={"limits": tuple(caps)})
        self.left = Event()
        for level in self.levels:
            level.job.trace(0, 1)  # Compiled once, before workers share it.

    @property
    def piece(self) -> int:
        """Rounds that are held in memory at a time, by each worker."""
        job = self.levels[-1].job
        slow = [level.job for level in self.levels if not isinstance(level.job, Job)]
        if slow or not isinstance(job, Job):  # Whoever is short of money may be played otherwise.
            return 16 * slow[0].chunk
        return PIECE * (ALONE if isinstance(job.tables, Alone) else 1)

    def nets(self, level: int, start: int, stop: int) -> Ints:
        """What the seat nets in each of some rounds with the bankroll of a level, in cents."""
        own, full = self.levels[level], self.levels[-1]
        trace = own.job.trace(start, stop)
        nets: Ints = own.cells.nets[trace[:, 0]]
        if trace.shape[1] > 1 and self.shared.limits:
            others = trace if own is full else full.job.trace(start, stop)
            for row in self._capped(own, trace, others):
                nets[row] -= self._withheld(own, trace[row], others[row])
        return nets

    def _capped(self, own: ReadyPlan, trace: NDArray[np.int32], others: NDArray[np.int32]) -> Ints:
        """The rounds in which a cap that seats share bites."""
        full = self.levels[-1].cells
        due = own.cells.due[:, trace[:, 0]] + full.due[:, others[:, 1:]].sum(axis=2)
        return np.flatnonzero((due > full.due_max[:, None]).any(axis=0))

    def _withheld(self, own: ReadyPlan, trace: NDArray[np.int32], others: NDArray[np.int32]) -> int:
        lines = [own.cells.every[int(trace[0])].lines]
        lines += [self.levels[-1].cells.every[int(cell)].lines for cell in others[1:]]
        before = [Settlement(seat, one) for seat, one in enumerate(lines, start=1)]
        after, _ = apply_limits(self.shared, before)
        return before[0].net - after[0].net


@dataclass
class _Counts:
    """Sessions counted, in whole numbers: added up in any order, the same in the end."""

    session: Session
    sessions: int = 0
    ends: Counter[str] = field(default_factory=Counter)
    rounds: Counter[str] = field(default_factory=Counter)
    playing: Counter[int] = field(default_factory=Counter)
    bankrolls: dict[int, Counter[int]] = field(default_factory=dict)  # By mark.

    def add(self, other: _Counts) -> None:
        """Take in further sessions."""
        self.sessions += other.sessions
        for mine, more in (
            (self.ends, other.ends),
            (self.rounds, other.rounds),
            (self.playing, other.playing),
        ):
            mine.update(more)  # type: ignore[arg-type]
        for mark, bankrolls in other.bankrolls.items():
            self.bankrolls.setdefault(mark, Counter()).update(bankrolls)

    def marked(self, mark: int, bankrolls: Ints, playing: int) -> None:
        """Note every bankroll after so many rounds."""
        amounts, counts = np.unique(bankrolls, return_counts=True)
        self.playing[mark] = playing
        self.bankrolls[mark] = Counter(dict(zip(amounts.tolist(), counts.tolist(), strict=True)))

    def ended(self, how: str, many: int, done: int) -> None:
        """Note sessions that end after so many rounds."""
        self.ends[how] += many
        self.rounds[how] += many * done

    def _spread(self, mark: int) -> Spread:
        rising = sorted(self.bankrolls[mark].items())
        amounts, counts = zip(*rising, strict=True)
        return Spread(np.array(amounts, np.int64), np.array(counts, np.int64))

    def outlook(self) -> Outlook:
        """The answer."""
        final, many = self._spread(self.session.rounds), self.sessions
        nets = [amount - self.session.bankroll for amount in final.amounts.tolist()]
        counts = final.weights.tolist()
        return Outlook(
            self.session,
            "simulated",
            {how: self._end(how) for how in (RUIN, STOP_LOSS, GOAL, TIME)},
            played=Fraction(sum(self.rounds.values()), many),
            mean=Fraction(sum(map(_product, nets, counts)), many),
            square=Fraction(sum(map(_product, map(_square, nets), counts)), many),
            marks=tuple(self._mark(mark) for mark in self.session.marks),
            final=final,
            sessions=many,
        )

    def _end(self, how: str) -> SessionEnd:
        many = self.ends[how]
        mean = Fraction(self.rounds[how], many) if many else None
        return SessionEnd(Fraction(many, self.sessions), mean)

    def _mark(self, mark: int) -> BankrollMark:
        spread = self._spread(mark)
        quantiles = [spread.quantile(share) for share in QUANTILES]
        known = tuple(one for one in quantiles if one is not None)
        return BankrollMark(mark, Fraction(self.playing[mark], self.sessions), known)


def _product(one: int, other: int) -> int:
    return one * other


def _square(one: int) -> int:
    return one * one


def _piece(session: Session, seat: _Seat, start: int, stop: int) -> _Counts:
    """Sessions `start` to `stop`, played together."""
    rounds, many = session.rounds, stop - start
    counts = _Counts(session, many)
    dealt: dict[int, Ints] = {}

    def nets(level: int) -> Ints:
        if level not in dealt:
            flat = seat.nets(level, start * rounds, stop * rounds)
            dealt[level] = np.ascontiguousarray(flat.reshape(many, rounds).T)
        return dealt[level]

    bankrolls = np.full(many, session.bankroll, np.int64)
    who, marks = np.arange(many), set(session.marks)
    counts.marked(0, bankrolls, many)
    for done in range(1, rounds + 1):
        now = bankrolls[who]
        levels = np.searchsorted(seat.least, now, side="right") - 1
        if seat.left.is_set():
            break
        for level in np.unique(levels).tolist():
            there = levels == level
            now[there] += nets(level)[done - 1, who[there]]
        bankrolls[who] = now
        who = who[_stopped(session, counts, now, done)]
        if done in marks:
            counts.marked(done, bankrolls, len(who))
    counts.ended(TIME, len(who), rounds)
    return counts


def _stopped(session: Session, counts: _Counts, now: Ints, done: int) -> NDArray[np.bool_]:
    """Note who stops after a round; True for those who play on."""
    ruined = now < session.stake_min
    stopped = ~ruined & (now <= session.leaves_at)
    won = now >= session.reached_at if session.reached_at is not None else np.zeros_like(ruined)
    for how, which in ((RUIN, ruined), (STOP_LOSS, stopped), (GOAL, won)):
        counts.ended(how, int(which.sum()), done)
    return ~(ruined | stopped | won)
