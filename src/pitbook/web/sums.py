"""Long sums, worked out beside the loop: one at a time, the last ones kept, no long queue."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus
from typing import Any

from pitbook.web.answers import Problem

__all__ = ["Sums"]

KEPT_MAX = 256
WAITING_MAX = 16
BUSY = "many sums are being worked out; ask again in a few seconds"


class Sums:
    """A thread for mathematics. Its caches are not made for two threads, nor is the machine."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="pitbook-sums")
        self._kept: OrderedDict[Hashable, Any] = OrderedDict()
        self._under_way: dict[Hashable, asyncio.Future[Any]] = {}

    async def work_out(self, key: Hashable, sum_: Callable[[], Any], *, keep: bool = True) -> Any:
        """What a sum comes to; the same key has the same result, worked out once."""
        if key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key]
        if key not in self._under_way:
            if len(self._under_way) >= WAITING_MAX:
                raise Problem(HTTPStatus.TOO_MANY_REQUESTS, BUSY, retry_after=2)
            loop = asyncio.get_running_loop()
            self._under_way[key] = loop.run_in_executor(self._pool, sum_)
            self._under_way[key].add_done_callback(lambda done: self._done(key, done, keep))
        return await asyncio.shield(self._under_way[key])

    def close(self) -> None:
        """Let go of the thread; what waits is not begun."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _done(self, key: Hashable, done: asyncio.Future[Any], keep: bool) -> None:
        del self._under_way[key]
        if not done.cancelled() and done.exception() is None and keep:
            self._kept[key] = done.result()
            if len(self._kept) > KEPT_MAX:
                self._kept.popitem(last=False)
