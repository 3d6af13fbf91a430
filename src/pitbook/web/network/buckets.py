"""What anybody has to spend: buckets that fill with time, and places that are given back."""

from __future__ import annotations

import time
from collections import Counter, OrderedDict
from collections.abc import Callable

__all__ = ["Buckets", "Clock", "Quota"]

KEYS_MAX = 20_000
CREDIT_SECONDS = 10.0  # Beyond that nothing is remembered.

Clock = Callable[[], float]


class Buckets:
    """One bucket for each key: a burst at once, then so many a second."""

    def __init__(self, rate: float, burst: float, *, clock: Clock = time.monotonic) -> None:
        self.rate, self.burst, self._clock = rate, burst, clock
        self._levels: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait(self, key: str) -> float:
        """The seconds until the key may have one more; 0.0 for at once."""
        return max(0.0, (1 - self._level(key, self._clock())) / self.rate)

    def take(self, key: str) -> float:
        """0.0 when it is granted, else the seconds to wait; asking in vain costs nothing."""
        wait = self.wait(key)
        if not wait:
            self.spend(key)
        return wait

    def spend(self, key: str, amount: float = 1.0) -> float:
        """Granted at all events, on credit if need be: the seconds until it is paid for.

        Whoever waits so long before going on is served in the order of asking.
        """
        now = self._clock()
        level = max(self._level(key, now) - amount, -self.burst - CREDIT_SECONDS * self.rate)
        self._levels[key] = (level, now)
        self._levels.move_to_end(key)
        if len(self._levels) > KEYS_MAX:  # The one that rested longest is full again, or nearly.
            self._levels.popitem(last=False)
        return max(0.0, -level / self.rate)

    def _level(self, key: str, now: float) -> float:
        level, at = self._levels.get(key, (self.burst, now))
        return min(self.burst, level + (now - at) * self.rate)


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
