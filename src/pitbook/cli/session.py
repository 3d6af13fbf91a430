"""`pitbook session`: a bankroll's odds of ruin or of its goal, and what is left."""

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
from pitbook.cli.language import money_told, spoken, worded
from pitbook.cli.math import head, heading
from pitbook.cli.options import (
    Folders,
    Json,
    SheetName,
    Sides,
    Staked,
    Strategy,
    ante_of,
    sheet_named,
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
    from pitbook.simulate.sessions.session import Outlook, Session


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
    bankroll: Annotated[str, typer.Option(metavar="D", help="What the player sits down with.")],
    hours: Annotated[str, typer.Option(metavar="H", help="How long: 4, or 2.5.")],
    ante: Staked = None,
    side: Sides = None,
    hands_per_hour: Annotated[
        int, typer.Option(metavar="N", min=1, max=10_000, help="Rounds that are dealt an hour.")
    ] = 40,
    stop_loss: Annotated[
        str | None, typer.Option(metavar="D", help="Leave when so much is lost.")
    ] = None,
    goal: Annotated[
        str | None, typer.Option(metavar="D", help="Leave when so much is won.")
    ] = None,
    strategy: Strategy = "best",
    seats: Annotated[
        int, typer.Option(metavar="N", help="Seats in play; the others stake and play alike.")
    ] = 1,
    simulate: Annotated[
        int | None,
        typer.Option(metavar="N", help="Play so many sessions instead of computing."),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(metavar="N", help="The same seed plays the same sessions.")
    ] = None,
    workers: Annotated[
        int | None, typer.Option(metavar="N", help="Cores to play on; left out, all.")
    ] = None,
    plot: Plot = None,
    folder: Folders = None,
    json: Json = False,
) -> None:
    """A bankroll's odds: ruin, goal, what is left, and the way there hour by hour.

    The player stops when the time is up, when a stop-loss or a goal is reached, or ruined: when
    what is left does not take another hand to its showdown. Exact for short sessions, computed to a
    bound that is told for long ones, and played where no exact distribution is known: with
    mistakes, or under a cap that several seats share.
    """
    rules = sheet_named(sheet, folder)
    picture = picture_of(plot)
    from pitbook.simulate.plan import plan  # noqa: PLC0415  It brings NumPy.
    from pitbook.simulate.sessions.session import session as session_of  # noqa: PLC0415

    drawn = secrets.randbits(32) if seed is None else seed
    planned = plan(
        rules,
        ante=ante_of(ante),
        side=sides_of(side),
        seats=seats,
        strategy=strategy,
        seed=drawn,
    )
    asked = session_of(
        planned,
        bankroll=_dollars(bankroll, "--bankroll"),
        hours=_session_hours(hours),
        hands_per_hour=hands_per_hour,
        stop_loss=None if stop_loss is None else _dollars(stop_loss, "--stop-loss"),
        goal=None if goal is None else _dollars(goal, "--goal"),
    )
    _tell(rules, _answered(asked, simulate, workers), picture, as_json=json)


def _answered(asked: Session, simulate: int | None, workers: int | None) -> Outlook:
    from pitbook.simulate.sessions.answer import answer  # noqa: PLC0415

    with ExitStack() as bars:
        bar: list[Callable[[int], None]] = []

        def told(done: int, of: int) -> None:
            if not bar:  # It is known by now whether one session is worked out or many are played.
                bar.append(bars.enter_context(progress(of)))
            bar[0](done)

        return answer(asked, simulate=simulate, workers=workers, told=told)


def _tell(sheet: Sheet, outlook: Outlook, picture: Path | None, *, as_json: bool) -> None:
    from pitbook.simulate.sessions.answer import document  # noqa: PLC0415

    told: dict[str, Any] = document(outlook)
    if picture is not None:
        told["plot"] = str(_drawn(outlook, picture))
    if as_json:
        emit(told)
        return
    from pitbook.cli.render import console, show  # noqa: PLC0415

    show(console(), parts(sheet, told))


def _drawn(outlook: Outlook, picture: Path) -> Path:
    from pitbook.exact.plots import plot_language, render_plot  # noqa: PLC0415
    from pitbook.simulate.sessions.plot import fan_plot  # noqa: PLC0415

    with plot_language(spoken(), outlook.session.plan.sheet):
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
            worded(say("cli.session.no-hours", text=text)), param_hint="--hours"
        )
    return Fraction(text)


INDENT = (0, 0, 0, 2)
BAR = 30  # Columns of the longest bar.
HOURS_MAX = 12
SHOWN = ("0.05", "0.25", "0.5", "0.75", "0.95")


def parts(sheet: Sheet, document: dict[str, Any]) -> Iterator[RenderableType]:
    """The whole answer, part by part."""
    given = document["assumptions"]
    yield from head(sheet)
    yield plain(_assumed(sheet, given), "dim")
    yield plain(_method(document), "bold yellow" if document["why"] else "dim")
    yield heading(say("cli.session.part", part="ends"))
    yield _ends(document)
    if document["ends"]["ruin"]["probability"]:
        yield Padding(plain(_ruin(given), "dim"), INDENT)
    yield heading(say("cli.session.part", part="left"))
    yield Padding(_left(document), INDENT)
    yield heading(say("cli.session.part", part="hours"))
    yield _session_tables_hours(document)
    yield heading(say("cli.session.part", part="final"))
    yield _table(document)
    if "plot" in document:
        yield Text()
        yield plain(say("cli.strategy.plot", file=document["plot"]))


