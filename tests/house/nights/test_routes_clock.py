"""The clock of a tournament on the wall: for anybody, as it changes."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator

import httpx
import pytest
from fastapi import FastAPI
from tests.house.nights.night_over_http import EVENT, T1, Evening, Json, one_evening  # noqa: F401  A fixture.
from tests.house.web.live import serving

from pitbook.house.nights import routes_tournament as night_clock
from pitbook.house.nights.store import Night
from pitbook.house.web.server import Server


@pytest.mark.long
def test_anybody_reads_the_clock(evening: Evening, client: httpx.AsyncClient) -> None:
    evening.opened().started("ann", "bob", "cyd", "dan")
    evening.do("start-clock")
    evening.do("eliminate", players=["dan"])
    told = evening.run(client.get(f"/api/nights/{EVENT}{T1}/clock")).json()
    assert (told["level"], told["levels"], told["running"]) == (1, 2, True)
    assert 1195 < told["left"] <= 1200
    assert told["next_break"] == told["left"]
    assert told["limits"] == [{"wager": "ante", "min": "25.00", "max": "100.00"}]
    assert told["next_limits"] == [{"wager": "ante", "min": "50.00", "max": "200.00"}]
    assert (told["players_left"], told["entrants"]) == (3, 4)
    assert told["average_stack"] == "1000.00"
    assert told["prizes"] == ["126.00", "54.00"]
    assert told["posted"] is False


async def boards(response: httpx.Response) -> AsyncIterator[Json]:
    async for line in response.aiter_lines():
        if line.startswith("data: "):
            yield json.loads(line.removeprefix("data: "))


@pytest.mark.long
def test_the_board_hears_of_changes_and_begins_anew_after_a_lost_line(
    evening: Evening, app: FastAPI, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(night_clock, "LOOK_SECONDS", 0.01)
    evening.opened().started("ann", "bob")
    night = Night(server.house.ledger, EVENT)

    async def look(base: str) -> None:
        path = f"/api/nights/{EVENT}{T1}/clock/events"
        commands = f"/api/nights/{EVENT}{T1}/commands"
        olga = evening.client("organiser")
        async with httpx.AsyncClient(base_url=base, timeout=20) as wall:
            async with wall.stream("GET", path) as stream:
                assert stream.headers["content-type"].startswith("text/event-stream")
                seen = boards(stream)
                assert (await anext(seen))["running"] is False
                for number, (do, running) in enumerate(
                    [("start-clock", True), ("pause-clock", False), ("resume-clock", True)]
                ):
                    body = {"request": f"c{number}", "command": {"do": do}}
                    assert (await olga.post(commands, json=body)).is_success
                    assert (await anext(seen))["running"] is running
            async with wall.stream("GET", path, headers={"Last-Event-ID": "3"}) as stream:
                again = await anext(boards(stream))
                assert (again["running"], again["version"]) == (
                    True,
                    night.refreshed().tournaments["gala.t1"].version,
                )

    async def served() -> None:
        async with serving(app) as base:
            await look(base)

    evening.run(served())


@pytest.mark.long
def test_the_board_says_something_every_15_seconds(
    evening: Evening, app: FastAPI, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert night_clock.TELL_SECONDS == 15
    monkeypatch.setattr(night_clock, "LOOK_SECONDS", 0.01)
    monkeypatch.setattr(night_clock, "TELL_SECONDS", 0.05)
    evening.opened().set_up()

    async def served() -> None:
        async with (
            serving(app) as base,
            httpx.AsyncClient(base_url=base, timeout=20) as wall,
            wall.stream("GET", f"/api/nights/{EVENT}{T1}/clock/events") as stream,
        ):
            seen = boards(stream)
            first, second = await anext(seen), await anext(seen)
            assert first | {"now": ""} == second | {"now": ""}

    evening.run(served())


@pytest.mark.long
def test_the_line_of_a_board_beats_between(
    evening: Evening, app: FastAPI, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A board whose line is silent says so within 5 s, so it hears something before."""
    assert night_clock.BEAT_SECONDS + 2 * night_clock.LOOK_SECONDS < 4.5
    monkeypatch.setattr(night_clock, "LOOK_SECONDS", 0.01)
    monkeypatch.setattr(night_clock, "BEAT_SECONDS", 0.02)
    evening.opened().set_up()

    async def served() -> None:
        async with (
            serving(app) as base,
            httpx.AsyncClient(base_url=base, timeout=20) as wall,
            wall.stream("GET", f"/api/nights/{EVENT}{T1}/clock/events") as stream,
        ):
            lines = stream.aiter_lines()
            while await anext(lines) != "event: beat":
                pass
            assert await anext(lines) == "data:"

    evening.run(served())


def test_strangers_are_not_told_which_nights_there_are(
    evening: Evening, client: httpx.AsyncClient
) -> None:
    evening.opened()
    for path in ("clock", "clock/events"):
        answer = evening.run(client.get(f"/api/nights/galla{T1}/{path}"))
        assert (answer.status_code, answer.json()["error"]) == (404, 'there is no night "galla"')
    known = evening.run(evening.client("organiser").get("/api/nights/galla")).json()["error"]
    assert known == 'there is no night "galla"; did you mean "gala"?'


@pytest.mark.long
def test_the_clock_stands_when_the_tournament_is_over(
    evening: Evening, client: httpx.AsyncClient
) -> None:
    evening.opened().started("bob", "cyd")
    evening.do("start-clock")
    evening.do("eliminate", players=["cyd"])
    ended = evening.do("finish")["clock"]
    later = evening.run(client.get(f"/api/nights/{EVENT}{T1}/clock")).json()
    assert (later["running"], later["left"]) == (False, ended["left"])
    assert later["now"] > ended["now"]
