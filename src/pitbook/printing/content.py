"""Content of a paper before typesetting: sections of paragraphs, tables and drawings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, Literal

from pitbook.sheets.clauses import document_of, is_unread, location, merge_places
from pitbook.sheets.provenance import OursShare
from pitbook.text import Sentence, in_language, say

# Hebrew and Arabic, and the scripts in their blocks.
_LEFTWARDS = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_ISOLATED = "\u2066{}\u2069"


def isolate_names(sentence: str, text: str) -> str:
    """The text with right-to-left names isolated; otherwise an amount after a name would move
    before it.
    """
    if not isinstance(sentence, Sentence) or not _LEFTWARDS.search(text):
        return text
    names = sorted(set(_names(sentence)), key=len, reverse=True)
    if not names:
        return text
    return re.sub("|".join(map(re.escape, names)), lambda match: _ISOLATED.format(match[0]), text)


def _names(part: Any) -> Iterator[str]:
    """The right-to-left names in a sentence and in the sentences it contains."""
    if isinstance(part, Sentence) and part.fields:
        part = tuple(part.fields.values())
    if isinstance(part, tuple | list):
        for field in part:
            yield from _names(field)
    elif isinstance(part, str) and _LEFTWARDS.search(part):
        yield part


PaperShape = Literal["folio", "wallet", "rack", "sign", "card", "drawing", "slip", "page"]


@dataclass(frozen=True)
class Paragraph:
    """A rule, a step or a remark, with its clauses and notes."""

    text: str
    key: str = ""
    clauses: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    lead: str = ""  # Printed in bold before the text: a wager, a hand.
    kind: Literal["rule", "step", "remark"] = "rule"
    verbatim: bool = False  # Print the text unchanged, even if it contains a time such as 8:30.
    assumed: OursShare = "none"  # How much of it is our assumption; marked with a dagger.
    edits: tuple[tuple[str, str], ...] = ()  # A redline's: same, deleted or inserted, and text.


@dataclass(frozen=True)
class Table:
    """Rows under a head; `align` has one letter per column: l, c or r."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    align: str
    key: str = ""
    clauses: tuple[str, ...] = ()
    about: str = ""
    notes: tuple[str, ...] = ()
    strong: tuple[int, ...] = ()  # Indexes of emphasized rows.
    assumed: OursShare = "none"  # For the table as a whole; mark_assumption marks single cells.
    kind: Literal["table"] = "table"


@dataclass(frozen=True)
class SmallTables:
    """Small tables side by side."""

    tables: tuple[Table, ...]
    kind: Literal["tables"] = "tables"


@dataclass(frozen=True)
class Square:
    """A square of a grid; the tone shows how much is bet: none, low, high, fold."""

    text: str
    tone: Literal["none", "low", "high", "fold"] = "none"


@dataclass(frozen=True)
class SquareGrid:
    """Squares by row and column, such as a strategy chart."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Square, ...]], ...]
    legend: str = ""
    key: str = ""
    about: str = ""
    kind: Literal["grid"] = "grid"


@dataclass(frozen=True)
class Drawing:
    """A line drawing as SVG, with a description in words."""

    svg: str
    alt: str
    width: float  # In millimeters; 0: the width of the column.
    key: str = ""
    assumed: OursShare = "none"  # Whether the drawing contains a dagger.
    kind: Literal["drawing"] = "drawing"


@dataclass(frozen=True)
class Signatures:
    """Signature lines: the label below each, and the text already filled in."""

    lines: tuple[tuple[str, str], ...]
    key: str = ""
    kind: Literal["signatures"] = "signatures"


Block = Paragraph | Table | SmallTables | SquareGrid | Drawing | Signatures


@dataclass(frozen=True)
class Section:
    title: str
    blocks: tuple[Block, ...]
    key: str = ""

    @property
    def heading(self) -> str:
        """The title that a reader sees: the section's own, else that of its first table."""
        titles = (self.title, *(getattr(block, "title", "") for block in self.blocks[:1]))
        return next(filter(None, titles), "")


@dataclass(frozen=True)
class Identity:
    """What every page shows: the sheet, its version and its effective date."""

    sheet: str
    hash: str
    packet: str  # The hash over everything that a paper is made from.
    venue: str
    title: str
    effective: str
    approved: str
    version: str
    lines: tuple[str, ...] = ()  # The foot of papers that do not belong to a single sheet.


@dataclass(frozen=True)
class Paper:
    """One document of a packet."""

    id: str
    title: str
    about: tuple[str, ...]
    identity: Identity
    sections: tuple[Section, ...]
    shape: PaperShape = "folio"

    @property
    def has_numbers(self) -> bool:
        """Whether sections and paragraphs are numbered; otherwise they only have titles."""
        return self.shape in ("folio", "card")


