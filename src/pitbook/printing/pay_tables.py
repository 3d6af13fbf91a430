"""Pay tables as papers print them: the sheet's lines in its order, "500 to 1"."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from pitbook.money import Odds
from pitbook.printing.content import Paragraph, SmallTables, Table
from pitbook.rules.game import Game
from pitbook.sheets.assumptions import (
    assumed_of_rule,
    assumed_share,
    mark_assumption,
    share_of_clauses,
)
from pitbook.sheets.display_documents import pay_tables
from pitbook.sheets.field_types import Push
from pitbook.sheets.model import Sheet
from pitbook.sheets.prose import RuleText
from pitbook.sheets.provenance import OursShare, pays_share
from pitbook.text import capital, say


def pay_text(pay: Odds | Push | None) -> str:
    """What a line pays: "500 to 1", "push", or nothing."""
    if pay is None:
        return ""
    if isinstance(pay, Odds):
        return say("aloud.tables.odds", to=pay.to, one=pay.one)
    return say("aloud.tables.push")


def main_settlement(sheet: Sheet, rule_texts: Iterable[RuleText]) -> Iterator[Paragraph]:
    """How main wagers are settled, if the pay table alone does not say it."""
    wagers = ("main", sheet.main_id, "wagers")
    for rule_text in rule_texts:
        in_pay_table = (
            rule_text.heading.fields["heading"] == "Pay table" and rule_text.label is not None
        )
        of_main = any(path and path[0] in wagers for path in rule_text.paths)
        prose = rule_text.key == "main.prose"  # A document's own prose is not meant for guests.
        if of_main and not prose and (in_pay_table or rule_text.key.endswith(".settles")):
            text = say("papers.sentence", text=capital(rule_text.sentence))
            yield Paragraph(
                text, rule_text.key, rule_text.clauses, assumed=assumed_share(rule_text)
            )


def unlisted_hands(game: Game) -> Iterator[Paragraph]:
    """What happens to a wager whose hand is not in its pay table, if no rule says it."""
    if game.sheet.side or not game.duels:
        clauses = dict.fromkeys(table["clause"] for table in pay_tables(game.sheet))
        assumed = share_of_clauses(game.sheet, clauses)
        yield Paragraph(say("papers.rules.no-line"), "no line", tuple(clauses), assumed=assumed)


def pay_tables_of(sheet: Sheet) -> SmallTables:
    """Every pay table of a sheet, starting with the main game's."""
    return SmallTables(tuple(_pay_table(sheet, table) for table in pay_tables(sheet)))


def _pay_table(sheet: Sheet, entry: Mapping[str, Any]) -> Table:
    """A table marked as an assumption as a whole, or by line if only some lines are."""
    wager, lines = entry["wager"], entry["lines"]
    rule = sheet.main if wager == "main" else sheet.side[wager]
    table_share = assumed_of_rule(rule, "pays")
    shares: list[OursShare] = [
        pays_share(rule, line["outcome"]) if table_share == "part" else "none" for line in lines
    ]
    rows = zip(lines, shares, strict=True)
    return Table(
        title=entry["title"],
        about=entry["about"],
        head=("", ""),
        rows=tuple((line["title"], mark_assumption(line["says"], share)) for line, share in rows),
        align="lr",
        key=f"pays {wager}",
        clauses=(entry["clause"],),
        notes=(entry["note"],) if entry["note"] else (),
        assumed="none" if any(share != "none" for share in shares) else table_share,
    )
