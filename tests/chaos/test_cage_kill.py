"""Cashiers, supervisors and an organiser at once, while their server is killed and stopped.

Whoever hears nothing sends the same again. In the end drawers, racks, boxes, vault, statement and
book agree to the cent, and nothing was done that a role does not allow.
"""

from __future__ import annotations

import asyncio
import signal
import sys
from collections import Counter
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest
from tests.chaos.server_house import ServedHouse
from tests.house.cage.busy_cage import EVENT, TABLE, Actor
from tests.house.cage.busy_sums import wrong_sums
from tests.house.web.conftest import PASSWORD
from tests.lanes import examples
from tests.noon import noon

from pitbook.house.people.register import Role
from pitbook.house.table.tables import LiveTables

SEED, STUD = 20261117, "oceanfront/mississippi-stud"
STAFF: dict[str, Role] = {
    **dict.fromkeys(("cal1", "cal2", "cal3"), "cashier"),
    "sue": "supervisor",
    "sam": "supervisor",
    "olga": "organiser",
}
SECONDS = 60
ENDS = examples(4, 60)  # Of the server, by force and in good order in turn.
ACTS = (40, 400)  # Between two of them, from and to.
HOWS = (signal.SIGKILL, signal.SIGTERM)


@pytest.mark.slow
@pytest.mark.timeout(1_800)
def test_drawers_boxes_racks_and_book_agree_though_the_server_dies(tmp_path: Path) -> None:
    with ServedHouse(tmp_path) as house:
        answers, told = asyncio.run(_evening(house))
        assert {200, 403, 409} <= set(answers), answers
        house.stop()
        assert house.errors() == []
        assert asyncio.run(_summed(house)) == [], told
    sys.stdout.write(f"{told}\n")


async def _evening(house: ServedHouse) -> tuple[Counter[int], str]:
    """What was answered, and how it went in a line."""
    (address,) = house.addresses
    async with AsyncExitStack() as open_lines:

        async def line() -> httpx.AsyncClient:
            client = httpx.AsyncClient(base_url=address, timeout=SECONDS)
            return await open_lines.enter_async_context(client)

        await _furnished(await line())
        actors = [await _actor(await line(), name, role) for name, role in STAFF.items()]
        ending = asyncio.create_task(_ended(house, actors))
        async with asyncio.TaskGroup() as group:
            for one in actors:
                group.create_task(one.act_until(ending.done, acts_min=20))
        await ending
    wrong = [line for one in actors for line in one.wrong]
    assert wrong == [], f"seed {SEED}"
    answers = sum((one.answers for one in actors), Counter[int]())
    unheard, acts = (sum(one) for one in zip(*((a.unheard, a.acts) for a in actors), strict=True))
    told = f"{acts} acts, {dict(answers)}, {unheard} unanswered, {ENDS} ends"
    return answers, f"seed {SEED}: {told}"


async def _ended(house: ServedHouse, actors: list[Actor]) -> None:
    """The server is ended after some more acts, again and again, and started at its port."""
    luck = Random(SEED)
    for number in range(ENDS):
        enough = sum(one.acts for one in actors) + luck.randint(*ACTS)
        while sum(one.acts for one in actors) < enough:
            await asyncio.sleep(0.01)
        await asyncio.to_thread(house.end, 0, HOWS[number % len(HOWS)])
        await asyncio.to_thread(house.start, 0)


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
