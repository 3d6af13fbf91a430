"""An event loop in which a seed decides who runs next, and time passes only when all wait."""

from __future__ import annotations

import asyncio
import random
from typing import Any


class SeededLoop(asyncio.SelectorEventLoop):
    """The same seed gives the same run, to the last step."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._now = 0.0
        super().__init__()

    def time(self) -> float:
        return self._now

    def _run_once(self) -> None:
        ready: Any = self._ready  # type: ignore[attr-defined]
        scheduled: Any = self._scheduled  # type: ignore[attr-defined]
        due = [] if ready else [one.when() for one in scheduled if not one.cancelled()]
        if due:
            self._now = max(self._now, min(due))
        if len(ready) > 1:
            handles = list(ready)
            self._chance.shuffle(handles)
            ready.clear()
            ready.extend(handles)
        super()._run_once()  # type: ignore[misc]
