"""The coach over HTTP: the same spot once more, and how it says that it is arranged."""

from __future__ import annotations

import httpx
import pytest
from tests.house.table.watching import cards_in
from tests.house.web.coached import (
    able,
    coach,
    deal,
    decide,
    last,
    rounds,
    settings,  # noqa: F401  Hundreds of rounds are no abuse here.
    spot,
    weigh,
)
from tests.house.web.conftest import Running
from tests.house.web.live import SHEETS
from tests.house.web.test_routes_tables import guest_of

from pitbook.cards import card
from pitbook.house.web.server import Server
from pitbook.shoe.proof import verify


@pytest.mark.slow_cases(
    "louisiana-stud/standard", "louisiana-stud/stax-required", "oceanfront/mississippi-stud"
)
@pytest.mark.long
@pytest.mark.parametrize("sheet", SHEETS)
def test_a_missed_spot_comes_back_and_says_that_it_is_arranged(
    run: Running, client: httpx.AsyncClient, server: Server, sheet: str
) -> None:
    async def play() -> None:
        guest = await guest_of(client, sheet)
        await rounds(guest, 10)
        before = await coach(guest)
        missed = {(one["round"], one["stage"]) for one in before["decisions"] if one["mistake"]}
        assert missed
        answer = await spot(guest, missed=True)
        assert answer.status_code == 200, answer.text
        wanted = answer.json()["spot"]
        assert (wanted["round"], wanted["stage"]) in missed
        view = await guest.look()
        assert view["shoe"]["kind"] == "arranged"
        assert answer.json()["shoe"] == view["shoe"]["id"]
        for wager, amount in wanted["wagers"]:
            await guest.fine({"do": "put-wager", "seat": 1, "wager": wager, "amount": amount})
        await guest.fine({"do": "close-betting"})
        for made in wanted["before"]:
            await guest.fine({"do": "decide", "seat": 1, "play": made})
        view = await guest.look()
        assert view["arranged"]["round"] == wanted["round"]
        assert view["seats"][0]["cards"] == wanted["cards"]
        assert [one for one in view["board"]["cards"] if one] == wanted["board"]
        await decide(guest)
        found = await coach(guest)
        assert found["luck"] == before["luck"]
        again = [one for one in found["decisions"] if one["arranged"]]
        assert [one["stage"] for one in again][-1] == wanted["stage"]
        (last, *_) = (await client.get(f"/api/tables/{guest.table}/rounds")).json()["rounds"]
        assert (last["arranged"], last["shoe"]["kind"]) == (True, "arranged")
        proof = await client.get(f"/api/tables/{guest.table}/rounds/{last['round']}/proof")
        assert proof.json()["shoe"]["kind"] == "arranged"
        assert not verify(proof.json()).differences
        assert (await guest.look())["shoe"]["kind"] == "committed"

    run(play())


@pytest.mark.long
def test_a_spot_by_its_round_and_an_ordinary_shoe_again(
    run: Running, client: httpx.AsyncClient
) -> None:
    async def play() -> None:
        guest = await guest_of(client)
        await rounds(guest, 1, last)
        round = f"{guest.table}-000001"
        answer = await spot(guest, round=round, stage=2, request="a")
        assert answer.status_code == 200, answer.text
        assert len(answer.json()["spot"]["board"]) == 2
        assert (await spot(guest, round=round, stage=2, request="a")).text == answer.text
        plain = await spot(guest, random=True)
        assert plain.json()["spot"] is None
        assert (await guest.look())["shoe"]["kind"] == "committed"
        for wanted, status in (
            ({"round": round, "stage": 3}, 404),
            ({"round": f"{guest.table}-000009", "stage": 0}, 404),
            ({"round": "x", "stage": 0}, 404),
            ({}, 422),
            ({"round": round, "missed": True}, 422),
            ({"missed": True, "random": True}, 422),
            ({"missed": 1}, 422),
        ):
            refused = await spot(guest, **wanted)
            assert refused.status_code == status, wanted
            assert refused.json()["error"]
        await deal(guest)
        refused = await spot(guest, round=round, stage=0)
        assert refused.json()["refused"]["code"] == "not-now"

    run(play())


