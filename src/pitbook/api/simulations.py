"""Runs simulations: the results of `pitbook simulate` and `pitbook session`."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

from pitbook.api.answers import Answer, PictureFile
from pitbook.api.rounds import SettledRound, settle
from pitbook.errors import PitbookError
from pitbook.sheets.arguments import (
    Sides,
    SomeSheet,
    ante_of,
    dollars_of,
    hours_of,
    integer_of,
    rounds_of,
    sheet_of,
    sides_of,
    text_of,
)
from pitbook.sheets.findings import did_you_mean, show_value
from pitbook.sheets.model import Sheet
from pitbook.sheets.values import Entries
from pitbook.text import say

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from rich.console import RenderableType

    from pitbook.simulation.plan import Plan
    from pitbook.simulation.sessions.session import Outlook

Where: TypeAlias = Literal["local", "ray", "gpu"]


@dataclass(frozen=True, slots=True)
class CountRow:
    """How often a wager had an outcome, for all seats together."""

    wager: str
    outcome: str
    units: int
    result: str
    odds: str | None
    count: int
    share: float


@dataclass(frozen=True, repr=False)
class Simulation(Answer):
    """A simulation: its result in dollars, the count of each outcome, and the theory check."""

    sheet: str
    hash: str
    rounds: int
    seed: int
    mean: float  # Mean net of all seats per round.
    standard_error: float
    standard_deviation: float
    hold: float  # The house's share of the total bet.
    outcomes: tuple[CountRow, ...]
    agrees: bool | None  # Whether the totals agree with the exact figures, if checked.
    _plan: Plan
    _document: dict[str, Any] = field(compare=False)

    def round(self, number: int) -> SettledRound:
        """One of the rounds, counted from 0, dealt again and settled."""
        from pitbook.simulation.replay import round_document  # noqa: PLC0415

        if integer_of(number, "round") < 0:
            raise PitbookError(say("api.from-zero", number=number))
        return settle(round_document(self._plan, number), sheet=self._plan.sheet)

    def document(self) -> dict[str, Any]:
        """The result of `pitbook simulate --json`."""
        return deepcopy(self._document)

    def _parts(self) -> Iterable[RenderableType]:
        from pitbook.cli.simulate import answer_parts  # noqa: PLC0415  Imports Rich.

        return answer_parts(self._plan.sheet, self._document, None)

    def _currency_sheet(self) -> Sheet:
        return self._plan.sheet

    def __repr__(self) -> str:
        verdict = {None: "", True: "; agrees", False: "; disagrees"}[self.agrees]
        mean = f"{self.mean:+.4f} dollars a round, give or take {self.standard_error:.4f}"
        return f"<{self.rounds:,} rounds of {self.sheet}, seed {self.seed}: {mean}{verdict}>"


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
    on: Where = "local",
    address: str | None = None,
    resume: PictureFile = None,
    parquet: PictureFile = None,
) -> Simulation:
    """Many rounds played by compiled kernels, as `pitbook simulate` plays them.

    One seed deals the same rounds everywhere; `check` judges every figure by the exact one,
    `against` by another sheet's. `resume` names a file to go on from, `parquet` a folder
    for every round.

    >>> played = simulate("catfish-bend/mississippi-stud", 20_000, seed=7, check=True)
    >>> played.rounds, played.agrees
    (20000, True)
    """
    from pitbook.cli.simulate import Run, check_totals, document_of  # noqa: PLC0415  Imports NumPy.
    from pitbook.extras import require_extra  # noqa: PLC0415

    simulation_plan = _plan_of(sheet_of(sheet), ante, side, seats, strategy, seed)
    other_sheet = None if against is None else sheet_of(against)
    exact_plan = (
        simulation_plan
        if other_sheet is None
        else _plan_of(other_sheet, ante, side, seats, strategy, simulation_plan.seed)
    )
    pace = integer_of(hands_per_hour, "hands_per_hour")
    settings: dict[str, Any] = {
        "on": _require_backend(on, parquet),
        "workers": _cores(workers),
        "address": address,
    }
    settings["parquet"] = None if parquet is None else Path(parquet)
    require_extra("numba")
    run = Run(rounds_of(rounds), None if resume is None else Path(resume), settings)
    totals = run.play(simulation_plan)
    if run.interrupted:
        raise KeyboardInterrupt
    theory_check = check_totals(totals, exact_plan) if check or other_sheet is not None else None
    return _simulation(simulation_plan, document_of(run, totals, theory_check, hands_per_hour=pace))


def _require_backend(on: str, parquet: PictureFile) -> str:
    if on not in (backends := ("local", "ray", "gpu")):
        raise PitbookError(
            say("api.no-place", on=show_value(on), remedy=did_you_mean(str(on), backends))
        )
    if parquet is not None and on != "local":
        raise PitbookError(say("api.parquet-here"))
    return on


def _cores(workers: int | None) -> int | None:
    return None if workers is None else integer_of(workers, "workers")


def _simulation(simulation_plan: Plan, document: dict[str, Any]) -> Simulation:
    net, check_document = document["net"], document.get("check")
    return Simulation(
        sheet=document["sheet"],
        hash=document["hash"],
        rounds=document["rounds"],
        seed=simulation_plan.seed,
        mean=net["mean"],
        standard_error=net["standard_error"],
        standard_deviation=net["standard_deviation"],
        hold=document["hold"],
        outcomes=tuple(
            CountRow(wager, **row) for wager, rows in document["wagers"].items() for row in rows
        ),
        agrees=None if check_document is None else check_document["verdict"] == "agrees",
        _plan=simulation_plan,
        _document=document,
    )


class SessionEnd(NamedTuple):
    """One way for a session to end: its probability, and the mean number of rounds."""

    probability: float
    standard_error: float | None
    rounds: float | None
    hours: float | None


@dataclass(frozen=True, repr=False)
class SessionOutlook(Answer):
    """A bankroll's odds: how the session ends, and the final bankroll in dollars."""

    sheet: str
    hash: str
    method: str  # exact, computed or simulated.
    ends: Entries[str, SessionEnd]
    rounds: float
    final: float
    net: float
    standard_deviation: float
    _rules: Sheet
    _document: dict[str, Any] = field(compare=False)
    _outlook: Outlook = field(compare=False)

    @property
    def ruin(self) -> float:
        """The probability of being left with less than the next hand needs."""
        return self.ends["ruin"].probability

    def document(self) -> dict[str, Any]:
        """The result of `pitbook session --json`."""
        return deepcopy(self._document)

    def plot(self, file: PictureFile = None) -> Figure | Path:
        """The bankroll's fan chart by hour, as a .svg or .png file or as a Figure."""
        from pitbook.exact.plot_files import save_plot  # noqa: PLC0415

        def draw() -> Figure:
            from pitbook.simulation.sessions.plot import fan_plot  # noqa: PLC0415  Slow to import.

            return fan_plot(self._outlook)

        return save_plot(self._rules, draw, file)

    def _parts(self) -> Iterable[RenderableType]:
        from pitbook.cli.session import answer_parts  # noqa: PLC0415  Imports Rich.

        return answer_parts(self._rules, self._document)

    def __repr__(self) -> str:
        ends = ", ".join(f"{reason} {end.probability:.2%}" for reason, end in self.ends.items())
        return f"<session of {self.sheet}, {self.method}: {ends}; net {self.net:+.2f} dollars>"


