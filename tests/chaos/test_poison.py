"""One invalid append is refused alone; the others in the same commit succeed."""

from __future__ import annotations

from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest

from pitbook.errors import LedgerError
from pitbook.house.ledger.accounts import Account, Transfer, move
from pitbook.house.ledger.append_batch import Append, Receipt
from pitbook.house.ledger.audit import verify
from pitbook.house.ledger.ledger import Ledger

LONE = "\ud800"  # Half a surrogate pair: valid in Python, but not encodable.
CASH = Account("usd", "cash")
DEPTH = 100_000


def deeply_nested() -> list[Any]:
    nested: list[Any] = []
    for _ in range(DEPTH):
        nested = [nested]
    return nested


def transfer_to(name: str, unit: str = "usd") -> tuple[Transfer, ...]:
    return (Transfer(CASH, Account(unit, "wallet", name), move(CASH, BOB, 5, "").amount, "buy-in"),)


BOB = Account("usd", "wallet", "bob")
FACT = {"fact": "noted"}
INVALID_APPENDS: dict[str, Any] = {
    "half a character in a fact": {"facts": [{"fact": LONE}]},
    "half a character in a request": {"request": LONE},
    "half a character in a body": {"request": "a", "body": LONE},
    "half a character in an actor": {"actor": LONE},
    "half a character in a stream": {"stream": LONE, "epoch": None},
    "half a character in a state": {"keep": {"state": LONE}},
    "half a character in an account": {"transfers": transfer_to(LONE)},
    "zero in a request": {"request": "\0"},
    "zero in a body": {"request": "a", "body": "\0"},
    "zero in an actor": {"actor": "\0"},
    "zero in a stream": {"stream": "\0", "epoch": None},
    "no facts at all": {"facts": None},
    "fact that is a list": {"facts": [["noted"]]},
    "fact that is a text": {"facts": ["noted"]},
    "fact without end": {"facts": [{"fact": "noted", "deep": deeply_nested()}]},
    "fact that is no JSON": {"facts": [{"fact": "noted", "odds": float("nan")}]},
    "fact in the ledger's own words": {"facts": [{"fact": "claimed", "epoch": 9}]},
    "actor that is a number": {"actor": 5},
    "transfer between units": {"transfers": transfer_to("ann", unit="play")},
}


@pytest.mark.parametrize("name", INVALID_APPENDS)
def test_invalid_append_is_refused_alone(name: str, tmp_path: Path) -> None:
    check_refused_alone(f"sqlite:///{tmp_path / 'book.db'}", name)


@pytest.mark.parametrize("name", ["zero in a request", "half a character in a fact"])
def test_invalid_append_is_refused_alone_on_postgresql(name: str, postgres: str) -> None:
    check_refused_alone(postgres, name)


def check_refused_alone(url: str, name: str) -> None:
    with Ledger.open(url) as ledger:
        epoch = ledger.claim("table-1")
        sound = Append("table-1", epoch, [FACT])
        batch = (sound, sound._replace(**INVALID_APPENDS[name]), sound._replace(request="after"))
        first, refused, last = map(
            await_answer, [submit_append(ledger, append) for append in batch]
        )
        assert (first, last) == (2, 3)
        assert isinstance(refused, LedgerError)
        assert verify(ledger).findings == ()


def submit_append(ledger: Ledger, append: Append) -> Future[Receipt] | LedgerError:
    try:
        return ledger.submit(append)
    except LedgerError as error:
        return error


def await_answer(future: Future[Receipt] | LedgerError) -> int | LedgerError:
    try:
        return future if isinstance(future, LedgerError) else future.result(timeout=60).seq
    except LedgerError as error:
        return error
