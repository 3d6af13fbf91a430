"""A reset link works once, for its person, for some hours, and is recorded."""

from __future__ import annotations

from datetime import timedelta

import httpx
import pytest
from fastapi import FastAPI
from tests.house.web.conftest import LoopRunner, SignedIn, client_of

from pitbook.errors import PeopleError
from pitbook.house.people.account_register import STREAM
from pitbook.house.people.accounts import PasswordResets, People, invalid_reset_link
from pitbook.house.web.server import Server

NEW = "quite another one"


def test_reset_link_sets_a_password_once(
    run: LoopRunner, app: FastAPI, people: People, signed_in: SignedIn
) -> None:
    async def ask() -> None:
        sue, ann = signed_in("supervisor"), signed_in("player")
        reset_answer = await sue.post("/api/resets", json={"name": "ANN"})
        assert reset_answer.status_code == 201
        assert reset_answer.json()["name"] == "ann"
        path = reset_answer.json()["path"]
        for _ in range(5):
            people.sign_in("ann", "a stranger's guess")
        async with client_of(app) as phone:
            assert (await phone.get(path)).json()["name"] == "ann"
            assert (await phone.get(path, headers={"accept": "text/html"})).status_code == 200
            for bad in ("short", "iloveyou", "annannann"):
                assert (await phone.post(path, json={"password": bad})).status_code == 400
            done = await phone.post(path, json={"password": NEW})
            assert (done.status_code, done.json()) == (200, {"name": "ann"})
            assert (await phone.get("/api/me")).status_code == 401, "it signs nobody in"
            assert (await ann.get("/api/me")).status_code == 401, "all sign-ins end"
            given = {"name": "ann", "password": NEW}
            assert (await phone.post("/api/sign-in", json=given)).status_code == 200
            thief = await phone.post(path, json={"password": "a thief's own one"})
            assert (thief.status_code, thief.json()["error"]) == (404, invalid_reset_link())
            assert (await phone.get(path, headers={"accept": "text/html"})).status_code == 404
        token = path.rpartition("/")[2]
        entries = [*people._ledger.entries(STREAM)]
        recorded_facts = [(entry.actor, fact["fact"]) for entry in entries for fact in entry.facts]
        assert [fact_row for fact_row in recorded_facts if "reset" in fact_row[1]] == [
            ("sue", "reset-made"),
            ("ann", "reset-used"),
        ]
        assert token not in str(entries)
        events = (await sue.get("/api/pit/events")).json()["events"]
        reset_events = [event for event in events if event["what"] == "reset-made"]
        assert [(event["who"], event["after"]["name"]) for event in reset_events] == [
            ("sue", "ann")
        ]
        assert "token" not in reset_events[0]["after"]

    run(ask())


@pytest.mark.parametrize(
    "spoilt", ["expired", "disabled", "enabled again", "another link", "password set", "changed"]
)
def test_reset_link_is_voided_by_account_changes(people: People, spoilt: str) -> None:
    resets = PasswordResets(people)
    token = resets.make("ann", actor="sue").token
    assert resets.owner_of(token) == "ann"
    if spoilt == "expired":
        late = people.now() + timedelta(hours=4, seconds=1)
        people.now = lambda: late
    elif spoilt == "another link":
        resets.make("ann", actor="sue")
    elif spoilt in ("password set", "changed"):
        people.set_password("ann", NEW, actor="sue")
    else:
        people.disable("ann", actor="sue")
        with pytest.raises(PeopleError, match=r'"ann" is disabled. Enable the account first.'):
            resets.make("ann", actor="sue")
        if spoilt == "enabled again":
            people.enable("ann", actor="sue")
    assert resets.owner_of(token) is None
    with pytest.raises(PeopleError, match="has been used, has expired or was not issued here"):
        resets.use(token, "a thief's own one")


def test_reset_link_used_concurrently_works_once(people: People) -> None:
    resets = PasswordResets(people)
    token = resets.make("ann", actor="sue").token
    hashed = people.password_event

    def use_first(name: str, password: str) -> object:
        if password == NEW:
            resets.use(token, "the faster one of the two")
        return hashed(name, password)

    people.password_event = use_first  # type: ignore[assignment, method-assign]
    with pytest.raises(PeopleError, match="has been used, has expired or was not issued here"):
        resets.use(token, NEW)
    assert people.sign_in("ann", "the faster one of the two") is not None


def test_snapshot_has_reset_links(people: People) -> None:
    from pitbook.house.people.account_register import dump_register, load_register

    PasswordResets(people).make("ann", actor="sue")
    snapshot = dump_register(people.register)
    assert load_register(snapshot, seq=people.register.seq) == people.register
    older = {key: value for key, value in snapshot.items() if key != "resets"}
    assert load_register(older, seq=1).resets == {}, (
        "a register that was kept before there were any"
    )


def test_guessing_links_is_slow(run: LoopRunner, client: httpx.AsyncClient, server: Server) -> None:
    server.login_throttle.addresses._clock = lambda: 0.0
    statuses = [run(client.get(f"/api/resets/{number}")).status_code for number in range(33)]
    assert (statuses[0], statuses[-1]) == (404, 429)
