"""Names, passwords, roles and invitations: accepted, refused and recorded."""

from __future__ import annotations

from typing import Any

import pytest
from tests.house.people.two_person_register import (  # noqa: F401  Fixtures too.
    Clock,
    Open,
    data_folder_fixture,
    facts,
    kinds,
    manual_clock,
    people_opener,
    two_people,
)
from tests.house.web.conftest import PASSWORD

from pitbook.errors import PeopleError
from pitbook.house.people.account_register import Person
from pitbook.house.people.accounts import People

RULE = "Use printable text of up to 60 characters without a slash."
ANOTHER = 'Choose another, or add a number as in "Zoe (2)".'


@pytest.mark.parametrize(
    "role", ["player", "dealer", "supervisor", "auditor", "organiser", "brush", "cashier"]
)
def test_every_role_can_be_given(people: People, role: Any) -> None:
    people.add("bob", role, PASSWORD, actor="sue")
    assert people.sign_in("bob", PASSWORD) == Person("bob", role)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("", f'"" is not a valid name. {RULE}'),
        ("x" * 61, f'"{"x" * 60}" is not a valid name. {RULE}'),
        (" ann", f'" ann" is not a valid name. {RULE}'),
        ("a\nb", f'"a\\nb" is not a valid name. {RULE}'),
        ("\ud800", f'"\\ud800" is not a valid name. {RULE}'),
        ("a/b", f'"a/b" is not a valid name. {RULE}'),
        ("guest-1", '"guest-1" is reserved. Choose another name.'),
        ("Clock", '"Clock" is reserved. Choose another name.'),
        ("ann", f'"ann" is taken or looks like another name. {ANOTHER}'),
        ("Ann", f'"Ann" is taken or looks like another name. {ANOTHER}'),
        ("ａnn", f'"ａnn" is taken or looks like another name. {ANOTHER}'),
    ],
)
def test_invalid_and_taken_names_are_refused(people: People, name: str, message: str) -> None:
    before = len(facts(people._ledger))
    with pytest.raises(PeopleError) as error:
        people.add(name, "player", PASSWORD, actor="sue")
    assert str(error.value) == message
    assert len(facts(people._ledger)) == before


@pytest.mark.parametrize("name", ["x" * 60, "Ann Lee", "Zoë", "王"])
def test_valid_names_are_accepted(people: People, name: str) -> None:
    people.add(name, "player", PASSWORD, actor="sue")
    assert people.sign_in(name, PASSWORD) == Person(name, "player")


@pytest.mark.parametrize("password", ["", "x" * 7, "x" * 1_001])
def test_password_length_is_limited(people: People, password: str) -> None:
    for change in (
        lambda: people.add("bob", "player", password, actor="sue"),
        lambda: people.set_password("ann", password, actor="sue"),
        lambda: people.accept(people.invite("dealer"), "bob", password),
    ):
        with pytest.raises(PeopleError, match="A password needs 8 to 1000 characters"):
            change()


@pytest.mark.parametrize("password", ["x " * 3 + "yz", "x y" * 333 + "z"])
def test_password_at_the_length_limits_is_accepted(people: People, password: str) -> None:
    people.set_password("ann", password, actor="sue")
    assert people.sign_in("ann", password) is not None
    assert people.sign_in("ann", password[:-1]) is None


def test_new_password_forgives_failures_and_replaces_the_old_one(people: People) -> None:
    for _ in range(3):
        people.sign_in("ann", "wrong one")
    people.set_password("ann", "another password", actor="sue")
    assert people.sign_in("ann", PASSWORD) is None
    assert people.sign_in("ann", "another password") is not None


def test_account_is_disabled_and_enabled(people: People) -> None:
    people.disable("ann", actor="sue", why="asked for it")
    assert facts(people._ledger)[-1] == {"fact": "disabled", "name": "ann", "why": "asked for it"}
    assert people.sign_in("ann", PASSWORD) is None
    before = len(facts(people._ledger))
    people.disable("ann", actor="sue")
    assert len(facts(people._ledger)) == before
    people.enable("ann", actor="sue", why="a year has passed")
    assert people.sign_in("ann", PASSWORD) is not None
    before = len(facts(people._ledger))
    people.enable("ann", actor="sue")
    assert len(facts(people._ledger)) == before


