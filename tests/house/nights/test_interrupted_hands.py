"""OMS-14 and OMS-15 at live tables: interrupted or killed in every phase of a hand."""

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
from tests.house.nights.hand_phases import IN_PLAY, KINDS, LEFT, PHASES, bring_to_phase, folder
from tests.house.nights.live_night import Room, T, play
from tests.house.nights.stopped_hands import (
    answer_all,
    at,
    check_end,
    chips_held,
    pending_state,
    settle_and_close,
    stop,
)

from pitbook.house.nights import interruptions as cut_hands
from pitbook.house.nights.tournament import facts
from pitbook.money import Cents

ROOT = Path(__file__).parents[3]
FEW = ("all-wagers", "dealt", "4th-half")


def phase_cases(phases: Iterable[str]) -> list[Any]:
    """Each phase with one number of players left, and all combinations marked slow."""
    every = tuple(phases)
    few = [(left, every[at :: len(LEFT)]) for at, left in enumerate(LEFT)]
    many = [pytest.param(left, every, marks=pytest.mark.slow) for left in LEFT]
    return [pytest.param(*case, id=f"{case[0]}-few") for case in few] + many


@pytest.mark.slow_cases("hourly-3-few", "hourly-4-few", "multi-table-2-few", "multi-table-3-few")
@pytest.mark.long
@pytest.mark.parametrize(("left", "phases"), phase_cases(PHASES))
@pytest.mark.parametrize("kind", KINDS)
def test_hand_interrupted_in_any_phase_is_dead(
    tmp_path: Path, kind: str, left: int, phases: tuple[str, ...]
) -> None:
    async def work(room: Room) -> None:
        await bring_to_phase(room, kind, left, phase)
        before = chips_held(room)
        await stop(room)
        if kind == "multi-table" and phase in IN_PLAY:
            assert (await pending_state(room))[:2] == ("interrupted", (1,)), phase
            assert sum(map(len, (await cut_hands.pending_answers(room.tables())).values())) == left
            await answer_all(room, finish=False)
        if phase == "over":
            before = _last_count(room)
        check_end(room, kind, left, before)
        await settle_and_close(room)

    for phase in phases:
        at(tmp_path / phase, work)


def _last_count(room: Room) -> dict[str, Cents]:
    """The last count, for a hand that was over before it was counted."""
    counts = [fact.counts for _, fact in room.t().past if isinstance(fact, facts.ChipsCounted)]
    return dict(counts[-1])


@pytest.mark.long
@pytest.mark.parametrize(("left", "phases"), phase_cases(IN_PLAY))
def test_oms_15_hand_is_completed_if_everyone_agrees(
    tmp_path: Path, left: int, phases: tuple[str, ...]
) -> None:
    async def work(room: Room) -> None:
        await bring_to_phase(room, "multi-table", left, phase)
        await stop(room)
        await answer_all(room, finish=True)
        assert (await pending_state(room))[:3] == ("interrupted", (1,), (1,)), phase
        await play(await room.table(), room.whims)
        assert await cut_hands.sync_hands(room.tables()) is None
        assert room.t().status == "finished"
        await settle_and_close(room)

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
def test_after_a_kill_the_floor_decides_as_after_an_interruption(
    tmp_path: Path, cases: list[tuple[int, str]]
) -> None:
    kill_in_phases(tmp_path, cases)

    async def work(room: Room, reference: Room) -> None:
        """Interrupt one room after a kill and the other without; they must match."""
        before = chips_held(room)
        is_stopped = phase in IN_PLAY or phase.endswith(("wager", "wagers"))
        assert await room.again() == ([T] if is_stopped else []), phase
        assert room.t().status == "playing"  # Nothing ends by itself.
        room.check_conserved()
        await stop(room)
        if phase in IN_PLAY:
            await bring_to_phase(reference, kind, left, phase)
            await stop(reference)
            assert await pending_state(room) == await pending_state(reference), phase
            await reference.close()
        if room.t().status == "interrupted":
            await answer_all(room, finish=False)
        check_end(room, kind, left, _last_count(room) if phase == "over" else before)
        await settle_and_close(room)
        await room.close()

    for kind, (left, phase) in product(KINDS, cases):
        path = folder(tmp_path / kind, left, phase)
        asyncio.run(work(Room(path), Room(path / "told")))


def kill_in_phases(path: Path, cases: list[tuple[int, str]]) -> None:
    """Bring hands to these phases in a child process and kill it."""
    cases_text = [f"{kind}/{left}/{phase}" for kind, (left, phase) in product(KINDS, cases)]
    command = [sys.executable, "-m", "tests.house.nights.hand_phases", str(path), *cases_text]
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout is not None
        assert child.stderr is not None
        try:
            output = child.stdout.readline()
        finally:
            os.kill(child.pid, signal.SIGKILL)
        assert output == "ready\n", child.stderr.read()
