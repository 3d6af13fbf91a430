"""The coach over HTTP: a spot is dealt again and labeled as arranged."""

from __future__ import annotations

import httpx
import pytest
from tests.house.table.visible_cards import cards_in
from tests.house.web.coach_rounds import (
    arrange_spot,
    deal,
    decide,
    fetch_review,
    last,
    offered_plays,
    play_rounds,
    settings,  # noqa: F401  Hundreds of rounds are no abuse here.
    weigh,
)
from tests.house.web.conftest import LoopRunner
from tests.house.web.live_server import SHEETS
from tests.house.web.test_routes_tables import guest_of

from pitbook.cards import card
from pitbook.house.web.server import Server
from pitbook.shoe.verify import verify


@pytest.mark.slow_cases(
    "louisiana-stud/standard", "louisiana-stud/stax-required", "oceanfront/mississippi-stud"
)
@pytest.mark.long
@pytest.mark.parametrize("sheet", SHEETS)
def test_missed_spot_is_dealt_again_and_labeled_as_arranged(
    run: LoopRunner, client: httpx.AsyncClient, server: Server, sheet: str
) -> None:
    async def play() -> None:
        guest = await guest_of(client, sheet)
        await play_rounds(guest, 10)
        before = await fetch_review(guest)
        missed = {
            (decision["round"], decision["stage"])
            for decision in before["decisions"]
            if decision["mistake"]
        }
        assert missed
        answer = await arrange_spot(guest, missed=True)
        assert answer.status_code == 200, answer.text
        wanted = answer.json()["spot"]
        assert (wanted["round"], wanted["stage"]) in missed
        view = await guest.look()
        assert view["shoe"]["kind"] == "arranged"
        assert answer.json()["shoe"] == view["shoe"]["id"]
        for wager, amount in wanted["wagers"]:
            await guest.accept({"do": "put-wager", "seat": 1, "wager": wager, "amount": amount})
        await guest.accept({"do": "close-betting"})
        for earlier_play in wanted["before"]:
            await guest.accept({"do": "decide", "seat": 1, "play": earlier_play})
        view = await guest.look()
        assert view["arranged"]["round"] == wanted["round"]
        assert view["seats"][0]["cards"] == wanted["cards"]
        assert [card for card in view["board"]["cards"] if card] == wanted["board"]
        await decide(guest)
        review = await fetch_review(guest)
        assert review["luck"] == before["luck"]
        again = [decision for decision in review["decisions"] if decision["arranged"]]
        assert [decision["stage"] for decision in again][-1] == wanted["stage"]
        (last, *_) = (await client.get(f"/api/tables/{guest.table}/rounds")).json()["rounds"]
        assert (last["arranged"], last["shoe"]["kind"]) == (True, "arranged")
        proof = await client.get(f"/api/tables/{guest.table}/rounds/{last['round']}/proof")
        assert proof.json()["shoe"]["kind"] == "arranged"
        assert not verify(proof.json()).differences
        assert (await guest.look())["shoe"]["kind"] == "committed"

    run(play())


@pytest.mark.long
def test_spot_by_round_and_back_to_an_ordinary_shoe(
    run: LoopRunner, client: httpx.AsyncClient
) -> None:
    async def play() -> None:
        guest = await guest_of(client)
        await play_rounds(guest, 1, last)
        round = f"{guest.table}-000001"
        answer = await arrange_spot(guest, round=round, stage=2, request="a")
        assert answer.status_code == 200, answer.text
        assert len(answer.json()["spot"]["board"]) == 2
        assert (await arrange_spot(guest, round=round, stage=2, request="a")).text == answer.text
        plain = await arrange_spot(guest, random=True)
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
            refused = await arrange_spot(guest, **wanted)
            assert refused.status_code == status, wanted
            assert refused.json()["error"]
        await deal(guest)
        refused = await arrange_spot(guest, round=round, stage=0)
        assert refused.json()["refused"]["code"] == "not-now"

    run(play())


