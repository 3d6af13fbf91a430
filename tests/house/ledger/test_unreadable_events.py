"""Impossible entries in every kind of stream are refused with their place.

A book may be restored by hand, or written by a later Pitbook. Whoever reads it then is told which
entry cannot be read and what helps, and what was read before stands as it was.
"""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from tests.house.table.test_damaged_facts import damage

from pitbook.errors import FactError, PitbookError
from pitbook.house.cage import slips
from pitbook.house.cage.cage import CageAudit
from pitbook.house.cage.state import CageState
from pitbook.house.cage.state import apply_entries as counted
from pitbook.house.ledger.fact_codec import Codec
from pitbook.house.ledger.hash_chain import Canonical, Entry, entry_content
from pitbook.house.ledger.ledger import Ledger
from pitbook.house.ledger.streams import StreamReader
from pitbook.house.nights.state import night_reader
from pitbook.house.people import account_register as people
from pitbook.house.people import roster
from pitbook.house.people.account_register import PeopleRegister
from pitbook.house.people.account_register import apply_entries as registered
from pitbook.house.people.roster_store import Persons
from pitbook.house.pit.disabled import FACTS as PIT
from pitbook.house.pit.disabled import GameDisabled, Pit
from pitbook.house.school import facts as daily
from pitbook.house.school import facts as school
from pitbook.house.school.daily import Daily
from pitbook.house.school.pupils import Pupil, replay_entries
from pitbook.money import Cents
from pitbook.shoe.crypto import Vault

Json = dict[str, Any]
AT = "2026-11-17T20:00:00+00:00"
TRIES = 150


class Book:
    """A ledger with one stream, one fact per entry."""

    def __init__(self, facts: list[Any]) -> None:
        self.facts = facts

    def entries(self, stream: str, *, after: int = 0) -> Iterator[Entry]:
        for seq, fact in enumerate(self.facts[after:], after + 1):
            yield Entry(stream, seq, AT, 1, "sue", None, None, stored_json(fact), "", "")


def stored_json(fact: Any) -> str:
    """A fact in stored form, valid or not."""
    return entry_content([Canonical(json.dumps(fact))], ())


class Honest(NamedTuple):
    """A stream's valid facts, and how they are replayed."""

    codec: Codec[Any]
    start: Callable[[], Any]
    evolve: Callable[..., Any]
    facts: list[Any]
    impossible: Any  # A fact that is well made and cannot come.

    def facts_json(self) -> list[Json]:
        return self.codec.dump_all(self.facts)

    def fold(self, sqlite_ledger: Book) -> StreamReader[Any]:
        return StreamReader(sqlite_ledger, "some/stream", self.start(), self.evolve)  # type: ignore[arg-type]


C = Cents
STREAMS = {
    "cage": Honest(
        slips.SLIPS,
        CageState,
        counted,
        [
            slips.Fund(C(90_000)),
            slips.DrawerOpened("cora", C(50_000)),
            slips.BuyIn("Ann", C(10_000), "cora"),
            slips.UndoRequested(3, "wrong person"),
            slips.UndoDeclined(3, "it was right"),
            slips.Undone(3, "wrong after all", C(10_000), "cora", "sue"),
            slips.ToVault("cora", C(5_000)),
            slips.DrawerClosed("cora", C(44_000), C(45_000)),
        ],
        slips.DrawerClosed("bob", C(0), C(0)),
    ),
    "people": Honest(
        people.FACTS,
        PeopleRegister,
        registered,
        [
            people.PersonAdded("sue", "supervisor"),
            people.PasswordSet("sue", "sealed"),
            people.FactorSet("sue", 7, "sealed"),
            people.SignedIn("sue", 8, 2),
            people.SignInFailed("sue", False, 1, AT),
            people.RoleChanged("sue", "auditor", "supervisor"),
            people.Disabled("sue", "left"),
        ],
        people.Disabled("bob", "left"),
    ),
    "drills": Honest(
        school.DRILLS,
        Pupil,
        replay_entries,
        [
            school.ItemAsked(1, "a/b", "h", "pay", "s", AT),
            school.HintGiven(1),
            school.ItemAnswered(1, "5", "5", True, False, 900, 1, None, AT),
            school.ExamBegan(
                "t1", "t", "Test", "h", "{}", (school.ExamItem("pay", "s"),), 80, 5, AT, AT
            ),
            school.ExamAnswered("t1", 0, "5", 100, AT),
            school.ExamEnded("t1", "r", True, AT),
        ],
        school.ExamEnded("t9", "r", True, AT),
    ),
}


