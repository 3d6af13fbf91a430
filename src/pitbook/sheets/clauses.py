"""What a clause says, in our words, and where it stands in the document it was taken from."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from pitbook.errors import SheetError
from pitbook.sheets.findings import did_you_mean, printable
from pitbook.text import say

SHIPPED = Path(__file__).with_name("clauses.json")


class ClauseUnknown(SheetError):
    """A clause that is not listed; its text names one that is near."""


@dataclass(frozen=True)
class ClauseText:
    """One rule: its wording, its document and its place there; `ours` where no document has it."""

    id: str
    title: str
    text: str
    document: str
    where: str | None
    mark: tuple[str, ...]
    ours: bool
    undocumented: bool = False  # No document states it; published analyses of the game do.
    read: bool = True  # Whether the text at that place was read.

    @property
    def place(self) -> str:
        """Where it is to be found, in words."""
        if self.ours:
            return say("sheets.clause.in-none")
        place = f"{self.document}: {self.where}" if self.where else self.document
        return place if self.read else say("sheets.clause.not-read", place=place)

    @property
    def left_to_us(self) -> str:
        """What the document left to us, in a sentence; nothing where it left nothing."""
        said = {"gap": say("sheets.clause.gap"), "conflict": say("sheets.clause.conflict")}
        told = [] if self.ours else [said[one] for one in self.mark]
        if len(told) > 1:
            return say("sheets.clause.both", one=told[0], other=told[1])
        return told[0] if told else ""

    def document_json(self) -> dict[str, Any]:
        """The clause as JSON carries it."""
        return {
            "clause": self.id,
            "title": self.title,
            "text": self.text,
            "place": self.place,
            "left_to_us": self.left_to_us,
            "ours": self.ours,
        }


@cache
def catalogue() -> Mapping[str, ClauseText]:
    """Every clause that the bundled sheets and houses are made of, by its id."""
    documents = json.loads(SHIPPED.read_text(encoding="utf-8"))
    return {
        clause: _clause(clause, told, document)
        for document in documents.values()
        for clause, told in document["clauses"].items()
    }


def _clause(name: str, told: dict[str, Any], document: dict[str, Any]) -> ClauseText:
    title = ", ".join(one for one in (document["title"], document["venue"]) if one)
    return ClauseText(
        id=name,
        title=told["title"],
        text=told["text"],
        document=title,
        where=told["where"],
        mark=tuple(told["mark"]),
        ours=document["ours"],
        undocumented=document.get("undocumented", False),
        read=told.get("read", True),
    )


def find_clause(name: str) -> ClauseText:
    """A clause by its id, in capitals or not; raises ClauseUnknown."""
    known = catalogue()
    asked = name.strip()
    found = known.get(asked.upper()) or known.get(asked.lower())  # CMS-9, 643a.7
    if found is None:
        unknown = {"clause": printable(name), "remedy": did_you_mean(name, known)}
        raise ClauseUnknown(say("sheets.no-clause", **unknown))
    return found


def is_general(clause: str) -> bool:
    """Whether a clause is one of those that we made for every sheet."""
    found = catalogue().get(clause)
    return found is not None and found.ours


def is_unread(clause: str) -> bool:
    """Whether a clause cites a section whose text was not read."""
    entry = catalogue().get(clause)
    return entry is not None and not entry.read
