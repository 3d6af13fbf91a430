"""A snapshot is used only if its hash is in the chain."""

from __future__ import annotations

import pytest
from tests.house.ledger.kit import NOTED, answers, append, refusal_of, tamper, writer_held

from pitbook.errors import LedgerError
from pitbook.house.ledger.audit import verify
from pitbook.house.ledger.hash_chain import sha256
from pitbook.house.ledger.ledger import Ledger


@pytest.mark.long
def test_snapshot_is_stored_with_its_entry(ledger: Ledger) -> None:
    epoch = ledger.claim("table-1")
    assert ledger.latest_snapshot("table-1") is None
    ledger.append("table-1", epoch, [NOTED], keep={"b": 1, "a": "é"})
    assert ledger.latest_snapshot("table-1") == (2, {"a": "é", "b": 1})
    stored = {"fact": "kept", "state": sha256('{"a":"é","b":1}')}
    assert list(ledger.entries("table-1"))[-1].facts == [NOTED, stored]
    assert ledger.latest_snapshot("table-2") is None


@pytest.mark.long
def test_latest_snapshot_is_used(ledger: Ledger) -> None:
    epoch = ledger.claim("table-1")
    other = ledger.claim("table-2")
    ledger.append("table-2", other, [NOTED], keep={"of": "the other"})
    for number in range(3):
        ledger.append("table-1", epoch, [NOTED], keep={"number": number})
    ledger.append("table-1", epoch, [NOTED])
    assert ledger.latest_snapshot("table-1") == (4, {"number": 2})
    assert ledger.latest_snapshot("table-2") == (2, {"of": "the other"})
    assert verify(ledger).findings == ()


def test_two_snapshots_in_one_batch(ledger: Ledger) -> None:
    epoch = ledger.claim("table-1")
    with writer_held(ledger):
        waiting = [
            ledger.submit(append("table-1", epoch, keep={"number": number})) for number in range(3)
        ]
    answers(waiting)
    assert ledger.latest_snapshot("table-1") == (4, {"number": 2})
    assert verify(ledger).findings == ()


def test_claim_may_store_a_snapshot(ledger: Ledger) -> None:
    ledger.submit(append("table-1", None, keep={"new": True})).result()
    facts = next(ledger.entries("table-1")).facts
    assert [fact["fact"] for fact in facts] == ["claimed", "noted", "kept"]
    assert ledger.latest_snapshot("table-1") == (1, {"new": True})


def test_changed_snapshot_is_refused(ledger: Ledger) -> None:
    epoch = ledger.claim("table-1")
    ledger.append("table-1", epoch, [NOTED], keep={"cents": 5})
    tamper(ledger, """UPDATE snapshot SET state = '{"cents":6}'""")
    assert refusal_of(ledger.latest_snapshot, "table-1") == (
        LedgerError,
        'The snapshot of "table-1" does not match its hash in the chain. '
        "Run pitbook audit verify to see what was changed.",
    )


def test_snapshot_moved_to_another_entry_is_refused(ledger: Ledger) -> None:
    epoch = ledger.claim("table-1")
    ledger.append("table-1", epoch, [NOTED], keep={"cents": 5})
    ledger.append("table-1", epoch, [{"fact": "other", "state": sha256('{"cents":5}')}])
    tamper(ledger, "UPDATE snapshot SET seq = 3")
    assert refusal_of(ledger.latest_snapshot, "table-1")[1].startswith(
        'The snapshot of "table-1" does not'
    )


@pytest.mark.long
def test_snapshot_without_its_entry_is_ignored(ledger: Ledger) -> None:
    epoch = ledger.claim("table-1")
    ledger.append("table-1", epoch, [NOTED], keep={"cents": 5})
    tamper(ledger, "UPDATE snapshot SET seq = 9")
    assert ledger.latest_snapshot("table-1") is None
