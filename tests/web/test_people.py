"""The register: every wrong credential alike, strangers who fail wait, no password in the book."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from argon2 import PasswordHasher
from tests.web.conftest import PASSWORD, WEAK, fast_folder

from pitbook.errors import LedgerError
from pitbook.identity.names import RULE
from pitbook.ledger.book import Ledger
from pitbook.ledger.folder import Folder
from pitbook.ledger.keys import fresh_keys
from pitbook.shoe.vault import Vault
from pitbook.web import people as module
from pitbook.web.people import STREAM, People, PeopleError, Person
from pitbook.web.register import REMEDY

NOON = datetime(2026, 1, 2, 12, tzinfo=UTC)


class Clock:
    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> datetime:
        return self.now

    def later(self, **time: float) -> None:
        self.now += timedelta(**time)


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Folder]:
    with fast_folder(tmp_path) as opened:
        yield opened


@pytest.fixture
def clock() -> Clock:
    return Clock()


Open = Callable[[], People]


@pytest.fixture
def open_people(folder: Folder, clock: Clock) -> Open:
    """Another process that reads the same book."""
    vault = Vault(folder.keys.sealing)
    return lambda: People(folder.ledger, vault, WEAK, clock=clock)


@pytest.fixture
def people(open_people: Open) -> People:
    made = open_people()
    made.add("ann", "player", PASSWORD, actor="sue")
    made.add("sue", "supervisor", PASSWORD + "!", actor="desk")
    return made


def facts(ledger: Ledger) -> list[dict[str, Any]]:
    told = (fact for entry in ledger.entries(STREAM) for fact in entry.facts)
    return [fact for fact in told if fact["fact"] != "claimed"]


def kinds(ledger: Ledger, after: int = 0) -> list[str]:
    return [fact["fact"] for fact in facts(ledger)][after:]


# Signing in --------------------------------------------------------------------------------------


def test_the_right_password_lets_in(people: People) -> None:
    assert people.sign_in("ann", PASSWORD) == Person("ann", "player")
    assert people.sign_in("ＡＮＮ", PASSWORD) == Person("ann", "player")
    assert people.sign_in("sue", PASSWORD + "!") == Person("sue", "supervisor")


@pytest.mark.parametrize(
    ("name", "password"),
    [("ann", "wrong one"), ("nobody", PASSWORD), ("Аnn", PASSWORD), ("sue", PASSWORD), ("ann", "")],
)
def test_anything_else_does_not(people: People, name: str, password: str) -> None:
    assert people.sign_in(name, password) is None


def test_after_three_failures_strangers_wait_each_time_twice_as_long(
    people: People, clock: Clock
) -> None:
    before = len(facts(people._ledger))
    for _ in range(3):
        assert people.sign_in("ann", "wrong one") is None
    assert kinds(people._ledger, before) == ["sign-in-failed"] * 3
    until = "2026-01-02T12:00:05.000000+00:00"
    last = {"fact": "sign-in-failed", "name": "ann", "count": 3, "until": until}
    assert facts(people._ledger)[-1] == last
    assert people.is_locked(people.register.people["ann"])
    assert people.sign_in("ann", PASSWORD) is None, "the right one does not help now"
    assert people.sign_in("ann", PASSWORD, known=True) is not None, "but at a known device"
    for _ in range(3):
        people.sign_in("ann", "wrong one")
    clock.later(seconds=4.9)
    written = len(facts(people._ledger))
    assert people.sign_in("ann", PASSWORD) is None
    assert len(facts(people._ledger)) == written, "who has to wait writes nothing"
    assert people.sign_in("sue", PASSWORD + "!") is not None, "others are not concerned"
    clock.later(seconds=0.1)
    assert people.sign_in("ann", PASSWORD) == Person("ann", "player")


def test_the_wait_grows_to_a_quarter_of_an_hour_and_no_further(
    people: People, clock: Clock
) -> None:
    waits = []
    for _ in range(12):
        people.sign_in("ann", "wrong one")
        until = people.register.people["ann"].locked
        waits.append((datetime.fromisoformat(until) - clock()).total_seconds() if until else 0)
        clock.later(seconds=waits[-1])
    assert waits == [0, 0, 5, 10, 20, 40, 80, 160, 320, 640, 900, 900]
    clock.later(days=1)
    people.sign_in("ann", "wrong one")
    assert people.register.people["ann"].failures == 1, (
        "a day without another, and all is forgotten"
    )


def test_wrong_passwords_of_a_known_device_make_no_stranger_wait(people: People) -> None:
    for _ in range(5):
        assert people.sign_in("ann", "wrong one", known=True) is None
    assert facts(people._ledger)[-1] == {"fact": "sign-in-failed", "name": "ann", "known": True}
    assert people.sign_in("ann", PASSWORD) is not None


def test_a_lock_of_an_older_book_holds_strangers_until_it_opens(
    people: People, clock: Clock
) -> None:
    old = [{"fact": "sign-in-failed", "name": "ann"}] * 3
    old.append({"fact": "locked", "name": "ann", "until": "2026-01-02T12:15:00.000000+00:00"})
    people.write(lambda _: old, actor="")
    assert people.sign_in("ann", PASSWORD) is None
    assert people.sign_in("ann", PASSWORD, known=True) is not None
    people.write(lambda _: old, actor="")
    clock.later(minutes=15)
    assert people.sign_in("ann", PASSWORD) is not None


def test_two_failures_are_forgiven_by_a_success(people: People) -> None:
    for _ in range(3):
        people.sign_in("ann", "wrong one")
        people.sign_in("ann", "wrong one")
        assert people.sign_in("ann", PASSWORD) is not None


def test_a_supervisor_unlocks(people: People) -> None:
    for _ in range(3):
        people.sign_in("ann", "wrong one")
    people.unlock("ann", actor="sue")
    assert people.sign_in("ann", PASSWORD) is not None
    entry = list(people._ledger.entries(STREAM))[-2]
    assert (entry.actor, entry.facts) == ("sue", [{"fact": "unlocked", "name": "ann"}])
    before = len(facts(people._ledger))
    people.unlock("ann", actor="sue")
    assert len(facts(people._ledger)) == before, "there was nothing to forgive"
    people.sign_in("ann", "wrong one")
    people.unlock("ann", actor="sue")
    people.sign_in("ann", "wrong one")
    people.sign_in("ann", "wrong one")
    assert people.sign_in("ann", PASSWORD) is not None, "a single failure is forgiven as well"


def test_failures_count_wherever_they_happen(people: People, open_people: Open) -> None:
    other = open_people()
    assert people.sign_in("ann", "wrong one") is None
    assert other.sign_in("ann", "wrong one") is None
    assert people.sign_in("ann", "wrong one") is None
    assert other.sign_in("ann", PASSWORD) is None
    assert open_people().sign_in("ann", PASSWORD) is None
    assert people.is_locked(people.read_on().people["ann"])


def test_guesses_that_are_made_at_once_are_counted_one_by_one(people: People) -> None:
    together = threading.Barrier(12)
    verify = people._verified

    def slow(record: Any, password: str) -> str | None:
        right = verify(record, password)
        together.wait()
        return right

    people._verified = slow  # type: ignore[method-assign]
    threads = [
        threading.Thread(target=people.sign_in, args=("ann", f"guess {number}"))
        for number in range(12)
    ]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert kinds(people._ledger).count("sign-in-failed") == 3


def test_a_password_changed_meanwhile_is_the_old_one_no_more(people: People) -> None:
    verify = people._verified

    def meanwhile(record: Any, password: str) -> str | None:
        right = verify(record, password)
        people.set_password("ann", "the new password", actor="sue")
        return right

    people._verified = meanwhile  # type: ignore[method-assign]
    assert people.sign_in("ann", PASSWORD) is None


@contextmanager
def counting(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    done: list[str] = []
    verify = PasswordHasher.verify

    def counted(self: PasswordHasher, kept: str, password: str) -> bool:
        done.append(kept.rsplit("$", 2)[0])  # The parameters, which say what it costs.
        return verify(self, kept, password)

    with monkeypatch.context() as patched:
        patched.setattr(PasswordHasher, "verify", counted)
        yield done


@pytest.mark.parametrize("who", ["right", "wrong", "unknown", "locked", "disabled", "long"])
def test_every_attempt_costs_one_verification_of_the_same_price(
    people: People, monkeypatch: pytest.MonkeyPatch, who: str
) -> None:
    name, password = ("nobody" if who == "unknown" else "ann"), PASSWORD
    if who == "wrong":
        password = "wrong one"
    elif who == "long":
        password = "x" * 100_000
    elif who == "locked":
        for _ in range(3):
            people.sign_in("ann", "wrong one")
    elif who == "disabled":
        people.disable("ann", actor="sue")
    with counting(monkeypatch) as done:
        assert (people.sign_in(name, password) is not None) is (who == "right")
    assert done == ["$argon2id$v=19$m=8,t=1,p=1"]


def test_unknown_names_leave_no_row(people: People) -> None:
    before = len(facts(people._ledger))
    people.sign_in("nobody", PASSWORD)
    assert len(facts(people._ledger)) == before


# The book ----------------------------------------------------------------------------------------


def test_no_password_and_no_hash_can_be_read_in_the_book(
    people: People, tmp_path: Path, folder: Folder
) -> None:
    people.invite("dealer")
    folder.close()
    written = b"".join(one.read_bytes() for one in tmp_path.glob("pitbook.db*"))
    assert b"person-added" in written
    assert PASSWORD.encode() not in written
    assert b"argon2" not in written


def test_invitation_tokens_are_kept_as_hashes(people: People) -> None:
    token = people.invite("dealer")
    assert token not in str(facts(people._ledger))


def test_a_hash_moved_to_another_person_opens_nothing(people: People, folder: Folder) -> None:
    sue = people.register.people["sue"]
    stolen = {"fact": "password-set", "name": "sue", "hash": people.register.people["ann"].sealed}
    assert sue.sealed != stolen["hash"]
    folder.ledger.append(STREAM, folder.ledger.claim(STREAM), [stolen])
    with pytest.raises(Exception, match='the seal about "password of sue" does not open'):
        people.sign_in("sue", PASSWORD)


def test_other_keys_than_the_book_s_are_refused(people: People, folder: Folder) -> None:
    with pytest.raises(LedgerError, match=r"other keys than this data folder has; copy keys\.json"):
        People(folder.ledger, Vault(fresh_keys().sealing), WEAK)


def test_a_register_is_the_same_when_read_again(people: People, open_people: Open) -> None:
    people.set_role("ann", "dealer", actor="sue")
    people.invite("brush", actor="sue")
    people.signed_out("ann", "n1", "2027-01-01T00:00:00.000000+00:00")
    people.sign_in("ann", "wrong one")
    assert open_people().register == people.register


def test_a_kept_register_is_read_instead_of_everything(
    people: People, open_people: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "KEEP_EVERY", 4)
    people.invite("brush", actor="sue")
    people.signed_out("ann", "n1", "2027-01-01T00:00:00.000000+00:00")
    for _ in range(9):
        people.sign_in("ann", PASSWORD)
    kept = people._ledger.kept(STREAM)
    assert kept is not None
    assert kept[0] > 8
    again = open_people()
    assert again.register == people.register
    assert again._kept == people._kept == kept[0]


def test_ended_sign_ins_are_forgotten_when_they_are_over(people: People) -> None:
    people.signed_out("ann", "old", "2020-01-01T00:00:00.000000+00:00")
    people.signed_out("ann", "new", "2999-01-01T00:00:00.000000+00:00")
    assert list(people.register.ended) == ["new"]


def test_processes_take_turns(people: People, open_people: Open) -> None:
    others = [open_people() for _ in range(3)]
    for number in range(12):
        others[number % 3].add(f"p{number}", "player", PASSWORD, actor="sue")
    assert len(people.all()) == 14
    assert [one.name for one in people.all()][:2] == ["ann", "p0"]


def test_the_same_name_cannot_be_taken_twice_at_once(people: People, open_people: Open) -> None:
    other = open_people()
    other.add("bob", "player", PASSWORD, actor="sue")
    with pytest.raises(PeopleError, match='"bob" is taken'):
        people.add("bob", "supervisor", PASSWORD, actor="sue")
    assert people.register.people["bob"].role == "player"


def test_endless_rivalry_is_given_up(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(people, "_appended", lambda *_: False)
    with pytest.raises(LedgerError, match="too many processes write to the register at once"):
        people.invite("dealer")


# Changing ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "role", ["player", "dealer", "supervisor", "auditor", "organiser", "brush"]
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
        ("ann", f'"ann" is taken, or looks like a name that is; {REMEDY}'),
        ("Ann", f'"Ann" is taken, or looks like a name that is; {REMEDY}'),
        ("ａnn", f'"ａnn" is taken, or looks like a name that is; {REMEDY}'),
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


# Invitations -------------------------------------------------------------------------------------


def test_an_invitation_works_once(open_people: Open) -> None:
    people = open_people()
    assert not people.has_supervisor()
    token = people.invite("supervisor", only=True)
    assert people.invited(token) == "supervisor"
    assert people.accept(token, "sue", PASSWORD) == Person("sue", "supervisor")
    assert people.has_supervisor()
    assert people.sign_in("sue", PASSWORD) == Person("sue", "supervisor")
    assert people.invited(token) is None
    with pytest.raises(PeopleError, match="this invitation is used, expired or none of ours"):
        people.accept(token, "eve", PASSWORD)


def test_an_invitation_ends(people: People, clock: Clock) -> None:
    token = people.invite("dealer")
    clock.later(hours=23, minutes=59)
    assert people.invited(token) == "dealer"
    clock.later(minutes=1)
    assert people.invited(token) is None
    with pytest.raises(PeopleError, match="this invitation is used"):
        people.accept(token, "bob", PASSWORD)


def test_a_refused_name_does_not_use_it_up(people: People) -> None:
    token = people.invite("dealer")
    with pytest.raises(PeopleError, match='"ann" is taken'):
        people.accept(token, "ann", PASSWORD)
    assert people.accept(token, "bob", PASSWORD) == Person("bob", "dealer")


def test_two_who_use_it_at_once(people: People, open_people: Open) -> None:
    token = people.invite("dealer")
    other = open_people()
    hashed = people.password_set

    def meanwhile(name: str, password: str) -> Any:
        if name == "bob":
            other.accept(token, "cho", PASSWORD)
        return hashed(name, password)

    people.password_set = meanwhile  # type: ignore[method-assign]
    with pytest.raises(PeopleError, match="this invitation is used"):
        people.accept(token, "bob", PASSWORD)
    assert "bob" not in people.read_on().people


def test_only_the_last_link_of_a_first_run_is_good(people: People) -> None:
    first, dealer = people.invite("supervisor", only=True), people.invite("dealer")
    assert (people.invited(first), people.invited(dealer)) == ("supervisor", "dealer")
    last = people.invite("supervisor", only=True)
    assert [people.invited(one) for one in (first, dealer, last)] == [None, None, "supervisor"]
