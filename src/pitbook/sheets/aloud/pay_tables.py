"""Pay tables as a card on the rail shows them: each line with its words and its odds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pitbook.money import Odds
from pitbook.sheets.aloud.common import looked_at
from pitbook.sheets.aloud.words import odds_told, outcome
from pitbook.sheets.families import family_of
from pitbook.sheets.model import Sheet
from pitbook.sheets.ours import OursShare, pays_share, word
from pitbook.sheets.parts import Main, SideWager
from pitbook.sheets.pays import PayTable, pays_of
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
    """A table with its lines; each says whose it is."""
    whole = pays_share(rule)
    lines = [
        {
            "outcome": line,
            "title": capital(outcome(line)),
            "odds": None if pay == "push" else str(pay),
            "says": _says(pay),
            "ours": word(pays_share(rule, line)),
        }
        for line, pay in pays.items()
    ]
    told = {"wager": wager, "title": title, "about": about, "clause": rule.clause}
    whose = _whose(rule, list(pays), whole)
    return {**told, "ours": word(whole), "whose": whose, "note": rule.note, "lines": lines}


def _whose(rule: Main | SideWager, lines: list[str], whole: OursShare) -> str:
    """Whose the table is, in words that name the lines where it is not all of one mind."""
    if whole != "part":
        return word(whole)
    ours = [line for line in lines if pays_share(rule, line) != "none"]
    rest = [line for line in lines if line not in ours]
    if len(rest) < len(ours):
        but = tuple(map(outcome, rest))
        return say("aloud.tables.ours-but", mark=word("all"), lines=but)
    if not ours:
        return word("part")
    return say("aloud.tables.ours-of", mark=word("part"), lines=tuple(map(outcome, ours)))


def _says(pay: Odds | Push) -> str:
    if pay == "push":
        return say("aloud.tables.push")
    return odds_told(pay)
