"""Data folders for the house's commands, and hands that bend them behind the ledger's back."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pitbook.house.cage.slips import SLIPS, BuyIn, CashOut, Fund, Slip, moved
from pitbook.house.ledger.accounts import Account, move
from pitbook.house.ledger.database import library
from pitbook.house.ledger.folder import BOOK, Folder, book_url
from pitbook.house.ledger.journal import Ledger
from pitbook.money import Cents

CASH, HOUSE = Account("usd", "cash"), Account("usd", "house")
ANN, BOB = Account("usd", "wallet", "ann"), Account("usd", "wallet", "=bob")
ISSUED, GUEST = Account("play", "issued"), Account("play", "wallet", "guest")
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def alone(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands are called from that folder, and nobody's own house is named to them."""
    monkeypatch.chdir(folder)
    for name in ("PITBOOK_DATA", "PITBOOK_DATABASE", "PITBOOK_OPERATOR"):
        monkeypatch.delenv(name, raising=False)


def daily(start: datetime = NOON) -> Callable[[], datetime]:
    """A clock on which every look is a day later."""
    days = iter(range(10_000))
    return lambda: start + timedelta(days=next(days))


def small_book(path: Path) -> Path:
    """Five entries on five days from 1 March on: a claim, buy-ins, a cash-out, guest chips."""
    Folder.make(path).close()
    with Ledger.open(book_url(path, None), clock=daily()) as ledger:
        # The clock's leaps go on record too, in a stream of their own.
        cage = ledger.claim("cage", actor="kim")
        buys = [{"fact": "buy-in", "player": "ann", "amount": "100.00"}]
        ledger.append(
            "cage", cage, buys, [move(CASH, ANN, 10_000, "buy-in")], actor="kim", request="kim/1"
        )
        risky = [{"fact": "note", "text": "=1+1"}]
        ledger.append("cage", cage, risky, [move(CASH, BOB, 250, "=1+1")], actor="@kim")
        ledger.append(
            "cage", cage, [{"fact": "cash-out"}], [move(ANN, CASH, 4_000, "cash-out")], actor="+kim"
        )
        ledger.append("cage", cage, [], [move(ISSUED, GUEST, 100_000, "chips")], actor="-kim")
    return path


def cage_book(path: Path) -> Path:
    """Five entries on five days, whose facts imply what they move."""
    Folder.make(path).close()
    slips: list[Slip] = [
        *(BuyIn("ann", Cents(10_000)), BuyIn("=bob", Cents(250))),
        *(CashOut("ann", Cents(4_000)), Fund(Cents(1_000))),
    ]
    with Ledger.open(book_url(path, None), clock=daily()) as ledger:
        cage = ledger.claim("cage", actor="kim")
        for slip in slips:
            ledger.append("cage", cage, [SLIPS.dump(slip)], moved(slip), actor="kim")
    return path


def bend(path: Path, *statements: str) -> None:
    """Change a book as somebody with the file would: the guards come off first."""
    connection = library().connect(str(path / BOOK))
    asked = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"
    guards = connection.execute(asked).fetchall()
    connection.execute("PRAGMA ignore_check_constraints = ON")
    for guard, _ in guards:
        connection.execute(f"DROP TRIGGER {guard}")
    for statement in statements:
        assert connection.execute(statement).rowcount > 0, statement
    for _, guard in guards:  # And go on again: nobody would leave so plain a trace.
        connection.execute(guard)
    connection.commit()
    connection.close()
