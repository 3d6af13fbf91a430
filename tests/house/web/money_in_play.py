"""A house with a bet on a table, and a check that it is still sound."""

from __future__ import annotations

import asyncio
from pathlib import Path

from tests.house.web.conftest import open_house

from pitbook import load
from pitbook.house.ledger.accounts import Account
from pitbook.house.ledger.data_folder import Folder
from pitbook.house.table.actor import Accepted
from pitbook.house.table.commands import By, Envelope, PutWager, Sit
from pitbook.money import Cents

SHEET = "catfish-bend/mississippi-stud"


def make_house_with_bet(path: Path) -> None:
    """Make a house with a table where ann has bet five dollars."""
    path.mkdir()

    async def furnish() -> None:
        async with open_house(path) as house:
            await house.cage.buy_in("ann", Cents(10_000), actor="sue")
            table = await house.open_table("one", "house", unit="usd", sheet=load(SHEET))
            for command in (Sit(1), PutWager(1, "ante", Cents(500))):
                answer = await table.send(Envelope(By("ann", "player"), command))
                assert isinstance(answer, Accepted)

    asyncio.run(furnish())


def assert_sound(path: Path) -> None:
    with Folder.open(path) as folder:
        assert folder.verify().findings == ()
        assert folder.ledger.balance(Account("usd", "held", "one/1")) == 500
        assert folder.ledger.balance(Account("usd", "wallet", "ann")) == 9_500
