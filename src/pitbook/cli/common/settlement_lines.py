"""A settlement as a person reads it: a table of lines, caps in words, and who is how much up."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from pitbook.cli.common.fitting import Fitting
from pitbook.cli.common.language import worded
from pitbook.cli.common.terminal import console, plain
from pitbook.money import money
from pitbook.rules.narration import cap_sentence, wager_title
from pitbook.rules.round import Round
from pitbook.rules.settlement import Line
from pitbook.sheets.aloud.words import called, outcome
from pitbook.text import Sentence, say

COLUMNS = ("wager", "stake", "outcome", "result", "odds", "wins", "clause")
RIGHT = ("stake", "odds", "wins")
STYLES = {"win": "green", "push": "yellow", "lose": "red", "void": "cyan", "forfeit": "magenta"}


def print_settlement(final: Round) -> None:
    """Every line of a finished round, on standard output."""
    out = console()
    for part in parts(final):
        out.print(part)


def parts(final: Round) -> Iterator[RenderableType]:
    """Every line of a finished round, part by part."""
    sheet = final.game.sheet
    game = called(sheet.title, sheet.house.venue)
    yield plain(say("cli.settle.head", game=game, result=_result(final)), "bold")
    players = {seat.number: seat.player for seat in final.seats}
    for settlement in final.settlements:
        yield Text()
        yield plain(_seat(settlement.seat, players[settlement.seat]), "bold")
        yield _table(final, settlement.lines)
        sums = {"wins": settlement.wins, "loses": settlement.loses, "nets": settlement.net}
        yield plain(f"  {worded(say('cli.settle.sums', **sums))}")
    yield Text()
    for bite in final.bites:
        yield plain(cap_sentence(bite))
    for note in final.notes:
        told = say("cli.settle.on-record", what=note.what)
        yield plain(
            say("form.cited", text=told, clause=note.clause)
            if note.clause
            else say("form.full", text=told)
        )
    house = -sum(one.net for one in final.settlements)
    yield plain(say("engine.words.house-nets", net=house), "bold")


def _seat(number: int, player: str) -> Sentence:
    if player == f"seat {number}":
        return say("cli.settle.seat", seat=number)
    return say("cli.settle.seat-of", seat=number, player=player)


def _result(final: Round) -> Sentence:
    return say("cli.settle.result-of-round", ending=final.ending, part=bool(final.paid))


def _table(final: Round, lines: tuple[Line, ...]) -> Table:
    table = Fitting(box=None, padding=(0, 2, 0, 0), header_style="dim", pad_edge=False)
    for column in COLUMNS:
        indent = "  " if column == "wager" else ""
        title = indent + worded(say("cli.settle.column", column=column))
        table.add_column(title, justify="right" if column in RIGHT else "left")
    for line in lines:
        table.add_row(
            plain(f"  {worded(wager_title(final, line.wager))}"),
            money(line.stake),
            worded(outcome(line.outcome)) if line.outcome else "",
            plain(say("cli.settle.result", result=line.result), STYLES[line.result]),
            str(line.odds) if line.odds else "",
            money(line.wins) if line.wins else "",
            plain(line.clause, "dim"),
        )
    return table
