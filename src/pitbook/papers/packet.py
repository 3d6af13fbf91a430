"""The papers of a packet, and the folder in which they and superseded versions are filed."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import date, datetime
from pathlib import Path
from typing import Any

from pitbook.errors import PitbookError
from pitbook.papers.checklists import checklist
from pitbook.papers.content import FIGURED, Paper
from pitbook.papers.dealer_card import dealer_card
from pitbook.papers.figures import STEPS, has_stored_figures, report_figures
from pitbook.papers.identity import version_of
from pitbook.papers.layout import layout
from pitbook.papers.rack_card import rack_card
from pitbook.papers.report import report
from pitbook.papers.rules import rules
from pitbook.papers.sign import sign
from pitbook.papers.strategy_card import strategy_card
from pitbook.papers.typeset import PageSize, pdf
from pitbook.sheets.digest import current_approval, digest, packet_digest
from pitbook.sheets.model import Sheet
from pitbook.text import say

PAPERS: Mapping[str, Callable[[Sheet], Paper]] = {
    "rules": rules,
    "report": report,
    "rack-card": rack_card,
    "sign": sign,
    "strategy-card": strategy_card,
    "dealer-card": dealer_card,
    "layout": layout,
}


INDEX, OLD, CHECKLIST = "papers.json", "superseded", "checklist"
NAMES = (*PAPERS, CHECKLIST)
HearDone = Callable[[int], None]
WHOLE: dict[str, Any] = {
    **dict.fromkeys(("sheet", "version", "hash", "paper"), ""),
    "effective": None,
    "approved": None,
    "files": {},
}


@dataclass(frozen=True)
class PaperOrder:
    """Which papers are wanted, and how."""

    only: tuple[str, ...] = ()
    state: str | None = None  # A checklist's slug.
    language: str = "en"
    size: PageSize = "letter"
    built: date | datetime | None = None  # The day of filing, if not given.
    rounds: int | None = None  # To simulate for the report; None: as many as the time allows.
    prepared_by: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        """The papers that are made; a checklist only where a state is named."""
        wanted = self.only or NAMES
        return tuple(one for one in NAMES if one in wanted and (one != CHECKLIST or self.state))


def build(
    sheet: Sheet, folder: Path, asked: PaperOrder, *, on: date, done: HearDone = lambda _: None
) -> dict[str, Any]:
    """Make the papers into a folder; what another version left there is kept aside, dated."""
    expect_folder(folder)
    _index_for(sheet, folder)
    made = _made(sheet, replace(asked, built=asked.built or on), done)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise unwritable(folder, error.strerror or str(error)) from None
    with _by_itself(folder):
        return _filed(sheet, folder, made, on)


def _index_for(sheet: Sheet, folder: Path) -> dict[str, Any]:
    """What a folder holds; raises PitbookError where that is another sheet's packet."""
    index = listed(folder)
    known = next(filter(None, (index["current"], *index["superseded"])), None)
    if known and known["sheet"] != sheet.id:
        told = {"folder": str(folder), "other": known["sheet"], "sheet": sheet.id}
        raise PitbookError(say("papers.filing.another", **told))
    return index


@contextmanager
def _by_itself(folder: Path) -> Iterator[None]:
    """One build at a time writes: two at once would mix their papers. The lock leaves no file."""
    if os.name != "posix":
        yield
        return
    import fcntl  # noqa: PLC0415

    held = os.open(folder, os.O_RDONLY)
    try:
        with suppress(OSError):  # A file system without locks.
            fcntl.flock(held, fcntl.LOCK_EX)
        yield
    finally:
        os.close(held)


def _filed(sheet: Sheet, folder: Path, made: Mapping[str, bytes], on: date) -> dict[str, Any]:
    index = _index_for(sheet, folder)
    current = index["current"]
    if current and current["paper"] != packet_digest(sheet):
        index = _set_aside(folder, index, on)
    files = dict((index["current"] or {}).get("files", {}))
    for name, content in made.items():
        written(folder / name, content)
        files[name] = hashlib.sha256(content).hexdigest()
    index["current"] = {**_entry(sheet), "files": dict(sorted(files.items()))}
    _note(folder, index)
    return index


def _note(folder: Path, index: dict[str, Any]) -> None:
    written(folder / INDEX, json.dumps(index, indent=2, ensure_ascii=False).encode())


def listed(folder: Path) -> dict[str, Any]:
    """What a folder holds: the packet in force, and those before it, the latest first."""
    path = folder / INDEX
    if not path.exists():
        return {"format": 1, "current": None, "superseded": []}
    try:
        found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        assert found["format"] == 1
        assert all(map(_is_entry, (found["current"] or WHOLE, *found["superseded"])))
        return {"format": 1, "current": found["current"], "superseded": found["superseded"]}
    except (OSError, ValueError, KeyError, TypeError, AssertionError):
        raise PitbookError(say("papers.filing.unreadable", path=str(path))) from None


def kept_as(folder: Path, entry: dict[str, Any]) -> dict[str, str]:
    """How the files of a version stand: "kept" as they were written, "edited" since, or "gone"."""
    place = folder / entry.get("folder", "")
    return {name: _kept(place / name, known) for name, known in entry["files"].items()}