def session(
    sheet: SomeSheet,
    bankroll: str,
    hours: float | str | Fraction,
    *,
    ante: str | None = None,
    side: Sides = None,
    hands_per_hour: int = 40,
    stop_loss: str | None = None,
    goal: str | None = None,
    strategy: str = "best",
    seats: int = 1,
    simulate: int | None = None,
    seed: int | None = None,
    workers: int | None = None,
) -> SessionOutlook:
    """What becomes of a player's bankroll in some hours, as `pitbook session` tells it.

    >>> outlook = session("catfish-bend/matchem-hi-lo", "90", 0.5, goal="60")
    >>> outlook.method, f"{outlook.ruin:.2%}"
    ('exact', '0.27%')
    """
    from pitbook.simulation.sessions.answer import document, find_outlook  # noqa: PLC0415
    from pitbook.simulation.sessions.session import session as session_of  # noqa: PLC0415

    rules = sheet_of(sheet)
    player_session = session_of(
        _plan_of(rules, ante, side, seats, strategy, seed),
        bankroll=dollars_of(bankroll, "bankroll"),
        hours=hours_of(hours),
        hands_per_hour=integer_of(hands_per_hour, "hands_per_hour"),
        stop_loss=ante_of(stop_loss, "stop_loss"),
        goal=ante_of(goal, "goal"),
    )
    sessions = None if simulate is None else rounds_of(simulate)
    outlook = find_outlook(player_session, simulate=sessions, workers=_cores(workers))
    return _outlook(rules, document(outlook), outlook)


def _outlook(rules: Sheet, document: Mapping[str, Any], outlook: Outlook) -> SessionOutlook:
    net = document["net"]
    return SessionOutlook(
        sheet=document["sheet"],
        hash=document["hash"],
        method=document["method"],
        ends=Entries(
            {reason: SessionEnd(**end) for reason, end in document["ends"].items() if end}
        ),
        rounds=document["rounds"],
        final=float(document["final"]["expected"]),
        net=float(net["expected"]),
        standard_deviation=float(net["standard_deviation"]),
        _rules=rules,
        _document=dict(document),
        _outlook=outlook,
    )


def _plan_of(  # noqa: PLR0917
    rules: Sheet, ante: str | None, side: Sides, seats: int, strategy: str, seed: int | None
) -> Plan:
    from pitbook.simulation.plan import plan  # noqa: PLC0415  Imports NumPy.

    return plan(
        rules,
        ante=ante_of(ante),
        side=sides_of(side),
        seats=integer_of(seats, "seats"),
        strategy=text_of(strategy, "strategy"),
        seed=secrets.randbits(32) if seed is None else integer_of(seed, "seed"),
    )
