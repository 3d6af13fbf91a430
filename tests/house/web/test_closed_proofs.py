"""Which proof each role gets: players their own cards, the floor face-up cards, the auditor all.

A shared link carries what its sharer saw, without a name.
"""

from __future__ import annotations

import json

import httpx
import pytest
from fastapi import FastAPI
from tests.house.web.conftest import LoopRunner, SignedIn
from tests.house.web.live_server import Json
from tests.house.web.recorded_rounds import ROUND, hands, open_table_with_bets, play_on, shared_by
from tests.house.web.test_routes_tables import STUD, guest_of

from pitbook.cards import names
from pitbook.house.table.round_records import find_round
from pitbook.house.web.server import Server
from pitbook.shoe.verify import verify


async def proof_of(http: httpx.AsyncClient, path: str = ROUND) -> Json:
    answer = await http.get(f"{path}/proof")
    assert answer.status_code == 200, answer.text
    proof: Json = answer.json()
    return proof


@pytest.mark.long
def test_gen_14_only_the_auditor_opens_a_folded_hand(
    run: LoopRunner, server: Server, app: FastAPI, client: httpx.AsyncClient, signed_in: SignedIn
) -> None:
    async def play() -> None:
        async with open_table_with_bets(server, app, STUD, "annabel", "roberta") as players:
            await play_on(players, roberta="fold")
            folded = names(sorted(hands(server)["roberta"])).split()
            link = await shared_by(players["annabel"], "t-000001")
            shared = (await client.get(f"/api{link}")).json()
            closed = {
                "ann": await proof_of(players["annabel"].http),
                "the floor": await proof_of(signed_in("supervisor")),
                "a link": shared["proof"],
            }
            for who, document in closed.items():
                assert verify(document).differences == (), who
                cards_and_actions = json.dumps([document["cards"], document["round"]["actions"]])
                assert not [card for card in folded if f'"{card}"' in cards_and_actions], who
            assert "annabel" not in json.dumps(shared["proof"])
            opened = {
                "bob": await proof_of(players["roberta"].http),
                "the auditor": await proof_of(signed_in("auditor")),
            }
            for who, document in opened.items():
                verdict = verify(document)
                assert (verdict.differences, verdict.closed) == ((), 0), who
                assert verdict.whole is (who == "the auditor")
            shoe = find_round(server.house.ledger, "t-000001").before.shoe
            assert shoe is not None
            for path in (ROUND, "/api/rounds", "/api/tables/t", "/api/tables/t/rounds"):
                for name, player in players.items():
                    text = (await player.http.get(path)).text
                    assert shoe["sealed"] not in text, (name, path)
            record = find_round(server.house.ledger, "t-000001")
            assert record.revealed is not None
            seed = record.revealed.seed
            assert seed is not None
            for path in (ROUND, "/api/rounds", "/api/tables/t", "/api/tables/t/rounds"):
                for http in (players["annabel"].http, signed_in("supervisor")):
                    assert seed not in (await http.get(path)).text, path

    run(play())


@pytest.mark.long
def test_seed_sent_with_a_bet_is_in_the_proof(run: LoopRunner, client: httpx.AsyncClient) -> None:
    async def play() -> None:
        guest, past = await guest_of(client), ""
        for number in (1, 2):
            view = await guest.look()
            assert view["shoe"]["history"] == view["shoe"]["commitment"]
            bet = {"do": "put-wager", "seat": 1, "wager": "ante", "amount": "10"}
            seed = {"seed": f"mine {number}", "history": view["shoe"]["history"]}
            await guest.accept({**bet, **seed})
            assert (await guest.look())["seat_seeds"] == {"1": f"mine {number}"}
            await guest.accept({"do": "close-betting"})
            late = {"do": "seat-seed", "seat": 1, "text": "late"}
            assert (await guest.do(late)).status_code == 409
            await guest.play(1)
            round_ = (await guest.look())["round"]
            document = await proof_of(client, f"/api/tables/{guest.table}/rounds/{round_}")
            assert document["shoe"]["commitment"] == view["shoe"]["commitment"]
            assert document["shoe"]["seat_seeds"] == {"1": f"mine {number}"}
            assert verify(document).differences == ()
            past = view["shoe"]["history"]
        stale = {"do": "seat-seed", "seat": 1, "text": "x", "history": past}
        answer = await guest.do(stale)
        assert answer.status_code == 409
        assert "make another seed" in answer.text

    run(play())