def _kept(path: Path, known: str) -> str:
    try:
        return "kept" if hashlib.sha256(path.read_bytes()).hexdigest() == known else "edited"
    except OSError:
        return "gone"


def _is_entry(entry: dict[str, Any]) -> bool:
    """Whether it names a version as we do, and no file or folder outside the packet's."""
    named = all(isinstance(entry[one], str) for one in ("sheet", "version", "hash", "paper"))
    days = [entry[one] for one in ("effective", "approved") if entry[one] is not None]
    files = all(Path(one).name == one and one.endswith(".pdf") for one in entry["files"])
    inside = (
        ".." not in Path(place := entry.get("folder", "")).parts and not Path(place).is_absolute()
    )
    return named and files and inside and all(date.fromisoformat(one) for one in days)


def work(sheet: Sheet, asked: PaperOrder) -> int:
    """How many steps a build has: those of figures that are not kept, then one for each paper."""
    waits = any(one in asked.names for one in (*FIGURED, CHECKLIST))
    stored = has_stored_figures(sheet, asked.rounds)
    return len(asked.names) + (len(STEPS) if waits and not stored else 0)


def compute_figures(sheet: Sheet, done: HearDone, rounds: int | None = None) -> None:
    """Compute and store a sheet's figures; `done` hears how many of STEPS are done."""
    report_figures(sheet, lambda step: done(STEPS.index(step)), rounds=rounds)


def _made(sheet: Sheet, asked: PaperOrder, done: HearDone) -> dict[str, bytes]:
    first = work(sheet, asked) - len(asked.names)
    if first:
        compute_figures(sheet, done, asked.rounds)
    papers = _papers(sheet, asked)
    found = {}
    assert asked.built is not None
    for count, (name, paper) in enumerate(papers.items(), start=first + 1):
        found[f"{name}.pdf"] = pdf(
            paper,
            language=asked.language,
            size=asked.size,
            built=asked.built,
            author=asked.prepared_by,
        )
        done(count)
    return found


def _papers(sheet: Sheet, asked: PaperOrder) -> Mapping[str, Paper]:
    """The papers that are asked for; a checklist looks at all of them."""
    names: Iterable[str] = PAPERS if CHECKLIST in asked.names else asked.names
    every = {name: PAPERS[name](sheet) for name in names}
    if asked.state and CHECKLIST in asked.names:
        every[CHECKLIST] = checklist(sheet, asked.state, every)
    return {name: every[name] for name in asked.names}


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


def _set_aside(folder: Path, index: dict[str, Any], on: date) -> dict[str, Any]:
    """Move the packet that was in force into a folder of its own; nothing is ever removed.

    It is noted before a new paper is written: whoever begins anew after a stop finds it aside.
    """
    current = index["current"]
    place = _place_for(current, index["superseded"])
    aside = folder / place
    try:
        aside.mkdir(parents=True, exist_ok=True)
        for name in current["files"]:
            if (folder / name).exists():
                (folder / name).replace(aside / name)
    except OSError as error:
        raise unwritable(aside, error.strerror or str(error)) from None
    entry = {**current, "superseded": on.isoformat(), "folder": place}
    index = {"format": 1, "current": None, "superseded": [entry, *index["superseded"]]}
    _note(folder, index)
    return index


def _place_for(entry: dict[str, Any], kept: list[dict[str, Any]]) -> str:
    """A folder by day and hash; a further one for a version that came back and went again."""
    first = f"{OLD}/{entry['effective'] or 'undated'}-{entry['paper'][:12]}"
    taken = {one["folder"] for one in kept}
    names = (first, *(f"{first}-{number}" for number in range(2, len(kept) + 2)))
    return next(one for one in names if one not in taken)


def written(path: Path, content: bytes) -> None:
    """Write a file whole or not at all; raises PitbookError with a sentence."""
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        part.write_bytes(content)
        part.replace(path)
    except OSError as error:
        raise unwritable(path, error.strerror or str(error)) from None
    finally:
        with suppress(OSError):  # Where nothing could be written, nothing is there.
            part.unlink(missing_ok=True)


def unwritable(path: Path, why: str) -> PitbookError:
    """That no paper can be written there, and what to do."""
    return PitbookError(say("papers.filing.unwritable", path=str(path), why=why))


def expect_file(path: Path) -> None:
    """Raise PitbookError where a file cannot be written: before figures are worked out for it."""
    if path.is_dir():
        raise unwritable(path, say("papers.filing.is-folder"))
    if not path.parent.is_dir():
        raise unwritable(path, say("papers.filing.no-folder", folder=str(path.parent)))
    _expect_access(path, path.parent)


def expect_folder(folder: Path) -> None:
    """Raise PitbookError where a folder cannot be made or filled."""
    there = next(one for one in (folder, *folder.absolute().parents) if one.exists())
    if not there.is_dir():
        raise unwritable(folder, say("papers.filing.is-file", file=str(there)))
    _expect_access(folder, there)


def _expect_access(path: Path, folder: Path) -> None:
    if not os.access(folder, os.W_OK | os.X_OK):
        raise unwritable(path, say("papers.filing.no-access", folder=str(folder)))
