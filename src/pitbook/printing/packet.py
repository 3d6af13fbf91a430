"""Builds a packet of papers, and files it with superseded versions kept; `pitbook.papers`."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from os import PathLike
from pathlib import Path
from typing import Any, Literal

from pitbook.answer_tables import Answer
from pitbook.errors import PitbookError
from pitbook.printing.checklists import checklist, checklist_of, require_checklist
from pitbook.printing.content import PAPERS_WITH_FIGURES, Paper
from pitbook.printing.dealer_card import dealer_card
from pitbook.printing.html import html, page
from pitbook.printing.page_texts import version_of
from pitbook.printing.rack_card import rack_card
from pitbook.printing.report import report
from pitbook.printing.report_figures import STEPS, has_stored_figures, report_figures
from pitbook.printing.rules import rules
from pitbook.printing.sign import sign
from pitbook.printing.strategy_card import strategy_card
from pitbook.printing.table_layout import layout
from pitbook.printing.typeset import PageSize, pdf
from pitbook.sheets.arguments import SomeSheet, one_of, rounds_of, sheet_of, text_of
from pitbook.sheets.field_types import Entries
from pitbook.sheets.hashes import current_approval, digest, packet_digest
from pitbook.sheets.model import Sheet
from pitbook.text import locale_of, say
from pitbook.text.catalog import ENGLISH

PAPERS: Mapping[str, Callable[[Sheet], Paper]] = {
    "rules": rules,
    "report": report,
    "rack-card": rack_card,
    "sign": sign,
    "strategy-card": strategy_card,
    "dealer-card": dealer_card,
    "layout": layout,
}


INDEX, SUPERSEDED, CHECKLIST = "papers.json", "superseded", "checklist"
PAPER_NAMES = (*PAPERS, CHECKLIST)
PaperFormat = Literal["pdf", "html"]
ProgressCallback = Callable[[int], None]
EMPTY_ENTRY: dict[str, Any] = {
    **dict.fromkeys(("sheet", "version", "hash", "paper"), ""),
    "effective": None,
    "approved": None,
    "files": {},
}


@dataclass(frozen=True)
class PaperOrder:
    """Which papers to build, and how."""

    only: tuple[str, ...] = ()
    state: str | None = None  # A checklist's slug.
    language: str = "en"
    size: PageSize = "letter"
    built: date | datetime | None = None  # The day of filing if None.
    rounds: int | None = None  # Rounds to simulate for the report; None: as many as time allows.
    prepared_by: str = ""
    format: PaperFormat = "pdf"

    @property
    def names(self) -> tuple[str, ...]:
        """The papers to build; a checklist only if a state is given."""
        selected = self.only or PAPER_NAMES
        return tuple(
            name for name in PAPER_NAMES if name in selected and (name != CHECKLIST or self.state)
        )


def build(
    sheet: Sheet,
    folder: Path,
    order: PaperOrder,
    *,
    on: date,
    on_progress: ProgressCallback = lambda _: None,
) -> dict[str, Any]:
    """Build the papers into a folder; another version's papers there are archived by date."""
    require_writable_folder(folder)
    _load_own_index(sheet, folder)
    files = _make_files(sheet, replace(order, built=order.built or on), on_progress)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise unwritable_error(folder, error.strerror or str(error)) from None
    with _exclusive_access(folder):
        return _file_packet(sheet, folder, files, on)


def _load_own_index(sheet: Sheet, folder: Path) -> dict[str, Any]:
    """The index of a folder; raises PitbookError if it holds another sheet's packet."""
    index = load_index(folder)
    entry = next(filter(None, (index["current"], *index["superseded"])), None)
    if entry and entry["sheet"] != sheet.id:
        fields = {"folder": str(folder), "other": entry["sheet"], "sheet": sheet.id}
        raise PitbookError(say("papers.filing.another", **fields))
    return index


