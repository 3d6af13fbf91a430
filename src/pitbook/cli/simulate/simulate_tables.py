"""A simulation as a person reads it: the round, the hour, the caps, every outcome, the verdict."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rich.console import RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from pitbook.cli.common.numbers import percent, plain_table
from pitbook.cli.common.terminal import plain
from pitbook.cli.figures.math_tables import head, heading
from pitbook.english import counted
from pitbook.games import bind
from pitbook.money import dollars, spoken
from pitbook.sheets.aloud.words import listed, outcome
from pitbook.sheets.model import Sheet
from pitbook.wording.formats import averaged

__all__ = ["parts"]

INDENT = (0, 0, 0, 2)
STRANGE = 5  # Judgements that are shown, the strangest first.


def parts(sheet: Sheet, document: dict[str, Any], kept_in: Path | None) -> Iterator[RenderableType]:
    """The whole answer, part by part."""
    yield from head(sheet)
    yield plain(_assumed(sheet, document), "dim")
    if document["partial"]:
        yield plain(_partial(kept_in), "bold yellow")
    yield heading("A round")
    yield Padding(_round(document), INDENT)
    if document["caps"]["bites"]:
        yield heading("Caps that bit")
        yield _caps(document)
    game = bind(sheet)
    for wager, rows in document["wagers"].items():
        yield heading("Main game" if wager == "main" else game.wager_title(wager))
        yield _outcomes(rows)
    if "check" in document:
        yield heading("Against the exact figures")
        yield from _check(document["check"])


def _assumed(sheet: Sheet, document: dict[str, Any]) -> str:
    given, run = document["assumptions"], document["run"]
    seats = "one seat" if given["seats"] == 1 else f"{given['seats']} seats"
    side = [f"{sheet.side[one].title} {_spoken(at)}" for one, at in given["side"].items()]
    beside = f", {listed(side)}" if side else ""
    play = "best play" if given["strategy"] == "best" else f'strategy "{given["strategy"]}"'
    if given["mistakes"] != "0":
        play += f", wrong in {given['mistakes']} of all decisions"
    pace = f"; {run['rounds_per_second']:,} a second" if run["rounds_per_second"] else ""
    return (
        f"{counted(document['rounds'], 'round')}, seed {given['seed']}{pace}. "
        f"{seats.capitalize()}, {sheet.main_wager.title} {_spoken(given['ante'])}{beside}, {play}."
        + (f" {given['shoe']}" if "shoe" in given else "")
    )


def _partial(kept_in: Path | None) -> str:
    remedy = (
        f"the same command goes on from {kept_in}"
        if kept_in
        else "with --resume FILE a run can be stopped and goes on"
    )
    return f"Partial: stopped before the end; {remedy}."


def _round(document: dict[str, Any]) -> Table:
    net, hour = document["net"], document["hour"]
    shares = ", ".join(percent(net[name], 2) for name in ("win", "push", "lose"))
    quantiles = net["quantiles"]
    spread = ", ".join(
        f"{percent(float(share), 1 if float(share) in (0.001, 0.999) else 0)} {_spoken(amount)}"
        for share, amount in quantiles.items()
    )
    rows = [
        (
            "Players net",
            f"{_exact(net['mean'])} a round, give or take {_exact(net['standard_error'])}",
        ),
        ("Standard deviation", averaged(net["standard_deviation"], 2)),
        ("House holds", f"{percent(document['hold'])} of all that is staked"),
        (
            "A table-hour",
            f"the house wins {_exact(hour['house_wins'], 2)}, deviation "
            f"{averaged(hour['standard_deviation'], 2)}, at {counted(hour['hands'], 'round')}",
        ),
        ("Win, push, lose", shares),
        ("Quantiles", spread),
        ("Least and most", f"{_spoken(net['least'])} and {_spoken(net['most'])}"),
    ]
    grid = Table.grid(padding=(0, 3, 0, 0))
    grid.add_column(no_wrap=True, style="bold")
    grid.add_column(overflow="fold")
    for name, text in rows:
        grid.add_row(name, plain(text))
    return grid


def _caps(document: dict[str, Any]) -> Table:
    columns = ("Clause", "Times", "Due", "Paid", "Withheld")
    table = plain_table(*columns, right=columns[1:])
    for one in document["caps"]["bites"]:
        money = (_spoken(one[name]) for name in ("due", "paid", "withheld"))
        table.add_row(plain(f"  {one['clause']}"), f"{one['times']:,}", *money)
    return table


def _outcomes(rows: list[dict[str, Any]]) -> Table:
    varied = any(row["units"] != 1 for row in rows)
    columns = ("Outcome", *(("Units",) if varied else ()), "Odds", "Count", "Share")
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
    verdict = (
        f"Play {check['verdict']} with theory: luck strays so far in "
        f"{_chance(check['significance'])} of such checks; below {check['threshold']} is no luck."
    )
    yield Padding(plain(verdict, style), INDENT)
    if check["means"]:
        yield Text()
        yield _means(check["means"])
    yield Text()
    yield _chi_squares(check["chi_square"])
    yield Text()
    yield _strangest(check["outcomes"])
    for what, why in check["unknown"].items():
        yield Padding(plain(f"Not judged: {what}; {why}.", "dim"), INDENT)


def _means(rows: list[dict[str, Any]]) -> Table:
    columns = ("Seat", "Mean", "Expected", "z")
    table = plain_table(*columns, right=columns[1:])
    for one in rows:
        money = (_exact(one[name] / 100) for name in ("mean", "expected"))
        table.add_row(f"  {one['seat']}", *money, _score(one["z"]))
    return table


def _chi_squares(rows: list[dict[str, Any]]) -> Table:
    columns = ("Seat", "Wager", "Chi-square", "Freedom", "Chance")
    table = plain_table(*columns, right=columns[2:])
    for one in rows:
        table.add_row(
            f"  {one['seat']}",
            plain(one["wager"]),
            f"{one['statistic']:.1f}",
            f"{one['freedom']}",
            _chance(one["chance"]),
        )
    return table


def _strangest(rows: list[dict[str, Any]]) -> Table:
    table = plain_table(
        *("Strangest", "Seat", "Count", "Expected", "z"), right=("Seat", "Count", "Expected", "z")
    )
    for row in sorted(rows, key=lambda one: one["chance"])[:STRANGE]:
        units = f", {row['units']} units" if row["units"] != 1 else ""
        table.add_row(
            plain(f"  {row['wager']}: {_name(row)}{units}"),
            f"{row['seat']}",
            f"{row['count']:,}",
            f"{row['expected']:,.1f}",
            _score(row["z"]),
        )
    return table


def _name(row: dict[str, Any]) -> str:
    if row["outcome"] == "nothing":
        return "no paying hand"
    return outcome(row["outcome"])


def _score(z: float | None) -> str:
    return "impossible" if z is None else f"{z:+.2f}"


def _chance(share: float) -> str:
    return f"{share:.3f}" if share >= 0.0005 else f"{share:.1e}"


def _spoken(text: str) -> str:
    if text.startswith("-"):
        return f"-{spoken(dollars(text[1:]))}"
    return spoken(dollars(text))


def _exact(value: float, digits: int = 4) -> str:
    return averaged(value, digits)
