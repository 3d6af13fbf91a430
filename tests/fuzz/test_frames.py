"""Sockets under attack: the server stays up, reveals no cards, and an honest guest plays on."""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import pytest
from tests.chaos.results import Result, result
from tests.fuzz.honest_guest import Honest
from tests.fuzz.house import floor
from tests.fuzz.sockets import Attack
from tests.house.web.live_server import serving

FRAMES, FRAMES_SLOW = 1_000, 100_000
# uvicorn logs these as errors although nothing is wrong: a rejected handshake, and a text
# frame that is not UTF-8.
EXPECTED_ERRORS = (
    "ASGI callable returned without completing handshake.",
    "Invalid UTF-8 sequence received from client.",
)
LOGGERS = ("pitbook", "uvicorn", "uvicorn.error", "asyncio", "websockets")


class _ErrorRecorder(logging.Handler):
    """Records every logged error."""

    def __init__(self) -> None:
        super().__init__()
        self.errors: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        if record.getMessage() not in EXPECTED_ERRORS:
            self.errors.append(f"logged: {record.getMessage()} {record.exc_info}")


@contextmanager
def logged_errors() -> Iterator[list[str]]:
    """The errors that the server logs."""
    handler = _ErrorRecorder()
    loggers = [logging.getLogger(name) for name in LOGGERS]
    before = [logger.level for logger in loggers]
    for logger in loggers:
        logger.addHandler(handler)
        logger.setLevel(logging.ERROR)
    try:
        yield handler.errors
    finally:
        for logger, level in zip(loggers, before, strict=True):
            logger.removeHandler(handler)
            logger.setLevel(level)


async def run_attack(path: Path, count: int, seed: str, *, alone: bool = False) -> Result:
    """Send frames, with an honest guest playing meanwhile unless `alone`."""
    done = asyncio.Event()
    async with floor(path, "guest") as house, serving(house.app) as base:
        attack, honest = Attack(house, base, Random(seed)), Honest(base)
        with logged_errors() as logged:
            async with asyncio.TaskGroup() as group:
                if not alone:
                    group.create_task(honest.play(attack.pulse, done))
                await attack.run(count)
                done.set()
                attack.pulse.set()
    sys.stdout.write(
        f"{attack.sent:,} frames over {attack.visits:,} sockets, {attack.accepted:,} accepted; "
        f"{honest.rounds:,} honest rounds; {seed}\n{attack.kinds}\n{attack.ends}\n"
    )
    return result(
        "frames over a socket",
        on="beside a guest who plays on",
        count=attack.sent,
        what="frames",
        wrong=[*attack.wrong, *logged, *honest.refused],
        acknowledged=attack.accepted,
        seed=f"{seed} ({attack.visits:,} sockets; {honest.rounds:,} rounds of the guest)",
    )


def test_random_frames_do_no_harm(tmp_path: Path, seed: str) -> None:
    row = asyncio.run(run_attack(tmp_path, FRAMES, seed))
    assert not row["wrong"], row["first"]


@pytest.mark.slow
def test_a_hundred_thousand_frames(tmp_path: Path, seed: str) -> None:
    row = asyncio.run(run_attack(tmp_path, FRAMES_SLOW, seed))
    assert not row["wrong"], row["first"]
