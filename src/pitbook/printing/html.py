"""Renders a paper as HTML, from the same content as its PDF."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from html import escape
from pathlib import Path
from typing import Any

from pitbook.printing.content import (
    Block,
    Drawing,
    Paper,
    Paragraph,
    Section,
    Signatures,
    SmallTables,
    SquareGrid,
    Table,
    margin,
    numbered_blocks,
    plain,
)
from pitbook.printing.page_texts import foot, head
from pitbook.sheets.assumptions import MARK, legend

STYLE = Path(__file__).with_name("paper.css")
WORD_MAX = 12
SIDES = {"l": None, "r": "right", "c": "center"}


def page(paper: Paper, language: str = "en") -> str:
    """The paper as a complete page with embedded style and no external resources."""
    titles = (plain(title, language) for title in (paper.identity.title, paper.title))
    title = escape(", ".join(dict.fromkeys(titles)))
    style = STYLE.read_text(encoding="utf-8")
    head = (
        f'<meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        f"<title>{title}</title><style>{style}</style>"
    )
    body = _tag("main", html(paper, language))
    spoken = language.partition("/")[0]
    return f'<!doctype html><html lang="{spoken}"><head>{head}</head><body>{body}</body></html>'


def html(paper: Paper, language: str = "en") -> str:
    """The paper's content as an article, without style or script."""
    blocks = numbered_blocks(paper) if paper.has_numbers else ()
    numbers = {id(block.block): block.number for block in blocks}
    text = _Text(language, numbers)
    sections = "".join(
        _tag(
            "section",
            (
                text.heading(number if paper.has_numbers else None, section.title)
                if section.title
                else ""
            )
            + "".join(text.block(block) for block in section.blocks),
            id=f"paper-{section.key.strip('/')}" if section.key else None,
        )
        for number, section in enumerate(paper.sections, start=1)
    )
    about = "".join(_tag("p", text(line), class_="about") for line in paper.about)
    title = _tag("h1", text(paper.identity.title))
    run = _tag("p", " · ".join(text(part) for part in head(paper)), class_="run")
    end = _tag("footer", " · ".join(text(part) for part in foot(paper)))
    if MARK in sections or any(map(_has_mark, paper.sections)):
        end = _tag("p", text(legend()), class_="legend") + end
    return _tag(
        "article",
        run + title + about + sections + end,
        class_=f"paper {paper.shape}",
        lang=language.partition("/")[0],
    )


def _has_mark(section: Section) -> bool:
    return any(isinstance(block, Drawing) and block.assumed != "none" for block in section.blocks)


class _Text:
    """Renders content in a language, with the numbers of its blocks."""

    def __init__(self, language: str, numbers: dict[int, str]) -> None:
        self.language, self._numbers = language, numbers

    def __call__(self, text: str) -> str:
        return escape(plain(text, self.language), quote=False)

    def heading(self, place: int | None, title: str) -> str:
        return _tag("h2", f"{place} {self(title)}" if place else self(title))

    def block(self, block: Block) -> str:
        return _RENDERERS[type(block)](self, block)

    def number(self, block: Block) -> str:
        number = self._numbers.get(id(block), "")
        return _tag("span", number, class_="number") + " " if number else ""

    def clauses(self, clauses: Iterable[str]) -> str:
        return "".join(
            _tag("span", self(margin(clause)), class_="clause") + " " for clause in clauses
        )


def _mark(block: Paragraph | Table) -> str:
    return "" if block.assumed == "none" else MARK


def _paragraph(text: _Text, paragraph: Paragraph) -> str:
    lead = _tag("b", text(paragraph.lead)) + " " if paragraph.lead else ""
    content = plain(paragraph, text.language)["text"]
    body = escape(content, quote=False)
    if paragraph.edits:
        body = "".join(_edit(kind, words) for kind, words in paragraph.edits)
    words = text.number(paragraph) + lead + body + _mark(paragraph)
    return _tag(
        "p",
        text.clauses(paragraph.clauses) + words,
        class_=paragraph.kind,
        data_key=paragraph.key or None,
    )


def _edit(kind: str, words: str) -> str:
    escaped = escape(words, quote=False)
    tags = {"deleted": "del", "inserted": "ins"}
    return _tag(tags[kind], escaped) if kind in tags else escaped


def _table(text: _Text, table: Table) -> str:
    about = _tag("span", text(table.about), class_="about") if table.about else ""
    number = text.number(table) if table.title else ""
    words = f"{number}{text(table.title)} {text.clauses(table.clauses)}{_mark(table)}{about}"
    caption = _tag("caption", words)
    heads = zip(table.head, table.align, strict=True)
    head_cells = "".join(
        _tag("th", text(cell), scope="col", class_=SIDES[alignment]) for cell, alignment in heads
    )
    head_row = _tag("thead", _tag("tr", head_cells)) if any(table.head) else ""
    row_texts = plain(table, text.language)["rows"]
    rows = "".join(
        _tag(
            "tr",
            "".join(
                _tag("td", escape(cell, quote=False), class_=SIDES[alignment] or _length(cell))
                for cell, alignment in zip(row, table.align, strict=True)
            ),
            class_="strong" if index in table.strong else None,
        )
        for index, row in enumerate(row_texts)
    )
    return _tag("table", caption + head_row + _tag("tbody", rows), data_key=table.key or None)


def _length(cell: str) -> str | None:
    """The class that lets a long cell break; short words and clauses are never broken."""
    if any(len(word) > WORD_MAX for word in cell.split()):
        return "long"
    return "word" if "-" in cell and " " not in cell else None


def _tables(text: _Text, group: SmallTables) -> str:
    return _tag("div", "".join(_table(text, table) for table in group.tables), class_="tables")


def _grid(text: _Text, grid: SquareGrid) -> str:
    heads = "".join(_tag("th", text(cell), scope="col") for cell in ("", *grid.head))
    rows = "".join(
        _tag(
            "tr",
            _tag("th", text(name), scope="row")
            + "".join(_tag("td", text(cell.text), class_=cell.tone) for cell in cells),
        )
        for name, cells in grid.rows
    )
    about = _tag("span", text(grid.about), class_="about") if grid.about else ""
    caption = _tag("caption", text.number(grid) + text(grid.title) + about)
    legend = _tag("p", text(grid.legend), class_="remark") if grid.legend else ""
    return _tag("table", caption + _tag("tr", heads) + rows, class_="grid") + legend


def _drawing(text: _Text, drawing: Drawing) -> str:
    return _tag("figure", drawing.svg, role="img", aria_label=text(drawing.alt))


def _signatures(text: _Text, signatures: Signatures) -> str:
    lines = "".join(
        _tag("div", _tag("span", text(filled)) + _tag("small", text(name)))
        for name, filled in signatures.lines
    )
    return _tag("div", lines, class_="signatures")


_RENDERERS: dict[type, Callable[[_Text, Any], str]] = {
    Paragraph: _paragraph,
    Table: _table,
    SmallTables: _tables,
    SquareGrid: _grid,
    Drawing: _drawing,
    Signatures: _signatures,
}


def _tag(name: str, inside: str, **attributes: str | None) -> str:
    rendered = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    return f"<{name}{rendered}>{inside}</{name}>"
