"""Whether the ledger can be written: checked for readiness, and logged when that changes."""

from __future__ import annotations

import logging
import shutil
import threading
import time
from collections.abc import Callable
from concurrent.futures import TimeoutError as TooLong
from pathlib import Path

from pitbook.errors import PitbookError
from pitbook.house.ledger.folder import Folder
from pitbook.house.web.logs import log_event
from pitbook.text import say, sentence_of

ROOM_MIN = 256 * 1024  # Bytes; with less on its disk not even a commit has room.
AGAIN_SECONDS = 1.0  # A book that fails is tried no more often than that.
ANSWER_SECONDS = 2.0
STUCK_SECONDS = 20.0
KIB = 1024


class JournalHealth:
    """Felt whenever somebody asks, and every few seconds by the house itself."""

    def __init__(self, folder: Folder, is_superseded: Callable[[], bool] = lambda: False) -> None:
        self._folder, self._ledger = folder, folder.ledger
        self._is_superseded = is_superseded
        self._lock = threading.Lock()
        self._tried = float("-inf")
        self._logged_problem: str | None = None  # What is wrong, as the log has heard.
        self._failures_logged = self._ledger.trouble.times

    def problem(self) -> str | None:
        """Why the house cannot go on, in a sentence; None: it can."""
        with self._lock:
            looks = (self._disk_space, self._read_check, self._ownership, self._write_check)
            named = ((look.__name__, look()) for look in looks)
            what, why = next((one for one in named if one[1] is not None), (None, None))
            self._log(what, why)
            return why

    def _disk_space(self) -> str | None:
        """Both disks, where the book is a file elsewhere: neither may be full."""
        places = {"data folder": self._folder.path}
        if (book := self._folder.book) is not None:
            places["book"] = book.parent
        told = (_disk_problem(path, what) for what, path in places.items())
        return next((one for one in told if one is not None), None)

    def _read_check(self) -> str | None:
        try:
            self._ledger.stream("people")
        except PitbookError as failed:
            return sentence_of(failed)
        return None

    def _ownership(self) -> str | None:
        try:
            return say("web.pulse.superseded") if self._is_superseded() else None
        except PitbookError as failed:
            return sentence_of(failed)

    def _write_check(self) -> str | None:
        if (stuck := self._ledger.stuck_seconds) > STUCK_SECONDS:
            return say("web.pulse.stuck", seconds=f"{stuck:.0f}")
        if self._ledger.trouble.reason is None:
            return None
        if time.monotonic() - self._tried >= AGAIN_SECONDS:
            self._retry_write()
            self._tried = time.monotonic()
        reason = self._ledger.trouble.reason
        return reason and say("web.pulse.cannot-be-written", reason=reason)

    def _retry_write(self) -> None:
        try:
            self._ledger.write_again().result(ANSWER_SECONDS)
        except (PitbookError, TooLong):
            return  # Whatever it is, it is told as what the last commit failed for.

    def _log(self, what: str | None, why: str | None) -> None:
        """The log hears of each failure once, however often somebody asks."""
        if what is not None and what != self._logged_problem:
            log_event(logging.ERROR, "not_ready", reason=why)
        elif what is None and self._logged_problem is not None:
            log_event(logging.WARNING, "ready_again")
        elif what is None and self._ledger.trouble.times > self._failures_logged:
            log_event(logging.ERROR, "ledger_write_failed", reason=self._ledger.trouble.last)
        self._logged_problem, self._failures_logged = what, self._ledger.trouble.times


def _disk_problem(path: Path, what: str) -> str | None:
    try:
        free = shutil.disk_usage(path).free
    except OSError as failed:
        return say("web.pulse.cannot-be-read", what=what, why=failed.strerror or str(failed))
    if free >= ROOM_MIN:
        return None
    return say("web.pulse.disk-full", what=what, left=free // KIB)
