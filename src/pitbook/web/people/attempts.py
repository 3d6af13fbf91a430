"""An attempt is under way from when it is let in: a hundred at once are a hundred, and not one."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from types import TracebackType

from pitbook.web.people.throttle import Throttle

__all__ = ["Attempt"]


class Attempt:
    """One try of a password or a code, at a known device or not, and with whom it counts."""

    def __init__(self, places: Sequence[tuple[Throttle, str]], *, known: bool = False) -> None:
        self._places, self.known = tuple(places), known

    def failed(self) -> None:
        """It was wrong."""
        for throttle, key in self._places:
            throttle.failed(key)

    def __enter__(self) -> Attempt:
        for throttle, key in self._places:
            throttle.begin(key)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for throttle, key in self._places:
            throttle.end(key)
        if isinstance(error, asyncio.CancelledError):  # Who hangs up has tried all the same.
            self.failed()
