"""A round is shown by the rules it was played by, even if the library has changed."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.house.web.conftest import LoopRunner, client_of
from tests.house.web.live_server import Json
from tests.house.web.test_routes_tables import Player, guest_of
from tests.sheets.samples import CMS, modified_text

from pitbook.house.people.accounts import People
from pitbook.house.settings import Settings
from pitbook.house.table.live_tables import LiveTables
from pitbook.house.web.app import create_app

OWN = "my-house/stud"
OWN_ID = (f'id = "{CMS}"', f'id = "{OWN}"')
PRINTED = ('title = "Ante"', 'title = "Blind"'), ('royal-flush = "500:1"', 'royal-flush = "400:1"')


@pytest.mark.long
def test_replay_and_link_have_the_sheet_of_the_round(
    run: LoopRunner, house: LiveTables, people: People, settings: Settings, tmp_path: Path
) -> None:
    file = tmp_path / "sheets" / "stud.toml"
    file.parent.mkdir()
    file.write_text(modified_text(CMS, OWN_ID), encoding="utf-8")
    app = create_app(house, people, settings.model_copy(update={"sheets": (file.parent,)}))

    async def play() -> None:
        async with client_of(app) as client:
            guest = await guest_of(client, OWN)
            await whole_round(guest)
            printed = (await client.get(f"/api/sheets/{OWN}")).json()
            file.write_text(modified_text(CMS, OWN_ID, *PRINTED), encoding="utf-8")
            today = (await client.get(f"/api/sheets/{OWN}")).json()
            assert today["ante"]["title"] == "Blind"
            round = f"/api/tables/{guest.table}/rounds/{guest.table}-000001"
            link = (await client.post(f"{round}/share")).json()["path"]
            for path in (round, f"/api{link}"):
                replay: Json = (await client.get(path)).json()
                assert replay["rules"] == printed != today
                assert replay["rules"]["hash"] == replay["sheet"]["hash"]

    run(play())


async def whole_round(guest: Player) -> None:
    await guest.bet(1)
    await guest.accept({"do": "close-betting"})
    await guest.play(1)
