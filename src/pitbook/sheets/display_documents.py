"""Clauses and pay tables as documents, for the page and the command line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from pitbook.money import Odds
from pitbook.sheets.assumptions import assumed_of_rule, assumed_share, describe_assumption
from pitbook.sheets.clauses import clause_texts, find_clause
from pitbook.sheets.family_registry import family_of
from pitbook.sheets.field_types import Push
from pitbook.sheets.findings import format_path
from pitbook.sheets.model import Main, Sheet, SideWager
from pitbook.sheets.pay_tables import PayTable, pays_of
from pitbook.sheets.phrases import odds_words, outcome
from pitbook.sheets.prose import RuleText, looked_at, rule_texts
from pitbook.sheets.provenance import OursShare, rules_of
from pitbook.text import capital, say
from pitbook.text.sentences import fix_foreign_currency

Json = dict[str, Any]


def pay_tables(sheet: Sheet) -> list[Json]:
    """The main table, then those of the side wagers, as JSON."""
    return [_main_wager(sheet), *_sides(sheet)]


def _main_wager(sheet: Sheet) -> Json:
    title, about = family_of(sheet).main_table(sheet)
    return _table("main", title, about, sheet.main, pays_of(sheet, "main"))


def _sides(sheet: Sheet) -> Iterator[Json]:
    for wager, side in sheet.side.items():
        about = say("aloud.tables.on", cards=looked_at(sheet, side))
        yield _table(wager, side.title, about, side, side.pays)


def _table(wager: str, title: str, about: str, rule: Main | SideWager, pays: PayTable) -> Json:
    """A table with its lines and their marks."""
    table_share = assumed_of_rule(rule, "pays")
    lines = [
        {
            "outcome": line,
            "title": capital(outcome(line)),
            "odds": None if pay == "push" else str(pay),
            "says": _pay_text(pay),
            "ours": describe_assumption(assumed_of_rule(rule, f"pays.{line}")),
        }
        for line, pay in pays.items()
    ]
    document = {"wager": wager, "title": title, "about": about, "clause": rule.clause}
    whose = _mark_text(rule, list(pays), table_share)
    return {
        **document,
        "ours": describe_assumption(table_share),
        "whose": whose,
        "note": rule.note,
        "lines": lines,
    }


def _mark_text(rule: Main | SideWager, lines: list[str], table_share: OursShare) -> str:
    """The text behind the dagger of the table, naming its lines if only some are assumed."""
    if table_share != "part":
        return describe_assumption(table_share)
    assumed = [line for line in lines if assumed_of_rule(rule, f"pays.{line}") != "none"]
    stated = [line for line in lines if line not in assumed]
    if not assumed:
        return describe_assumption("part")
    if len(stated) < len(assumed):
        return say("aloud.tables.assumed-except", lines=tuple(map(outcome, stated)))
    return say("aloud.tables.assumed", lines=tuple(map(outcome, assumed)))


def _pay_text(pay: Odds | Push) -> str:
    if pay == "push":
        return say("aloud.tables.push")
    return odds_words(pay)


def clause_document(name: str, sheets: Sequence[Sheet]) -> Json:
    """A clause with its text, place and citing rules, as JSON; raises ClauseUnknown.

    A clause outside the catalog is known if one of the sheets cites it.
    """
    clause_ids = {clause.upper(): clause for sheet in sheets for clause in sheet.clause_ids}
    clause_id = clause_ids.get(name.strip().upper())
    if clause_id is not None and clause_id not in clause_texts():
        document = _unworded_clause(clause_id, sheets)
    else:
        document = find_clause(name).document_json()
    clause_name = str(document["clause"])
    citing = [sheet for sheet in sheets if clause_name in sheet.clause_ids]
    return {
        **document,
        "sheets": [{"sheet": sheet.id, "rules": _rules(sheet, clause_name)} for sheet in citing],
    }


def _rules(sheet: Sheet, clause: str) -> list[Json]:
    """The rules of a sheet, with its own currency written out."""
    return fix_foreign_currency(notes_of(sheet, clause), sheet.house.currency)


def _unworded_clause(name: str, sheets: Sequence[Sheet]) -> Json:
    """A clause without wording: its place is the source document of its sheets."""
    documents = dict.fromkeys(sheet.source.document for sheet in sheets if name in sheet.clause_ids)
    document = {
        "clause": name,
        "title": "",
        "text": say("sheets.clause.unwritten"),
        "place": "; ".join(documents),
    }
    return {**document, "left_to_us": "", "ours": False}


def notes_of(sheet: Sheet, clause: str) -> list[Json]:
    """Every rule of the sheet under a clause, with its mark and our notes."""
    tables = [
        {
            "words": say("sheets.clause.pays", title=table["title"]),
            "ours": table["whose"],
            "notes": _note_lines(table["note"]),
        }
        for table in pay_tables(sheet)
        if table["clause"] == clause
    ]
    texts = [
        {
            "words": _labeled_text(text),
            "ours": describe_assumption(assumed_share(text, short_form=True)),
            "notes": list(text.notes),
        }
        for text in rule_texts(sheet)
        if clause in text.clauses and text.label is not None
    ]
    return tables + texts + _unlisted_notes(sheet, clause, tables + texts)


def _labeled_text(text: RuleText) -> str:
    if not text.label:
        return text.card_text
    return say("sheets.clause.labeled", label=text.label, words=text.card_text)


def _unlisted_notes(sheet: Sheet, clause: str, listed: list[Json]) -> list[Json]:
    """Rules without a rule text, if they have a note."""
    listed_notes = {note for rule_document in listed for note in rule_document["notes"]}
    return [
        {
            "words": format_path(path),
            "ours": describe_assumption(assumed_of_rule(rule)),
            "notes": [rule.note],
        }
        for path, rule in rules_of(sheet, ())
        if rule.clause == clause and rule.note and rule.note not in listed_notes
    ]


def _note_lines(note: str | None) -> list[str]:
    return [note] if note else []
