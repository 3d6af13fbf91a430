"""The coach over HTTP before a decision: every play is weighed, nothing is given away."""

from __future__ import annotations

from fractions import Fraction

import httpx
import pytest
from tests.house.web.coached import (
    PARTS,
    able,
    coach,
    deal,
    decide,
    settings,  # noqa: F401  Hundreds of rounds are no abuse here.
    weigh,
)
from tests.house.web.conftest import Running, SignedIn
from tests.house.web.live import SHEETS
from tests.house.web.sat_down import table_for
from tests.house.web.test_routes_tables import STUD, Player, guest_of

from pitbook.house.web.server import Server


@pytest.mark.long
@pytest.mark.parametrize("sheet", SHEETS)
def test_a_play_is_weighed_before_it_is_made(
    run: Running, client: httpx.AsyncClient, server: Server, sheet: str
) -> None:
    async def play() -> None:
        guest = await guest_of(client, sheet)
        await deal(guest)
        before = await guest.look()
        plays = able(before)
        answers = {play: (await weigh(guest, play)).json()["weighed"] for play in plays}
        (best,) = {one["best"] for one in answers.values()}
        for play, one in answers.items():
            assert one["play"] == play
            assert [worth["play"] for worth in one["plays"]] == plays
            worth = {worth["play"]: Fraction(worth["worth"]["exact"]) for worth in one["plays"]}
            assert Fraction(one["cost"]["exact"]) == worth[best] - worth[play]
            assert one["is_best"] == (worth[best] == worth[play])
            assert (one["sentence"] == f"{best} is best.") == (play == best)
            assert one["why"].endswith(".")
        after = await guest.look()
        assert (after["seats"], after["phase"]) == (before["seats"], before["phase"])
        await decide(guest)
        (told,) = (await client.get(f"/api/tables/{guest.table}/rounds")).json()["rounds"]
        assert [one["play"] for one in told["advice"]] == plays
        assert told["advice"][0]["text"].startswith(answers[plays[0]]["sentence"])

    run(play())


def test_a_hint_has_dollars_too(run: Running, client: httpx.AsyncClient) -> None:
    async def play() -> None:
        guest = await guest_of(client)
        await deal(guest)
        answer = await client.post(f"/api/tables/{guest.table}/advice", json={"seat": 1})
        hint = answer.json()["advice"]
        assert (hint["unit"], hint["stake"]) == ("ante", "5.00")
        for one in hint["plays"]:
            assert Fraction(one["worth"]["units"]) == Fraction(hint["actions"][one["play"]])
            assert Fraction(one["worth"]["exact"]) == 5 * Fraction(hint["actions"][one["play"]])
            assert Fraction(one["cost"]["units"]) == Fraction(hint["cost"][one["play"]])
            assert one["worth"]["text"].lstrip("-").startswith("$")

    run(play())


@pytest.mark.long
def test_a_weighing_that_is_sent_again_is_on_record_once(
    run: Running, client: httpx.AsyncClient, server: Server
) -> None:
    async def play() -> None:
        guest = await guest_of(client)
        await deal(guest)
        answers = [(await weigh(guest, "1x", request="same")).text for _ in range(3)]
        assert len(set(answers)) == 1
        told = [
            fact
            for entry in server.house.ledger.entries(f"practice/{guest.table}")
            for fact in entry.facts
            if fact["fact"] == "advice"
        ]
        assert [one["play"] for one in told] == ["1x"]

    run(play())


