"""Sessions: signed, limited in time, and revoked by account changes."""

from __future__ import annotations

import base64
import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from fastapi import FastAPI
from starlette.responses import Response
from tests.house.web.conftest import (
    NAMES,
    PASSWORD,
    LoopRunner,
    SignedIn,
    client_of,
    cookie_line,
    people_of,
)

from pitbook.house.people.account_register import STREAM, Person, Role
from pitbook.house.people.accounts import People
from pitbook.house.people.sessions import SESSION_COOKIE, Sessions
from pitbook.house.settings import Settings
from pitbook.house.table.live_tables import LiveTables
from pitbook.house.web.app import create_app
from pitbook.house.web.server import Server
from pitbook.text import say

SECRET = b"s" * 32
NOON = datetime(2026, 1, 2, 12, tzinfo=UTC)


class Clock:
    now = NOON

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def sessions(people: People, settings: Settings, clock: Clock) -> Sessions:
    return Sessions(SECRET, people, settings, clock=clock)


ANN = Person("ann", "player")


def test_token_names_its_person(sessions: Sessions) -> None:
    session = sessions.read(sessions.issue(ANN))
    assert session is not None
    assert session.person == ANN
    assert (session.issued, session.expires - session.issued) == (NOON.timestamp(), 12 * 3600)


def test_two_tokens_are_never_the_same(sessions: Sessions) -> None:
    assert sessions.issue(ANN) != sessions.issue(ANN)


def test_a_token_ends_after_twelve_hours(sessions: Sessions, clock: Clock) -> None:
    token = sessions.issue(ANN)
    clock.now = NOON + timedelta(hours=11, minutes=59, seconds=59)
    assert sessions.read(token) is not None
    clock.now = NOON + timedelta(hours=12)
    assert sessions.read(token) is None


def test_no_single_character_can_be_changed(sessions: Sessions) -> None:
    token = sessions.issue(ANN)
    for place, letter in enumerate(token):
        other = "A" if letter != "A" else "B"
        assert sessions.read(token[:place] + other + token[place + 1 :]) is None, place
    for cut in range(len(token)):
        assert sessions.read(token[:cut]) is None, cut
    assert sessions.read(token + "A") is None
    assert sessions.read(token + "=") is None


def test_another_payload_under_the_same_seal_is_refused(sessions: Sessions) -> None:
    _, mac = sessions.issue(ANN).split(".")
    session = sessions.read(sessions.issue(ANN))
    assert session is not None
    forged = json.dumps([*session._replace(name="sue", role="supervisor")]).encode()
    payload = base64.urlsafe_b64encode(forged).rstrip(b"=").decode()
    assert sessions.read(f"{payload}.{mac}") is None
    assert sessions.read(f"{payload}.") is None
    assert sessions.read(payload) is None


def test_a_token_of_another_house_is_refused(
    people: People, settings: Settings, sessions: Sessions, clock: Clock
) -> None:
    foreign = Sessions(b"t" * 32, people, settings, clock=clock)
    assert foreign.read(foreign.issue(ANN)) is not None
    assert sessions.read(foreign.issue(ANN)) is None


@pytest.mark.parametrize("token", [None, "", ".", "..", "a.b", "\xe4.\xe4", "x" * 5_000, "\ud800"])
def test_malformed_token_is_refused(sessions: Sessions, token: str | None) -> None:
    assert sessions.read(token) is None


@pytest.mark.parametrize(
    "content", ["{}", "[]", '["ann"]', "1", '["ann","king",1,9999999999,"n",1]']
)
def test_signed_token_of_another_format_is_refused(sessions: Sessions, content: str) -> None:
    payload = base64.urlsafe_b64encode(content.encode()).rstrip(b"=").decode()
    mac = base64.urlsafe_b64encode(sessions._tokens._mac(payload)).rstrip(b"=").decode()
    assert sessions.read(f"{payload}.{mac}") is None


@pytest.mark.parametrize("name", ["x" * 60, "\U00010330" * 60])
def test_the_longest_names_fit(sessions: Sessions, people: People, name: str) -> None:
    people.add(name, "player", PASSWORD, actor="")
    token = sessions.issue(Person(name, "player"))
    assert sessions.read(token) is not None


