"""The file that keeps a trainee's drill answers."""

from __future__ import annotations

import json
import os
from datetime import datetime, timedelta
from pathlib import Path

from pitbook.drills.progress import LEVELS, AnsweredItem
from pitbook.errors import PitbookError
from pitbook.text import say


def answers_path(path: str | None) -> Path:
    """The given path, or the default in the user's data folder."""
    if path:
        return Path(path)
    folder = os.environ.get("XDG_DATA_HOME") or os.environ.get("LOCALAPPDATA")
    base = Path(folder) if folder else Path.home() / ".local" / "share"
    return base / "pitbook" / "drills.jsonl"


class AnswersOnFile:
    """Answers stored in a file; without a path they are not stored."""

    def __init__(self, path: Path | None) -> None:
        self.path = path

    def answers(self) -> list[AnsweredItem]:
        """All earlier answers; raises PitbookError for an invalid line."""
        if self.path is None or not self.path.exists():
            return []
        lines = self.path.read_text(encoding="utf-8", errors="replace").splitlines()
        return [self._read(number, line) for number, line in enumerate(lines, start=1) if line]

    def add(self, answer: AnsweredItem) -> None:
        """Append an answer."""
        if self.path is None:
            return
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(answer._asdict(), ensure_ascii=False) + "\n")

    def _read(self, number: int, line: str) -> AnsweredItem:
        try:
            document = json.loads(line)
            answer = AnsweredItem(**document)
            kinds = [type(value) for value in answer]
            is_valid = kinds in _KINDS and _is_possible(answer)
        except (ValueError, TypeError):
            raise self._invalid_line(number) from None
        if not is_valid:
            raise self._invalid_line(number)
        return answer

    def _invalid_line(self, number: int) -> PitbookError:
        fields = {"file": str(self.path), "line": number}
        return PitbookError(say("cli.drill.no-record", **fields))


def _is_possible(answer: AnsweredItem) -> bool:
    """Whether the numbers are within bounds; raises ValueError for an invalid time."""
    is_utc = datetime.fromisoformat(answer.at).utcoffset() == timedelta(0)
    return is_utc and 0 <= answer.level < LEVELS and answer.ms >= 0 and answer.hints >= 0


_KINDS = [
    [str, str, str, str, int, fact, str, str, bool, int, int, str] for fact in (str, type(None))
]
