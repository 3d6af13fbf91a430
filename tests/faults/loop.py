"""An event loop in which a seed decides who runs next, and time passes only when all wait."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from concurrent.futures import Executor
from typing import Any


class SeededLoop(asyncio.SelectorEventLoop):
    """The same seed gives the same run, to the last step."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._now = 0.0
        super().__init__()

    def time(self) -> float:
        return self._now

    def stand_still(self, seconds: float) -> None:
        """Time passes and nobody's turn comes, as where a machine is asleep."""
        self._now += seconds

    def run_in_executor(  # type: ignore[override]
        self, executor: Executor | None, func: Callable[..., Any], *args: Any
    ) -> asyncio.Future[Any]:
        """What others leave to a thread is done here, when its turn comes: a thread has no seed."""
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


def _do(done: asyncio.Future[Any], work: Callable[..., Any], given: tuple[Any, ...]) -> None:
    if done.cancelled():
        return
    try:
        done.set_result(work(*given))
    except Exception as error:  # noqa: BLE001  Whoever waits for it is told.
        done.set_exception(error)


def _next(scheduled: list[asyncio.TimerHandle]) -> float:
    """When the first of a heap of timers is due that is not cancelled; never, where all are."""
    if not scheduled[0].cancelled():
        return scheduled[0].when()
    return min((one.when() for one in scheduled if not one.cancelled()), default=0.0)
