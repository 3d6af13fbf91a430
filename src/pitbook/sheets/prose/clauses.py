"""A clause with its text, its source, and the rules that sheets base on it."""

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
from pitbook.text.documents import in_own_currency

Json = dict[str, Any]


def clause_document(name: str, sheets: Sequence[Sheet]) -> Json:
    """A clause as it is shown to whoever asks; raises ClauseUnknown where nobody knows of it.

    A clause that is not ours to word is known where one of the sheets cites it.
    """
    known = {one.upper(): one for sheet in sheets for one in sheet.clause_ids}
    asked = known.get(name.strip().upper())
    if asked is not None and asked not in catalogue():
        told = _of_the_sheet(asked, sheets)
    else:
        told = find_clause(name).document_json()
    named = str(told["clause"])
    citing = [sheet for sheet in sheets if named in sheet.clause_ids]
    return {
        **told,
        "sheets": [{"sheet": sheet.id, "rules": _rules(sheet, named)} for sheet in citing],
    }


def _rules(sheet: Sheet, clause: str) -> list[Json]:
    """The same in the money of the sheet's house: another sheet beside it may have other money."""
    return in_own_currency(notes_of(sheet, clause), sheet.house.currency)


def _of_the_sheet(name: str, sheets: Sequence[Sheet]) -> Json:
    """A clause of a house's own: its place is the document that its sheet was made from."""
    documents = dict.fromkeys(one.source.document for one in sheets if name in one.clause_ids)
    told = {
        "clause": name,
        "title": "",
        "text": say("sheets.clause.unwritten"),
        "place": "; ".join(documents),
    }
    return {**told, "left_to_us": "", "ours": False}


def notes_of(sheet: Sheet, clause: str) -> list[Json]:
    """Every rule that the sheet rests on a clause, with its mark and our notes."""
    tables = [
        {
            "words": say("sheets.clause.pays", title=one["title"]),
            "ours": one["ours"],
            "notes": _some(one["note"]),
        }
        for one in pay_tables(sheet)
        if one["clause"] == clause
    ]
    said = [
        {
            "words": _labelled(one),
            "ours": provenance_label(one.ours),
            "notes": list(one.notes),
        }
        for one in rule_texts(sheet)
        if clause in one.clauses and one.label is not None
    ]
    return tables + said + _unsaid(sheet, clause, tables + said)


def _labelled(one: RuleText) -> str:
    if not one.label:
        return one.beside_label
    return say("sheets.clause.labelled", label=one.label, words=one.beside_label)


def _unsaid(sheet: Sheet, clause: str, told: list[Json]) -> list[Json]:
    """Rules that no line of the card speaks of, where we have something to say about them."""
    known = {note for one in told for note in one["notes"]}
    return [
        {"words": format_path(path), "ours": provenance_label(share(rule)), "notes": [rule.note]}
        for path, rule in rules_of(sheet, ())
        if rule.clause == clause and rule.note and rule.note not in known
    ]


def _some(note: str | None) -> list[str]:
    return [note] if note else []