def error_message(catch_up: Callable[[], Any]) -> str | None:
    """The error message of a reader; None if everything can be read. Other errors propagate."""
    try:
        catch_up()
    except PitbookError as error:
        return str(error)
    return None


@pytest.mark.parametrize("of", STREAMS)
def test_entries_are_read_as_written(of: str) -> None:
    stream = STREAMS[of]
    assert error_message(stream.fold(Book(stream.facts_json())).catch_up) is None


@pytest.mark.parametrize("of", STREAMS)
@pytest.mark.parametrize(
    "wrong",
    [
        {"fact": "of-tomorrow", "name": "sue"},
        {"name": "sue"},
        "has an event that is not an object",
        None,
        {"fact": None},
    ],
    ids=str,
)
def test_unknown_fact_is_refused_with_its_place(of: str, wrong: Any) -> None:
    """Regression: unknown facts were skipped, so an excluded person was let in."""
    stream = STREAMS[of]
    stored = stream.facts_json()
    message = error_message(stream.fold(Book([*stored[:2], wrong, *stored[2:]])).catch_up)
    assert message is not None
    assert 'Entry 3 of stream "some/stream" cannot be read' in message
    assert "pitbook audit verify" in message


@pytest.mark.parametrize("of", STREAMS)
def test_newer_format_and_missing_fields_are_refused(of: str) -> None:
    stream = STREAMS[of]
    for at, fact_json in enumerate(stream.facts_json()):
        short = dict(list(fact_json.items())[:-1])
        for wrong in ({**fact_json, "format": 99}, {**fact_json, "more": 1}, short):
            stored = stream.facts_json()
            stored[at] = wrong
            message = error_message(stream.fold(Book(stored)).catch_up)
            if wrong is not short:  # What is last in a fact may be left out.
                assert message is not None
            assert message is None or f"Entry {at + 1} of" in message, message


@pytest.mark.parametrize("of", STREAMS)
def test_reordered_entries_are_refused_with_their_place_or_valid(of: str) -> None:
    stream, refused = STREAMS[of], 0
    lot = random.Random(20)
    for _ in range(TRIES):
        stored = stream.facts_json()
        del stored[lot.randrange(len(stored))]
        place, other = lot.randrange(len(stored)), lot.randrange(len(stored))
        stored[place], stored[other] = stored[other], stored[place]
        message = error_message(stream.fold(Book(stored)).catch_up)
        assert message is None or (" of stream " in message and "()" not in message), message
        refused += message is not None
    assert refused > TRIES // 5


@pytest.mark.parametrize("of", STREAMS)
def test_damaged_value_is_refused_with_its_place_or_valid(of: str) -> None:
    stream = STREAMS[of]
    lot = random.Random(21)
    for _ in range(TRIES):
        stored = stream.facts_json()
        at = lot.randrange(len(stored))
        stored[at] = damage(stored[at], lot)
        message = error_message(stream.fold(Book(stored)).catch_up)
        assert message is None or " of stream " in message, (stored[at], message)


@pytest.mark.parametrize("of", STREAMS)
@pytest.mark.parametrize("has_snapshot", [False, True])
def test_state_survives_a_damaged_entry_and_continues_after_repair(
    of: str, has_snapshot: bool
) -> None:
    """The drawers of a cage were once counted twice after an entry that could not be read."""
    stream = STREAMS[of]
    for at in range(1, len(stream.facts)):
        stored = stream.facts_json()
        book = Book(stored[:1])
        fold = stream.fold(book)
        before = repr(fold.catch_up())
        wrong = stream.codec.dump(stream.impossible) if has_snapshot else {"fact": "of-tomorrow"}
        book.facts = [*stored[:at], wrong]
        for _ in range(2):
            assert error_message(fold.catch_up) is not None
        assert repr(fold.state) == before
        book.facts = stored
        assert repr(fold.catch_up()) == repr(stream.fold(Book(stored)).catch_up())


