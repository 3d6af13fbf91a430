"""Papers read back by programs that did not write them: pypdf for words, pikepdf for structure."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from datetime import date
from functools import cache
from typing import Any

import pikepdf
import pypdf

from pitbook.papers.content import Paper
from pitbook.papers.packet import PAPERS
from pitbook.papers.typeset import pdf
from pitbook.sheets.library import BUNDLED
from pitbook.sheets.load import load
from pitbook.sheets.model import Sheet

SHEETS = tuple(
    path.relative_to(BUNDLED).with_suffix("").as_posix() for path in sorted(BUNDLED.rglob("*.toml"))
)
BUILT = date(2026, 11, 18)
METADATA = ("dc:title", "pdfaid:part", "pdfaid:conformance", "pdfuaid:part")


@cache
def sheet_of(name: str) -> Sheet:
    """A bundled sheet."""
    return load(BUNDLED / f"{name}.toml")


@cache
def made(name: str, paper: str) -> bytes:
    """A paper of a bundled sheet as PDF."""
    sheet = sheet_of(name)
    return pdf(PAPERS[paper](sheet), built=BUILT)


def pages(content: bytes) -> list[str]:
    """The text layer, page by page, with single spaces."""
    reader = pypdf.PdfReader(io.BytesIO(content))
    return [re.sub(r"\s+", " ", page.extract_text()) for page in reader.pages]


def text(content: bytes) -> str:
    """The whole text layer."""
    return " ".join(pages(content))


def structure(content: bytes) -> dict[str, Any]:
    """What a checker of PDF/UA and PDF/A looks at first."""
    with pikepdf.open(io.BytesIO(content)) as document:
        root = document.Root
        with document.open_metadata() as told:
            metadata = {key: str(told.get(key)) for key in METADATA}
        return {
            "marked": bool(root.MarkInfo.Marked) and "/StructTreeRoot" in root,
            "language": str(root.Lang),
            "shows_title": bool(root.ViewerPreferences.DisplayDocTitle),
            "metadata": metadata,
            "loose_fonts": [name for name, whole in _fonts(document) if not whole],
            "fonts": sorted({name for name, _ in _fonts(document)}),
        }


def _fonts(document: pikepdf.Pdf) -> Iterator[tuple[str, bool]]:
    for item in document.objects:
        if isinstance(item, pikepdf.Dictionary) and item.get("/Type") == "/FontDescriptor":
            whole = any(f"/FontFile{kind}" in item for kind in ("", "2", "3"))
            yield str(item.FontName).partition("+")[2], whole


def keyed(paper: Paper) -> dict[str, Any]:
    """Every block of a paper by its key, as plain values."""
    from pitbook.papers.content import numbered, plain

    found = {one.block.key: plain(one.block, "en") for one in numbered(paper)}
    assert len(found) == len(list(numbered(paper))), "a key stands twice"
    return found
