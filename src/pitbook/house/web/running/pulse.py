"""Whether the book takes what it is given. Who asks is told, and so is the log, before money is."""

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
from pitbook.house.web.running.logs import note
from pitbook.text import say, sentence_of

__all__ = ["Pulse"]

ROOM_MIN = 256 * 1024  # Bytes; with less on its disk not even a commit has room.
AGAIN_SECONDS = 1.0  # A book that fails is tried no more often than that.
ANSWER_SECONDS = 2.0
STUCK_SECONDS = 20.0
KIB = 1024


class Pulse:
    """Felt whenever somebody asks, and every few seconds by the house itself."""

    def __init__(self, folder: Folder, is_superseded: Callable[[], bool] = lambda: False) -> None:
        self._folder, self._ledger = folder, folder.ledger
        self._is_superseded = is_superseded
        self._lock = threading.Lock()
        self._tried = float("-inf")
        self._red: str | None = None  # What is wrong, as the log has heard.
        self._heard = self._ledger.trouble.times

    def wrong(self) -> str | None:
        """Why the house cannot go on, in a sentence; None: it can."""
        with self._lock:
            looks = (self._room, self._reads, self._ours, self._writes)
            named = ((look.__name__, look()) for look in looks)
            what, why = next((one for one in named if one[1] is not None), (None, None))
            self._tell(what, why)
            return why

    def _room(self) -> str | None:
        """Both disks, where the book is a file elsewhere: neither may be full."""
        places = {"data folder": self._folder.path}
        if (book := self._folder.book) is not None:
            places["book"] = book.parent
        told = (_room_at(path, what) for what, path in places.items())
        return next((one for one in told if one is not None), None)

    def _reads(self) -> str | None:
        try:
            self._ledger.stream("people")
        except PitbookError as failed:
            return sentence_of(failed)
        return None

    def _ours(self) -> str | None:
        try:
            return say("web.pulse.superseded") if self._is_superseded() else None
        except PitbookError as failed:
            return sentence_of(failed)

    def _writes(self) -> str | None:
        if (stuck := self._ledger.stuck_seconds) > STUCK_SECONDS:
            return say("web.pulse.stuck", seconds=f"{stuck:.0f}")
        if self._ledger.trouble.reason is None:
            return None
        if time.monotonic() - self._tried >= AGAIN_SECONDS:
            self._try_again()
            self._tried = time.monotonic()
        reason = self._ledger.trouble.reason
        return reason and say("web.pulse.cannot-be-written", reason=reason)

    def _try_again(self) -> None:
        try:
            self._ledger.write_again().result(ANSWER_SECONDS)
        except (PitbookError, TooLong):
            return  # Whatever it is, it is told as what the last commit failed for.

    def _tell(self, what: str | None, why: str | None) -> None:
        """The log hears of each failure once, however often somebody asks."""
        if what is not None and what != self._red:
            note(logging.ERROR, "not ready", reason=why)
        elif what is None and self._red is not None:
            note(logging.WARNING, "ready again")
        elif what is None and self._ledger.trouble.times > self._heard:
            note(logging.ERROR, "the book has failed", reason=self._ledger.trouble.last)
        self._red, self._heard = what, self._ledger.trouble.times


def _room_at(path: Path, what: str) -> str | None:
    try:
        free = shutil.disk_usage(path).free
    except OSError as failed:
        return say("web.pulse.cannot-be-read", what=what, why=failed.strerror or str(failed))
    if free >= ROOM_MIN:
        return None
    return say("web.pulse.disk-full", what=what, left=free // KIB)
