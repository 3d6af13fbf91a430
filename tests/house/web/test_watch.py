"""Spectators watch the public view of a table over server-sent events."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import NamedTuple

import httpx
import pytest
from fastapi import FastAPI
from tests.house.table.visible_cards import cards_in
from tests.house.web.conftest import LoopRunner, SignedIn, token_of
from tests.house.web.live_server import Json, serving, socket
from tests.house.web.seated_players import STUD, play_round, table_for

from pitbook import load
from pitbook.house.people.sessions import SESSION_COOKIE
from pitbook.house.table import socket as route
from pitbook.house.table import watchers
from pitbook.house.web.server import Server


class StreamEvent(NamedTuple):
    """One server-sent event."""

    id: int
    what: str
    data: Json


async def read_events(response: httpx.Response) -> AsyncIterator[StreamEvent]:
    block: dict[str, str] = {}
    async for line in response.aiter_lines():
        name, _, value = line.partition(": ")
        if line:
            block[name] = value
        elif "data" in block:
            yield StreamEvent(int(block["id"]), block["event"], json.loads(block["data"]))
            block = {}


def watching_client(base: str, token: str) -> httpx.AsyncClient:
    return httpx.AsyncClient(base_url=base, cookies={SESSION_COOKIE: token}, timeout=10)


def test_spectator_sees_open_cards_and_resumes_without_a_gap(
    run: LoopRunner, app: FastAPI, server: Server
) -> None:
    async def play() -> None:
        tokens = await table_for(server, STUD, "ann")
        table = server.house.tables["t"]
        async with (
            serving(app) as base,
            watching_client(base, token_of(server, "brush")) as ben,
            ben.stream("GET", "/api/tables/t/events") as stream,
            socket(base, tokens["ann"], "t") as ann,
        ):
            assert stream.headers["content-type"].startswith("text/event-stream")
            assert stream.headers["cache-control"] == "no-store"
            events = read_events(stream)
            first = await anext(events)
            assert (first.what, first.id) == ("view", first.data["version"])
            assert first.data["offers"] == []
            await play_round(ann)
            updates: list[StreamEvent] = []
            while not updates or updates[-1].id < table.state.version:
                updates.append(await anext(events))
            versions = [event["version"] for update in updates for event in update.data["events"]]
            assert versions == list(range(first.id + 1, table.state.version + 1))
            hand = table.state.round and table.state.round.seat(1)
            assert hand
            assert hand.folded
            assert not set(hand.cards) & cards_in([update.data for update in updates])
            back = {"Last-Event-ID": str(first.id + 2)}
            async with ben.stream("GET", "/api/tables/t/events", headers=back) as again:
                missed = await anext(read_events(again))
                assert missed.what == "events"
                assert [event["version"] for event in missed.data["events"]] == versions[2:]

    run(play())


@pytest.mark.parametrize("last", ["0", "999999", "x", "-1", "²"])
def test_unknown_event_id_gets_a_new_view(
    run: LoopRunner, app: FastAPI, server: Server, monkeypatch: pytest.MonkeyPatch, last: str
) -> None:
    monkeypatch.setattr(watchers, "LOG_MAX", 1)

    async def play() -> None:
        await table_for(server, STUD)
        back = {"Last-Event-ID": last.encode()}
        async with (
            serving(app) as base,
            watching_client(base, token_of(server, "auditor")) as abe,
            abe.stream("GET", "/api/tables/t/events", headers=back) as stream,  # type: ignore[arg-type]
        ):
            assert (await anext(read_events(stream))).what == "view"

    run(play())


def test_seated_player_watches_as_a_spectator(
    run: LoopRunner, app: FastAPI, server: Server
) -> None:
    async def play() -> None:
        tokens = await table_for(server, STUD, "ann")
        async with serving(app) as base, socket(base, tokens["ann"], "t") as ann:
            await ann.do(do="sit", seat=1)
            await ann.do(do="put-wager", seat=1, wager="ante", amount="10")
            await ann.do(do="close-betting")
            async with (
                watching_client(base, tokens["ann"]) as http,
                http.stream("GET", "/api/tables/t/events") as stream,
            ):
                view = (await anext(read_events(stream))).data
                assert view["seats"][0]["cards"] == [None, None]
                assert "wallet" not in view
                assert "rack" not in view

    run(play())


def test_stream_has_heartbeats_and_ends_with_the_session(
    run: LoopRunner, app: FastAPI, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(route, "SSE_PING_SECONDS", 0.02)

    async def play() -> None:
        tokens = await table_for(server, STUD, "ann")
        async with (
            serving(app) as base,
            watching_client(base, tokens["ann"]) as http,
            http.stream("GET", "/api/tables/t/events") as stream,
        ):
            lines = stream.aiter_lines()
            while await anext(lines) != ": still here":
                pass
            server.people.disable("ann", actor="sue")
            assert [line async for line in lines if line and line != ": still here"] == []
            assert len(server.house.tables["t"].subscribers) == 0

    run(play())


def test_closing_server_ends_its_streams(run: LoopRunner, app: FastAPI, server: Server) -> None:
    async def play() -> None:
        tokens = await table_for(server, STUD, "ann")
        async with (
            serving(app) as base,
            watching_client(base, tokens["ann"]) as http,
            http.stream("GET", "/api/tables/t/events") as stream,
        ):
            events = read_events(stream)
            await anext(events)
            server.stopping.set()
            with pytest.raises(StopAsyncIteration):
                await anext(events)

    run(play())


def test_streams_of_others_tables_are_refused(
    run: LoopRunner, client: httpx.AsyncClient, signed_in: SignedIn, server: Server
) -> None:
    async def play() -> None:
        await table_for(server, STUD)
        await server.house.open_table(
            "p", "practice", unit="play", sheet=load(STUD), owner="guest-1"
        )
        for who, table, status in (
            (client, "t", 401),
            (signed_in("guest"), "t", 404),
            (signed_in("guest"), "p", 404),
            (signed_in("player"), "p", 403),
            (signed_in("auditor"), "p", 403),
            (signed_in("player"), "nowhere", 404),
        ):
            answer = await who.get(f"/api/tables/{table}/events")
            assert answer.status_code == status
            assert answer.json()["error"]
        server.limiter.sockets.per_key_max = 0
        answer = await signed_in("player").get("/api/tables/t/events")
        assert answer.status_code == 429

    run(play())
