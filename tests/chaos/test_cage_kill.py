"""Cashiers, supervisors and an organiser at once, while their server is killed and stopped.

Whoever hears nothing sends the same again. In the end drawers, racks, boxes, vault, statement and
book agree to the cent, and nothing was done that a role does not allow.
"""

from __future__ import annotations

import asyncio
import signal
import sys
import time
from collections import Counter
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest
from tests.chaos.server_house import ServedHouse
from tests.lanes import examples
from tests.noon import noon
from tests.web.busy_cage import EVENT, TABLE, Actor
from tests.web.busy_sums import wrong_sums
from tests.web.conftest import PASSWORD

from pitbook.table.live.live_tables import LiveTables
from pitbook.web.people.register import Role

SEED, STUD = 20261117, "oceanfront/mississippi-stud"
STAFF: dict[str, Role] = {
    **dict.fromkeys(("cal1", "cal2", "cal3"), "cashier"),
    "sue": "supervisor",
    "sam": "supervisor",
    "olga": "organiser",
}
SECONDS = 60
HOWS = (signal.SIGKILL, signal.SIGTERM)


@pytest.mark.slow
@pytest.mark.timeout(1_800)
def test_drawers_boxes_racks_and_book_agree_though_the_server_dies(tmp_path: Path) -> None:
    """Ten minutes when thorough, with an end of the server in about every twenty seconds."""
    with ServedHouse(tmp_path) as house:
        answers, ends, told = asyncio.run(_evening(house, examples(40, 600)))
        assert {200, 403, 409} <= set(answers), answers
        assert ends[signal.SIGKILL], ends
        assert ends[signal.SIGTERM], ends
        house.stop()
        assert house.errors() == []
        assert asyncio.run(_summed(house)) == [], told
    sys.stdout.write(f"{told}\n")


async def _evening(
    house: ServedHouse, seconds: int
) -> tuple[Counter[int], Counter[signal.Signals], str]:
    (address,) = house.addresses
    async with AsyncExitStack() as open_lines:

        async def line() -> httpx.AsyncClient:
            client = httpx.AsyncClient(base_url=address, timeout=SECONDS)
            return await open_lines.enter_async_context(client)

        await _furnished(await line())
        actors = [await _actor(await line(), name, role) for name, role in STAFF.items()]
        stop = time.monotonic() + seconds
        acting = asyncio.gather(*(one.act_until(stop, acts_min=20) for one in actors))
        ends = await _ended(house, stop)
        await acting
    wrong = [line for one in actors for line in one.wrong]
    assert wrong == [], f"seed {SEED}"
    answers = sum((one.answers for one in actors), Counter[int]())
    unheard, acts = (sum(one) for one in zip(*((a.unheard, a.acts) for a in actors), strict=True))
    counted = {how.name: count for how, count in ends.items()}
    told = f"{acts} acts in {seconds} s, {dict(answers)}, {unheard} unanswered, ends {counted}"
    return answers, ends, f"seed {SEED}: {told}"


async def _ended(house: ServedHouse, stop: float) -> Counter[signal.Signals]:
    """The server is ended, by force and in good order, and started again at its port."""
    luck, ends = Random(SEED), Counter[signal.Signals]()
    while (left := stop - time.monotonic()) > 0 or ends.total() < len(HOWS):
        await asyncio.sleep(min(max(left, 0), 2 + 14 * luck.random()))
        how = HOWS[ends.total() % len(HOWS)]
        await asyncio.to_thread(house.end, 0, how)
        await asyncio.to_thread(house.start, 0)
        ends[how] += 1
    return ends


async def _furnished(sue: httpx.AsyncClient) -> None:
    """Staff, a table with real cards, money, and an open night."""
    sign_in = {"name": "sue", "password": PASSWORD}
    assert (await sue.post("/api/sign-in", json=sign_in)).is_success
    for name, role in STAFF.items():
        if name != "sue":
            await _must(sue, "people", name=name, role=role, password=PASSWORD)
    await _must(sue, "tables", name=TABLE, sheet=STUD, kind="typed")
    night = {"event": EVENT, "charity": "Shelter", "licence": "NH-1", **noon()}
    await _must(sue, "nights", request="made", **night)
    await _must(sue, f"nights/{EVENT}/open", request="opened")
    await _must(sue, "cage/fund", amount="5000", request="fund")
    for given in ({"do": "fill", "amount": "900"}, {"do": "sit", "seat": 1, "player": "ann"}):
        await _must(sue, f"tables/{TABLE}/commands", command=given, request=given["do"])


async def _actor(client: httpx.AsyncClient, name: str, role: Role) -> Actor:
    answer = await client.post("/api/sign-in", json={"name": name, "password": PASSWORD})
    assert answer.is_success, answer.text
    return Actor(name, role, client, SEED)


async def _must(client: httpx.AsyncClient, path: str, **body: Any) -> None:
    answer = await client.post(f"/api/{path}", json=body)
    assert answer.is_success, f"{path}: {answer.text}"


async def _summed(house: ServedHouse) -> list[str]:
    with house.book() as folder:
        tables = LiveTables(folder)
        await tables.open()
        try:
            return wrong_sums(tables)
        finally:
            await tables.close()
