"""Results that are kept for whoever asks next; where there are too many, a flood loses its own."""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Hashable
from hashlib import sha256
from typing import Any


def short(text: str) -> str:
    """What stands for somebody's text in a key: that is kept as long as its result."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


class KeptResults:
    """So many results; the group that asked for most of them gives up its oldest first.

    Somebody who asks for something else each time, as by rules of their own, drops no figures that
    others need: those cost seconds to work out again.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._results: OrderedDict[Hashable, tuple[str, Any]] = OrderedDict()
        self._of: Counter[str] = Counter()

    def __len__(self) -> int:
        return len(self._results)

    def __contains__(self, key: Hashable) -> bool:
        return key in self._results

    def get(self, key: Hashable) -> Any:
        """A result that is here; it counts as used."""
        self._results.move_to_end(key)
        return self._results[key][1]

    def put(self, key: Hashable, result: Any, group: str) -> None:
        """Keep a result that this group asked for."""
        self._drop(key)
        self._results[key] = (group, result)
        self._of[group] += 1
        if len(self._results) > self._most:
            ((largest, _),) = self._of.most_common(1)
            self._drop(next(one for one, (of, _) in self._results.items() if of == largest))

    def _drop(self, key: Hashable) -> None:
        if key not in self._results:
            return
        group, _ = self._results.pop(key)
        self._of[group] -= 1
        if not self._of[group]:
            del self._of[group]
