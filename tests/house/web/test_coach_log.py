"""The coach over HTTP after decisions: what they cost, and what was luck."""

from __future__ import annotations

import csv
import io
from fractions import Fraction
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from tests.house.table.watching import cards_in
from tests.house.web.coached import (
    PARTS,
    coach,
    deal,
    decide,
    first,
    rounds,
    settings,  # noqa: F401  Hundreds of rounds are no abuse here.
    spot,
    weigh,
)
from tests.house.web.conftest import Running, SignedIn
from tests.house.web.live import SHEETS
from tests.house.web.sat_down import table_for
from tests.house.web.test_routes_tables import STUD, Player, guest_of

from pitbook.coach.review import Review, review
from pitbook.house.web import coach_reviews as coaching
from pitbook.house.web.coach_reviews import Reviews
from pitbook.house.web.jobs import JobQueue
from pitbook.house.web.server import Server


@pytest.mark.slow_cases(
    "louisiana-stud/standard", "louisiana-stud/stax-required", "oceanfront/mississippi-stud"
)
@pytest.mark.long
@pytest.mark.parametrize("sheet", SHEETS)
def test_luck_skill_and_expectation_are_the_net_of_the_ledger(
    run: Running, client: httpx.AsyncClient, sheet: str
) -> None:
    async def play() -> None:
        guest = await guest_of(client, sheet)
        await rounds(guest, 8)
        found = await coach(guest)
        luck = {key: Fraction(found["luck"][key]["exact"]) for key in found["luck"] if key in PARTS}
        lost = luck["cost"] + luck["absent"] + luck["short"]
        assert luck["expected"] - lost + luck["luck"] == luck["net"]
        recalled = (await client.get("/api/rounds", params={"count": 100})).json()["rounds"]
        nets = [one["settlement"]["seats"][0]["net"] for one in recalled]
        assert found["luck"]["rounds"] == len(nets) == 8
        assert luck["net"] == sum(map(Fraction, nets))
        costs = [Fraction(one["cost"]["exact"]) for one in found["decisions"]]
        assert sum(costs) == luck["cost"] == Fraction(found["summary"]["cost"]["exact"])
        assert found["summary"]["mistakes"] == sum(cost > 0 for cost in costs)
        assert found["summary"]["decisions"] == found["total"] == len(costs)
        best = found["summary"]["best"]
        assert found["summary"]["accuracy"] == f"{best}/{len(costs)}"
        made = [play for one in reversed(recalled) for play in one["seats"][0]["plays"]]
        assert [one["play"] for one in reversed(found["decisions"])] == made

    run(play())


@pytest.mark.long
def test_the_log_says_what_was_known_and_what_had_been_told(
    run: Running, client: httpx.AsyncClient
) -> None:
    async def play() -> None:
        guest = await guest_of(client)
        await deal(guest)
        view = await guest.look()
        await weigh(guest, "3x")
        await weigh(guest, "2x")
        await guest.fine({"do": "decide", "seat": 1, "play": "1x"})
        await client.post(f"/api/tables/{guest.table}/advice", json={"seat": 1})
        await guest.fine({"do": "decide", "seat": 1, "play": "2x"})
        turn = await guest.look()
        await guest.fine({"do": "decide", "seat": 1, "play": "3x"})
        river, second, first = (await coach(guest))["decisions"]
        assert first["cards"] == view["seats"][0]["cards"]
        assert (first["board"], first["before"]) == ([], [])
        assert first["wagers"] == [["ante", "5.00"], ["three-card-bonus", "1.00"]]
        assert (first["tried"], first["first"], first["advised"]) == (["3x", "2x"], "3x", True)
        three = next(one for one in first["plays"] if one["play"] == "3x")
        assert Fraction(first["first_cost"]["exact"]) == Fraction(three["cost"]["exact"])
        assert (second["tried"], second["first"], second["advised"]) == ([], "2x", True)
        assert (second["before"], second["street"]) == (["1x"], "turn")
        assert river["board"] == [one for one in turn["board"]["cards"] if one]
        assert (river["advised"], river["wagers"][2]) == (False, ["turn", "10.00"])
        assert river["street_title"] == "River bet"
        assert first["at"] < second["at"] < river["at"]

    run(play())


@pytest.mark.long
def test_filters_and_files(run: Running, client: httpx.AsyncClient) -> None:
    async def play() -> None:
        guest = await guest_of(client)
        await rounds(guest, 10)
        every = (await coach(guest, count=1000))["decisions"]
        for asked, wanted in (
            ({"mistakes": True}, [one for one in every if one["mistake"]]),
            ({"street": "turn"}, [one for one in every if one["street"] == "turn"]),
            ({"sheet": SHEETS[1]}, []),
            ({"sheet": STUD}, every),
            (
                {"min_cost": "2.50"},
                [one for one in every if Fraction(one["cost"]["exact"]) >= Fraction(5, 2)],
            ),
            ({"advised": True}, []),
            ({"arranged": False}, every),
        ):
            found = await coach(guest, **asked)
            assert found["decisions"] == wanted, asked
            assert found["summary"]["decisions"] == found["total"] == len(wanted)
            assert found["all"]["decisions"] == len(every), "the headline is of everything"
        assert (await coach(guest, count=3))["decisions"] == every[:3]
        assert (await coach(guest, sheet=SHEETS[1]))["luck"]["rounds"] == 0
        assert (await coach(guest, street="turn"))["luck"]["rounds"] == 10
        answer = await client.get(
            f"/api/tables/{guest.table}/coach", params={"format": "csv", "mistakes": True}
        )
        assert answer.headers["content-type"] == "text/csv; charset=utf-8"
        assert "attachment" in answer.headers["content-disposition"]
        rows = list(csv.DictReader(io.StringIO(answer.text)))
        mistakes = [one for one in every if one["mistake"]]
        assert [(row["round"], row["street"], row["cost exact"]) for row in rows] == [
            (one["round"], one["street"], one["cost"]["exact"]) for one in reversed(mistakes)
        ]
        for bad in ({"min_cost": "-1"}, {"min_cost": "x"}, {"count": 0}, {"format": "xml"}):
            answer = await client.get(f"/api/tables/{guest.table}/coach", params=bad)
            assert answer.status_code in (400, 422)
            assert answer.json()["error"]

    run(play())


