"""This machine's cores: a thread each, since kernels hold no lock while they play."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait

from pitbook.simulate.counts.tally import Tally


def cores() -> int:
    """The cores that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # Not every system knows which cores are whose.
        return os.cpu_count() or 1


def each(
    play: Callable[[int, int], Tally], pieces: Iterable[tuple[int, int]], workers: int
) -> Iterator[Tally]:
    """Play pieces of rounds on so many cores; tallies come as they are ready."""
    waiting = iter(pieces)
    running: set[Future[Tally]] = set()
    with ThreadPoolExecutor(workers, thread_name_prefix="rounds") as pool:
        try:
            while True:
                while len(running) < 2 * workers and (piece := next(waiting, None)):
                    running.add(pool.submit(play, *piece))
                if not running:
                    return
                done, running = wait(running, return_when=FIRST_COMPLETED)
                for one in done:
                    yield one.result()
        finally:
            pool.shutdown(wait=True, cancel_futures=True)
