"""Exclusion over HTTP: excluded players cannot buy in, enter or sit down."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from tests.house.nights.night_over_http import EVENT, T1, Evening, one_evening  # noqa: F401  A fixture.
from tests.house.web.conftest import PASSWORD, LoopRunner, SignedIn
from tests.house.web.live_server import SHEETS
from tests.house.web.seated_players import table_for
from tests.house.web.test_routes_tables import Player

from pitbook.house.people.accounts import People
from pitbook.house.web.server import Server

ANN = {"name": "Ann", "until": None, "zone": "UTC", "why": "asked for it"}


def exclude(run: LoopRunner, sue: httpx.AsyncClient, **given: Any) -> dict[str, Any]:
    answer = run(sue.post("/api/exclusions", json=ANN | given))
    assert answer.status_code == 201, answer.text
    exclusion: dict[str, Any] = answer.json()
    return exclusion


def test_supervisors_exclude_and_readmit_and_auditors_read(
    run: LoopRunner, signed_in: SignedIn
) -> None:
    sue, abe = signed_in("supervisor"), signed_in("auditor")
    exclusion = exclude(run, sue, name="Max Muster", until="2099-12-31")
    assert (exclusion["name"], exclusion["until"], exclusion["by"], exclusion["holds"]) == (
        *("Max Muster", "2099-12-31"),
        *("sue", True),
    )
    assert run(abe.get("/api/exclusions")).json() == {"excluded": [exclusion]}
    assert run(abe.post("/api/exclusions", json=ANN)).status_code == 403
    for body, message in (
        (ANN | {"name": "Max Müster"}, 'looks like "Max Muster"'),
        (ANN | {"until": "2020-01-01"}, "is over (UTC)"),
        (ANN | {"why": ""}, "Enter the reason"),
    ):
        answer = run(sue.post("/api/exclusions", json=body))
        assert (answer.status_code, message in answer.json()["error"]) == (400, True)
    end = {"name": "MAX MUSTER", "why": "the order was lifted"}
    assert run(sue.post("/api/exclusions/end", json=end)).json() == {"name": "Max Muster"}
    assert run(sue.get("/api/exclusions")).json() == {"excluded": []}
    assert run(sue.post("/api/exclusions/end", json=end)).status_code == 400


def test_exclusion_is_a_significant_event(run: LoopRunner, signed_in: SignedIn) -> None:
    exclude(run, signed_in("supervisor"))
    events = run(signed_in("auditor").get("/api/pit/events")).json()["events"]
    event_keys = [(event["stream"], event["what"], event["why"]) for event in events]
    assert ("persons", "excluded", "asked for it") in event_keys
    assert not {"named", "taken-up"} & {event["what"] for event in events}


def test_cage_sells_nothing_to_excluded_players_and_cashes_out(
    run: LoopRunner, signed_in: SignedIn
) -> None:
    sue = signed_in("supervisor")
    paid = {"player": "ANN", "amount": "100", "request": "a"}
    assert run(sue.post("/api/cage/buy-in", json=paid)).is_success
    exclude(run, sue)
    refusal = run(sue.post("/api/cage/buy-in", json=paid | {"request": "b"}))
    assert refusal.status_code == 409
    assert refusal.json()["error"].startswith("ann is permanently excluded and cannot buy in")
    # A repeated request gets its earlier answer.
    again = run(sue.post("/api/cage/buy-in", json=paid))
    assert (again.status_code, again.json()["again"]) == (200, True)
    assert run(sue.post("/api/cage/cash-out", json=paid | {"request": "c"})).is_success
    assert run(sue.get("/api/cage/Ann")).json()["balance"] == "0.00"


def test_excluded_player_cannot_sign_in_and_staff_can(
    run: LoopRunner, people: People, signed_in: SignedIn, client: httpx.AsyncClient
) -> None:
    sue = signed_in("supervisor")
    exclude(run, sue)
    exclude(run, sue, name="dee")
    right, wrong = (
        {"name": "ann", "password": password} for password in (PASSWORD, "another word")
    )
    refusal = run(client.post("/api/sign-in", json=right))
    assert (refusal.status_code, "ann is permanently excluded" in refusal.json()["error"]) == (
        403,
        True,
    )
    assert run(client.post("/api/sign-in", json=wrong)).status_code == 401
    fine = run(client.post("/api/sign-in", json={"name": "DEE", "password": PASSWORD}))
    assert fine.json() == {"name": "dee", "role": "dealer"}


def test_excluded_player_finishes_the_hand_and_offers_agree(
    run: LoopRunner, server: Server, signed_in: SignedIn
) -> None:
    async def play() -> None:
        await table_for(server, SHEETS[0], "ann")
        ann, http = Player(signed_in("player"), "t"), signed_in("player")
        await ann.accept({"do": "sit", "seat": 1})
        server.people.persons.exclude("ann", until=None, why="asked for it", actor="sue")
        view = (await http.get("/api/tables/t")).json()
        refused = {offer["do"]: offer.get("refused", {}).get("code") for offer in view["offers"]}
        assert refused["leave"] is None
        wager = {"do": "put-wager", "seat": 1, "wager": "ante", "amount": "10.00"}
        body = {"request": "x", "command": wager}
        answer = await http.post("/api/tables/t/commands", json=body)
        assert answer.json()["refused"]["code"] == "excluded"
        await ann.accept({"do": "leave", "seat": 1})
        sit = {"request": "y", "command": {"do": "sit", "seat": 1}}
        answer = await http.post("/api/tables/t/commands", json=sit)
        assert answer.json()["refused"]["code"] == "excluded"
        answer = await http.post("/api/practice", json={"sheet": SHEETS[0]})
        assert answer.json()["refused"]["code"] == "excluded"

    run(play())


@pytest.mark.long
def test_excluded_player_gets_and_uses_no_ticket(
    evening: Evening, client: httpx.AsyncClient, run: LoopRunner
) -> None:
    evening.open_night().set_up("bob", "cat")
    token = evening.get(f"/{EVENT}{T1}/ticket?player=BOB")
    assert token["player"] == "bob"
    exclude(run, evening.client("supervisor"), name="Bob")
    organiser = evening.client("organiser")
    refusal = run(organiser.get(f"/api/nights/{EVENT}{T1}/ticket?player=bob"))
    assert refusal.json()["refused"]["code"] == "excluded"
    path = f"/api/check-in/{token['token']}"
    for by, to in ((organiser, path), (client, f"{path}/play")):
        answer = run(by.post(to, json={"request": "r"}))
        assert answer.json()["refused"]["code"] == "excluded", answer.text


def test_event_refuses_excluded_players(evening: Evening, run: LoopRunner) -> None:
    evening.open_night().set_up("bob")
    evening.must(f"/{EVENT}/cage/sell", player="bob", amount="20")
    exclude(run, evening.client("supervisor"), name="Bob")
    refusal = evening.no(f"/{EVENT}/cage/sell", player="BOB", amount="20")
    assert refusal["code"] == "excluded"
    assert evening.refusal_of("check-in", player="bob")["code"] == "excluded"
    assert evening.must(f"/{EVENT}/cage/redeem", player="BOB", amount="20")["player"] == "bob"
    evening.do("refund", player="Bob")


@pytest.mark.parametrize("name", ["ann", "Ann", "ÁNN", "Zoe (2)"])
def test_invitation_cannot_take_another_persons_name(
    people: People, run: LoopRunner, client: httpx.AsyncClient, name: str
) -> None:
    path = f"/api/invitations/{people.invite('player')}"
    answer = run(client.post(path, json={"name": name, "password": PASSWORD}))
    assert (answer.status_code, "is taken or looks like" in answer.json()["error"]) == (400, True)
    people.add("Ann (2)", "player", PASSWORD, actor="sue")
    assert people.sign_in("ann(2)", PASSWORD) is not None
