"""Facts imply their transfers: played again, every stream of a house moves what it moved."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.forging import houses
from tests.golden_record.record import RECORD

from pitbook.house.ledger.accounts import Account, Transfer
from pitbook.house.ledger.chain import Entry, content
from pitbook.house.ledger.folder import Folder, restored
from pitbook.house.ledger.journal import Ledger
from pitbook.house.ledger.stream_kinds import AuditReplay, audit_of

BACKUP = RECORD / "backup.zip"


@pytest.fixture(scope="module")
def streams(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Entry]]:
    known = houses.house(tmp_path_factory.mktemp("implied"), signed=True)
    with Folder.open(known.path) as folder:
        return entries(folder.ledger)


def entries(ledger: Ledger) -> dict[str, list[Entry]]:
    return {one.name: list(ledger.entries(one.name)) for one in ledger.streams()}


def wrong(name: str, many: list[Entry]) -> list[str]:
    """What does not follow, up to the first thing that cannot have happened at all."""
    again = audit_of(name)
    assert again is not None
    found: list[str] = []
    try:
        for entry in many:
            found += again.follow(entry)
    except Exception as error:  # noqa: BLE001  As the audit does.
        found.append(str(error))
    return found


@pytest.mark.long
def test_every_stream_of_a_house_follows(streams: dict[str, list[Entry]]) -> None:
    assert [told for name, many in streams.items() for told in wrong(name, many)] == []
    moving = {name for name, many in streams.items() if any(one.transfers for one in many)}
    assert moving == {"cage", "table/one", "night/gala", "practice/mine"}


def other_transfers(moved: list[Transfer]) -> Iterator[list[Transfer]]:
    for place, one in enumerate(moved):
        before, after = moved[:place], moved[place + 1 :]
        yield [*before, one._replace(amount=one.amount + 1), *after]  # type: ignore[arg-type]
        yield [*before, one._replace(credit=Account(one.debit.unit, "wallet", "eve")), *after]
        yield [*before, one._replace(why=f"{one.why}!"), *after]
        yield [*before, *after]
        yield [*moved, one]


@pytest.mark.long
def test_no_transfer_can_be_another(streams: dict[str, list[Entry]]) -> None:
    tried = 0
    for name, many in streams.items():
        for place, entry in enumerate(many):
            for moved in other_transfers(entry.transfers):
                told = entry._replace(content=content(entry.facts, moved))
                assert wrong(name, [*many[:place], told]), (name, entry.seq, moved)
                tried += 1
    assert tried > 200


def test_a_stream_that_moves_nothing_moves_nothing(streams: dict[str, list[Entry]]) -> None:
    (moved,) = next(one.transfers for one in streams["cage"] if one.transfers)
    for name in ("people", "persons", "pit", "clock", "pruned", "checkpoints"):
        entry = Entry(name, 1, "", 1, "", None, None, content([], [moved]), "", "")
        assert wrong(name, [entry]) == [
            'its facts do not imply that $500 usd moves from cash to wallet:ann ("buy-in")'
        ]
    assert audit_of("cage2") is None


@pytest.mark.long
def test_a_state_that_was_kept_is_the_one_that_facts_lead_to(tmp_path: Path) -> None:
    restored(BACKUP, tmp_path / "house")
    with Folder.open(tmp_path / "house") as folder:
        ledger = folder.ledger
        name = next(one.name for one in ledger.streams() if ledger.latest_snapshot(one.name))
        kept = ledger.latest_snapshot(name)
        assert kept is not None
        again: AuditReplay | None = audit_of(name)
        assert again is not None
        for entry in ledger.entries(name):
            assert list(again.follow(entry)) == []
    assert again.is_kept(kept[1])
    assert not again.is_kept(kept[1] | {"rack": "1.00"})