def _assumed(sheet: Sheet, given: dict[str, Any]) -> Sentence:
    staked = {sheet.main_wager.title: given["ante"]}
    staked |= {sheet.side[one].title: at for one, at in given["side"].items()}
    wagers = tuple(
        say("cli.math.side", title=title, stake=dollars(at)) for title, at in staked.items()
    )
    time = say(
        "cli.session.time",
        bankroll=_spoken(given["bankroll"]),
        long=_long(given["hours"]),
        hands=given["hands_per_hour"],
        rounds=given["rounds"],
        seats=given["seats"],
    )
    told = (time, say("cli.session.wagers", wagers=wagers), _play(sheet, given), *_leaves(given))
    return say("cli.math.told", told=(*told, *([given["shoe"]] if "shoe" in given else [])))


def _play(sheet: Sheet, given: dict[str, Any]) -> Sentence:
    overlooked = tuple(sheet.side[one].title for one in given["overlooked"])
    return say(
        "cli.session.play",
        play=given["strategy"],
        many=len(overlooked),
        overlooked=overlooked,
        mistakes=given["mistakes"],
    )


def _leaves(given: dict[str, Any]) -> Iterator[Sentence]:
    stops = tuple(
        say("cli.session.stop", stop=name, amount=_spoken(given[name]))
        for name in ("stop_loss", "goal")
        if given[name]
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
    for how, end in document["ends"].items():
        if end is None:
            continue
        error = [percent(end["standard_error"], 3)] if simulated else []
        share = _likely(document, end["probability"])
        name = worded(say("cli.session.ending", ending=how))
        table.add_row(f"  {name}", share, *error, _after(how, end))
    return table


def _likely(document: dict[str, Any], share: float) -> str:
    """A share, as far as it is known."""
    if document["error"] and share < document["error"]:
        return worded(say("cli.session.under", error=f"{document['error']:.0e}"))
    if not share:
        return worded(say("cli.session.never", exact=document["method"] == "exact"))
    return _share(share)


def _after(how: str, end: dict[str, Any]) -> str:
    if end["rounds"] is None:
        return ""
    rounds, long = round(end["rounds"]), _long(round(end["hours"], 1))
    return worded(say("cli.session.after", rounds=rounds, long=long, average=how != "time"))


def _ruin(given: dict[str, Any]) -> Sentence:
    least, most = given["stake_min"], given["stake_max"]
    if least == most:
        return say("cli.session.ruin", least=_spoken(least))
    return say("cli.session.ruin-or-cut", least=_spoken(least), most=_spoken(most))


def _left(document: dict[str, Any]) -> Table:
    net, final = document["net"], document["final"]
    error = net["standard_error"]
    expected = say(
        "cli.session.expected",
        final=_spoken(final["expected"]),
        net=_spoken(net["expected"]),
        known=not error,
        error=_spoken(error) if error else "",
    )
    quantiles = ", ".join(
        f"{percent(float(share), 0)} {_spoken(amount)}"
        for share, amount in final["quantiles"].items()
    )
    shares = ", ".join(percent(net[name], 2) for name in ("ahead", "even", "behind"))
    rows = [
        ("expected", expected),
        ("deviation", _spoken(net["standard_deviation"])),
        ("shares", shares),
        ("quantiles", quantiles),
        ("rounds", say("cli.session.rounds", rounds=f"{document['rounds']:,.1f}")),
    ]
    grid = Table.grid(padding=(0, 3, 0, 0))
    grid.add_column(no_wrap=True, style="bold")
    grid.add_column(overflow="fold")
    for name, text in rows:
        grid.add_row(worded(say("cli.session.figure", figure=name)), plain(text))
    return grid


def _session_tables_hours(document: dict[str, Any]) -> Table:
    rows = document["hours"]
    every = -(-len(rows) // HOURS_MAX)
    after, playing, median = _columns("after", "playing", "median")
    columns = (after, playing, "5%", "25%", median, "75%", "95%")
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
    money, share = _columns("money", "probability")
    table = plain_table(money, share, "", right=(share,))
    for row in rows:
        below = _spoken(row["below"]) if row["below"] else ""
        span = say("cli.session.span", low=_spoken(row["from"]), below=below, open=not below)
        bar = "#" * round(BAR * row["probability"] / most)
        table.add_row(f"  {worded(span)}", _share(row["probability"]), bar)
    return table


def _long(hours: float) -> Sentence:
    return say("cli.session.long", hours=f"{hours:g}", one=hours == 1)


def _columns(*names: str) -> tuple[str, ...]:
    return tuple(worded(say("cli.session.column", column=one)) for one in names)


def _share(share: float) -> str:
    return percent(share, 3) if share >= 0.0001 or not share else f"{share * 100:.1e}%"


def _spoken(text: str) -> str:
    if text.startswith("-"):
        return f"-{money_told(dollars(text[1:]))}"
    return money_told(dollars(text))
