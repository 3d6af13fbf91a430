"""Rule sheets of a server and answers about their clauses, cached until a file changes."""

from __future__ import annotations

import re
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime
from pathlib import Path

from pitbook.errors import SheetUnknown
from pitbook.sheets.hashes import digest
from pitbook.sheets.library import BUNDLED, Library, SheetFile
from pitbook.sheets.model import Sheet
from pitbook.text import say
from pitbook.text.user_input import printable

# Only an id: a path, which commands accept, could read any file of the machine.
_ID = re.compile(r"[a-z0-9][a-z0-9-]{0,59}/[a-z0-9][a-z0-9-]{0,59}", re.ASCII)
SHEETS_MAX = 200


def today() -> date:
    """Today's date in local time."""
    return datetime.now(UTC).astimezone().date()


class SheetCache:
    """A library with a cache. Thread-safe."""

    def __init__(self, folders: Sequence[Path] = ()) -> None:
        self._library = Library(folders)
        self._folders = (BUNDLED, *folders)
        self._lock = threading.Lock()
        self._seen: object = None
        self._entries: list[SheetFile] = []
        self._loaded: dict[tuple[str, date], Sheet] = {}

    def entries(self) -> list[SheetFile]:
        """Every file, with its sheet or why it has none."""
        with self._lock:
            self._refresh()
            return list(self._entries)

    def load(self, name: str, on: date | None = None) -> Sheet:
        """A sheet by id, as in force on a day or today; raises SheetUnknown."""
        if not _ID.fullmatch(name):
            shown_name = printable(name[:120])
            raise SheetUnknown(say("web.figures.no-sheet", sheet=shown_name))
        key = (name, on or today())
        with self._lock:
            self._refresh()
            if key not in self._loaded:
                while len(self._loaded) >= SHEETS_MAX:
                    del self._loaded[next(iter(self._loaded))]
                self._loaded[key] = self._library.load(*key)
            return self._loaded[key]

    def with_current_notes(self, sheet: Sheet) -> Sheet:
        """The same rules with today's notes and marks, which no hash covers."""
        sheet_hash = digest(sheet)
        candidates = (
            entry.sheet for entry in self.entries() if entry.sheet and entry.sheet.id == sheet.id
        )
        return next(
            (candidate for candidate in candidates if digest(candidate) == sheet_hash), sheet
        )

    def _refresh(self) -> None:
        files = [file for folder in self._folders for file in sorted(folder.rglob("*.toml"))]
        file_stamps = [(file, (at := file.stat()).st_mtime_ns, at.st_size) for file in files]
        if file_stamps != self._seen:
            self._entries, self._loaded = self._library.entries(), {}
            self._seen = file_stamps


CLAUSES_MAX = 1_000


class ClauseCache:
    """Cached answers about clauses, valid while the sheet cache returns the same sheets."""

    def __init__(self) -> None:
        self._answers: OrderedDict[tuple[str, str], tuple[Sequence[Sheet], str]] = OrderedDict()

    def get(
        self, clause: str, variant: str, sheets: Sequence[Sheet], render: Callable[[], str]
    ) -> str:
        """The answer as JSON. Errors of `render` are raised, not cached."""
        key = (clause.strip().upper(), variant)
        cached_sheets, text = self._answers.get(key, ((), ""))
        if not text or not _same_objects(cached_sheets, sheets):
            text = render()
            self._answers[key] = (sheets, text)
            if len(self._answers) > CLAUSES_MAX:
                self._answers.popitem(last=False)
        self._answers.move_to_end(key)
        return text


def _same_objects(cached: Sequence[Sheet], sheets: Sequence[Sheet]) -> bool:
    pairs = zip(cached, sheets, strict=False)
    return len(cached) == len(sheets) and all(
        cached_sheet is sheet for cached_sheet, sheet in pairs
    )
