"""What a link to a round shows to strangers."""

from __future__ import annotations

import asyncio
import json

import httpx
import pytest
from fastapi import FastAPI
from tests.house.table.watching import cards_in
from tests.house.web.conftest import Running, client_of
from tests.house.web.live import SHEETS, Json
from tests.house.web.looked_at import ROUND, SUE, hands, play_on, shared_by, table
from tests.house.web.test_routes_tables import STUD, guest_of

from pitbook.house.ledger.keys import fresh_keys
from pitbook.house.table.commands import Envelope, Interrupt, Misdeal, Warn
from pitbook.house.web.server import Server
from pitbook.house.web.sharing import Links, RoundLink
from pitbook.shoe.proof import verify


@pytest.mark.slow_cases("louisiana-stud/standard", "oceanfront/mississippi-stud")
@pytest.mark.long
@pytest.mark.parametrize("sheet", SHEETS)
def test_a_link_shows_what_its_sharer_saw_and_nobodys_name(
    run: Running, server: Server, app: FastAPI, client: httpx.AsyncClient, sheet: str
) -> None:
    async def play() -> None:
        folds = {} if "hi-lo" in sheet else {"roberta": "fold"}
        async with table(server, app, sheet, "annabel", "roberta") as players:
            await play_on(players, **folds)
            dealt = hands(server)
            own = {}
            for name, one in players.items():
                own[name] = cards_in((await one.http.get(ROUND)).json())
                path = await shared_by(one, "t-000001")
                answer = await client.get(f"/api{path}")
                assert answer.status_code == 200, answer.text
                found = answer.json()
                other = next(each for each in players if each != name)
                assert other not in answer.text
                assert found.pop("shared_by") == name
                assert name not in json.dumps(found)
                assert cards_in(found) == own[name]
                assert found["proof_why"] is None
                assert not verify(found["proof"]).differences
                assert "advice" not in found
                assert "balance" not in found
                numbers = [one["played_by"] for one in found["steps"][-1]["view"]["seats"][:2]]
                assert numbers == ["seat 1", "seat 2"]
                assert {one["actor"] for one in found["steps"]} <= {
                    *("seat 1", "seat 2", "the house", "the dealer"),
                }
            if folds:
                assert dealt["roberta"].isdisjoint(own["annabel"])

    run(play())


def test_a_link_of_practice_carries_its_proof(
    run: Running, client: httpx.AsyncClient, app: FastAPI
) -> None:
    async def play() -> None:
        guest = await guest_of(client)
        await guest.bet(1)
        await guest.fine({"do": "close-betting"})
        round = f"{guest.table}-000001"
        early = await client.post(f"/api/tables/{guest.table}/rounds/{round}/share")
        assert early.status_code == 409
        assert early.json()["error"].startswith("the round is not over")
        await guest.play(1)
        path = await shared_by(guest, round)
        assert path == await shared_by(guest, round)
        async with client_of(app, "10.0.0.9") as stranger:
            found = (await stranger.get(f"/api{path}")).json()
            assert found["proof_why"] is None
            assert not verify(found["proof"]).differences
            assert found["shared_by"].startswith("guest-")
            await guest.fine({"do": "retire"})
            gone = await stranger.get(f"/api{path}")
            assert gone.status_code == 404
            assert "no longer on record" in gone.json()["error"]

    run(play())


def test_who_sat_alone_shares_the_proof_of_a_house_table(
    run: Running, server: Server, app: FastAPI, client: httpx.AsyncClient
) -> None:
    async def play() -> None:
        async with table(server, app, STUD, "ann") as players:
            await play_on(players)
            found = (await client.get(f"/api{await shared_by(players['ann'], 't-000001')}")).json()
            assert not verify(found["proof"]).differences

    run(play())


def test_what_the_floor_wrote_is_not_shared(
    run: Running, server: Server, app: FastAPI, client: httpx.AsyncClient
) -> None:
    async def play() -> None:
        async with table(server, app, STUD, "ann", "bob") as players:
            floor = server.table("t")
            said = "roberta was told"
            await floor.send(Envelope(SUE, Warn(2, said)))
            await floor.send(Envelope(SUE, Interrupt(said)))
            await floor.send(Envelope(SUE, Misdeal(said)))
            own = await players["ann"].http.get(ROUND)
            assert own.text.count(said) > 3
            answer = await client.get(f"/api{await shared_by(players['ann'], 't-000001')}")
            assert answer.status_code == 200
            assert said not in answer.text
            found = answer.json()
            assert found["settlement"]["result"] == "misdeal"
            assert not verify(found["proof"]).differences

    run(play())


def test_a_link_that_is_not_ours(run: Running, client: httpx.AsyncClient, server: Server) -> None:
    links = Links(server.house.folder.keys.sealing)
    good = links.token(RoundLink("t", "t-000001", "ann"))
    assert links.read(good) == RoundLink("t", "t-000001", "ann")
    payload, _, mac = good.partition(".")
    others = Links(fresh_keys().sealing).token(RoundLink("t", "t-000001", "ann"))
    bad = [others, payload, f".{mac}", f"{payload}.", f"{payload}x.{mac}", f"{payload}.{mac}x"]
    bad += [payload[:-1] + "A." + mac, good.swapcase(), "x", "ü.ü", "a.b.c", "x" * 900]
    for token in bad:
        assert links.read(token) is None
        answer = run(client.get(f"/api/shared/{token}"))
        assert answer.status_code == 404, token
        remedy = "ask whoever gave it to you for a new one"
        assert answer.json()["error"] == f"this link is not one that this house gave out; {remedy}"
    gone = run(client.get(f"/api/shared/{good}"))
    assert gone.status_code == 404
    assert "no longer on record" in gone.json()["error"]
    assert run(client.get(f"/api/shared/{'x' * 2000}")).status_code == 422


def test_sessions_are_no_links(server: Server) -> None:
    """The same secret, another purpose: a cookie opens nothing here, nor a link there."""
    token = server.sessions.guest()[1]
    assert Links(server.house.folder.keys.sealing).read(token) is None
    link = Links(server.house.folder.keys.sealing).token(RoundLink("t", "t-000001", "ann"))
    assert server.sessions.read(link) is None


@pytest.mark.long
def test_many_looks_at_once_do_not_disturb_play(
    run: Running, client: httpx.AsyncClient, app: FastAPI
) -> None:
    async def play() -> None:
        guest = await guest_of(client)
        await guest.bet(1)
        await guest.fine({"do": "close-betting"})
        await guest.play(1)
        path = await shared_by(guest, f"{guest.table}-000001")
        async with client_of(app) as stranger:
            answers = await asyncio.gather(*(stranger.get(f"/api{path}") for _ in range(8)))
        texts: set[Json | str] = {one.text for one in answers}
        assert len(texts) == 1

    run(play())
