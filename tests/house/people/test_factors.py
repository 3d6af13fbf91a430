"""The second factor: codes work once and for a minute, and staff must set one up first."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import httpx
import pyotp
import pytest
from fastapi import FastAPI
from tests.house.people.two_person_register import Clock
from tests.house.web.conftest import PASSWORD, LoopRunner, SignedIn, client_of, people_of

from pitbook.errors import CodeNeeded, CodeWrong, PeopleError
from pitbook.house.people.account_register import STREAM, FactorSet, Person
from pitbook.house.people.accounts import Accounts, People, WrongPassword
from pitbook.house.settings import Settings
from pitbook.house.table.live_tables import LiveTables
from pitbook.house.web.access import FACTOR_SETUP_ROUTES, ROUTE_ROLES
from pitbook.house.web.app import create_app
from pitbook.text import say

SUE = Person("sue", "supervisor")


@pytest.fixture
def clock(people: People) -> Clock:
    clock = Clock()
    people.now = clock
    return clock


class Phone:
    """An authenticator with a clock that may be off."""

    def __init__(self, secret: str, clock: Clock) -> None:
        self.totp, self.clock = pyotp.TOTP(secret), clock

    def code(self, **off: float) -> str:
        return self.totp.at(self.clock() + timedelta(**off))


@pytest.fixture
def phone(people: People, clock: Clock) -> Phone:
    """Sue's phone, confirmed a while ago."""
    return enroll_phone(people, clock)[0]


def enroll_phone(people: People, clock: Clock, name: str = "sue") -> tuple[Phone, list[str]]:
    accounts = Accounts(people)
    begun = accounts.begin_factor(name)
    phone = Phone(begun.secret, clock)
    codes = accounts.confirm_factor(name, PASSWORD, begun.pending, phone.code()).codes
    clock.later(minutes=5)
    return phone, codes


def facts(people: People) -> list[dict[str, Any]]:
    return [fact for entry in people._ledger.entries(STREAM) for fact in entry.facts]


def test_password_alone_is_not_enough(people: People, phone: Phone) -> None:
    with pytest.raises(CodeNeeded, match="Enter the code from your authenticator app too"):
        people.sign_in("sue", PASSWORD)
    assert people.sign_in("sue", "wrong one", code=phone.code()) is None, "nor is the code"
    assert people.sign_in("sue", PASSWORD, code=phone.code()) == SUE
    assert facts(people)[-1]["fact"] == "signed-in"


@pytest.mark.parametrize("known_device", [True, False])
def test_a_code_is_good_once(
    people: People, phone: Phone, clock: Clock, known_device: bool
) -> None:
    code = phone.code()
    assert people.sign_in("sue", PASSWORD, code=code) == SUE
    clock.later(seconds=1)
    with pytest.raises(CodeWrong, match="already used"):
        people.sign_in("sue", PASSWORD, code=code, known_device=known_device)
    clock.later(seconds=30)
    assert people.sign_in("sue", PASSWORD, code=phone.code()) == SUE


def test_used_code_is_refused_by_every_server(
    people: People, phone: Phone, clock: Clock, house: LiveTables, settings: Settings
) -> None:
    second = people_of(house, settings)
    second.now = clock
    assert people.sign_in("sue", PASSWORD, code=phone.code()) == SUE
    with pytest.raises(CodeWrong):
        second.sign_in("sue", PASSWORD, code=phone.code())


def test_phone_clock_may_be_a_minute_off(people: People, phone: Phone, clock: Clock) -> None:
    clock.now = clock.now.replace(second=0)
    for off in (-60, 60, 0, -30):  # Each at a later time.
        clock.later(minutes=5)
        assert people.sign_in("sue", PASSWORD, code=phone.code(seconds=off)) == SUE, off
    for off in (-90, 90, 3600):
        clock.later(hours=1)
        with pytest.raises(CodeWrong):
            people.sign_in("sue", PASSWORD, code=phone.code(seconds=off))


