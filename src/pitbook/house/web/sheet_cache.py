"""Rule sheets of a server and answers about their clauses, cached until a file changes."""

from __future__ import annotations

import re
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime
from pathlib import Path

from pitbook.errors import SheetUnknown
from pitbook.sheets.digest import digest
from pitbook.sheets.findings import printable
from pitbook.sheets.library import BUNDLED, Library, SheetFile
from pitbook.sheets.model import Sheet
from pitbook.text import say

# An id and nothing else: a path, as commands take it, would read any file of the machine.
_ID = re.compile(r"[a-z0-9][a-z0-9-]{0,59}/[a-z0-9][a-z0-9-]{0,59}", re.ASCII)
SHEETS_MAX = 200


def today() -> date:
    """The day on the wall."""
    return datetime.now(UTC).astimezone().date()


class SheetCache:
    """A library that remembers; safe to use from several threads."""

    def __init__(self, folders: Sequence[Path] = ()) -> None:
        self._library = Library(folders)
        self._folders = (BUNDLED, *folders)
        self._lock = threading.Lock()
        self._seen: object = None
        self._entries: list[SheetFile] = []
        self._loaded: dict[tuple[str, date], Sheet] = {}

    def entries(self) -> list[SheetFile]:
        """Every file with its sheet, or why it is none."""
        with self._lock:
            self._look()
            return list(self._entries)

    def load(self, name: str, on: date | None = None) -> Sheet:
        """A sheet by its id, as in force on a day or today; raises SheetUnknown."""
        if not _ID.fullmatch(name):
            shown = printable(name[:120])
            raise SheetUnknown(say("web.figures.no-sheet", sheet=shown))
        asked = (name, on or today())
        with self._lock:
            self._look()
            if asked not in self._loaded:
                while len(self._loaded) >= SHEETS_MAX:
                    del self._loaded[next(iter(self._loaded))]
                self._loaded[asked] = self._library.load(*asked)
            return self._loaded[asked]

    def told(self, sheet: Sheet) -> Sheet:
        """The same rules as the library has them: notes and marks of today, on no hash of any."""
        wanted = digest(sheet)
        known = (one.sheet for one in self.entries() if one.sheet and one.sheet.id == sheet.id)
        return next((one for one in known if digest(one) == wanted), sheet)

    def _look(self) -> None:
        files = [file for folder in self._folders for file in sorted(folder.rglob("*.toml"))]
        seen = [(file, (at := file.stat()).st_mtime_ns, at.st_size) for file in files]
        if seen != self._seen:
            self._entries, self._loaded = self._library.entries(), {}
            self._seen = seen


CLAUSES_MAX = 1_000


class ClauseCache:
    """The last answers, each good for as long as the shelf gives out the very same sheets."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[str, str], tuple[Sequence[Sheet], str]] = OrderedDict()

    def of(self, clause: str, asked: str, sheets: Sequence[Sheet], made: Callable[[], str]) -> str:
        """The answer as JSON; what `made` raises is raised, and not kept."""
        key = (clause.strip().upper(), asked)
        known, text = self._kept.get(key, ((), ""))
        if not text or not _are_same(known, sheets):
            text = made()
            self._kept[key] = (sheets, text)
            if len(self._kept) > CLAUSES_MAX:
                self._kept.popitem(last=False)
        self._kept.move_to_end(key)
        return text


def _are_same(known: Sequence[Sheet], sheets: Sequence[Sheet]) -> bool:
    alike = zip(known, sheets, strict=False)
    return len(known) == len(sheets) and all(one is other for one, other in alike)
