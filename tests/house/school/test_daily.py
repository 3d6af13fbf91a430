"""The daily deal over HTTP: the same hands for everybody, one try, and no card before its time."""

from __future__ import annotations

import hashlib
import json
from datetime import datetime, timedelta
from typing import Any

import httpx
import pytest
from tests.house.web.conftest import NAMES, PASSWORD, Running, client_of
from tests.house.web.live import Json

from pitbook import load
from pitbook.coach.hands import HANDS
from pitbook.house.ledger.writer import utc_now
from pitbook.house.people.register import Role
from pitbook.house.school import daily_routes as routes
from pitbook.house.school.daily import Daily, Tries, today
from pitbook.house.web.server import Server
from pitbook.rules.refusals import Refusal


@pytest.fixture(autouse=True)
def now(monkeypatch: pytest.MonkeyPatch) -> datetime:
    """One moment for the whole test; whatever day it is, the sheet is weighed at once."""
    at = utc_now()
    monkeypatch.setattr(routes, "utc_now", lambda: at)
    monkeypatch.setattr(routes, "_in_turn", lambda *_: [load("catfish-bend/matchem-hi-lo")])
    return at


async def begun(client: httpx.AsyncClient) -> Json:
    answer = await client.post("/api/daily")
    assert answer.status_code == 200, answer.text
    found: Json = answer.json()
    return found


async def signed(client: httpx.AsyncClient, role: Role = "player") -> None:
    who = {"name": NAMES[role], "password": PASSWORD}
    assert (await client.post("/api/sign-in", json=who)).status_code == 200


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


@pytest.mark.long
def test_everybody_has_the_same_hands_and_is_told_what_each_play_gave_away(
    run: Running, app: Any
) -> None:
    async def played() -> None:
        async with client_of(app) as one, client_of(app) as other:
            await signed(one)
            await signed(other, "supervisor")
            (bet,) = (await begun(one))["hand"]["bets"]
            assert bet["title"] == "Bet"
            first, second = await through(one), await through(other)
            assert first["played"] == second["played"]
            assert {each["hand"] for each in first["played"]} == set(range(1, HANDS + 1))
            assert first["commitment"] == second["commitment"]
            assert first["seed"] is None
            results = (await other.get("/api/daily")).json()["results"]
            assert [each["guest"] for each in results] == [False, False]
            assert [each["place"] for each in results] == [1, 1]
            assert sum(each["you"] for each in results) == 1

    run(played())


@pytest.mark.parametrize(
    ("sheet", "said"),
    [
        ("pennsylvania/let-it-ride", {"pull": {"back"}, "ride": set()}),
        ("pennsylvania/three-card-poker", {"fold": {"loses"}, "1x": set()}),
        ("catfish-bend/matchem-hi-lo", {"low": set(), "high": set()}),
    ],
)
def test_a_play_says_what_it_takes_back_or_gives_up(
    sheet: str, said: dict[str, set[str]], run: Running, app: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As at a table: pull takes a bet back where ride leaves it, and neither is merely free."""
    monkeypatch.setattr(routes, "_in_turn", lambda *_: [load(sheet)])

    async def look() -> None:
        async with client_of(app) as one:
            await signed(one)
            hand = (await begun(one))["hand"]
            (bet, *_) = hand["bets"]
            told = {play["play"]: play for play in hand["plays"]}
            for play, fields in said.items():
                assert {"back", "loses"} & {*told[play]} == fields
                assert all(told[play][field] == bet["amount"] for field in fields)

    run(look())


def test_to_look_opens_no_day_and_whoever_begins_first_does(
    run: Running, app: Any, server: Server, now: datetime
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
            fair = {"day": today(now), "hand": 1, "decision": 0, "play": "1x"}
            no = await ann.post("/api/daily/plays", json=fair)
            assert no.json()["refused"]["message"] == (
                "nobody has begun today's deal; begin it first"
            )
            assert server.house.ledger.streams() == before
            first = await begun(one)
            assert (first["hand"]["hand"], first["trial"]) == (1, True)
            seen = (await ann.get("/api/daily")).json()
            assert seen["commitment"] == first["commitment"] is not None
            assert (seen["begun"], seen["hand"], seen["trial"]) == (False, None, False)
            assert (await begun(ann))["hand"]["hand"] == 1

    run(looked())


@pytest.mark.long
def test_a_member_begins_by_their_own_hand_and_goes_on_where_they_were(
    run: Running, app: Any
) -> None:
    """However many began before; a member who only looks has seen no card and has begun nothing."""

    async def looked() -> None:
        async with client_of(app) as first, client_of(app) as ann:
            await signed(first, "supervisor")
            await signed(ann)
            await through(first)
            seen = (await ann.get("/api/daily")).json()
            assert (seen["begun"], seen["hand"], seen["played"]) == (False, None, [])
            assert (await play(ann, await begun(ann))).status_code == 200
            seen = (await ann.get("/api/daily")).json()
            assert (seen["begun"], len(seen["played"])) == (True, 1)
            assert seen["hand"] == (await begun(ann))["hand"]

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


@pytest.mark.long
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


@pytest.mark.long
def test_guests_scout_nothing_and_are_in_nobodys_way(run: Running, app: Any) -> None:
    """A guest's hands are their own; what they played is neither a place nor a member's try."""

    async def played() -> None:
        async with client_of(app) as one, client_of(app) as other, client_of(app) as ann:
            await one.post("/api/practice", json={"sheet": "catfish-bend/matchem-hi-lo"})
            first, second = await through(one), await through(other)
            assert (first["trial"], second["trial"]) == (True, True)
            assert first["commitment"] == second["commitment"]
            (mine,) = first["results"]
            assert (mine["you"], mine["guest"], mine["place"]) == (True, True, None)
            assert (await ann.get("/api/daily")).json()["results"] == []
            await signed(one)  # The practice table goes along; the trial does not.
            await signed(ann, "supervisor")
            house = await begun(one)
            assert (house["trial"], house["played"], house["playing"]) == (False, [], 0)
            assert house["hand"] == (await begun(ann))["hand"]
            hands = [[play["cards"] for play in told["played"]] for told in (first, second)]
            done = await through(one)
            hands.append([play["cards"] for play in done["played"]])
            assert len({str(cards) for cards in hands}) == 3
            (place,) = done["results"]
            assert (place["player"], place["guest"], place["place"]) == ("ann", False, 1)

    run(played())


def test_the_seed_is_sealed_until_its_day_is_over(
    run: Running, client: httpx.AsyncClient, server: Server, now: datetime
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
        tomorrow = (now + timedelta(days=2)).date().isoformat()
        assert (await client.get("/api/daily", params={"on": tomorrow})).status_code == 404

    run(sealed())


@pytest.mark.long
def test_two_at_once_have_one_play_on_record(
    run: Running, client: httpx.AsyncClient, server: Server, now: datetime
) -> None:
    """Both saw the same decision; the second is told that it has been made."""

    async def at_once() -> None:
        shown = await begun(client)
        daily = Daily(server.house.ledger, server.people.vault)
        day = daily.day(today(now))
        assert day.opened is not None
        hands = daily.hands(day.opened)
        at = hands.standing(())
        assert at is not None
        play, weighed = shown["hand"]["plays"][0]["play"], hands.weighed(at)
        zoe = Tries(("zoe",), guest=False)
        made = [daily.play(day, zoe, at, play, weighed=weighed, now=now) for _ in range(2)]
        assert [isinstance(one, Refusal) for one in made] == [False, True]
        assert len(daily.day(shown["day"]).played["zoe"]) == 1

    run(at_once())
