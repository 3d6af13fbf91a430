"""An event loop in which a seed decides the order of tasks, and time passes only when all wait."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from concurrent.futures import Executor
from typing import Any


class SeededLoop(asyncio.SelectorEventLoop):
    """An event loop in which the same seed gives exactly the same run."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._now = 0.0
        super().__init__()

    def time(self) -> float:
        return self._now

    def stand_still(self, seconds: float) -> None:
        """Let time pass without running anything, as on a suspended machine."""
        self._now += seconds

    def run_in_executor(  # type: ignore[override]
        self, executor: Executor | None, func: Callable[..., Any], *args: Any
    ) -> asyncio.Future[Any]:
        """Run the work in the loop itself when its turn comes, because threads have no seed."""
        done: asyncio.Future[Any] = self.create_future()
        self.call_soon(_do, done, func, args)
        return done

    def _run_once(self) -> None:
        ready: Any = self._ready  # type: ignore[attr-defined]
        scheduled: Any = self._scheduled  # type: ignore[attr-defined]
        if not ready and scheduled:
            self._now = max(self._now, _next(scheduled))
        if len(ready) > 1:
            handles = list(ready)
            self._chance.shuffle(handles)
            ready.clear()
            ready.extend(handles)
        super()._run_once()  # type: ignore[misc]


def _do(done: asyncio.Future[Any], work: Callable[..., Any], args: tuple[Any, ...]) -> None:
    if done.cancelled():
        return
    try:
        done.set_result(work(*args))
    except Exception as error:  # noqa: BLE001  The future carries it to the caller.
        done.set_exception(error)


def _next(scheduled: list[asyncio.TimerHandle]) -> float:
    """When the first timer that is not cancelled is due; 0 if all are cancelled."""
    if not scheduled[0].cancelled():
        return scheduled[0].when()
    return min((timer.when() for timer in scheduled if not timer.cancelled()), default=0.0)
