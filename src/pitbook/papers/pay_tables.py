"""Pay tables as papers print them: the sheet's own lines, in its order, "500 to 1"."""

from __future__ import annotations

from pitbook.money import Odds
from pitbook.papers.content import Table, Tables
from pitbook.sheets.aloud.pay_tables import pay_tables
from pitbook.sheets.model import Sheet
from pitbook.sheets.values import Push
from pitbook.wording import say

__all__ = ["pay_said", "pay_tables_of"]


def pay_said(pay: Odds | Push | None) -> str:
    """What a line pays: "500 to 1", "push", or nothing."""
    if pay is None:
        return ""
    if isinstance(pay, Odds):
        return say("aloud.tables.odds", to=pay.to, one=pay.one)
    return say("aloud.tables.push")


def pay_tables_of(sheet: Sheet) -> Tables:
    """Every pay table of a sheet, the main game's first."""
    return Tables(
        tuple(
            Table(
                title=one["title"],
                about=one["about"],
                head=("", ""),
                rows=tuple((line["title"], line["says"]) for line in one["lines"]),
                align="lr",
                key=f"pays {one['wager']}",
                clauses=(one["clause"],),
                notes=(one["note"],) if one["note"] else (),
            )
            for one in pay_tables(sheet)
        )
    )