@pytest.mark.long
def test_guessed_codes_are_delayed_ever_longer(people: People, phone: Phone, clock: Clock) -> None:
    before = len(facts(people))
    for number in range(200):
        with pytest.raises(CodeWrong):
            people.sign_in("sue", PASSWORD, code=f"{number:06}")
    tried = [fact for fact in facts(people)[before:] if fact["fact"] == "code-failed"]
    assert len(tried) == 3, "the others were not even looked at, and left no row"
    assert len(facts(people)) == before + 3
    with pytest.raises(CodeWrong):
        people.sign_in("sue", PASSWORD, code=phone.code())
    with pytest.raises(CodeWrong):
        people.sign_in("sue", PASSWORD, code="000000", known_device=True)
    code_failure = {"fact": "code-failed", "name": "sue", "known": True, "count": 1, "until": None}
    assert facts(people)[-1] == code_failure
    assert people.sign_in("sue", PASSWORD, code=phone.code(), known_device=True) == SUE, (
        "a known device"
    )
    for number in range(3):
        with pytest.raises(CodeWrong):
            people.sign_in("sue", PASSWORD, code=f"{number:06}")
    clock.later(seconds=30)
    assert people.sign_in("sue", PASSWORD, code=phone.code()) == SUE


@pytest.mark.parametrize("code", ["", " ", "12345", "١٢٣٤٥٦", "\0\0", "x" * 40, "-" * 40, "\ud800"])
def test_malformed_codes_are_refused(people: People, phone: Phone, code: str) -> None:
    with pytest.raises((CodeWrong, CodeNeeded)):
        people.sign_in("sue", PASSWORD, code=code)


def test_spaces_in_a_code_are_ignored(people: People, phone: Phone) -> None:
    code = phone.code()
    assert people.sign_in("sue", PASSWORD, code=f" {code[:3]} {code[3:]} ") == SUE


def test_recovery_codes_are_good_once_each(people: People, clock: Clock) -> None:
    _, codes = enroll_phone(people, clock)
    assert len(set(codes)) == 10
    for code in (codes[3], codes[0].lower().replace("-", " ")):
        assert people.sign_in("sue", PASSWORD, code=code) == SUE
        with pytest.raises(CodeWrong):
            people.sign_in("sue", PASSWORD, code=code)
    assert facts(people)[-1]["fact"] == "code-failed"
    assert people.register.people["sue"].spent == 0b1001


def test_ledger_contains_no_secret_or_recovery_code(people: People, clock: Clock) -> None:
    phone, codes = enroll_phone(people, clock)
    people.sign_in("sue", PASSWORD, code=codes[0])
    written = str(facts(people))
    assert phone.totp.secret not in written
    assert [code for code in codes if code in written or code.replace("-", "") in written] == []
    sealed = people.register.people["sue"].factor
    people.write(lambda _: [FactorSet("ann", 0, str(sealed))], actor="")
    with pytest.raises(Exception, match='The seal of "second factor of ann" does not open'):
        people.sign_in("ann", PASSWORD, code=phone.code())


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            lambda accounts, pending, code: accounts.confirm_factor(
                "sue", "wrong one", pending, code
            ),
            "Wrong password",
        ),
        (
            lambda accounts, pending, code: accounts.confirm_factor(
                "sue", PASSWORD, pending, "000000"
            ),
            "code is wrong",
        ),
        (
            lambda accounts, pending, code: accounts.confirm_factor("dee", PASSWORD, pending, code),
            "belongs to another account",
        ),
        (
            lambda accounts, pending, code: accounts.confirm_factor("sue", PASSWORD, "1.00", code),
            "belongs to another account",
        ),
        (
            lambda accounts, pending, code: accounts.remove_factor("sue", PASSWORD),
            "has no two-step verification",
        ),
    ],
)
def test_factor_setup_is_refused(people: People, clock: Clock, change: Any, message: str) -> None:
    accounts = Accounts(people)
    begun = accounts.begin_factor("sue")
    with pytest.raises(PeopleError, match=message):
        change(accounts, begun.pending, Phone(begun.secret, clock).code())
    assert people.register.people["sue"].factor is None
    clock.later(minutes=31)
    code = Phone(begun.secret, clock).code()
    with pytest.raises(PeopleError, match="This setup expired"):
        accounts.confirm_factor("sue", PASSWORD, begun.pending, code)


def test_password_changed_meanwhile_prevents_confirmation(people: People, clock: Clock) -> None:
    accounts, knows = Accounts(people), people.verify_password
    begun = accounts.begin_factor("sue")

    def change_password_meanwhile(name: str, password: str) -> str | None:
        seal = knows(name, password)
        people.set_password("sue", "the new password", actor="abe")
        return seal

    people.verify_password = change_password_meanwhile  # type: ignore[method-assign]
    code = Phone(begun.secret, clock).code()
    with pytest.raises(WrongPassword):
        accounts.confirm_factor("sue", PASSWORD, begun.pending, code)
    assert people.register.people["sue"].factor is None


