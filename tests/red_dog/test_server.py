"""Red dog in a house: a guest plays it over HTTP, with a coach, a record and a proof."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest
from tests.house.web.conftest import (  # noqa: F401  A house with people, asked without a network.
    WEAK,
    WIDE,
    Running,
    app,
    client,
    house,
    people,
    run,
)
from tests.house.web.live import Json
from tests.house.web.test_routes_tables import Player
from tests.in_memory import copied_book, folder_in_memory  # noqa: F401  Books need no disk.
from tests.red_dog.conftest import SHEET

from pitbook.house.web.settings import Settings
from pitbook.shoe.proof import verify

ID = "example/red-dog"


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """A house with a folder of sheets of its own."""
    return Settings(data=tmp_path, sign_in=WEAK, limits=WIDE, sheets=(SHEET.parent,))


@pytest.mark.slow
def test_a_guest_plays_rounds(run: Running, client: httpx.AsyncClient) -> None:  # noqa: F811
    async def play() -> None:
        answer = await client.post("/api/practice", json={"sheet": ID})
        assert answer.status_code == 201, answer.text
        guest = Player(client, answer.json()["table"])
        for asked in (True, False):  # Four of five rounds have something to decide.
            while await _round(client, guest) != asked:
                pass
        found: Json = (await client.get(f"/api/tables/{guest.table}/rounds")).json()
        last = found["rounds"][0]
        assert last["balance"]["after"] == (await guest.look())["wallet"]
        proof = await client.get(f"/api/tables/{guest.table}/rounds/{last['round']}/proof")
        assert not verify(proof.json()).differences

    run(play())


async def _round(client: httpx.AsyncClient, guest: Player) -> bool:  # noqa: F811
    """One round; whether there was something to decide."""
    await guest.bet(1)
    await guest.fine({"do": "close-betting"})
    view = await guest.look()
    asked = view["result"] is None
    if asked:
        assert view["board"]["cards"][2:] == [None]  # The third is nobody's to see.
        advice = await client.post(f"/api/tables/{guest.table}/advice", json={"seat": 1})
        assert advice.status_code == 200, advice.text
        assert advice.json()["advice"]["best"] in ("raise", "stand")
        await guest.play(1)
    view = await guest.look()
    assert view["result"]["result"] == "settled"
    return asked


@pytest.mark.long
def test_the_sheet_with_its_felt(run: Running, client: httpx.AsyncClient) -> None:  # noqa: F811
    async def look() -> None:
        listed = (await client.get("/api/sheets")).json()
        assert ID in [one["id"] for one in listed["sheets"]]
        answer = await client.get(f"/api/sheets/{ID}")
        assert answer.status_code == 200, answer.text
        assert [one["title"] for one in answer.json()["felt"]["circles"]] == ["Bet", "Raise"]

    run(look())
