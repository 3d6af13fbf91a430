"""Links to rounds expire if their maker said so; otherwise they do not."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from tests.house.web.conftest import LoopRunner, client_of
from tests.house.web.test_routes_tables import STUD, Player, guest_of

from pitbook.house.web import sharing_api as module
from pitbook.house.web.server import Server
from pitbook.house.web.sharing import Links, RoundLink

AT = datetime(2026, 11, 16, 12, 0, 30, 999, tzinfo=UTC)


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> list[datetime]:
    """The current time is the last entry."""
    times = [AT]
    monkeypatch.setattr(module, "utc_now", lambda: times[-1])
    return times


async def guest_after_round(client: httpx.AsyncClient) -> Player:
    guest = await guest_of(client, STUD)
    await guest.bet(1)
    await guest.accept({"do": "close-betting"})
    await guest.play(1)
    return guest


async def share(guest: Player, body: Any = None) -> httpx.Response:
    path = f"/api/tables/{guest.table}/rounds/{guest.table}-000001/share"
    return (
        await guest.http.post(path, json=body) if body is not None else await guest.http.post(path)
    )


@pytest.mark.long
def test_link_expires(
    run: LoopRunner, client: httpx.AsyncClient, app: FastAPI, clock: list[datetime]
) -> None:
    async def look() -> None:
        guest = await guest_after_round(client)
        link = (await share(guest, {"hours": 24})).json()
        assert link["until"] == "2026-11-17T12:00:30+00:00"
        async with client_of(app, "10.0.0.9") as stranger:
            for passed, status in ((timedelta(0), 200), (timedelta(hours=24), 200)):
                clock.append(AT + passed - timedelta(microseconds=999))
                answer = await stranger.get(f"/api{link['path']}")
                assert answer.status_code == status
                assert answer.json()["until"] == link["until"]
            clock.append(AT + timedelta(hours=24, seconds=1))
            ended = await stranger.get(f"/api{link['path']}")
            message = (
                "This link expired on November 17, 2026 at 12:00 UTC. "
                "Ask the person who sent it for a new one."
            )
            assert (ended.status_code, ended.json()["error"]) == (410, message)
            # The maker may still see the round and make another link.
            again = (await share(guest, {"hours": 1})).json()
            assert (await stranger.get(f"/api{again['path']}")).status_code == 200

    run(look())


@pytest.mark.long
def test_link_without_an_end_keeps_its_format(
    run: LoopRunner, client: httpx.AsyncClient, server: Server, clock: list[datetime]
) -> None:
    async def look() -> None:
        guest = await guest_after_round(client)
        links = Links(server.house.folder.keys.sealing)
        player = (await client.get("/api/me")).json()["name"]
        old = links.token(RoundLink(guest.table, f"{guest.table}-000001", player))
        assert len(links.read(old) or ()) == 4
        for body in (None, {}, {"hours": None}):
            link = (await share(guest, body)).json()
            assert link == {"path": f"/shared/{old}", "token": old, "until": None}
        clock.append(AT + timedelta(days=40_000))
        answer = await client.get(f"/api/shared/{old}")
        assert (answer.status_code, answer.json()["until"]) == (200, None)

    run(look())


@pytest.mark.parametrize("hours", [0, -1, 87_601, 1.5, "24", True])
def test_invalid_hours_are_refused(run: LoopRunner, client: httpx.AsyncClient, hours: Any) -> None:
    async def look() -> None:
        guest = await guest_after_round(client)
        answer = await share(guest, {"hours": hours})
        assert answer.status_code == 422
        assert answer.json()["error"].startswith('"hours" in the body: ')

    run(look())


def test_forged_expiry_is_refused(
    run: LoopRunner, client: httpx.AsyncClient, server: Server
) -> None:
    async def look() -> None:
        guest = await guest_after_round(client)
        token = (await share(guest, {"hours": 1})).json()["token"]
        other = Links(b"x" * 32).token(
            RoundLink(guest.table, "r", "ann", "2099-01-01T00:00:00+00:00")
        )
        payload, _, mac = token.partition(".")
        for forged in (f"{other.partition('.')[0]}.{mac}", f"{payload}.{other.partition('.')[2]}"):
            assert (await client.get(f"/api/shared/{forged}")).status_code == 404

    run(look())
