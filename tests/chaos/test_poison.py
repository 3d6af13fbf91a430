"""One append that cannot be kept is refused alone: its neighbours in the commit never notice."""

from __future__ import annotations

from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest

from pitbook.errors import LedgerError
from pitbook.house.ledger.accounts import Account, Transfer, move
from pitbook.house.ledger.audit import verify
from pitbook.house.ledger.batch import Append, Receipt
from pitbook.house.ledger.journal import Ledger

LONE = "\ud800"  # Half of a character: Python takes it, no encoding does.
CASH = Account("usd", "cash")
DEPTH = 100_000


def deep() -> list[Any]:
    nested: list[Any] = []
    for _ in range(DEPTH):
        nested = [nested]
    return nested


def to(name: str, unit: str = "usd") -> tuple[Transfer, ...]:
    return (Transfer(CASH, Account(unit, "wallet", name), move(CASH, BOB, 5, "").amount, "buy-in"),)


BOB = Account("usd", "wallet", "bob")
FACT = {"fact": "noted"}
UNKEPT: dict[str, Any] = {
    "half a character in a fact": {"facts": [{"fact": LONE}]},
    "half a character in a request": {"request": LONE},
    "half a character in a body": {"request": "a", "body": LONE},
    "half a character in an actor": {"actor": LONE},
    "half a character in a stream": {"stream": LONE, "epoch": None},
    "half a character in a state": {"keep": {"state": LONE}},
    "half a character in an account": {"transfers": to(LONE)},
    "zero in a request": {"request": "\0"},
    "zero in a body": {"request": "a", "body": "\0"},
    "zero in an actor": {"actor": "\0"},
    "zero in a stream": {"stream": "\0", "epoch": None},
    "no facts at all": {"facts": None},
    "fact that is a list": {"facts": [["noted"]]},
    "fact that is a text": {"facts": ["noted"]},
    "fact without end": {"facts": [{"fact": "noted", "deep": deep()}]},
    "fact that is no JSON": {"facts": [{"fact": "noted", "odds": float("nan")}]},
    "fact in the ledger's own words": {"facts": [{"fact": "claimed", "epoch": 9}]},
    "actor that is a number": {"actor": 5},
    "transfer between units": {"transfers": to("ann", unit="play")},
}


@pytest.mark.parametrize("name", UNKEPT)
def test_refused_alone(name: str, tmp_path: Path) -> None:
    refused_alone(f"sqlite:///{tmp_path / 'book.db'}", name)


@pytest.mark.parametrize("name", ["zero in a request", "half a character in a fact"])
def test_refused_alone_on_postgresql(name: str, postgres: str) -> None:
    refused_alone(postgres, name)


def refused_alone(url: str, name: str) -> None:
    with Ledger.open(url) as ledger:
        epoch = ledger.claim("table-1")
        sound = Append("table-1", epoch, [FACT])
        together = (sound, sound._replace(**UNKEPT[name]), sound._replace(request="after"))
        first, refused, last = map(answer, [submitted(ledger, append) for append in together])
        assert (first, last) == (2, 3)
        assert isinstance(refused, LedgerError)
        assert verify(ledger).findings == ()


def submitted(ledger: Ledger, append: Append) -> Future[Receipt] | LedgerError:
    try:
        return ledger.submit(append)
    except LedgerError as error:
        return error


def answer(future: Future[Receipt] | LedgerError) -> int | LedgerError:
    try:
        return future if isinstance(future, LedgerError) else future.result(timeout=60).seq
    except LedgerError as error:
        return error
