"""`pitbook advise`: the value of every play in a spot, and why the best one is best."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated

import typer

from pitbook.cli.language import format_average, localize
from pitbook.cli.lazy_commands import command
from pitbook.cli.options import (
    Ante,
    Folders,
    Json,
    Purse,
    SheetName,
    Sides,
    ante_of,
    load_sheet,
    purse_of,
    sides_of,
)
from pitbook.cli.plain_output import emit, examples
from pitbook.exact.spots import ante_or_minimum
from pitbook.sheets.arguments import cards_of
from pitbook.sheets.model import Sheet
from pitbook.text import say
from pitbook.text.formats import DOLLAR

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

    from pitbook.exact.advice import SpotAdvice


app = command()


@app.command(
    epilog=examples(
        'pitbook advise catfish-bend/mississippi-stud --cards "As Kd"',
        'pitbook advise catfish-bend/mississippi-stud --cards "6h 5h" \\',
        '          --community "7h" --bets 1x --ante 10 --dead "8c 9d"',
        'pitbook advise catfish-bend/mississippi-stud --cards "Ks 9d" \\',
        "          --ante 500 --purse 500",
        'pitbook advise catfish-bend/matchem-hi-lo --cards "Ah 4d 7c"',
    )
)
def advise(
    sheet: SheetName,
    *,
    cards: Annotated[
        str | None,
        typer.Option(metavar="CARDS", show_default=False, help="The player's cards."),
    ] = None,
    community: Annotated[
        str, typer.Option(metavar="CARDS", help="Community or dealer cards shown so far.")
    ] = "",
    bets: Annotated[
        str, typer.Option(metavar="BETS", help="Street bets made so far, such as 1x,3x.")
    ] = "",
    ante: Ante = None,
    side: Sides = None,
    dead: Annotated[
        str, typer.Option(metavar="CARDS", help="Other cards known to be out of play.")
    ] = "",
    purse: Purse = None,
    folder: Folders = None,
    json: Json = False,
) -> None:
    """Show the exact EV of every play in a hand, and explain the best one.

    Values are in units of the ante or Bet, with best play on later streets. A side wager counts if
    a fold loses it or if it shares a payout limit; the ante is then the table minimum unless
    --ante is given. With --purse, plays that the player cannot afford are left out.
    """
    rules = load_sheet(sheet, folder)
    if cards is None and rules.hand_cards:
        needed = localize(say("cli.advise.name-cards", cards=rules.hand_cards))
        raise typer.BadParameter(needed, param_hint="--cards")
    sides = sides_of(side)
    ante_cents = ante_or_minimum(rules, ante_of(ante), sides)
    from pitbook.exact.advice import spot_advice  # noqa: PLC0415  Imports NumPy.

    advice = spot_advice(
        rules,
        cards_of(cards or "", "--cards"),
        cards_of(community, "--community"),
        bets.lower().replace(",", " ").split(),
        ante=ante_cents,
        side=sides,
        dead=cards_of(dead, "--dead"),
        purse=purse_of(purse),
    )
    if json:
        emit(advice.document())
        return
    from pitbook.cli.rich_output import console, show  # noqa: PLC0415  Imports Rich.

    show(console(), answer_parts(rules, advice))


def answer_parts(sheet: Sheet, advice: SpotAdvice) -> Iterator[RenderableType]:
    """The parts of the printed answer."""
    from pitbook.cli.rich_output import plain  # noqa: PLC0415

    yield _table(sheet, advice)
    yield plain("")
    yield plain(advice.why)
    if advice.ante is not None and any(limit.per == "round" for limit in sheet.limits):
        yield plain(say("exact.why.left-out"), "dim")


def _table(sheet: Sheet, advice: SpotAdvice) -> Table:
    from pitbook.cli.rich_output import format_signed, plain_table  # noqa: PLC0415

    ante = advice.ante
    value = localize(say("cli.advise.value", unit=sheet.unit[1]))
    currency = sheet.house.currency or DOLLAR
    money_heading = localize(say("cli.advise.in-money", currency=currency))
    money_headings = (money_heading,) if ante is not None else ()
    play_, cost_ = localize(say("cli.advise.play")), localize(say("cli.advise.cost"))
    columns = (play_, value, cost_, *money_headings)
    table = plain_table(*columns, "", right=columns[1:])
    for play, worth in advice.actions.items():
        cost = advice.cost(play)
        money_cells = [_dollars(cost * ante) if cost else ""] if ante is not None else []
        best = play == advice.best
        key = "cli.advise.best" if best else "cli.advise.as-good"
        note = localize(say(key)) if best or not cost else ""
        table.add_row(
            f"  {localize(say('exact.why.play', play=str(play)))}",
            format_signed(worth, 6),
            f"{float(cost):,.6f}" if cost else "",
            *money_cells,
            note,
            style="bold green" if best else "",
        )
    return table


def _dollars(cents: Fraction) -> str:
    return format_average(float(cents) / 100, 4)