@pytest.mark.slow
def test_a_missed_spot_that_is_asked_for_again_is_the_same(
    run: Running, client: httpx.AsyncClient
) -> None:
    async def play() -> None:
        guest = await guest_of(client)
        await rounds(guest, 12)
        answers = {(await spot(guest, missed=True, request="one")).text for _ in range(6)}
        assert len(answers) == 1

    run(play())


@pytest.mark.long
def test_who_plays_well_has_nothing_to_practise(run: Running, client: httpx.AsyncClient) -> None:
    async def play() -> None:
        guest = await guest_of(client)
        for _ in range(3):
            await deal(guest)
            while able(await guest.look()):
                path = f"/api/tables/{guest.table}/advice"
                hint = (await client.post(path, json={"seat": 1})).json()
                best = hint["advice"]["best"]
                await guest.fine({"do": "decide", "seat": 1, "play": best})
        found = await coach(guest)
        assert found["summary"]["accuracy_text"] == "100.0%"
        assert found["unaided"]["decisions"] == 0
        answer = await spot(guest, missed=True)
        assert answer.status_code == 404
        told = "no decision at this table is left to be practised; "
        assert answer.json()["error"] == f"{told}deal on, and play better where you miss"

    run(play())


@pytest.mark.long
def test_cards_to_come_are_in_no_answer(run: Running, client: httpx.AsyncClient) -> None:
    """All that was ever said by the end of the flop's decision names no card that lies closed."""

    async def play() -> None:
        guest = await guest_of(client)
        await rounds(guest, 1, last)
        guest.told.clear()
        answer = await spot(guest, round=f"{guest.table}-000001", stage=1)
        await deal(guest)
        guest.told += [answer.text, (await weigh(guest, "1x")).text]
        await guest.fine({"do": "decide", "seat": 1, "play": "1x"})
        guest.told.append((await client.get(f"/api/tables/{guest.table}/coach")).text)
        told, known = cards_in(guest.told), cards_in(await guest.look())
        await decide(guest)
        over = await guest.look()
        old = (await client.get(f"/api/tables/{guest.table}/rounds/{guest.table}-000001")).json()
        hidden = {card(one) for one in over["board"]["cards"]} - known - cards_in(old)
        assert told.isdisjoint(hidden)

    run(play())


@pytest.mark.long
def test_a_misplayed_spot_is_drilled_until_it_is_right(
    run: Running, client: httpx.AsyncClient
) -> None:
    """What the coach calls best is the right answer of the drill."""
    sheet = SHEETS[0]

    async def play() -> None:
        guest = await guest_of(client, sheet)
        wish = {"sheet": sheet, "bias": "spots"}
        none = await client.post("/api/drills/questions", json=wish)
        assert (none.status_code, "with the coach first" in none.json()["error"]) == (404, True)
        await rounds(guest, 10)
        put = (await client.post("/api/drills/questions", json=wish)).json()
        assert put["kind_title"] == "Hands you misplayed"
        (seat,) = put["question"]["seats"]
        board = put["question"]["common"][0]["cards"]
        (spotted, *_) = [
            one
            for one in (await coach(guest))["decisions"]
            if (one["cards"], one["board"]) == (seat["cards"], board)
        ]
        (best,) = [one["title"] for one in spotted["plays"] if one["best"]]
        (letter,) = [one["id"] for one in put["question"]["options"] if one["text"] == best]
        given = {"number": put["number"], "answer": letter}
        told = (await client.post("/api/drills/answers", json=given)).json()
        assert told["right"] is True
        assert told["reasons"][0]["text"].startswith("Best is")
        again = (await client.post("/api/drills/answers", json=given)).json()
        assert again == told

    run(play())
