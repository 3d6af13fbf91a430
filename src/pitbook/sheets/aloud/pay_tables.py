"""Pay tables as a card on the rail shows them: each line with its words and its odds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pitbook.money import Odds
from pitbook.sheets.aloud.common import LOOKS_AT
from pitbook.sheets.aloud.saying import capital
from pitbook.sheets.aloud.words import outcome
from pitbook.sheets.families import Sheet
from pitbook.sheets.pays import PayTable, pays_of
from pitbook.sheets.street_stud import StreetStud
from pitbook.sheets.values import Push

__all__ = ["pay_tables"]

Json = dict[str, Any]


def pay_tables(sheet: Sheet) -> list[Json]:
    """The main table, then those of the side wagers, as JSON."""
    return [_main(sheet), *_sides(sheet)]


def _main(sheet: Sheet) -> Json:
    wager = sheet.main_wager.title
    if isinstance(sheet, StreetStud):
        title, about = f"{wager} and street bets", "on the player's five-card hand"
    else:
        title, about = f"{wager} and double" if sheet.double else wager, "against the dealer"
    return _table("main", title, about, sheet.main.clause, pays_of(sheet, "main"))


def _sides(sheet: Sheet) -> Iterator[Json]:
    for wager, side in sheet.side.items():
        about = f"on {LOOKS_AT[side.looks_at]}"
        yield _table(wager, side.title, about, side.clause, side.pays)


def _table(wager: str, title: str, about: str, clause: str, pays: PayTable) -> Json:
    lines = [
        {
            "outcome": line,
            "title": capital(outcome(line)),
            "odds": None if pay == "push" else str(pay),
            "says": _says(pay),
        }
        for line, pay in pays.items()
    ]
    return {"wager": wager, "title": title, "about": about, "clause": clause, "lines": lines}


def _says(pay: Odds | Push) -> str:
    return "push" if pay == "push" else f"{pay.to:,} to {pay.one}"
