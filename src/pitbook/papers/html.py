"""A paper as HTML, from the same content as its PDF."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from html import escape
from pathlib import Path
from typing import Any

from pitbook.papers.assumptions import MARK, legend
from pitbook.papers.content import (
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
    numbered,
    plain,
)
from pitbook.papers.identity import foot, head

STYLE = Path(__file__).with_name("paper.css")
WORD_MAX = 12
SIDES = {"l": None, "r": "right", "c": "center"}


def page(paper: Paper, language: str = "en") -> str:
    """The paper as a page of its own, with its style in it and nothing to be fetched."""
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
    """An article with the paper's content; it brings no style and no script of its own."""
    counted = numbered(paper) if paper.has_numbers else ()
    numbers = {id(one.block): one.number for one in counted}
    text = _Text(language, numbers)
    sections = "".join(
        _tag(
            "section",
            (text.heading(place if paper.has_numbers else None, one.title) if one.title else "")
            + "".join(text.block(block) for block in one.blocks),
            id=f"paper-{one.key.strip('/')}" if one.key else None,
        )
        for place, one in enumerate(paper.sections, start=1)
    )
    about = "".join(_tag("p", text(one), class_="about") for one in paper.about)
    title = _tag("h1", text(paper.identity.title))
    run = _tag("p", " · ".join(text(one) for one in head(paper)), class_="run")
    end = _tag("footer", " · ".join(text(one) for one in foot(paper)))
    if MARK in sections or any(map(_has_mark, paper.sections)):
        end = _tag("p", text(legend()), class_="legend") + end
    return _tag(
        "article",
        run + title + about + sections + end,
        class_=f"paper {paper.shape}",
        lang=language.partition("/")[0],
    )


def _has_mark(section: Section) -> bool:
    return any(isinstance(one, Drawing) and one.assumed != "none" for one in section.blocks)


class _Text:
    """Content in a language, with the numbers that its blocks have."""

    def __init__(self, language: str, numbers: dict[int, str]) -> None:
        self.language, self._numbers = language, numbers

    def __call__(self, text: str) -> str:
        return escape(plain(text, self.language), quote=False)

    def heading(self, place: int | None, title: str) -> str:
        return _tag("h2", f"{place} {self(title)}" if place else self(title))

    def block(self, block: Block) -> str:
        return _SHOWN[type(block)](self, block)

    def number(self, block: Block) -> str:
        found = self._numbers.get(id(block), "")
        return _tag("span", found, class_="number") + " " if found else ""

    def clauses(self, clauses: Iterable[str]) -> str:
        return "".join(_tag("span", self(margin(one)), class_="clause") + " " for one in clauses)


def _mark(one: Paragraph | Table) -> str:
    return "" if one.assumed == "none" else MARK


def _paragraph(text: _Text, one: Paragraph) -> str:
    lead = _tag("b", text(one.lead)) + " " if one.lead else ""
    told = plain(one, text.language)["text"]
    words = text.number(one) + lead + escape(told, quote=False) + _mark(one)
    return _tag("p", text.clauses(one.clauses) + words, class_=one.kind, data_key=one.key or None)


def _table(text: _Text, one: Table) -> str:
    about = _tag("span", text(one.about), class_="about") if one.about else ""
    number = text.number(one) if one.title else ""
    words = f"{number}{text(one.title)} {text.clauses(one.clauses)}{_mark(one)}{about}"
    caption = _tag("caption", words)
    heads = zip(one.head, one.align, strict=True)
    head_cells = "".join(
        _tag("th", text(cell), scope="col", class_=SIDES[at]) for cell, at in heads
    )
    head_row = _tag("thead", _tag("tr", head_cells)) if any(one.head) else ""
    told = plain(one, text.language)["rows"]
    rows = "".join(
        _tag(
            "tr",
            "".join(
                _tag("td", escape(cell, quote=False), class_=SIDES[at] or _length(cell))
                for cell, at in zip(row, one.align, strict=True)
            ),
            class_="strong" if place in one.strong else None,
        )
        for place, row in enumerate(told)
    )
    return _tag("table", caption + head_row + _tag("tbody", rows), data_key=one.key or None)


def _length(cell: str) -> str | None:
    """No short word is cut, nor a clause at its hyphen; a hash may be, where there is no room."""
    if any(len(word) > WORD_MAX for word in cell.split()):
        return "long"
    return "word" if "-" in cell and " " not in cell else None


def _tables(text: _Text, one: SmallTables) -> str:
    return _tag("div", "".join(_table(text, each) for each in one.tables), class_="tables")


def _grid(text: _Text, one: SquareGrid) -> str:
    heads = "".join(_tag("th", text(cell), scope="col") for cell in ("", *one.head))
    rows = "".join(
        _tag(
            "tr",
            _tag("th", text(name), scope="row")
            + "".join(_tag("td", text(cell.text), class_=cell.tone) for cell in cells),
        )
        for name, cells in one.rows
    )
    caption = _tag("caption", text.number(one) + text(one.title))
    legend = _tag("p", text(one.legend), class_="remark") if one.legend else ""
    return _tag("table", caption + _tag("tr", heads) + rows, class_="grid") + legend


def _drawing(text: _Text, one: Drawing) -> str:
    return _tag("figure", one.svg, role="img", aria_label=text(one.alt))


def _signatures(text: _Text, one: Signatures) -> str:
    lines = "".join(
        _tag("div", _tag("span", text(filled)) + _tag("small", text(name)))
        for name, filled in one.lines
    )
    return _tag("div", lines, class_="signatures")


_SHOWN: dict[type, Callable[[_Text, Any], str]] = {
    Paragraph: _paragraph,
    Table: _table,
    SmallTables: _tables,
    SquareGrid: _grid,
    Drawing: _drawing,
    Signatures: _signatures,
}


def _tag(name: str, inside: str, **attributes: str | None) -> str:
    given = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    return f"<{name}{given}>{inside}</{name}>"
