"""Helpers for tests of replays: a house table and hands played at it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI
from tests.house.web.conftest import client_of
from tests.house.web.seated_players import table_for
from tests.house.web.test_routes_tables import Player

from pitbook.cards import Card
from pitbook.house.people.account_register import Role
from pitbook.house.people.sessions import SESSION_COOKIE
from pitbook.house.table.commands import By, CloseBetting, Envelope
from pitbook.house.table.round_records import find_round, round_of
from pitbook.house.web.server import Server

ROUND = "/api/tables/t/rounds/t-000001"
SUE = By("sue", "supervisor")
STAFF: tuple[Role, ...] = ("supervisor", "auditor", "dealer")
SHOWN_TO: tuple[tuple[Role, int], ...] = (
    ("supervisor", 200),
    ("auditor", 200),
    ("dealer", 403),
    ("brush", 403),
    ("organiser", 403),
)


@asynccontextmanager
async def open_table_with_bets(
    server: Server, app: FastAPI, sheet: str, *names: str
) -> AsyncIterator[dict[str, Player]]:
    """A house table "t" with players at seats 1, 2, ... and all wagers placed."""
    tokens = await table_for(server, sheet, *names)
    players = {}
    for seat, (name, token) in enumerate(tokens.items(), start=1):
        http = client_of(app)
        http.cookies.set(SESSION_COOKIE, token)
        players[name] = Player(http, "t")
        await players[name].accept({"do": "sit", "seat": seat})
        await players[name].bet(seat)
    await server.table("t").send(Envelope(By("dee", "dealer"), CloseBetting()))
    yield players
    for player in players.values():
        await player.http.aclose()


async def play_on(players: dict[str, Player], **first: str) -> None:
    """Every player makes the last offered play, or first the given one."""
    for seat, (name, player) in enumerate(players.items(), start=1):
        if name in first:
            await player.accept({"do": "decide", "seat": seat, "play": first[name]})
    for _ in range(3):
        for seat, player in enumerate(players.values(), start=1):
            view = await player.look()
            if view["phase"] != "over" and view["seats"][seat - 1]["waiting"]:
                (offer,) = (
                    offer
                    for offer in view["offers"]
                    if offer["do"] == "decide" and offer["seat"] == seat
                )
                plays = [c["play"] for c in offer["choices"] if "refused" not in c]
                await player.accept({"do": "decide", "seat": seat, "play": plays[-1]})


async def shared_by(player: Player, round: str) -> str:
    answer = await player.http.post(f"/api/tables/{player.table}/rounds/{round}/share")
    assert answer.status_code == 200, answer.text
    path: str = answer.json()["path"]
    assert path == f"/shared/{answer.json()['token']}"
    return path


def hands(server: Server, round: str = "t-000001") -> dict[str, set[Card]]:
    """Every dealt hand, from the record."""
    over = round_of(find_round(server.house.ledger, round).state)
    return {seat.player: set(seat.cards) for seat in over.seats}
