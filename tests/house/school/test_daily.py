"""The daily deal over HTTP: the same hands for everyone, one try, and no early cards."""

from __future__ import annotations

import hashlib
import json
from datetime import datetime, timedelta
from typing import Any

import httpx
import pytest
from tests.house.web.conftest import NAMES, PASSWORD, LoopRunner, client_of
from tests.house.web.live_server import Json

from pitbook import load
from pitbook.coach.practice_hands import HANDS
from pitbook.house.ledger.writer import utc_now
from pitbook.house.people.account_register import Role
from pitbook.house.school import daily_routes as routes
from pitbook.house.school.daily import Daily, PlayerTry, today
from pitbook.house.web.server import Server
from pitbook.rules.refusals import Refusal


@pytest.fixture(autouse=True)
def frozen_now(monkeypatch: pytest.MonkeyPatch) -> datetime:
    """One fixed time for the test, and a sheet that is evaluated quickly."""
    at = utc_now()
    monkeypatch.setattr(routes, "utc_now", lambda: at)
    monkeypatch.setattr(routes, "_sheets_in_turn", lambda *_: [load("catfish-bend/matchem-hi-lo")])
    return at


async def begin(client: httpx.AsyncClient) -> Json:
    answer = await client.post("/api/daily")
    assert answer.status_code == 200, answer.text
    reply: Json = answer.json()
    return reply


async def sign_in(client: httpx.AsyncClient, role: Role = "player") -> None:
    who = {"name": NAMES[role], "password": PASSWORD}
    assert (await client.post("/api/sign-in", json=who)).status_code == 200


async def play(client: httpx.AsyncClient, view: Json, choose: int = -1) -> httpx.Response:
    hand = view["hand"]
    body = {"day": view["day"], "hand": hand["hand"], "decision": hand["decision"]}
    return await client.post(
        "/api/daily/plays", json={**body, "play": hand["plays"][choose]["play"]}
    )


async def play_all(client: httpx.AsyncClient, choose: int = -1) -> Json:
    view = await begin(client)
    while view["hand"] is not None:
        answer = await play(client, view, choose)
        assert answer.status_code == 200, answer.text
        view = answer.json()
    return view


@pytest.mark.long
def test_everyone_gets_the_same_hands_and_costs(run: LoopRunner, app: Any) -> None:
    async def scenario() -> None:
        async with client_of(app) as ann, client_of(app) as sue:
            await sign_in(ann)
            await sign_in(sue, "supervisor")
            (bet,) = (await begin(ann))["hand"]["bets"]
            assert bet["title"] == "Bet"
            first, second = await play_all(ann), await play_all(sue)
            assert first["played"] == second["played"]
            assert {each["hand"] for each in first["played"]} == set(range(1, HANDS + 1))
            assert first["commitment"] == second["commitment"]
            assert first["seed"] is None
            results = (await sue.get("/api/daily")).json()["results"]
            assert [each["guest"] for each in results] == [False, False]
            assert [each["place"] for each in results] == [1, 1]
            assert sum(each["you"] for each in results) == 1

    run(scenario())


