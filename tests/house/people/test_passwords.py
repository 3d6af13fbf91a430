"""Password rules: long enough, not common, not the owner's name, in any script."""

from __future__ import annotations

import httpx
import pytest
from tests.house.web.conftest import PASSWORD, LoopRunner, SignedIn

from pitbook.errors import PeopleError
from pitbook.house.people.account_register import STREAM, PasswordSet
from pitbook.house.people.accounts import People
from pitbook.house.people.passwords import COMMON_PASSWORDS, _common_passwords, check_password
from pitbook.house.people.sessions import SESSION_COOKIE
from pitbook.house.web.server import Server

WIDE_PASSWORD = "ｐａｓｓｗｏｒｄ1"
COMMON = ("password", "PASSWORD123", "iloveyou", "xxxxxxxx", "passwordpassword", WIDE_PASSWORD)
NAMED = (
    "annmiller",
    "Ann Miller!",
    "ann-miller-2026",
    "rellimnna",
    "AnnMillerAnnMiller",
    "pitbook1",
)
FINE = ("one two three four", "ann miller likes it", "Zq7$kk0p", "горы и моря", "\0" * 7 + "nul")


def refusal_message(password: str, name: str = "Ann Miller") -> str:
    try:
        check_password(password, name=name, length_min=8)
    except PeopleError as error:
        return str(error)
    return ""


def test_common_passwords_and_names_are_refused() -> None:
    assert [
        password
        for password in COMMON
        if "This password is too easy to guess" not in refusal_message(password)
    ] == []
    assert [
        password for password in NAMED if "Don't use your name" not in refusal_message(password)
    ] == []
    assert [password for password in FINE if refusal_message(password)] == []


def test_password_list_names_its_source() -> None:
    assert len(_common_passwords()) > 19_000
    source = (COMMON_PASSWORDS.parent / "SOURCE.md").read_text()
    assert "Royce Williams" in source
    assert "Redistribution and use in source and binary forms" in source


def test_password_list_applies_to_every_way_to_set_one(people: People) -> None:
    token = people.invite("dealer")
    for change in (
        lambda: people.add("bob", "player", "iloveyou", actor="sue"),
        lambda: people.set_password("ann", "iloveyou", actor="sue"),
        lambda: people.accept(token, "bob", "iloveyou"),
    ):
        with pytest.raises(PeopleError, match="This password is too easy to guess"):
            change()


def test_unicode_forms_of_a_password_are_equal(people: People) -> None:
    people.set_password("ann", "cafe\u0301 ﬁve Ångström", actor="sue")
    assert people.sign_in("ann", "café five Ångström") is not None
    assert people.sign_in("ann", "cafe five Angstrom") is None


def test_password_hashed_without_normalization_still_works(people: People) -> None:
    hasher = people._passwords._hasher
    sealed = people.vault.seal(hasher.hash("ﬁve ﬁfths of it").encode(), "password of ann")
    people.write(lambda _: [PasswordSet("ann", sealed)], actor="sue")
    assert people.sign_in("ann", "ﬁve ﬁfths of it") is not None
    assert people.sign_in("ann", "five fifths of it") is None, "that was another one then"


@pytest.mark.parametrize("password", ["x y" * 333 + "z", "nul \0 inside", "ends in nul\0"])
def test_length_and_nul_do_not_truncate_a_password(people: People, password: str) -> None:
    people.set_password("ann", password, actor="sue")
    assert people.sign_in("ann", password) is not None
    for other in (password + "z", password + "x" * 9_000, password.partition("\0")[0] + "!"):
        assert people.sign_in("ann", other, known_device=True) is None


def test_overlong_password_is_refused(run: LoopRunner, client: httpx.AsyncClient) -> None:
    for name in ("ann", "nobody"):
        given = {"name": name, "password": "x" * 10_000}
        answer = run(client.post("/api/sign-in", json=given))
        assert (answer.status_code, next(iter(answer.json()))) == (422, "error")


def test_people_change_their_own_password(
    run: LoopRunner, people: People, signed_in: SignedIn
) -> None:
    async def ask() -> None:
        ann, elsewhere = signed_in("player"), signed_in("player")
        path, new = "/api/me/password", "quite another one"
        for old, given, status in (
            ("wrong one", new, 403),
            (PASSWORD, "iloveyou", 400),
            (PASSWORD, PASSWORD, 400),
            (PASSWORD, "short", 400),
        ):
            answer = await ann.post(path, json={"old": old, "new": given})
            assert (answer.status_code, next(iter(answer.json()))) == (status, "error")
        answer = await ann.post(path, json={"old": PASSWORD, "new": new})
        assert (answer.status_code, answer.json()) == (200, {"name": "ann", "role": "player"})
        assert (await ann.get("/api/me")).status_code == 200
        assert (await elsewhere.get("/api/me")).status_code == 401, "other browsers sign in again"
        assert people.sign_in("ann", PASSWORD) is None
        assert people.sign_in("ann", new) is not None

    run(ask())
    entries = [*people._ledger.entries(STREAM)]
    recorded_facts = [(entry.actor, fact["fact"]) for entry in entries for fact in entry.facts]
    assert ("ann", "password-refused") in recorded_facts
    assert ("ann", "password-set") in recorded_facts
    assert "wrong one" not in str(entries)


def test_guesses_of_the_old_password_are_delayed(
    run: LoopRunner, server: Server, signed_in: SignedIn
) -> None:
    server.login_throttle.own_passwords._clock = lambda: 0.0

    async def ask() -> None:
        ann = signed_in("player")
        given = {"old": "wrong one", "new": "quite another one"}
        statuses = [(await ann.post("/api/me/password", json=given)).status_code for _ in range(5)]
        assert statuses == [403, 403, 403, 429, 429]

    run(ask())


def test_a_guest_has_no_account_to_change(
    run: LoopRunner, client: httpx.AsyncClient, people: People
) -> None:
    sessions = client._transport.app.state.server.sessions  # type: ignore[attr-defined]
    client.cookies.set(SESSION_COOKIE, sessions.guest()[1])
    for path in ("/api/me/password", "/api/me/factor"):
        answer = run(client.post(path, json={"old": PASSWORD, "new": "quite another one"}))
        assert answer.status_code in (403, 422)
    assert run(client.get("/api/me/account")).status_code == 403
