"""The coach over HTTP before a decision: every play is weighed."""

from __future__ import annotations

from fractions import Fraction

import httpx
import pytest
from tests.house.web.coach_rounds import (
    PARTS,
    deal,
    decide,
    fetch_review,
    offered_plays,
    settings,  # noqa: F401  Hundreds of rounds are no abuse here.
    weigh,
)
from tests.house.web.conftest import LoopRunner, SignedIn
from tests.house.web.live_server import SHEETS
from tests.house.web.seated_players import table_for
from tests.house.web.test_routes_tables import STUD, Player, guest_of

from pitbook.house.web.server import Server


@pytest.mark.long
@pytest.mark.parametrize("sheet", SHEETS)
def test_play_is_weighed_before_it_is_made(
    run: LoopRunner, client: httpx.AsyncClient, server: Server, sheet: str
) -> None:
    async def play() -> None:
        guest = await guest_of(client, sheet)
        await deal(guest)
        before = await guest.look()
        plays = offered_plays(before)
        answers = {play: (await weigh(guest, play)).json()["weighed"] for play in plays}
        (best,) = {answer["best"] for answer in answers.values()}
        for play, answer in answers.items():
            assert answer["play"] == play
            assert [worth["play"] for worth in answer["plays"]] == plays
            worth = {worth["play"]: Fraction(worth["worth"]["exact"]) for worth in answer["plays"]}
            assert Fraction(answer["cost"]["exact"]) == worth[best] - worth[play]
            assert answer["is_best"] == (worth[best] == worth[play])
            assert (answer["sentence"] == f"{best} is best.") == (play == best)
            assert answer["why"].endswith(".")
        after = await guest.look()
        assert (after["seats"], after["phase"]) == (before["seats"], before["phase"])
        await decide(guest)
        (round_,) = (await client.get(f"/api/tables/{guest.table}/rounds")).json()["rounds"]
        assert [advice["play"] for advice in round_["advice"]] == plays
        assert round_["advice"][0]["text"].startswith(answers[plays[0]]["sentence"])

    run(play())


def test_hint_includes_dollars(run: LoopRunner, client: httpx.AsyncClient) -> None:
    async def play() -> None:
        guest = await guest_of(client)
        await deal(guest)
        answer = await client.post(f"/api/tables/{guest.table}/advice", json={"seat": 1})
        hint = answer.json()["advice"]
        assert (hint["unit"], hint["stake"]) == ("ante", "5.00")
        for play_row in hint["plays"]:
            assert Fraction(play_row["worth"]["units"]) == Fraction(
                hint["actions"][play_row["play"]]
            )
            assert Fraction(play_row["worth"]["exact"]) == 5 * Fraction(
                hint["actions"][play_row["play"]]
            )
            assert Fraction(play_row["cost"]["units"]) == Fraction(hint["cost"][play_row["play"]])
            assert play_row["worth"]["text"].lstrip("-").startswith("$")

    run(play())


@pytest.mark.long
def test_repeated_weighing_is_recorded_once(
    run: LoopRunner, client: httpx.AsyncClient, server: Server
) -> None:
    async def play() -> None:
        guest = await guest_of(client)
        await deal(guest)
        answers = [(await weigh(guest, "1x", request="same")).text for _ in range(3)]
        assert len(set(answers)) == 1
        advice_facts = [
            fact
            for entry in server.house.ledger.entries(f"practice/{guest.table}")
            for fact in entry.facts
            if fact["fact"] == "advice"
        ]
        assert [fact["play"] for fact in advice_facts] == ["1x"]

    run(play())


