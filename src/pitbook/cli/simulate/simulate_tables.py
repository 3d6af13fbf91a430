"""A simulation as a person reads it: the round, the hour, the caps, every outcome, the verdict."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rich.console import RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from pitbook.cli.common.language import average_told, money_told, worded
from pitbook.cli.common.numbers import percent, plain_table
from pitbook.cli.common.terminal import plain
from pitbook.cli.figures.math_tables import head, heading
from pitbook.money import dollars
from pitbook.rules.game import compile_game
from pitbook.sheets.aloud.words import outcome
from pitbook.sheets.model import Sheet
from pitbook.text import Sentence, say

INDENT = (0, 0, 0, 2)
STRANGE = 5  # Judgements that are shown, the strangest first.


def parts(sheet: Sheet, document: dict[str, Any], kept_in: Path | None) -> Iterator[RenderableType]:
    """The whole answer, part by part."""
    yield from head(sheet)
    yield plain(_assumed(sheet, document), "dim")
    if document["partial"]:
        yield plain(_partial(kept_in), "bold yellow")
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


def _assumed(sheet: Sheet, document: dict[str, Any]) -> Sentence:
    given, pace = document["assumptions"], document["run"]["rounds_per_second"]
    run = say("cli.simulate.run", rounds=document["rounds"], seed=given["seed"], pace=pace or 0)
    staked = {sheet.main_wager.title: given["ante"]}
    staked |= {sheet.side[one].title: at for one, at in given["side"].items()}
    stakes = tuple(
        say("cli.math.side", title=title, stake=dollars(at)) for title, at in staked.items()
    )
    play = say("cli.simulate.play", play=given["strategy"], mistakes=given["mistakes"])
    fields = {"seats": given["seats"], "main": stakes[0], "sides": stakes[1:], "play": play}
    table = say("cli.simulate.table", **fields, beside=len(stakes) - 1)
    return say("cli.math.told", told=(run, table, *([given["shoe"]] if "shoe" in given else [])))


def _partial(kept_in: Path | None) -> Sentence:
    if kept_in:
        return say("cli.simulate.goes-on", file=str(kept_in))
    return say("cli.simulate.stopped")


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
            "net",
            say(
                "cli.simulate.net",
                mean=_exact(net["mean"]),
                error=_exact(net["standard_error"]),
            ),
        ),
        ("deviation", average_told(net["standard_deviation"], 2)),
        ("holds", say("cli.simulate.holds", share=percent(document["hold"]))),
        (
            "hour",
            say(
                "cli.simulate.hour",
                wins=_exact(hour["house_wins"], 2),
                deviation=average_told(hour["standard_deviation"], 2),
                rounds=hour["hands"],
            ),
        ),
        ("results", shares),
        ("quantiles", spread),
        (
            "ends",
            say("cli.simulate.ends", least=_spoken(net["least"]), most=_spoken(net["most"])),
        ),
    ]
    grid = Table.grid(padding=(0, 3, 0, 0))
    grid.add_column(no_wrap=True, style="bold")
    grid.add_column(overflow="fold")
    for name, text in rows:
        grid.add_row(worded(say("cli.simulate.figure", figure=name)), plain(text))
    return grid


def _caps(document: dict[str, Any]) -> Table:
    columns = _columns("clause", "times", "due", "paid", "withheld")
    table = plain_table(*columns, right=columns[1:])
    for one in document["caps"]["bites"]:
        money = (_spoken(one[name]) for name in ("due", "paid", "withheld"))
        table.add_row(plain(f"  {one['clause']}"), f"{one['times']:,}", *money)
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
    yield _strangest(check["outcomes"])
    for what, why in check["unknown"].items():
        yield Padding(plain(say("cli.simulate.not-judged", what=what, why=why), "dim"), INDENT)


def _columns(*names: str) -> tuple[str, ...]:
    return tuple(worded(say("cli.simulate.column", column=one)) for one in names)


def _means(rows: list[dict[str, Any]]) -> Table:
    columns = _columns("seat", "mean", "expected", "z")
    table = plain_table(*columns, right=columns[1:])
    for one in rows:
        money = (_exact(one[name] / 100) for name in ("mean", "expected"))
        table.add_row(f"  {one['seat']}", *money, _score(one["z"]))
    return table


def _chi_squares(rows: list[dict[str, Any]]) -> Table:
    columns = _columns("seat", "wager", "chi-square", "freedom", "chance")
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
    columns = _columns("strangest", "seat", "count", "expected", "z")
    table = plain_table(*columns, right=columns[1:])
    for row in sorted(rows, key=lambda one: one["chance"])[:STRANGE]:
        fields = {"wager": row["wager"], "outcome": _name(row), "units": row["units"]}
        table.add_row(
            plain(f"  {worded(say('cli.simulate.strange', **fields))}"),
            f"{row['seat']}",
            f"{row['count']:,}",
            f"{row['expected']:,.1f}",
            _score(row["z"]),
        )
    return table


def _name(row: dict[str, Any]) -> str:
    nothing = row["outcome"] == "nothing"
    return worded(say("cli.math.nothing") if nothing else outcome(row["outcome"]))


def _score(z: float | None) -> str:
    return worded(say("cli.simulate.impossible")) if z is None else f"{z:+.2f}"


def _chance(share: float) -> str:
    return f"{share:.3f}" if share >= 0.0005 else f"{share:.1e}"


def _spoken(text: str) -> str:
    if text.startswith("-"):
        return f"-{money_told(dollars(text[1:]))}"
    return money_told(dollars(text))


def _exact(value: float, digits: int = 4) -> str:
    return average_told(value, digits)
