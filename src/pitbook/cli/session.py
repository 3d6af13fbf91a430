"""`pitbook session`: a bankroll's odds of ruin or of its goal, and the final bankroll."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from pitbook.cli.commands import command
from pitbook.cli.language import format_money, localize, output_language
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
from pitbook.cli.plots import Plot, picture_of
from pitbook.cli.progress import progress
from pitbook.cli.render import percent, plain, plain_table
from pitbook.errors import MoneyError
from pitbook.money import Cents, dollars
from pitbook.sheets.model import Sheet
from pitbook.text import Sentence, say, sentence_of

if TYPE_CHECKING:
    from pitbook.simulation.sessions.session import Outlook, Session


app = command()

_HOURS = re.compile(r"[0-9]{1,6}(\.[0-9]{1,3})?", re.ASCII)


@app.command(
    epilog=examples(
        "pitbook session catfish-bend/mississippi-stud --bankroll 500 --hours 4",
        "pitbook session catfish-bend/matchem-hi-lo --bankroll 90 --goal 60 --hours 3",
        "pitbook session louisiana-stud/standard --bankroll 400 --hours 2 --ante 10",
    )
)
def session(
    sheet: SheetName,
    *,
    bankroll: Annotated[str, typer.Option(metavar="D", help="Bankroll at the start.")],
    hours: Annotated[str, typer.Option(metavar="H", help="Length of the session: 4 or 2.5.")],
    ante: StakedAnte = None,
    side: Sides = None,
    hands_per_hour: Annotated[
        int, typer.Option(metavar="N", min=1, max=10_000, help="Rounds dealt per hour.")
    ] = 40,
    stop_loss: Annotated[
        str | None, typer.Option(metavar="D", help="Leave after losing this much.")
    ] = None,
    goal: Annotated[
        str | None, typer.Option(metavar="D", help="Leave after winning this much.")
    ] = None,
    strategy: Strategy = "best",
    seats: Annotated[
        int, typer.Option(metavar="N", help="Number of seats; the others bet and play alike.")
    ] = 1,
    simulate: Annotated[
        int | None,
        typer.Option(metavar="N", help="Simulate this many sessions instead of computing."),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(metavar="N", help="Seed; the same seed plays the same sessions.")
    ] = None,
    workers: Annotated[
        int | None, typer.Option(metavar="N", help="Number of cores; all by default.")
    ] = None,
    plot: Plot = None,
    folder: Folders = None,
    json: Json = False,
) -> None:
    """Compute a bankroll's odds of ruin or of reaching a goal, hour by hour.

    The player leaves when time is up, at the stop-loss or the goal, or when ruined: too little is
    left to play another hand to the showdown. Short sessions are exact. Long ones have a stated
    error bound. Sessions with mistakes, or with a payout limit shared by seats, are simulated.
    """
    rules = load_sheet(sheet, folder)
    picture = picture_of(plot)
    from pitbook.simulation.plan import plan  # noqa: PLC0415  Imports NumPy.
    from pitbook.simulation.sessions.session import session as session_of  # noqa: PLC0415

    seed_used = secrets.randbits(32) if seed is None else seed
    planned = plan(
        rules,
        ante=ante_of(ante),
        side=sides_of(side),
        seats=seats,
        strategy=strategy,
        seed=seed_used,
    )
    player_session = session_of(
        planned,
        bankroll=_dollars(bankroll, "--bankroll"),
        hours=_session_hours(hours),
        hands_per_hour=hands_per_hour,
        stop_loss=None if stop_loss is None else _dollars(stop_loss, "--stop-loss"),
        goal=None if goal is None else _dollars(goal, "--goal"),
    )
    _print_outlook(rules, _run_session(player_session, simulate, workers), picture, as_json=json)


def _run_session(player_session: Session, simulate: int | None, workers: int | None) -> Outlook:
    from pitbook.simulation.sessions.answer import find_outlook  # noqa: PLC0415

    with ExitStack() as bars:
        bar: list[Callable[[int], None]] = []

        def on_progress(done: int, of: int) -> None:
            if not bar:  # By now it is known whether one session is computed or many are simulated.
                bar.append(bars.enter_context(progress(of)))
            bar[0](done)

        return find_outlook(
            player_session, simulate=simulate, workers=workers, on_progress=on_progress
        )


def _print_outlook(sheet: Sheet, outlook: Outlook, picture: Path | None, *, as_json: bool) -> None:
    from pitbook.simulation.sessions.answer import document  # noqa: PLC0415

    outlook_document: dict[str, Any] = document(outlook)
    if picture is not None:
        outlook_document["plot"] = str(_draw(outlook, picture))
    if as_json:
        emit(outlook_document)
        return
    from pitbook.cli.render import console, show  # noqa: PLC0415

    show(console(), answer_parts(sheet, outlook_document))


def _draw(outlook: Outlook, picture: Path) -> Path:
    from pitbook.exact.plots import plot_language, render_plot  # noqa: PLC0415
    from pitbook.simulation.sessions.plot import fan_plot  # noqa: PLC0415

    with plot_language(output_language(), outlook.session.plan.sheet):
        figure = fan_plot(outlook)
    picture.write_bytes(render_plot(figure, picture.suffix.lower()[1:]))
    return picture


def _dollars(text: str, option: str) -> Cents:
    try:
        return dollars(text)
    except MoneyError as error:
        raise MoneyError(say("cli.option", option=option, why=sentence_of(error))) from None


def _session_hours(text: str) -> Fraction:
    if not _HOURS.fullmatch(text):
        raise typer.BadParameter(
            localize(say("cli.session.no-hours", text=text)), param_hint="--hours"
        )
    return Fraction(text)


INDENT = (0, 0, 0, 2)
BAR = 30  # Columns of the longest bar.
HOURS_MAX = 12
SHOWN = ("0.05", "0.25", "0.5", "0.75", "0.95")


def answer_parts(sheet: Sheet, document: dict[str, Any]) -> Iterator[RenderableType]:
    """The parts of the printed answer."""
    assumptions = document["assumptions"]
    yield from head(sheet)
    yield plain(_describe_assumptions(sheet, assumptions), "dim")
    yield plain(_method(document), "bold yellow" if document["why"] else "dim")
    yield heading(say("cli.session.part", part="ends"))
    yield _ends(document)
    if document["ends"]["ruin"]["probability"]:
        yield Padding(plain(_ruin(assumptions), "dim"), INDENT)
    yield heading(say("cli.session.part", part="left"))
    yield Padding(_results_table(document), INDENT)
    yield heading(say("cli.session.part", part="hours"))
    yield _session_tables_hours(document)
    yield heading(say("cli.session.part", part="final"))
    yield _table(document)
    if "plot" in document:
        yield Text()
        yield plain(say("cli.strategy.plot", file=document["plot"]))


def _describe_assumptions(sheet: Sheet, assumptions: dict[str, Any]) -> Sentence:
    stakes = {sheet.main_wager.title: assumptions["ante"]}
    stakes |= {sheet.side[wager].title: stake for wager, stake in assumptions["side"].items()}
    wagers = tuple(
        say("cli.math.side", title=title, stake=dollars(stake)) for title, stake in stakes.items()
    )
    time = say(
        "cli.session.time",
        bankroll=_money_text(assumptions["bankroll"]),
        long=_hours_text(assumptions["hours"]),
        hands=assumptions["hands_per_hour"],
        rounds=assumptions["rounds"],
        seats=assumptions["seats"],
    )
    notes = (
        time,
        say("cli.session.wagers", wagers=wagers),
        _play(sheet, assumptions),
        *_stop_rules(assumptions),
    )
    return say(
        "cli.math.told", told=(*notes, *([assumptions["shoe"]] if "shoe" in assumptions else []))
    )


def _play(sheet: Sheet, assumptions: dict[str, Any]) -> Sentence:
    ignored = tuple(sheet.side[wager].title for wager in assumptions["overlooked"])
    return say(
        "cli.session.play",
        play=assumptions["strategy"],
        many=len(ignored),
        overlooked=ignored,
        mistakes=assumptions["mistakes"],
    )


def _stop_rules(assumptions: dict[str, Any]) -> Iterator[Sentence]:
    stops = tuple(
        say("cli.session.stop", stop=name, amount=_money_text(assumptions[name]))
        for name in ("stop_loss", "goal")
        if assumptions[name]
    )
    if stops:
        yield say("cli.session.leaves", stops=stops)


def _method(document: dict[str, Any]) -> Sentence:
    if document["method"] == "exact":
        return say("cli.session.exact")
    if document["method"] == "computed":
        return say("cli.session.computed", error=f"{document['error']:.0e}")
    seed, why = document["assumptions"]["seed"], document["why"]
    fields = {"sessions": document["sessions"], "seed": seed, "told": bool(why), "why": why or ""}
    return say("cli.session.simulated", **fields)


def _ends(document: dict[str, Any]) -> Table:
    simulated = document["method"] == "simulated"
    columns = _columns("ending", "probability", *(("error",) if simulated else ()), "after")
    table = plain_table(*columns, right=columns[1:-1])
    for reason, end in document["ends"].items():
        if end is None:
            continue
        error = [percent(end["standard_error"], 3)] if simulated else []
        share = _probability_text(document, end["probability"])
        name = localize(say("cli.session.ending", ending=reason))
        table.add_row(f"  {name}", share, *error, _after(reason, end))
    return table


def _probability_text(document: dict[str, Any], share: float) -> str:
    """A share, to the precision known."""
    if document["error"] and share < document["error"]:
        return localize(say("cli.session.under", error=f"{document['error']:.0e}"))
    if not share:
        return localize(say("cli.session.never", exact=document["method"] == "exact"))
    return _share(share)


def _after(reason: str, end: dict[str, Any]) -> str:
    if end["rounds"] is None:
        return ""
    rounds, long = round(end["rounds"]), _hours_text(round(end["hours"], 1))
    return localize(say("cli.session.after", rounds=rounds, long=long, average=reason != "time"))


def _ruin(assumptions: dict[str, Any]) -> Sentence:
    least, most = assumptions["stake_min"], assumptions["stake_max"]
    if least == most:
        return say("cli.session.ruin", least=_money_text(least))
    return say("cli.session.ruin-or-cut", least=_money_text(least), most=_money_text(most))


def _results_table(document: dict[str, Any]) -> Table:
    net, final = document["net"], document["final"]
    error = net["standard_error"]
    expected = say(
        "cli.session.expected",
        final=_money_text(final["expected"]),
        net=_money_text(net["expected"]),
        known=not error,
        error=_money_text(error) if error else "",
    )
    quantiles = ", ".join(
        f"{percent(float(share), 0)} {_money_text(amount)}"
        for share, amount in final["quantiles"].items()
    )
    shares = ", ".join(percent(net[name], 2) for name in ("ahead", "even", "behind"))
    rows = [
        ("expected", expected),
        ("deviation", _money_text(net["standard_deviation"])),
        ("shares", shares),
        ("quantiles", quantiles),
        ("rounds", say("cli.session.rounds", rounds=f"{document['rounds']:,.1f}")),
    ]
    grid = Table.grid(padding=(0, 3, 0, 0))
    grid.add_column(no_wrap=True, style="bold")
    grid.add_column(overflow="fold")
    for name, text in rows:
        grid.add_row(localize(say("cli.session.figure", figure=name)), plain(text))
    return grid


def _session_tables_hours(document: dict[str, Any]) -> Table:
    rows = document["hours"]
    interval = -(-len(rows) // HOURS_MAX)
    after, playing, median = _columns("after", "playing", "median")
    columns = (after, playing, "5%", "25%", median, "75%", "95%")
    table = plain_table(*columns, right=columns[1:])
    for place, row in enumerate(rows):
        if place % interval and place + 1 < len(rows):
            continue
        amounts = (_money_text(row["quantiles"][share]) for share in SHOWN)
        table.add_row(f"  {row['hours']:g} h", percent(row["playing"], 1), *amounts)
    return table


def _table(document: dict[str, Any]) -> Table:
    rows = document["final"]["table"]
    most = max(row["probability"] for row in rows)
    money, share = _columns("money", "probability")
    table = plain_table(money, share, "", right=(share,))
    for row in rows:
        below = _money_text(row["below"]) if row["below"] else ""
        span = say("cli.session.span", low=_money_text(row["from"]), below=below, open=not below)
        bar = "#" * round(BAR * row["probability"] / most)
        table.add_row(f"  {localize(span)}", _share(row["probability"]), bar)
    return table


def _hours_text(hours: float) -> Sentence:
    return say("cli.session.long", hours=f"{hours:g}", one=hours == 1)


def _columns(*names: str) -> tuple[str, ...]:
    return tuple(localize(say("cli.session.column", column=column)) for column in names)


def _share(share: float) -> str:
    return percent(share, 3) if share >= 0.0001 or not share else f"{share * 100:.1e}%"


def _money_text(text: str) -> str:
    if text.startswith("-"):
        return f"-{format_money(dollars(text[1:]))}"
    return format_money(dollars(text))
