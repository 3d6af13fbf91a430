"""Verification of the ledger: each kind of damage has its own message."""

from __future__ import annotations

import json

import pytest
from sqlalchemy import event
from tests.house.ledger.kit import (
    ANN,
    CASH,
    GUEST,
    ISSUED,
    NOTED,
    buy_in,
    case_ids,
    fill,
    tamper,
)

from pitbook.house.ledger import audit
from pitbook.house.ledger.accounts import Account, move
from pitbook.house.ledger.audit import LedgerVerdict, verify
from pitbook.house.ledger.audit_checkpoints import LedgerFinding
from pitbook.house.ledger.hash_chain import Entry, canonical, entry_content, entry_hash
from pitbook.house.ledger.ledger import Ledger


def find_problems(ledger: Ledger) -> list[str]:
    return [str(finding) for finding in verify(ledger).findings]


@pytest.mark.long
def test_empty_ledger_is_sound(ledger: Ledger) -> None:
    assert verify(ledger) == LedgerVerdict(0, 0, 0, {}, ())


@pytest.mark.long
def test_ledger_with_entries_is_sound(ledger: Ledger) -> None:
    fill(ledger)
    practice = ledger.claim("practice", prunable=True)
    ledger.append("practice", practice, [NOTED], [move(ISSUED, GUEST, 700, "chips")])
    verdict = verify(ledger)
    assert verdict[:5] == LedgerVerdict(2, 6, 0, {"play": 700, "usd": 50_000}, ())[:5]
    assert (verdict.proved.at, verdict.proved.unsigned_entries) == (None, 6)


