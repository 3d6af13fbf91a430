"""clauses.json: what the package ships of clauses.toml, so that a clause can be opened anywhere."""

from __future__ import annotations

import json

from docs.conformance import Clause, Document, read_clauses


def clauses() -> str:
    """The whole of clauses.json; code, tests and status are the project's own affair."""
    told = {one.id: _document(one) for one in read_clauses()}
    return json.dumps(told, indent=1, ensure_ascii=False) + "\n"


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
    told = {"title": clause.title, "text": clause.text, "where": clause.where}
    unread = {} if clause.read else {"read": False}
    return {**told, **unread, "mark": list(clause.mark)}
