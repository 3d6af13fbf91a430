"""What anybody has to spend: buckets that fill with time, and places that are given back."""

from __future__ import annotations

import time
from collections import Counter, OrderedDict
from collections.abc import Callable

__all__ = ["Buckets", "Quota", "ReadSeconds"]

KEYS_MAX = 20_000
CREDIT_SECONDS = 10.0  # Beyond that nothing is remembered.

ReadSeconds = Callable[[], float]


class Buckets:
    """One bucket for each key: a burst at once, then so many a second."""

    def __init__(self, rate: float, burst: float, *, clock: ReadSeconds = time.monotonic) -> None:
        self.rate, self.burst, self._clock = rate, burst, clock
        self._levels: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait(self, key: str) -> float:
        """The seconds until the key may have one more; 0.0 for at once."""
        return max(0.0, (1 - self._level(key, self._clock())) / self.rate)

    def take(self, key: str) -> float:
        """0.0 when it is granted, else the seconds to wait; asking in vain costs nothing."""
        now = self._clock()
        level = self._level(key, now)
        if level < 1:
            return (1 - level) / self.rate
        self._keep(key, level - 1, now)
        return 0.0

    def spend(self, key: str, amount: float = 1.0) -> float:
        """Granted at all events, on credit if need be: the seconds until it is paid for.

        Whoever waits so long before going on is served in the order of asking.
        """
        now = self._clock()
        level = self._level(key, now) - amount
        if level >= 0:
            self._keep(key, level, now)
            return 0.0
        level = max(level, -self.burst - CREDIT_SECONDS * self.rate)
        self._keep(key, level, now)
        return -level / self.rate

    def _keep(self, key: str, level: float, now: float) -> None:
        self._levels[key] = (level, now)
        self._levels.move_to_end(key)
        if len(self._levels) > KEYS_MAX:  # The one that rested longest is full again, or nearly.
            self._levels.popitem(last=False)

    def _level(self, key: str, now: float) -> float:
        if (kept := self._levels.get(key)) is None:
            return self.burst
        level = kept[0] + (now - kept[1]) * self.rate
        return level if level < self.burst else self.burst


class Quota:
    """So many things at once for each key."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._owners: dict[str, str] = {}
        self._counts: Counter[str] = Counter()

    def take(self, key: str, thing: str) -> bool:
        """Whether the key may have one more."""
        if self._counts[key] >= self.most:
            return False
        self._owners[thing] = key
        self._counts[key] += 1
        return True

    def held(self, key: str) -> list[str]:
        """What a key has, the oldest first."""
        return [thing for thing, owner in self._owners.items() if owner == key]

    def give_back(self, thing: str) -> None:
        """The thing is gone."""
        key = self._owners.pop(thing, None)
        if key is None:
            return
        self._counts[key] -= 1
        if not self._counts[key]:
            del self._counts[key]
