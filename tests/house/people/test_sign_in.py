"""Sign-in: every wrong credential gets the same answer, and unknown devices are delayed."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any

import pytest
from argon2 import PasswordHasher
from argon2.exceptions import VerifyMismatchError
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
from tests.house.web.conftest import PASSWORD, WEAK

from pitbook.house.ledger.data_folder import Folder
from pitbook.house.people.account_register import STREAM, Person
from pitbook.house.people.accounts import People
from pitbook.house.settings import SignInRules
from pitbook.shoe.crypto import Vault


def test_correct_password_signs_in(people: People) -> None:
    assert people.sign_in("ann", PASSWORD) == Person("ann", "player")
    assert people.sign_in("ＡＮＮ", PASSWORD) == Person("ann", "player")
    assert people.sign_in("sue", PASSWORD + "!") == Person("sue", "supervisor")


@pytest.mark.parametrize(
    ("name", "password"),
    [("ann", "wrong one"), ("nobody", PASSWORD), ("Аnn", PASSWORD), ("sue", PASSWORD), ("ann", "")],
)
def test_wrong_credentials_do_not_sign_in(people: People, name: str, password: str) -> None:
    assert people.sign_in(name, password) is None


def test_after_three_failures_unknown_devices_wait_twice_as_long_each_time(
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
    assert people.sign_in("ann", PASSWORD, known_device=True) is not None, "but at a known device"
    for _ in range(3):
        people.sign_in("ann", "wrong one")
    clock.later(seconds=4.9)
    entries_before = len(facts(people._ledger))
    assert people.sign_in("ann", PASSWORD) is None
    assert len(facts(people._ledger)) == entries_before, "who has to wait writes nothing"
    assert people.sign_in("sue", PASSWORD + "!") is not None, "others are not concerned"
    clock.later(seconds=0.1)
    assert people.sign_in("ann", PASSWORD) == Person("ann", "player")


def test_delay_grows_to_fifteen_minutes(people: People, clock: Clock) -> None:
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


def test_failures_on_a_known_device_delay_no_unknown_device(people: People) -> None:
    for _ in range(5):
        assert people.sign_in("ann", "wrong one", known_device=True) is None
    assert facts(people._ledger)[-1] == {"fact": "sign-in-failed", "name": "ann", "known": True}
    assert people.sign_in("ann", PASSWORD) is not None


def test_success_forgives_failures(people: People) -> None:
    for _ in range(3):
        people.sign_in("ann", "wrong one")
        people.sign_in("ann", "wrong one")
        assert people.sign_in("ann", PASSWORD) is not None


def test_supervisor_clears_failures(people: People) -> None:
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


def test_failures_count_in_every_process(people: People, open_people: Open) -> None:
    other = open_people()
    assert people.sign_in("ann", "wrong one") is None
    assert other.sign_in("ann", "wrong one") is None
    assert people.sign_in("ann", "wrong one") is None
    assert other.sign_in("ann", PASSWORD) is None
    assert open_people().sign_in("ann", PASSWORD) is None
    assert people.is_locked(people.catch_up().people["ann"])


def test_concurrent_guesses_are_counted_one_by_one(people: People) -> None:
    together = threading.Barrier(12)
    verify = people._matching_seal

    def wait_for_all(record: Any, password: str) -> str | None:
        right = verify(record, password)
        together.wait()
        return right

    people._matching_seal = wait_for_all  # type: ignore[method-assign]
    threads = [
        threading.Thread(target=people.sign_in, args=("ann", f"guess {number}"))
        for number in range(12)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert kinds(people._ledger).count("sign-in-failed") == 3


def test_password_changed_meanwhile_prevents_sign_in(people: People) -> None:
    verify = people._matching_seal

    def change_password_meanwhile(record: Any, password: str) -> str | None:
        right = verify(record, password)
        people.set_password("ann", "the new password", actor="sue")
        return right

    people._matching_seal = change_password_meanwhile  # type: ignore[method-assign]
    assert people.sign_in("ann", PASSWORD) is None


@contextmanager
def counting(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    verifications: list[str] = []
    verify = PasswordHasher.verify

    def count_verification(self: PasswordHasher, stored_hash: str, password: str) -> bool:
        # The parameters, which determine the cost.
        verifications.append(stored_hash.rsplit("$", 2)[0])
        return verify(self, stored_hash, password)

    with monkeypatch.context() as patched:
        patched.setattr(PasswordHasher, "verify", count_verification)
        yield verifications


@pytest.mark.parametrize("who", ["right", "wrong", "unknown", "locked", "disabled", "long"])
def test_every_attempt_costs_one_equal_verification(
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


def test_placeholder_hash_costs_the_same_and_needs_no_hashing(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Listing or excluding people hashes no password."""
    for rules in (
        WEAK,
        SignInRules(),
        SignInRules(argon2_time_cost=2, argon2_memory_kib=32, argon2_parallelism=3),
    ):
        with monkeypatch.context() as idle:
            idle.setattr(PasswordHasher, "hash", None)
            placeholder = People(
                folder.ledger, Vault(folder.keys.sealing), rules
            )._passwords._placeholder
        cost = (rules.argon2_time_cost, rules.argon2_memory_kib, rules.argon2_parallelism)
        hasher = PasswordHasher(*cost)
        if rules != SignInRules():  # Real parameters are slow.
            real_hash = hasher.hash("one")
            assert [len(part) for part in placeholder.split("$")] == [
                len(part) for part in real_hash.split("$")
            ]
            with pytest.raises(VerifyMismatchError):
                hasher.verify(placeholder, "one")
        assert not hasher.check_needs_rehash(placeholder)


def test_unknown_names_are_not_recorded(people: People) -> None:
    before = len(facts(people._ledger))
    people.sign_in("nobody", PASSWORD)
    assert len(facts(people._ledger)) == before
