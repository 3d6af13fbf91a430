"""Persons in a ledger: names recorded once, and exclusions through their last day."""

from __future__ import annotations

import threading
from concurrent.futures import Future
from datetime import UTC, datetime
from typing import Any

import pytest

from pitbook.errors import PeopleError
from pitbook.house.ledger.accounts import Account, move
from pitbook.house.ledger.append_batch import Append, Receipt
from pitbook.house.ledger.ledger import Ledger
from pitbook.house.people import roster_store
from pitbook.house.people.access_list import AccessList
from pitbook.house.people.roster import load_roster
from pitbook.house.people.roster_store import STREAM, Persons, get_persons

NOON = datetime(2026, 11, 21, 17, tzinfo=UTC)
EXCLUSION: dict[str, Any] = {
    "until": "2026-12-31",
    "why": "asked for it",
    "actor": "sue",
    "now": NOON,
}


def is_excluded(persons: Persons, name: str, at: str) -> bool:
    access = AccessList(persons.catch_up(), datetime.fromisoformat(at))
    return access.exclusion_of(name) is not None


@pytest.mark.long
def test_name_is_recorded_once_for_all_processes(ledger_url: str) -> None:
    with Ledger.open(ledger_url) as first_ledger, Ledger.open(ledger_url) as second_ledger:
        assert (
            get_persons(first_ledger) is get_persons(first_ledger) is not get_persons(second_ledger)
        )
        assert get_persons(first_ledger).admit("zoe", actor="kim") == "zoe"
        assert get_persons(second_ledger).admit("Zoe", actor="kim") == "zoe"
        with pytest.raises(PeopleError, match='looks like "zoe", who is already known'):
            get_persons(second_ledger).admit("Zoë")
        facts = [fact["fact"] for entry in first_ledger.entries(STREAM) for fact in entry.facts]
        assert facts == ["claimed", "taken-up", "named"]


@pytest.mark.long
def test_of_concurrent_lookalikes_one_is_recorded(ledger_url: str) -> None:
    names = ["Zoe", "Zoë", "ZOÉ", "Zoè"]
    answers: list[str] = []

    def admit_name(name: str) -> None:
        with Ledger.open(ledger_url) as ledger:
            try:
                answers.append(get_persons(ledger).admit(name))
            except PeopleError as error:
                answers.append(str(error))

    Ledger.open(ledger_url).close()
    threads = [threading.Thread(target=admit_name, args=(name,)) for name in names]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len([answer for answer in answers if answer in names]) == 1
    assert len([answer for answer in answers if "looks like" in answer]) == 3


@pytest.mark.long
def test_old_ledger_knows_names_of_wallets_and_accounts(ledger_url: str) -> None:
    with Ledger.open(ledger_url) as ledger:
        added = {"fact": "person-added", "name": "sue", "role": "supervisor"}
        ledger.append("people", ledger.claim("people"), [added])
        chips, play = "event-chip:gala", "play"
        wallets = [Account(chips, "wallet", name) for name in ("zoe", "Zoe")]
        transfers = [move(Account(chips, "issued"), wallet, 100, "sold") for wallet in wallets]
        guest = Account(play, "wallet", "practice-1/guest-1")
        transfers.append(move(Account(play, "issued"), guest, 100, "chips"))
        ledger.append("night/gala", ledger.claim("night/gala"), [], transfers)
        persons = Persons(ledger)
        assert sorted(persons.catch_up().spelled) == ["Zoe", "sue", "zoe"]
        assert ledger.stream(STREAM) is None
        persons.admit("bob")
        assert sorted(Persons(ledger).catch_up().spelled) == ["Zoe", "bob", "sue", "zoe"]
        persons.exclude("ZOE", **EXCLUSION)
        assert is_excluded(persons, "zoe", "2026-12-01T12:00+00:00")
        assert is_excluded(persons, "Zoe", "2026-12-01T12:00+00:00")
        persons.readmit("Zoe", why="a mistake", actor="sue")
        assert persons.exclusions() == []


