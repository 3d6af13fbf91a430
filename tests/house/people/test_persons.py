"""Persons over a book: named once by whoever comes first, excluded to the end of a day."""

from __future__ import annotations

import threading
from concurrent.futures import Future
from datetime import UTC, datetime
from typing import Any

import pytest

from pitbook.errors import PeopleError
from pitbook.house.ledger.accounts import Account, move
from pitbook.house.ledger.batch import Append, Receipt
from pitbook.house.ledger.journal import Ledger
from pitbook.house.people import roster
from pitbook.house.people.roster import STREAM, AccessList, Persons, get_persons, load_roster

NOON = datetime(2026, 11, 21, 17, tzinfo=UTC)
SHUT: dict[str, Any] = {"until": "2026-12-31", "why": "asked for it", "actor": "sue", "now": NOON}


def barred(known: Persons, name: str, at: str) -> bool:
    door = AccessList(known.catch_up(), datetime.fromisoformat(at))
    return door.exclusion_of(name) is not None


@pytest.mark.long
def test_a_name_is_put_on_record_once_and_read_by_every_process(ledger_url: str) -> None:
    with Ledger.open(ledger_url) as one, Ledger.open(ledger_url) as two:
        assert get_persons(one) is get_persons(one) is not get_persons(two)
        assert get_persons(one).admit("zoe", actor="kim") == "zoe"
        assert get_persons(two).admit("Zoe", actor="kim") == "zoe"
        with pytest.raises(PeopleError, match='looks like "zoe", who is on record'):
            get_persons(two).admit("Zoë")
        facts = [fact["fact"] for entry in one.entries(STREAM) for fact in entry.facts]
        assert facts == ["claimed", "taken-up", "named"]


@pytest.mark.long
def test_of_two_look_alikes_at_the_same_moment_one_is_told_of_the_other(ledger_url: str) -> None:
    names = ["Zoe", "Zoë", "ZOÉ", "Zoè"]
    said: list[str] = []

    def come(name: str) -> None:
        with Ledger.open(ledger_url) as ledger:
            try:
                said.append(get_persons(ledger).admit(name))
            except PeopleError as no:
                said.append(str(no))

    Ledger.open(ledger_url).close()
    threads = [threading.Thread(target=come, args=(name,)) for name in names]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len([one for one in said if one in names]) == 1
    assert len([one for one in said if "looks like" in one]) == 3


@pytest.mark.long
def test_an_old_book_knows_those_with_a_wallet_or_an_account(ledger_url: str) -> None:
    with Ledger.open(ledger_url) as ledger:
        added = {"fact": "person-added", "name": "sue", "role": "supervisor"}
        ledger.append("people", ledger.claim("people"), [added])
        chips, play = "event-chip:gala", "play"
        wallets = [Account(chips, "wallet", one) for one in ("zoe", "Zoe")]
        given = [move(Account(chips, "issued"), one, 100, "sold") for one in wallets]
        guest = Account(play, "wallet", "practice-1/guest-1")
        given.append(move(Account(play, "issued"), guest, 100, "chips"))
        ledger.append("night/gala", ledger.claim("night/gala"), [], given)
        known = Persons(ledger)
        assert sorted(known.catch_up().spelled) == ["Zoe", "sue", "zoe"]
        assert ledger.stream(STREAM) is None
        known.admit("bob")
        assert sorted(Persons(ledger).catch_up().spelled) == ["Zoe", "bob", "sue", "zoe"]
        known.exclude("ZOE", **SHUT)
        assert barred(known, "zoe", "2026-12-01T12:00+00:00")
        assert barred(known, "Zoe", "2026-12-01T12:00+00:00")
        known.readmit("Zoe", why="a mistake", actor="sue")
        assert known.exclusions() == []


