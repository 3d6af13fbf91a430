"""Play a job on a Ray cluster."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterable, Iterator
from typing import Any

from pitbook.errors import PitbookError
from pitbook.extras import load_extra, require_extra
from pitbook.simulation.job import Job, Tally
from pitbook.simulation.methods.plain import PlainJob
from pitbook.text import say

_HOST = re.compile(r"(?:ray://)?(?P<host>[^:/]+):(?P<port>[0-9]{1,5})")
CONNECT_TIMEOUT_S = 10
RETRIES = 100  # A cluster may lose many workers, but a piece that never ends is our bug.
PIECES_PER_CORE = 2  # Pieces submitted per core, so that no core waits.


def play(
    job: Job | PlainJob, pieces: Iterable[tuple[int, int]], *, address: str | None = None
) -> Iterator[Tally]:
    """Play pieces of rounds on a cluster; without an address, on the current one or a local one."""
    require_extra("ray")
    if address:
        _require_reachable(address)
    ray = load_extra("ray")  # Takes seconds to import.
    started_here = not ray.is_initialized()
    if started_here:
        _connect(ray, address)
    try:
        yield from _play_pieces(ray, job, iter(pieces))
    finally:
        if started_here:
            ray.shutdown()


def _require_reachable(address: str) -> None:
    """Raise PitbookError if the address does not answer; Ray itself would wait for minutes."""
    if address_match := _HOST.fullmatch(address):
        try:
            socket.create_connection(
                (address_match["host"], int(address_match["port"])), CONNECT_TIMEOUT_S
            ).close()
        except OSError as error:
            reason = error.strerror or error
            raise PitbookError(say("simulate.ray.none", address=address, why=reason)) from None


def _connect(ray: Any, address: str | None) -> None:
    quiet = {"log_to_driver": False, "logging_level": "ERROR", "configure_logging": False}
    try:
        ray.init(address=address, include_dashboard=None if address else False, **quiet)
    except (ConnectionError, RuntimeError, ValueError) as error:
        first = str(error).splitlines()[0]
        raise PitbookError(
            say("simulate.ray.none", address=address or say("simulate.ray.here"), why=first)
        ) from None


def _play_pieces(
    ray: Any, job: Job | PlainJob, pending: Iterator[tuple[int, int]]
) -> Iterator[Tally]:
    remote = ray.remote(num_cpus=1, max_retries=RETRIES)(_piece)
    shared = ray.put(job)
    running: list[Any] = []
    while True:
        running_max = PIECES_PER_CORE * max(1, int(ray.cluster_resources().get("CPU", 1)))
        while len(running) < running_max and (piece := next(pending, None)):
            running.append(remote.remote(shared, *piece))
        if not running:
            return
        done, running = ray.wait(running, num_returns=1)
        for reference in done:
            yield _tally_of(ray, reference)


def _tally_of(ray: Any, reference: Any) -> Tally:
    try:
        tally: Tally = ray.get(reference)
    except ray.exceptions.RayError as error:
        reason = str(error).strip().splitlines()[-1]
        raise PitbookError(say("simulate.ray.failed", why=reason)) from None
    return tally


def _piece(job: Job | PlainJob, start: int, stop: int) -> Tally:
    return job.with_own_arrays().play(start, stop)