@pytest.mark.slow
def test_repeated_request_gets_the_same_missed_spot(
    run: LoopRunner, client: httpx.AsyncClient
) -> None:
    async def play() -> None:
        guest = await guest_of(client)
        await play_rounds(guest, 12)
        answers = {(await arrange_spot(guest, missed=True, request="one")).text for _ in range(6)}
        assert len(answers) == 1

    run(play())


@pytest.mark.long
def test_perfect_play_leaves_no_spot_to_practice(
    run: LoopRunner, client: httpx.AsyncClient
) -> None:
    async def play() -> None:
        guest = await guest_of(client)
        for _ in range(3):
            await deal(guest)
            while offered_plays(await guest.look()):
                path = f"/api/tables/{guest.table}/advice"
                hint = (await client.post(path, json={"seat": 1})).json()
                best = hint["advice"]["best"]
                await guest.accept({"do": "decide", "seat": 1, "play": best})
        review = await fetch_review(guest)
        assert review["summary"]["accuracy_text"] == "100.0%"
        assert review["unaided"]["decisions"] == 0
        answer = await arrange_spot(guest, missed=True)
        assert answer.status_code == 404
        message = "You have no misplayed hands left to practice at this table. Keep playing."
        assert answer.json()["error"] == message

    run(play())


@pytest.mark.long
def test_no_answer_reveals_hidden_cards(run: LoopRunner, client: httpx.AsyncClient) -> None:
    """All answers up to the flop decision name no hidden card."""

    async def play() -> None:
        guest = await guest_of(client)
        await play_rounds(guest, 1, last)
        guest.responses.clear()
        answer = await arrange_spot(guest, round=f"{guest.table}-000001", stage=1)
        await deal(guest)
        guest.responses += [answer.text, (await weigh(guest, "1x")).text]
        await guest.accept({"do": "decide", "seat": 1, "play": "1x"})
        guest.responses.append((await client.get(f"/api/tables/{guest.table}/coach")).text)
        revealed_cards, visible_cards = cards_in(guest.responses), cards_in(await guest.look())
        await decide(guest)
        over = await guest.look()
        old = (await client.get(f"/api/tables/{guest.table}/rounds/{guest.table}-000001")).json()
        hidden = (
            {card(card_name) for card_name in over["board"]["cards"]}
            - visible_cards
            - cards_in(old)
        )
        assert revealed_cards.isdisjoint(hidden)

    run(play())


@pytest.mark.long
def test_misplayed_spot_becomes_a_drill(run: LoopRunner, client: httpx.AsyncClient) -> None:
    """The coach's best play is the right answer of the drill."""
    sheet = SHEETS[0]

    async def play() -> None:
        guest = await guest_of(client, sheet)
        wish = {"sheet": sheet, "bias": "spots"}
        none = await client.post("/api/drills/questions", json=wish)
        assert (none.status_code, "with the coach on" in none.json()["error"]) == (404, True)
        await play_rounds(guest, 10)
        put = (await client.post("/api/drills/questions", json=wish)).json()
        assert put["kind_title"] == "Hands you misplayed"
        (seat,) = put["question"]["seats"]
        board = put["question"]["common"][0]["cards"]
        (spotted, *_) = [
            decision
            for decision in (await fetch_review(guest))["decisions"]
            if (decision["cards"], decision["board"]) == (seat["cards"], board)
        ]
        (best,) = [play_row["title"] for play_row in spotted["plays"] if play_row["best"]]
        (letter,) = [
            option["id"] for option in put["question"]["options"] if option["text"] == best
        ]
        given = {"number": put["number"], "answer": letter}
        result = (await client.post("/api/drills/answers", json=given)).json()
        assert result["right"] is True
        assert result["reasons"][0]["text"].startswith("Best play:")
        again = (await client.post("/api/drills/answers", json=given)).json()
        assert again == result

    run(play())
