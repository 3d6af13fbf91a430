"""`pitbook play`: a table in the terminal."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from pitbook.cli.lazy_commands import command
from pitbook.cli.options import Folders, Json, load_sheet
from pitbook.cli.plain_output import emit, examples
from pitbook.errors import MoneyError, PitbookError
from pitbook.money import Cents, dollars, money
from pitbook.text import say, sentence_of

app = command()

FIRST = "catfish-bend/mississippi-stud"


@app.command(
    epilog=examples(
        "pitbook play", "pitbook play catfish-bend/matchem-hi-lo --seats 2 --seed friday"
    )
)
def play(
    sheet: Annotated[str, typer.Argument(metavar="SHEET", help="Sheet id or TOML file.")] = FIRST,
    *,
    seats: Annotated[int, typer.Option(min=1, max=12, help="Number of players.")] = 1,
    seed: Annotated[
        str | None, typer.Option(help="Deal the same cards again; random by default.")
    ] = None,
    bankroll: Annotated[str, typer.Option(help="Bankroll of each player.")] = "1000",
    coach: Annotated[
        bool,
        typer.Option("--coach/--no-coach", help="Show the cost of each mistake; h gives a hint."),
    ] = True,
    folder: Folders = None,
    json: Json = False,
) -> None:
    """Play at a table in the terminal.

    Keys: f folds, 1 2 3 bet, l and h declare, d doubles, Enter bets the same again, b changes the
    bets, r shows the rules, c shows clauses with results, ? lists the keys, q or Ctrl-C leaves.
    Press h for the best play (a in games where h is a play); the coach also shows the cost of a
    worse one. k turns the coach on or off. With --json the result is printed at the end, and the
    table goes to standard error.
    """
    from rich.console import Console  # noqa: PLC0415  Only needed for a table.

    from pitbook.cli.play_table import (  # noqa: PLC0415  Imports Rich.
        TerminalCoach,
        TerminalTable,
        keyboard,
    )
    from pitbook.cli.rich_output import console  # noqa: PLC0415
    from pitbook.rules.game import compile_game  # noqa: PLC0415
    from pitbook.shoe.dealing import fresh_seed  # noqa: PLC0415

    rules = load_sheet(sheet, folder)
    if seats > rules.seats.count:
        counts = {"seats": rules.seats.count, "asked": seats}
        raise PitbookError(say("cli.play.too-many-seats", **counts))
    out = Console(markup=False, highlight=False, emoji=False, stderr=True) if json else console()
    session = TerminalTable(
        game=compile_game(rules),
        seats=tuple(range(1, seats + 1)),
        seed=seed if seed is not None else fresh_seed(),
        bankroll=_bankroll(bankroll),
        console=out,
        keys=keyboard(out),
        show_rules=lambda: _show(sheet, folder),
        coach=TerminalCoach(on=coach),
    )
    session.run()
    if json:
        emit(
            {
                "sheet": rules.id,
                "seed": session.seed,
                "rounds": session.rounds,
                "seats": [
                    {"seat": seat, "net": money(session.balances[seat] - session.bankroll)}
                    for seat in session.seats
                ],
            }
        )


def _bankroll(text: str) -> Cents:
    try:
        return dollars(text)
    except MoneyError as error:
        details = {"option": "--bankroll", "why": sentence_of(error)}
        raise MoneyError(say("cli.option", **details)) from None


def _show(sheet: str, folder: list[str] | None) -> None:
    from pitbook.cli.sheets_show import show  # noqa: PLC0415

    show(sheet, folder=folder)
    sys.stdout.flush()
