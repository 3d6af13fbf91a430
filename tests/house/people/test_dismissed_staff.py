"""Links made by dismissed staff end with their role."""

from __future__ import annotations

from typing import Any

import pytest
from fastapi import FastAPI
from tests.house.people.two_person_register import (  # noqa: F401  Fixtures too.
    Open,
    data_folder_fixture,
    manual_clock,
    people_opener,
)
from tests.house.web.conftest import PASSWORD, LoopRunner, client_of

from pitbook.house.ledger.streams import SnapshotPolicy
from pitbook.house.people.account_register import (
    STREAM,
    PeopleRegister,
    Person,
    dump_register,
    load_register,
)
from pitbook.house.people.accounts import PasswordResets, People
from pitbook.house.people.sessions import SESSION_COOKIE
from pitbook.house.web.server import Server

NEW = "one two three five"


def dismiss(people: People, how: str) -> None:
    if how == "role":
        people.set_role("sid", "player", actor="sue")
    else:
        people.disable("sid", actor="sue", why="dismissed")
    if how == "enabled again":
        people.enable("sid", actor="sue")


@pytest.mark.long
@pytest.mark.parametrize("how", ["disabled", "enabled again", "role"])
def test_links_end_with_the_supervisors_role(
    run: LoopRunner, app: FastAPI, server: Server, people: People, how: str
) -> None:
    people.add("sid", "supervisor", PASSWORD, actor="sue")

    async def ask() -> None:
        async with client_of(app) as sid, client_of(app) as back:
            sid.cookies.set(SESSION_COOKIE, server.sessions.issue(Person("sid", "supervisor")))
            invited = await sid.post("/api/invitations", json={"role": "supervisor"})
            reset_answer = await sid.post("/api/resets", json={"name": "sue"})
            dismiss(people, how)
            given = {"name": "totally new", "password": NEW}
            answer = await back.post(invited.json()["path"], json=given)
            assert answer.status_code == 404
            answer = await back.post(reset_answer.json()["path"], json={"password": NEW})
            assert answer.status_code == 404
        assert people.sign_in("sue", PASSWORD) is not None

    run(ask())


def test_links_of_others_stay_valid(people: People) -> None:
    people.add("sid", "supervisor", PASSWORD, actor="sue")
    token, link = (
        people.invite("dealer", actor="sue"),
        PasswordResets(people).make("ann", actor="sue"),
    )
    machine = people.invite("supervisor", actor="sid at the machine")
    dismiss(people, "disabled")
    assert people.role_of_invitation(token) == "dealer"
    assert people.role_of_invitation(machine) == "supervisor"
    assert PasswordResets(people).owner_of(link.token) == "ann"
    people.set_password("sue", NEW, actor="sue")
    assert people.role_of_invitation(token) == "dealer"


def old_snapshot(register: PeopleRegister) -> dict[str, Any]:
    """A snapshot in the old format, which does not say who made a link."""
    snapshot = dump_register(register)
    for links in (snapshot["invitations"], snapshot["resets"]):
        links.update({token: fields[:2] for token, fields in links.items()})
    return snapshot


def test_old_snapshot_without_link_makers_is_ignored(
    open_people: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The entry says who made a link, in older ledgers too."""
    old = open_people()
    for name in ("sue", "sid"):
        old.add(name, "supervisor", PASSWORD, actor="desk")
    token, link = old.invite("dealer", actor="sid"), PasswordResets(old).make("sue", actor="sid")
    with monkeypatch.context() as before:
        often = SnapshotPolicy(lambda: 1, old_snapshot, lambda *_: None)
        before.setattr(old._writer._reader, "_snapshots", often)
        old.unlock("sue", actor="sue")
        old.sign_in("sue", PASSWORD)
    assert old._ledger.latest_snapshot(STREAM) is not None
    people = open_people()
    assert people.register == old.register
    dismiss(people, "disabled")
    assert people.role_of_invitation(token) is None
    assert PasswordResets(people).owner_of(link.token) is None


def test_snapshot_records_who_made_a_link(people: People) -> None:
    people.invite("dealer", actor="sue")
    PasswordResets(people).make("ann", actor="sue")
    snapshot = dump_register(people.register)
    assert load_register(snapshot, seq=people.register.seq) == people.register