@pytest.mark.long
def test_no_weighing_where_there_is_no_coach(
    run: Running, client: httpx.AsyncClient, server: Server, signed_in: SignedIn
) -> None:
    async def play() -> None:
        guest = await guest_of(client)
        early = await weigh(guest, "1x")
        assert (
            early.json()["refused"]["message"]
            == "nothing is to be decided at seat 1 now; ask when it waits for you"
        )
        await deal(guest)
        before = server.house.ledger.streams()
        for bad, said in (("9x", "is more than 3x"), ("jump", "no play here")):
            assert said in (await weigh(guest, bad)).json()["refused"]["message"]
        for body in ({}, {"seat": 1}, {"seat": 1, "play": 7}, {"seat": 1, "play": "x" * 99}):
            answer = await client.post(f"/api/tables/{guest.table}/weigh", json=body)
            assert answer.status_code == 422
        sue = Player(signed_in("supervisor"), guest.table)
        assert "does not sit at seat 1" in (await weigh(sue, "1x")).json()["refused"]["message"]
        assert server.house.ledger.streams() == before
        await guest.fine({"do": "coach", "on": False})
        assert "coach is off" in (await weigh(guest, "1x")).json()["refused"]["message"]
        await table_for(server, STUD, "ann", "bob")
        ann = Player(signed_in("player"), "t")
        refusal = (await weigh(ann, "1x")).json()["refused"]
        assert refusal["message"] == "there is no coach at a house table; advice is for practice"

    run(play())


@pytest.mark.long
def test_what_cannot_be_paid_for_is_not_called_best(
    run: Running, client: httpx.AsyncClient
) -> None:
    """With $1,000 and an ante of $300, 3x is out of reach, and so is 2x once 1x is bet."""

    async def play() -> None:
        guest = await guest_of(client)
        await guest.fine({"do": "put-wager", "seat": 1, "wager": "ante", "amount": "300"})
        await guest.fine({"do": "close-betting"})
        assert able(await guest.look()) == ["fold", "1x", "2x"]
        weighed = (await weigh(guest, "1x")).json()["weighed"]
        assert [one["play"] for one in weighed["plays"] if not one["covered"]] == ["3x"]
        assert weighed["best"] != "3x"
        refused = (await weigh(guest, "3x")).json()["refused"]
        assert refused["code"] == "not-covered"

    run(play())


@pytest.mark.long
def test_the_purse_as_it_is_decides_what_is_best(run: Running, client: httpx.AsyncClient) -> None:
    """$1,000 and an ante of $500: whatever the cards, 1x is a sure loss of all of it."""

    async def play() -> None:
        guest = await guest_of(client)
        await guest.fine({"do": "put-wager", "seat": 1, "wager": "ante", "amount": "500"})
        short = (await guest.look())["short"]
        assert (short["left"], short["needed"], short["more"]) == ("500.00", "1500.00", "1000.00")
        await guest.fine({"do": "close-betting"})
        assert (await guest.look())["short"] is None
        told = (await client.post(f"/api/tables/{guest.table}/advice", json={"seat": 1})).json()
        assert told["advice"]["best"] == "fold"
        assert told["advice"]["actions"] == {"fold": "-1", "1x": "-2"}
        assert "$500 is left and cannot take the hand" in told["advice"]["why"]
        weighed = (await weigh(guest, "1x")).json()["weighed"]
        assert (weighed["best"], weighed["cost"]["text"]) == ("fold", "$500")
        assert [one["worth"] is None for one in weighed["plays"]] == [False, False, True, True]
        await guest.fine({"do": "decide", "seat": 1, "play": "1x"})
        view = await guest.look()
        said = "Seat 1 has too few chips for the Turn bet, $500 at least: fold."
        assert (view["phase"], view["wallet"]) == ("over", "0.00")
        assert view["result"]["told"] == [{"text": said, "clause": "GEN-10"}]
        found = await coach(guest)
        (made,) = found["decisions"]
        assert (made["best"], made["cost"]["text"], made["purse"]) == ("fold", "$500", "500.00")
        assert found["summary"]["accuracy"] == "0/1"
        luck = {key: Fraction(found["luck"][key]["exact"]) for key in PARTS}
        assert luck["net"] == -1000
        assert [luck["cost"], luck["absent"], luck["luck"]] == [500, 0, 0]
        assert luck["expected"] - luck["cost"] - luck["short"] == luck["net"]
        (past,) = (await client.get("/api/rounds")).json()["rounds"]
        assert past["settlement"]["told"] == view["result"]["told"]

    run(play())
