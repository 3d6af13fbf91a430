"""Play at scale: the answers of `pitbook simulate` and `pitbook session`."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

from pitbook.api.answers import Answer, PictureFile, drawn
from pitbook.api.arguments import (
    Sides,
    SomeSheet,
    ante_of,
    dollars_of,
    hours_of,
    rounds_of,
    sheet_of,
    sides_of,
    text_of,
    whole,
)
from pitbook.api.rounds import SettledRound, settle
from pitbook.errors import PitbookError
from pitbook.sheets.findings import did_you_mean, show_value
from pitbook.sheets.model import Sheet
from pitbook.sheets.values import Entries
from pitbook.text import say

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from rich.console import RenderableType

    from pitbook.simulate.plan import Plan
    from pitbook.simulate.sessions.session import Outlook

Where: TypeAlias = Literal["local", "ray", "gpu"]


@dataclass(frozen=True, slots=True)
class CountRow:
    """How often a wager came to an outcome, at all seats together."""

    wager: str
    outcome: str
    units: int
    result: str
    odds: str | None
    count: int
    share: float


@dataclass(frozen=True, repr=False)
class Simulation(Answer):
    """Rounds by the million: what they came to in dollars, what came how often, and the verdict."""

    sheet: str
    hash: str
    rounds: int
    seed: int
    mean: float  # Of all seats' net a round.
    standard_error: float
    standard_deviation: float
    hold: float  # The house's share of all that was staked.
    outcomes: tuple[CountRow, ...]
    agrees: bool | None  # With the exact figures, where that was to be checked.
    _plan: Plan
    _told: dict[str, Any] = field(compare=False)

    def round(self, number: int) -> SettledRound:
        """One of the rounds, from 0 on, dealt again and settled line by line."""
        from pitbook.simulate.replay import round_document  # noqa: PLC0415

        if whole(number, "round") < 0:
            raise PitbookError(say("api.from-zero", number=number))
        return settle(round_document(self._plan, number), sheet=self._plan.sheet)

    def document(self) -> dict[str, Any]:
        """What `pitbook simulate --json` answers."""
        return deepcopy(self._told)

    def _parts(self) -> Iterable[RenderableType]:
        from pitbook.cli.simulate import parts  # noqa: PLC0415  It brings Rich.

        return parts(self._plan.sheet, self._told, None)

    def _game(self) -> Sheet:
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
    from pitbook.cli.simulate import Run, document_of, judged_by  # noqa: PLC0415  It brings NumPy.
    from pitbook.extras import require_extra  # noqa: PLC0415

    asked = _planned(sheet_of(sheet), ante, side, seats, strategy, seed)
    other = None if against is None else sheet_of(against)
    exact = asked if other is None else _planned(other, ante, side, seats, strategy, asked.seed)
    pace = whole(hands_per_hour, "hands_per_hour")
    settings: dict[str, Any] = {
        "on": _where(on, parquet),
        "workers": _cores(workers),
        "address": address,
    }
    settings["parquet"] = None if parquet is None else Path(parquet)
    require_extra("numba")
    run = Run(rounds_of(rounds), None if resume is None else Path(resume), settings)
    totals = run.play(asked)
    if run.interrupted:
        raise KeyboardInterrupt
    judged = judged_by(totals, exact) if check or other is not None else None
    return _simulation(asked, document_of(run, totals, judged, hands_per_hour=pace))


def _where(on: str, parquet: PictureFile) -> str:
    if on not in (known := ("local", "ray", "gpu")):
        raise PitbookError(
            say("api.no-place", on=show_value(on), remedy=did_you_mean(str(on), known))
        )
    if parquet is not None and on != "local":
        raise PitbookError(say("api.parquet-here"))
    return on


def _cores(workers: int | None) -> int | None:
    return None if workers is None else whole(workers, "workers")


def _simulation(asked: Plan, told: dict[str, Any]) -> Simulation:
    net, judged = told["net"], told.get("check")
    return Simulation(
        sheet=told["sheet"],
        hash=told["hash"],
        rounds=told["rounds"],
        seed=asked.seed,
        mean=net["mean"],
        standard_error=net["standard_error"],
        standard_deviation=net["standard_deviation"],
        hold=told["hold"],
        outcomes=tuple(
            CountRow(wager, **row) for wager, rows in told["wagers"].items() for row in rows
        ),
        agrees=None if judged is None else judged["verdict"] == "agrees",
        _plan=asked,
        _told=told,
    )


class SessionEnd(NamedTuple):
    """One way for a session to end: how likely it is, and after how many rounds on average."""

    probability: float
    standard_error: float | None
    rounds: float | None
    hours: float | None


@dataclass(frozen=True, repr=False)
class SessionOutlook(Answer):
    """A bankroll's odds: how the session ends, and what is left, in dollars."""

    sheet: str
    hash: str
    method: str  # exact, computed or simulated.
    ends: Entries[str, SessionEnd]
    rounds: float
    final: float
    net: float
    standard_deviation: float
    _rules: Sheet
    _told: dict[str, Any] = field(compare=False)
    _outlook: Outlook = field(compare=False)

    @property
    def ruin(self) -> float:
        """The probability that what is left takes no further hand to its showdown."""
        return self.ends["ruin"].probability

    def document(self) -> dict[str, Any]:
        """What `pitbook session --json` answers."""
        return deepcopy(self._told)

    def plot(self, file: PictureFile = None) -> Figure | Path:
        """The fan of the bankroll hour by hour: in a .svg or .png file, or as a Figure."""
        from pitbook.simulate.sessions.plot import fan_plot  # noqa: PLC0415  It brings matplotlib.

        return drawn(lambda: fan_plot(self._outlook), file)

    def _parts(self) -> Iterable[RenderableType]:
        from pitbook.cli.session import parts  # noqa: PLC0415  It brings Rich.

        return parts(self._rules, self._told)

    def __repr__(self) -> str:
        ends = ", ".join(f"{how} {one.probability:.2%}" for how, one in self.ends.items())
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
    from pitbook.simulate.sessions.answer import answer, document  # noqa: PLC0415
    from pitbook.simulate.sessions.session import session as session_of  # noqa: PLC0415

    rules = sheet_of(sheet)
    asked = session_of(
        _planned(rules, ante, side, seats, strategy, seed),
        bankroll=dollars_of(bankroll, "bankroll"),
        hours=hours_of(hours),
        hands_per_hour=whole(hands_per_hour, "hands_per_hour"),
        stop_loss=ante_of(stop_loss, "stop_loss"),
        goal=ante_of(goal, "goal"),
    )
    many = None if simulate is None else rounds_of(simulate)
    outlook = answer(asked, simulate=many, workers=_cores(workers))
    return _outlook(rules, document(outlook), outlook)


def _outlook(rules: Sheet, told: Mapping[str, Any], outlook: Outlook) -> SessionOutlook:
    net = told["net"]
    return SessionOutlook(
        sheet=told["sheet"],
        hash=told["hash"],
        method=told["method"],
        ends=Entries({how: SessionEnd(**end) for how, end in told["ends"].items() if end}),
        rounds=told["rounds"],
        final=float(told["final"]["expected"]),
        net=float(net["expected"]),
        standard_deviation=float(net["standard_deviation"]),
        _rules=rules,
        _told=dict(told),
        _outlook=outlook,
    )


def _planned(  # noqa: PLR0917
    rules: Sheet, ante: str | None, side: Sides, seats: int, strategy: str, seed: int | None
) -> Plan:
    from pitbook.simulate.plan import plan  # noqa: PLC0415  It brings NumPy.

    return plan(
        rules,
        ante=ante_of(ante),
        side=sides_of(side),
        seats=whole(seats, "seats"),
        strategy=text_of(strategy, "strategy"),
        seed=secrets.randbits(32) if seed is None else whole(seed, "seed"),
    )
