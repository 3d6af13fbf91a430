"""The functions that a program starts with: load, settle and replay."""

from __future__ import annotations

import datetime
import json
from typing import Any

from pitbook.errors import RoundError
from pitbook.rules import round_file, stored
from pitbook.rules.report import report
from pitbook.sheets.library import Library
from pitbook.sheets.model import Sheet
from pitbook.text import say

ALWAYS = datetime.date.max


def load(sheet: str, on: datetime.date | None = None) -> Sheet:
    """A rule sheet by id, id@date or path; the newest version, or the one in force on a day."""
    return Library().load(str(sheet), on or ALWAYS)


def settle(document: str | dict[str, Any]) -> dict[str, Any]:
    """What a round file comes to, line by line; raises RoundError with one sentence."""
    try:
        text = document if isinstance(document, str) else json.dumps(document)
    except (TypeError, ValueError, RecursionError):
        raise RoundError(say("rounds.no-json")) from None
    return report(round_file.settle(round_file.parse(text), load))


def replay(document: dict[str, Any]) -> dict[str, Any]:
    """A stored round played again; raises RoundError where it does not come out the same."""
    return report(stored.replay_stored(document))
