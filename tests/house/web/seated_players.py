"""A table and players with money, for tests over sockets."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import pytest
from tests.house.web.conftest import PASSWORD
from tests.house.web.live_server import SHEETS, Socket, choice, socket, wagers
from websockets.exceptions import ConnectionClosed, InvalidStatus

from pitbook import load
from pitbook.house.people.account_register import Person
from pitbook.house.web.server import Server
from pitbook.money import Cents

STUD = SHEETS[0]


CLOCKS = {"betting": None, "decision": None}


async def table_for(server: Server, sheet: str = STUD, *players: str) -> dict[str, str]:
    """A house table "t", and a token for each player, who has an account and money."""
    house = server.house
    for name in players:
        if name not in server.people.register.people:
            server.people.add(name, "player", PASSWORD, actor="test")
        await house.cage.buy_in(name, Cents(1_000_000), actor="test")
    await house.open_table(
        "t", "house", actor="sue", unit="usd", sheet=load(sheet), clocks=CLOCKS, coach=False
    )
    return {name: server.sessions.issue(Person(name, "player")) for name in players}


async def play_round(socket: Socket) -> None:
    """Play a whole round alone."""
    await place_bets({1: socket})
    assert "accepted" in await socket.do(do="close-betting")
    await play_on({1: socket})


async def place_bets(seats: dict[int, Socket]) -> None:
    for number, seat_socket in seats.items():
        assert "accepted" in await seat_socket.do(do="sit", seat=number)
        for wager in wagers(await seat_socket.look(), number):
            assert "accepted" in await seat_socket.do(do="put-wager", seat=number, **wager)


async def play_on(seats: dict[int, Socket]) -> bool:
    """The first seat folds if it can, the others play on; returns whether it folded."""
    folds = False
    for _ in range(8):
        for number, seat_socket in seats.items():
            if (play := choice(await seat_socket.look(), number)) is not None:
                is_fold = number == 1 and play.endswith("x")
                folds |= is_fold
                chosen = "fold" if is_fold else play
                answer = await seat_socket.do(do="decide", seat=number, play=chosen)
                assert "accepted" in answer
    return folds


async def wait_closed(socket: Socket) -> tuple[int | None, str | None]:
    with suppress(ConnectionClosed):
        while True:
            await socket.next()
    return socket.connection.close_code, socket.connection.close_reason


async def assert_refused(status: int, base: str, token: str, table: str, **headers: str) -> None:
    with pytest.raises(InvalidStatus) as refused:
        async with socket(base, token, table, headers=headers):
            pass
    assert refused.value.response.status_code == status
    document: Any = json.loads(refused.value.response.body or b"")
    assert document["error"]