@pytest.mark.parametrize(
    ("sheet", "expected"),
    [
        ("pennsylvania/let-it-ride", {"pull": {"back"}, "ride": set()}),
        ("pennsylvania/three-card-poker", {"fold": {"loses"}, "1x": set()}),
        ("catfish-bend/matchem-hi-lo", {"low": set(), "high": set()}),
    ],
)
def test_play_states_what_it_returns_or_loses(
    sheet: str,
    expected: dict[str, set[str]],
    run: LoopRunner,
    app: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As at a table: pull returns a bet and ride leaves it."""
    monkeypatch.setattr(routes, "_sheets_in_turn", lambda *_: [load(sheet)])

    async def scenario() -> None:
        async with client_of(app) as ann:
            await sign_in(ann)
            hand = (await begin(ann))["hand"]
            (bet, *_) = hand["bets"]
            plays_by_name = {play["play"]: play for play in hand["plays"]}
            for play, fields in expected.items():
                assert {"back", "loses"} & {*plays_by_name[play]} == fields
                assert all(plays_by_name[play][field] == bet["amount"] for field in fields)

    run(scenario())


def test_looking_does_not_open_the_day_and_the_first_to_begin_does(
    run: LoopRunner, app: Any, server: Server, frozen_now: datetime
) -> None:
    async def scenario() -> None:
        async with client_of(app) as stranger, client_of(app) as ann:
            who = {"name": NAMES["player"], "password": PASSWORD}
            assert (await ann.post("/api/sign-in", json=who)).status_code == 200
            before = server.house.ledger.streams()
            for client in (stranger, ann):
                view = (await client.get("/api/daily")).json()
                assert view["sheet"] == "catfish-bend/matchem-hi-lo"
                assert (view["commitment"], view["seed"], view["begun"]) == (None, None, False)
                assert (view["hand"], view["results"], view["playing"]) == (None, [], 0)
            fair = {"day": today(frozen_now), "hand": 1, "decision": 0, "play": "1x"}
            no = await ann.post("/api/daily/plays", json=fair)
            assert no.json()["refused"]["message"] == (
                "nobody has begun today's deal; begin it first"
            )
            assert server.house.ledger.streams() == before
            first = await begin(stranger)
            assert (first["hand"]["hand"], first["trial"]) == (1, True)
            view_of_ann = (await ann.get("/api/daily")).json()
            assert view_of_ann["commitment"] == first["commitment"] is not None
            assert (view_of_ann["begun"], view_of_ann["hand"], view_of_ann["trial"]) == (
                False,
                None,
                False,
            )
            assert (await begin(ann))["hand"]["hand"] == 1

    run(scenario())


@pytest.mark.long
def test_member_resumes_their_own_try(run: LoopRunner, app: Any) -> None:
    """Even after others began; a member who only looks has begun nothing."""

    async def scenario() -> None:
        async with client_of(app) as first, client_of(app) as ann:
            await sign_in(first, "supervisor")
            await sign_in(ann)
            await play_all(first)
            view = (await ann.get("/api/daily")).json()
            assert (view["begun"], view["hand"], view["played"]) == (False, None, [])
            assert (await play(ann, await begin(ann))).status_code == 200
            view = (await ann.get("/api/daily")).json()
            assert (view["begun"], len(view["played"])) == (True, 1)
            assert view["hand"] == (await begin(ann))["hand"]

    run(scenario())


def test_stranger_sees_results_but_no_cards(run: LoopRunner, client: httpx.AsyncClient) -> None:
    async def scenario() -> None:
        view = (await client.get("/api/daily")).json()
        assert (view["begun"], view["hand"], view["played"]) == (False, None, [])
        no = await client.post(
            "/api/daily/plays", json={"day": view["day"], "hand": 1, "decision": 0, "play": "x"}
        )
        assert no.status_code == 401

    run(scenario())


@pytest.mark.long
def test_hands_cannot_be_replayed_or_skipped(run: LoopRunner, client: httpx.AsyncClient) -> None:
    async def scenario() -> None:
        view = await begin(client)
        assert (await play(client, view)).status_code == 200
        again = await play(client, view)
        assert again.status_code == 409
        message = "this hand has been decided already; look at the daily deal again"
        assert again.json()["refused"]["message"] == message
        wrong: list[Json] = [
            {"hand": 9, "decision": 0},
            {"hand": 1, "decision": 5},
            {"day": "2020-01-01"},
            {"play": "everything"},
            {"seed": "00"},
            {"player": "ann"},
        ]
        hand = (await begin(client))["hand"]
        fair = {"day": view["day"], "hand": hand["hand"], "decision": hand["decision"]}
        for forgery in wrong:
            body = {**fair, "play": hand["plays"][0]["play"], **forgery}
            answer = await client.post("/api/daily/plays", json=body)
            assert answer.status_code in (409, 422), (forgery, answer.text)
        assert len((await begin(client))["played"]) == 1

    run(scenario())


@pytest.mark.long
def test_guests_get_other_hands_and_no_place(run: LoopRunner, app: Any) -> None:
    """A guest's hands are their own, and their plays give no place and no member's try."""

    async def scenario() -> None:
        async with client_of(app) as guest, client_of(app) as other_guest, client_of(app) as ann:
            await guest.post("/api/practice", json={"sheet": "catfish-bend/matchem-hi-lo"})
            first, second = await play_all(guest), await play_all(other_guest)
            assert (first["trial"], second["trial"]) == (True, True)
            assert first["commitment"] == second["commitment"]
            (mine,) = first["results"]
            assert (mine["you"], mine["guest"], mine["place"]) == (True, True, None)
            assert (await ann.get("/api/daily")).json()["results"] == []
            await sign_in(guest)  # The practice table is claimed; the trial is not.
            await sign_in(ann, "supervisor")
            house = await begin(guest)
            assert (house["trial"], house["played"], house["playing"]) == (False, [], 0)
            assert house["hand"] == (await begin(ann))["hand"]
            hands = [[play["cards"] for play in try_view["played"]] for try_view in (first, second)]
            done = await play_all(guest)
            hands.append([play["cards"] for play in done["played"]])
            assert len({str(cards) for cards in hands}) == 3
            (place,) = done["results"]
            assert (place["player"], place["guest"], place["place"]) == ("ann", False, 1)

    run(scenario())


def test_seed_is_secret_until_its_day_is_over(
    run: LoopRunner, client: httpx.AsyncClient, server: Server, frozen_now: datetime
) -> None:
    async def scenario() -> None:
        view = await begin(client)
        entries = list(server.house.ledger.entries(f"daily/{view['day']}"))
        daily = Daily(server.house.ledger, server.people.vault)
        opened = daily.day(view["day"]).opened
        assert opened is not None
        seed = daily.hands(opened).seed
        assert hashlib.sha256(seed.encode()).hexdigest() == view["commitment"]
        recorded = json.dumps([entry.facts for entry in entries], default=str)
        assert seed not in recorded
        tomorrow = (frozen_now + timedelta(days=2)).date().isoformat()
        assert (await client.get("/api/daily", params={"on": tomorrow})).status_code == 404

    run(scenario())


@pytest.mark.long
def test_concurrent_plays_record_one(
    run: LoopRunner, client: httpx.AsyncClient, server: Server, frozen_now: datetime
) -> None:
    """Both saw the same decision; the second is refused."""

    async def scenario() -> None:
        view = await begin(client)
        daily = Daily(server.house.ledger, server.people.vault)
        day = daily.day(today(frozen_now))
        assert day.opened is not None
        hands = daily.hands(day.opened)
        at = hands.next_spot(())
        assert at is not None
        play, weighed = view["hand"]["plays"][0]["play"], hands.weigh(at)
        zoe = PlayerTry(("zoe",), guest=False)
        results = [
            daily.play(day, zoe, at, play, weighed=weighed, now=frozen_now) for _ in range(2)
        ]
        assert [isinstance(result, Refusal) for result in results] == [False, True]
        assert len(daily.day(view["day"]).played["zoe"]) == 1

    run(scenario())