@pytest.mark.long
def test_weighing_is_refused_without_a_coach(
    run: LoopRunner, client: httpx.AsyncClient, server: Server, signed_in: SignedIn
) -> None:
    async def play() -> None:
        guest = await guest_of(client)
        early = await weigh(guest, "1x")
        assert (
            early.json()["refused"]["message"]
            == "Seat 1 has no decision to make now. Ask when it is your turn."
        )
        await deal(guest)
        before = server.house.ledger.streams()
        for bad, message in (("9x", "more than 3x, the maximum"), ("jump", "is not a play here")):
            assert message in (await weigh(guest, bad)).json()["refused"]["message"]
        for body in ({}, {"seat": 1}, {"seat": 1, "play": 7}, {"seat": 1, "play": "x" * 99}):
            answer = await client.post(f"/api/tables/{guest.table}/weigh", json=body)
            assert answer.status_code == 422
        sue = Player(signed_in("supervisor"), guest.table)
        assert "is not in seat 1" in (await weigh(sue, "1x")).json()["refused"]["message"]
        assert server.house.ledger.streams() == before
        await guest.accept({"do": "coach", "on": False})
        assert "coach is off" in (await weigh(guest, "1x")).json()["refused"]["message"]
        await table_for(server, STUD, "ann", "bob")
        ann = Player(signed_in("player"), "t")
        refusal = (await weigh(ann, "1x")).json()["refused"]
        assert refusal["message"] == "The coach is only available at practice tables."

    run(play())


@pytest.mark.long
def test_unaffordable_play_is_never_best(run: LoopRunner, client: httpx.AsyncClient) -> None:
    """With $1,000 and an ante of $300, 3x is out of reach, and so is 2x once 1x is bet."""

    async def play() -> None:
        guest = await guest_of(client)
        await guest.accept({"do": "put-wager", "seat": 1, "wager": "ante", "amount": "300"})
        await guest.accept({"do": "close-betting"})
        assert offered_plays(await guest.look()) == ["fold", "1x", "2x"]
        weighed = (await weigh(guest, "1x")).json()["weighed"]
        assert [play_row["play"] for play_row in weighed["plays"] if not play_row["covered"]] == [
            "3x"
        ]
        assert weighed["best"] != "3x"
        refused = (await weigh(guest, "3x")).json()["refused"]
        assert refused["code"] == "not-covered"

    run(play())


@pytest.mark.long
def test_best_play_depends_on_the_wallet(run: LoopRunner, client: httpx.AsyncClient) -> None:
    """$1,000 and an ante of $500: a 1x bet loses all of it with any cards."""

    async def play() -> None:
        guest = await guest_of(client)
        await guest.accept({"do": "put-wager", "seat": 1, "wager": "ante", "amount": "500"})
        short = (await guest.look())["short"]
        assert (short["left"], short["needed"], short["more"]) == ("500.00", "1500.00", "1000.00")
        await guest.accept({"do": "close-betting"})
        assert (await guest.look())["short"] is None
        advice = (await client.post(f"/api/tables/{guest.table}/advice", json={"seat": 1})).json()
        assert advice["advice"]["best"] == "fold"
        assert advice["advice"]["actions"] == {"fold": "-1", "1x": "-2"}
        assert "You have $500 left. Playing to the end costs at least" in advice["advice"]["why"]
        weighed = (await weigh(guest, "1x")).json()["weighed"]
        assert (weighed["best"], weighed["cost"]["text"]) == ("fold", "$500")
        assert [play_row["worth"] is None for play_row in weighed["plays"]] == [
            False,
            False,
            True,
            True,
        ]
        await guest.accept({"do": "decide", "seat": 1, "play": "1x"})
        view = await guest.look()
        message = "Seat 1 has too few chips for the Turn bet, $500 at least: fold."
        assert (view["phase"], view["wallet"]) == ("over", "0.00")
        assert view["result"]["told"] == [{"text": message, "clause": "GEN-10"}]
        review = await fetch_review(guest)
        (decision,) = review["decisions"]
        assert (decision["best"], decision["cost"]["text"], decision["purse"]) == (
            "fold",
            "$500",
            "500.00",
        )
        assert review["summary"]["accuracy"] == "0/1"
        luck = {key: Fraction(review["luck"][key]["exact"]) for key in PARTS}
        assert luck["net"] == -1000
        assert [luck["cost"], luck["absent"], luck["luck"]] == [500, 0, 0]
        assert luck["expected"] - luck["cost"] - luck["short"] == luck["net"]
        (past,) = (await client.get("/api/rounds")).json()["rounds"]
        assert past["settlement"]["told"] == view["result"]["told"]

    run(play())
