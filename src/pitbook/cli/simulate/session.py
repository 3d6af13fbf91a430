"""`pitbook session`: what will have become of a player's bankroll, and how likely."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable
from contextlib import ExitStack
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pitbook.cli.common.arguments import Folders, Json, SheetName, sheet_named
from pitbook.cli.common.language import spoken, worded
from pitbook.cli.common.lazy import command
from pitbook.cli.common.output import emit, examples
from pitbook.cli.common.pictures import Plot, picture_of
from pitbook.cli.common.progress import progress
from pitbook.cli.common.stakes import Sides, Staked, Strategy, ante_of, sides_of
from pitbook.errors import MoneyError
from pitbook.money import Cents, dollars
from pitbook.sheets.model import Sheet
from pitbook.text import say, sentence_of

if TYPE_CHECKING:
    from pitbook.simulate.sessions.outlook import Outlook
    from pitbook.simulate.sessions.session import Session

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
    from pitbook.simulate.plans.plan import plan  # noqa: PLC0415  It brings NumPy.
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
        hours=_hours(hours),
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
    from pitbook.simulate.sessions.document import document  # noqa: PLC0415

    told: dict[str, Any] = document(outlook)
    if picture is not None:
        told["plot"] = str(_drawn(outlook, picture))
    if as_json:
        emit(told)
        return
    from pitbook.cli.common.terminal import console, show  # noqa: PLC0415
    from pitbook.cli.simulate.session_tables import parts  # noqa: PLC0415  It brings Rich.

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


def _hours(text: str) -> Fraction:
    if not _HOURS.fullmatch(text):
        raise typer.BadParameter(
            worded(say("cli.session.no-hours", text=text)), param_hint="--hours"
        )
    return Fraction(text)