@contextmanager
def _exclusive_access(folder: Path) -> Iterator[None]:
    """Let one build at a time write the folder, so papers never mix; the lock leaves no file."""
    if os.name != "posix":
        yield
        return
    import fcntl  # noqa: PLC0415

    descriptor = os.open(folder, os.O_RDONLY)
    try:
        with suppress(OSError):  # A file system without locks.
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _file_packet(
    sheet: Sheet, folder: Path, contents: Mapping[str, bytes], on: date
) -> dict[str, Any]:
    index = _load_own_index(sheet, folder)
    current = index["current"]
    if current and current["paper"] != packet_digest(sheet):
        index = _archive_current(folder, index, on)
    files = dict((index["current"] or {}).get("files", {}))
    for name, content in contents.items():
        write_file(folder / name, content)
        files[name] = hashlib.sha256(content).hexdigest()
    index["current"] = {**_entry(sheet), "files": dict(sorted(files.items()))}
    _save_index(folder, index)
    return index


def _save_index(folder: Path, index: dict[str, Any]) -> None:
    write_file(folder / INDEX, json.dumps(index, indent=2, ensure_ascii=False).encode())


def load_index(folder: Path) -> dict[str, Any]:
    """The index of a folder: the packet in force and the superseded ones, latest first."""
    path = folder / INDEX
    if not path.exists():
        return {"format": 1, "current": None, "superseded": []}
    try:
        index: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        assert index["format"] == 1
        assert all(map(_is_valid_entry, (index["current"] or EMPTY_ENTRY, *index["superseded"])))
        return {"format": 1, "current": index["current"], "superseded": index["superseded"]}
    except (OSError, ValueError, KeyError, TypeError, AssertionError):
        raise PitbookError(say("papers.filing.unreadable", path=str(path))) from None


def file_states(folder: Path, entry: dict[str, Any]) -> dict[str, str]:
    """The state of each file of a version: "kept" as written, "edited" since, or "gone"."""
    place = folder / entry.get("folder", "")
    return {name: _file_state(place / name, sha256) for name, sha256 in entry["files"].items()}


def _file_state(path: Path, sha256: str) -> str:
    try:
        return "kept" if hashlib.sha256(path.read_bytes()).hexdigest() == sha256 else "edited"
    except OSError:
        return "gone"


def _is_valid_entry(entry: dict[str, Any]) -> bool:
    """Whether an index entry is well formed and names no path outside the packet's folder."""
    named = all(isinstance(entry[field], str) for field in ("sheet", "version", "hash", "paper"))
    days = [entry[field] for field in ("effective", "approved") if entry[field] is not None]
    files = all(
        Path(name).name == name and name.endswith((".pdf", ".html")) for name in entry["files"]
    )
    inside = (
        ".." not in Path(place := entry.get("folder", "")).parts and not Path(place).is_absolute()
    )
    return named and files and inside and all(date.fromisoformat(day) for day in days)


def count_steps(sheet: Sheet, order: PaperOrder) -> int:
    """The number of build steps: figures that are not cached, then one per paper."""
    needs_figures = any(name in order.names for name in (*PAPERS_WITH_FIGURES, CHECKLIST))
    stored = has_stored_figures(sheet, order.rounds)
    return len(order.names) + (len(STEPS) if needs_figures and not stored else 0)


def compute_figures(sheet: Sheet, on_progress: ProgressCallback, rounds: int | None = None) -> None:
    """Compute and store a sheet's figures; `on_progress` receives the number of STEPS done."""
    report_figures(sheet, lambda step: on_progress(STEPS.index(step)), rounds=rounds)


def _make_files(sheet: Sheet, order: PaperOrder, on_progress: ProgressCallback) -> dict[str, bytes]:
    first = count_steps(sheet, order) - len(order.names)
    if first:
        compute_figures(sheet, on_progress, order.rounds)
    papers = build_papers(sheet, order)
    contents = {}
    for count, (name, paper) in enumerate(papers.items(), start=first + 1):
        contents[f"{name}.{order.format}"] = _render(paper, order)
        on_progress(count)
    return contents


