"""Pruning practice streams: complete, without balances, and recorded."""

from __future__ import annotations

import pytest
from tests.house.ledger.kit import (
    ANN,
    AT,
    CASH,
    GUEST,
    ISSUED,
    NOTED,
    ManualClock,
    buy_in,
    fill,
    noted_fact,
    refusal_of,
    rows,
    tamper,
)
from tests.house.ledger.test_keys import KEYS

from pitbook.errors import LedgerError
from pitbook.house.ledger.accounts import Account, move
from pitbook.house.ledger.append_batch import Append, prune, write_batch
from pitbook.house.ledger.audit import verify
from pitbook.house.ledger.audit_checkpoints import LedgerFinding
from pitbook.house.ledger.checkpoints import Checkpoint, sign_checkpoint
from pitbook.house.ledger.database import for_writing
from pitbook.house.ledger.hash_chain import GENESIS, sha256
from pitbook.house.ledger.ledger import Ledger


def practice_stream(ledger: Ledger, entries: int = 3, *, left: int = 0) -> int:
    """A practice stream whose chips were returned, except for some."""
    epoch = ledger.claim("practice", prunable=True)
    ledger.append("practice", epoch, [NOTED], [move(ISSUED, GUEST, 500, "chips")], keep={"a": 1})
    for number in range(entries - 3):
        ledger.append("practice", epoch, [noted_fact(number)])
    ledger.append("practice", epoch, [NOTED], [move(GUEST, ISSUED, 500 - left, "chips back")])
    return epoch


def sign(ledger: Ledger, *before: Checkpoint) -> Checkpoint:
    previous = sha256(before[-1].line) if before else GENESIS
    return sign_checkpoint(ledger.streams(), KEYS, at=str(len(before) + 1), previous=previous)


@pytest.mark.long
def test_prune_deletes_the_whole_practice_stream(ledger: Ledger) -> None:
    fill(ledger)
    practice_stream(ledger)
    gone = ledger.stream("practice")
    assert gone is not None
    prune(ledger, "practice", at="then")
    assert [stream.name for stream in ledger.streams()] == ["pruned", "table-1"]
    (entry,) = ledger.entries("pruned")
    assert entry.at == "then"
    assert entry.facts == [
        {"fact": "claimed", "epoch": 1, "prunable": False},
        {"fact": "pruned", "stream": "practice", "seq": 3, "head": gone.head},
    ]
    for table in ("entry", "posting", "snapshot"):
        others = rows(ledger, f"SELECT DISTINCT stream FROM {table} ORDER BY stream")
        assert (2,) not in others
        assert (1,) in others
    assert set(ledger.balances("play")) == set()
    assert len(ledger.balances("usd")) == 5
    assert ledger.latest_snapshot("table-1") == (4, {"before": 3})
    assert verify(ledger).findings == ()


@pytest.mark.long
def test_accounts_used_elsewhere_are_kept(ledger: Ledger) -> None:
    epoch = ledger.claim("event")
    ledger.append("event", epoch, [NOTED], [move(ISSUED, GUEST, 70, "chips")])
    practice_stream(ledger)
    prune(ledger, "practice", at=AT)
    assert ledger.balances("play") == {ISSUED: 70, GUEST: 70}
    assert verify(ledger).findings == ()


def test_accounts_of_refused_transfers_are_kept(ledger: Ledger) -> None:
    fill(ledger)
    practice_stream(ledger)
    poor = Account("usd", "wallet", "poor")
    taken = Append("table-1", 1, [NOTED], [move(poor, CASH, 5, "cash-out")])
    with for_writing(ledger.engine).begin() as connection:
        write_batch(connection, [taken], AT)
    prune(ledger, "practice", at=AT)
    assert ledger.balances("usd")[poor] == 0


@pytest.mark.parametrize("left", [1, 499])
def test_stream_with_money_is_not_pruned(ledger: Ledger, left: int) -> None:
    practice_stream(ledger, left=left)
    before = ledger.streams()
    assert refusal_of(prune, ledger.engine, "practice", at=AT) == (
        LedgerError,
        '"practice" still holds money. Close the table first.',
    )
    assert ledger.streams() == before
    assert ledger.balance(GUEST) == left


@pytest.mark.long
def test_stream_whose_money_moved_on_is_not_pruned(ledger: Ledger) -> None:
    epoch = practice_stream(ledger)
    other = Account("play", "wallet", "other")
    moved = [move(ISSUED, GUEST, 5, "chips"), move(GUEST, other, 5, "gift")]
    ledger.append("practice", epoch, [NOTED], moved)
    assert refusal_of(prune, ledger.engine, "practice", at=AT)[1].endswith("Close the table first.")


@pytest.mark.long
@pytest.mark.parametrize("name", ["table-1", "nowhere", "clock", "pruned"])
def test_only_practice_streams_can_be_deleted(
    ledger: Ledger, manual_clock: ManualClock, name: str
) -> None:
    ledger.claim("table-1")
    manual_clock.turn(500)
    practice_stream(ledger)
    prune(ledger, "practice", at=AT)
    before = ledger.streams()
    assert refusal_of(prune, ledger.engine, name, at=AT) == (
        LedgerError,
        f'"{name}" is not a practice table. Only practice tables are ever deleted.',
    )
    assert ledger.streams() == before


def test_pruned_stream_cannot_be_written(ledger: Ledger) -> None:
    epoch = practice_stream(ledger)
    prune(ledger, "practice", at=AT)
    assert refusal_of(ledger.append, "practice", epoch, [NOTED])[1] == (
        'There is no stream "practice". Claim it first.'
    )