def test_supervisor_removes_a_lost_phone_and_a_reset_link_does_not(
    people: People, phone: Phone
) -> None:
    people.set_password("sue", "the new password", actor="sue")
    with pytest.raises(CodeNeeded):
        people.sign_in("sue", "the new password")
    people.change("sue", actor="abe", forget_factor=True)
    people.change("sue", actor="abe", forget_factor=True)
    assert [fact["fact"] for fact in facts(people)].count("factor-removed") == 1
    assert people.sign_in("sue", "the new password") == SUE


# Over HTTP ----------------------------------------------------------------------------------------


@pytest.fixture
def strict(settings: Settings) -> Settings:
    wanted = settings.sign_in.model_copy(update={"second_factor": "staff"})
    return settings.model_copy(update={"sign_in": wanted})


async def set_up(client: httpx.AsyncClient) -> tuple[str, httpx.Response]:
    """The confirming code, and the answer."""
    begun = (await client.post("/api/me/factor", json={})).json()
    assert begun["picture"].startswith("data:image/svg+xml")
    assert begun["uri"].startswith("otpauth://totp/Pitbook:")
    code = pyotp.TOTP(begun["secret"]).now()
    given = {"pending": begun["pending"], "code": code, "password": PASSWORD}
    return code, await client.post("/api/me/factor/confirm", json=given)


def test_staff_must_set_up_a_factor_first(
    run: LoopRunner, house: LiveTables, people: People, strict: Settings
) -> None:
    app = create_app(house, people_of(house, strict), strict)

    async def ask() -> None:
        async with client_of(app) as sue, client_of(app) as ann:
            given = {"name": "sue", "password": PASSWORD}
            answer = await sue.post("/api/sign-in", json=given)
            half = {"name": "sue", "role": "supervisor", "needs": "second-factor"}
            assert (answer.status_code, answer.json()) == (200, half)
            assert (await sue.get("/api/me")).json() == half
            wrong = []
            for path in ("/api/people", "/api/tables", "/api/nights", "/api/pit/drop"):
                response = await sue.get(path)
                if (response.status_code, response.json()["error"]) != (
                    403,
                    say("web.access.factor-first"),
                ):
                    wrong.append(path)
            assert wrong == []
            removed = await sue.post("/api/me/factor/remove", json={"password": PASSWORD})
            assert removed.status_code == 403
            _, confirmed = await set_up(sue)
            assert confirmed.status_code == 200
            assert len(confirmed.json()["recovery_codes"]) == 10
            assert (await sue.get("/api/people")).status_code == 200
            account = (await sue.get("/api/me/account")).json()
            assert account["second_factor"]
            assert account["required"]
            assert account["recovery_codes"] == 10
            answer = await ann.post("/api/sign-in", json={"name": "ann", "password": PASSWORD})
            assert answer.json() == {"name": "ann", "role": "player"}, "players need none"
            assert (await ann.get("/api/tables")).status_code == 200

    run(ask())


def test_routes_before_factor_setup_are_a_short_list() -> None:
    assert set(ROUTE_ROLES) >= FACTOR_SETUP_ROUTES
    assert len(FACTOR_SETUP_ROUTES) == 6


def test_signing_in_with_a_code_over_http(
    run: LoopRunner, app: FastAPI, people: People, signed_in: SignedIn
) -> None:
    async def ask() -> None:
        ann, elsewhere = signed_in("player"), signed_in("player")
        code, confirmed = await set_up(ann)
        assert confirmed.status_code == 200
        assert (await ann.get("/api/me")).status_code == 200
        assert (await elsewhere.get("/api/me")).status_code == 401, "other sign-ins end"
        given = {"name": "ann", "password": PASSWORD}
        async with client_of(app) as phone:
            response = await phone.post("/api/sign-in", json=given)
            assert (response.status_code, next(iter(response.json()))) == (428, "error")
            replayed = await phone.post("/api/sign-in", json=given | {"code": code})
            assert replayed.status_code == 401, "the code that confirmed it is used"
            recovery = confirmed.json()["recovery_codes"][0]
            answer = await phone.post("/api/sign-in", json=given | {"code": recovery})
            assert (answer.status_code, answer.json()) == (200, {"name": "ann", "role": "player"})
            wrong = await phone.post("/api/me/factor/remove", json={"password": "wrong one"})
            assert wrong.status_code == 403
            done = await phone.post("/api/me/factor/remove", json={"password": PASSWORD})
            assert done.status_code == 200
        assert people.sign_in("ann", PASSWORD) is not None
        listed = (await signed_in("supervisor").get("/api/people")).json()["people"]
        assert "second_factor" not in listed[0]

    run(ask())
