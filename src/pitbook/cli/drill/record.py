"""What was answered in the terminal, kept in one's own folder: a line of JSON for each answer."""

from __future__ import annotations

import json
import os
from datetime import datetime, timedelta
from pathlib import Path

from pitbook.drills.progress import LEVELS, AnsweredItem
from pitbook.errors import PitbookError
from pitbook.text import say


def own_file(named: str | None) -> Path:
    """The file that is named, or the one in the folder that the system has for such things."""
    if named:
        return Path(named)
    folder = os.environ.get("XDG_DATA_HOME") or os.environ.get("LOCALAPPDATA")
    base = Path(folder) if folder else Path.home() / ".local" / "share"
    return base / "pitbook" / "drills.jsonl"


class AnswersOnFile:
    """Answers on file; with no file, for this time alone."""

    def __init__(self, path: Path | None) -> None:
        self.path = path

    def answers(self) -> list[AnsweredItem]:
        """All that was answered before; raises PitbookError where a line is none of ours."""
        if self.path is None or not self.path.exists():
            return []
        lines = self.path.read_text(encoding="utf-8", errors="replace").splitlines()
        return [self._read(number, line) for number, line in enumerate(lines, start=1) if line]

    def add(self, one: AnsweredItem) -> None:
        """One more answer."""
        if self.path is None:
            return
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(one._asdict(), ensure_ascii=False) + "\n")

    def _read(self, number: int, line: str) -> AnsweredItem:
        try:
            document = json.loads(line)
            found = AnsweredItem(**document)
            kinds = [type(value) for value in found]
            fits = kinds in _KINDS and _is_possible(found)
        except (ValueError, TypeError):
            raise self._no_answer(number) from None
        if not fits:
            raise self._no_answer(number)
        return found

    def _no_answer(self, number: int) -> PitbookError:
        fields = {"file": str(self.path), "line": number}
        return PitbookError(say("cli.drill.no-record", **fields))


def _is_possible(one: AnsweredItem) -> bool:
    """Whether numbers are within bounds, and the time is one of the world's; else ValueError."""
    known = datetime.fromisoformat(one.at).utcoffset() == timedelta(0)
    return known and 0 <= one.level < LEVELS and one.ms >= 0 and one.hints >= 0


_KINDS = [
    [str, str, str, str, int, fact, str, str, bool, int, int, str] for fact in (str, type(None))
]
