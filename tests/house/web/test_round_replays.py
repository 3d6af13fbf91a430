"""Replays of rounds: who may see them, and how much."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from tests.house.table.visible_cards import cards_in, watch
from tests.house.web.conftest import LoopRunner, SignedIn, client_of
from tests.house.web.live_server import SHEETS
from tests.house.web.recorded_rounds import (
    ROUND,
    SHOWN_TO,
    STAFF,
    hands,
    open_table_with_bets,
    play_on,
)
from tests.house.web.test_routes_tables import STUD, Player, guest_of

from pitbook.cards import Card, card
from pitbook.house.people.sessions import SESSION_COOKIE
from pitbook.house.table.visibility import Viewer
from pitbook.house.web.server import Server


@pytest.mark.long
@pytest.mark.parametrize("sheet", SHEETS)
def test_replay_ends_at_the_tables_view(
    run: LoopRunner, client: httpx.AsyncClient, sheet: str
) -> None:
    async def play() -> None:
        guest = await guest_of(client, sheet)
        await guest.bet(1)
        await guest.accept({"do": "close-betting"})
        await guest.play(1)
        view = await guest.look()
        answer = await client.get(f"/api/tables/{guest.table}/rounds/{view['round']}")
        replay = answer.json()
        assert answer.status_code == 200, answer.text
        assert (replay["over"], replay["replay"], replay["mine"]) == (True, True, [1])
        last = replay["steps"][-1]["view"]
        assert last == {key: view[key] for key in last}
        assert replay["settlement"] == view["result"]
        assert replay["balance"] == {"before": "1000.00", "after": view["wallet"]}
        assert [step["n"] for step in replay["steps"]] == list(range(1, len(replay["steps"]) + 1))
        cards_shown = [event["card"] for step in replay["steps"] for event in step["shown"]]
        assert sorted(cards_shown) == sorted(view["seats"][0]["cards"] + view["board"]["cards"])
        whats = [step["what"] for step in replay["steps"]]
        assert whats[:5] == ["round-opened", "wagers", "close", "deal", "look"]
        assert whats[-1] == "settle"
        assert whats.count("decide") == len(view["seats"][0]["plays"])
        assert whats.count("turn") == len(view["board"]["cards"])
        for step in replay["steps"][1:]:
            assert step["told"], step["what"]
            assert all(line.endswith(".") for line in step["told"])

    run(play())


def test_replay_shows_cards_no_earlier_than_play(
    run: LoopRunner, client: httpx.AsyncClient
) -> None:
    async def play() -> None:
        guest = await guest_of(client)
        await guest.bet(1)
        await guest.accept({"do": "close-betting"})
        await guest.play(1)
        round = f"{guest.table}-000001"
        replay = (await client.get(f"/api/tables/{guest.table}/rounds/{round}")).json()
        cards_seen: set[Card] = set()
        for step in replay["steps"]:
            cards_seen |= {card(event["card"]) for event in step["shown"]}
            assert cards_in([step["view"], step["told"]]) <= cards_seen

    run(play())


@pytest.mark.slow_cases(
    "louisiana-stud/standard", "louisiana-stud/stax-required", "oceanfront/mississippi-stud"
)
@pytest.mark.long
@pytest.mark.parametrize("sheet", SHEETS)
def test_replay_shows_own_and_opened_hands(
    run: LoopRunner, server: Server, app: FastAPI, signed_in: SignedIn, sheet: str
) -> None:
    async def play() -> None:
        folds = {} if "hi-lo" in sheet else {"bob": "fold"}
        async with open_table_with_bets(server, app, sheet, "ann", "bob") as players:
            before = {name: await player.http.get(ROUND) for name, player in players.items()}
            dealt = hands(server)
            for name, answer in before.items():
                assert answer.json()["over"] is False
                assert cards_dealt(answer.json()) == dealt[name]
            await play_on(players, **folds)
            crowd = await Player(signed_in("brush"), "t").look()
            public = cards_in([crowd["seats"], crowd["board"]])
            for name, player in players.items():
                assert cards_dealt((await player.http.get(ROUND)).json()) == dealt[name] | public
            for role, status in SHOWN_TO:
                answer = await signed_in(role).get(ROUND)
                assert answer.status_code == status, role
                if status == 200:
                    assert cards_dealt(answer.json()) == public
                    assert answer.json()["balance"] is None

    run(play())


def cards_dealt(round_document: dict[str, Any]) -> set[Card]:
    """The cards a stored round shows; examples in its rules name other cards."""
    return cards_in({key: part for key, part in round_document.items() if key != "rules"})


@pytest.mark.long
def test_missing_rounds_and_others_rounds_are_refused(
    run: LoopRunner, app: FastAPI, server: Server, signed_in: SignedIn
) -> None:
    async def play() -> None:
        async with open_table_with_bets(server, app, STUD, "ann", "bob") as players:
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
            round_path = f"/api/tables/{guest.table}/rounds/t-000001"
            assert 'has no round "t-000001"' in (await cyd.get(round_path)).json()["error"]
            await cyd.aclose()

    run(play())


@pytest.mark.long
def test_own_rounds_of_every_table_are_listed(run: LoopRunner, signed_in: SignedIn) -> None:
    async def play() -> None:
        ann = signed_in("player")
        for sheet in (STUD, SHEETS[2]):
            player = await guest_of(ann, sheet)
            await player.bet(1)
            await player.accept({"do": "close-betting"})
            await player.play(1)
        rounds_document = (await ann.get("/api/rounds")).json()
        assert [round_["sheet"]["id"] for round_ in rounds_document["rounds"]] == [SHEETS[2], STUD]
        for round_ in rounds_document["rounds"]:
            (seat,) = round_["settlement"]["seats"]
            assert seat["told"]
            assert all(line["words"].endswith(".") for line in seat["lines"])
        assert len((await ann.get("/api/rounds", params={"count": 1})).json()["rounds"]) == 1
        assert (await ann.get("/api/rounds", params={"count": 101})).status_code == 422
        last = (await ann.get("/api/rounds", params={"count": 1})).json()
        assert (last["older"], last["newer"]) == (last["rounds"][0]["round"], None)
        first = (await ann.get("/api/rounds", params={"before": last["older"]})).json()
        assert first["rounds"] == rounds_document["rounds"][1:]
        back = (await ann.get("/api/rounds", params={"after": first["newer"]})).json()
        assert back["rounds"] == last["rounds"]
        both = {"before": last["older"], "after": last["older"]}
        assert (await ann.get("/api/rounds", params=both)).status_code == 400
        odd = await ann.get("/api/rounds", params={"before": "nothing-1"})
        assert (odd.status_code, "There is no round" in odd.json()["error"]) == (400, True)

    run(play())


@pytest.mark.long
def test_table_serves_its_rules(run: LoopRunner, client: httpx.AsyncClient) -> None:
    async def play() -> None:
        for sheet in SHEETS:
            guest = await guest_of(client, sheet)
            table_sheet = (await client.get(f"/api/tables/{guest.table}/sheet")).json()
            assert table_sheet == (await client.get(f"/api/sheets/{sheet}")).json()
            assert table_sheet["hash"] == (await guest.look())["sheet"]["hash"]
            tables = {pay_table["wager"]: pay_table for pay_table in table_sheet["pay_tables"]}
            assert set(tables) == {"main", *table_sheet["side"]}
            for pay_table in tables.values():
                assert pay_table["clause"]
                for line in pay_table["lines"]:
                    assert line["title"][0].isupper()
                    assert line["says"] == "push" or " to " in line["says"]

    run(play())


def test_view_has_presence_and_time(
    run: LoopRunner, server: Server, app: FastAPI, signed_in: SignedIn
) -> None:
    async def play() -> None:
        async with open_table_with_bets(server, app, STUD, "ann", "bob") as players:
            view = await players["ann"].look()
            assert view["presence"] == {"watching": 0, "away": [1, 2]}
            assert datetime.fromisoformat(view["now"]).tzinfo is not None
            for viewer in (("ann", "player"), ("ann", "player"), ("dee", "dealer")):
                watch(server.table("t"), Viewer(*viewer))
            view = await players["ann"].look()
            assert view["presence"] == {"watching": 1, "away": [2]}

    run(play())
