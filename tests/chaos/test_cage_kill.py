"""Cashiers, supervisors and an organizer at work while their server is killed and stopped.

A request without an answer is sent again. In the end drawers, racks, boxes, vault, statement and
ledger agree to the cent, and nothing happened that a role does not allow.
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
from tests.house.cage.busy_cage import EVENT, TABLE, CageActor
from tests.house.cage.busy_totals import balance_errors
from tests.house.nights.gaming_date import noon_date_and_zone
from tests.house.web.conftest import PASSWORD
from tests.lanes import examples

from pitbook.house.people.account_register import Role
from pitbook.house.table.live_tables import LiveTables

SEED, STUD = 20261117, "oceanfront/mississippi-stud"
STAFF: dict[str, Role] = {
    **dict.fromkeys(("cal1", "cal2", "cal3"), "cashier"),
    "sue": "supervisor",
    "sam": "supervisor",
    "olga": "organiser",
}
SECONDS = 60
ENDS = examples(4, 60)  # Ends of the server, alternately by kill and by orderly stop.
ACTS = (40, 400)  # The number of acts between two ends, from and to.
SIGNALS = (signal.SIGKILL, signal.SIGTERM)


@pytest.mark.slow
@pytest.mark.timeout(1_800)
def test_drawers_boxes_racks_and_ledger_agree_after_server_kills(tmp_path: Path) -> None:
    with ServedHouse(tmp_path) as house:
        answers, summary = asyncio.run(_run_event(house))
        assert {200, 403, 409} <= set(answers), answers
        house.stop()
        assert house.errors() == []
        assert asyncio.run(_sum_errors(house)) == [], summary
    sys.stdout.write(f"{summary}\n")


async def _run_event(house: ServedHouse) -> tuple[Counter[int], str]:
    """The number of answers by status, and a one-line summary."""
    (address,) = house.addresses
    async with AsyncExitStack() as open_lines:

        async def connect() -> httpx.AsyncClient:
            client = httpx.AsyncClient(base_url=address, timeout=SECONDS)
            return await open_lines.enter_async_context(client)

        await _set_up(await connect())
        actors = [await _actor(await connect(), name, role) for name, role in STAFF.items()]
        ending = asyncio.create_task(_end_server_repeatedly(house, actors))
        async with asyncio.TaskGroup() as group:
            for actor in actors:
                group.create_task(actor.act_until(ending.done, acts_min=20))
        await ending
    wrong = [error for actor in actors for error in actor.wrong]
    assert wrong == [], f"seed {SEED}"
    answers = sum((actor.answers for actor in actors), Counter[int]())
    unheard, acts = (
        sum(counts) for counts in zip(*((a.unheard, a.acts) for a in actors), strict=True)
    )
    summary = f"{acts} acts, {dict(answers)}, {unheard} unanswered, {ENDS} ends"
    return answers, f"seed {SEED}: {summary}"


async def _end_server_repeatedly(house: ServedHouse, actors: list[CageActor]) -> None:
    """End and restart the server after some more acts, repeatedly."""
    rng = Random(SEED)
    for number in range(ENDS):
        target = sum(actor.acts for actor in actors) + rng.randint(*ACTS)
        while sum(actor.acts for actor in actors) < target:
            await asyncio.sleep(0.01)
        await asyncio.to_thread(house.end, 0, SIGNALS[number % len(SIGNALS)])
        await asyncio.to_thread(house.start, 0)


async def _set_up(sue: httpx.AsyncClient) -> None:
    """Staff, a table with real cards, money, and an open event."""
    sign_in = {"name": "sue", "password": PASSWORD}
    assert (await sue.post("/api/sign-in", json=sign_in)).is_success
    for name, role in STAFF.items():
        if name != "sue":
            await _post_successfully(sue, "people", name=name, role=role, password=PASSWORD)
    await _post_successfully(sue, "tables", name=TABLE, sheet=STUD, kind="typed")
    night = {"event": EVENT, "charity": "Shelter", "licence": "NH-1", **noon_date_and_zone()}
    await _post_successfully(sue, "nights", request="made", **night)
    await _post_successfully(sue, f"nights/{EVENT}/open", request="opened")
    await _post_successfully(sue, "cage/fund", amount="5000", request="fund")
    for command in ({"do": "fill", "amount": "900"}, {"do": "sit", "seat": 1, "player": "ann"}):
        await _post_successfully(
            sue, f"tables/{TABLE}/commands", command=command, request=command["do"]
        )


async def _actor(client: httpx.AsyncClient, name: str, role: Role) -> CageActor:
    answer = await client.post("/api/sign-in", json={"name": name, "password": PASSWORD})
    assert answer.is_success, answer.text
    return CageActor(name, role, client, SEED)


async def _post_successfully(client: httpx.AsyncClient, path: str, **body: Any) -> None:
    answer = await client.post(f"/api/{path}", json=body)
    assert answer.is_success, f"{path}: {answer.text}"


async def _sum_errors(house: ServedHouse) -> list[str]:
    with house.open_folder() as folder:
        tables = LiveTables(folder)
        await tables.open()
        try:
            return balance_errors(tables)
        finally:
            await tables.close()
