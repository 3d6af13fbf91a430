"""`pitbook settle`: what every wager of a round file wins or loses, with its clause."""

from __future__ import annotations

import json as json_module
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from pitbook.cli.language import localize
from pitbook.cli.lazy_commands import command
from pitbook.cli.options import Folders, Json, load_sheet, read_text, write_text
from pitbook.cli.plain_output import emit, examples
from pitbook.cli.rich_output import FittingTable, console, plain
from pitbook.money import money
from pitbook.rules import round_file
from pitbook.rules.narration import cap_sentence, wager_title
from pitbook.rules.result_json import report
from pitbook.rules.round import Round
from pitbook.rules.settlement_lines import Line
from pitbook.rules.stored_rounds import store
from pitbook.sheets.phrases import game_and_venue, outcome
from pitbook.text import Sentence, say

app = command()

FileName = Annotated[
    str, typer.Argument(metavar="FILE", help="Round file in JSON, or - for standard input.")
]


@app.command(epilog=examples("pitbook settle round.json", "pitbook settle - --json < round.json"))
def settle(
    file: FileName,
    *,
    store_in: Annotated[
        str | None,
        typer.Option(
            "--store", metavar="OUT", help="Write the stored round to this file, for replay."
        ),
    ] = None,
    folder: Folders = None,
    json: Json = False,
) -> None:
    """Settle one round: every wager's result with its clause, and the limits that apply.

    A file that cannot be settled is rejected with a message and exit code 1. For the format, see
    docs/round-format.md; `pitbook rounds schema` prints its JSON Schema.
    """
    parsed = round_file.parse(read_text(file))
    sheet = load_sheet(parsed.sheet, folder)
    final, actions = round_file.play(parsed, sheet)
    if store_in is not None:
        write_text(Path(store_in), json_module.dumps(store(final, actions)) + "\n")
    if json:
        emit(report(final))
    else:
        _print_settlement(final)


def _print_settlement(final: Round) -> None:

    print_settlement(final)


COLUMNS = ("wager", "stake", "outcome", "result", "odds", "wins", "clause")
RIGHT = ("stake", "odds", "wins")
STYLES = {"win": "green", "push": "yellow", "lose": "red", "void": "cyan", "forfeit": "magenta"}


def print_settlement(final: Round) -> None:
    """Print every line of a finished round."""
    out = console()
    for part in settlement_parts(final):
        out.print(part)


def settlement_parts(final: Round) -> Iterator[RenderableType]:
    """Every line of a finished round, as renderable parts."""
    sheet = final.game.sheet
    game = game_and_venue(sheet.title, sheet.house.venue)
    yield plain(say("cli.settle.head", game=game, result=_result_text(final)), "bold")
    players = {seat.number: seat.player for seat in final.seats}
    for settlement in final.settlements:
        yield Text()
        yield plain(_seat_title(settlement.seat, players[settlement.seat]), "bold")
        yield _table(final, settlement.lines)
        amounts = {"wins": settlement.wins, "loses": settlement.loses, "nets": settlement.net}
        yield plain(f"  {localize(say('cli.settle.sums', **amounts))}")
    yield Text()
    for cap in final.applied_caps:
        yield plain(cap_sentence(cap))
    for note in final.notes:
        note_text = say("cli.settle.on-record", what=note.what)
        yield plain(
            say("form.cited", text=note_text, clause=note.clause)
            if note.clause
            else say("form.full", text=note_text)
        )
    house = -sum(settlement.net for settlement in final.settlements)
    yield plain(say("engine.words.house-nets", net=house), "bold")


def _seat_title(number: int, player: str) -> Sentence:
    if player == f"seat {number}":
        return say("cli.settle.seat", seat=number)
    return say("cli.settle.seat-of", seat=number, player=player)


def _result_text(final: Round) -> Sentence:
    return say("cli.settle.result-of-round", ending=final.ending, part=bool(final.paid))


def _table(final: Round, lines: tuple[Line, ...]) -> Table:
    table = FittingTable(box=None, padding=(0, 2, 0, 0), header_style="dim", pad_edge=False)
    for column in COLUMNS:
        indent = "  " if column == "wager" else ""
        title = indent + localize(say("cli.settle.column", column=column))
        table.add_column(title, justify="right" if column in RIGHT else "left")
    for line in lines:
        table.add_row(
            plain(f"  {localize(wager_title(final, line.wager))}"),
            money(line.stake),
            localize(outcome(line.outcome)) if line.outcome else "",
            plain(say("cli.settle.result", result=line.result), STYLES[line.result]),
            str(line.odds) if line.odds else "",
            money(line.wins) if line.wins else "",
            plain(line.clause, "dim"),
        )
    return table
