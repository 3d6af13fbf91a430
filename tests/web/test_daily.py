"""The daily deal over HTTP: the same hands for everybody, one try, and no card before its time."""

from __future__ import annotations

import hashlib
import json
from datetime import timedelta
from typing import Any

import httpx
import pytest
from tests.web.conftest import NAMES, PASSWORD, Running, client_of
from tests.web.live import Json

from pitbook import load
from pitbook.game.refusals import Refusal
from pitbook.ledger.writer import utc_now
from pitbook.train.daily.deal import Daily, today
from pitbook.train.daily.hands import HANDS
from pitbook.web.routes import daily as routes
from pitbook.web.running.server import Server


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever day it is, the sheet is one that is weighed at once."""
    monkeypatch.setattr(routes, "_in_turn", lambda *_: [load("catfish-bend/matchem-hi-lo")])


async def begun(client: httpx.AsyncClient) -> Json:
    answer = await client.post("/api/daily")
    assert answer.status_code == 200, answer.text
    found: Json = answer.json()
    return found


async def play(client: httpx.AsyncClient, shown: Json, choose: int = -1) -> httpx.Response:
    hand = shown["hand"]
    body = {"day": shown["day"], "hand": hand["hand"], "decision": hand["decision"]}
    return await client.post(
        "/api/daily/plays", json={**body, "play": hand["plays"][choose]["play"]}
    )


async def through(client: httpx.AsyncClient, choose: int = -1) -> Json:
    shown = await begun(client)
    while shown["hand"] is not None:
        answer = await play(client, shown, choose)
        assert answer.status_code == 200, answer.text
        shown = answer.json()
    return shown


def test_everybody_has_the_same_hands_and_is_told_what_each_play_gave_away(
    run: Running, app: Any
) -> None:
    async def played() -> None:
        async with client_of(app) as one, client_of(app) as other:
            first, second = await through(one), await through(other)
            assert first["played"] == second["played"]
            assert {each["hand"] for each in first["played"]} == set(range(1, HANDS + 1))
            assert first["commitment"] == second["commitment"]
            assert first["seed"] is None
            results = (await other.get("/api/daily")).json()["results"]
            assert [each["guest"] for each in results] == [True, True]
            assert [each["place"] for each in results] == [None, None]
            assert sum(each["you"] for each in results) == 1

    run(played())


def test_to_look_opens_no_day_and_whoever_begins_first_does(
    run: Running, app: Any, server: Server
) -> None:
    async def looked() -> None:
        async with client_of(app) as one, client_of(app) as ann:
            who = {"name": NAMES["player"], "password": PASSWORD}
            assert (await ann.post("/api/sign-in", json=who)).status_code == 200
            before = server.house.ledger.streams()
            for client in (one, ann):
                shown = (await client.get("/api/daily")).json()
                assert shown["sheet"] == "catfish-bend/matchem-hi-lo"
                assert (shown["commitment"], shown["seed"], shown["begun"]) == (None, None, False)
                assert (shown["hand"], shown["results"], shown["playing"]) == (None, [], 0)
            fair = {"day": today(utc_now()), "hand": 1, "decision": 0, "play": "1x"}
            no = await ann.post("/api/daily/plays", json=fair)
            assert no.json()["refused"]["message"] == (
                "nobody has begun today's deal; begin it first"
            )
            assert server.house.ledger.streams() == before
            first = await begun(one)
            assert first["hand"]["hand"] == 1
            seen = (await ann.get("/api/daily")).json()
            assert seen["commitment"] == first["commitment"] is not None
            assert seen["hand"] == first["hand"]

    run(looked())


def test_a_stranger_sees_results_and_no_card(run: Running, client: httpx.AsyncClient) -> None:
    async def looked() -> None:
        shown = (await client.get("/api/daily")).json()
        assert (shown["begun"], shown["hand"], shown["played"]) == (False, None, [])
        no = await client.post(
            "/api/daily/plays", json={"day": shown["day"], "hand": 1, "decision": 0, "play": "x"}
        )
        assert no.status_code == 401

    run(looked())


def test_no_hand_is_played_twice_and_none_before_its_turn(
    run: Running, client: httpx.AsyncClient
) -> None:
    async def forged() -> None:
        shown = await begun(client)
        assert (await play(client, shown)).status_code == 200
        again = await play(client, shown)
        assert again.status_code == 409
        told = "this hand has been decided already; look at the daily deal again"
        assert again.json()["refused"]["message"] == told
        wrong: list[Json] = [
            {"hand": 9, "decision": 0},
            {"hand": 1, "decision": 5},
            {"day": "2020-01-01"},
            {"play": "everything"},
            {"seed": "00"},
            {"player": "ann"},
        ]
        now = (await begun(client))["hand"]
        fair = {"day": shown["day"], "hand": now["hand"], "decision": now["decision"]}
        for one in wrong:
            body = {**fair, "play": now["plays"][0]["play"], **one}
            answer = await client.post("/api/daily/plays", json=body)
            assert answer.status_code in (409, 422), (one, answer.text)
        assert len((await begun(client))["played"]) == 1

    run(forged())


def test_a_guest_who_signs_in_has_had_the_one_try(run: Running, app: Any) -> None:
    async def played() -> None:
        async with client_of(app) as client:
            done = await through(client)
            who = {"name": NAMES["player"], "password": PASSWORD}
            assert (await client.post("/api/sign-in", json=who)).status_code == 200
            shown = await begun(client)
            assert shown["hand"] is None
            assert shown["played"] == done["played"]
            (mine,) = (one for one in shown["results"] if one["you"])
            assert (mine["player"], mine["guest"], mine["place"]) == ("ann", False, 1)

    run(played())


def test_the_seed_is_sealed_until_its_day_is_over(
    run: Running, client: httpx.AsyncClient, server: Server
) -> None:
    async def sealed() -> None:
        shown = await begun(client)
        entries = list(server.house.ledger.entries(f"daily/{shown['day']}"))
        daily = Daily(server.house.ledger, server.people.vault)
        opened = daily.day(shown["day"]).opened
        assert opened is not None
        seed = daily.hands(opened).seed
        assert hashlib.sha256(seed.encode()).hexdigest() == shown["commitment"]
        kept = json.dumps([entry.facts for entry in entries], default=str)
        assert seed not in kept
        tomorrow = (utc_now() + timedelta(days=2)).date().isoformat()
        assert (await client.get("/api/daily", params={"on": tomorrow})).status_code == 404

    run(sealed())


def test_two_at_once_have_one_play_on_record(
    run: Running, client: httpx.AsyncClient, server: Server
) -> None:
    """Both saw the same decision; the second is told that it has been made."""

    async def at_once() -> None:
        shown = await begun(client)
        daily = Daily(server.house.ledger, server.people.vault)
        day = daily.day(today(utc_now()))
        assert day.opened is not None
        hands = daily.hands(day.opened)
        at = hands.standing(())
        assert at is not None
        play, weighed = shown["hand"]["plays"][0]["play"], hands.weighed(at)
        made = [
            daily.play(day, ("zoe",), at, play, weighed=weighed, now=utc_now()) for _ in range(2)
        ]
        assert [isinstance(one, Refusal) for one in made] == [False, True]
        assert len(daily.day(shown["day"]).played["zoe"]) == 1

    run(at_once())
