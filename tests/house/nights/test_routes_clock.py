"""The clock board over HTTP, open to anybody."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator

import httpx
import pytest
from fastapi import FastAPI
from tests.house.nights.night_over_http import EVENT, T1, Evening, Json, one_evening  # noqa: F401  A fixture.
from tests.house.web.live_server import serving

from pitbook.house.nights import routes_tournament as night_clock
from pitbook.house.nights.store import Night
from pitbook.house.web.server import Server


@pytest.mark.long
def test_clock_is_public(evening: Evening, client: httpx.AsyncClient) -> None:
    evening.open_night().start("ann", "bob", "cyd", "dan")
    evening.do("start-clock")
    evening.do("eliminate", players=["dan"])
    clock_board = evening.run(client.get(f"/api/nights/{EVENT}{T1}/clock")).json()
    assert (clock_board["level"], clock_board["levels"], clock_board["running"]) == (1, 2, True)
    assert 1195 < clock_board["left"] <= 1200
    assert clock_board["next_break"] == clock_board["left"]
    assert clock_board["limits"] == [{"wager": "ante", "min": "25.00", "max": "100.00"}]
    assert clock_board["next_limits"] == [{"wager": "ante", "min": "50.00", "max": "200.00"}]
    assert (clock_board["players_left"], clock_board["entrants"]) == (3, 4)
    assert clock_board["average_stack"] == "1000.00"
    assert clock_board["prizes"] == ["126.00", "54.00"]
    assert clock_board["posted"] is False


async def boards(response: httpx.Response) -> AsyncIterator[Json]:
    async for line in response.aiter_lines():
        if line.startswith("data: "):
            yield json.loads(line.removeprefix("data: "))


@pytest.mark.long
def test_board_stream_sends_changes_and_restarts_after_a_lost_connection(
    evening: Evening, app: FastAPI, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(night_clock, "POLL_SECONDS", 0.01)
    evening.open_night().start("ann", "bob")
    night = Night(server.house.ledger, EVENT)

    async def look(base: str) -> None:
        path = f"/api/nights/{EVENT}{T1}/clock/events"
        commands = f"/api/nights/{EVENT}{T1}/commands"
        olga = evening.client("organiser")
        async with httpx.AsyncClient(base_url=base, timeout=20) as wall:
            async with wall.stream("GET", path) as stream:
                assert stream.headers["content-type"].startswith("text/event-stream")
                events = boards(stream)
                assert (await anext(events))["running"] is False
                for number, (do, running) in enumerate(
                    [("start-clock", True), ("pause-clock", False), ("resume-clock", True)]
                ):
                    body = {"request": f"c{number}", "command": {"do": do}}
                    assert (await olga.post(commands, json=body)).is_success
                    assert (await anext(events))["running"] is running
            async with wall.stream("GET", path, headers={"Last-Event-ID": "3"}) as stream:
                reloaded = await anext(boards(stream))
                assert (reloaded["running"], reloaded["version"]) == (
                    True,
                    night.refresh().tournaments["gala.t1"].version,
                )

    async def serve() -> None:
        async with serving(app) as base:
            await look(base)

    evening.run(serve())


@pytest.mark.long
def test_board_is_sent_every_15_seconds(
    evening: Evening, app: FastAPI, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert night_clock.BOARD_SECONDS_MAX == 15
    monkeypatch.setattr(night_clock, "POLL_SECONDS", 0.01)
    monkeypatch.setattr(night_clock, "BOARD_SECONDS_MAX", 0.05)
    evening.open_night().set_up()

    async def serve() -> None:
        async with (
            serving(app) as base,
            httpx.AsyncClient(base_url=base, timeout=20) as wall,
            wall.stream("GET", f"/api/nights/{EVENT}{T1}/clock/events") as stream,
        ):
            events = boards(stream)
            first, second = await anext(events), await anext(events)
            assert first | {"now": ""} == second | {"now": ""}

    evening.run(serve())


@pytest.mark.long
def test_board_stream_sends_heartbeats(
    evening: Evening, app: FastAPI, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A silent board reports a lost connection after 5 s, so it must hear something before."""
    assert night_clock.BEAT_SECONDS + 2 * night_clock.POLL_SECONDS < 4.5
    monkeypatch.setattr(night_clock, "POLL_SECONDS", 0.01)
    monkeypatch.setattr(night_clock, "BEAT_SECONDS", 0.02)
    evening.open_night().set_up()

    async def serve() -> None:
        async with (
            serving(app) as base,
            httpx.AsyncClient(base_url=base, timeout=20) as wall,
            wall.stream("GET", f"/api/nights/{EVENT}{T1}/clock/events") as stream,
        ):
            lines = stream.aiter_lines()
            while await anext(lines) != "event: beat":
                pass
            assert await anext(lines) == "data:"

    evening.run(serve())


def test_strangers_do_not_learn_which_nights_exist(
    evening: Evening, client: httpx.AsyncClient
) -> None:
    evening.open_night()
    for path in ("clock", "clock/events"):
        answer = evening.run(client.get(f"/api/nights/galla{T1}/{path}"))
        assert (answer.status_code, answer.json()["error"]) == (404, 'There is no event "galla".')
    message = evening.run(evening.client("organiser").get("/api/nights/galla")).json()["error"]
    assert message == 'There is no event "galla". Did you mean "gala"?'


@pytest.mark.long
def test_clock_stops_when_the_tournament_ends(evening: Evening, client: httpx.AsyncClient) -> None:
    evening.open_night().start("bob", "cyd")
    evening.do("start-clock")
    evening.do("eliminate", players=["cyd"])
    ended = evening.do("finish")["clock"]
    later = evening.run(client.get(f"/api/nights/{EVENT}{T1}/clock")).json()
    assert (later["running"], later["left"]) == (False, ended["left"])
    assert later["now"] > ended["now"]
