"""`pitbook simulate`: millions of rounds, checked against the exact figures."""

from __future__ import annotations

import re
import secrets
import sys
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from pitbook.cli.commands import command
from pitbook.cli.interrupts import INTERRUPTED, allow_final_output
from pitbook.cli.language import format_average, format_money, localize
from pitbook.cli.math import head, heading
from pitbook.cli.options import (
    Folders,
    Json,
    SheetName,
    Sides,
    StakedAnte,
    Strategy,
    ante_of,
    load_sheet,
    sides_of,
)
from pitbook.cli.output import emit, examples
from pitbook.cli.render import percent, plain, plain_table
from pitbook.errors import PitbookError
from pitbook.money import dollars
from pitbook.rules.game import compile_game
from pitbook.sheets.model import Sheet
from pitbook.sheets.words import outcome
from pitbook.text import Sentence, say

if TYPE_CHECKING:
    from pitbook.simulation.check import TheoryCheck
    from pitbook.simulation.plan import Plan
    from pitbook.simulation.totals import Totals


app = command()

FINDING = 1
SAVE_INTERVAL_S = 60  # Seconds between saves.
_ROUNDS = re.compile(
    r"[0-9]+|[0-9]{1,3}(?:,[0-9]{3})+|[0-9]{1,3}(?:_[0-9]{3})+|[0-9]+(?:\.[0-9]+)?e[0-9]{1,2}",
    re.IGNORECASE,
)


class BackendChoice(StrEnum):
    """Where rounds are played."""

    LOCAL = "local"
    RAY = "ray"
    GPU = "gpu"


@app.command(
    epilog=examples(
        "pitbook simulate catfish-bend/mississippi-stud --rounds 1e8 --check",
        "pitbook simulate catfish-bend/mississippi-stud --seats 6 --ante 100",
        "pitbook simulate catfish-bend/matchem-hi-lo --strategy best:0.05 --seed 7",
        "pitbook simulate louisiana-stud/standard --side stax=5 --resume night.json",
        "pitbook simulate oceanfront/mississippi-stud --seed 7 --round 41",
    )
)
def simulate(
    sheet: SheetName,
    *,
    rounds: Annotated[
        str, typer.Option(metavar="N", help="Number of rounds: 1000000, 1_000_000 or 1e6.")
    ] = "1e7",
    seats: Annotated[
        int, typer.Option(metavar="N", help="Number of seats; all bet and play alike.")
    ] = 1,
    ante: StakedAnte = None,
    side: Sides = None,
    strategy: Strategy = "best",
    seed: Annotated[
        int | None, typer.Option(metavar="N", help="Seed; the same seed deals the same rounds.")
    ] = None,
    on: Annotated[
        BackendChoice, typer.Option(help="Run on this machine, a Ray cluster or a GPU.")
    ] = BackendChoice.LOCAL,
    workers: Annotated[
        int | None, typer.Option(metavar="N", help="Number of cores; all by default.")
    ] = None,
    address: Annotated[
        str | None, typer.Option(metavar="A", help="Address of the Ray cluster, such as host:6379.")
    ] = None,
    hands_per_hour: Annotated[
        int, typer.Option(metavar="N", min=1, max=10_000, help="Rounds dealt per hour.")
    ] = 40,
    check: Annotated[
        bool,
        typer.Option(
            "--check", help="Compare every figure with the exact one; exit code 1 if one is off."
        ),
    ] = False,
    against: Annotated[
        str | None,
        typer.Option(metavar="SHEET", help="Compare with the exact figures of this sheet."),
    ] = None,
    resume: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Continue from this file and save progress to it."),
    ] = None,
    parquet: Annotated[
        str | None,
        typer.Option(metavar="DIR", help="Write every round to Parquet files in this folder."),
    ] = None,
    number: Annotated[
        int | None,
        typer.Option("--round", metavar="N", min=0, help="Only print round N as a round file."),
    ] = None,
    folder: Folders = None,
    json: Json = False,
) -> None:
    """Simulate rounds: results, limits that applied, and how often each hand occurred.

    The same seed gives the same totals on one core, a cluster or a GPU. Ctrl-C prints the results
    so far; with --resume a later run continues from there.
    """
    from pitbook.simulation.plan import plan  # noqa: PLC0415  Imports NumPy.

    stake, stakes = ante_of(ante), sides_of(side)
    seed_used = secrets.randbits(32) if seed is None else seed

    def plan_for(name: str) -> Plan:
        rules = load_sheet(name, folder)
        return plan(rules, ante=stake, side=stakes, seats=seats, strategy=strategy, seed=seed_used)

    simulation_plan = plan_for(sheet)
    if number is not None:
        from pitbook.simulation.replay import round_document  # noqa: PLC0415

        emit(round_document(simulation_plan, number, sheet))
        return
    other_plan = None if against is None else plan_for(against)
    if parquet is not None and on is not BackendChoice.LOCAL:
        raise PitbookError(say("cli.parquet-here"))
    from pitbook.extras import require_extra  # noqa: PLC0415

    require_extra("numba")
    settings = {
        "on": on.value,
        "workers": workers,
        "address": address,
        "parquet": Path(parquet) if parquet else None,
    }
    run = Run(parse_rounds(rounds), Path(resume) if resume else None, settings)
    totals = run.play(simulation_plan)
    theory_check = None
    if (check or other_plan is not None) and totals.rounds:
        theory_check = check_totals(totals, other_plan or simulation_plan)
    _print_answer(run, totals, theory_check, hands_per_hour=hands_per_hour, as_json=json)
    if run.interrupted:
        raise typer.Exit(INTERRUPTED)
    if theory_check is not None and not theory_check.agrees:
        raise typer.Exit(FINDING)


