"""In turn: so many at each turn of the loop, and nobody waits behind somebody else's thousand."""

from __future__ import annotations

import asyncio

from pitbook.house.web.rate_limits import FairQueue, RoundRobin


def test_so_many_pass_at_each_turn_of_the_loop() -> None:
    async def pass_() -> list[int]:
        turnstile, turn, passed = FairQueue(2), 0, []

        async def enter(number: int) -> None:
            await turnstile.enter(("guests", f"g{number % 3}"))
            passed.append(turn)

        tasks = [asyncio.create_task(enter(number)) for number in range(9)]
        while not all(task.done() for task in tasks):
            turn += 1
            await asyncio.sleep(0)
        return passed

    passed = asyncio.run(pass_())
    assert len(passed) == 9
    assert all(passed.count(turn) <= 2 for turn in passed)


def test_groups_come_in_turn_and_people_within_them() -> None:
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


def test_whoever_goes_away_takes_nobodys_turn() -> None:
    async def pass_() -> None:
        turnstile = FairQueue(1)
        await turnstile.enter(("a", "a"))
        gone = asyncio.create_task(turnstile.enter(("b", "b")))
        stays = asyncio.create_task(turnstile.enter(("c", "c")))
        await asyncio.sleep(0)
        gone.cancel()
        await asyncio.wait_for(stays, 5)
        await turnstile.enter(("d", "d"))

    asyncio.run(pass_())
