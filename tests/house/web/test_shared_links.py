"""What a link to a round shows to strangers."""

from __future__ import annotations

import asyncio
import json

import httpx
import pytest
from fastapi import FastAPI
from tests.house.table.visible_cards import cards_in
from tests.house.web.conftest import LoopRunner, client_of
from tests.house.web.live_server import SHEETS, Json
from tests.house.web.recorded_rounds import (
    ROUND,
    SUE,
    hands,
    open_table_with_bets,
    play_on,
    shared_by,
)
from tests.house.web.test_routes_tables import STUD, guest_of

from pitbook.house.ledger.keys import generate_keys
from pitbook.house.table.commands import Envelope, Interrupt, Misdeal, Warn
from pitbook.house.web.server import Server
from pitbook.house.web.sharing import Links, RoundLink
from pitbook.shoe.verify import verify


@pytest.mark.slow_cases("louisiana-stud/standard", "oceanfront/mississippi-stud")
@pytest.mark.long
@pytest.mark.parametrize("sheet", SHEETS)
def test_link_shows_the_sharers_view_without_names(
    run: LoopRunner, server: Server, app: FastAPI, client: httpx.AsyncClient, sheet: str
) -> None:
    async def play() -> None:
        folds = {} if "hi-lo" in sheet else {"roberta": "fold"}
        async with open_table_with_bets(server, app, sheet, "annabel", "roberta") as players:
            await play_on(players, **folds)
            dealt = hands(server)
            own_cards = {}
            for name, player in players.items():
                own_cards[name] = cards_in((await player.http.get(ROUND)).json())
                path = await shared_by(player, "t-000001")
                answer = await client.get(f"/api{path}")
                assert answer.status_code == 200, answer.text
                replay = answer.json()
                other = next(player_name for player_name in players if player_name != name)
                assert other not in answer.text
                assert replay.pop("shared_by") == name
                assert name not in json.dumps(replay)
                assert cards_in(replay) == own_cards[name]
                assert replay["proof_why"] is None
                assert not verify(replay["proof"]).differences
                assert "advice" not in replay
                assert "balance" not in replay
                numbers = [seat["played_by"] for seat in replay["steps"][-1]["view"]["seats"][:2]]
                assert numbers == ["seat 1", "seat 2"]
                assert {step["actor"] for step in replay["steps"]} <= {
                    *("seat 1", "seat 2", "Pitbook", "the dealer"),
                }
            if folds:
                assert dealt["roberta"].isdisjoint(own_cards["annabel"])

    run(play())


def test_practice_link_has_its_proof(
    run: LoopRunner, client: httpx.AsyncClient, app: FastAPI
) -> None:
    async def play() -> None:
        guest = await guest_of(client)
        await guest.bet(1)
        await guest.accept({"do": "close-betting"})
        round = f"{guest.table}-000001"
        early = await client.post(f"/api/tables/{guest.table}/rounds/{round}/share")
        assert early.status_code == 409
        assert early.json()["error"].startswith("The round is not over")
        await guest.play(1)
        path = await shared_by(guest, round)
        assert path == await shared_by(guest, round)
        async with client_of(app, "10.0.0.9") as stranger:
            replay = (await stranger.get(f"/api{path}")).json()
            assert replay["proof_why"] is None
            assert not verify(replay["proof"]).differences
            assert replay["shared_by"].startswith("guest-")
            await guest.accept({"do": "retire"})
            gone = await stranger.get(f"/api{path}")
            assert gone.status_code == 404
            assert "Practice rounds are deleted when the table closes" in gone.json()["error"]

    run(play())


def test_sole_player_shares_the_proof_of_a_house_table(
    run: LoopRunner, server: Server, app: FastAPI, client: httpx.AsyncClient
) -> None:
    async def play() -> None:
        async with open_table_with_bets(server, app, STUD, "ann") as players:
            await play_on(players)
            replay = (await client.get(f"/api{await shared_by(players['ann'], 't-000001')}")).json()
            assert not verify(replay["proof"]).differences

    run(play())


def test_floor_remarks_are_not_shared(
    run: LoopRunner, server: Server, app: FastAPI, client: httpx.AsyncClient
) -> None:
    async def play() -> None:
        async with open_table_with_bets(server, app, STUD, "ann", "bob") as players:
            floor = server.table("t")
            reason = "roberta was told"
            await floor.send(Envelope(SUE, Warn(2, reason)))
            await floor.send(Envelope(SUE, Interrupt(reason)))
            await floor.send(Envelope(SUE, Misdeal(reason)))
            own_replay = await players["ann"].http.get(ROUND)
            assert own_replay.text.count(reason) > 3
            answer = await client.get(f"/api{await shared_by(players['ann'], 't-000001')}")
            assert answer.status_code == 200
            assert reason not in answer.text
            replay = answer.json()
            assert replay["settlement"]["result"] == "misdeal"
            assert not verify(replay["proof"]).differences

    run(play())


def test_forged_link_is_refused(run: LoopRunner, client: httpx.AsyncClient, server: Server) -> None:
    links = Links(server.house.folder.keys.sealing)
    good = links.token(RoundLink("t", "t-000001", "ann"))
    assert links.read(good) == RoundLink("t", "t-000001", "ann")
    payload, _, mac = good.partition(".")
    others = Links(generate_keys().sealing).token(RoundLink("t", "t-000001", "ann"))
    bad = [others, payload, f".{mac}", f"{payload}.", f"{payload}x.{mac}", f"{payload}.{mac}x"]
    bad += [payload[:-1] + "A." + mac, good.swapcase(), "x", "ü.ü", "a.b.c", "x" * 900]
    for token in bad:
        assert links.read(token) is None
        answer = run(client.get(f"/api/shared/{token}"))
        assert answer.status_code == 404, token
        remedy = "Ask the person who sent it for a new one."
        assert answer.json()["error"] == f"This link was not issued here. {remedy}"
    gone = run(client.get(f"/api/shared/{good}"))
    assert gone.status_code == 404
    assert "Practice rounds are deleted when the table closes" in gone.json()["error"]
    assert run(client.get(f"/api/shared/{'x' * 2000}")).status_code == 422


def test_session_token_is_not_a_link(server: Server) -> None:
    """The same secret for another purpose: neither token works as the other."""
    token = server.sessions.guest()[1]
    assert Links(server.house.folder.keys.sealing).read(token) is None
    link = Links(server.house.folder.keys.sealing).token(RoundLink("t", "t-000001", "ann"))
    assert server.sessions.read(link) is None


@pytest.mark.long
def test_concurrent_views_of_a_link_are_equal(
    run: LoopRunner, client: httpx.AsyncClient, app: FastAPI
) -> None:
    async def play() -> None:
        guest = await guest_of(client)
        await guest.bet(1)
        await guest.accept({"do": "close-betting"})
        await guest.play(1)
        path = await shared_by(guest, f"{guest.table}-000001")
        async with client_of(app) as stranger:
            answers = await asyncio.gather(*(stranger.get(f"/api{path}") for _ in range(8)))
        texts: set[Json | str] = {answer.text for answer in answers}
        assert len(texts) == 1

    run(play())
