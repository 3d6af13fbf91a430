"""A socket opened by a ticket ends when the ticket does."""

from __future__ import annotations

from contextlib import suppress

import pytest
from fastapi import FastAPI
from tests.house.nights.night_over_http import Evening, one_evening  # noqa: F401  A fixture.
from tests.house.nights.ticket_night import Hall
from tests.house.web.live_server import serving, socket
from websockets.exceptions import ConnectionClosed, InvalidStatus

from pitbook.house.people.sessions import SESSION_COOKIE
from pitbook.house.table import socket as route
from pitbook.house.table.actor import Accepted
from pitbook.house.table.commands import By, CloseBetting, Envelope
from pitbook.house.web.server import Server


@pytest.mark.long
def test_open_socket_ends_with_its_ticket(
    evening: Evening, app: FastAPI, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One ticket ends as cards are dealt, one at the next ping."""
    evening.open_night()
    hall = Hall(evening, app)
    hall.lay_out("t1", "carl", "dora")
    phones = {name: hall.play("t1", name) for name in ("carl", "dora")}
    hall.begin("gala.t1", 1)
    assert hall.bet(phones["carl"][0], "gala.t1-1", phones["carl"][1]["seat"]).is_success
    organiser = evening.client("organiser")
    path = "/api/nights/gala/tournaments/t1/commands"

    async def close_reason_of(base: str, name: str, do: str) -> tuple[int, str]:
        """How a player's socket ends when the ticket is lost."""
        phone = phones[name][0]
        async with socket(base, phone.cookies[SESSION_COOKIE], "gala.t1-1") as line:
            await line.until("view")
            command = {"request": do, "command": {"do": do, "player": name}}
            assert (await organiser.post(path, json=command)).is_success
            if do == "revoke-ticket":
                table, dee = server.house.tables["gala.t1-1"], By("dee", "dealer")
                deal_answer = await table.send(Envelope(dee, CloseBetting()))
                assert isinstance(deal_answer, Accepted), deal_answer
            with suppress(ConnectionClosed):
                while True:
                    assert "events" not in await line.next(), line.frames[-1]
            with pytest.raises(InvalidStatus, match="401"):
                await socket(base, phone.cookies[SESSION_COOKIE], "gala.t1-1").__aenter__()
            return line.connection.close_code or 0, line.connection.close_reason or ""

    async def both() -> list[tuple[int, str]]:
        async with serving(app) as base:
            first = await close_reason_of(base, "carl", "revoke-ticket")
            monkeypatch.setattr(route, "PING_SECONDS", 0.05)
            return [first, await close_reason_of(base, "dora", "rotate-ticket")]

    for code, reason in evening.run(both()):
        assert (code, "replaced or revoked" in reason) == (4401, True)