@pytest.mark.long
def test_all_ones_tables_together(
    run: Running, app: FastAPI, client: httpx.AsyncClient, signed_in: SignedIn
) -> None:
    async def play() -> None:
        ann = signed_in("player")
        tables = [await guest_of(ann, sheet) for sheet in (STUD, SHEETS[2])]
        for one in tables:
            await rounds(one, 3)
        stranger = await guest_of(client)
        await rounds(stranger, 1)
        both = (await ann.get("/api/coach")).json()
        each = [await coach(one) for one in tables]
        assert (both["player"], both["table"]) == ("ann", None)
        assert both["total"] == sum(one["total"] for one in each)
        assert both["luck"]["rounds"] == 6
        assert Fraction(both["luck"]["luck"]["exact"]) == sum(
            Fraction(one["luck"]["luck"]["exact"]) for one in each
        )
        assert [one["at"] for one in both["decisions"]] == sorted(
            (one["at"] for one in both["decisions"]), reverse=True
        )
        assert {one["table"] for one in both["decisions"]} == {one.table for one in tables}
        for other in (ann, signed_in("supervisor"), signed_in("auditor")):
            answer = await other.get(f"/api/tables/{stranger.table}/coach")
            assert answer.status_code == 403
            assert "yours" in answer.json()["error"] or "practice" in answer.json()["error"]
        empty = (await signed_in("dealer").get("/api/coach")).json()
        assert empty["summary"]["accuracy"] is None
        assert empty["decisions"] == []

    run(play())


def test_the_coach_looks_at_no_house_table(
    run: Running, server: Server, signed_in: SignedIn
) -> None:
    async def play() -> None:
        await table_for(server, STUD, "ann", "bob")
        answer = await signed_in("player").get("/api/tables/t/coach")
        assert answer.status_code == 403
        refused = await spot(Player(signed_in("player"), "t"), missed=True)
        assert refused.json()["refused"]["message"] == (
            "spots are arranged at practice tables; this is a house table"
        )

    run(play())


def test_a_round_in_play_is_reckoned_while_the_coach_is_on(
    run: Running, client: httpx.AsyncClient
) -> None:
    async def play() -> None:
        guest = await guest_of(client)
        await deal(guest)
        assert (await coach(guest))["total"] == 0
        await guest.fine({"do": "decide", "seat": 1, "play": "3x"})
        found = await coach(guest)
        assert [one["play"] for one in found["decisions"]] == ["3x"]
        assert found["luck"]["rounds"] == 0
        seen = cards_in(await guest.look())
        assert cards_in([one["cards"] + one["board"] for one in found["decisions"]]) <= seen
        await guest.fine({"do": "coach", "on": False})
        assert (await coach(guest))["total"] == 0
        await decide(guest)
        assert (await coach(guest))["total"] == 3

    run(play())


@pytest.mark.slow
def test_several_hundred_rounds_are_worked_out_once(
    run: Running, client: httpx.AsyncClient, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play() -> None:
        guest = await guest_of(client)
        await rounds(guest, 40, first)
        table = server.table(guest.table)
        reviews, worked = Reviews(JobQueue()), 0

        def counted(*given: Any, **more: Any) -> Review:
            nonlocal worked
            worked += 1
            return review(*given, **more)

        monkeypatch.setattr(coaching, "review", counted)
        found = await reviews.of(server.house.ledger, table)
        assert (len(found), worked) == (40, 40)
        await rounds(guest, 2, first)
        again = await reviews.of(server.house.ledger, table)
        assert (len(again), worked) == (42, 42)
        assert again[:40] == found
        fresh = await Reviews(JobQueue()).of(server.house.ledger, table)
        assert (fresh, worked) == (again, 84)

    run(play())


@pytest.mark.long
def test_other_rules_are_no_trouble(
    run: Running, client: httpx.AsyncClient, server: Server, signed_in: SignedIn
) -> None:
    async def play() -> None:
        guest = await guest_of(client)
        await rounds(guest, 2)
        assert (await coach(guest))["luck"]["rounds"] == 2
        sue = Player(signed_in("supervisor"), guest.table)
        await sue.fine({"do": "change-sheet", "sheet": SHEETS[3]})
        for count in (3, 4):
            await guest.bet(1)
            await guest.fine({"do": "close-betting"})
            await decide(guest)
            found = await coach(guest)
            assert found["luck"]["rounds"] == count
        assert (await coach(guest, sheet=STUD))["luck"]["rounds"] == 2
        assert (await coach(guest, sheet=SHEETS[3]))["luck"]["rounds"] == 2
        streets = {one["street"] for one in (await coach(guest, sheet=SHEETS[3]))["decisions"]}
        assert streets == {"1st-raise", "2nd-raise", "3rd-raise"}
        old = await spot(guest, round=f"{guest.table}-000001", stage=0)
        assert old.status_code == 404  # It was played by other rules.

    run(play())
