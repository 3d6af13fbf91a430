"""A clause with its text, its source, and the rules that cite it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pitbook.sheets.clauses import catalogue, find_clause
from pitbook.sheets.findings import format_path
from pitbook.sheets.model import Sheet
from pitbook.sheets.prose.pay_tables import pay_tables
from pitbook.sheets.prose.rule_text import RuleText
from pitbook.sheets.prose.rules import rule_texts
from pitbook.sheets.provenance import provenance_label, rules_of, share
from pitbook.text import say
from pitbook.text.documents import fix_foreign_currency

Json = dict[str, Any]


def clause_document(name: str, sheets: Sequence[Sheet]) -> Json:
    """A clause with its text, place and citing rules, as JSON; raises ClauseUnknown.

    A clause outside the catalogue is known if one of the sheets cites it.
    """
    clause_ids = {clause.upper(): clause for sheet in sheets for clause in sheet.clause_ids}
    clause_id = clause_ids.get(name.strip().upper())
    if clause_id is not None and clause_id not in catalogue():
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
            "ours": table["ours"],
            "notes": _some(table["note"]),
        }
        for table in pay_tables(sheet)
        if table["clause"] == clause
    ]
    texts = [
        {
            "words": _labelled_text(text),
            "ours": provenance_label(text.ours),
            "notes": list(text.notes),
        }
        for text in rule_texts(sheet)
        if clause in text.clauses and text.label is not None
    ]
    return tables + texts + _unlisted_notes(sheet, clause, tables + texts)


def _labelled_text(text: RuleText) -> str:
    if not text.label:
        return text.card_text
    return say("sheets.clause.labelled", label=text.label, words=text.card_text)


def _unlisted_notes(sheet: Sheet, clause: str, listed: list[Json]) -> list[Json]:
    """Rules without a rule text, if they have a note."""
    listed_notes = {note for rule_document in listed for note in rule_document["notes"]}
    return [
        {"words": format_path(path), "ours": provenance_label(share(rule)), "notes": [rule.note]}
        for path, rule in rules_of(sheet, ())
        if rule.clause == clause and rule.note and rule.note not in listed_notes
    ]


def _some(note: str | None) -> list[str]:
    return [note] if note else []