def _render(paper: Paper, order: PaperOrder) -> bytes:
    if order.format == "html":
        return page(paper, order.language).encode()
    assert order.built is not None
    return pdf(
        paper,
        language=order.language,
        size=order.size,
        built=order.built,
        author=order.prepared_by,
    )


def build_papers(sheet: Sheet, order: PaperOrder) -> Mapping[str, Paper]:
    """The papers of an order; a checklist needs all of them."""
    names: Iterable[str] = PAPERS if CHECKLIST in order.names else order.names
    papers = {name: PAPERS[name](sheet) for name in names}
    if order.state and CHECKLIST in order.names:
        papers[CHECKLIST] = checklist(sheet, order.state, papers)
    return {name: papers[name] for name in order.names}


def _entry(sheet: Sheet) -> dict[str, Any]:
    approval = current_approval(sheet)
    return {
        "sheet": sheet.id,
        "title": sheet.title,
        "version": str(version_of(sheet)),
        "effective": sheet.effective.isoformat() if sheet.effective else None,
        "approved": approval.on.isoformat() if approval else None,
        "hash": digest(sheet),
        "paper": packet_digest(sheet),
    }


def _archive_current(folder: Path, index: dict[str, Any], on: date) -> dict[str, Any]:
    """Move the packet in force into an archive folder; nothing is ever deleted.

    The index is saved before a new paper is written, so an interrupted build can start again.
    """
    current = index["current"]
    folder_name = _archive_name(current, index["superseded"])
    archive = folder / folder_name
    try:
        archive.mkdir(parents=True, exist_ok=True)
        for name in current["files"]:
            if (folder / name).exists():
                (folder / name).replace(archive / name)
    except OSError as error:
        raise unwritable_error(archive, error.strerror or str(error)) from None
    entry = {**current, "superseded": on.isoformat(), "folder": folder_name}
    index = {"format": 1, "current": None, "superseded": [entry, *index["superseded"]]}
    _save_index(folder, index)
    return index


def _archive_name(entry: dict[str, Any], superseded: list[dict[str, Any]]) -> str:
    """An archive folder by date and hash, numbered if a version is superseded again."""
    base = f"{SUPERSEDED}/{entry['effective'] or 'undated'}-{entry['paper'][:12]}"
    used = {version["folder"] for version in superseded}
    names = (base, *(f"{base}-{number}" for number in range(2, len(superseded) + 2)))
    return next(name for name in names if name not in used)


def write_file(path: Path, content: bytes) -> None:
    """Write a file atomically; raises PitbookError if that fails."""
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        part.write_bytes(content)
        part.replace(path)
    except OSError as error:
        raise unwritable_error(path, error.strerror or str(error)) from None
    finally:
        with suppress(OSError):  # If writing failed, there is no file to remove.
            part.unlink(missing_ok=True)


def unwritable_error(path: Path, why: str) -> PitbookError:
    """The error for a path where no paper can be written, with a remedy."""
    return PitbookError(say("papers.filing.unwritable", path=str(path), why=why))


def require_writable_file(path: Path) -> None:
    """Raise PitbookError if a file cannot be written; called before figures are computed for it."""
    if path.is_dir():
        raise unwritable_error(path, say("papers.filing.is-folder"))
    if not path.parent.is_dir():
        raise unwritable_error(path, say("papers.filing.no-folder", folder=str(path.parent)))
    _require_access(path, path.parent)


def require_writable_folder(folder: Path) -> None:
    """Raise PitbookError if a folder cannot be created or written."""
    existing = next(parent for parent in (folder, *folder.absolute().parents) if parent.exists())
    if not existing.is_dir():
        raise unwritable_error(folder, say("papers.filing.is-file", file=str(existing)))
    _require_access(folder, existing)


def _require_access(path: Path, folder: Path) -> None:
    if not os.access(folder, os.W_OK | os.X_OK):
        raise unwritable_error(path, say("papers.filing.no-access", folder=str(folder)))


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