@dataclass(frozen=True)
class NumberedBlock:
    """A block with the number that citations use."""

    number: str
    section: str
    block: Paragraph | Table | SquareGrid | Drawing | Signatures


def numbered_blocks(paper: Paper) -> Iterator[NumberedBlock]:
    """Every numbered block by section: paragraphs, and tables and grids with a title."""
    for number, section in enumerate(paper.sections, start=1):
        count = 0
        for block in section.blocks:
            for part in block.tables if isinstance(block, SmallTables) else (block,):
                if isinstance(part, Paragraph) and part.kind == "remark":
                    continue
                # It continues the table before it.
                if isinstance(part, SquareGrid) and not part.title:
                    continue
                count += 1
                yield NumberedBlock(f"{number}.{count}", section.key, part)


_TWICE = re.compile(r"\b(the) the\b", re.IGNORECASE)  # A wager whose title has its own article.
_ODDS = re.compile(r"\b([0-9]+):([0-9]+)\b", re.ASCII)
_TWO_STOPS = re.compile(r"(?<!\.)\.\.(?!\.)")
# But not a time such as 8:30.
_ODDS_IN_CELLS = re.compile(r"(?<![:\d])([0-9]+):([1-9])(?![:\d])", re.ASCII)


def plain(part: Any, language: str) -> Any:
    """Content as JSON values in a language; odds in paragraphs become "500 to 1"."""
    if isinstance(part, Paragraph):
        fields_text = _fields(part, language)
        if part.verbatim:
            return fields_text
        text = _ODDS.sub(lambda odds: _to_one(odds, language), fields_text["text"])
        return {**fields_text, "text": _TWICE.sub(r"\1", _TWO_STOPS.sub(".", text))}
    if isinstance(part, Table):
        fields_text = _fields(part, language)
        return {
            **fields_text,
            "rows": [[_in_cell(cell, language) for cell in row] for row in fields_text["rows"]],
        }
    if is_dataclass(part) and not isinstance(part, type):
        return {field.name: plain(getattr(part, field.name), language) for field in fields(part)}
    if isinstance(part, str):
        return isolate_names(part, _collapse_stops(part, in_language(part, language)))
    if isinstance(part, dict):
        return {name: plain(field, language) for name, field in part.items()}
    if isinstance(part, tuple | list):
        return [plain(field, language) for field in part]
    return part


def _fields(part: Paragraph | Table, language: str) -> dict[str, Any]:
    values = {field.name: plain(getattr(part, field.name), language) for field in fields(part)}
    return {**values, "clauses": [plain(place, language) for place in margins(part.clauses)]}


def margins(clauses: tuple[str, ...]) -> list[str]:
    """The places of several clauses, each heading of a document once."""
    by_document: dict[str, list[str]] = {}
    for clause in clauses:
        key = clause if is_unread(clause) else document_of(clause) or clause
        by_document.setdefault(key, []).append(clause)
    return [
        margin(group[0]) if len(group) == 1 else merge_places(map(location, group))
        for group in by_document.values()
    ]


def margin(clause: str) -> str:
    """The place of a clause in its source; a dagger marks a section that was not read."""
    place = location(clause)
    return say("papers.unread", clause=place) if is_unread(clause) else place


def _collapse_stops(sentence: str, text: str) -> str:
    """The text with a single full stop where a name such as "Inc." ends it."""
    return _TWO_STOPS.sub(".", text) if isinstance(sentence, Sentence) else text


def without_notes(value: Any) -> Any:
    """JSON values of content without notes, which a paper prints by number in another section."""
    if isinstance(value, dict):
        return {key: without_notes(part) for key, part in value.items() if key != "notes"}
    return [*map(without_notes, value)] if isinstance(value, list) else value


def _in_cell(text: str, language: str) -> str:
    return _ODDS_IN_CELLS.sub(lambda odds: _to_one(odds, language), text)


def _to_one(odds: re.Match[str], language: str) -> str:
    return in_language(say("aloud.tables.odds", to=int(odds[1]), one=int(odds[2])), language)


TITLES = {
    "rules": "papers.rules.title",
    "report": "papers.report.title",
    "rack-card": "papers.rack.title",
    "sign": "papers.sign.title",
    "strategy-card": "papers.wallet.title",
    "dealer-card": "papers.dealer.title",
    "layout": "papers.layout.title",
}

# These need the figures of a report.
PAPERS_WITH_FIGURES = "report", "rack-card", "strategy-card"
