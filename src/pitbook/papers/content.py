"""A paper as content: sections of paragraphs, tables and drawings, before typesetting."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, Literal

from pitbook.sheets.clauses import is_unread
from pitbook.sheets.provenance import OursShare
from pitbook.text import Sentence, in_language, say

# Hebrew and Arabic, and what is written as they are.
_LEFTWARDS = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_ISOLATED = "\u2066{}\u2069"


def set_apart(said: str, text: str) -> str:
    """What a sentence says, such names isolated: an amount after one would else stand before it."""
    if not isinstance(said, Sentence) or not _LEFTWARDS.search(text):
        return text
    names = sorted(set(_names(said)), key=len, reverse=True)
    if not names:
        return text
    return re.sub("|".join(map(re.escape, names)), lambda one: _ISOLATED.format(one[0]), text)


def _names(part: Any) -> Iterator[str]:
    """The names that a sentence was made of, and the sentences in it."""
    if isinstance(part, Sentence) and part.fields:
        part = tuple(part.fields.values())
    if isinstance(part, tuple | list):
        for one in part:
            yield from _names(one)
    elif isinstance(part, str) and _LEFTWARDS.search(part):
        yield part


PaperShape = Literal["folio", "wallet", "rack", "sign", "card", "drawing", "slip", "page"]


@dataclass(frozen=True)
class Paragraph:
    """A rule, a step or a remark: its text, where it comes from, and why where we chose."""

    text: str
    key: str = ""
    clauses: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    lead: str = ""  # What stands before the text in bold: a wager, a hand.
    kind: Literal["rule", "step", "remark"] = "rule"
    verbatim: bool = False  # Its text stays as it is, also where it has an hour in it.
    assumed: OursShare = "none"  # How much of it is our assumption; a dagger marks it.


@dataclass(frozen=True)
class Table:
    """Rows under a head; `align` has a letter for each column: l, c or r."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    align: str
    key: str = ""
    clauses: tuple[str, ...] = ()
    about: str = ""
    notes: tuple[str, ...] = ()
    strong: tuple[int, ...] = ()  # Rows that stand out.
    assumed: OursShare = "none"  # Of the table as a whole; mark_assumption marks single cells.
    kind: Literal["table"] = "table"


@dataclass(frozen=True)
class SmallTables:
    """Small tables side by side."""

    tables: tuple[Table, ...]
    kind: Literal["tables"] = "tables"


@dataclass(frozen=True)
class Square:
    """A square of a grid; the tone says how much is bet there: none, low, high, fold."""

    text: str
    tone: Literal["none", "low", "high", "fold"] = "none"


@dataclass(frozen=True)
class SquareGrid:
    """Squares by row and column, as of a strategy."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Square, ...]], ...]
    legend: str = ""
    key: str = ""
    about: str = ""
    kind: Literal["grid"] = "grid"


@dataclass(frozen=True)
class Drawing:
    """A picture in lines, as SVG, with what it shows in words."""

    svg: str
    alt: str
    width: float  # In millimetres; 0: as wide as the column.
    key: str = ""
    assumed: OursShare = "none"  # Whether a dagger stands in the picture.
    kind: Literal["drawing"] = "drawing"


@dataclass(frozen=True)
class Signatures:
    """Lines to sign on: what stands under each, and what is filled in already."""

    lines: tuple[tuple[str, str], ...]
    key: str = ""
    kind: Literal["signatures"] = "signatures"


Block = Paragraph | Table | SmallTables | SquareGrid | Drawing | Signatures


@dataclass(frozen=True)
class Section:
    """A heading and what stands under it."""

    title: str
    blocks: tuple[Block, ...]
    key: str = ""

    @property
    def heading(self) -> str:
        """What a reader sees over it: its title, or that of its first table; none of a drawing."""
        titles = (self.title, *(getattr(one, "title", "") for one in self.blocks[:1]))
        return next(filter(None, titles), "")


@dataclass(frozen=True)
class Identity:
    """What every page carries: whose sheet it is, which, and since when."""

    sheet: str
    hash: str
    packet: str  # The hash over everything that a paper is made of.
    venue: str
    title: str
    effective: str
    approved: str
    version: str
    lines: tuple[str, ...] = ()  # The foot of papers that are of no sheet, or not of it alone.


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
        """Whether a reader finds numbers at its sections and paragraphs; else only their titles."""
        return self.shape in ("folio", "card")


@dataclass(frozen=True)
class Numbered:
    """A block with the number by which others cite it."""

    number: str
    section: str
    block: Paragraph | Table | SquareGrid | Drawing | Signatures


def numbered(paper: Paper) -> Iterator[Numbered]:
    """Every block that has a number: paragraphs, tables and grids with a title, by section."""
    for place, section in enumerate(paper.sections, start=1):
        count = 0
        for block in section.blocks:
            for one in block.tables if isinstance(block, SmallTables) else (block,):
                if isinstance(one, Paragraph) and one.kind == "remark":
                    continue
                if (
                    isinstance(one, SquareGrid) and not one.title
                ):  # It goes on with the table before it.
                    continue
                count += 1
                yield Numbered(f"{place}.{count}", section.key, one)


_TWICE = re.compile(r"\b(the) the\b", re.IGNORECASE)  # A wager whose title has its own article.
_ODDS = re.compile(r"\b([0-9]+):([0-9]+)\b", re.ASCII)
_TWO_STOPS = re.compile(r"(?<!\.)\.\.(?!\.)")
_ODDS_IN_CELLS = re.compile(r"(?<![:\d])([0-9]+):([1-9])(?![:\d])", re.ASCII)  # And no hour.


def plain(part: Any, language: str) -> Any:
    """Content as JSON values, every sentence in a language; odds of paragraphs as "500 to 1"."""
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
            "rows": [[_in_cell(one, language) for one in row] for row in fields_text["rows"]],
        }
    if is_dataclass(part) and not isinstance(part, type):
        return {one.name: plain(getattr(part, one.name), language) for one in fields(part)}
    if isinstance(part, str):
        return set_apart(part, _stopped(part, in_language(part, language)))
    if isinstance(part, dict):
        return {name: plain(one, language) for name, one in part.items()}
    if isinstance(part, tuple | list):
        return [plain(one, language) for one in part]
    return part


def _fields(part: Paragraph | Table, language: str) -> dict[str, Any]:
    values = {one.name: plain(getattr(part, one.name), language) for one in fields(part)}
    return {**values, "clauses": [plain(margin(one), language) for one in part.clauses]}


def margin(clause: str) -> str:
    """The clause as the margin of a paper prints it: a dagger marks a section that was not read."""
    return say("papers.unread", clause=clause) if is_unread(clause) else clause


def _stopped(said: str, text: str) -> str:
    """What a sentence says, with one full stop where a name such as "Inc." ends it."""
    return _TWO_STOPS.sub(".", text) if isinstance(said, Sentence) else text


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

FIGURED = ("report", "rack-card", "strategy-card")  # They wait for the figures of a report.
