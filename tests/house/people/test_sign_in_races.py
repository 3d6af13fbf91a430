"""A sign-in depends on the password that was checked; changes in between end it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import httpx
import pyotp
import pytest
from fastapi import FastAPI
from tests.house.web.conftest import PASSWORD, LoopRunner, SignedIn, client_of

from pitbook.errors import PeopleError
from pitbook.house.people import accounts as accounts_module
from pitbook.house.people import routes
from pitbook.house.people.accounts import People

NEW = "her new secret 77"
THIRD = "quite another one"
Meanwhile = Callable[[], None]


def run_before_call(
    monkeypatch: pytest.MonkeyPatch, owner: Any, name: str, change: Meanwhile
) -> None:
    """Run a change once, just before a function is called."""
    done: list[bool] = []
    real = getattr(owner, name)

    def change_and_call(*given: Any, **named: Any) -> Any:
        if not done:
            done.append(True)
            change()
        return real(*given, **named)

    monkeypatch.setattr(owner, name, change_and_call)


async def session_of(client: httpx.AsyncClient) -> int:
    return (await client.get("/api/me")).status_code


@pytest.mark.parametrize("change", ["password", "disabled", "reset", "role", "nothing"])
def test_account_change_before_the_cookie_ends_the_session(
    run: LoopRunner, app: FastAPI, people: People, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    resets = app.state.server.resets
    link = resets.make("ann", actor="sue").token

    def meanwhile() -> None:
        if change == "password":
            people.set_password("ann", NEW, actor="sue")
        elif change == "disabled":
            people.disable("ann", actor="sue")
            people.enable("ann", actor="sue")
        elif change == "role":
            people.set_role("ann", "dealer", actor="sue")
            people.set_role("ann", "player", actor="sue")
        elif change == "reset":
            resets.use(link, NEW)

    run_before_call(monkeypatch, routes, "link_guest_play", meanwhile)

    async def ask() -> None:
        async with client_of(app) as thief:
            given = {"name": "ann", "password": PASSWORD}
            assert (await thief.post("/api/sign-in", json=given)).status_code == 200
            assert await session_of(thief) == (200 if change == "nothing" else 401)

    run(ask())


def test_password_set_during_an_invitation_ends_the_session(
    run: LoopRunner, app: FastAPI, people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = f"/api/invitations/{people.invite('brush', actor='sue')}"

    def meanwhile() -> None:
        people.set_password("ida", NEW, actor="sue")

    run_before_call(monkeypatch, routes, "link_guest_play", meanwhile)

    async def ask() -> None:
        async with client_of(app) as ida:
            given = {"name": "ida", "password": PASSWORD}
            assert (await ida.post(path, json=given)).status_code == 201
            assert await session_of(ida) == 401

    run(ask())


@pytest.mark.parametrize("what", ["password", "confirm", "remove"])
def test_own_account_change_depends_on_its_own_entry(
    run: LoopRunner,
    people: People,
    signed_in: SignedIn,
    monkeypatch: pytest.MonkeyPatch,
    what: str,
) -> None:
    """A password change a moment later ends the session."""
    real = people.write

    def write_and_change(decide: Any, *, actor: str) -> Any:
        written = real(decide, actor=actor)
        if actor == "ann":
            real(lambda _: [people.password_event("ann", THIRD)], actor="sue")
        return written

    async def ask() -> None:
        ann = signed_in("player")
        given, path = {"old": PASSWORD, "new": NEW}, "/api/me/password"
        if what != "password":
            begun = (await ann.post("/api/me/factor")).json()
            given = {"pending": begun["pending"], "password": PASSWORD}
            given["code"] = pyotp.TOTP(begun["secret"]).now()
            path = "/api/me/factor/confirm"
        if what == "remove":
            assert (await ann.post(path, json=given)).status_code == 200
            given, path = {"password": PASSWORD}, "/api/me/factor/remove"
        monkeypatch.setattr(people, "write", write_and_change)
        assert (await ann.post(path, json=given)).status_code == 200
        assert await session_of(ann) == 401

    run(ask())


@pytest.mark.parametrize("change", ["confirm_factor", "remove_factor", "change_password"])
def test_ended_session_is_not_renewed(people: People, change: str) -> None:
    """A person disabled during the password check changes nothing."""
    accounts, knows = accounts_module.Accounts(people), people.verify_password
    begun = accounts.begin_factor("ann")
    code = pyotp.TOTP(begun.secret).at(people.now())
    if change == "remove_factor":
        accounts.confirm_factor("ann", PASSWORD, begun.pending, code)

    def disable_meanwhile(name: str, password: str) -> str | None:
        seal = knows(name, password)
        people.disable("ann", actor="sue")
        return seal

    people.verify_password = disable_meanwhile  # type: ignore[method-assign]
    given = {
        "confirm_factor": (PASSWORD, begun.pending, code),
        "remove_factor": (PASSWORD,),
        "change_password": (PASSWORD, NEW),
    }[change]
    with pytest.raises(PeopleError):
        getattr(accounts, change)("ann", *given)