@pytest.mark.long
def test_a_kept_roster_is_the_same(ledger_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(roster, "SNAPSHOT_EVERY", 3)
    with Ledger.open(ledger_url) as ledger:
        known = Persons(ledger)
        for number in range(9):
            known.admit(f"player {number}")
        known.exclude("player 3", **SHUT)
        assert ledger.latest_snapshot(STREAM) is not None
        again = Persons(ledger)
        assert again.catch_up() == known.catch_up()


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
def test_an_exclusion_ends_with_its_last_day_where_it_was_made(
    ledger_url: str, at: str, shut: bool
) -> None:
    with Ledger.open(ledger_url) as ledger:
        known = Persons(ledger)
        known.exclude("zoe", **SHUT)
        assert barred(known, "ZOE", at) is shut


@pytest.mark.long
def test_for_good_until_somebody_is_readmitted(ledger_url: str) -> None:
    with Ledger.open(ledger_url) as ledger:
        known = Persons(ledger)
        known.exclude("zoe", **SHUT | {"until": None})
        assert barred(known, "zoe", "2099-01-01T00:00+00:00")
        assert [one.name for one in known.exclusions()] == ["zoe"]
        with pytest.raises(PeopleError, match="nobody ends an exclusion of their own"):
            known.readmit("Zoe", why="I feel better", actor="zoe")
        assert known.readmit("Zoe", why="the order was lifted", actor="sue") == "zoe"
        assert not barred(known, "zoe", "2026-12-01T00:00+00:00")
        assert known.exclusions() == []
        with pytest.raises(PeopleError, match='"zoe" is not excluded'):
            known.readmit("zoe", why="again", actor="sue")


@pytest.mark.long
@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"until": "2026-11-20"}, "2026-11-20 is over in America/New_York"),
        ({"until": "31.12.2026"}, "is no day; write it as in 2027-12-31"),
        ({"until": "20261231"}, "is no day"),
        ({"zone": "Mars/Base"}, "is no time zone"),
        ({"why": " "}, "an exclusion has a reason"),
        ({"why": "a\nb"}, "an exclusion has a reason"),
    ],
)
def test_an_exclusion_has_a_day_to_come_and_a_reason(
    ledger_url: str, given: dict[str, Any], said: str
) -> None:
    with Ledger.open(ledger_url) as ledger, pytest.raises(PeopleError, match=said):
        Persons(ledger).exclude("zoe", **SHUT | given)


@pytest.mark.long
def test_the_last_day_may_be_today(ledger_url: str) -> None:
    with Ledger.open(ledger_url) as ledger:
        Persons(ledger).exclude("zoe", **SHUT | {"until": "2026-11-21"})


@pytest.mark.long
def test_a_guest_is_joined_once_for_every_process_and_after_a_restart(
    ledger_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(roster, "SNAPSHOT_EVERY", 1)
    with Ledger.open(ledger_url) as one, Ledger.open(ledger_url) as two:
        assert get_persons(one).join("guest-1", "ann")
        assert not get_persons(two).join("guest-1", "bob")
        assert get_persons(two).join("guest-1", "ann")
        assert get_persons(two).join("guest-2", "ann")
        assert get_persons(one).catch_up().guests_of("ann") == ["guest-1", "guest-2"]
        get_persons(one).admit("zoe")
        facts = [fact for entry in one.entries(STREAM) for fact in entry.facts]
        assert [one["guest"] for one in facts if one["fact"] == "joined"] == ["guest-1", "guest-2"]
    with Ledger.open(ledger_url) as again:
        assert get_persons(again).catch_up().joined == {"guest-1": "ann", "guest-2": "ann"}


def test_an_exclusion_holds_for_every_guest_that_somebody_was(ledger_url: str) -> None:
    with Ledger.open(ledger_url) as ledger:
        known = get_persons(ledger)
        known.join("guest-1", "ann")
        known.exclude("ann", **SHUT)
        for name, yes in (("ann", True), ("guest-1", True), ("guest-2", False), ("bob", False)):
            assert barred(known, name, "2026-12-01T12:00:00+00:00") == yes
        assert not barred(known, "guest-1", "2027-02-01T12:00:00+00:00")


def test_a_roster_that_was_kept_before_guests_were_joined_is_read() -> None:
    assert load_roster({"names": ["ann"], "excluded": []}).joined == {}


def test_whoever_is_superseded_steps_aside_longer_each_time(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Others who hurry as well would supersede each other for ever."""
    waited: list[int] = []
    with Ledger.open(sqlite_url) as ledger, Ledger.open(sqlite_url) as another:
        persons = get_persons(ledger)

        def hurried(attempt: int, first: int = 0) -> float:
            waited.append(attempt)
            return 0.0

        def too_late(append: Append) -> Future[Receipt]:
            if append.epoch is not None and len(waited) < 3:  # Then nobody hurries any more.
                another.claim(append.stream, actor="")
            return Ledger.submit(ledger, append)

        monkeypatch.setattr(ledger, "submit", too_late)
        monkeypatch.setattr("pitbook.house.ledger.stream_writer.backoff_seconds", hurried)
        assert persons.admit("Zoe") == "Zoe"
    assert waited == [0, 1, 2]
