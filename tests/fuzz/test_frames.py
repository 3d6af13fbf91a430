"""Sockets under fire: the house stays up, tells nobody's cards, and another guest plays on."""

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
from tests.fuzz.floor import floor
from tests.fuzz.honest import Honest
from tests.fuzz.sockets import Attack
from tests.house.web.live import serving

FRAMES, FRAMES_SLOW = 1_000, 100_000
# What uvicorn itself logs as an error though nothing is wrong: that somebody was turned away in
# the handshake with a status and a sentence, and that text was no UTF-8, which it closes for.
NO_MISTAKES = (
    "ASGI callable returned without completing handshake.",
    "Invalid UTF-8 sequence received from client.",
)
LOGGERS = ("pitbook", "uvicorn", "uvicorn.error", "asyncio", "websockets")


class _Mistakes(logging.Handler):
    """Keeps every error that is logged; exceptions are, one and all."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        if record.getMessage() not in NO_MISTAKES:
            self.found.append(f"logged: {record.getMessage()} {record.exc_info}")


@contextmanager
def mistakes() -> Iterator[list[str]]:
    """What the server logs of mistakes of its own."""
    handler = _Mistakes()
    loggers = [logging.getLogger(one) for one in LOGGERS]
    before = [one.level for one in loggers]
    for one in loggers:
        one.addHandler(handler)
        one.setLevel(logging.ERROR)
    try:
        yield handler.found
    finally:
        for one, level in zip(loggers, before, strict=True):
            one.removeHandler(handler)
            one.setLevel(level)


async def attacked(path: Path, count: int, seed: str, *, alone: bool = False) -> Result:
    """So many frames, while a guest plays on unless nobody else is there."""
    done = asyncio.Event()
    async with floor(path, "guest") as house, serving(house.app) as base:
        attack, honest = Attack(house, base, Random(seed)), Honest(base)
        with mistakes() as logged:
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


def test_frames_do_no_harm(tmp_path: Path, seed: str) -> None:
    found = asyncio.run(attacked(tmp_path, FRAMES, seed))
    assert not found["wrong"], found["first"]


@pytest.mark.slow
def test_a_hundred_thousand_frames(tmp_path: Path, seed: str) -> None:
    found = asyncio.run(attacked(tmp_path, FRAMES_SLOW, seed))
    assert not found["wrong"], found["first"]
