"""The papers of a sheet as values: `pitbook.papers`; `pitbook papers build` files them as PDF."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from os import PathLike
from pathlib import Path
from typing import Any

from pitbook.answers import Answer
from pitbook.errors import PitbookError
from pitbook.printing.checklists import checklist_of, require_checklist
from pitbook.printing.content import Paper
from pitbook.printing.html import html, page
from pitbook.printing.packet import (
    CHECKLIST,
    PAPER_NAMES,
    PaperOrder,
    build_papers,
    require_writable_folder,
    write_file,
)
from pitbook.printing.page_texts import version_of
from pitbook.printing.typeset import PageSize, pdf
from pitbook.sheets.arguments import SomeSheet, one_of, rounds_of, sheet_of, text_of
from pitbook.sheets.field_types import Entries
from pitbook.sheets.hashes import digest
from pitbook.text import locale_of, say
from pitbook.text.catalog import ENGLISH


@dataclass(frozen=True)
class BuiltPaper:
    """One paper; a notebook shows it as a page."""

    name: str
    title: str
    content: Paper = field(repr=False)
    _locale: str = field(repr=False)

    def html(self) -> str:
        """The paper as a complete page without external resources."""
        return page(self.content, self._locale)

    def pdf(self, *, size: PageSize = "letter", built: date | None = None) -> bytes:
        """The paper as a tagged PDF; the same build date gives the same bytes."""
        day = datetime.now(UTC).date() if built is None else built
        return pdf(self.content, language=self._locale, size=size, built=day)

    def _repr_html_(self) -> str:
        return html(self.content, self._locale)


@dataclass(frozen=True, repr=False)
class PaperPacket(Answer):
    """The papers of a sheet by name."""

    sheet: str
    hash: str
    version: str
    papers: Entries[str, BuiltPaper]

    def __getitem__(self, name: str) -> BuiltPaper:
        return self.papers[one_of(self.papers, name, "paper")]

    def save(self, folder: str | PathLike[str], *, as_pdf: bool = False) -> tuple[Path, ...]:
        """Write every paper into a folder, such as rules.html; returns the paths."""
        target = Path(folder)
        require_writable_folder(target)
        target.mkdir(parents=True, exist_ok=True)
        paths = []
        for name, paper in self.papers.items():
            paths.append(target / f"{name}.{'pdf' if as_pdf else 'html'}")
            write_file(paths[-1], paper.pdf() if as_pdf else paper.html().encode())
        return tuple(paths)

    def document(self) -> dict[str, Any]:
        """The list of papers as JSON."""
        head = {"sheet": self.sheet, "hash": self.hash, "version": self.version}
        return {**head, "papers": self.records()}

    def _rows(self) -> Iterator[dict[str, Any]]:
        for name, paper in self.papers.items():
            yield {"paper": name, "title": paper.title, "sections": len(paper.content.sections)}

    def _lines(self) -> tuple[str, ...]:
        return (f"papers of {self.sheet} {self.hash[:8]}: {', '.join(self.papers)}",)


def papers(
    sheet: SomeSheet,
    only: str | Sequence[str] = (),
    *,
    jurisdiction: str | None = None,
    language: str = ENGLISH,
    rounds: int | float | str | None = None,
) -> PaperPacket:
    """The papers of a sheet: rules, report, cards, sign, layout and checklist.

    `only` names one paper or several. `rounds` is the number of simulated rounds in the report.

    >>> packet = papers("catfish-bend/mississippi-stud", ["rules", "sign"])
    >>> packet["rules"].title
    'Rules of the game'
    """
    rules = sheet_of(sheet)
    names = (only,) if isinstance(only, str) else tuple(only)
    state = (
        checklist_of(rules.house.jurisdiction)
        if jurisdiction is None
        else require_checklist(text_of(jurisdiction, "jurisdiction"))
    )
    order = PaperOrder(
        only=tuple(one_of(PAPER_NAMES, text_of(name, "only"), "paper") for name in names),
        state=state,
        rounds=None if rounds is None else rounds_of(rounds),
    )
    if CHECKLIST in order.only and state is None:
        raise PitbookError(say("papers.filing.no-state", sheet=rules.id))
    locale = locale_of(language, rules.house.currency)
    built = build_papers(rules, order)
    return PaperPacket(
        sheet=rules.id,
        hash=digest(rules),
        version=str(version_of(rules)),
        papers=Entries(
            {
                name: BuiltPaper(name, str(paper.title), paper, locale)
                for name, paper in built.items()
            }
        ),
    )
