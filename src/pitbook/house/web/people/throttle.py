"""Whoever fails waits, each time twice as long; nobody is shut out, and memory has an end."""

from __future__ import annotations

import math
import threading
import time
from collections import Counter, OrderedDict
from collections.abc import Callable

__all__ = ["FIRST_SECONDS", "Throttle", "delay"]

FIRST_SECONDS = 5.0
BUSY_SECONDS = 1.0  # Until an attempt that is under way is over, or nearly.
FORGIVEN_SECONDS = 60.0  # One failure is forgotten: in a hall somebody always mistypes.
KEYS_MAX = 20_000
DOUBLED_MAX = 60  # No wait is that long; a power of two without an end would be no number.

ReadSeconds = Callable[[], float]


def delay(failures: int, *, free: int, longest: float) -> float:
    """Seconds to wait after so many failures in a row.

    >>> [delay(n, free=3, longest=30) for n in range(2, 7)]
    [0.0, 5.0, 10.0, 20.0, 30]
    """
    if failures < free:
        return 0.0
    return min(longest, FIRST_SECONDS * (1 << min(failures - free, DOUBLED_MAX)))


class Throttle:
    """Failures by key, of this process; the key that rested longest is forgotten first.

    Attempts that are under way may all fail: beyond what is free they are let in one at a time,
    but where a whole hall has one key (`at_once`).
    """

    def __init__(
        self,
        *,
        free: int,
        longest: float,
        at_once: bool = False,
        clock: ReadSeconds = time.monotonic,
    ) -> None:
        self.free, self.longest, self.at_once, self._clock = free, longest, at_once, clock
        self._failed: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self._under_way: Counter[str] = Counter()
        self._lock = threading.Lock()

    def wait(self, key: str) -> float:
        """0.0 for who may try now, else the seconds until then."""
        failures, at = self._failed.get(key, (0.0, 0.0))
        wait = delay(math.ceil(failures), free=self.free, longest=self.longest)
        left = max(0.0, at + wait - self._clock()) if failures else 0.0
        return left or (BUSY_SECONDS if self._is_busy(key) else 0.0)

    def count(self, key: str) -> int:
        """Failures that are not forgotten yet, and attempts that may become some."""
        failures, at = self._failed.get(key, (0.0, 0.0))
        left = max(0.0, failures - (self._clock() - at) / FORGIVEN_SECONDS)
        return math.ceil(left) + self._under_way[key]

    def _is_busy(self, key: str) -> bool:
        return not self.at_once and bool(self._under_way[key]) and self.count(key) >= self.free

    def begin(self, key: str) -> None:
        """An attempt is let in."""
        with self._lock:
            self._under_way[key] += 1

    def end(self, key: str) -> None:
        """An attempt is over."""
        with self._lock:
            self._under_way[key] -= 1
            if not self._under_way[key]:
                del self._under_way[key]

    def failed(self, key: str) -> None:
        """One more failure."""
        now = self._clock()
        failures, at = self._failed.pop(key, (0.0, now))
        left = max(0.0, failures - (now - at) / FORGIVEN_SECONDS)
        self._failed[key] = left + 1, now
        if len(self._failed) > KEYS_MAX:
            self._failed.popitem(last=False)

    def forgive(self, key: str) -> None:
        """As if nothing had been."""
        self._failed.pop(key, None)
