"""A settlement as a person reads it: a table of lines, caps in words, and who is how much up."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from pitbook.cli.common.fitting import Fitting
from pitbook.cli.common.terminal import console, plain
from pitbook.engine.round import Round
from pitbook.engine.words import cap_told, wager_title
from pitbook.game.settlement import Line
from pitbook.money import money, spoken
from pitbook.sheets.aloud.words import called, outcome

STYLES = {"win": "green", "push": "yellow", "lose": "red", "void": "cyan", "forfeit": "magenta"}


def print_settlement(final: Round) -> None:
    """Every line of a finished round, on standard output."""
    out = console()
    for part in parts(final):
        out.print(part)


def parts(final: Round) -> Iterator[RenderableType]:
    """Every line of a finished round, part by part."""
    sheet = final.game.sheet
    yield plain(f"{called(sheet.title, sheet.house.venue)}: {_result(final)}", "bold")
    players = {seat.number: seat.player for seat in final.seats}
    for settlement in final.settlements:
        who = players[settlement.seat]
        named = "" if who == f"seat {settlement.seat}" else f", {who}"
        yield Text()
        yield plain(f"Seat {settlement.seat}{named}", "bold")
        yield _table(final, settlement.lines)
        yield plain(
            f"  wins {spoken(settlement.wins)}, loses {spoken(settlement.loses)}, "
            f"nets {spoken(settlement.net)}"
        )
    yield Text()
    for bite in final.bites:
        yield plain(cap_told(bite))
    for note in final.notes:
        clause = f" ({note.clause})" if note.clause else ""
        yield plain(f"On record: {note.what}{clause}.")
    house = -sum(one.net for one in final.settlements)
    yield plain(f"The house nets {spoken(house)}.", "bold")


def _result(final: Round) -> str:
    if final.ending == "settled":
        return "settled"
    if final.ending == "misdeal":
        return "misdeal, wagers return"
    return f"dead hand, {'open ' if final.paid else ''}wagers return"


def _table(final: Round, lines: tuple[Line, ...]) -> Table:
    table = Fitting(box=None, padding=(0, 2, 0, 0), header_style="dim", pad_edge=False)
    for title in ("  Wager", "Stake", "Outcome", "Result", "Odds", "Wins", "Clause"):
        table.add_column(title, justify="right" if title in ("Stake", "Odds", "Wins") else "left")
    for line in lines:
        table.add_row(
            plain(f"  {wager_title(final, line.wager)}"),
            money(line.stake),
            outcome(line.outcome) if line.outcome else "",
            plain(line.result, STYLES[line.result]),
            str(line.odds) if line.odds else "",
            money(line.wins) if line.wins else "",
            plain(line.clause, "dim"),
        )
    return table
