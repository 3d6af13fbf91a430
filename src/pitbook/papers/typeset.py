"""A paper as PDF: tagged, archivable, and the same bytes for the same build date."""

from __future__ import annotations

import json
import re
from datetime import UTC, date, datetime
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from pitbook.errors import PitbookError
from pitbook.extras import load_extra
from pitbook.papers.content import Paper, numbered, plain, without_notes
from pitbook.papers.identity import furniture, subject
from pitbook.papers.pdf_file import finish
from pitbook.text import say

if TYPE_CHECKING:
    from typst import Compiler, Fonts

PageSize = Literal["letter", "a4"]

HERE = Path(__file__).parent
STANDARDS: Any = ["a-2a", "ua-1"]
TIGHTER = (0.97, 0.94, 0.91, 0.88)  # Of the size of text, to spare a last page of a few lines.
FEW_LINES = 0.3  # Of a page.


def pdf(
    paper: Paper,
    *,
    language: str = "en",
    size: PageSize = "letter",
    built: date | datetime,
    author: str = "",
) -> bytes:
    """The paper as PDF/A-2a with the tags of PDF/UA-1.

    `built` is the date of the build, midnight UTC if it has no time. `author` is who prepared it.
    """
    settings: Any = {
        "format": "pdf",
        "sys_inputs": {**_inputs(paper, language, size), "author": author},
        "pdf_standards": STANDARDS,
        "timestamp": _timestamp(built),
    }
    try:
        made = _compiler().compile(HERE / "paper.typ", **settings)
    except RuntimeError as error:
        if not _undisplayed(error):
            raise
        made = _with_any_font(settings)
    assert isinstance(made, bytes)
    return finish(made)


def _timestamp(built: date | datetime) -> datetime:
    if isinstance(built, datetime):
        return built.astimezone(UTC)
    return datetime.combine(built, datetime.min.time(), UTC)


def _with_any_font(settings: Any) -> Any:
    """Set with the machine's fonts too; raises PitbookError where they lack a letter as well."""
    try:
        return _compiler(machine=True).compile(HERE / "paper.typ", **settings)
    except RuntimeError as error:
        if (letters := _undisplayed(error)) is None:
            raise
        raise PitbookError(say("papers.letters", letters=letters)) from None


def _undisplayed(error: RuntimeError) -> str | None:
    """The letters that the setter says it has no font for."""
    found = re.search(r'the text `"(.+?)"` could not be displayed', str(error))
    return found[1] if found else None


def pages(paper: Paper, *, language: str = "en", size: PageSize = "letter") -> dict[str, range]:
    """The pages that every section stands on, by its key."""
    found: dict[str, list[int]] = {}
    for one in _marks(_inputs(paper, language, size)):
        found.setdefault(one["key"], []).append(one["page"])
    return {key: range(some[0], max(some) + 1) for key, some in found.items()}


def printed(paper: Paper, *, language: str, size: PageSize) -> list[list[Any]]:
    """What is read on each page and where, but for head and foot: to tell whether two are alike."""
    inputs = _inputs(paper, language, size)
    marks = _marks(inputs)
    found: list[list[Any]] = [[] for _ in range(max(one["page"] for one in marks))]
    found[0].append((plain(paper.identity.title, language), plain(paper.about, language)))
    for place, section in enumerate(json.loads(inputs["told"])["paper"]["sections"]):
        own = [one for one in marks if one["key"] == section["key"]]
        title = (place if paper.has_numbers else None, section["title"])
        found[own[0]["page"] - 1].append(title)
        blocks = without_notes(section["blocks"])
        parts = [one for one in own if one["part"] >= 0]
        whole = {**own[0], "part": 0}, {**own[-1], "part": len(blocks)}
        for first, last in [*zip(parts[::2], parts[1::2], strict=True)] or [whole]:
            some = blocks[first["part"] : last["part"]]
            for page in range(first["page"], last["page"] + 1):
                found[page - 1].append((first["y"], some))
    return found


def _marks(inputs: dict[str, str]) -> list[dict[str, Any]]:
    """Where sections and their parts begin and end, in the order of the pages."""
    typst = load_extra("typst")
    settings: Any = {"root": HERE, "font_paths": _fonts()}
    told = typst.query(
        HERE / "paper.typ", "<section>", field="value", sys_inputs=inputs, **settings
    )
    return list(json.loads(told))


def _inputs(paper: Paper, language: str, size: PageSize) -> dict[str, str]:
    """What the setter is told; a little tighter where that spares a last page of a few lines."""
    loose = _told(paper, language, size, 1.0)
    if paper.shape != "folio":
        return loose
    last = _marks(loose)[-1]
    if last["page"] == 1 or last["down"] > FEW_LINES:
        return loose
    tighter = (_told(paper, language, size, one) for one in TIGHTER)
    return next((one for one in tighter if _marks(one)[-1]["page"] < last["page"]), loose)


def _told(paper: Paper, language: str, size: PageSize, tight: float) -> dict[str, str]:
    content = plain(paper, language)
    numbers = {id(one.block): one.number for one in numbered(paper)}
    for section, told in zip(paper.sections, content["sections"], strict=True):
        for block, shown in zip(section.blocks, told["blocks"], strict=True):
            _number(block, shown, numbers)
    told = {"paper": content, "language": language.partition("/")[0], "size": size, "tight": tight}
    told |= {"numbered": paper.has_numbers, "subject": plain(subject(paper), language)}
    return {"told": json.dumps({**told, "words": plain(furniture(paper), language)})}


def _number(block: Any, shown: dict[str, Any], numbers: dict[int, str]) -> None:
    shown["number"] = numbers.get(id(block), "")
    for one, other in zip(getattr(block, "tables", ()), shown.get("tables", ()), strict=True):
        other["number"] = numbers.get(id(one), "")


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
