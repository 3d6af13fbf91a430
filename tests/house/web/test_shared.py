"""A round looked at again: by whom, and how much of it."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from tests.house.table.watching import cards_in, watch
from tests.house.web.conftest import Running, SignedIn, client_of
from tests.house.web.live import SHEETS
from tests.house.web.looked_at import ROUND, SHOWN_TO, STAFF, hands, play_on, table
from tests.house.web.test_routes_tables import STUD, Player, guest_of

from pitbook.cards import Card, card
from pitbook.house.people.sessions import SESSION_COOKIE
from pitbook.house.table.visibility import Viewer
from pitbook.house.web.server import Server


@pytest.mark.long
@pytest.mark.parametrize("sheet", SHEETS)
def test_a_replay_ends_where_the_table_stood(
    run: Running, client: httpx.AsyncClient, sheet: str
) -> None:
    async def play() -> None:
        guest = await guest_of(client, sheet)
        await guest.bet(1)
        await guest.fine({"do": "close-betting"})
        await guest.play(1)
        view = await guest.look()
        answer = await client.get(f"/api/tables/{guest.table}/rounds/{view['round']}")
        found = answer.json()
        assert answer.status_code == 200, answer.text
        assert (found["over"], found["replay"], found["mine"]) == (True, True, [1])
        last = found["steps"][-1]["view"]
        assert last == {key: view[key] for key in last}
        assert found["settlement"] == view["result"]
        assert found["balance"] == {"before": "1000.00", "after": view["wallet"]}
        assert [one["n"] for one in found["steps"]] == list(range(1, len(found["steps"]) + 1))
        shown = [one["card"] for step in found["steps"] for one in step["shown"]]
        assert sorted(shown) == sorted(view["seats"][0]["cards"] + view["board"]["cards"])
        whats = [one["what"] for one in found["steps"]]
        assert whats[:5] == ["round-opened", "wagers", "close", "deal", "look"]
        assert whats[-1] == "settle"
        assert whats.count("decide") == len(view["seats"][0]["plays"])
        assert whats.count("turn") == len(view["board"]["cards"])
        for step in found["steps"][1:]:
            assert step["told"], step["what"]
            assert all(one.endswith(".") for one in step["told"])

    run(play())


def test_cards_are_shown_no_sooner_than_they_were(run: Running, client: httpx.AsyncClient) -> None:
    async def play() -> None:
        guest = await guest_of(client)
        await guest.bet(1)
        await guest.fine({"do": "close-betting"})
        await guest.play(1)
        round = f"{guest.table}-000001"
        found = (await client.get(f"/api/tables/{guest.table}/rounds/{round}")).json()
        seen: set[Card] = set()
        for step in found["steps"]:
            seen |= {card(one["card"]) for one in step["shown"]}
            assert cards_in([step["view"], step["told"]]) <= seen

    run(play())


@pytest.mark.slow_cases(
    "louisiana-stud/standard", "louisiana-stud/stax-required", "oceanfront/mississippi-stud"
)
@pytest.mark.long
@pytest.mark.parametrize("sheet", SHEETS)
def test_each_sees_the_own_hand_and_those_that_were_opened(
    run: Running, server: Server, app: FastAPI, signed_in: SignedIn, sheet: str
) -> None:
    async def play() -> None:
        folds = {} if "hi-lo" in sheet else {"bob": "fold"}
        async with table(server, app, sheet, "ann", "bob") as players:
            before = {name: await one.http.get(ROUND) for name, one in players.items()}
            dealt = hands(server)
            for name, answer in before.items():
                assert answer.json()["over"] is False
                assert cards_dealt(answer.json()) == dealt[name]
            await play_on(players, **folds)
            crowd = await Player(signed_in("brush"), "t").look()
            public = cards_in([crowd["seats"], crowd["board"]])
            for name, one in players.items():
                assert cards_dealt((await one.http.get(ROUND)).json()) == dealt[name] | public
            for role, status in SHOWN_TO:
                answer = await signed_in(role).get(ROUND)
                assert answer.status_code == status, role
                if status == 200:
                    assert cards_dealt(answer.json()) == public
                    assert answer.json()["balance"] is None

    run(play())


def cards_dealt(round_document: dict[str, Any]) -> set[Card]:
    """The cards a stored round shows; the rules' own examples name cards that nobody holds."""
    return cards_in({key: part for key, part in round_document.items() if key != "rules"})


