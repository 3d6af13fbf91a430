"""`pitbook session`: a bankroll's odds of ruin or of its goal, and the final bankroll."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from pitbook.cli.language import format_dollars, format_money, localize, output_language
from pitbook.cli.lazy_commands import command
from pitbook.cli.math import head, heading
from pitbook.cli.options import (
    Folders,
    Json,
    Plot,
    SheetName,
    Sides,
    StakedAnte,
    Strategy,
    ante_of,
    load_sheet,
    picture_of,
    sides_of,
)
from pitbook.cli.plain_output import emit, examples
from pitbook.cli.progress import progress
from pitbook.cli.rich_output import percent, plain, plain_table
from pitbook.sheets.arguments import dollars_of
from pitbook.sheets.phrases import simulation_shoe_note
from pitbook.text import Sentence, say

if TYPE_CHECKING:
    from pitbook.simulation.sessions.answer import (
        BankrollRange,
        SessionEnd,
        SessionHour,
        SessionOutlook,
    )
    from pitbook.simulation.sessions.session import Session


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
        bankroll=dollars_of(bankroll, "--bankroll"),
        hours=_session_hours(hours),
        hands_per_hour=hands_per_hour,
        stop_loss=None if stop_loss is None else dollars_of(stop_loss, "--stop-loss"),
        goal=None if goal is None else dollars_of(goal, "--goal"),
    )
    outlook = _run_session(player_session, simulate, workers)
    if picture is not None:
        outlook.plot(picture, language=output_language())
    if json:
        emit({**outlook.document(), **({} if picture is None else {"plot": str(picture)})})
        return
    from pitbook.cli.rich_output import console, show  # noqa: PLC0415

    show(console(), answer_parts(outlook, picture))


def _run_session(
    player_session: Session, simulate: int | None, workers: int | None
) -> SessionOutlook:
    from pitbook.simulation.sessions.answer import find_outlook, session_outlook  # noqa: PLC0415

    with ExitStack() as bars:
        bar: list[Callable[[int], None]] = []

        def on_progress(done: int, total: int) -> None:
            if not bar:  # By now it is known whether one session is computed or many are simulated.
                bar.append(bars.enter_context(progress(total)))
            bar[0](done)

        outlook = find_outlook(
            player_session, simulate=simulate, workers=workers, on_progress=on_progress
        )
    return session_outlook(outlook)


def _session_hours(text: str) -> Fraction:
    if not _HOURS.fullmatch(text):
        raise typer.BadParameter(
            localize(say("cli.session.no-hours", text=text)), param_hint="--hours"
        )
    return Fraction(text)


INDENT = (0, 0, 0, 2)
BAR = 30  # Columns of the longest bar.
HOURS_MAX = 12
SHOWN = tuple(Fraction(percentage, 100) for percentage in (5, 25, 50, 75, 95))


def answer_parts(outlook: SessionOutlook, picture: Path | None = None) -> Iterator[RenderableType]:
    """The parts of the printed answer."""
    sheet = outlook.session.plan.sheet
    yield from head(sheet)
    yield plain(_describe_assumptions(outlook.session), "dim")
    simulated_reason = outlook.outlook.simulated_reason
    yield plain(_method(outlook), "bold yellow" if simulated_reason else "dim")
    yield heading(say("cli.session.part", part="ends"))
    yield _ends_table(outlook)
    if outlook.ruin:
        yield Padding(plain(_ruin(outlook.session), "dim"), INDENT)
    yield heading(say("cli.session.part", part="left"))
    yield Padding(_results_table(outlook), INDENT)
    yield heading(say("cli.session.part", part="hours"))
    yield _hours_table(outlook.hours)
    yield heading(say("cli.session.part", part="final"))
    yield _ranges_table(outlook.ranges)
    if picture is not None:
        yield Text()
        yield plain(say("cli.strategy.plot", file=str(picture)))


def _describe_assumptions(session: Session) -> Sentence:
    sheet, plan = session.plan.sheet, session.plan
    stakes = {sheet.main_wager.title: plan.ante}
    stakes |= {sheet.side[wager].title: stake for wager, stake in plan.side}
    wagers = tuple(
        say("cli.math.side", title=title, stake=stake) for title, stake in stakes.items()
    )
    time = say(
        "cli.session.time",
        bankroll=format_money(session.bankroll),
        long=_hours_text(float(session.hours)),
        hands=session.hands_per_hour,
        rounds=session.rounds,
        seats=plan.seats,
    )
    shoe_note = simulation_shoe_note(sheet)
    notes = (
        time,
        say("cli.session.wagers", wagers=wagers),
        _strategy_sentence(session),
        *_stop_sentences(session),
        *([] if shoe_note is None else [shoe_note]),
    )
    return say("cli.math.told", told=notes)


def _strategy_sentence(session: Session) -> Sentence:
    strategy, sheet = session.plan.strategy, session.plan.sheet
    ignored = tuple(sheet.side[wager].title for wager in session.ignored_side_wagers)
    return say(
        "cli.session.play",
        play=strategy.name,
        count=len(ignored),
        ignored=ignored,
        mistakes=str(strategy.mistakes),
    )


def _stop_sentences(session: Session) -> Iterator[Sentence]:
    amounts = {"stop_loss": session.stop_loss, "goal": session.goal}
    stops = tuple(
        say("cli.session.stop", stop=name, amount=format_money(amount))
        for name, amount in amounts.items()
        if amount is not None
    )
    if stops:
        yield say("cli.session.leaves", stops=stops)


def _method(outlook: SessionOutlook) -> Sentence:
    if outlook.method == "exact":
        return say("cli.session.exact")
    if outlook.method == "computed":
        return say("cli.session.computed", error=f"{outlook.error:.0e}")
    why = outlook.outlook.simulated_reason
    fields = {"sessions": outlook.outlook.sessions, "seed": outlook.session.plan.seed}
    return say("cli.session.simulated", **fields, told=bool(why), why=why or "")


def _ends_table(outlook: SessionOutlook) -> Table:
    simulated = outlook.method == "simulated"
    columns = _columns("ending", "probability", *(("error",) if simulated else ()), "after")
    table = plain_table(*columns, right=columns[1:-1])
    for reason, end in outlook.ends.items():
        error = [] if end.standard_error is None else [percent(end.standard_error, 3)]
        name = localize(say("cli.session.ending", ending=reason))
        probability = _probability_text(outlook, float(end.probability))
        table.add_row(f"  {name}", probability, *error, _end_after(reason, end))
    return table


def _probability_text(outlook: SessionOutlook, share: float) -> str:
    """A share, to the precision known."""
    if outlook.error and share < outlook.error:
        return localize(say("cli.session.under", error=f"{outlook.error:.0e}"))
    if not share:
        return localize(say("cli.session.never", exact=outlook.method == "exact"))
    return _share(share)


def _end_after(reason: str, end: SessionEnd) -> str:
    if end.rounds is None or end.hours is None:
        return ""
    rounds, long = round(float(end.rounds)), _hours_text(round(end.hours, 1))
    return localize(say("cli.session.after", rounds=rounds, long=long, average=reason != "time"))


def _ruin(session: Session) -> Sentence:
    least, most = format_money(session.stake_min), format_money(session.stake_max)
    if least == most:
        return say("cli.session.ruin", least=least)
    return say("cli.session.ruin-or-cut", least=least, most=most)


def _results_table(outlook: SessionOutlook) -> Table:
    error = outlook.standard_error
    expected_text = say(
        "cli.session.expected",
        final=format_dollars(outlook.final),
        net=format_dollars(outlook.net),
        known=error is None,
        error="" if error is None else format_dollars(error),
    )
    quantiles = ", ".join(
        f"{percent(share, 0)} {format_dollars(amount)}"
        for share, amount in outlook.quantiles.items()
    )
    shares = (outlook.ahead, outlook.even, outlook.behind)
    rows = [
        ("expected", expected_text),
        ("deviation", format_dollars(outlook.standard_deviation)),
        ("shares", ", ".join(percent(share, 2) for share in shares)),
        ("quantiles", quantiles),
        ("rounds", say("cli.session.rounds", rounds=f"{float(outlook.rounds):,.1f}")),
    ]
    grid = Table.grid(padding=(0, 3, 0, 0))
    grid.add_column(no_wrap=True, style="bold")
    grid.add_column(overflow="fold")
    for name, text in rows:
        grid.add_row(localize(say("cli.session.figure", figure=name)), plain(text))
    return grid


def _hours_table(hours: Sequence[SessionHour]) -> Table:
    interval = -(-len(hours) // HOURS_MAX)
    after, playing, median = _columns("after", "playing", "median")
    columns = (after, playing, "5%", "25%", median, "75%", "95%")
    table = plain_table(*columns, right=columns[1:])
    for index, hour in enumerate(hours):
        if index % interval and index + 1 < len(hours):
            continue
        amounts = (format_dollars(hour.quantiles[share]) for share in SHOWN)
        table.add_row(f"  {float(hour.hours):g} h", percent(hour.playing, 1), *amounts)
    return table


def _ranges_table(ranges: Sequence[BankrollRange]) -> Table:
    most = max(row.probability for row in ranges)
    money, share = _columns("money", "probability")
    table = plain_table(money, share, "", right=(share,))
    for row in ranges:
        below = "" if row.below is None else format_dollars(row.below)
        span = say("cli.session.span", low=format_dollars(row.low), below=below, open=not below)
        bar = "#" * round(float(BAR * row.probability / most))
        table.add_row(f"  {localize(span)}", _share(float(row.probability)), bar)
    return table


def _hours_text(hours: float) -> Sentence:
    return say("cli.session.long", hours=f"{hours:g}", one=hours == 1)


def _columns(*names: str) -> tuple[str, ...]:
    return tuple(localize(say("cli.session.column", column=column)) for column in names)


def _share(share: float) -> str:
    return percent(share, 3) if share >= 0.0001 or not share else f"{share * 100:.1e}%"