def check_totals(totals: Totals, exact_plan: Plan) -> TheoryCheck:
    """Check totals against the exact figures of a plan."""
    from pitbook.simulation.check import check, expected  # noqa: PLC0415

    return check(totals, expected(exact_plan))


def document_of(
    run: Run, totals: Totals, theory_check: TheoryCheck | None, *, hands_per_hour: int
) -> dict[str, Any]:
    """A simulation as JSON."""
    from pitbook.simulation.totals import summary  # noqa: PLC0415

    document = summary(totals, hands_per_hour=hands_per_hour)
    document["partial"] = totals.rounds < run.rounds
    document["run"] = run.document()
    if theory_check is not None:
        document["check"] = theory_check.document()
    return document


class Run:
    """One run: its length, its save file and its result."""

    def __init__(self, rounds: int, save_file: Path | None, settings: dict[str, Any]) -> None:
        self.rounds, self.save_file, self.settings = rounds, save_file, settings
        self.interrupted = False
        self.rounds_played, self.seconds = 0, 0.0
        self._saved_at = monotonic()

    def play(self, simulation_plan: Plan) -> Totals:
        """Play the missing rounds; after an interruption the totals hold what was finished."""
        from pitbook.cli.progress import progress  # noqa: PLC0415  Imports Rich.
        from pitbook.simulation.job import Job  # noqa: PLC0415
        from pitbook.simulation.prepare import expect_strategy, ready  # noqa: PLC0415
        from pitbook.simulation.run import load_totals, play_on  # noqa: PLC0415
        from pitbook.simulation.totals import Totals  # noqa: PLC0415

        expect_strategy(simulation_plan, self.rounds)
        ready_plan = ready(simulation_plan)
        totals = load_totals(self.save_file, ready_plan) if self.save_file else Totals(ready_plan)
        self._save(totals, last=True)  # Fail before playing if the file cannot be written.
        if self.settings["on"] == BackendChoice.LOCAL and isinstance(ready_plan.job, Job):
            ready_plan.job.play(0, 1)  # Compile the kernels before timing starts.
        before, began = totals.rounds, monotonic()
        try:
            with progress(self.rounds, before) as show_progress:

                def on_progress(current: Totals) -> None:
                    show_progress(current.rounds)
                    self._save(current)

                play_on(totals, self.rounds, on_progress=on_progress, **self.settings)
        except KeyboardInterrupt:
            allow_final_output()
            self.interrupted = True
        self.rounds_played, self.seconds = totals.rounds - before, monotonic() - began
        self._save(totals, last=True)
        return totals

    def _save(self, totals: Totals, *, last: bool = False) -> None:
        if self.save_file and (last or monotonic() - self._saved_at > SAVE_INTERVAL_S):
            from pitbook.simulation.run import save_totals  # noqa: PLC0415

            save_totals(self.save_file, totals)
            self._saved_at = monotonic()

    def document(self) -> dict[str, Any]:
        """The run as JSON."""
        return {
            "on": self.settings["on"],
            "rounds": self.rounds_played,
            "seconds": round(self.seconds, 3),
            "rounds_per_second": round(self.rounds_played / self.seconds) if self.seconds else None,
        }


