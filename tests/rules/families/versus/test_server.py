"""Every versus game over HTTP: a guest bets, decides and is paid, and the proof verifies."""

from __future__ import annotations

import httpx
import pytest
from tests.house.web.conftest import (  # noqa: F401  A house with people, asked without a network.
    LoopRunner,
    app,
    client,
    house,
    people,
    run,
    settings,
)
from tests.house.web.test_routes_tables import Player
from tests.lanes import spread
from tests.memory_folders import copied_ledger, folder_in_memory  # noqa: F401  Books need no disk.
from tests.rules.families.versus.test_live import SHEETS

from pitbook.shoe.verify import verify


@pytest.mark.slow_cases("classic/caribbean-stud")
@pytest.mark.long
@pytest.mark.parametrize("sheet", spread(SHEETS, 3))
def test_a_guest_plays_rounds(
    run: LoopRunner,  # noqa: F811
    client: httpx.AsyncClient,  # noqa: F811
    sheet: str,
) -> None:
    async def play() -> None:
        answer = await client.post("/api/practice", json={"sheet": sheet})
        assert answer.status_code == 201, answer.text
        guest = Player(client, answer.json()["table"])
        for _ in range(3):
            await guest.bet(1)
            await guest.accept({"do": "close-betting"})
            await guest.play(1)
            view = await guest.look()
            assert view["result"]["result"] == "settled"
        rounds = (await client.get(f"/api/tables/{guest.table}/rounds")).json()
        last = rounds["rounds"][0]
        assert last["balance"]["after"] == (await guest.look())["wallet"]
        proof = await client.get(f"/api/tables/{guest.table}/rounds/{last['round']}/proof")
        assert not verify(proof.json()).differences

    run(play())


@pytest.mark.long
def test_the_felt_has_both_hands_and_every_circle(
    run: LoopRunner,  # noqa: F811
    client: httpx.AsyncClient,  # noqa: F811
) -> None:
    async def look() -> None:
        answer = await client.get("/api/sheets/pennsylvania/ultimate-texas-holdem")
        assert answer.status_code == 200, answer.text
        felt = answer.json()["felt"]
        assert [(group["title"], group["cards"]) for group in felt["groups"]] == [
            ("Community cards", 5),
            ("Dealer", 2),
        ]
        circles = [
            (circle["title"], circle["kind"], circle["equals"]) for circle in felt["circles"]
        ]
        assert circles == [
            ("Ante", "main", None),
            ("Blind", "main", "ante"),
            ("Play", "play", None),
            ("Trips", "side", None),
        ]

    run(look())
