"""Whether the ledger can be written: checked for readiness, and logged when that changes."""

from __future__ import annotations

import logging
import shutil
import threading
import time
from collections.abc import Callable
from concurrent.futures import TimeoutError as FutureTimeout
from pathlib import Path

from pitbook.errors import PitbookError
from pitbook.house.ledger.data_folder import Folder
from pitbook.house.web.logs import log_event
from pitbook.text import say, sentence_of

FREE_BYTES_MIN = 256 * 1024  # Bytes; with less, not even a commit fits on the disk.
RETRY_SECONDS = 1.0  # A failing ledger is retried no more often than this.
ANSWER_SECONDS = 2.0
STUCK_SECONDS = 20.0
KIB = 1024


class JournalHealth:
    """Checks of disk and ledger, for requests and for a periodic check."""

    def __init__(self, folder: Folder, is_superseded: Callable[[], bool] = lambda: False) -> None:
        self._folder, self._ledger = folder, folder.ledger
        self._is_superseded = is_superseded
        self._lock = threading.Lock()
        self._tried = float("-inf")
        self._logged_problem: str | None = None  # The failing check that was logged last.
        self._failures_logged = self._ledger.commit_failure.times

    def problem(self) -> str | None:
        """Why the server cannot work, as a message; None if it can."""
        with self._lock:
            check_functions = (
                self._disk_space,
                self._read_check,
                self._ownership,
                self._write_check,
            )
            checks = ((check.__name__, check()) for check in check_functions)
            check_name, problem = next(
                (check for check in checks if check[1] is not None), (None, None)
            )
            self._log(check_name, problem)
            return problem

    def _disk_space(self) -> str | None:
        """Why a disk is full: the data folder's, or the ledger's if that is elsewhere."""
        places = {"data folder": self._folder.path}
        if (ledger_file := self._folder.ledger_path) is not None:
            places["book"] = ledger_file.parent
        problems = (_disk_problem(path, label) for label, path in places.items())
        return next((problem for problem in problems if problem is not None), None)

    def _read_check(self) -> str | None:
        try:
            self._ledger.stream("people")
        except PitbookError as error:
            return sentence_of(error)
        return None

    def _ownership(self) -> str | None:
        try:
            return say("web.pulse.superseded") if self._is_superseded() else None
        except PitbookError as error:
            return sentence_of(error)

    def _write_check(self) -> str | None:
        if (stuck := self._ledger.stuck_seconds) > STUCK_SECONDS:
            return say("web.pulse.stuck", seconds=f"{stuck:.0f}")
        if self._ledger.commit_failure.reason is None:
            return None
        if time.monotonic() - self._tried >= RETRY_SECONDS:
            self._retry_write()
            self._tried = time.monotonic()
        reason = self._ledger.commit_failure.reason
        return reason and say("web.pulse.cannot-be-written", reason=reason)

    def _retry_write(self) -> None:
        try:
            self._ledger.probe().result(ANSWER_SECONDS)
        except (PitbookError, FutureTimeout):
            return  # It is reported as the reason of the last failed commit.

    def _log(self, check_name: str | None, problem: str | None) -> None:
        """Log each failure once, no matter how often it is checked."""
        if check_name is not None and check_name != self._logged_problem:
            log_event(logging.ERROR, "not_ready", reason=problem)
        elif check_name is None and self._logged_problem is not None:
            log_event(logging.WARNING, "ready_again")
        elif check_name is None and self._ledger.commit_failure.times > self._failures_logged:
            log_event(logging.ERROR, "ledger_write_failed", reason=self._ledger.commit_failure.last)
        self._logged_problem, self._failures_logged = check_name, self._ledger.commit_failure.times


def _disk_problem(path: Path, place: str) -> str | None:
    try:
        free = shutil.disk_usage(path).free
    except OSError as error:
        return say("web.pulse.cannot-be-read", what=place, why=error.strerror or str(error))
    if free >= FREE_BYTES_MIN:
        return None
    return say("web.pulse.disk-full", what=place, left=free // KIB)
