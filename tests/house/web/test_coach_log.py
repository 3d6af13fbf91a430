"""The coach over HTTP after decisions: cost and luck."""

from __future__ import annotations

import csv
import io
from fractions import Fraction
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from tests.house.table.visible_cards import cards_in
from tests.house.web.coach_rounds import (
    PARTS,
    arrange_spot,
    deal,
    decide,
    fetch_review,
    first,
    play_rounds,
    settings,  # noqa: F401  Hundreds of rounds are no abuse here.
    weigh,
)
from tests.house.web.conftest import LoopRunner, SignedIn
from tests.house.web.live_server import SHEETS
from tests.house.web.seated_players import table_for
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
def test_luck_skill_and_expectation_add_up_to_the_ledger_net(
    run: LoopRunner, client: httpx.AsyncClient, sheet: str
) -> None:
    async def play() -> None:
        guest = await guest_of(client, sheet)
        await play_rounds(guest, 8)
        coach_review = await fetch_review(guest)
        luck = {
            key: Fraction(coach_review["luck"][key]["exact"])
            for key in coach_review["luck"]
            if key in PARTS
        }
        lost = luck["cost"] + luck["absent"] + luck["short"]
        assert luck["expected"] - lost + luck["luck"] == luck["net"]
        recalled = (await client.get("/api/rounds", params={"count": 100})).json()["rounds"]
        nets = [round_["settlement"]["seats"][0]["net"] for round_ in recalled]
        assert coach_review["luck"]["rounds"] == len(nets) == 8
        assert luck["net"] == sum(map(Fraction, nets))
        costs = [Fraction(decision["cost"]["exact"]) for decision in coach_review["decisions"]]
        assert sum(costs) == luck["cost"] == Fraction(coach_review["summary"]["cost"]["exact"])
        assert coach_review["summary"]["mistakes"] == sum(cost > 0 for cost in costs)
        assert coach_review["summary"]["decisions"] == coach_review["total"] == len(costs)
        best = coach_review["summary"]["best"]
        assert coach_review["summary"]["accuracy"] == f"{best}/{len(costs)}"
        plays = [play for round_ in reversed(recalled) for play in round_["seats"][0]["plays"]]
        assert [decision["play"] for decision in reversed(coach_review["decisions"])] == plays

    run(play())


@pytest.mark.long
def test_log_has_known_cards_and_earlier_advice(run: LoopRunner, client: httpx.AsyncClient) -> None:
    async def play() -> None:
        guest = await guest_of(client)
        await deal(guest)
        view = await guest.look()
        await weigh(guest, "3x")
        await weigh(guest, "2x")
        await guest.accept({"do": "decide", "seat": 1, "play": "1x"})
        await client.post(f"/api/tables/{guest.table}/advice", json={"seat": 1})
        await guest.accept({"do": "decide", "seat": 1, "play": "2x"})
        turn = await guest.look()
        await guest.accept({"do": "decide", "seat": 1, "play": "3x"})
        river, second, first = (await fetch_review(guest))["decisions"]
        assert first["cards"] == view["seats"][0]["cards"]
        assert (first["board"], first["before"]) == ([], [])
        assert first["wagers"] == [["ante", "5.00"], ["three-card-bonus", "1.00"]]
        assert (first["tried"], first["first"], first["advised"]) == (["3x", "2x"], "3x", True)
        three = next(play_row for play_row in first["plays"] if play_row["play"] == "3x")
        assert Fraction(first["first_cost"]["exact"]) == Fraction(three["cost"]["exact"])
        assert (second["tried"], second["first"], second["advised"]) == ([], "2x", True)
        assert (second["before"], second["street"]) == (["1x"], "turn")
        assert river["board"] == [card for card in turn["board"]["cards"] if card]
        assert (river["advised"], river["wagers"][2]) == (False, ["turn", "10.00"])
        assert river["street_title"] == "River bet"
        assert first["at"] < second["at"] < river["at"]

    run(play())


@pytest.mark.long
def test_coach_log_filters_and_exports(run: LoopRunner, client: httpx.AsyncClient) -> None:
    async def play() -> None:
        guest = await guest_of(client)
        await play_rounds(guest, 10)
        every = (await fetch_review(guest, count=1000))["decisions"]
        for filters, wanted in (
            ({"mistakes": True}, [decision for decision in every if decision["mistake"]]),
            ({"street": "turn"}, [decision for decision in every if decision["street"] == "turn"]),
            ({"sheet": SHEETS[1]}, []),
            ({"sheet": STUD}, every),
            (
                {"min_cost": "2.50"},
                [
                    decision
                    for decision in every
                    if Fraction(decision["cost"]["exact"]) >= Fraction(5, 2)
                ],
            ),
            ({"advised": True}, []),
            ({"arranged": False}, every),
        ):
            coach_review = await fetch_review(guest, **filters)
            assert coach_review["decisions"] == wanted, filters
            assert coach_review["summary"]["decisions"] == coach_review["total"] == len(wanted)
            assert coach_review["all"]["decisions"] == len(every), "the headline is of everything"
        assert (await fetch_review(guest, count=3))["decisions"] == every[:3]
        assert (await fetch_review(guest, sheet=SHEETS[1]))["luck"]["rounds"] == 0
        assert (await fetch_review(guest, street="turn"))["luck"]["rounds"] == 10
        answer = await client.get(
            f"/api/tables/{guest.table}/coach", params={"format": "csv", "mistakes": True}
        )
        assert answer.headers["content-type"] == "text/csv; charset=utf-8"
        assert "attachment" in answer.headers["content-disposition"]
        rows = list(csv.DictReader(io.StringIO(answer.text)))
        mistakes = [decision for decision in every if decision["mistake"]]
        assert [(row["round"], row["street"], row["cost exact"]) for row in rows] == [
            (decision["round"], decision["street"], decision["cost"]["exact"])
            for decision in reversed(mistakes)
        ]
        for bad in ({"min_cost": "-1"}, {"min_cost": "x"}, {"count": 0}, {"format": "xml"}):
            answer = await client.get(f"/api/tables/{guest.table}/coach", params=bad)
            assert answer.status_code in (400, 422)
            assert answer.json()["error"]

    run(play())