def test_role_change_records_the_previous_role(people: People) -> None:
    people.set_role("ann", "dealer", actor="sue")
    change = {"fact": "role-changed", "name": "ann", "role": "dealer", "before": "player"}
    assert facts(people._ledger)[-1] == change
    people.set_role("ann", "dealer", actor="sue")
    assert kinds(people._ledger).count("role-changed") == 1


def test_last_supervisor_cannot_be_removed(people: People) -> None:
    message = '"sue" is the only supervisor. Add another one first.'
    with pytest.raises(PeopleError, match=message):
        people.disable("sue", actor="sue")
    with pytest.raises(PeopleError, match=message):
        people.set_role("sue", "player", actor="sue")
    people.set_role("ann", "supervisor", actor="sue")
    people.disable("sue", actor="ann")
    with pytest.raises(PeopleError, match='"ann" is the only supervisor'):
        people.disable("ann", actor="ann")
    people.set_role("sue", "player", actor="ann")
    assert people.has_supervisor()


@pytest.mark.parametrize("change", ["set_role", "set_password", "disable", "enable", "unlock"])
def test_changes_need_an_existing_account(people: People, change: str) -> None:
    given = {"set_role": ("dealer",), "set_password": (PASSWORD,)}.get(change, ())
    with pytest.raises(PeopleError, match=r'There is no account "anne". Did you mean "ann"\?'):
        getattr(people, change)("anne", *given, actor="sue")


def test_an_empty_register_says_so(open_people: Open) -> None:
    with pytest.raises(
        PeopleError, match=r'There is no account "ann". No accounts have been added.'
    ):
        open_people().unlock("ann", actor="")


def test_an_invitation_works_once(open_people: Open) -> None:
    people = open_people()
    assert not people.has_supervisor()
    token = people.invite("supervisor", only=True)
    assert people.role_of_invitation(token) == "supervisor"
    assert people.accept(token, "sue", PASSWORD).person == Person("sue", "supervisor")
    assert people.has_supervisor()
    assert people.sign_in("sue", PASSWORD) == Person("sue", "supervisor")
    assert people.role_of_invitation(token) is None
    with pytest.raises(PeopleError, match="This invitation has been used, has expired or was not"):
        people.accept(token, "eve", PASSWORD)


def test_invitation_expires(people: People, clock: Clock) -> None:
    token = people.invite("dealer")
    clock.later(hours=23, minutes=59)
    assert people.role_of_invitation(token) == "dealer"
    clock.later(minutes=1)
    assert people.role_of_invitation(token) is None
    with pytest.raises(PeopleError, match="This invitation has been used, has expired or was not"):
        people.accept(token, "bob", PASSWORD)


def test_refused_name_does_not_use_up_the_invitation(people: People) -> None:
    token = people.invite("dealer")
    with pytest.raises(PeopleError, match='"ann" is taken'):
        people.accept(token, "ann", PASSWORD)
    assert people.accept(token, "bob", PASSWORD).person == Person("bob", "dealer")


def test_invitation_used_concurrently_works_once(people: People, open_people: Open) -> None:
    token = people.invite("dealer")
    other = open_people()
    hashed = people.password_event

    def accept_first(name: str, password: str) -> Any:
        if name == "bob":
            other.accept(token, "cho", PASSWORD)
        return hashed(name, password)

    people.password_event = accept_first  # type: ignore[method-assign]
    with pytest.raises(PeopleError, match="This invitation has been used, has expired or was not"):
        people.accept(token, "bob", PASSWORD)
    assert "bob" not in people.catch_up().people


def test_only_the_last_first_run_link_is_valid(people: People) -> None:
    first, dealer = people.invite("supervisor", only=True), people.invite("dealer")
    assert (people.role_of_invitation(first), people.role_of_invitation(dealer)) == (
        "supervisor",
        "dealer",
    )
    last = people.invite("supervisor", only=True)
    assert [people.role_of_invitation(token) for token in (first, dealer, last)] == [
        None,
        None,
        "supervisor",
    ]
