"""What cannot have been written, in every stream that is folded: refused by its place, and whole.

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
from tests.house.table.test_damaged_facts import damaged

from pitbook.errors import FactError, PitbookError
from pitbook.house.cage import slips
from pitbook.house.cage.cage import CageFollowed
from pitbook.house.cage.state import Counter
from pitbook.house.cage.state import evolve as counted
from pitbook.house.ledger.chain import Canonical, Entry, content
from pitbook.house.ledger.codec import Codec
from pitbook.house.ledger.journal import Ledger
from pitbook.house.ledger.stream_reader import StreamReader
from pitbook.house.nights.state import fold_of
from pitbook.house.people import register as people
from pitbook.house.people import roster as persons
from pitbook.house.people.register import PeopleRegister
from pitbook.house.people.register import apply_entries as registered
from pitbook.house.people.roster import Persons
from pitbook.house.pit.disabled import FACTS as PIT
from pitbook.house.pit.disabled import GameDisabled, Pit
from pitbook.house.school import events as daily
from pitbook.house.school import events as school
from pitbook.house.school.daily import Daily
from pitbook.house.school.pupils import Pupil, read
from pitbook.money import Cents
from pitbook.shoe.vault import Vault

Json = dict[str, Any]
AT = "2026-11-17T20:00:00+00:00"
TRIES = 150


class Book:
    """A stream with one fact in each entry, as a ledger shows it."""

    def __init__(self, facts: list[Any]) -> None:
        self.facts = facts

    def entries(self, stream: str, *, after: int = 0) -> Iterator[Entry]:
        for seq, fact in enumerate(self.facts[after:], after + 1):
            yield Entry(stream, seq, AT, 1, "sue", None, None, kept(fact), "", "")


def kept(fact: Any) -> str:
    """The fact as a journal has it, whatever stands in it."""
    return content([Canonical(json.dumps(fact))], ())


class Honest(NamedTuple):
    """What some stream may say, and how it is folded."""

    codec: Codec[Any]
    start: Callable[[], Any]
    evolve: Callable[..., Any]
    facts: list[Any]
    impossible: Any  # A fact that is well made and cannot come.

    def kept(self) -> list[Json]:
        return self.codec.dump_all(self.facts)

    def fold(self, book: Book) -> StreamReader[Any]:
        return StreamReader(book, "some/stream", self.start(), self.evolve)  # type: ignore[arg-type]


C = Cents
STREAMS = {
    "cage": Honest(
        slips.SLIPS,
        Counter,
        counted,
        [
            slips.Fund(C(90_000)),
            slips.DrawerOpened("cora", C(50_000)),
            slips.BuyIn("Ann", C(10_000), "cora"),
            slips.UndoAsked(3, "wrong person"),
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
        read,
        [
            school.ItemAsked(1, "a/b", "h", "pay", "s", AT),
            school.Hinted(1),
            school.ItemAnswered(1, "5", "5", True, False, 900, 1, None, AT),
            school.Began(
                "t1", "t", "Test", "h", "{}", (school.PaperItem("pay", "s"),), 80, 5, AT, AT
            ),
            school.PaperGiven("t1", 0, "5", 100, AT),
            school.ExamEnded("t1", "r", True, AT),
        ],
        school.ExamEnded("t9", "r", True, AT),
    ),
}


def told(catch_up: Callable[[], Any]) -> str | None:
    """What whoever reads is told; None where all can be read. Nothing but our own error comes."""
    try:
        catch_up()
    except PitbookError as error:
        return str(error)
    return None


@pytest.mark.parametrize("of", STREAMS)
def test_all_is_read_as_it_was_written(of: str) -> None:
    stream = STREAMS[of]
    assert told(stream.fold(Book(stream.kept())).catch_up) is None


@pytest.mark.parametrize("of", STREAMS)
@pytest.mark.parametrize(
    "wrong",
    [{"fact": "of-tomorrow", "name": "sue"}, {"name": "sue"}, "no object", None, {"fact": None}],
    ids=str,
)
def test_what_nobody_knows_is_refused_by_its_place(of: str, wrong: Any) -> None:
    """It once was passed over in silence: a person whom a later Pitbook had shut out came in."""
    stream = STREAMS[of]
    kept = stream.kept()
    said = told(stream.fold(Book([*kept[:2], wrong, *kept[2:]])).catch_up)
    assert said is not None
    assert 'entry 3 of the stream "some/stream" cannot be read' in said
    assert "pitbook audit verify" in said


@pytest.mark.parametrize("of", STREAMS)
def test_a_later_form_and_a_missing_field_are_refused(of: str) -> None:
    stream = STREAMS[of]
    for at, one in enumerate(stream.kept()):
        short = dict(list(one.items())[:-1])
        for wrong in ({**one, "format": 99}, {**one, "more": 1}, short):
            kept = stream.kept()
            kept[at] = wrong
            said = told(stream.fold(Book(kept)).catch_up)
            if wrong is not short:  # What is last in a fact may be left out.
                assert said is not None
            assert said is None or f"entry {at + 1} of" in said, said


@pytest.mark.parametrize("of", STREAMS)
def test_another_order_is_refused_by_its_place_or_makes_sense(of: str) -> None:
    stream, refused = STREAMS[of], 0
    lot = random.Random(20)
    for _ in range(TRIES):
        kept = stream.kept()
        del kept[lot.randrange(len(kept))]
        one, other = lot.randrange(len(kept)), lot.randrange(len(kept))
        kept[one], kept[other] = kept[other], kept[one]
        said = told(stream.fold(Book(kept)).catch_up)
        assert said is None or (" of the stream " in said and "()" not in said), said
        refused += said is not None
    assert refused > TRIES // 5


@pytest.mark.parametrize("of", STREAMS)
def test_a_damaged_value_is_refused_by_its_place_or_makes_sense(of: str) -> None:
    stream = STREAMS[of]
    lot = random.Random(21)
    for _ in range(TRIES):
        kept = stream.kept()
        at = lot.randrange(len(kept))
        kept[at] = damaged(kept[at], lot)
        said = told(stream.fold(Book(kept)).catch_up)
        assert said is None or " of the stream " in said, (kept[at], said)


@pytest.mark.parametrize("of", STREAMS)
@pytest.mark.parametrize("known", [False, True])
def test_what_was_read_stands_as_it_was_and_goes_on_when_the_book_is_mended(
    of: str, known: bool
) -> None:
    """The drawers of a cage were once counted twice after an entry that could not be read."""
    stream = STREAMS[of]
    for at in range(1, len(stream.facts)):
        kept = stream.kept()
        book = Book(kept[:1])
        fold = stream.fold(book)
        before = repr(fold.catch_up())
        wrong = stream.codec.dump(stream.impossible) if known else {"fact": "of-tomorrow"}
        book.facts = [*kept[:at], wrong]
        for _ in range(2):
            assert told(fold.catch_up) is not None
        assert repr(fold.state) == before
        book.facts = kept
        assert repr(fold.catch_up()) == repr(stream.fold(Book(kept)).catch_up())


def test_whoever_looks_at_the_cage_sees_one_moment_of_it() -> None:
    stream = STREAMS["cage"]
    book = Book(stream.kept()[:2])
    fold = stream.fold(book)
    seen = fold.catch_up()
    before = repr(seen)
    book.facts = stream.kept()
    assert fold.catch_up().shifts
    assert repr(seen) == before


def test_an_undo_of_no_receipt_moves_no_money() -> None:
    stream = STREAMS["cage"]
    kept = [*stream.kept()[:3], slips.SLIPS.dump(slips.Undone(9, "?", C(10_000), "cora"))]
    fold = stream.fold(Book(kept[:3]))
    held = fold.catch_up().drawers["cora"].holds
    fold = stream.fold(Book(kept))
    assert "receipt 9" in str(told(fold.catch_up))
    assert held == 60_000


def test_an_undo_of_a_cage_comes_once() -> None:
    stream = STREAMS["cage"]
    kept = stream.kept()
    said = told(stream.fold(Book([*kept[:6], kept[5]])).catch_up)
    assert said is not None
    assert "receipt 3 was undone already, by receipt 4" in said


def test_an_audit_names_a_slip_that_cannot_have_happened() -> None:
    kept = STREAMS["cage"].kept()
    followed = CageFollowed()
    (entry,) = Book(kept[-1:]).entries("cage")
    with pytest.raises(FactError, match="cora"):
        list(followed.follow(entry))


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with Ledger.open(f"sqlite:///{tmp_path / 'book.db'}") as ledger:
        yield ledger


def forged(ledger: Ledger, stream: str, *facts: Any) -> None:
    """Facts that somebody else wrote."""
    ledger.append(stream, ledger.claim(stream), facts)


UNKNOWN = {"fact": "of-tomorrow"}


def test_a_roster_refuses_what_it_does_not_know(ledger: Ledger) -> None:
    """An exclusion of a later form was once passed over."""
    forged(ledger, "persons", persons.FACTS.dump(persons.NamesImported(("Ann",))), UNKNOWN)
    with pytest.raises(FactError, match='of the stream "persons" cannot be read'):
        Persons(ledger).catch_up()


def test_a_day_refuses_what_it_does_not_know(ledger: Ledger) -> None:
    played = daily.Played("Ann", 1, "fold", "fold", "0", AT)
    forged(ledger, "daily/2026-11-17", daily.FACTS.dump(played), UNKNOWN)
    with pytest.raises(FactError, match='of the stream "daily/2026-11-17" cannot be read'):
        Daily(ledger, Vault(bytes(32))).day("2026-11-17")


def test_a_night_refuses_what_it_does_not_know(ledger: Ledger) -> None:
    forged(ledger, "night/fair", {"fact": "slip", "tournament": 5})
    with pytest.raises(FactError, match='of the stream "night/fair" cannot be read'):
        fold_of(ledger, "fair").catch_up()


def test_a_pit_that_cannot_be_read_opens_nothing(ledger: Ledger) -> None:
    """Within a second of the first refusal it once answered that nothing is shut."""
    pit = Pit(ledger, clock=lambda: 5.0)
    asyncio.run(pit.shut("game", "a/b", why="broken", actor="sue"))
    assert pit.why_shut("game", "a/b") == "broken"
    forged(ledger, "pit", PIT.dump(GameDisabled("c/d", "too")), UNKNOWN)
    pit = Pit(ledger, clock=lambda: 5.0)
    for _ in range(2):
        with pytest.raises(FactError, match='of the stream "pit" cannot be read'):
            pit.why_shut("game", "c/d")
