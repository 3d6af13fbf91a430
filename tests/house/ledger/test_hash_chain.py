"""Entries have one canonical form, and the hash covers all of it."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.house.ledger.kit import ANN, AT, CASH, HELD, buy_in, case_ids, refusal_of

from pitbook.errors import LedgerError
from pitbook.house.ledger import hash_chain
from pitbook.house.ledger.accounts import NAME, Account, move
from pitbook.house.ledger.hash_chain import (
    GENESIS,
    Entry,
    canonical,
    entry_content,
    entry_hash,
    parse_account,
    parse_content,
    parse_transfers,
    sha256,
)
from pitbook.money import CENTS_MAX

KEPT = entry_content([{"fact": "b", "a": [1, None, True]}], [buy_in(ANN, 500)])
ENTRY = Entry("table-1", 7, AT, 2, "dealer", "ann/1", "body", KEPT, GENESIS, "")


@pytest.mark.parametrize(
    ("document", "text"),
    [
        ({"b": 1, "a": [1, 2]}, '{"a":[1,2],"b":1}'),
        ({"é": "\u2666"}, '{"é":"\u2666"}'),
        ({"a": {"d": 0, "c": "x y"}}, '{"a":{"c":"x y","d":0}}'),
        ([None, True, 1.5, "\n"], '[null,true,1.5,"\\n"]'),
        ((1, 2), "[1,2]"),
    ],
    ids=case_ids(),
)
def test_canonical_json_is_unique(document: Any, text: str) -> None:
    assert canonical(document) == text


@pytest.mark.parametrize(
    ("document", "why"),
    [
        (float("nan"), "Out of range float values are not JSON compliant"),
        (float("inf"), "Out of range float values are not JSON compliant"),
        ({1, 2}, "Object of type set is not JSON serializable"),
        ({"a": 1, 2: 3}, "'<' not supported between instances of 'int' and 'str'"),
    ],
    ids=case_ids(),
)
def test_value_that_is_not_json_is_refused(document: Any, why: str) -> None:
    kind, message = refusal_of(canonical, document)
    assert kind is LedgerError
    assert message.startswith(f"This event is not valid JSON: {why}")


def test_entry_content_is_canonical_json() -> None:
    assert KEPT == (
        '{"facts":[{"a":[1,null,true],"fact":"b"}],"format":1,"transfers":['
        '{"cents":500,"credit":"wallet:ann","debit":"cash","unit":"usd","why":"buy-in"}]}'
    )
    assert ENTRY.facts == [{"fact": "b", "a": [1, None, True]}]
    assert ENTRY.transfers == [buy_in(ANN, 500)]


@given(why=st.text(), name=st.from_regex(NAME, fullmatch=True), cents=st.integers(1, CENTS_MAX))
def test_text_is_escaped_as_in_json(why: str, name: str, cents: int) -> None:
    moved = move(CASH, ANN._replace(name=name), cents, why)
    fields = (str(moved.credit), "cash", "usd", why)
    paid = dict(zip(("credit", "debit", "unit", "why"), fields, strict=True), cents=cents)
    stored = entry_content([], [moved, moved])
    assert stored == canonical({"facts": [], "format": 1, "transfers": [paid, paid]})


@given(why=st.text(st.characters(exclude_categories=["Cs"])), request=st.none() | st.just('"\\'))
def test_hash_covers_canonical_json(why: str, request: str | None) -> None:
    entry = ENTRY._replace(actor=why, request=request, body=None)
    assert entry_hash(entry) == sha256(canonical([1, *entry[:-1]]))


def test_published_hash_is_unchanged() -> None:
    """Computed by hand, as anyone could without Pitbook."""
    listed = [1, "table-1", 7, AT, 2, "dealer", "ann/1", "body", KEPT, "0" * 64]
    text = json.dumps(listed, separators=(",", ":"), ensure_ascii=False)
    assert entry_hash(ENTRY) == hashlib.sha256(text.encode()).hexdigest()
    golden = "94e3415c9b337deaad5cf7cccee7b2a96bd14c340520d830e6057722ea38f2ad"
    assert entry_hash(ENTRY) == golden


@pytest.mark.parametrize("field", Entry._fields[:-1])
def test_hash_depends_on_every_field(field: str) -> None:
    value = getattr(ENTRY, field)
    other: Any = value + 1 if isinstance(value, int) else f"{value}x"
    assert entry_hash(ENTRY._replace(**{field: other})) != entry_hash(ENTRY)


def test_hash_excludes_itself() -> None:
    assert entry_hash(ENTRY._replace(hash="x")) == entry_hash(ENTRY)


def test_digest_is_sha_256_of_the_text() -> None:
    assert sha256("") == hashlib.sha256(b"").hexdigest()
    assert sha256("é") == hashlib.sha256("é".encode()).hexdigest()


@pytest.mark.parametrize(
    ("unit", "text", "named"),
    [
        ("usd", "cash", CASH),
        ("usd", "wallet:ann", ANN),
        ("usd", "held:table-1:ann", HELD),
        ("play", "wallet:", Account("play", "wallet", "")),
    ],
)
def test_accounts_are_read_from_text(unit: str, text: str, named: Account) -> None:
    assert parse_account(unit, text) == named


DAMAGED = "A ledger entry is damaged: "


@pytest.mark.parametrize(
    ("stored", "message"),
    [
        ("", DAMAGED + "it is not valid JSON."),
        ("{", DAMAGED + "it is not valid JSON."),
        ("[]", DAMAGED + "it has the wrong fields."),
        ("5", DAMAGED + "it has the wrong fields."),
        ("{}", DAMAGED + "it has the wrong fields."),
        ('{"format":1,"facts":[]}', DAMAGED + "it has the wrong fields."),
        ('{"format":1,"facts":[],"transfers":[],"more":1}', DAMAGED + "it has the wrong fields."),
        (
            '{"format":2,"facts":[],"transfers":[]}',
            "A ledger entry has format 2, not 1.",
        ),
    ],
    ids=case_ids(),
)
def test_damaged_content_is_refused(stored: str, message: str) -> None:
    assert refusal_of(parse_content, stored) == (LedgerError, message)


GOOD = {"unit": "usd", "debit": "cash", "credit": "wallet:ann", "cents": 5, "why": "buy-in"}


@pytest.mark.parametrize(
    "transfer",
    [
        *({key: value for key, value in GOOD.items() if key != left} for left in GOOD),
        *(None, 5, "text", [], {**GOOD, "debit": 5}, {**GOOD, "credit": None}, {**GOOD, "unit": 1}),
    ],
)
def test_damaged_transfer_is_refused(transfer: Any) -> None:
    stored = canonical({"format": 1, "facts": [], "transfers": [transfer]})
    assert refusal_of(parse_transfers, stored) == (
        LedgerError,
        DAMAGED + "one of its transfers cannot be read.",
    )


def test_impossible_transfer_is_refused() -> None:
    stored = canonical({"format": 1, "facts": [], "transfers": [{**GOOD, "cents": 0}]})
    assert refusal_of(parse_transfers, stored)[1].startswith("0 is not a valid amount")
    stored = canonical({"format": 1, "facts": [], "transfers": [GOOD, {**GOOD, "cents": 6}]})
    assert parse_transfers(stored) == [buy_in(ANN, 5), move(CASH, ANN, 6, "buy-in")]


@pytest.mark.long
@given(st.dictionaries(st.text(), st.lists(st.integers() | st.text() | st.none())))
def test_pure_python_encoding_is_identical(document: dict[str, Any]) -> None:
    slowly = "".join(hash_chain._encode_in_python(document, 0))
    assert slowly == canonical(document)