def test_catching_up_leaves_an_earlier_cage_state_unchanged() -> None:
    stream = STREAMS["cage"]
    book = Book(stream.facts_json()[:2])
    fold = stream.fold(book)
    state = fold.catch_up()
    before = repr(state)
    book.facts = stream.facts_json()
    assert fold.catch_up().shifts
    assert repr(state) == before


def test_undo_without_a_receipt_moves_no_money() -> None:
    stream = STREAMS["cage"]
    stored = [*stream.facts_json()[:3], slips.SLIPS.dump(slips.Undone(9, "?", C(10_000), "cora"))]
    fold = stream.fold(Book(stored[:3]))
    held = fold.catch_up().drawers["cora"].holds
    fold = stream.fold(Book(stored))
    assert "There is no slip 9" in str(error_message(fold.catch_up))
    assert held == 60_000


def test_receipt_is_undone_once() -> None:
    stream = STREAMS["cage"]
    stored = stream.facts_json()
    message = error_message(stream.fold(Book([*stored[:6], stored[5]])).catch_up)
    assert message is not None
    assert "Slip 3 was already voided by slip 4." in message


def test_audit_reports_an_impossible_slip() -> None:
    stored = STREAMS["cage"].facts_json()
    followed = CageAudit()
    (entry,) = Book(stored[-1:]).entries("cage")
    with pytest.raises(FactError, match="cora"):
        list(followed.check_entry(entry))


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with Ledger.open(f"sqlite:///{tmp_path / 'book.db'}") as ledger:
        yield ledger


def append_forged(ledger: Ledger, stream: str, *facts: Any) -> None:
    """Append facts that another program wrote."""
    ledger.append(stream, ledger.claim(stream), facts)


UNKNOWN = {"fact": "of-tomorrow"}


def test_roster_refuses_unknown_facts(ledger: Ledger) -> None:
    """Regression: an exclusion in a later format was skipped."""
    append_forged(ledger, "persons", roster.FACTS.dump(roster.NamesImported(("Ann",))), UNKNOWN)
    with pytest.raises(FactError, match='Entry 2 of stream "persons" cannot be read'):
        Persons(ledger).catch_up()


def test_day_refuses_unknown_facts(ledger: Ledger) -> None:
    played = daily.HandPlayed("Ann", 1, "fold", "fold", "0", AT)
    append_forged(ledger, "daily/2026-11-17", daily.FACTS.dump(played), UNKNOWN)
    with pytest.raises(FactError, match='Entry 2 of stream "daily/2026-11-17" cannot be read'):
        Daily(ledger, Vault(bytes(32))).day("2026-11-17")


def test_night_refuses_unknown_facts(ledger: Ledger) -> None:
    append_forged(ledger, "night/fair", {"fact": "slip", "tournament": 5})
    with pytest.raises(FactError, match='Entry 2 of stream "night/fair" cannot be read'):
        night_reader(ledger, "fair").catch_up()


def test_unreadable_pit_opens_no_table(ledger: Ledger) -> None:
    """Regression: within a second of the first error, no game was reported as disabled."""
    pit = Pit(ledger, clock=lambda: 5.0)
    asyncio.run(pit.disable("game", "a/b", why="broken", actor="sue"))
    assert pit.reason_for("game", "a/b") == "broken"
    append_forged(ledger, "pit", PIT.dump(GameDisabled("c/d", "too")), UNKNOWN)
    pit = Pit(ledger, clock=lambda: 5.0)
    for _ in range(2):
        with pytest.raises(FactError, match='Entry 4 of stream "pit" cannot be read'):
            pit.reason_for("game", "c/d")