def _print_answer(
    run: Run,
    totals: Totals,
    theory_check: TheoryCheck | None,
    *,
    hands_per_hour: int,
    as_json: bool,
) -> None:
    if not totals.rounds:
        if as_json:
            emit({"rounds": 0, "partial": True})
        print(f"pitbook: {localize(say('cli.simulate.nothing'))}", file=sys.stderr)
        return
    document = document_of(run, totals, theory_check, hands_per_hour=hands_per_hour)
    if as_json:
        emit(document)
        return
    from pitbook.cli.render import console, show  # noqa: PLC0415

    show(console(), answer_parts(totals.ready.plan.sheet, document, run.save_file))


def parse_rounds(text: str) -> int:
    if not _ROUNDS.fullmatch(text):
        raise typer.BadParameter(
            localize(say("cli.simulate.no-rounds", text=text)),
            param_hint="--rounds",
        )
    from fractions import Fraction  # noqa: PLC0415

    number = Fraction(text.replace(",", "").replace("_", ""))
    if number.denominator != 1:
        raise typer.BadParameter(
            localize(say("cli.simulate.no-whole", text=text)), param_hint="--rounds"
        )
    return int(number)


INDENT = (0, 0, 0, 2)
OUTLIERS_SHOWN = 5  # Tests shown, least likely first.


def answer_parts(
    sheet: Sheet, document: dict[str, Any], save_file: Path | None
) -> Iterator[RenderableType]:
    """The parts of the printed answer."""
    yield from head(sheet)
    yield plain(_describe_assumptions(sheet, document), "dim")
    if document["partial"]:
        yield plain(_partial_note(save_file), "bold yellow")
    yield heading(say("cli.simulate.part", part="round"))
    yield Padding(_round(document), INDENT)
    if document["caps"]["bites"]:
        yield heading(say("cli.simulate.part", part="caps"))
        yield _caps(document)
    game = compile_game(sheet)
    for wager, rows in document["wagers"].items():
        yield heading(say("cli.math.main") if wager == "main" else game.wager_title(wager))
        yield _outcomes(rows)
    if "check" in document:
        yield heading(say("cli.simulate.part", part="check"))
        yield from _check(document["check"])


def _describe_assumptions(sheet: Sheet, document: dict[str, Any]) -> Sentence:
    assumptions, pace = document["assumptions"], document["run"]["rounds_per_second"]
    run = say(
        "cli.simulate.run", rounds=document["rounds"], seed=assumptions["seed"], pace=pace or 0
    )
    stakes_by_title = {sheet.main_wager.title: assumptions["ante"]}
    stakes_by_title |= {
        sheet.side[wager].title: stake for wager, stake in assumptions["side"].items()
    }
    stakes = tuple(
        say("cli.math.side", title=title, stake=dollars(stake))
        for title, stake in stakes_by_title.items()
    )
    play = say("cli.simulate.play", play=assumptions["strategy"], mistakes=assumptions["mistakes"])
    fields = {"seats": assumptions["seats"], "main": stakes[0], "sides": stakes[1:], "play": play}
    table = say("cli.simulate.table", **fields, beside=len(stakes) - 1)
    return say(
        "cli.math.told",
        told=(run, table, *([assumptions["shoe"]] if "shoe" in assumptions else [])),
    )


def _partial_note(save_file: Path | None) -> Sentence:
    if save_file:
        return say("cli.simulate.goes-on", file=str(save_file))
    return say("cli.simulate.stopped")


def _round(document: dict[str, Any]) -> Table:
    net, hour = document["net"], document["hour"]
    shares = ", ".join(percent(net[name], 2) for name in ("win", "push", "lose"))
    quantiles = net["quantiles"]
    spread = ", ".join(
        f"{percent(float(share), 1 if float(share) in (0.001, 0.999) else 0)} {_money_text(amount)}"
        for share, amount in quantiles.items()
    )
    rows = [
        (
            "net",
            say(
                "cli.simulate.net",
                mean=_average_text(net["mean"]),
                error=_average_text(net["standard_error"]),
            ),
        ),
        ("deviation", format_average(net["standard_deviation"], 2)),
        ("holds", say("cli.simulate.holds", share=percent(document["hold"]))),
        (
            "hour",
            say(
                "cli.simulate.hour",
                wins=_average_text(hour["house_wins"], 2),
                deviation=format_average(hour["standard_deviation"], 2),
                rounds=hour["hands"],
            ),
        ),
        ("results", shares),
        ("quantiles", spread),
        (
            "ends",
            say(
                "cli.simulate.ends", least=_money_text(net["least"]), most=_money_text(net["most"])
            ),
        ),
    ]
    grid = Table.grid(padding=(0, 3, 0, 0))
    grid.add_column(no_wrap=True, style="bold")
    grid.add_column(overflow="fold")
    for name, text in rows:
        grid.add_row(localize(say("cli.simulate.figure", figure=name)), plain(text))
    return grid


