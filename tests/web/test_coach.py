"""The coach over HTTP: weighed before, reckoned up after, and the same spot once more."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from tests.table.watching import cards_in
from tests.web.conftest import WEAK, WIDE, Running, SignedIn
from tests.web.live import SHEETS, Json
from tests.web.test_routes_tables import STUD, Player, guest_of
from tests.web.test_socket import table_for

from pitbook.cards import card
from pitbook.shoe.proof import verify
from pitbook.train.review import Review, review
from pitbook.web import coaching
from pitbook.web.coaching import Reviews
from pitbook.web.server import Server
from pitbook.web.settings import Settings
from pitbook.web.sums import Sums

Choose = Callable[[list[str], int], str]


@pytest.fixture
def settings(tmp_path: Any) -> Settings:
    """Hundreds of rounds at once are no abuse here."""
    wide = WIDE.model_copy(update={"commands_per_second": 1e6, "commands_burst": 10**6})
    return Settings(data=tmp_path, sign_in=WEAK, limits=wide)


def last(plays: list[str], number: int) -> str:
    return plays[-1]


def first(plays: list[str], number: int) -> str:
    return plays[0]


def by_turns(plays: list[str], number: int) -> str:
    return plays[number % len(plays)]


async def decide(player: Player, choose: Choose = last, start: int = 0) -> list[str]:
    """Play a hand to its end; the plays that were made."""
    made: list[str] = []
    while plays := able(await player.look()):
        made.append(choose(plays, start + len(made)))
        await player.fine({"do": "decide", "seat": 1, "play": made[-1]})
    return made


def able(view: Json) -> list[str]:
    (offer,) = (one for one in view["offers"] if one["do"] == "decide" and one["seat"] == 1)
    return [one["play"] for one in offer["choices"] if "refused" not in one]


async def deal(player: Player) -> None:
    """The least of every wager, or those of the last round."""
    view = await player.look()
    if view["round"] is None:
        await player.bet(1)
    else:
        await player.fine({"do": "rebet", "seat": 1})
    await player.fine({"do": "close-betting"})


async def rounds(player: Player, count: int, choose: Choose = by_turns) -> None:
    for number in range(count):
        await deal(player)
        await decide(player, choose, number)


async def coach(player: Player, **asked: Any) -> Json:
    answer = await player.http.get(f"/api/tables/{player.table}/coach", params=asked)
    assert answer.status_code == 200, answer.text
    found: Json = answer.json()
    return found


async def weigh(player: Player, play: str, **more: Any) -> httpx.Response:
    body = {"seat": 1, "play": play, **more}
    return await player.http.post(f"/api/tables/{player.table}/weigh", json=body)


async def spot(player: Player, **wanted: Any) -> httpx.Response:
    return await player.http.post(f"/api/tables/{player.table}/spots", json=wanted)


# Before a decision --------------------------------------------------------------------------------


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


def test_no_weighing_where_there_is_no_coach(
    run: Running, client: httpx.AsyncClient, server: Server, signed_in: SignedIn
) -> None:
    async def play() -> None:
        guest = await guest_of(client)
        early = await weigh(guest, "1x")
        assert early.json()["refused"]["message"] == "nothing is to be decided at seat 1 now"
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


# After decisions ----------------------------------------------------------------------------------


@pytest.mark.parametrize("sheet", SHEETS)
def test_luck_skill_and_expectation_are_the_net_of_the_ledger(
    run: Running, client: httpx.AsyncClient, sheet: str
) -> None:
    async def play() -> None:
        guest = await guest_of(client, sheet)
        await rounds(guest, 8)
        found = await coach(guest)
        luck = {key: Fraction(found["luck"][key]["exact"]) for key in found["luck"] if key in PARTS}
        lost = luck["cost"] + luck["absent"] + luck["short"]
        assert luck["expected"] - lost + luck["luck"] == luck["net"]
        recalled = (await client.get("/api/rounds", params={"count": 100})).json()["rounds"]
        nets = [one["settlement"]["seats"][0]["net"] for one in recalled]
        assert found["luck"]["rounds"] == len(nets) == 8
        assert luck["net"] == sum(map(Fraction, nets))
        costs = [Fraction(one["cost"]["exact"]) for one in found["decisions"]]
        assert sum(costs) == luck["cost"] == Fraction(found["summary"]["cost"]["exact"])
        assert found["summary"]["mistakes"] == sum(cost > 0 for cost in costs)
        assert found["summary"]["decisions"] == found["total"] == len(costs)
        best = found["summary"]["best"]
        assert found["summary"]["accuracy"] == f"{best}/{len(costs)}"
        made = [play for one in reversed(recalled) for play in one["seats"][0]["plays"]]
        assert [one["play"] for one in reversed(found["decisions"])] == made

    run(play())


PARTS = ("expected", "cost", "absent", "short", "luck", "net")


def test_the_log_says_what_was_known_and_what_had_been_told(
    run: Running, client: httpx.AsyncClient
) -> None:
    async def play() -> None:
        guest = await guest_of(client)
        await deal(guest)
        view = await guest.look()
        await weigh(guest, "3x")
        await weigh(guest, "2x")
        await guest.fine({"do": "decide", "seat": 1, "play": "1x"})
        await client.post(f"/api/tables/{guest.table}/advice", json={"seat": 1})
        await guest.fine({"do": "decide", "seat": 1, "play": "2x"})
        turn = await guest.look()
        await guest.fine({"do": "decide", "seat": 1, "play": "3x"})
        river, second, first = (await coach(guest))["decisions"]
        assert first["cards"] == view["seats"][0]["cards"]
        assert (first["board"], first["before"]) == ([], [])
        assert first["wagers"] == [["ante", "5.00"], ["three-card-bonus", "1.00"]]
        assert (first["tried"], first["first"], first["advised"]) == (["3x", "2x"], "3x", True)
        three = next(one for one in first["plays"] if one["play"] == "3x")
        assert Fraction(first["first_cost"]["exact"]) == Fraction(three["cost"]["exact"])
        assert (second["tried"], second["first"], second["advised"]) == ([], "2x", True)
        assert (second["before"], second["street"]) == (["1x"], "turn")
        assert river["board"] == [one for one in turn["board"]["cards"] if one]
        assert (river["advised"], river["wagers"][2]) == (False, ["turn", "10.00"])
        assert river["street_title"] == "River bet"
        assert first["at"] < second["at"] < river["at"]

    run(play())


def test_filters_and_files(run: Running, client: httpx.AsyncClient) -> None:
    async def play() -> None:
        guest = await guest_of(client)
        await rounds(guest, 10)
        every = (await coach(guest, count=1000))["decisions"]
        for asked, wanted in (
            ({"mistakes": True}, [one for one in every if one["mistake"]]),
            ({"street": "turn"}, [one for one in every if one["street"] == "turn"]),
            ({"sheet": SHEETS[1]}, []),
            ({"sheet": STUD}, every),
            (
                {"min_cost": "2.50"},
                [one for one in every if Fraction(one["cost"]["exact"]) >= Fraction(5, 2)],
            ),
            ({"advised": True}, []),
            ({"arranged": False}, every),
        ):
            found = await coach(guest, **asked)
            assert found["decisions"] == wanted, asked
            assert found["summary"]["decisions"] == found["total"] == len(wanted)
            assert found["all"]["decisions"] == len(every), "the headline is of everything"
        assert (await coach(guest, count=3))["decisions"] == every[:3]
        assert (await coach(guest, sheet=SHEETS[1]))["luck"]["rounds"] == 0
        assert (await coach(guest, street="turn"))["luck"]["rounds"] == 10
        answer = await client.get(
            f"/api/tables/{guest.table}/coach", params={"format": "csv", "mistakes": True}
        )
        assert answer.headers["content-type"] == "text/csv; charset=utf-8"
        assert "attachment" in answer.headers["content-disposition"]
        rows = list(csv.DictReader(io.StringIO(answer.text)))
        mistakes = [one for one in every if one["mistake"]]
        assert [(row["round"], row["street"], row["cost exact"]) for row in rows] == [
            (one["round"], one["street"], one["cost"]["exact"]) for one in reversed(mistakes)
        ]
        for bad in ({"min_cost": "-1"}, {"min_cost": "x"}, {"count": 0}, {"format": "xml"}):
            answer = await client.get(f"/api/tables/{guest.table}/coach", params=bad)
            assert answer.status_code in (400, 422)
            assert answer.json()["error"]

    run(play())


def test_all_ones_tables_together(
    run: Running, app: FastAPI, client: httpx.AsyncClient, signed_in: SignedIn
) -> None:
    async def play() -> None:
        ann = signed_in("player")
        tables = [await guest_of(ann, sheet) for sheet in (STUD, SHEETS[2])]
        for one in tables:
            await rounds(one, 3)
        stranger = await guest_of(client)
        await rounds(stranger, 1)
        both = (await ann.get("/api/coach")).json()
        each = [await coach(one) for one in tables]
        assert (both["player"], both["table"]) == ("ann", None)
        assert both["total"] == sum(one["total"] for one in each)
        assert both["luck"]["rounds"] == 6
        assert Fraction(both["luck"]["luck"]["exact"]) == sum(
            Fraction(one["luck"]["luck"]["exact"]) for one in each
        )
        assert [one["at"] for one in both["decisions"]] == sorted(
            (one["at"] for one in both["decisions"]), reverse=True
        )
        assert {one["table"] for one in both["decisions"]} == {one.table for one in tables}
        for other in (ann, signed_in("supervisor"), signed_in("auditor")):
            answer = await other.get(f"/api/tables/{stranger.table}/coach")
            assert answer.status_code == 403
            assert "yours" in answer.json()["error"] or "practice" in answer.json()["error"]
        empty = (await signed_in("dealer").get("/api/coach")).json()
        assert empty["summary"]["accuracy"] is None
        assert empty["decisions"] == []

    run(play())


def test_the_coach_looks_at_no_house_table(
    run: Running, server: Server, signed_in: SignedIn
) -> None:
    async def play() -> None:
        await table_for(server, STUD, "ann", "bob")
        answer = await signed_in("player").get("/api/tables/t/coach")
        assert answer.status_code == 403
        refused = await spot(Player(signed_in("player"), "t"), missed=True)
        assert refused.json()["refused"]["message"] == (
            "spots are arranged at practice tables; this is a house table"
        )

    run(play())


def test_a_round_in_play_is_reckoned_while_the_coach_is_on(
    run: Running, client: httpx.AsyncClient
) -> None:
    async def play() -> None:
        guest = await guest_of(client)
        await deal(guest)
        assert (await coach(guest))["total"] == 0
        await guest.fine({"do": "decide", "seat": 1, "play": "3x"})
        found = await coach(guest)
        assert [one["play"] for one in found["decisions"]] == ["3x"]
        assert found["luck"]["rounds"] == 0
        seen = cards_in(await guest.look())
        assert cards_in([one["cards"] + one["board"] for one in found["decisions"]]) <= seen
        await guest.fine({"do": "coach", "on": False})
        assert (await coach(guest))["total"] == 0
        await decide(guest)
        assert (await coach(guest))["total"] == 3

    run(play())


def test_several_hundred_rounds_are_worked_out_once(
    run: Running, client: httpx.AsyncClient, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play() -> None:
        guest = await guest_of(client)
        await rounds(guest, 40, first)
        table = server.table(guest.table)
        reviews, worked = Reviews(Sums()), 0

        def counted(*given: Any, **more: Any) -> Review:
            nonlocal worked
            worked += 1
            return review(*given, **more)

        monkeypatch.setattr(coaching, "review", counted)
        found = await reviews.of(server.house.ledger, table)
        assert (len(found), worked) == (40, 40)
        await rounds(guest, 2, first)
        again = await reviews.of(server.house.ledger, table)
        assert (len(again), worked) == (42, 42)
        assert again[:40] == found
        fresh = await Reviews(Sums()).of(server.house.ledger, table)
        assert (fresh, worked) == (again, 84)

    run(play())


def test_other_rules_are_no_trouble(
    run: Running, client: httpx.AsyncClient, server: Server, signed_in: SignedIn
) -> None:
    async def play() -> None:
        guest = await guest_of(client)
        await rounds(guest, 2)
        assert (await coach(guest))["luck"]["rounds"] == 2
        sue = Player(signed_in("supervisor"), guest.table)
        await sue.fine({"do": "change-sheet", "sheet": SHEETS[3]})
        for count in (3, 4):
            await guest.bet(1)
            await guest.fine({"do": "close-betting"})
            await decide(guest)
            found = await coach(guest)
            assert found["luck"]["rounds"] == count
        assert (await coach(guest, sheet=STUD))["luck"]["rounds"] == 2
        assert (await coach(guest, sheet=SHEETS[3]))["luck"]["rounds"] == 2
        streets = {one["street"] for one in (await coach(guest, sheet=SHEETS[3]))["decisions"]}
        assert streets == {"1st-raise", "2nd-raise", "3rd-raise"}
        old = await spot(guest, round=f"{guest.table}-000001", stage=0)
        assert old.status_code == 404  # It was played by other rules.

    run(play())


# Spots again --------------------------------------------------------------------------------------


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


def test_a_missed_spot_that_is_asked_for_again_is_the_same(
    run: Running, client: httpx.AsyncClient
) -> None:
    async def play() -> None:
        guest = await guest_of(client)
        await rounds(guest, 12)
        answers = {(await spot(guest, missed=True, request="one")).text for _ in range(6)}
        assert len(answers) == 1

    run(play())


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
        assert answer.json()["error"] == "no decision at this table is left to be practised"

    run(play())


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
