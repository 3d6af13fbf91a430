"""Sockets that were opened by a ticket: whoever loses it hears nothing more."""

from __future__ import annotations

from contextlib import suppress

import pytest
from fastapi import FastAPI
from tests.house.nights.night_over_http import Evening, one_evening  # noqa: F401  A fixture.
from tests.house.nights.ticketed import Hall
from tests.house.web.live import serving, socket
from websockets.exceptions import ConnectionClosed, InvalidStatus

from pitbook.house.people.sessions import SESSION_COOKIE
from pitbook.house.table import socket as route
from pitbook.house.table.actor import Accepted
from pitbook.house.table.commands import By, CloseBetting, Envelope
from pitbook.house.web.server import Server


@pytest.mark.long
def test_an_open_socket_ends_with_its_ticket_and_hears_nothing_after_it(
    evening: Evening, app: FastAPI, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of two who lose it, one as cards are dealt, one at the next beat."""
    evening.opened()
    hall = Hall(evening, app)
    hall.lay_out("t1", "carl", "dora")
    phones = {name: hall.play("t1", name) for name in ("carl", "dora")}
    hall.begin("gala.t1", 1)
    assert hall.bet(phones["carl"][0], "gala.t1-1", phones["carl"][1]["seat"]).is_success
    organiser = evening.client("organiser")
    at = "/api/nights/gala/tournaments/t1/commands"

    async def lost(base: str, name: str, do: str) -> tuple[int, str]:
        """How the socket of somebody ends, who loses the ticket while it is open."""
        phone = phones[name][0]
        async with socket(base, phone.cookies[SESSION_COOKIE], "gala.t1-1") as line:
            await line.until("view")
            command = {"request": do, "command": {"do": do, "player": name}}
            assert (await organiser.post(at, json=command)).is_success
            if do == "revoke-ticket":
                table, dee = server.house.tables["gala.t1-1"], By("dee", "dealer")
                dealt = await table.send(Envelope(dee, CloseBetting()))
                assert isinstance(dealt, Accepted), dealt
            with suppress(ConnectionClosed):
                while True:
                    assert "events" not in await line.next(), line.frames[-1]
            with pytest.raises(InvalidStatus, match="401"):
                await socket(base, phone.cookies[SESSION_COOKIE], "gala.t1-1").__aenter__()
            return line.line.close_code or 0, line.line.close_reason or ""

    async def both() -> list[tuple[int, str]]:
        async with serving(app) as base:
            first = await lost(base, "carl", "revoke-ticket")
            monkeypatch.setattr(route, "PING_SECONDS", 0.05)
            return [first, await lost(base, "dora", "rotate-ticket")]

    for code, reason in evening.run(both()):
        assert (code, "replaced or revoked" in reason) == (4401, True)