def _caps(document: dict[str, Any]) -> Table:
    columns = _columns("clause", "times", "due", "paid", "withheld")
    table = plain_table(*columns, right=columns[1:])
    for cap in document["caps"]["bites"]:
        money = (_money_text(cap[name]) for name in ("due", "paid", "withheld"))
        table.add_row(plain(f"  {cap['clause']}"), f"{cap['times']:,}", *money)
    return table


def _outcomes(rows: list[dict[str, Any]]) -> Table:
    varied = any(row["units"] != 1 for row in rows)
    columns = _columns("outcome", *(("units",) if varied else ()), "odds", "count", "share")
    table = plain_table(*columns, right=columns[1:])
    for row in rows:
        share = row["share"]
        table.add_row(
            plain(f"  {_name(row)}"),
            *([f"{row['units']}"] if varied else []),
            row["odds"] or row["result"],
            f"{row['count']:,}",
            f"{share:.2e}" if share < 0.00005 else f"{share:.6f}",
        )
    return table


def _check(check: dict[str, Any]) -> Iterator[RenderableType]:
    style = "bold green" if check["verdict"] == "agrees" else "bold red"
    verdict = say(
        "cli.simulate.verdict",
        verdict=check["verdict"],
        chance=_chance(check["significance"]),
        threshold=check["threshold"],
    )
    yield Padding(plain(verdict, style), INDENT)
    if check["means"]:
        yield Text()
        yield _means(check["means"])
    yield Text()
    yield _chi_squares(check["chi_square"])
    yield Text()
    yield _outliers(check["outcomes"])
    for subject, reason in check["unknown"].items():
        yield Padding(
            plain(say("cli.simulate.not-judged", what=subject, why=reason), "dim"), INDENT
        )


def _columns(*names: str) -> tuple[str, ...]:
    return tuple(localize(say("cli.simulate.column", column=column)) for column in names)


def _means(rows: list[dict[str, Any]]) -> Table:
    columns = _columns("seat", "mean", "expected", "z")
    table = plain_table(*columns, right=columns[1:])
    for row in rows:
        money = (_average_text(row[name] / 100) for name in ("mean", "expected"))
        table.add_row(f"  {row['seat']}", *money, _score(row["z"]))
    return table


def _chi_squares(rows: list[dict[str, Any]]) -> Table:
    columns = _columns("seat", "wager", "chi-square", "freedom", "chance")
    table = plain_table(*columns, right=columns[2:])
    for row in rows:
        table.add_row(
            f"  {row['seat']}",
            plain(row["wager"]),
            f"{row['statistic']:.1f}",
            f"{row['freedom']}",
            _chance(row["chance"]),
        )
    return table


def _outliers(rows: list[dict[str, Any]]) -> Table:
    columns = _columns("strangest", "seat", "count", "expected", "z")
    table = plain_table(*columns, right=columns[1:])
    for row in sorted(rows, key=lambda outlier: outlier["chance"])[:OUTLIERS_SHOWN]:
        fields = {"wager": row["wager"], "outcome": _name(row), "units": row["units"]}
        table.add_row(
            plain(f"  {localize(say('cli.simulate.strange', **fields))}"),
            f"{row['seat']}",
            f"{row['count']:,}",
            f"{row['expected']:,.1f}",
            _score(row["z"]),
        )
    return table


def _name(row: dict[str, Any]) -> str:
    nothing = row["outcome"] == "nothing"
    return localize(say("cli.math.nothing") if nothing else outcome(row["outcome"]))


def _score(z: float | None) -> str:
    return localize(say("cli.simulate.impossible")) if z is None else f"{z:+.2f}"


def _chance(share: float) -> str:
    return f"{share:.3f}" if share >= 0.0005 else f"{share:.1e}"


def _money_text(text: str) -> str:
    if text.startswith("-"):
        return f"-{format_money(dollars(text[1:]))}"
    return format_money(dollars(text))


def _average_text(value: float, digits: int = 4) -> str:
    return format_average(value, digits)
