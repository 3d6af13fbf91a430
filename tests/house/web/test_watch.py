"""Spectators: the table as everybody may see it, over server-sent events."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import NamedTuple

import httpx
import pytest
from fastapi import FastAPI
from tests.house.table.watching import cards_in
from tests.house.web.conftest import Running, SignedIn, token_of
from tests.house.web.live import Json, serving, socket
from tests.house.web.sat_down import STUD, played, table_for

from pitbook import load
from pitbook.house.people.sessions import SESSION_COOKIE
from pitbook.house.table import socket as route
from pitbook.house.table import watchers
from pitbook.house.web.server import Server


class Told(NamedTuple):
    """One event of a stream."""

    id: int
    what: str
    data: Json


async def told(response: httpx.Response) -> AsyncIterator[Told]:
    block: dict[str, str] = {}
    async for line in response.aiter_lines():
        name, _, value = line.partition(": ")
        if line:
            block[name] = value
        elif "data" in block:
            yield Told(int(block["id"]), block["event"], json.loads(block["data"]))
            block = {}


def watching(base: str, token: str) -> httpx.AsyncClient:
    return httpx.AsyncClient(base_url=base, cookies={SESSION_COOKIE: token}, timeout=10)


def test_a_spectator_sees_what_lies_open_and_resumes_without_a_gap(
    run: Running, app: FastAPI, server: Server
) -> None:
    async def play() -> None:
        tokens = await table_for(server, STUD, "ann")
        table = server.house.tables["t"]
        async with (
            serving(app) as base,
            watching(base, token_of(server, "brush")) as ben,
            ben.stream("GET", "/api/tables/t/events") as stream,
            socket(base, tokens["ann"], "t") as ann,
        ):
            assert stream.headers["content-type"].startswith("text/event-stream")
            assert stream.headers["cache-control"] == "no-store"
            seen = told(stream)
            first = await anext(seen)
            assert (first.what, first.id) == ("view", first.data["version"])
            assert first.data["offers"] == []
            await played(ann)
            news: list[Told] = []
            while not news or news[-1].id < table.state.version:
                news.append(await anext(seen))
            versions = [one["version"] for item in news for one in item.data["events"]]
            assert versions == list(range(first.id + 1, table.state.version + 1))
            hand = table.state.round and table.state.round.seat(1)
            assert hand
            assert hand.folded
            assert not set(hand.cards) & cards_in([item.data for item in news])
            back = {"Last-Event-ID": str(first.id + 2)}
            async with ben.stream("GET", "/api/tables/t/events", headers=back) as again:
                missed = await anext(told(again))
                assert missed.what == "events"
                assert [one["version"] for one in missed.data["events"]] == versions[2:]

    run(play())


@pytest.mark.parametrize("last", ["0", "999999", "x", "-1", "²"])
def test_what_is_not_kept_is_a_new_view(
    run: Running, app: FastAPI, server: Server, monkeypatch: pytest.MonkeyPatch, last: str
) -> None:
    monkeypatch.setattr(watchers, "LOG_MAX", 1)

    async def play() -> None:
        await table_for(server, STUD)
        back = {"Last-Event-ID": last.encode()}
        async with (
            serving(app) as base,
            watching(base, token_of(server, "auditor")) as abe,
            abe.stream("GET", "/api/tables/t/events", headers=back) as stream,  # type: ignore[arg-type]
        ):
            assert (await anext(told(stream))).what == "view"

    run(play())


def test_a_seated_player_who_looks_on_is_a_spectator(
    run: Running, app: FastAPI, server: Server
) -> None:
    async def play() -> None:
        tokens = await table_for(server, STUD, "ann")
        async with serving(app) as base, socket(base, tokens["ann"], "t") as ann:
            await ann.do(do="sit", seat=1)
            await ann.do(do="put-wager", seat=1, wager="ante", amount="10")
            await ann.do(do="close-betting")
            async with (
                watching(base, tokens["ann"]) as eyes,
                eyes.stream("GET", "/api/tables/t/events") as stream,
            ):
                view = (await anext(told(stream))).data
                assert view["seats"][0]["cards"] == [None, None]
                assert "wallet" not in view
                assert "rack" not in view

    run(play())


def test_the_stream_beats_and_ends_with_the_sign_in(
    run: Running, app: FastAPI, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(route, "SSE_BEAT_SECONDS", 0.02)

    async def play() -> None:
        tokens = await table_for(server, STUD, "ann")
        async with (
            serving(app) as base,
            watching(base, tokens["ann"]) as eyes,
            eyes.stream("GET", "/api/tables/t/events") as stream,
        ):
            lines = stream.aiter_lines()
            while await anext(lines) != ": still here":
                pass
            server.people.disable("ann", actor="sue")
            assert [line async for line in lines if line and line != ": still here"] == []
            assert len(server.house.tables["t"].subscribers) == 0

    run(play())


def test_a_house_that_closes_ends_its_streams(run: Running, app: FastAPI, server: Server) -> None:
    async def play() -> None:
        tokens = await table_for(server, STUD, "ann")
        async with (
            serving(app) as base,
            watching(base, tokens["ann"]) as eyes,
            eyes.stream("GET", "/api/tables/t/events") as stream,
        ):
            seen = told(stream)
            await anext(seen)
            server.stopping.set()
            with pytest.raises(StopAsyncIteration):
                await anext(seen)

    run(play())


def test_who_may_not_come_near_may_not_look(
    run: Running, client: httpx.AsyncClient, signed_in: SignedIn, server: Server
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
        server.limiter.sockets.most = 0
        answer = await signed_in("player").get("/api/tables/t/events")
        assert answer.status_code == 429

    run(play())
