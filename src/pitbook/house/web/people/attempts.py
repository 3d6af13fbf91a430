"""One try of a password, code or link. It counts as in flight from the moment it is admitted."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from types import TracebackType

from pitbook.house.web.network.buckets import Buckets
from pitbook.house.web.people.throttle import Throttle

__all__ = ["Attempt"]


class Attempt:
    """Context manager that reports one try to the throttles of its address, device or name.

    A failure counts with the throttles. A try that does not fail spends one of `successes`, a
    person's own budget.
    """

    def __init__(
        self,
        throttles: Sequence[tuple[Throttle, str]],
        *,
        known: bool = False,
    ) -> None:
        self._throttles, self.known = tuple(throttles), known
        self.successes: tuple[Buckets, str] | None = None
        self._has_failed = False

    def failed(self) -> None:
        """Count this try as a failure."""
        self._has_failed = True
        for throttle, key in self._throttles:
            throttle.failed(key)

    def __enter__(self) -> Attempt:
        for throttle, key in self._throttles:
            throttle.begin(key)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for throttle, key in self._throttles:
            throttle.end(key)
        if isinstance(error, asyncio.CancelledError):  # A dropped connection still counts as a try.
            self.failed()
        elif self.successes is not None and not self._has_failed:
            budget, person = self.successes
            budget.spend(person)
