"""A link to a round ends when its giver said; one without an end goes on as ever."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from tests.house.web.conftest import Running, client_of
from tests.house.web.test_routes_tables import STUD, Player, guest_of

from pitbook.house.web import sharing_api as module
from pitbook.house.web.server import Server
from pitbook.house.web.sharing import Links, RoundLink

AT = datetime(2026, 11, 16, 12, 0, 30, 999, tzinfo=UTC)


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> list[datetime]:
    """The time of day: its last entry."""
    times = [AT]
    monkeypatch.setattr(module, "utc_now", lambda: times[-1])
    return times


async def played(client: httpx.AsyncClient) -> Player:
    guest = await guest_of(client, STUD)
    await guest.bet(1)
    await guest.fine({"do": "close-betting"})
    await guest.play(1)
    return guest


async def share(guest: Player, body: Any = None) -> httpx.Response:
    path = f"/api/tables/{guest.table}/rounds/{guest.table}-000001/share"
    return (
        await guest.http.post(path, json=body) if body is not None else await guest.http.post(path)
    )


@pytest.mark.long
def test_a_link_ends_when_it_was_said(
    run: Running, client: httpx.AsyncClient, app: FastAPI, clock: list[datetime]
) -> None:
    async def look() -> None:
        guest = await played(client)
        made = (await share(guest, {"hours": 24})).json()
        assert made["until"] == "2026-11-17T12:00:30+00:00"
        async with client_of(app, "10.0.0.9") as stranger:
            for passed, status in ((timedelta(0), 200), (timedelta(hours=24), 200)):
                clock.append(AT + passed - timedelta(microseconds=999))
                answer = await stranger.get(f"/api{made['path']}")
                assert answer.status_code == status
                assert answer.json()["until"] == made["until"]
            clock.append(AT + timedelta(hours=24, seconds=1))
            ended = await stranger.get(f"/api{made['path']}")
            said = (
                "this link ended on 17 November 2026 at 12:00 UTC; "
                "ask whoever gave it to you for a new one"
            )
            assert (ended.status_code, ended.json()["error"]) == (410, said)
            # Who made it may still look, and make another.
            again = (await share(guest, {"hours": 1})).json()
            assert (await stranger.get(f"/api{again['path']}")).status_code == 200

    run(look())


@pytest.mark.long
def test_a_link_without_an_end_is_the_one_it_always_was(
    run: Running, client: httpx.AsyncClient, server: Server, clock: list[datetime]
) -> None:
    async def look() -> None:
        guest = await played(client)
        links = Links(server.house.folder.keys.sealing)
        player = (await client.get("/api/me")).json()["name"]
        old = links.token(RoundLink(guest.table, f"{guest.table}-000001", player))
        assert len(links.read(old) or ()) == 4
        for body in (None, {}, {"hours": None}):
            made = (await share(guest, body)).json()
            assert made == {"path": f"/shared/{old}", "token": old, "until": None}
        clock.append(AT + timedelta(days=40_000))
        answer = await client.get(f"/api/shared/{old}")
        assert (answer.status_code, answer.json()["until"]) == (200, None)

    run(look())


@pytest.mark.parametrize("hours", [0, -1, 87_601, 1.5, "24", True])
def test_times_that_are_none(run: Running, client: httpx.AsyncClient, hours: Any) -> None:
    async def look() -> None:
        guest = await played(client)
        answer = await share(guest, {"hours": hours})
        assert answer.status_code == 422
        assert answer.json()["error"].startswith('"hours" in the body: ')

    run(look())


def test_nobody_gives_a_link_more_time(
    run: Running, client: httpx.AsyncClient, server: Server
) -> None:
    async def look() -> None:
        guest = await played(client)
        token = (await share(guest, {"hours": 1})).json()["token"]
        other = Links(b"x" * 32).token(
            RoundLink(guest.table, "r", "ann", "2099-01-01T00:00:00+00:00")
        )
        payload, _, mac = token.partition(".")
        for forged in (f"{other.partition('.')[0]}.{mac}", f"{payload}.{other.partition('.')[2]}"):
            assert (await client.get(f"/api/shared/{forged}")).status_code == 404

    run(look())
