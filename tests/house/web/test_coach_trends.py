"""Practice over time over HTTP: the graph ends at the ledger's net, and leaks have drills."""

from __future__ import annotations

import csv
import io
import json
from fractions import Fraction
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from tests.house.web.coach_rounds import (
    arrange_spot,
    decide,
    fetch_review,
    last,
    play_rounds,
    settings,  # noqa: F401  Hundreds of rounds are no abuse here.
)
from tests.house.web.conftest import LoopRunner, client_of
from tests.house.web.live_server import Json
from tests.house.web.test_routes_tables import STUD, guest_of

pytestmark = pytest.mark.long


async def fetch_trends(client: httpx.AsyncClient, **params: Any) -> Json:
    answer = await client.get("/api/coach/trends", params=params)
    assert answer.status_code == 200, answer.text
    trends: Json = answer.json()
    return trends


def test_trends_end_at_the_review_totals_and_parts_add_up(
    run: LoopRunner, client: httpx.AsyncClient
) -> None:
    async def play() -> None:
        guest = await guest_of(client, STUD)
        await play_rounds(guest, 9)
        fetched_trends, review = await fetch_trends(client), await fetch_review(guest)
        assert [point["rounds"] for point in fetched_trends["points"]] == list(range(1, 10))
        end = fetched_trends["points"][-1]
        for name in ("net", "expected", "luck", "cost"):
            assert end[name] == review["luck"][name]
        for key in ("spots", "weeks"):
            assert sum(row["decisions"] for row in fetched_trends[key]) == review["total"]
            costs = sum(Fraction(row["cost"]["exact"]) for row in fetched_trends[key])
            assert costs == Fraction(review["summary"]["cost"]["exact"])
        assert await fetch_trends(client, sheet="classic/casino-war") == {
            "points": [],
            "spots": [],
            "weeks": [],
            "streaks": {"now": 0, "longest": 0},
            "leaks": [],
        }

    run(play())


def test_streaks_count_best_plays_in_a_row(run: LoopRunner, client: httpx.AsyncClient) -> None:
    async def play() -> None:
        guest = await guest_of(client, STUD)
        await play_rounds(guest, 6)
        best_flags = [
            decision["is_best"] for decision in reversed((await fetch_review(guest))["decisions"])
        ]
        runs = "".join("x" if best else " " for best in best_flags)
        streaks = (await fetch_trends(client))["streaks"]
        assert streaks["longest"] == max(map(len, runs.split(" ")))
        assert streaks["now"] == len(runs) - len(runs.rstrip("x"))

    run(play())


def test_costliest_leaks_come_first_and_can_be_drilled(
    run: LoopRunner, client: httpx.AsyncClient
) -> None:
    async def play() -> None:
        guest = await guest_of(client, STUD)
        await play_rounds(guest, 8, last)
        leaks = (await fetch_trends(client))["leaks"]
        costs = [Fraction(leak["cost"]["exact"]) for leak in leaks]
        assert costs == sorted(costs, reverse=True)
        assert 0 < len(leaks) <= 5
        wrong = [
            decision
            for decision in (await fetch_review(guest))["decisions"]
            if not decision["is_best"]
        ]
        leak = leaks[0]["leak"]
        street, played, best = leak.split("/")
        answer = await arrange_spot(guest, leak=leak)
        assert answer.status_code == 200, answer.text
        wanted = answer.json()["spot"]
        assert wanted["street"] == street
        assert (wanted["round"], played, best) in {
            (decision["round"], decision["play"], decision["best"])
            for decision in wrong
            if decision["street"] == street
        }
        assert (await arrange_spot(guest, leak="no/such/leak")).status_code == 404
        assert (await arrange_spot(guest, leak=leak, hard=True)).status_code == 422

    run(play())


def test_hard_spots_have_close_plays(run: LoopRunner, client: httpx.AsyncClient) -> None:
    async def play() -> None:
        guest = await guest_of(client, STUD)
        answer = await arrange_spot(guest, hard=True, request="hard-1")
        assert answer.status_code == 200, answer.text
        again = await arrange_spot(guest, hard=True, request="hard-1")
        assert again.json()["shoe"] == answer.json()["shoe"]
        view = await guest.look()
        assert view["shoe"]["kind"] == "arranged"
        wanted = answer.json()["spot"]
        for wager, amount in wanted["wagers"]:
            await guest.accept({"do": "put-wager", "seat": 1, "wager": wager, "amount": amount})
        await guest.accept({"do": "close-betting"})
        for earlier_play in wanted["before"]:
            await guest.accept({"do": "decide", "seat": 1, "play": earlier_play})
        assert (await guest.look())["seats"][0]["cards"] == wanted["cards"]
        await decide(guest)
        decisions = (await fetch_review(guest, arranged=True))["decisions"]
        assert decisions
        costs = sorted(
            Fraction(play_row["cost"]["units"])
            for play_row in decisions[-1]["plays"]
            if play_row["cost"] is not None
        )
        assert next(cost for cost in costs if cost) < Fraction(1, 2)

    run(play())


def test_export_has_only_own_hands(run: LoopRunner, app: FastAPI) -> None:
    async def play() -> None:
        async with client_of(app) as own_http, client_of(app) as other, client_of(app) as stranger:
            mine, theirs = await guest_of(own_http, STUD), await guest_of(other, STUD)
            await play_rounds(mine, 3)
            await play_rounds(theirs, 2)
            export = (await own_http.get("/api/rounds/export")).text
            lines = [json.loads(line) for line in export.splitlines()]
            assert {line["table"] for line in lines} == {mine.table}
            assert len(lines) == 3
            assert theirs.table not in export
            cells = (await own_http.get("/api/rounds/export", params={"format": "csv"})).text
            table = list(csv.DictReader(io.StringIO(cells)))
            nets = [line["settlement"]["seats"][0]["net"] for line in lines]
            assert [row["net"].lstrip("'") for row in table] == nets
            decisions = (await own_http.get("/api/coach", params={"format": "jsonl"})).text
            decision_rows = [json.loads(line) for line in decisions.splitlines()]
            assert len(decision_rows) == (await fetch_review(mine))["total"]
            assert (await stranger.get("/api/rounds/export")).status_code == 401
            params = {"player": "guest-0", "table": theirs.table}
            again = (await own_http.get("/api/rounds/export", params=params)).text
            assert theirs.table not in again

    run(play())
