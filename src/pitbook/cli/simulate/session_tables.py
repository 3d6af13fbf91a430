"""A session as a person reads it: how it ends, what is left, hour by hour, and in what sums."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rich.console import RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from pitbook.cli.common.numbers import percent, plain_table
from pitbook.cli.common.terminal import plain
from pitbook.cli.figures.math_tables import head, heading
from pitbook.english import counted
from pitbook.money import dollars, spoken
from pitbook.sheets.aloud.words import listed
from pitbook.sheets.model import Sheet

__all__ = ["parts"]

INDENT = (0, 0, 0, 2)
BAR = 30  # Columns of the longest bar.
HOURS_MAX = 12
SHOWN = ("0.05", "0.25", "0.5", "0.75", "0.95")
ENDS = {
    "ruin": "Ruined",
    "stop_loss": "Stop-loss",
    "goal": "Goal reached",
    "time": "Time is up",
}


def parts(sheet: Sheet, document: dict[str, Any]) -> Iterator[RenderableType]:
    """The whole answer, part by part."""
    given = document["assumptions"]
    yield from head(sheet)
    yield plain(_assumed(sheet, given), "dim")
    yield plain(_method(document), "bold yellow" if document["why"] else "dim")
    yield heading("How it ends")
    yield _ends(document)
    if document["ends"]["ruin"]["probability"]:
        yield Padding(plain(_ruin(given), "dim"), INDENT)
    yield heading("What is left")
    yield Padding(_left(document), INDENT)
    yield heading("Hour by hour")
    yield _hours(document)
    yield heading("Final bankroll")
    yield _table(document)
    if "plot" in document:
        yield Text()
        yield plain(f"The plot is in {document['plot']}.")


def _assumed(sheet: Sheet, given: dict[str, Any]) -> str:
    side = [f"{sheet.side[one].title} {_spoken(at)}" for one, at in given["side"].items()]
    wagers = listed([f"{sheet.main_wager.title} {_spoken(given['ante'])}", *side])
    play = "Best play" if given["strategy"] == "best" else f'Strategy "{given["strategy"]}"'
    if given["overlooked"]:
        titles = listed([sheet.side[one].title for one in given["overlooked"]])
        play += f" of the main game, whatever that does to {titles}"
    if given["mistakes"] != "0":
        play += f", wrong in {given['mistakes']} of all decisions"
    seats = "" if given["seats"] == 1 else f" at a table of {given['seats']}"
    stops = [
        f"{said} {_spoken(given[name])}"
        for name, said in (("stop_loss", "losing"), ("goal", "winning"))
        if given[name]
    ]
    leaves = f" Leaves after {listed(stops, 'or')}." if stops else ""
    return (
        f"{_spoken(given['bankroll'])} for {_long(given['hours'])} at "
        f"{counted(given['hands_per_hour'], 'hand')}: {counted(given['rounds'], 'round')}{seats}. "
        f"{wagers}. {play}.{leaves}" + (f" {given['shoe']}" if "shoe" in given else "")
    )


def _method(document: dict[str, Any]) -> str:
    if document["method"] == "exact":
        return "Exact: worked out in whole numbers."
    if document["method"] == "computed":
        return (
            "Computed from the exact distribution of a round; "
            f"no probability is off by more than {document['error']:.0e}."
        )
    why = f": {document['why']}" if document["why"] else ""
    seed = document["assumptions"]["seed"]
    return f"Simulated, {counted(document['sessions'], 'session')} with seed {seed}{why}."


def _ends(document: dict[str, Any]) -> Table:
    simulated = document["method"] == "simulated"
    columns = ("Ending", "Probability", *(("Give or take",) if simulated else ()), "After")
    table = plain_table(*columns, right=columns[1:-1])
    for how, end in document["ends"].items():
        if end is None:
            continue
        error = [percent(end["standard_error"], 3)] if simulated else []
        share = _likely(document, end["probability"])
        table.add_row(f"  {ENDS[how]}", share, *error, _after(how, end))
    return table


def _likely(document: dict[str, Any], share: float) -> str:
    """A share, as far as it is known."""
    if document["error"] and share < document["error"]:
        return f"under {document['error']:.0e}"
    if not share:
        return "never" if document["method"] == "exact" else "none"
    return _share(share)


def _after(how: str, end: dict[str, Any]) -> str:
    if end["rounds"] is None:
        return ""
    average = "" if how == "time" else " on average"
    return f"{counted(round(end['rounds']), 'round')}, {_long(round(end['hours'], 1))}{average}"


def _ruin(given: dict[str, Any]) -> str:
    least, most = given["stake_min"], given["stake_max"]
    text = f"Ruined: less than {_spoken(least)} left, which takes a hand to its showdown"
    if least == most:
        return f"{text}."
    return f"{text}. With less than {_spoken(most)} the bets are cut to what is left."


def _left(document: dict[str, Any]) -> Table:
    net, final = document["net"], document["final"]
    give = f", give or take {_spoken(net['standard_error'])}" if net["standard_error"] else ""
    quantiles = ", ".join(
        f"{percent(float(share), 0)} {_spoken(amount)}"
        for share, amount in final["quantiles"].items()
    )
    shares = ", ".join(percent(net[name], 2) for name in ("ahead", "even", "behind"))
    rows = [
        (
            "Expected",
            f"{_spoken(final['expected'])}, a net of {_spoken(net['expected'])}{give}",
        ),
        ("Standard deviation", _spoken(net["standard_deviation"])),
        ("Ahead, even, behind", shares),
        ("Quantiles", quantiles),
        ("Rounds played", f"{document['rounds']:,.1f} on average"),
    ]
    grid = Table.grid(padding=(0, 3, 0, 0))
    grid.add_column(no_wrap=True, style="bold")
    grid.add_column(overflow="fold")
    for name, text in rows:
        grid.add_row(name, plain(text))
    return grid


def _hours(document: dict[str, Any]) -> Table:
    rows = document["hours"]
    every = -(-len(rows) // HOURS_MAX)
    columns = ("After", "Playing", "5%", "25%", "Median", "75%", "95%")
    table = plain_table(*columns, right=columns[1:])
    for place, row in enumerate(rows):
        if place % every and place + 1 < len(rows):
            continue
        amounts = (_spoken(row["quantiles"][share]) for share in SHOWN)
        table.add_row(f"  {row['hours']:g} h", percent(row["playing"], 1), *amounts)
    return table


def _table(document: dict[str, Any]) -> Table:
    rows = document["final"]["table"]
    most = max(row["probability"] for row in rows)
    table = plain_table("Dollars", "Probability", "", right=("Probability",))
    for row in rows:
        upper = f"to {_spoken(row['below'])}" if row["below"] else "and more"
        bar = "#" * round(BAR * row["probability"] / most)
        table.add_row(f"  {_spoken(row['from'])} {upper}", _share(row["probability"]), bar)
    return table


def _long(hours: float) -> str:
    return f"{hours:g} hour" + ("" if hours == 1 else "s")


def _share(share: float) -> str:
    return percent(share, 3) if share >= 0.0001 or not share else f"{share * 100:.1e}%"


def _spoken(text: str) -> str:
    if text.startswith("-"):
        return f"-{spoken(dollars(text[1:]))}"
    return spoken(dollars(text))
