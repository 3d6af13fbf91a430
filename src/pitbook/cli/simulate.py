"""`pitbook simulate`: millions of rounds, checked against the exact figures."""

from __future__ import annotations

import re
import secrets
import sys
from collections.abc import Iterator, Sequence
from enum import StrEnum
from fractions import Fraction
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from pitbook.cli.interrupts import INTERRUPTED, allow_final_output
from pitbook.cli.language import format_average, format_dollars, localize
from pitbook.cli.lazy_commands import command
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
from pitbook.cli.plain_output import emit, examples
from pitbook.cli.progress import progress
from pitbook.cli.rich_output import percent, plain, plain_table
from pitbook.errors import PitbookError
from pitbook.extras import require_extra
from pitbook.rules.game import compile_game
from pitbook.sheets.assumptions import assumed_pays, mark_assumption
from pitbook.sheets.phrases import outcome, simulation_shoe_note
from pitbook.text import Sentence, say

if TYPE_CHECKING:
    from pitbook.simulation.answer import CountRow, LimitCount, Simulation
    from pitbook.simulation.compare_with_exact import MeanTest, OutcomeTest, TableTest, TheoryCheck
    from pitbook.simulation.plan import Plan


app = command()

FINDING = 1
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
    require_extra("numba")
    from pitbook.simulation.answer import Run, check_totals, simulation_answer  # noqa: PLC0415

    run = Run(
        parse_rounds(rounds),
        on=on.value,
        workers=workers,
        address=address,
        save_file=Path(resume) if resume else None,
        parquet=Path(parquet) if parquet else None,
    )
    totals = run.play(simulation_plan, progress, on_interrupt=allow_final_output)
    theory_check = None
    if (check or other_plan is not None) and totals.rounds:
        theory_check = check_totals(totals, other_plan or simulation_plan)
    if totals.rounds:
        _print_answer(
            simulation_answer(
                totals, hands_per_hour=hands_per_hour, run=run, theory_check=theory_check
            ),
            as_json=json,
        )
    else:
        _print_no_rounds(as_json=json)
    if run.interrupted:
        raise typer.Exit(INTERRUPTED)
    if theory_check is not None and not theory_check.agrees:
        raise typer.Exit(FINDING)


def _print_no_rounds(*, as_json: bool) -> None:
    if as_json:
        emit({"rounds": 0, "partial": True})
    print(f"pitbook: {localize(say('cli.simulate.nothing'))}", file=sys.stderr)


def _print_answer(simulation: Simulation, *, as_json: bool) -> None:
    if as_json:
        emit(simulation.document())
        return
    from pitbook.cli.rich_output import console, show  # noqa: PLC0415

    show(console(), answer_parts(simulation))


def parse_rounds(text: str) -> int:
    if not _ROUNDS.fullmatch(text):
        raise typer.BadParameter(
            localize(say("cli.simulate.no-rounds", text=text)),
            param_hint="--rounds",
        )
    number = Fraction(text.replace(",", "").replace("_", ""))
    if number.denominator != 1:
        raise typer.BadParameter(
            localize(say("cli.simulate.no-whole", text=text)), param_hint="--rounds"
        )
    return int(number)


INDENT = (0, 0, 0, 2)
OUTLIERS_SHOWN = 5  # Tests shown, least likely first.
EXTREMES = (Fraction(1, 1000), Fraction(999, 1000))
RARE = Fraction(5, 100_000)


def answer_parts(simulation: Simulation) -> Iterator[RenderableType]:
    """The parts of the printed answer."""
    sheet = simulation.plan.sheet
    yield from head(sheet)
    yield plain(_describe_assumptions(simulation), "dim")
    if simulation.partial:
        save_file = None if simulation.run is None else simulation.run.save_file
        yield plain(_partial_note(save_file), "bold yellow")
    yield heading(say("cli.simulate.part", part="round"))
    yield Padding(_round(simulation), INDENT)
    if simulation.limits:
        yield heading(say("cli.simulate.part", part="caps"))
        yield _limits(simulation.limits)
    game = compile_game(sheet)
    for wager, rows in groupby(simulation.outcomes, key=lambda row: row.wager):
        title = say("cli.math.main") if wager == "main" else game.wager_title(wager)
        table = wager if wager in sheet.side else "main"
        yield heading(mark_assumption(title, assumed_pays(sheet, table)))
        yield _outcomes(list(rows))
    if simulation.check is not None:
        yield heading(say("cli.simulate.part", part="check"))
        yield from _check(simulation.check)


def _describe_assumptions(simulation: Simulation) -> Sentence:
    plan, run = simulation.plan, simulation.run
    sheet, pace = plan.sheet, None if run is None else run.rounds_per_second
    run_text = say(
        "cli.simulate.run", rounds=simulation.rounds, seed=simulation.seed, pace=pace or 0
    )
    stakes_by_title = {sheet.main_wager.title: plan.ante}
    stakes_by_title |= {sheet.side[wager].title: stake for wager, stake in plan.side}
    stakes = tuple(
        say("cli.math.side", title=title, stake=stake) for title, stake in stakes_by_title.items()
    )
    mistakes = str(plan.strategy.mistakes)
    play = say("cli.simulate.play", play=plan.strategy.name, mistakes=mistakes)
    fields = {"seats": plan.seats, "main": stakes[0], "sides": stakes[1:], "play": play}
    table = say("cli.simulate.table", **fields, beside=len(stakes) - 1)
    shoe_note = simulation_shoe_note(sheet)
    notes = (run_text, table, *([] if shoe_note is None else [shoe_note]))
    return say("cli.math.told", told=notes)


