"""The catalog of clauses: our wording of each rule, and its place in the source document."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from pitbook.errors import SheetError
from pitbook.text import say
from pitbook.text.user_input import did_you_mean, printable

CATALOG_FILE = Path(__file__).with_name("clauses.json")


class ClauseUnknown(SheetError):
    """A clause that is not listed; the message suggests a similar one."""


@dataclass(frozen=True)
class ClauseText:
    """One rule: its wording, document and place; `ours` if no document has it."""

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
        """Where the text is, in words."""
        if self.ours:
            return say("sheets.clause.in-none")
        place = f"{self.document}: {self.where}" if self.where else self.document
        return place if self.read else say("sheets.clause.not-read", place=place)

    @property
    def left_to_us(self) -> str:
        """What the document left open, as a sentence; empty if nothing."""
        text_by_mark = {"gap": say("sheets.clause.gap"), "conflict": say("sheets.clause.conflict")}
        texts = [] if self.ours else [text_by_mark[mark] for mark in self.mark]
        if len(texts) > 1:
            return say("sheets.clause.both", one=texts[0], other=texts[1])
        return texts[0] if texts else ""

    def document_json(self) -> dict[str, Any]:
        """The clause as JSON."""
        return {
            "clause": self.id,
            "title": self.title,
            "text": self.text,
            "place": self.place,
            "left_to_us": self.left_to_us,
            "ours": self.ours,
        }


@cache
def clause_texts() -> Mapping[str, ClauseText]:
    """Every clause of the bundled sheets and houses, by id."""
    documents = json.loads(CATALOG_FILE.read_text(encoding="utf-8"))
    return {
        clause: _clause(clause, clause_entry, document)
        for document in documents.values()
        for clause, clause_entry in document["clauses"].items()
    }


def _clause(name: str, clause_entry: dict[str, Any], document: dict[str, Any]) -> ClauseText:
    title = ", ".join(part for part in (document["title"], document["venue"]) if part)
    return ClauseText(
        id=name,
        title=clause_entry["title"],
        text=clause_entry["text"],
        document=title,
        where=clause_entry["where"],
        mark=tuple(clause_entry["mark"]),
        ours=document["ours"],
        undocumented=document.get("undocumented", False),
        read=clause_entry.get("read", True),
    )


def find_clause(name: str) -> ClauseText:
    """A clause by its id, in any case; raises ClauseUnknown."""
    clauses = clause_texts()
    clause_id = name.strip()
    clause = clauses.get(clause_id.upper()) or clauses.get(clause_id.lower())  # CMS-9, 643a.7
    if clause is None:
        values = {"clause": printable(name), "remedy": did_you_mean(name, clauses)}
        raise ClauseUnknown(say("sheets.no-clause", **values))
    return clause


NO_PLACE = "Nowhere"  # How a clause opens that its document does not have.


def location(clause: str) -> str:
    """Where a clause stands in its source, by page, heading and item; its id if nowhere.

    >>> location("CMS-9"), location("GEN-1"), location("655a.6")
    ('Payouts, page 3, the table; Overview, page 2', 'GEN-1', '655a.6')
    """
    entry = clause_texts().get(clause)
    if entry is None or entry.ours or entry.undocumented or not entry.where:
        return clause
    has_place = not entry.where.startswith(NO_PLACE) and entry.where != f"Section {clause}"
    return entry.where if has_place else clause


_PLACE = re.compile(
    r"(?P<heading>[^,;]+)(?P<page>, page \d+)?"
    r"(?:, items? (?P<items>\d+[a-z]?(?:(?:, | and | to )\d+[a-z]?)*))?",
    re.ASCII,
)


def merge_places(places: Iterable[str]) -> str:
    """Several locations in one document, with the items of each heading together.

    >>> merge_places(["Rules, items 5, 7 and 9", "Overview, page 2; Rules, items 6 and 8"])
    'Rules, items 5 to 9; Overview, page 2'
    """
    items_by_heading: dict[str, set[int] | None] = {}
    for place in (part for text in places for part in text.split("; ")):
        match = _PLACE.fullmatch(place)
        numbers = _item_numbers(match["items"]) if match and match["items"] else None
        heading = (
            place if numbers is None or not match else match["heading"] + (match["page"] or "")
        )
        items = items_by_heading.get(heading, set())
        items_by_heading[heading] = None if numbers is None or items is None else items | numbers
    return "; ".join(
        heading if numbers is None else f"{heading}, {_list_items(sorted(numbers))}"
        for heading, numbers in items_by_heading.items()
    )


def _item_numbers(text: str) -> set[int] | None:
    """The numbers of "5, 7 and 9" or "3 to 6"; None if some are lettered, such as 5a."""
    if re.search("[a-z]", text.replace(" and ", "").replace(" to ", "")):
        return None
    first, to, last = text.partition(" to ")
    if to and first.isdigit() and last.isdigit():
        return set(range(int(first), int(last) + 1))
    return None if to else {int(number) for number in re.findall(r"\d+", text)}


def _list_items(numbers: list[int]) -> str:
    """Numbers as a citation lists them: item 5; items 5 and 7; items 5 to 9."""
    if len(numbers) == 1:
        return f"item {numbers[0]}"
    if len(numbers) > 2 and numbers == [*range(numbers[0], numbers[-1] + 1)]:
        return f"items {numbers[0]} to {numbers[-1]}"
    return f"items {', '.join(map(str, numbers[:-1]))} and {numbers[-1]}"


def document_of(clause: str) -> str:
    """The document of a clause; empty if it is not in the catalog."""
    entry = clause_texts().get(clause)
    return entry.document if entry else ""


def is_general(clause: str) -> bool:
    """Whether a clause is one of our general ones."""
    clause_text = clause_texts().get(clause)
    return clause_text is not None and clause_text.ours


def is_unread(clause: str) -> bool:
    """Whether a clause cites a section whose text was not read."""
    entry = clause_texts().get(clause)
    return entry is not None and not entry.read
