"""clauses.json: the part of clauses.toml that the package ships to look clauses up."""

from __future__ import annotations

import json

from docs.conformance import Clause, Document, read_clauses


def clauses() -> str:
    """The text of clauses.json; code, tests and status are internal and left out."""
    documents = {document.id: _document(document) for document in read_clauses()}
    return json.dumps(documents, indent=1, ensure_ascii=False) + "\n"


def _document(document: Document) -> dict[str, object]:
    undocumented = {"undocumented": True} if document.undocumented else {}
    return {
        "title": document.title,
        "venue": document.venue,
        "dated": document.dated,
        "ours": document.ours,
        **undocumented,
        "clauses": {clause.id: _clause(clause) for clause in document.clauses},
    }


def _clause(clause: Clause) -> dict[str, object]:
    fields = {"title": clause.title, "text": clause.text, "where": clause.where}
    unread_field = {} if clause.read else {"read": False}
    return {**fields, **unread_field, "mark": list(clause.mark)}
