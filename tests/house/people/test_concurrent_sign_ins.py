"""An attempt counts from its start, so a burst does not avoid the delay."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any

import httpx
import pyotp
import pytest
from fastapi import FastAPI
from tests.house.people.two_person_register import Clock
from tests.house.web.conftest import NAMES, PASSWORD, LoopRunner, SignedIn, client_of

from pitbook.errors import CodeWrong
from pitbook.house.people.account_register import FACTS, STREAM, dump_register, load_register
from pitbook.house.people.accounts import Accounts, People
from pitbook.house.people.login_throttle import SignInAttempt, Throttle
from pitbook.house.web.server import Server

NEW = "thiefs own pw 9"


def facts(people: People, kind: str) -> list[dict[str, Any]]:
    all_facts = (fact for entry in people._ledger.entries(STREAM) for fact in entry.facts)
    return [fact for fact in all_facts if fact["fact"] == kind]


def phone_of(people: People, name: str) -> pyotp.TOTP:
    accounts = Accounts(people)
    begun = accounts.begin_factor(name)
    totp = pyotp.TOTP(begun.secret)
    accounts.confirm_factor(name, PASSWORD, begun.pending, totp.at(people.now()))
    return totp


async def sign_in(client: httpx.AsyncClient, name: str, password: str, **more: str) -> int:
    given = {"name": name, "password": password, **more}
    return (await client.post("/api/sign-in", json=given)).status_code


def test_burst_at_a_known_device_gets_three_wrong_passwords(
    run: LoopRunner, app: FastAPI, server: Server, people: People
) -> None:
    server.login_throttle.known_devices._clock = lambda: 0.0

    async def ask() -> None:
        async with client_of(app) as known_browser:
            assert await sign_in(known_browser, "ann", PASSWORD) == 200
            tried = [sign_in(known_browser, "ann", f"guess {number}") for number in range(30)]
            assert Counter(await asyncio.gather(*tried)) == {401: 3, 429: 27}
            assert await sign_in(known_browser, "ann", PASSWORD) == 429, "it waits now"
        assert len(facts(people, "sign-in-failed")) == 3

    run(ask())


def test_burst_of_correct_passwords_leaves_no_delay(run: LoopRunner, app: FastAPI) -> None:
    async def ask() -> None:
        async with client_of(app) as known_browser:
            assert await sign_in(known_browser, "ann", PASSWORD) == 200
            statuses = Counter(
                await asyncio.gather(*[sign_in(known_browser, "ann", PASSWORD) for _ in range(9)])
            )
            assert statuses[200] >= 3
            assert statuses[200] + statuses[429] == 9
            assert [await sign_in(known_browser, "ann", PASSWORD) for _ in range(9)] == [200] * 9

    run(ask())


@pytest.mark.parametrize("path", ["/api/me/password", "/api/me/factor/remove"])
def test_burst_at_ones_own_password_gets_three_tries(
    run: LoopRunner, server: Server, people: People, signed_in: SignedIn, path: str
) -> None:
    server.login_throttle.own_passwords._clock = lambda: 0.0

    async def ask() -> None:
        ann = signed_in("player")
        bodies = {"/api/me/password": ("old", {"new": NEW})}
        field, more = bodies.get(path, ("password", {}))
        tried = [ann.post(path, json={field: f"guess {n}", **more}) for n in range(40)]
        assert Counter(answer.status_code for answer in await asyncio.gather(*tried)) == {
            403: 3,
            429: 37,
        }
        assert len(facts(people, "password-refused")) == 3

    run(ask())


def test_wrong_codes_of_known_devices_are_recorded_and_delayed(people: People) -> None:
    clock = Clock()
    people.now = clock
    phone = phone_of(people, "sue")
    clock.later(minutes=5)
    for number in range(50):
        with pytest.raises(CodeWrong):
            people.sign_in("sue", PASSWORD, code=f"{number:06}", known_device=True)
    until = "2026-01-02T12:05:05.000000+00:00"
    code_failure = {"fact": "code-failed", "name": "sue", "known": True}
    assert facts(people, "code-failed") == [
        code_failure | {"count": 1, "until": None},
        code_failure | {"count": 2, "until": None},
        code_failure | {"count": 3, "until": until},
    ], "the others were not even looked at"
    with pytest.raises(CodeWrong):
        people.sign_in("sue", PASSWORD, code=phone.at(clock()), known_device=True)
    snapshot = dump_register(people.register)
    assert load_register(snapshot, seq=people.register.seq) == people.register
    clock.later(seconds=5)
    assert people.sign_in("sue", PASSWORD, code=phone.at(clock()), known_device=True) is not None
    assert people.register.people["sue"].known_missed == 0


def test_wrong_codes_of_known_and_unknown_devices_count_apart(people: People) -> None:
    """A thief with only the password cannot lock the owner out of a known browser."""
    clock = Clock()
    people.now = clock
    phone = phone_of(people, "sue")
    clock.later(minutes=5)
    for _ in range(9):
        with pytest.raises(CodeWrong):
            people.sign_in("sue", PASSWORD, code="000000")
    assert people.sign_in("sue", PASSWORD, code=phone.at(clock()), known_device=True) is not None
    clock.later(minutes=5)
    for _ in range(9):
        with pytest.raises(CodeWrong):
            people.sign_in("sue", PASSWORD, code="000000", known_device=True)
    people.unlock("sue", actor="abe")
    assert people.sign_in("sue", PASSWORD, code=phone.at(clock()), known_device=True) is not None


def test_code_failure_of_an_older_ledger_is_read(people: People) -> None:
    old = FACTS.load({"fact": "code-failed", "name": "sue", "known": True})
    people.write(lambda _: [old], actor="")
    record = people.register.people["sue"]
    assert (record.missed, record.known_missed) == (0, 0)
    snapshot = dump_register(people.register)
    snapshot["people"] = [fields[:12] for fields in snapshot["people"]]
    assert {*load_register(snapshot, seq=1).people} == {*NAMES.values()}


@pytest.mark.long
@pytest.mark.parametrize("burst", [1, 40])
def test_reset_link_does_not_allow_guessing_codes(
    run: LoopRunner, app: FastAPI, people: People, server: Server, burst: int
) -> None:
    """The link makes the browser known, but proves no phone."""
    people.now = Clock()
    phone_of(people, "sue")
    time_ = [0.0]
    server.login_throttle.known_devices._clock = lambda: time_[0]

    async def ask() -> None:
        link = server.resets.make("sue", actor="abe")
        async with client_of(app) as thief:
            reset_answer = await thief.post(f"/api/resets/{link.token}", json={"password": NEW})
            assert reset_answer.status_code == 200
            for minute in range(60 // burst + 1):
                code = {"code": f"{minute:06}"}
                await asyncio.gather(*[sign_in(thief, "sue", NEW, **code) for _ in range(burst)])
                time_[0] += 61
        assert len(facts(people, "code-failed")) == 3
        assert people.register.people["sue"].missed == 3

    run(ask())


def test_one_attempt_at_a_time_after_the_free_failures() -> None:
    time_ = [0.0]
    throttle = Throttle(free=2, delay_max_s=60, clock=lambda: time_[0])
    with SignInAttempt([(throttle, "a")]), SignInAttempt([(throttle, "a")]):
        assert throttle.seconds_left("a") == 1, "both may fail"
        assert throttle.seconds_left("b") == 0
    assert throttle.seconds_left("a") == 0
    with SignInAttempt([(throttle, "a")]) as first:
        first.fail()
    with SignInAttempt([(throttle, "a")]) as second:
        assert throttle.seconds_left("a") == 1
        second.fail()
    assert throttle.seconds_left("a") == 5
    time_[0] += 5
    assert throttle.seconds_left("a") == 0
    with SignInAttempt([(throttle, "a")]):
        assert throttle.seconds_left("a") == 1
    assert throttle.seconds_left("a") == 0, "what succeeds costs nothing"
    time_[0] += 120
    with SignInAttempt([(throttle, "a")]):
        assert throttle.seconds_left("a") == 0, "the failures are forgotten"


def test_dropped_connection_counts_as_a_failure() -> None:
    throttle = Throttle(free=1, delay_max_s=60, clock=lambda: 0.0)
    with pytest.raises(asyncio.CancelledError), SignInAttempt([(throttle, "a")]):
        raise asyncio.CancelledError
    assert throttle.seconds_left("a") == 5
    with pytest.raises(ValueError, match="ours"), SignInAttempt([(throttle, "b")]):
        raise ValueError("ours")
    assert throttle.seconds_left("b") == 0
