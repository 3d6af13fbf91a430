"""Replaying every stream's facts gives the transfers that were booked."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.forging import houses
from tests.golden_record.record import RECORD

from pitbook.house.ledger.accounts import Account, Transfer
from pitbook.house.ledger.data_folder import Folder, restore_folder
from pitbook.house.ledger.hash_chain import Entry, entry_content
from pitbook.house.ledger.ledger import Ledger
from pitbook.house.ledger.stream_kinds import AuditReplay, audit_of

BACKUP = RECORD / "backup.zip"


@pytest.fixture(scope="module")
def streams(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Entry]]:
    sample_house = houses.house(tmp_path_factory.mktemp("implied"), signed=True)
    with Folder.open(sample_house.path) as folder:
        return entries(folder.ledger)


def entries(ledger: Ledger) -> dict[str, list[Entry]]:
    return {stream.name: list(ledger.entries(stream.name)) for stream in ledger.streams()}


def audit_findings(name: str, many: list[Entry]) -> list[str]:
    """Audit findings up to the first impossible fact."""
    replayed = audit_of(name)
    assert replayed is not None
    findings: list[str] = []
    try:
        for entry in many:
            findings += replayed.check_entry(entry)
    except Exception as error:  # noqa: BLE001  As the audit does.
        findings.append(str(error))
    return findings


@pytest.mark.long
def test_transfers_of_every_stream_follow_from_its_facts(streams: dict[str, list[Entry]]) -> None:
    assert [
        finding
        for name, entries_of_stream in streams.items()
        for finding in audit_findings(name, entries_of_stream)
    ] == []
    moving = {name for name, many in streams.items() if any(entry.transfers for entry in many)}
    assert moving == {"cage", "table/one", "night/gala", "practice/mine"}


def other_transfers(transfers: list[Transfer]) -> Iterator[list[Transfer]]:
    for place, transfer in enumerate(transfers):
        before, after = transfers[:place], transfers[place + 1 :]
        yield [*before, transfer._replace(amount=transfer.amount + 1), *after]  # type: ignore[arg-type]
        yield [
            *before,
            transfer._replace(credit=Account(transfer.debit.unit, "wallet", "eve")),
            *after,
        ]
        yield [*before, transfer._replace(why=f"{transfer.why}!"), *after]
        yield [*before, *after]
        yield [*transfers, transfer]


@pytest.mark.long
def test_every_changed_transfer_is_found(streams: dict[str, list[Entry]]) -> None:
    tried = 0
    for name, many in streams.items():
        for place, entry in enumerate(many):
            for changed_transfers in other_transfers(entry.transfers):
                changed_entry = entry._replace(
                    content=entry_content(entry.facts, changed_transfers)
                )
                assert audit_findings(name, [*many[:place], changed_entry]), (
                    name,
                    entry.seq,
                    changed_transfers,
                )
                tried += 1
    assert tried > 200


def test_transfer_in_a_stream_that_books_none_is_found(streams: dict[str, list[Entry]]) -> None:
    (transfer,) = next(entry.transfers for entry in streams["cage"] if entry.transfers)
    for name in ("people", "persons", "pit", "clock", "pruned", "checkpoints"):
        entry = Entry(name, 1, "", 1, "", None, None, entry_content([], [transfer]), "", "")
        assert audit_findings(name, [entry]) == [
            'no event explains a transfer of $500 usd from cash to wallet:ann ("buy-in")'
        ]
    assert audit_of("cage2") is None


@pytest.mark.long
def test_stored_snapshot_equals_the_replayed_state(tmp_path: Path) -> None:
    restore_folder(BACKUP, tmp_path / "house")
    with Folder.open(tmp_path / "house") as folder:
        ledger = folder.ledger
        name = next(
            stream.name for stream in ledger.streams() if ledger.latest_snapshot(stream.name)
        )
        snapshot = ledger.latest_snapshot(name)
        assert snapshot is not None
        replayed: AuditReplay | None = audit_of(name)
        assert replayed is not None
        for entry in ledger.entries(name):
            assert list(replayed.check_entry(entry)) == []
    assert replayed.is_snapshot_of(snapshot[1])
    assert not replayed.is_snapshot_of(snapshot[1] | {"rack": "1.00"})
