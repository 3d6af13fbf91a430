"""Practice over time over HTTP: the graph ends where the book does, and leaks have their drills."""

from __future__ import annotations

import csv
import io
import json
from fractions import Fraction
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from tests.house.web.coached import (
    coach,
    decide,
    last,
    rounds,
    settings,  # noqa: F401  Hundreds of rounds are no abuse here.
    spot,
)
from tests.house.web.conftest import Running, client_of
from tests.house.web.live import Json
from tests.house.web.test_routes_tables import STUD, guest_of

pytestmark = pytest.mark.long


async def trends(client: httpx.AsyncClient, **asked: Any) -> Json:
    answer = await client.get("/api/coach/trends", params=asked)
    assert answer.status_code == 200, answer.text
    found: Json = answer.json()
    return found


def test_the_graph_ends_where_the_reckoning_does_and_its_parts_add_up(
    run: Running, client: httpx.AsyncClient
) -> None:
    async def play() -> None:
        guest = await guest_of(client, STUD)
        await rounds(guest, 9)
        found, whole = await trends(client), await coach(guest)
        assert [one["rounds"] for one in found["points"]] == list(range(1, 10))
        end = found["points"][-1]
        for name in ("net", "expected", "luck", "cost"):
            assert end[name] == whole["luck"][name]
        for key in ("spots", "weeks"):
            assert sum(one["decisions"] for one in found[key]) == whole["total"]
            costs = sum(Fraction(one["cost"]["exact"]) for one in found[key])
            assert costs == Fraction(whole["summary"]["cost"]["exact"])
        assert await trends(client, sheet="classic/casino-war") == {
            "points": [],
            "spots": [],
            "weeks": [],
            "streaks": {"now": 0, "longest": 0},
            "leaks": [],
        }

    run(play())


def test_streaks_count_best_plays_in_a_row(run: Running, client: httpx.AsyncClient) -> None:
    async def play() -> None:
        guest = await guest_of(client, STUD)
        await rounds(guest, 6)
        made = [one["is_best"] for one in reversed((await coach(guest))["decisions"])]
        runs = "".join("x" if best else " " for best in made)
        streaks = (await trends(client))["streaks"]
        assert streaks["longest"] == max(map(len, runs.split(" ")))
        assert streaks["now"] == len(runs) - len(runs.rstrip("x"))

    run(play())


def test_the_dearest_leaks_come_first_and_each_is_drilled(
    run: Running, client: httpx.AsyncClient
) -> None:
    async def play() -> None:
        guest = await guest_of(client, STUD)
        await rounds(guest, 8, last)
        leaks = (await trends(client))["leaks"]
        costs = [Fraction(one["cost"]["exact"]) for one in leaks]
        assert costs == sorted(costs, reverse=True)
        assert 0 < len(leaks) <= 5
        wrong = [one for one in (await coach(guest))["decisions"] if not one["is_best"]]
        leak = leaks[0]["leak"]
        street, made, best = leak.split("/")
        answer = await spot(guest, leak=leak)
        assert answer.status_code == 200, answer.text
        wanted = answer.json()["spot"]
        assert wanted["street"] == street
        assert (wanted["round"], made, best) in {
            (one["round"], one["play"], one["best"]) for one in wrong if one["street"] == street
        }
        assert (await spot(guest, leak="no/such/leak")).status_code == 404
        assert (await spot(guest, leak=leak, hard=True)).status_code == 422

    run(play())


def test_hard_ones_are_dealt_and_are_close(run: Running, client: httpx.AsyncClient) -> None:
    async def play() -> None:
        guest = await guest_of(client, STUD)
        answer = await spot(guest, hard=True, request="hard-1")
        assert answer.status_code == 200, answer.text
        again = await spot(guest, hard=True, request="hard-1")
        assert again.json()["shoe"] == answer.json()["shoe"]
        view = await guest.look()
        assert view["shoe"]["kind"] == "arranged"
        wanted = answer.json()["spot"]
        for wager, amount in wanted["wagers"]:
            await guest.fine({"do": "put-wager", "seat": 1, "wager": wager, "amount": amount})
        await guest.fine({"do": "close-betting"})
        for made in wanted["before"]:
            await guest.fine({"do": "decide", "seat": 1, "play": made})
        assert (await guest.look())["seats"][0]["cards"] == wanted["cards"]
        await decide(guest)
        found = (await coach(guest, arranged=True))["decisions"]
        assert found
        costs = sorted(
            Fraction(one["cost"]["units"]) for one in found[-1]["plays"] if one["cost"] is not None
        )
        assert next(cost for cost in costs if cost) < Fraction(1, 2)

    run(play())


def test_an_export_has_ones_own_hands_and_nobody_elses(run: Running, app: FastAPI) -> None:
    async def play() -> None:
        async with client_of(app) as one, client_of(app) as other, client_of(app) as stranger:
            mine, theirs = await guest_of(one, STUD), await guest_of(other, STUD)
            await rounds(mine, 3)
            await rounds(theirs, 2)
            told = (await one.get("/api/rounds/export")).text
            lines = [json.loads(line) for line in told.splitlines()]
            assert {line["table"] for line in lines} == {mine.table}
            assert len(lines) == 3
            assert theirs.table not in told
            cells = (await one.get("/api/rounds/export", params={"format": "csv"})).text
            table = list(csv.DictReader(io.StringIO(cells)))
            nets = [line["settlement"]["seats"][0]["net"] for line in lines]
            assert [row["net"].lstrip("'") for row in table] == nets
            decisions = (await one.get("/api/coach", params={"format": "jsonl"})).text
            made = [json.loads(line) for line in decisions.splitlines()]
            assert len(made) == (await coach(mine))["total"]
            assert (await stranger.get("/api/rounds/export")).status_code == 401
            params = {"player": "guest-0", "table": theirs.table}
            again = (await one.get("/api/rounds/export", params=params)).text
            assert theirs.table not in again

    run(play())