@pytest.mark.long
def test_roster_survives_a_snapshot(ledger_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(roster_store, "SNAPSHOT_EVERY", 3)
    with Ledger.open(ledger_url) as ledger:
        persons = Persons(ledger)
        for number in range(9):
            persons.admit(f"player {number}")
        persons.exclude("player 3", **EXCLUSION)
        assert ledger.latest_snapshot(STREAM) is not None
        again = Persons(ledger)
        assert again.catch_up() == persons.catch_up()


@pytest.mark.long
@pytest.mark.parametrize(
    ("at", "shut"),
    [
        ("2026-12-30T12:00-05:00", True),
        ("2026-12-31T00:00-05:00", True),
        ("2026-12-31T23:59:59-05:00", True),
        ("2027-01-01T00:00-05:00", False),
        ("2027-01-01T04:59:59+00:00", True),  # Still the last day where the house is.
        ("2027-01-01T05:00+00:00", False),
    ],
)
def test_exclusion_ends_with_its_last_day_in_its_time_zone(
    ledger_url: str, at: str, shut: bool
) -> None:
    with Ledger.open(ledger_url) as ledger:
        persons = Persons(ledger)
        persons.exclude("zoe", **EXCLUSION)
        assert is_excluded(persons, "ZOE", at) is shut


@pytest.mark.long
def test_permanent_exclusion_holds_until_readmission(ledger_url: str) -> None:
    with Ledger.open(ledger_url) as ledger:
        persons = Persons(ledger)
        persons.exclude("zoe", **EXCLUSION | {"until": None})
        assert is_excluded(persons, "zoe", "2099-01-01T00:00+00:00")
        assert [exclusion.name for exclusion in persons.exclusions()] == ["zoe"]
        with pytest.raises(PeopleError, match="You cannot end your own exclusion"):
            persons.readmit("Zoe", why="I feel better", actor="zoe")
        assert persons.readmit("Zoe", why="the order was lifted", actor="sue") == "zoe"
        assert not is_excluded(persons, "zoe", "2026-12-01T00:00+00:00")
        assert persons.exclusions() == []
        with pytest.raises(PeopleError, match='"zoe" is not excluded'):
            persons.readmit("zoe", why="again", actor="sue")


@pytest.mark.long
@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"until": "2026-11-20"}, "2026-11-20 is over \\(America/New_York\\)"),
        ({"until": "31.12.2026"}, "Write it like 2027-12-31"),
        ({"until": "20261231"}, "is not a date"),
        ({"zone": "Mars/Base"}, "is not a time zone"),
        ({"why": " "}, "Enter the reason for the exclusion on one line"),
        ({"why": "a\nb"}, "Enter the reason for the exclusion on one line"),
    ],
)
def test_exclusion_needs_a_future_day_and_a_reason(
    ledger_url: str, given: dict[str, Any], message: str
) -> None:
    with Ledger.open(ledger_url) as ledger, pytest.raises(PeopleError, match=message):
        Persons(ledger).exclude("zoe", **EXCLUSION | given)


@pytest.mark.long
def test_exclusion_may_end_today(ledger_url: str) -> None:
    with Ledger.open(ledger_url) as ledger:
        Persons(ledger).exclude("zoe", **EXCLUSION | {"until": "2026-11-21"})


@pytest.mark.long
def test_guest_is_linked_once_for_all_processes(
    ledger_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(roster_store, "SNAPSHOT_EVERY", 1)
    with Ledger.open(ledger_url) as first_ledger, Ledger.open(ledger_url) as second_ledger:
        assert get_persons(first_ledger).join("guest-1", "ann")
        assert not get_persons(second_ledger).join("guest-1", "bob")
        assert get_persons(second_ledger).join("guest-1", "ann")
        assert get_persons(second_ledger).join("guest-2", "ann")
        assert get_persons(first_ledger).catch_up().guests_of("ann") == ["guest-1", "guest-2"]
        get_persons(first_ledger).admit("zoe")
        facts = [fact for entry in first_ledger.entries(STREAM) for fact in entry.facts]
        assert [fact["guest"] for fact in facts if fact["fact"] == "joined"] == [
            "guest-1",
            "guest-2",
        ]
    with Ledger.open(ledger_url) as again:
        assert get_persons(again).catch_up().joined == {"guest-1": "ann", "guest-2": "ann"}


def test_exclusion_covers_linked_guests(ledger_url: str) -> None:
    with Ledger.open(ledger_url) as ledger:
        persons = get_persons(ledger)
        persons.join("guest-1", "ann")
        persons.exclude("ann", **EXCLUSION)
        for name, expected in (
            ("ann", True),
            ("guest-1", True),
            ("guest-2", False),
            ("bob", False),
        ):
            assert is_excluded(persons, name, "2026-12-01T12:00:00+00:00") == expected
        assert not is_excluded(persons, "guest-1", "2027-02-01T12:00:00+00:00")


def test_old_roster_snapshot_is_read() -> None:
    assert load_roster({"names": ["ann"], "excluded": []}).joined == {}


def test_backoff_grows_after_conflicts(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a growing delay, processes could supersede each other forever."""
    waited: list[int] = []
    with Ledger.open(sqlite_url) as ledger, Ledger.open(sqlite_url) as another:
        persons = get_persons(ledger)

        def record_attempt(attempt: int, first: int = 0) -> float:
            waited.append(attempt)
            return 0.0

        def too_late(append: Append) -> Future[Receipt]:
            if append.epoch is not None and len(waited) < 3:  # Then the conflicts end.
                another.claim(append.stream, actor="")
            return Ledger.submit(ledger, append)

        monkeypatch.setattr(ledger, "submit", too_late)
        monkeypatch.setattr("pitbook.house.ledger.streams.backoff_seconds", record_attempt)
        assert persons.admit("Zoe") == "Zoe"
    assert waited == [0, 1, 2]
