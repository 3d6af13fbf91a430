"""Typesets a paper as a tagged, archivable PDF, with the same bytes for the same build date."""

from __future__ import annotations

import json
import re
from datetime import UTC, date, datetime
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from pitbook.errors import PitbookError
from pitbook.extras import load_extra
from pitbook.printing.content import Paper, numbered_blocks, plain, without_notes
from pitbook.printing.page_texts import page_texts, subject
from pitbook.printing.pdf_file import finish
from pitbook.text import say

if TYPE_CHECKING:
    from typst import Compiler, Fonts

PageSize = Literal["letter", "a4"]

HERE = Path(__file__).parent
STANDARDS: Any = ["a-2a", "ua-1"]
TEXT_SCALES = (0.97, 0.94, 0.91, 0.88)  # Text sizes that avoid a last page of a few lines.
FEW_LINES_SHARE = 0.3  # Of a page.


def pdf(
    paper: Paper,
    *,
    language: str = "en",
    size: PageSize = "letter",
    built: date | datetime,
    author: str = "",
) -> bytes:
    """The paper as PDF/A-2a with the tags of PDF/UA-1.

    `built` is the date of the build, midnight UTC if it has no time. `author` is who prepared
    it.
    """
    settings: Any = {
        "format": "pdf",
        "sys_inputs": {**_inputs(paper, language, size), "author": author},
        "pdf_standards": STANDARDS,
        "timestamp": _timestamp(built),
    }
    try:
        document = _compiler().compile(HERE / "paper.typ", **settings)
    except RuntimeError as error:
        if not _missing_letters(error):
            raise
        document = _compile_with_machine_fonts(settings)
    assert isinstance(document, bytes)
    return finish(document)


def _timestamp(built: date | datetime) -> datetime:
    if isinstance(built, datetime):
        return built.astimezone(UTC)
    return datetime.combine(built, datetime.min.time(), UTC)


def _compile_with_machine_fonts(settings: Any) -> Any:
    """The document set with the machine's fonts too; raises PitbookError if a letter is still
    missing.
    """
    try:
        return _compiler(machine=True).compile(HERE / "paper.typ", **settings)
    except RuntimeError as error:
        if (letters := _missing_letters(error)) is None:
            raise
        raise PitbookError(say("papers.letters", letters=letters)) from None


def _missing_letters(error: RuntimeError) -> str | None:
    """The letters for which Typst reports no font."""
    match = re.search(r'the text `"(.+?)"` could not be displayed', str(error))
    return match[1] if match else None


def section_pages(
    paper: Paper, *, language: str = "en", size: PageSize = "letter"
) -> dict[str, range]:
    """The pages of each section, by its key."""
    pages_by_key: dict[str, list[int]] = {}
    for mark in _marks(_inputs(paper, language, size)):
        pages_by_key.setdefault(mark["key"], []).append(mark["page"])
    return {key: range(numbers[0], max(numbers) + 1) for key, numbers in pages_by_key.items()}


def page_contents(paper: Paper, *, language: str, size: PageSize) -> list[list[Any]]:
    """The content and position of everything on each page except head and foot, for comparison."""
    inputs = _inputs(paper, language, size)
    marks = _marks(inputs)
    contents: list[list[Any]] = [[] for _ in range(max(mark["page"] for mark in marks))]
    contents[0].append((plain(paper.identity.title, language), plain(paper.about, language)))
    for index, section in enumerate(json.loads(inputs["told"])["paper"]["sections"]):
        section_marks = [mark for mark in marks if mark["key"] == section["key"]]
        title = (index if paper.has_numbers else None, section["title"])
        contents[section_marks[0]["page"] - 1].append(title)
        blocks = without_notes(section["blocks"])
        parts = [mark for mark in section_marks if mark["part"] >= 0]
        bounds = {**section_marks[0], "part": 0}, {**section_marks[-1], "part": len(blocks)}
        for first, last in [*zip(parts[::2], parts[1::2], strict=True)] or [bounds]:
            part_blocks = blocks[first["part"] : last["part"]]
            for page in range(first["page"], last["page"] + 1):
                contents[page - 1].append((first["y"], part_blocks))
    return contents


def _marks(inputs: dict[str, str]) -> list[dict[str, Any]]:
    """Where sections and their parts begin and end, in page order."""
    typst = load_extra("typst")
    settings: Any = {"root": HERE, "font_paths": _fonts()}
    output = typst.query(
        HERE / "paper.typ", "<section>", field="value", sys_inputs=inputs, **settings
    )
    return list(json.loads(output))


def _inputs(paper: Paper, language: str, size: PageSize) -> dict[str, str]:
    """The inputs for Typst, with smaller text if that avoids a last page of a few lines."""
    loose = _typst_inputs(paper, language, size, 1.0)
    if paper.shape != "folio":
        return loose
    last = _marks(loose)[-1]
    if last["page"] == 1 or last["down"] > FEW_LINES_SHARE:
        return loose
    tighter = (_typst_inputs(paper, language, size, factor) for factor in TEXT_SCALES)
    return next(
        (candidate for candidate in tighter if _marks(candidate)[-1]["page"] < last["page"]), loose
    )


def _typst_inputs(paper: Paper, language: str, size: PageSize, tight: float) -> dict[str, str]:
    content = plain(paper, language)
    numbers = {id(cited.block): cited.number for cited in numbered_blocks(paper)}
    for section, fields in zip(paper.sections, content["sections"], strict=True):
        for block, block_fields in zip(section.blocks, fields["blocks"], strict=True):
            _number(block, block_fields, numbers)
    fields = {
        "paper": content,
        "language": language.partition("/")[0],
        "size": size,
        "tight": tight,
    }
    fields |= {"numbered": paper.has_numbers, "subject": plain(subject(paper), language)}
    return {"told": json.dumps({**fields, "words": plain(page_texts(paper), language)})}


def _number(block: Any, fields: dict[str, Any], numbers: dict[int, str]) -> None:
    fields["number"] = numbers.get(id(block), "")
    for table, table_fields in zip(
        getattr(block, "tables", ()), fields.get("tables", ()), strict=True
    ):
        table_fields["number"] = numbers.get(id(table), "")


@cache
def _compiler(*, machine: bool = False) -> Compiler:
    """A Typst compiler with our fonts, and the machine's if asked for."""
    typst = load_extra("typst")
    compiler: Compiler = typst.Compiler(root=HERE, font_paths=_fonts(machine=machine))
    return compiler


@cache
def _fonts(*, machine: bool = False) -> Fonts:
    typst = load_extra("typst")
    fonts: Fonts = typst.Fonts(include_system_fonts=machine, font_paths=[HERE / "fonts"])
    return fonts