@pytest.mark.parametrize("change", ["disabled", "role", "password"])
def test_account_changes_end_every_session(sessions: Sessions, people: People, change: str) -> None:
    tokens = [sessions.issue(ANN), sessions.issue(ANN)]
    other = sessions.issue(Person("dee", "dealer"))
    if change == "disabled":
        people.disable("ann", actor="sue")
    elif change == "role":
        people.set_role("ann", "brush", actor="sue")
    else:
        people.set_password("ann", "another password", actor="sue")
    assert [sessions.read(token) for token in tokens] == [None, None]
    assert sessions.read(other) is not None
    if change == "disabled":
        people.enable("ann", actor="sue")
        assert sessions.read(tokens[0]) is None, "what was ended stays ended"
    person = people.register.people["ann"].person
    assert sessions.read(sessions.issue(person)) is not None


def test_signing_out_ends_one_session(sessions: Sessions, people: People) -> None:
    first, second = sessions.issue(ANN), sessions.issue(ANN)
    session = sessions.read(first)
    assert session is not None
    sessions.end(session)
    assert sessions.read(first) is None
    assert sessions.read(second) is not None
    before = people.register.seq
    sessions.end(session)
    assert people.register.seq == before, "once is enough"


def test_session_of_an_unknown_person_is_refused(sessions: Sessions) -> None:
    assert sessions.read(sessions.issue(Person("nobody", "player"))) is None


def test_guests_have_distinct_names_and_are_recorded_only_at_sign_out(
    sessions: Sessions, people: People
) -> None:
    before = people.register.seq
    (guest, token), (other_guest, _) = sessions.guest(), sessions.guest()
    assert guest.name.startswith("guest-")
    assert guest != other_guest
    session = sessions.read(token)
    assert session is not None
    assert session.person == guest == Person(guest.name, "guest")
    assert people.catch_up().seq == before
    sessions.end(session)
    assert sessions.read(token) is None


def test_another_process_reads_the_same_sessions(
    house: LiveTables, people: People, settings: Settings, sessions: Sessions, clock: Clock
) -> None:
    other_people = people_of(house, settings)
    other = Sessions(SECRET, other_people, settings, clock=clock)
    people.add("bob", "player", PASSWORD, actor="sue")
    bob = sessions.issue(Person("bob", "player"))
    assert "bob" not in other_people.register.people
    assert other.read(bob) is not None, "it reads on when a token rests on more than it has read"
    people.disable("bob", actor="sue")
    assert sessions.read(bob) is None
    other_people.catch_up()
    assert other.read(bob) is None


# Over HTTP ----------------------------------------------------------------------------------------


def flags(cookie: str) -> set[str]:
    return {part.strip().split("=")[0] for part in cookie.split(";")[1:]}


def test_the_cookie_is_out_of_reach_of_scripts_and_other_sites(
    run: LoopRunner, app: FastAPI, server: Server
) -> None:
    async def ask() -> None:
        async with client_of(app) as client:
            given = {"name": "ann", "password": PASSWORD}
            answer = await client.post("/api/sign-in", json=given)
            assert (answer.status_code, answer.json()) == (200, {"name": "ann", "role": "player"})
            cookie = cookie_line(answer)
            assert cookie.startswith(f"{SESSION_COOKIE}=")
            assert flags(cookie) == {"HttpOnly", "Max-Age", "Path", "SameSite"}
            assert "SameSite=strict" in cookie
            assert "Path=/" in cookie
            assert "Max-Age=43200" in cookie
            assert (await client.get("/api/me")).json() == {"name": "ann", "role": "player"}

    run(ask())


def test_behind_tls_the_cookie_is_secure(
    house: LiveTables, people: People, settings: Settings
) -> None:
    secure = create_app(house, people, settings.model_copy(update={"https": True}))
    sessions: Sessions = secure.state.server.sessions
    for change in (lambda response: sessions.set_cookie(response, "token"), sessions.clear_cookie):
        response = Response()
        change(response)
        assert {"Secure", "HttpOnly", "SameSite"} <= flags(cookie_line(response))


def test_copied_cookie_is_invalid_after_signing_out(
    run: LoopRunner, app: FastAPI, server: Server, signed_in: SignedIn
) -> None:
    async def ask() -> None:
        ann = signed_in("player")
        token = ann.cookies[SESSION_COOKIE]
        answer = await ann.post("/api/sign-out")
        assert answer.status_code == 204
        assert "Max-Age=0" in cookie_line(answer)
        async with client_of(app) as thief:
            thief.cookies.set(SESSION_COOKIE, token)
            answer = await thief.get("/api/me")
            assert (answer.status_code, answer.json()["error"]) == (401, say("web.access.nobody"))
            assert (await thief.post("/api/sign-out")).status_code == 204

    run(ask())


