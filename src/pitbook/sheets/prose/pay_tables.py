"""Pay tables with the words and odds of each line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pitbook.money import Odds
from pitbook.sheets.families import family_of
from pitbook.sheets.model import Sheet
from pitbook.sheets.parts import Main, SideWager
from pitbook.sheets.pay_tables import PayTable, pays_of
from pitbook.sheets.prose.rules import looked_at
from pitbook.sheets.prose.words import odds_words, outcome
from pitbook.sheets.provenance import OursShare, pays_share, provenance_label
from pitbook.sheets.values import Push
from pitbook.text import capital, say

Json = dict[str, Any]


def pay_tables(sheet: Sheet) -> list[Json]:
    """The main table, then those of the side wagers, as JSON."""
    return [_main(sheet), *_sides(sheet)]


def _main(sheet: Sheet) -> Json:
    title, about = family_of(sheet).main_table(sheet)
    return _table("main", title, about, sheet.main, pays_of(sheet, "main"))


def _sides(sheet: Sheet) -> Iterator[Json]:
    for wager, side in sheet.side.items():
        about = say("aloud.tables.on", cards=looked_at(sheet, side))
        yield _table(wager, side.title, about, side, side.pays)


def _table(wager: str, title: str, about: str, rule: Main | SideWager, pays: PayTable) -> Json:
    """A table with its lines and their marks."""
    table_share = pays_share(rule)
    lines = [
        {
            "outcome": line,
            "title": capital(outcome(line)),
            "odds": None if pay == "push" else str(pay),
            "says": _says(pay),
            "ours": provenance_label(pays_share(rule, line)),
        }
        for line, pay in pays.items()
    ]
    document = {"wager": wager, "title": title, "about": about, "clause": rule.clause}
    whose = _mark_text(rule, list(pays), table_share)
    return {
        **document,
        "ours": provenance_label(table_share),
        "whose": whose,
        "note": rule.note,
        "lines": lines,
    }


def _mark_text(rule: Main | SideWager, lines: list[str], table_share: OursShare) -> str:
    """The mark of the table, naming its lines if they differ."""
    if table_share != "part":
        return provenance_label(table_share)
    ours = [line for line in lines if pays_share(rule, line) != "none"]
    others = [line for line in lines if line not in ours]
    if len(others) < len(ours):
        other_titles = tuple(map(outcome, others))
        return say("aloud.tables.ours-but", mark=provenance_label("all"), lines=other_titles)
    if not ours:
        return provenance_label("part")
    return say(
        "aloud.tables.ours-of", mark=provenance_label("part"), lines=tuple(map(outcome, ours))
    )


def _says(pay: Odds | Push) -> str:
    if pay == "push":
        return say("aloud.tables.push")
    return odds_words(pay)
