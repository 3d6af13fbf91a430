"""Play a job on a Ray cluster."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterable, Iterator
from typing import Any

from pitbook.errors import PitbookError
from pitbook.extras import load_extra, require_extra
from pitbook.simulate.job import Job, Tally
from pitbook.simulate.methods.plain import Loop
from pitbook.text import say

_HOST = re.compile(r"(?:ray://)?(?P<host>[^:/]+):(?P<port>[0-9]{1,5})")
PATIENCE = 10  # Seconds.
RETRIES = 100  # A cluster may lose many workers; a piece that never ends is a mistake of ours.
AHEAD = 2  # Pieces under way for each core, so that none waits for the next.


def played(
    job: Job | Loop, pieces: Iterable[tuple[int, int]], *, address: str | None = None
) -> Iterator[Tally]:
    """Play pieces of rounds on a cluster; without an address, the one around us or our own."""
    require_extra("ray")
    if address:
        _reachable(address)
    ray = load_extra("ray")  # It takes seconds.
    ours = not ray.is_initialized()
    if ours:
        _joined(ray, address)
    try:
        yield from _played(ray, job, iter(pieces))
    finally:
        if ours:
            ray.shutdown()


def _reachable(address: str) -> None:
    """Raise PitbookError where nobody answers: Ray itself would wait for minutes."""
    if found := _HOST.fullmatch(address):
        try:
            socket.create_connection((found["host"], int(found["port"])), PATIENCE).close()
        except OSError as error:
            reason = error.strerror or error
            raise PitbookError(say("simulate.ray.none", address=address, why=reason)) from None


def _joined(ray: Any, address: str | None) -> None:
    quiet = {"log_to_driver": False, "logging_level": "ERROR", "configure_logging": False}
    try:
        ray.init(address=address, include_dashboard=None if address else False, **quiet)
    except (ConnectionError, RuntimeError, ValueError) as error:
        first = str(error).splitlines()[0]
        raise PitbookError(
            say("simulate.ray.none", address=address or say("simulate.ray.here"), why=first)
        ) from None


def _played(ray: Any, job: Job | Loop, waiting: Iterator[tuple[int, int]]) -> Iterator[Tally]:
    remote = ray.remote(num_cpus=1, max_retries=RETRIES)(_piece)
    shared = ray.put(job)
    running: list[Any] = []
    while True:
        most = AHEAD * max(1, int(ray.cluster_resources().get("CPU", 1)))
        while len(running) < most and (piece := next(waiting, None)):
            running.append(remote.remote(shared, *piece))
        if not running:
            return
        done, running = ray.wait(running, num_returns=1)
        for one in done:
            yield _got(ray, one)


def _got(ray: Any, one: Any) -> Tally:
    try:
        tally: Tally = ray.get(one)
    except ray.exceptions.RayError as error:
        reason = str(error).strip().splitlines()[-1]
        raise PitbookError(say("simulate.ray.failed", why=reason)) from None
    return tally


def _piece(job: Job | Loop, start: int, stop: int) -> Tally:
    return job.owned().play(start, stop)