@pytest.mark.long
def test_rounds_that_are_not_there_or_not_ones_own(
    run: Running, app: FastAPI, server: Server, signed_in: SignedIn
) -> None:
    async def play() -> None:
        async with table(server, app, STUD, "ann", "bob") as players:
            await play_on(players)
            ann = players["ann"].http
            for path, status in (
                ("/api/tables/t/rounds/t-000002", 404),
                ("/api/tables/t/rounds/x", 404),
                ("/api/tables/t/rounds/%00", 404),
                ("/api/tables/x/rounds/t-000001", 404),
            ):
                answer = await ann.get(path)
                assert answer.status_code == status, path
                assert answer.json()["error"]
                assert (await ann.post(f"{path}/share")).status_code == status
            cyd = client_of(app)
            server.people.add("cyd", "player", "one two three four", actor="test")
            cyd.cookies.set(
                SESSION_COOKIE, server.sessions.issue(server.people.register.people["cyd"].person)
            )
            assert (await cyd.get(ROUND)).status_code == 403
            assert (await cyd.post(f"{ROUND}/share")).status_code == 403
            for role in STAFF:
                answer = await signed_in(role).post(f"{ROUND}/share")
                assert answer.status_code == 403
            guest = await guest_of(cyd)
            here = f"/api/tables/{guest.table}/rounds/t-000001"
            assert 'no round "t-000001" was played at' in (await cyd.get(here)).json()["error"]
            await cyd.aclose()

    run(play())


@pytest.mark.long
def test_my_rounds_at_every_table(run: Running, signed_in: SignedIn) -> None:
    async def play() -> None:
        ann = signed_in("player")
        for sheet in (STUD, SHEETS[2]):
            player = await guest_of(ann, sheet)
            await player.bet(1)
            await player.fine({"do": "close-betting"})
            await player.play(1)
        found = (await ann.get("/api/rounds")).json()
        assert [one["sheet"]["id"] for one in found["rounds"]] == [SHEETS[2], STUD]
        for one in found["rounds"]:
            (seat,) = one["settlement"]["seats"]
            assert seat["told"]
            assert all(line["words"].endswith(".") for line in seat["lines"])
        assert len((await ann.get("/api/rounds", params={"count": 1})).json()["rounds"]) == 1
        assert (await ann.get("/api/rounds", params={"count": 101})).status_code == 422
        last = (await ann.get("/api/rounds", params={"count": 1})).json()
        assert (last["older"], last["newer"]) == (last["rounds"][0]["round"], None)
        first = (await ann.get("/api/rounds", params={"before": last["older"]})).json()
        assert first["rounds"] == found["rounds"][1:]
        back = (await ann.get("/api/rounds", params={"after": first["newer"]})).json()
        assert back["rounds"] == last["rounds"]
        both = {"before": last["older"], "after": last["older"]}
        assert (await ann.get("/api/rounds", params=both)).status_code == 400
        odd = await ann.get("/api/rounds", params={"before": "nothing-1"})
        assert (odd.status_code, "to go on from" in odd.json()["error"]) == (400, True)

    run(play())


@pytest.mark.long
def test_the_rules_in_force_are_at_the_table(run: Running, client: httpx.AsyncClient) -> None:
    async def play() -> None:
        for sheet in SHEETS:
            guest = await guest_of(client, sheet)
            here = (await client.get(f"/api/tables/{guest.table}/sheet")).json()
            assert here == (await client.get(f"/api/sheets/{sheet}")).json()
            assert here["hash"] == (await guest.look())["sheet"]["hash"]
            tables = {one["wager"]: one for one in here["pay_tables"]}
            assert set(tables) == {"main", *here["side"]}
            for one in tables.values():
                assert one["clause"]
                for line in one["lines"]:
                    assert line["title"][0].isupper()
                    assert line["says"] == "push" or " to " in line["says"]

    run(play())


def test_who_is_there_and_what_time_it_is(
    run: Running, server: Server, app: FastAPI, signed_in: SignedIn
) -> None:
    async def play() -> None:
        async with table(server, app, STUD, "ann", "bob") as players:
            view = await players["ann"].look()
            assert view["presence"] == {"watching": 0, "away": [1, 2]}
            assert datetime.fromisoformat(view["now"]).tzinfo is not None
            for viewer in (("ann", "player"), ("ann", "player"), ("dee", "dealer")):
                watch(server.table("t"), Viewer(*viewer))
            view = await players["ann"].look()
            assert view["presence"] == {"watching": 1, "away": [2]}

    run(play())