@pytest.mark.long
def test_stream_without_entries_is_pruned(ledger: Ledger) -> None:
    ledger.claim("practice", prunable=True)
    prune(ledger, "practice", at=AT)
    ledger.claim("practice", prunable=True)
    prune(ledger, "practice", at=AT)
    assert [entry.epoch for entry in ledger.entries("pruned")] == [1, 2]
    assert verify(ledger).findings == ()


@pytest.mark.long
def test_database_failure_prunes_nothing(ledger: Ledger) -> None:
    practice_stream(ledger)
    tamper(ledger, "ALTER TABLE snapshot RENAME TO elsewhere")
    kind, message = refusal_of(prune, ledger.engine, "practice", at=AT)
    assert kind is LedgerError
    assert message.startswith('"practice" cannot be deleted: ')
    assert "snapshot" in message
    assert ledger.stream("pruned") is None


@pytest.mark.long
def test_driver_failure_prunes_nothing(sqlite_ledger: Ledger) -> None:
    practice_stream(sqlite_ledger)
    tamper(
        sqlite_ledger,
        "CREATE TRIGGER no BEFORE INSERT ON entry BEGIN SELECT RAISE(ABORT, 'no'); END",
    )
    assert refusal_of(prune, sqlite_ledger.engine, "practice", at=AT) == (
        LedgerError,
        '"practice" cannot be deleted: no',
    )


class TestOlderCheckpoints:
    @pytest.mark.long
    def test_triggers_still_hold_after_a_prune(self, ledger: Ledger) -> None:
        fill(ledger)
        practice_stream(ledger)
        checkpoint = sign(ledger)
        prune(ledger, "practice", at=AT)
        two = sign(ledger, checkpoint)
        assert verify(ledger, [checkpoint, two], key=KEYS.public).findings == ()

    @pytest.mark.long
    def test_triggers_hold_when_the_name_is_reused(self, ledger: Ledger) -> None:
        """New streams that are shorter than, as long as, and longer than the old one."""
        practice_stream(ledger, 5)
        checkpoint = sign(ledger)
        prune(ledger, "practice", at=AT)
        practice_stream(ledger, 3)
        two = sign(ledger, checkpoint)
        assert verify(ledger, [checkpoint, two]).findings == ()
        prune(ledger, "practice", at=AT)
        practice_stream(ledger, 7)
        three = sign(ledger, checkpoint, two)
        assert verify(ledger, [checkpoint, two, three]).findings == ()

    def test_prune_does_not_excuse_later_signatures(self, sqlite_ledger: Ledger) -> None:
        practice_stream(sqlite_ledger, 5)
        prune(sqlite_ledger, "practice", at=AT)
        practice_stream(sqlite_ledger, 4)
        checkpoint = sign(sqlite_ledger)
        tamper(
            sqlite_ledger,
            "DELETE FROM posting WHERE stream <> (SELECT id FROM stream WHERE name = 'pruned')",
            "DELETE FROM entry WHERE stream <> (SELECT id FROM stream WHERE name = 'pruned')",
            "DELETE FROM snapshot",
            "DELETE FROM stream WHERE name <> 'pruned'",
            "DELETE FROM account",
        )
        assert verify(sqlite_ledger).findings == ()
        assert verify(sqlite_ledger, [checkpoint]).findings == (
            LedgerFinding("the checkpoint of 1", 'entry 4 of stream "practice" is missing'),
        )

    def test_prune_excuses_only_existing_entries(self, sqlite_ledger: Ledger) -> None:
        practice_stream(sqlite_ledger, 4)
        checkpoint = sign(sqlite_ledger)
        prune(sqlite_ledger, "practice", at=AT)
        longer = checkpoint._replace(heads=(("practice", 5, "f" * 64),))
        assert [str(finding) for finding in verify(sqlite_ledger, [longer]).findings][1:] == [
            'the checkpoint of 1: entry 5 of stream "practice" is missing'
        ]

    def test_forged_prune_fact_does_not_hide_a_table(self, sqlite_ledger: Ledger) -> None:
        """Someone with database access but no key claims that a table was practice."""
        epoch = sqlite_ledger.claim("table-1")
        sqlite_ledger.append("table-1", epoch, [NOTED], [buy_in(ANN, 5)])
        checkpoint = sign(sqlite_ledger)
        tamper(
            sqlite_ledger,
            *(f"DELETE FROM {table}" for table in ("posting", "entry", "stream", "account")),
        )
        forged = {"fact": "pruned", "stream": "table-1", "seq": 2, "head": checkpoint.heads[0][2]}
        with for_writing(sqlite_ledger.engine).begin() as connection:
            write_batch(connection, [Append("pruned", None, [forged])], AT)
        assert verify(sqlite_ledger).findings == ()
        assert verify(sqlite_ledger, [checkpoint]).findings == (
            LedgerFinding("the checkpoint of 1", 'entry 2 of stream "table-1" is missing'),
        )

    def test_prune_fact_counts_only_in_its_stream(self, sqlite_ledger: Ledger) -> None:
        practice_stream(sqlite_ledger)
        checkpoint = sign(sqlite_ledger)
        epoch = sqlite_ledger.claim("table-1")
        tamper(
            sqlite_ledger,
            *(
                f"DELETE FROM {table} WHERE stream = 1"
                for table in ("posting", "entry", "snapshot")
            ),
            "DELETE FROM stream WHERE id = 1",
            "DELETE FROM account",
        )
        forged = {"fact": "pruned", "stream": "practice", "seq": 3, "head": checkpoint.heads[0][2]}
        with for_writing(sqlite_ledger.engine).begin() as connection:
            write_batch(connection, [Append("table-1", epoch, [forged])], AT)
        assert [str(finding) for finding in verify(sqlite_ledger, [checkpoint]).findings] == [
            'the checkpoint of 1: entry 3 of stream "practice" is missing'
        ]
