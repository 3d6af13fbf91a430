"""OMS-14 and OMS-15 at live tables: stopped by the floor or by a kill, in every phase of a hand."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Iterable
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from tests.house.nights.dealt import Room, T, play
from tests.house.nights.phases import IN_PLAY, KINDS, LEFT, PHASES, brought, folder
from tests.house.nights.stopped import (
    accounted_for,
    answered,
    at,
    choices,
    ended,
    held,
    stop,
)

from pitbook.house.nights import interruptions as cut_hands
from pitbook.house.nights.tournament import facts
from pitbook.money import Cents

ROOT = Path(__file__).parents[3]
FEW = ("all-wagers", "dealt", "4th-half")


def shared_out(phases: Iterable[str]) -> list[Any]:
    """Each phase with one number of players who are left, and every phase with each: slow."""
    every = tuple(phases)
    few = [(left, every[at :: len(LEFT)]) for at, left in enumerate(LEFT)]
    many = [pytest.param(left, every, marks=pytest.mark.slow) for left in LEFT]
    return [pytest.param(*one, id=f"{one[0]}-few") for one in few] + many


@pytest.mark.slow_cases("hourly-3-few", "hourly-4-few", "multi-table-2-few", "multi-table-3-few")
@pytest.mark.long
@pytest.mark.parametrize(("left", "phases"), shared_out(PHASES))
@pytest.mark.parametrize("kind", KINDS)
def test_a_hand_that_is_dead_in_every_phase(
    tmp_path: Path, kind: str, left: int, phases: tuple[str, ...]
) -> None:
    async def work(room: Room) -> None:
        await brought(room, kind, left, phase)
        before = held(room)
        await stop(room)
        if kind == "multi-table" and phase in IN_PLAY:
            assert (await choices(room))[:2] == ("interrupted", (1,)), phase
            assert sum(map(len, (await cut_hands.waiting(room.tables())).values())) == left
            await answered(room, finish=False)
        if phase == "over":
            before = _last_count(room)
        ended(room, kind, left, before)
        await accounted_for(room)

    for phase in phases:
        at(tmp_path / phase, work)


def _last_count(room: Room) -> dict[str, Cents]:
    """The chips of a hand that was over before anybody counted it."""
    counts = [one.counts for _, one in room.t().past if isinstance(one, facts.ChipsCounted)]
    return dict(counts[-1])


@pytest.mark.long
@pytest.mark.parametrize(("left", "phases"), shared_out(IN_PLAY))
def test_oms_15_a_hand_is_completed_when_everybody_agrees(
    tmp_path: Path, left: int, phases: tuple[str, ...]
) -> None:
    async def work(room: Room) -> None:
        await brought(room, "multi-table", left, phase)
        await stop(room)
        await answered(room, finish=True)
        assert (await choices(room))[:3] == ("interrupted", (1,), (1,)), phase
        await play(await room.table(), room.whims)
        assert await cut_hands.carry_on(room.tables()) is None
        assert room.t().status == "finished"
        await accounted_for(room)

    for phase in phases:
        at(tmp_path / phase, work)


@pytest.mark.slow_cases("few")
@pytest.mark.parametrize(
    "cases",
    [
        list(zip(LEFT, FEW, strict=True)),
        pytest.param(list(product(LEFT, PHASES)), marks=pytest.mark.slow),
    ],
    ids=["few", "all"],
)
def test_a_kill_is_a_question_and_the_floor_answers_as_it_would_without(
    tmp_path: Path, cases: list[tuple[int, str]]
) -> None:
    killed(tmp_path, cases)

    async def work(room: Room, told: Room) -> None:
        """One is taken up after the kill and then stopped, the other is stopped by the floor."""
        before = held(room)
        asked = phase in IN_PLAY or phase.endswith(("wager", "wagers"))
        assert await room.again() == ([T] if asked else []), phase
        assert room.t().status == "playing"  # Nothing ends by itself.
        room.conserved()
        await stop(room)
        if phase in IN_PLAY:
            await brought(told, kind, left, phase)
            await stop(told)
            assert await choices(room) == await choices(told), phase
            await told.gone()
        if room.t().status == "interrupted":
            await answered(room, finish=False)
        ended(room, kind, left, _last_count(room) if phase == "over" else before)
        await accounted_for(room)
        await room.gone()

    for kind, (left, phase) in product(KINDS, cases):
        here = folder(tmp_path / kind, left, phase)
        asyncio.run(work(Room(here), Room(here / "told")))


def killed(path: Path, cases: list[tuple[int, str]]) -> None:
    """Hands of each kind in these phases in a process of its own, which is killed there."""
    named = [f"{kind}/{left}/{phase}" for kind, (left, phase) in product(KINDS, cases)]
    command = [sys.executable, "-m", "tests.house.nights.phases", str(path), *named]
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout is not None
        assert child.stderr is not None
        try:
            said = child.stdout.readline()
        finally:
            os.kill(child.pid, signal.SIGKILL)
        assert said == "ready\n", child.stderr.read()