def test_disabled_person_loses_the_session_at_once(
    run: LoopRunner, server: Server, signed_in: SignedIn
) -> None:
    async def ask() -> None:
        ann = signed_in("player")
        assert (await ann.get("/api/me")).status_code == 200
        server.people.disable("ann", actor="sue")
        assert (await ann.get("/api/me")).status_code == 401

    run(ask())


@pytest.mark.parametrize("role", ["guest", *NAMES])
def test_every_role_can_read_its_identity(run: LoopRunner, signed_in: SignedIn, role: Role) -> None:
    answer = run(signed_in(role).get("/api/me"))
    assert (answer.status_code, answer.json()["role"]) == (200, role)


def test_the_answer_over_http_is_the_same_for_every_wrong_credential(
    run: LoopRunner, server: Server, app: Any
) -> None:
    people = server.people
    for _ in range(3):
        people.sign_in("dee", "wrong one")
    people.disable("ben", actor="sue")
    tried = [("ann", "wrong one"), ("nobody", PASSWORD), ("dee", PASSWORD), ("ben", PASSWORD)]
    tried += [("", ""), ("ann\x00", PASSWORD), ("x" * 200, PASSWORD), ("../people", PASSWORD)]

    async def ask() -> None:
        async with client_of(app) as client:
            answers = []
            for name, password in tried:
                given = {"name": name, "password": password}
                answer = await client.post("/api/sign-in", json=given)
                headers = sorted((k, v) for k, v in answer.headers.items() if k != "date")
                answers.append((answer.status_code, answer.content, headers))
            assert answers[0][0] == 401
            assert b"Wrong name or password" in answers[0][1]
            assert [answer for answer in answers if answer != answers[0]] == []

    run(ask())


def test_supervisor_manages_accounts(run: LoopRunner, server: Server, signed_in: SignedIn) -> None:
    async def ask() -> None:
        sue = signed_in("supervisor")
        given = {"name": "bob", "password": PASSWORD, "role": "dealer"}
        answer = await sue.post("/api/people", json=given)
        row = {"name": "bob", "role": "dealer", "disabled": False, "locked": False}
        assert (answer.status_code, answer.json()) == (201, row)
        answer = await sue.post("/api/people", json=given)
        assert (answer.status_code, next(iter(answer.json()))) == (400, "error")
        change = {"name": "bob", "role": "player", "disabled": True, "password": "a new password"}
        answer = await sue.patch("/api/people", json=change | {"why": "tests"})
        assert answer.json() == row | {"role": "player", "disabled": True}
        answer = await sue.patch("/api/people", json={"name": "bob", "disabled": False})
        assert answer.json() == row | {"role": "player"}
        assert server.people.sign_in("bob", "a new password") == Person("bob", "player")
        for _ in range(3):
            server.people.sign_in("bob", "wrong one")
        listed = (await sue.get("/api/people")).json()["people"]
        assert [person for person in listed if person["locked"]] == [
            row | {"role": "player", "locked": True}
        ]
        answer = await sue.patch("/api/people", json={"name": "bob", "unlock": True})
        assert answer.json() == row | {"role": "player"}
        answer = await sue.patch("/api/people", json={"name": "eve", "unlock": True})
        assert answer.status_code == 404

    run(ask())
    actors = {entry.actor for entry in server.house.ledger.entries(STREAM) if entry.seq > 10}
    assert "sue" in actors


def test_invited_person_signs_in(run: LoopRunner, app: Any, signed_in: SignedIn) -> None:
    async def ask() -> None:
        answer = await signed_in("supervisor").post("/api/invitations", json={"role": "brush"})
        assert answer.status_code == 201
        path = answer.json()["path"]
        async with client_of(app) as client:
            assert (await client.get(path)).json()["role"] == "brush"
            given = {"name": "ida", "password": PASSWORD}
            answer = await client.post(path, json=given | {"password": "short"})
            assert answer.json()["error"] == "A password needs 8 to 1000 characters."
            answer = await client.post(path, json=given)
            assert (answer.status_code, answer.json()) == (201, {"name": "ida", "role": "brush"})
            assert (await client.get("/api/me")).json() == {"name": "ida", "role": "brush"}
            assert (await client.post(path, json=given)).status_code == 404
            assert (await client.get(path)).status_code == 404

    run(ask())
