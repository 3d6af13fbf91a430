"""Reads papers back with other programs: pypdf for words, pikepdf for structure."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from datetime import date
from functools import cache
from typing import Any

import pikepdf
import pypdf

from pitbook.printing.content import Paper
from pitbook.printing.packet import PAPERS
from pitbook.printing.typeset import pdf
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
    return load(BUNDLED / f"{name}.toml")


@cache
def build_pdf(name: str, paper: str) -> bytes:
    """A paper of a bundled sheet as PDF."""
    sheet = sheet_of(name)
    return pdf(PAPERS[paper](sheet), built=BUILT)


def pages(content: bytes) -> list[str]:
    """The text of each page, with single spaces."""
    reader = pypdf.PdfReader(io.BytesIO(content))
    return [re.sub(r"\s+", " ", page.extract_text()) for page in reader.pages]


def text(content: bytes) -> str:
    return " ".join(pages(content))


def positions(content: bytes) -> list[tuple[str, float, float]]:
    """Each text of the first page, with its position in points."""
    spans: list[tuple[str, float, float]] = []

    def note(word: str, matrix: list[float], *_: Any) -> None:
        if word.strip():
            spans.append((word.strip(), matrix[4], matrix[5]))

    pypdf.PdfReader(io.BytesIO(content)).pages[0].extract_text(visitor_text=note)
    return spans


def structure(content: bytes) -> dict[str, Any]:
    """What a PDF/UA and PDF/A checker looks at first."""
    with pikepdf.open(io.BytesIO(content)) as document:
        root = document.Root
        with document.open_metadata() as xmp:
            metadata = {key: str(xmp.get(key)) for key in METADATA}
        return {
            "marked": bool(root.MarkInfo.Marked) and "/StructTreeRoot" in root,
            "language": str(root.Lang),
            "shows_title": bool(root.ViewerPreferences.DisplayDocTitle),
            "metadata": metadata,
            "loose_fonts": [name for name, embedded in _fonts(document) if not embedded],
            "fonts": sorted({name for name, _ in _fonts(document)}),
        }


def _fonts(document: pikepdf.Pdf) -> Iterator[tuple[str, bool]]:
    for pdf_object in document.objects:
        if (
            isinstance(pdf_object, pikepdf.Dictionary)
            and pdf_object.get("/Type") == "/FontDescriptor"
        ):
            embedded = any(f"/FontFile{kind}" in pdf_object for kind in ("", "2", "3"))
            yield str(pdf_object.FontName).partition("+")[2], embedded


def blocks_by_key(paper: Paper) -> dict[str, Any]:
    """Every block of a paper by its key, as plain values."""
    from pitbook.printing.content import numbered_blocks, plain

    blocks = {entry.block.key: plain(entry.block, "en") for entry in numbered_blocks(paper)}
    assert len(blocks) == len(list(numbered_blocks(paper))), "a key stands twice"
    return blocks
