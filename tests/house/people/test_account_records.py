"""Accounts in the ledger: no readable passwords, and one register for all processes."""

from __future__ import annotations

from concurrent.futures import Future
from pathlib import Path

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
from tests.house.web.conftest import PASSWORD, WEAK

from pitbook.errors import LedgerError, PeopleError, Superseded
from pitbook.house.ledger.append_batch import Append, Receipt
from pitbook.house.ledger.data_folder import Folder
from pitbook.house.ledger.keys import generate_keys
from pitbook.house.people import accounts as module
from pitbook.house.people.account_register import STREAM
from pitbook.house.people.accounts import People
from pitbook.shoe.crypto import Vault


def test_ledger_contains_no_password_or_hash(
    people: People, tmp_path: Path, folder: Folder
) -> None:
    people.invite("dealer")
    folder.close()
    db_bytes = b"".join(db_file.read_bytes() for db_file in tmp_path.glob("pitbook.db*"))
    assert b"person-added" in db_bytes
    assert PASSWORD.encode() not in db_bytes
    assert b"argon2" not in db_bytes


def test_invitation_tokens_are_kept_as_hashes(people: People) -> None:
    token = people.invite("dealer")
    assert token not in str(facts(people._ledger))


def test_hash_of_another_person_does_not_open(people: People, folder: Folder) -> None:
    sue = people.register.people["sue"]
    stolen = {"fact": "password-set", "name": "sue", "hash": people.register.people["ann"].sealed}
    assert sue.sealed != stolen["hash"]
    folder.ledger.append(STREAM, folder.ledger.claim(STREAM), [stolen])
    with pytest.raises(Exception, match='The seal of "password of sue" does not open'):
        people.sign_in("sue", PASSWORD)


def test_wrong_keys_are_refused(people: People, folder: Folder) -> None:
    with pytest.raises(LedgerError, match=r"other keys than this data folder\. Copy keys\.json"):
        People(folder.ledger, Vault(generate_keys().sealing), WEAK)


def test_a_register_is_the_same_when_read_again(people: People, open_people: Open) -> None:
    people.set_role("ann", "dealer", actor="sue")
    people.invite("brush", actor="sue")
    people.end_session("ann", "n1", "2027-01-01T00:00:00.000000+00:00")
    people.sign_in("ann", "wrong one")
    assert open_people().register == people.register


def test_register_is_read_from_a_snapshot(
    people: People, open_people: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "SNAPSHOT_EVERY", 4)
    people.invite("brush", actor="sue")
    people.end_session("ann", "n1", "2027-01-01T00:00:00.000000+00:00")
    for _ in range(9):
        people.sign_in("ann", PASSWORD)
    snapshot = people._ledger.latest_snapshot(STREAM)
    assert snapshot is not None
    assert snapshot[0] > 8
    again = open_people()
    assert again.register == people.register
    assert again._ledger.latest_snapshot(STREAM) == snapshot
    assert next(again._ledger.entries(STREAM, after=snapshot[0] - 1)).seq == snapshot[0]


def test_ended_sessions_are_forgotten_once_expired(people: People) -> None:
    people.end_session("ann", "old", "2020-01-01T00:00:00.000000+00:00")
    people.end_session("ann", "new", "2999-01-01T00:00:00.000000+00:00")
    assert list(people.register.ended) == ["new"]


def test_processes_take_turns(people: People, open_people: Open) -> None:
    others = [open_people() for _ in range(3)]
    for number in range(12):
        others[number % 3].add(f"p{number}", "player", PASSWORD, actor="sue")
    assert len(people.all()) == 14
    assert [record.name for record in people.all()][:2] == ["ann", "p0"]


def test_the_same_name_cannot_be_taken_twice_at_once(people: People, open_people: Open) -> None:
    other = open_people()
    other.add("bob", "player", PASSWORD, actor="sue")
    with pytest.raises(PeopleError, match='"bob" is taken'):
        people.add("bob", "supervisor", PASSWORD, actor="sue")
    assert people.register.people["bob"].role == "player"


def test_endless_conflicts_raise(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    submit = people._ledger.submit

    def too_late(append: Append) -> Future[Receipt]:
        if append.epoch is not None:
            raise Superseded("another process wrote")
        return submit(append)

    monkeypatch.setattr(people._ledger, "submit", too_late)
    monkeypatch.setattr("pitbook.house.ledger.streams.backoff_seconds", lambda *_, **__: 0.0)
    with pytest.raises(LedgerError, match='"people" is busy'):
        people.invite("dealer")
