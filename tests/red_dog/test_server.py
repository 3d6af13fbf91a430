"""Red dog on the server: a guest plays over HTTP, with coach, record and proof."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest
from tests.house.web.conftest import (  # noqa: F401  A house with people, asked without a network.
    WEAK,
    WIDE,
    LoopRunner,
    app,
    client,
    house,
    people,
    run,
)
from tests.house.web.live_server import Json
from tests.house.web.test_routes_tables import Player
from tests.memory_folders import copied_ledger, folder_in_memory  # noqa: F401  Books need no disk.
from tests.red_dog.conftest import SHEET

from pitbook.house.settings import Settings
from pitbook.shoe.verify import verify

ID = "example/red-dog"


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """Settings with a folder of further sheets."""
    return Settings(data=tmp_path, sign_in=WEAK, limits=WIDE, sheets=(SHEET.parent,))


@pytest.mark.slow
def test_a_guest_plays_rounds(run: LoopRunner, client: httpx.AsyncClient) -> None:  # noqa: F811
    async def play() -> None:
        answer = await client.post("/api/practice", json={"sheet": ID})
        assert answer.status_code == 201, answer.text
        guest = Player(client, answer.json()["table"])
        for with_decision in (True, False):  # Four of five rounds have a decision.
            while await _round(client, guest) != with_decision:
                pass
        rounds: Json = (await client.get(f"/api/tables/{guest.table}/rounds")).json()
        last = rounds["rounds"][0]
        assert last["balance"]["after"] == (await guest.look())["wallet"]
        proof = await client.get(f"/api/tables/{guest.table}/rounds/{last['round']}/proof")
        assert not verify(proof.json()).differences

    run(play())


async def _round(client: httpx.AsyncClient, guest: Player) -> bool:  # noqa: F811
    """Play one round; whether it had a decision."""
    await guest.bet(1)
    await guest.accept({"do": "close-betting"})
    view = await guest.look()
    has_decision = view["result"] is None
    if has_decision:
        assert view["board"]["cards"][2:] == [None]  # The third card is hidden from everyone.
        advice = await client.post(f"/api/tables/{guest.table}/advice", json={"seat": 1})
        assert advice.status_code == 200, advice.text
        assert advice.json()["advice"]["best"] in ("raise", "stand")
        await guest.play(1)
    view = await guest.look()
    assert view["result"]["result"] == "settled"
    return has_decision


@pytest.mark.long
def test_the_sheet_with_its_felt(run: LoopRunner, client: httpx.AsyncClient) -> None:  # noqa: F811
    async def look() -> None:
        listed = (await client.get("/api/sheets")).json()
        assert ID in [listed_sheet["id"] for listed_sheet in listed["sheets"]]
        answer = await client.get(f"/api/sheets/{ID}")
        assert answer.status_code == 200, answer.text
        assert [circle["title"] for circle in answer.json()["felt"]["circles"]] == ["Bet", "Raise"]

    run(look())
