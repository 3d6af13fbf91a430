"""Names, passwords, roles and invitations: what is given, refused and told."""

from __future__ import annotations

from typing import Any

import pytest
from tests.house.people.registered import (  # noqa: F401  Fixtures too.
    Clock,
    Open,
    book_folder,
    facts,
    hand_moved,
    kinds,
    opens_people,
    two_people,
)
from tests.house.web.conftest import PASSWORD

from pitbook.errors import PeopleError
from pitbook.house.people.accounts import People
from pitbook.house.people.register import Person

RULE = "a name is printable text of at most 60 characters, without a slash"
ANOTHER = 'choose another, or add a mark as in "Zoe (2)"'


@pytest.mark.parametrize(
    "role", ["player", "dealer", "supervisor", "auditor", "organiser", "brush", "cashier"]
)
def test_every_role_can_be_given(people: People, role: Any) -> None:
    people.add("bob", role, PASSWORD, actor="sue")
    assert people.sign_in("bob", PASSWORD) == Person("bob", role)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("", f'"" is no name; {RULE}'),
        ("x" * 61, f'"{"x" * 60}" is no name; {RULE}'),
        (" ann", f'" ann" is no name; {RULE}'),
        ("a\nb", f'"a\\nb" is no name; {RULE}'),
        ("\ud800", f'"\\ud800" is no name; {RULE}'),
        ("a/b", f'"a/b" is no name; {RULE}'),
        ("guest-1", '"guest-1" is a name that the house uses itself; choose another'),
        ("Clock", '"Clock" is a name that the house uses itself; choose another'),
        ("ann", f'"ann" is taken, or looks like a name that is; {ANOTHER}'),
        ("Ann", f'"Ann" is taken, or looks like a name that is; {ANOTHER}'),
        ("ａnn", f'"ａnn" is taken, or looks like a name that is; {ANOTHER}'),
    ],
)
def test_names_that_are_not_taken(people: People, name: str, said: str) -> None:
    before = len(facts(people._ledger))
    with pytest.raises(PeopleError) as error:
        people.add(name, "player", PASSWORD, actor="sue")
    assert str(error.value) == said
    assert len(facts(people._ledger)) == before


@pytest.mark.parametrize("name", ["x" * 60, "Ann Lee", "Zoë", "王"])
def test_names_that_are(people: People, name: str) -> None:
    people.add(name, "player", PASSWORD, actor="sue")
    assert people.sign_in(name, PASSWORD) == Person(name, "player")


@pytest.mark.parametrize("password", ["", "x" * 7, "x" * 1_001])
def test_passwords_have_a_length(people: People, password: str) -> None:
    for change in (
        lambda: people.add("bob", "player", password, actor="sue"),
        lambda: people.set_password("ann", password, actor="sue"),
        lambda: people.accept(people.invite("dealer"), "bob", password),
    ):
        with pytest.raises(PeopleError, match="a password has 8 to 1000 characters"):
            change()


@pytest.mark.parametrize("password", ["x " * 3 + "yz", "x y" * 333 + "z"])
def test_and_at_its_ends_it_is_fine(people: People, password: str) -> None:
    people.set_password("ann", password, actor="sue")
    assert people.sign_in("ann", password) is not None
    assert people.sign_in("ann", password[:-1]) is None


def test_a_new_password_forgives_and_the_old_one_is_gone(people: People) -> None:
    for _ in range(3):
        people.sign_in("ann", "wrong one")
    people.set_password("ann", "another password", actor="sue")
    assert people.sign_in("ann", PASSWORD) is None
    assert people.sign_in("ann", "another password") is not None


def test_disabled_and_enabled(people: People) -> None:
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


def test_a_change_of_role_is_told_with_the_one_before(people: People) -> None:
    people.set_role("ann", "dealer", actor="sue")
    told = {"fact": "role-changed", "name": "ann", "role": "dealer", "before": "player"}
    assert facts(people._ledger)[-1] == told
    people.set_role("ann", "dealer", actor="sue")
    assert kinds(people._ledger).count("role-changed") == 1


def test_nobody_can_be_left_without_a_supervisor(people: People) -> None:
    said = '"sue" is the only supervisor; add another one first'
    with pytest.raises(PeopleError, match=said):
        people.disable("sue", actor="sue")
    with pytest.raises(PeopleError, match=said):
        people.set_role("sue", "player", actor="sue")
    people.set_role("ann", "supervisor", actor="sue")
    people.disable("sue", actor="ann")
    with pytest.raises(PeopleError, match='"ann" is the only supervisor'):
        people.disable("ann", actor="ann")
    people.set_role("sue", "player", actor="ann")
    assert people.has_supervisor()


@pytest.mark.parametrize("change", ["set_role", "set_password", "disable", "enable", "unlock"])
def test_changes_are_for_people_who_are_there(people: People, change: str) -> None:
    given = {"set_role": ("dealer",), "set_password": (PASSWORD,)}.get(change, ())
    with pytest.raises(PeopleError, match=r'nobody is called "anne"; did you mean "ann"\?'):
        getattr(people, change)("anne", *given, actor="sue")


def test_an_empty_register_says_so(open_people: Open) -> None:
    with pytest.raises(PeopleError, match='nobody is called "ann"; nobody was added yet'):
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
    with pytest.raises(PeopleError, match="this invitation is used, expired or none of ours"):
        people.accept(token, "eve", PASSWORD)


def test_an_invitation_ends(people: People, clock: Clock) -> None:
    token = people.invite("dealer")
    clock.later(hours=23, minutes=59)
    assert people.role_of_invitation(token) == "dealer"
    clock.later(minutes=1)
    assert people.role_of_invitation(token) is None
    with pytest.raises(PeopleError, match="this invitation is used"):
        people.accept(token, "bob", PASSWORD)


def test_a_refused_name_does_not_use_it_up(people: People) -> None:
    token = people.invite("dealer")
    with pytest.raises(PeopleError, match='"ann" is taken'):
        people.accept(token, "ann", PASSWORD)
    assert people.accept(token, "bob", PASSWORD).person == Person("bob", "dealer")


def test_two_who_use_it_at_once(people: People, open_people: Open) -> None:
    token = people.invite("dealer")
    other = open_people()
    hashed = people.password_event

    def meanwhile(name: str, password: str) -> Any:
        if name == "bob":
            other.accept(token, "cho", PASSWORD)
        return hashed(name, password)

    people.password_event = meanwhile  # type: ignore[method-assign]
    with pytest.raises(PeopleError, match="this invitation is used"):
        people.accept(token, "bob", PASSWORD)
    assert "bob" not in people.catch_up().people


def test_only_the_last_link_of_a_first_run_is_good(people: People) -> None:
    first, dealer = people.invite("supervisor", only=True), people.invite("dealer")
    assert (people.role_of_invitation(first), people.role_of_invitation(dealer)) == (
        "supervisor",
        "dealer",
    )
    last = people.invite("supervisor", only=True)
    assert [people.role_of_invitation(one) for one in (first, dealer, last)] == [
        None,
        None,
        "supervisor",
    ]