@pytest.mark.long
def test_page_size_does_not_change_the_verdict(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    epoch = fill(ledger)
    for number in range(1, 20):
        ledger.append("table-1", epoch, [NOTED], [buy_in(ANN, number)])
    whole = verify(ledger)
    monkeypatch.setattr(audit, "PAGE", 3)
    assert verify(ledger) == whole
    assert whole.findings == ()


def test_finding_text() -> None:
    assert str(LedgerFinding("table-1 5", "it was changed")) == "table-1 5: it was changed"


CHANGED = "it was changed: its hash does not match"
NOT_AFTER = "it does not link to the entry before it"
MISSED = "its postings do not match its transfers"

# What was done to the book, and everything that is found.
DONE: list[tuple[str, list[str], list[str]]] = [
    (
        "an actor",
        ["UPDATE entry SET actor = 'bob' WHERE seq = 2"],
        [f"table-1 2: {CHANGED}"],
    ),
    (
        "a time",
        ["UPDATE entry SET at = '2027' WHERE seq = 4"],
        [f"table-1 4: {CHANGED}"],
    ),
    (
        "a request",
        ["UPDATE entry SET request = 'ann/2' WHERE seq = 4"],
        [f"table-1 4: {CHANGED}"],
    ),
    (
        "a hash",
        [f"UPDATE entry SET hash = '{'f' * 64}' WHERE seq = 2"],
        [f"table-1 2: {CHANGED}", f"table-1 3: {NOT_AFTER}"],
    ),
    (
        "an epoch",
        ["UPDATE entry SET epoch = 2 WHERE seq = 3"],
        [
            f"table-1 3: {CHANGED}",
            "table-1 3: its epoch is 2, but the current one is 1",
            "table-1 4: its epoch is 1, but the current one is 2",
        ],
    ),
    (
        "the epoch of a claim",
        ["UPDATE entry SET epoch = 3 WHERE seq = 1"],
        [
            f"table-1 1: {CHANGED}",
            "table-1 1: its epoch is 3, but the current one is 1",
            "table-1 2: its epoch is 1, but the current one is 3",
        ],
    ),
    (
        "an entry",
        ["DELETE FROM entry WHERE seq = 3"],
        [
            "table-1 4: entry 3, before it, is missing",
            f"table-1 4: {NOT_AFTER}",
            f"table-1 4: {MISSED}",
            "house in usd: the balance is -1000.00, but its entries add up to 0.00",
            "rack:table-1 in usd: the balance is 970.00, but its entries add up to -30.00",
            "rack:table-1 in usd: the balance went below zero, to -30.00",
        ],
    ),
    (
        "the first entry",
        ["DELETE FROM entry WHERE seq = 1"],
        [
            "table-1 2: entry 1, before it, is missing",
            f"table-1 2: {NOT_AFTER}",
            "table-1 2: its epoch is 1, but the current one is 0",
        ],
    ),
    (
        "the last entry",
        ["DELETE FROM entry WHERE seq = 4"],
        [
            "table-1: the last entry is recorded as 4, but the last one found is 3",
            "table-1: there are postings for entry 4, which does not exist",
            "rack:table-1 in usd: the balance is 970.00, but its entries add up to 1000.00",
            "wallet:ann in usd: the balance is 530.00, but its entries add up to 500.00",
            "table-1 4: its snapshot is not the latest",
            "table-1 4: the JSON object must be str, bytes or bytearray, not NoneType",
        ],
    ),
    (
        "the head",
        ["UPDATE stream SET seq = 3"],
        ["table-1: the last entry is recorded as 3, but the last one found is 4"],
    ),
    (
        "the head's hash",
        [f"UPDATE stream SET head = '{'f' * 64}'"],
        ["table-1: the last entry is recorded as 4, but the last one found is 4"],
    ),
    (
        "the epoch in force",
        ["UPDATE stream SET epoch = 7"],
        ["table-1: the last entry is recorded as 4, but the last one found is 4"],
    ),
    (
        "what may be pruned",
        ["UPDATE stream SET prunable = true"],
        ["table-1: the flag that allows deletion was changed"],
    ),
    (
        "a posting",
        ["UPDATE posting SET amount = amount + 1 WHERE seq = 2 AND number = 1"],
        [f"table-1 2: {MISSED}"],
    ),
    (
        "a posting's account",
        ["UPDATE posting SET account = 99 WHERE seq = 2 AND number = 1"],
        [f"table-1 2: {MISSED}"],
    ),
    (
        "a posting's place",
        ["UPDATE posting SET number = 7 WHERE seq = 2 AND number = 1"],
        [f"table-1 2: {MISSED}"],
    ),
    ("a posting gone", ["DELETE FROM posting WHERE seq = 4"], [f"table-1 4: {MISSED}"]),
    (
        "a posting more",
        ["INSERT INTO posting VALUES (1, 1, 0, 1, 5)"],
        [f"table-1 1: {MISSED}"],
    ),
    (
        "a posting to come",
        ["INSERT INTO posting VALUES (1, 9, 0, 1, 5)"],
        ["table-1: there are postings for entry 9, which does not exist"],
    ),
    (
        "a balance",
        ["UPDATE account SET balance = balance + 1 WHERE kind = 'wallet'"],
        ["wallet:ann in usd: the balance is 530.01, but its entries add up to 530.00"],
    ),
    (
        "an account",
        ["DELETE FROM account WHERE kind = 'held'"],
        [
            f"table-1 4: {MISSED}",
            "held:table-1:ann in usd: it has entries but is not in the list of accounts",
        ],
    ),
    (
        "an account's name",
        ["UPDATE account SET name = 'bob' WHERE kind = 'wallet'"],
        [
            f"table-1 2: {MISSED}",
            f"table-1 4: {MISSED}",
            "wallet:bob in usd: the balance is 530.00, but its entries add up to 0.00",
            "wallet:ann in usd: it has entries but is not in the list of accounts",
        ],
    ),
    (
        "an account from nowhere",
        ["INSERT INTO account VALUES (99, 'usd', 'wallet', 'eve', 500)"],
        ["wallet:eve in usd: the balance is 5.00, but its entries add up to 0.00"],
    ),
    (
        "a stream",
        ["DELETE FROM stream"],
        [
            "the entry table: rows refer to stream 1, which does not exist",
            "the posting table: rows refer to stream 1, which does not exist",
            "the snapshot table: rows refer to stream 1, which does not exist",
            "cash in usd: the balance is 500.00, but its entries add up to 0.00",
            "wallet:ann in usd: the balance is 530.00, but its entries add up to 0.00",
            "house in usd: the balance is -1000.00, but its entries add up to 0.00",
            "rack:table-1 in usd: the balance is 970.00, but its entries add up to 0.00",
        ],
    ),
    (
        "a stream's name",
        ["UPDATE stream SET name = 'table-9'"],
        [f"table-9 {number}: {CHANGED}" for number in (1, 2, 3, 4)],
    ),
    (
        "a kept state",
        ["UPDATE snapshot SET state = '{}'"],
        [
            'table-1 4: The snapshot of "table-1" does not match its hash in the chain. '
            "Run pitbook audit verify to see what was changed."
        ],
    ),
    (
        "a kept state's place",
        ["UPDATE snapshot SET seq = 3"],
        [
            "table-1 3: its snapshot is not the latest",
            'table-1 3: The snapshot of "table-1" does not match its hash in the chain. '
            "Run pitbook audit verify to see what was changed.",
        ],
    ),
    (
        "a kept state gone",
        ["DELETE FROM snapshot"],
        ["table-1 4: its snapshot is missing"],
    ),
]


@pytest.mark.long
@pytest.mark.parametrize(("done", "expected"), [d[1:] for d in DONE], ids=[d[0] for d in DONE])
def test_verify_finds_every_change(
    sqlite_ledger: Ledger, done: list[str], expected: list[str]
) -> None:
    fill(sqlite_ledger)
    tamper(sqlite_ledger, *done)
    assert sorted(find_problems(sqlite_ledger)) == sorted(expected)


@pytest.mark.parametrize(
    "what", ["an actor", "what may be pruned", "a posting to come", "the last entry", "a stream"]
)
def test_every_change_is_found_on_postgresql(postgres_url: str, what: str) -> None:
    done, expected = next(case[1:] for case in DONE if case[0] == what)
    with Ledger.open(postgres_url) as ledger:
        fill(ledger)
        tamper(ledger, *done)
        assert sorted(find_problems(ledger)) == sorted(expected)


# What an entry holds instead, and what is found to be wrong with it.
UNREADABLE = [
    ("no json", "it is not valid JSON"),
    ("[]", "it has the wrong fields"),
    ('{"facts":[],"format":1,"transfers":[5]}', "one of its transfers cannot be read"),
]


@pytest.mark.parametrize(("stored", "why"), UNREADABLE, ids=case_ids())
def test_unreadable_entry_is_found(sqlite_ledger: Ledger, stored: str, why: str) -> None:
    fill(sqlite_ledger)
    tamper(sqlite_ledger, f"UPDATE entry SET content = '{stored}' WHERE seq = 2")
    assert find_problems(sqlite_ledger)[:2] == [
        f"table-1 2: cannot be read: A ledger entry is damaged: {why}.",
        f"table-1 2: {CHANGED}",
    ]


@pytest.mark.parametrize(
    "facts", [[5], [{}], ["text"], [None], 5, [{"fact": "claimed"}]], ids=case_ids()
)
def test_impossible_facts_are_found(sqlite_ledger: Ledger, facts: object) -> None:
    fill(sqlite_ledger)
    stored = canonical({"format": 1, "facts": facts, "transfers": []})
    tamper(sqlite_ledger, f"UPDATE entry SET content = '{stored}' WHERE seq = 3")
    assert find_problems(sqlite_ledger)[0].startswith("table-1 3: cannot be read: ")


def test_rewritten_history_has_other_heads(sqlite_ledger: Ledger) -> None:
    """With all hashes recomputed, only a checkpoint reveals the change."""
    epoch = sqlite_ledger.claim("table-1")
    sqlite_ledger.append("table-1", epoch, [{"fact": "noted", "by": "ann"}])
    first, second = sqlite_ledger.entries("table-1")
    forged = second._replace(content=entry_content([{"fact": "noted", "by": "eve"}], []))
    forged = forged._replace(hash=entry_hash(forged))
    assert forged.previous == first.hash
    tamper(
        sqlite_ledger,
        f"UPDATE entry SET content = '{forged.content}', hash = '{forged.hash}' WHERE seq = 2",
        f"UPDATE stream SET head = '{forged.hash}'",
    )
    assert verify(sqlite_ledger).findings == ()
    assert sqlite_ledger.streams()[0].head != second.hash


def test_negative_account_is_found_although_totals_agree(sqlite_ledger: Ledger) -> None:
    epoch = sqlite_ledger.claim("table-1")
    sqlite_ledger.append("table-1", epoch, [NOTED], [buy_in(ANN, 5)])
    entry = list(sqlite_ledger.entries("table-1"))[-1]
    debt = entry_content([NOTED], [move(ANN, CASH, 5, "cash-out")])
    forged = Entry(*entry[:7], debt, entry.previous, "")
    forged = forged._replace(hash=entry_hash(forged))
    tamper(
        sqlite_ledger,
        f"UPDATE entry SET content = '{debt}', hash = '{forged.hash}' WHERE seq = 2",
        f"UPDATE stream SET head = '{forged.hash}'",
        "UPDATE posting SET number = 2 WHERE number = 0",
        "UPDATE posting SET number = 0, amount = -5 WHERE number = 1",
        "UPDATE posting SET number = 1, amount = -5 WHERE number = 2",
        "UPDATE account SET balance = -5",
    )
    assert find_problems(sqlite_ledger) == [
        "cash in usd: the balance went below zero, to -0.05",
        "wallet:ann in usd: the balance went below zero, to -0.05",
        "the database: the file is damaged: CHECK constraint failed in account",
    ]


@pytest.mark.long
def test_audit_stops_at_a_database_failure(ledger: Ledger) -> None:
    fill(ledger)
    tamper(ledger, "ALTER TABLE posting RENAME TO elsewhere")
    (finding,) = verify(ledger).findings
    assert finding.where == "the database"
    assert finding.what.startswith("cannot be read further")
    assert "posting" in finding.what


def test_value_of_the_wrong_type_is_found(sqlite_ledger: Ledger) -> None:
    fill(sqlite_ledger)
    tamper(sqlite_ledger, "UPDATE account SET balance = 'much' WHERE kind = 'wallet'")
    (finding,) = verify(sqlite_ledger).findings
    assert finding.where == "the database"
    assert finding.what.startswith("has a value of the wrong type")
    assert "'str'" in finding.what


def test_invalid_boolean_is_found(sqlite_ledger: Ledger) -> None:
    fill(sqlite_ledger)
    tamper(sqlite_ledger, "UPDATE stream SET prunable = 5")
    assert find_problems(sqlite_ledger) == ["table-1: the flag that allows deletion was changed"]


def test_ledger_with_very_many_streams(sqlite_ledger: Ledger) -> None:
    """More streams than SQL parameters; all are read in one query."""
    counts: list[str] = []
    fill(sqlite_ledger)
    event.listen(
        sqlite_ledger.engine, "before_cursor_execute", lambda *call: counts.append(repr(call[3]))
    )
    assert verify(sqlite_ledger).findings == ()
    assert max(len(parameters) for parameters in counts) < 20


def test_verify_continues_after_damage(sqlite_ledger: Ledger) -> None:
    fill(sqlite_ledger)
    other = sqlite_ledger.claim("table-2")
    sqlite_ledger.append("table-2", other, [NOTED])
    tamper(
        sqlite_ledger,
        "UPDATE entry SET content = 'x' WHERE stream = 1 AND seq = 1",
        "UPDATE entry SET body = 'x' WHERE stream = 2 AND seq = 2",
    )
    findings = find_problems(sqlite_ledger)
    assert f"table-1 1: {CHANGED}" in findings
    assert f"table-2 2: {CHANGED}" in findings
    assert verify(sqlite_ledger).entries == 6


@pytest.mark.long
def test_verdict_counts_entries_and_streams(sqlite_ledger: Ledger) -> None:
    fill(sqlite_ledger)
    gala = "tournament:gala"
    epoch = sqlite_ledger.claim("table-2")
    paid = move(Account(gala, "cash"), Account(gala, "prizes"), 25, "prize")
    sqlite_ledger.append("table-2", epoch, [NOTED], [paid, move(CASH, ANN, 1, "buy-in")])
    assert verify(sqlite_ledger).units == {gala: 25, "usd": 50_001}
    assert list(verify(sqlite_ledger).units) == [gala, "usd"]
    assert json.dumps(verify(sqlite_ledger).units)