def _partial_note(save_file: Path | None) -> Sentence:
    if save_file:
        return say("cli.simulate.goes-on", file=str(save_file))
    return say("cli.simulate.stopped")


def _round(simulation: Simulation) -> Table:
    shares = (simulation.win, simulation.push, simulation.lose)
    spread = ", ".join(
        f"{percent(share, 1 if share in EXTREMES else 0)} {format_dollars(amount)}"
        for share, amount in simulation.quantiles.items()
    )
    rows = [
        (
            "net",
            say(
                "cli.simulate.net",
                mean=_average_text(simulation.mean),
                error=_average_text(simulation.standard_error),
            ),
        ),
        ("deviation", format_average(simulation.standard_deviation, 2)),
        ("holds", say("cli.simulate.holds", share=percent(simulation.hold))),
        (
            "hour",
            say(
                "cli.simulate.hour",
                wins=_average_text(simulation.house_wins_per_hour, 2),
                deviation=format_average(simulation.deviation_per_hour, 2),
                rounds=simulation.hands_per_hour,
            ),
        ),
        ("results", ", ".join(percent(share, 2) for share in shares)),
        ("quantiles", spread),
        (
            "ends",
            say(
                "cli.simulate.ends",
                least=format_dollars(simulation.least),
                most=format_dollars(simulation.most),
            ),
        ),
    ]
    grid = Table.grid(padding=(0, 3, 0, 0))
    grid.add_column(no_wrap=True, style="bold")
    grid.add_column(overflow="fold")
    for name, text in rows:
        grid.add_row(localize(say("cli.simulate.figure", figure=name)), plain(text))
    return grid


def _limits(limits: Sequence[LimitCount]) -> Table:
    columns = _columns("clause", "times", "due", "paid", "withheld")
    table = plain_table(*columns, right=columns[1:])
    for limit in limits:
        amounts = map(format_dollars, (limit.due, limit.paid, limit.withheld))
        table.add_row(plain(f"  {limit.clause}"), f"{limit.times:,}", *amounts)
    return table


def _outcomes(rows: Sequence[CountRow]) -> Table:
    varied = any(row.units != 1 for row in rows)
    columns = _columns("outcome", *(("units",) if varied else ()), "odds", "count", "share")
    table = plain_table(*columns, right=columns[1:])
    for row in rows:
        table.add_row(
            plain(f"  {_name(row.outcome)}"),
            *([f"{row.units}"] if varied else []),
            str(row.odds) if row.odds else row.result,
            f"{row.count:,}",
            f"{float(row.share):.2e}" if row.share < RARE else f"{float(row.share):.6f}",
        )
    return table


def _check(check: TheoryCheck) -> Iterator[RenderableType]:
    verdict = say(
        "cli.simulate.verdict",
        verdict="agrees" if check.agrees else "disagrees",
        chance=_format_chance(check.significance),
        threshold=check.threshold,
    )
    yield Padding(plain(verdict, "bold green" if check.agrees else "bold red"), INDENT)
    if check.means:
        yield Text()
        yield _means(check.means)
    yield Text()
    yield _chi_squares(check.tables)
    yield Text()
    yield _outliers(check.outcomes)
    for subject, reason in check.unknown.items():
        yield Padding(
            plain(say("cli.simulate.not-judged", what=subject, why=reason), "dim"), INDENT
        )


def _columns(*names: str) -> tuple[str, ...]:
    return tuple(localize(say("cli.simulate.column", column=column)) for column in names)


def _means(tests: Sequence[MeanTest]) -> Table:
    columns = _columns("seat", "mean", "expected", "z")
    table = plain_table(*columns, right=columns[1:])
    for test in tests:
        means = (_average_text(cents / 100) for cents in (test.mean, test.expected))
        table.add_row(f"  {test.seat}", *means, _score(test.z))
    return table


def _chi_squares(tests: Sequence[TableTest]) -> Table:
    columns = _columns("seat", "wager", "chi-square", "freedom", "chance")
    table = plain_table(*columns, right=columns[2:])
    for test in tests:
        table.add_row(
            f"  {test.seat}",
            plain(test.wager),
            f"{test.statistic:.1f}",
            f"{test.freedom}",
            _format_chance(test.chance),
        )
    return table


def _outliers(tests: Sequence[OutcomeTest]) -> Table:
    columns = _columns("strangest", "seat", "count", "expected", "z")
    table = plain_table(*columns, right=columns[1:])
    for test in sorted(tests, key=lambda test: test.chance)[:OUTLIERS_SHOWN]:
        row = test.outcome
        fields = {"wager": row.wager, "outcome": _name(row.outcome), "units": row.units}
        table.add_row(
            plain(f"  {localize(say('cli.simulate.strange', **fields))}"),
            f"{test.seat}",
            f"{test.count:,}",
            f"{test.expected:,.1f}",
            _score(test.z),
        )
    return table


def _name(outcome_name: str) -> str:
    nothing = outcome_name == "nothing"
    return localize(say("cli.math.nothing") if nothing else outcome(outcome_name))


def _score(z: float | None) -> str:
    return localize(say("cli.simulate.impossible")) if z is None else f"{z:+.2f}"


def _format_chance(share: float) -> str:
    return f"{share:.3f}" if share >= 0.0005 else f"{share:.1e}"


def _average_text(value: Fraction | float, digits: int = 4) -> str:
    return format_average(float(value), digits)
