"""Pay tables as papers print them: the sheet's own lines, in its order, "500 to 1"."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from pitbook.money import Odds
from pitbook.papers.assumptions import (
    assumed_of_rule,
    assumed_share,
    mark_assumption,
    share_of_clauses,
)
from pitbook.papers.content import Paragraph, SmallTables, Table
from pitbook.rules.game import Game
from pitbook.sheets.model import Sheet
from pitbook.sheets.prose.pay_tables import pay_tables
from pitbook.sheets.prose.rule_text import RuleText
from pitbook.sheets.provenance import OursShare, pays_share
from pitbook.sheets.values import Push
from pitbook.text import capital, say


def pay_said(pay: Odds | Push | None) -> str:
    """What a line pays: "500 to 1", "push", or nothing."""
    if pay is None:
        return ""
    if isinstance(pay, Odds):
        return say("aloud.tables.odds", to=pay.to, one=pay.one)
    return say("aloud.tables.push")


def main_settled(sheet: Sheet, said: Iterable[RuleText]) -> Iterator[Paragraph]:
    """What becomes of wagers of the main game where its pay table alone does not say it."""
    wagers = ("main", sheet.main_id, "wagers")
    for one in said:
        beside = one.heading.fields["heading"] == "Pay table" and one.label is not None
        own = any(path and path[0] in wagers for path in one.paths)
        prose = one.key == "main.prose"  # A document's own words are no guest's matter.
        if own and not prose and (beside or one.key.endswith(".settles")):
            text = say("papers.sentence", text=capital(one.sentence))
            yield Paragraph(text, one.key, one.clauses, assumed=assumed_share(one))


def no_line(game: Game) -> Iterator[Paragraph]:
    """What becomes of a wager whose hand its pay table does not name, where no rule of it says."""
    if game.sheet.side or not game.duels:
        clauses = dict.fromkeys(one["clause"] for one in pay_tables(game.sheet))
        assumed = share_of_clauses(game.sheet, clauses)
        yield Paragraph(say("papers.rules.no-line"), "no line", tuple(clauses), assumed=assumed)


def pay_tables_of(sheet: Sheet) -> SmallTables:
    """Every pay table of a sheet, the main game's first."""
    return SmallTables(tuple(_pay_table(sheet, one) for one in pay_tables(sheet)))


def _pay_table(sheet: Sheet, entry: Mapping[str, Any]) -> Table:
    """One table: marked as a whole, or on its own lines where only some are assumptions."""
    wager, lines = entry["wager"], entry["lines"]
    rule = sheet.main if wager == "main" else sheet.side[wager]
    whole = assumed_of_rule(rule, "pays")
    shares: list[OursShare] = [
        pays_share(rule, line["outcome"]) if whole == "part" else "none" for line in lines
    ]
    rows = zip(lines, shares, strict=True)
    return Table(
        title=entry["title"],
        about=entry["about"],
        head=("", ""),
        rows=tuple((line["title"], mark_assumption(line["says"], own)) for line, own in rows),
        align="lr",
        key=f"pays {wager}",
        clauses=(entry["clause"],),
        notes=(entry["note"],) if entry["note"] else (),
        assumed="none" if any(own != "none" for own in shares) else whole,
    )
