"""Invalid appends are refused before anything is written."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

import pytest
from tests.house.ledger.kit import ANN, CASH, NOTED, buy_in, refusal_of

from pitbook.errors import LedgerError
from pitbook.house.ledger.accounts import Account, Transfer
from pitbook.house.ledger.append_batch import Append
from pitbook.house.ledger.hash_chain import Canonical, canonical
from pitbook.house.ledger.ledger import Ledger
from pitbook.house.ledger.writer import check_append

LONE = "\ud800"
LIST = "Events and transfers must be lists, not"
FACT = 'An event must be an object with a text field "fact".'
SOUND = Append("table-1", 1, [NOTED], [buy_in(ANN, 5)], "ann", "ann/1", "body", {"a": 1})


def keeps_no_character(what: str) -> str:
    return f"The {what} has a character that cannot be stored."


def is_no_text(what: str, value: Any) -> str:
    return f"The {what} must be text, not {value!r}."


def is_too_long(what: str) -> str:
    return f"The {what} is longer than 1000 characters."


def deep() -> Any:
    nested: list[Any] = []
    for _ in range(100_000):
        nested = [nested]
    return nested


REFUSED: list[tuple[str, Any, str]] = [
    ("stream", "", "A stream needs a name."),
    ("stream", "clock", '"clock" is reserved for the ledger.'),
    ("stream", "pruned", '"pruned" is reserved for the ledger.'),
    ("epoch", "1", "'1' is not an epoch. Claim the stream to get one."),
    ("epoch", True, "True is not an epoch. Claim the stream to get one."),
    ("epoch", 1.0, "1.0 is not an epoch. Claim the stream to get one."),
    ("stream", 5, is_no_text("stream", 5)),
    ("actor", None, is_no_text("actor", None)),
    ("actor", b"ann", is_no_text("actor", b"ann")),
    ("request", 7, is_no_text("request", 7)),
    ("body", {}, is_no_text("body", {})),
    *((what, f"a{LONE}", keeps_no_character(what)) for what in ("stream", "actor")),
    *((what, f"a{LONE}", keeps_no_character(what)) for what in ("request", "body")),
    *((what, "a\0b", keeps_no_character(what)) for what in ("stream", "actor")),
    *((what, "a\0b", keeps_no_character(what)) for what in ("request", "body")),
    *((what, "x" * 1001, is_too_long(what)) for what in ("stream", "actor", "request")),
    ("facts", None, f"{LIST} None."),
    ("facts", "noted", f"{LIST} 'noted'."),
    ("facts", {"fact": "noted"}, f"{LIST} {{'fact': 'noted'}}."),
    ("transfers", 5, f"{LIST} 5."),
    *(("facts", [NOTED, fact], FACT) for fact in (None, "noted", ["fact"], {}, {"fact": 5})),
    *(
        ("facts", [{"fact": name}], f'"{name}" is an event that only the ledger writes.')
        for name in ("claimed", "kept", "pruned", "clock-changed")
    ),
    ("facts", [{"fact": LONE}], "This event has a character that cannot be stored."),
    ("facts", [{"fact": "a", LONE: 1}], "This event has a character that cannot be stored."),
    ("facts", [{"fact": "a", "deep": deep()}], "This event is nested too deeply."),
    (
        "facts",
        [{"fact": "a", "odds": float("nan")}],
        "This event is not valid JSON: Out of range float values are not JSON compliant",
    ),
    ("keep", {"state": LONE}, "This event has a character that cannot be stored."),
    ("keep", {"state": deep()}, "This event is nested too deeply."),
    *(
        ("transfers", [transfer], f"{transfer!r} is not a transfer.")
        for transfer in (None, 5, (CASH, ANN, 5), (CASH, None, 5, ""), ((), ANN, 5, ""))
    ),
    (
        "transfers",
        [Transfer(CASH, Account("play", "wallet", "ann"), buy_in(ANN, 5).amount, "")],
        "usd cannot be moved to an account in play.",
    ),
    (
        "transfers",
        [(CASH, ANN, 0, "")],
        "0 is not a valid amount. Use 1 to 1000000000000000 cents.",
    ),
    ("transfers", [(CASH, ANN, 5, None)], is_no_text("why", None)),
    ("transfers", [(CASH, ANN, 5, LONE)], keeps_no_character("why")),
    ("transfers", [(CASH, ANN, 5, "x" * 1001)], is_too_long("why")),
]


@pytest.mark.parametrize(
    ("what", "value", "message"), REFUSED, ids=[f"{w}-{n}" for n, (w, *_) in enumerate(REFUSED)]
)
def test_refused(what: str, value: Any, message: str) -> None:
    kind, refusal = refusal_of(check_append, SOUND._replace(**{what: value}))
    assert kind is LedgerError
    assert refusal.startswith(message) if "compliant" in message else refusal == message


@pytest.mark.parametrize(
    ("what", "value"),
    [
        ("stream", "x" * 1000),
        ("actor", "x" * 1000),
        ("actor", ""),
        ("request", "x" * 1000),
        ("request", None),
        ("request", ""),
        ("body", None),
        ("body", "x" * 100_000),
        ("epoch", None),
        ("facts", ()),
        ("facts", ({"fact": "a"}, {"fact": "b"})),
        ("facts", [{"fact": "\0"}]),
        ("keep", None),
        ("keep", {}),
        ("transfers", ()),
    ],
)
def test_valid_entries_are_accepted(what: str, value: Any) -> None:
    append = SOUND._replace(**{what: value})
    assert check_append(append) == append._replace(
        facts=[Canonical(",".join(map(canonical, append.facts)))] if append.facts else [],
        transfers=list(append.transfers),
        keep=None if append.keep is None else Canonical(canonical(append.keep)),
    )


def test_loose_transfers_become_transfer_objects() -> None:
    loose: Any = [(tuple(CASH), list(ANN), 5, "buy-in")]
    (transfer,) = check_append(SOUND._replace(transfers=loose)).transfers
    assert transfer == buy_in(ANN, 5)
    assert type(transfer) is Transfer
    assert type(transfer.credit) is Account


def test_refusal_reaches_the_caller_and_writes_nothing(ledger: Ledger) -> None:
    epoch = ledger.claim("table-1")
    assert refusal_of(ledger.submit, Append("table-1", epoch, [NOTED], actor="\0")) == (
        LedgerError,
        keeps_no_character("actor"),
    )
    assert refusal_of(ledger.append, "table-1", epoch, [{}]) == (LedgerError, FACT)
    assert refusal_of(ledger.claim, "clock", prunable=True)[1].startswith('"clock" is reserved')
    assert ledger.streams()[0].seq == 1


@pytest.mark.long
def test_unusual_values_are_stored_unchanged(ledger: Ledger) -> None:
    odd = "\x01\n\t\"'\\%s?$1{}\u2028\U0001f0a1é"
    epoch = ledger.claim(odd, actor=odd)
    fact = {"fact": odd, odd: [odd, "\0", 10**30, 1e-9]}
    ledger.append(odd, epoch, [fact], actor=odd, request=odd, body=odd, keep={odd: odd})
    entry = ledger.entry_of_request(odd)
    assert entry is not None
    assert (entry.stream, entry.actor, entry.request, entry.body) == (odd,) * 4
    assert entry.facts[0] == fact
    assert ledger.latest_snapshot(odd) == (2, {odd: odd})
    named = Account("usd", "wallet", "%s?\"'\\:{},\U0001f0a1")
    ledger.append(odd, epoch, [NOTED], [buy_in(named, 5)._replace(why=odd)])
    assert ledger.balance(named) == 5
    assert list(ledger.entries(odd))[-1].transfers[0] == buy_in(named, 5)._replace(why=odd)


def test_later_changes_to_an_append_are_not_written() -> None:
    fact, keep = {"fact": "noted", "list": [1]}, {"state": [1]}
    taken = check_append(Append("table-1", 1, [fact], keep=keep))
    fact["list"] = keep["state"] = [2]
    assert taken.facts == ['{"fact":"noted","list":[1]}']
    assert taken.keep == '{"state":[1]}'


def test_preencoded_text_is_not_a_fact() -> None:
    with pytest.raises(LedgerError, match="An event must be an object with a text field"):
        check_append(Append("table-1", 1, [Canonical('{"fact":"claimed"}')]))


def test_fact_may_be_any_mapping(sqlite_ledger: Ledger) -> None:
    sqlite_ledger.append("table-1", sqlite_ledger.claim("table-1"), [OrderedDict(NOTED)])
    assert [entry.facts for entry in sqlite_ledger.entries("table-1", after=1)] == [[NOTED]]
