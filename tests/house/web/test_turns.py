"""Fair queues: a few per loop iteration, and no client waits behind another's thousand."""

from __future__ import annotations

import asyncio

from pitbook.house.web.rate_limits import FairQueue, RoundRobin


def test_fair_queue_limits_entries_per_loop_iteration() -> None:
    async def pass_() -> list[int]:
        fair_queue, turn, passed = FairQueue(2), 0, []

        async def enter(number: int) -> None:
            await fair_queue.enter(("guests", f"g{number % 3}"))
            passed.append(turn)

        tasks = [asyncio.create_task(enter(number)) for number in range(9)]
        while not all(task.done() for task in tasks):
            turn += 1
            await asyncio.sleep(0)
        return passed

    passed = asyncio.run(pass_())
    assert len(passed) == 9
    assert all(passed.count(turn) <= 2 for turn in passed)


def test_round_robin_over_groups_and_people() -> None:
    waiting: RoundRobin[str] = RoundRobin()
    for number in range(3):
        waiting.add(("guests", "flooder"), f"flood {number}")
    waiting.add(("guests", "honest"), "a guest's")
    waiting.add(("ann", "ann"), "ann's")
    assert [waiting.next() for _ in range(5)] == [
        "flood 0",
        "ann's",
        "a guest's",
        "flood 1",
        "flood 2",
    ]
    assert not waiting


def test_canceled_waiter_takes_no_turn() -> None:
    async def pass_() -> None:
        fair_queue = FairQueue(1)
        await fair_queue.enter(("a", "a"))
        canceled = asyncio.create_task(fair_queue.enter(("b", "b")))
        remaining = asyncio.create_task(fair_queue.enter(("c", "c")))
        await asyncio.sleep(0)
        canceled.cancel()
        await asyncio.wait_for(remaining, 5)
        await fair_queue.enter(("d", "d"))

    asyncio.run(pass_())