@pytest.mark.long
def test_review_over_all_own_tables(
    run: LoopRunner, app: FastAPI, client: httpx.AsyncClient, signed_in: SignedIn
) -> None:
    async def play() -> None:
        ann = signed_in("player")
        tables = [await guest_of(ann, sheet) for sheet in (STUD, SHEETS[2])]
        for table in tables:
            await play_rounds(table, 3)
        stranger = await guest_of(client)
        await play_rounds(stranger, 1)
        both = (await ann.get("/api/coach")).json()
        each = [await fetch_review(table) for table in tables]
        assert (both["player"], both["table"]) == ("ann", None)
        assert both["total"] == sum(table_review["total"] for table_review in each)
        assert both["luck"]["rounds"] == 6
        assert Fraction(both["luck"]["luck"]["exact"]) == sum(
            Fraction(table_review["luck"]["luck"]["exact"]) for table_review in each
        )
        assert [decision["at"] for decision in both["decisions"]] == sorted(
            (decision["at"] for decision in both["decisions"]), reverse=True
        )
        assert {item["table"] for item in both["decisions"]} == {item.table for item in tables}
        for other in (ann, signed_in("supervisor"), signed_in("auditor")):
            answer = await other.get(f"/api/tables/{stranger.table}/coach")
            assert answer.status_code == 403
            assert "yours" in answer.json()["error"] or "practice" in answer.json()["error"]
        empty = (await signed_in("dealer").get("/api/coach")).json()
        assert empty["summary"]["accuracy"] is None
        assert empty["decisions"] == []

    run(play())


def test_coach_reviews_no_house_table(run: LoopRunner, server: Server, signed_in: SignedIn) -> None:
    async def play() -> None:
        await table_for(server, STUD, "ann", "bob")
        answer = await signed_in("player").get("/api/tables/t/coach")
        assert answer.status_code == 403
        refused = await arrange_spot(Player(signed_in("player"), "t"), missed=True)
        assert refused.json()["refused"]["message"] == (
            "Practice hands are only available at practice tables."
        )

    run(play())


def test_round_in_play_is_reviewed_while_the_coach_is_on(
    run: LoopRunner, client: httpx.AsyncClient
) -> None:
    async def play() -> None:
        guest = await guest_of(client)
        await deal(guest)
        assert (await fetch_review(guest))["total"] == 0
        await guest.accept({"do": "decide", "seat": 1, "play": "3x"})
        coach_review = await fetch_review(guest)
        assert [decision["play"] for decision in coach_review["decisions"]] == ["3x"]
        assert coach_review["luck"]["rounds"] == 0
        cards_seen = cards_in(await guest.look())
        assert (
            cards_in(
                [decision["cards"] + decision["board"] for decision in coach_review["decisions"]]
            )
            <= cards_seen
        )
        await guest.accept({"do": "coach", "on": False})
        assert (await fetch_review(guest))["total"] == 0
        await decide(guest)
        assert (await fetch_review(guest))["total"] == 3

    run(play())


@pytest.mark.slow
def test_reviewed_rounds_are_computed_once(
    run: LoopRunner, client: httpx.AsyncClient, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play() -> None:
        guest = await guest_of(client)
        await play_rounds(guest, 40, first)
        table = server.table(guest.table)
        reviews, worked = Reviews(JobQueue()), 0

        def count_review(*given: Any, **more: Any) -> Review:
            nonlocal worked
            worked += 1
            return review(*given, **more)

        monkeypatch.setattr(coaching, "review", count_review)
        coach_review = await reviews.rounds(server.house.ledger, table)
        assert (len(coach_review), worked) == (40, 40)
        await play_rounds(guest, 2, first)
        again = await reviews.rounds(server.house.ledger, table)
        assert (len(again), worked) == (42, 42)
        assert again[:40] == coach_review
        fresh = await Reviews(JobQueue()).rounds(server.house.ledger, table)
        assert (fresh, worked) == (again, 84)

    run(play())


@pytest.mark.long
def test_review_covers_a_change_of_rules(
    run: LoopRunner, client: httpx.AsyncClient, server: Server, signed_in: SignedIn
) -> None:
    async def play() -> None:
        guest = await guest_of(client)
        await play_rounds(guest, 2)
        assert (await fetch_review(guest))["luck"]["rounds"] == 2
        sue = Player(signed_in("supervisor"), guest.table)
        await sue.accept({"do": "change-sheet", "sheet": SHEETS[3]})
        for count in (3, 4):
            await guest.bet(1)
            await guest.accept({"do": "close-betting"})
            await decide(guest)
            coach_review = await fetch_review(guest)
            assert coach_review["luck"]["rounds"] == count
        assert (await fetch_review(guest, sheet=STUD))["luck"]["rounds"] == 2
        assert (await fetch_review(guest, sheet=SHEETS[3]))["luck"]["rounds"] == 2
        streets = {
            decision["street"]
            for decision in (await fetch_review(guest, sheet=SHEETS[3]))["decisions"]
        }
        assert streets == {"1st-raise", "2nd-raise", "3rd-raise"}
        old = await arrange_spot(guest, round=f"{guest.table}-000001", stage=0)
        assert old.status_code == 404  # It was played under other rules.

    run(play())
