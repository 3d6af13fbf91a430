"""Whoever fails waits, each time twice as long; nobody is shut out, and memory has an end."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable

__all__ = ["FIRST_SECONDS", "Throttle", "delay"]

FIRST_SECONDS = 5.0
FORGOTTEN_SECONDS = 3_600.0  # After the last failure, and what it had to wait for.
KEYS_MAX = 20_000
DOUBLED_MAX = 60  # No wait is that long; a power of two without an end would be no number.

Clock = Callable[[], float]


def delay(failures: int, *, free: int, longest: float) -> float:
    """Seconds to wait after so many failures in a row.

    >>> [delay(n, free=3, longest=30) for n in range(2, 7)]
    [0.0, 5.0, 10.0, 20.0, 30]
    """
    if failures < free:
        return 0.0
    return min(longest, FIRST_SECONDS * (1 << min(failures - free, DOUBLED_MAX)))


class Throttle:
    """Failures by key, of this process; the key that rested longest is forgotten first."""

    def __init__(self, *, free: int, longest: float, clock: Clock = time.monotonic) -> None:
        self.free, self.longest, self._clock = free, longest, clock
        self._failed: OrderedDict[str, tuple[int, float]] = OrderedDict()

    def wait(self, key: str) -> float:
        """0.0 for who may try now, else the seconds until then."""
        failures, at = self._known(key)
        left = at + delay(failures, free=self.free, longest=self.longest) - self._clock()
        return max(0.0, left) if failures else 0.0

    def failed(self, key: str) -> None:
        """One more failure."""
        failures, _ = self._known(key)
        self._failed.pop(key, None)
        self._failed[key] = failures + 1, self._clock()
        if len(self._failed) > KEYS_MAX:
            self._failed.popitem(last=False)

    def forgive(self, key: str) -> None:
        """As if nothing had been."""
        self._failed.pop(key, None)

    def _known(self, key: str) -> tuple[int, float]:
        failures, at = self._failed.get(key, (0, 0.0))
        over = self._clock() - at > self.longest + FORGOTTEN_SECONDS
        return (0, 0.0) if over else (failures, at)
