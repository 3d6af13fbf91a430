"""Data folders for command tests, and a way to tamper with them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pitbook.house.cage.slips import SLIPS, BuyIn, CashOut, Fund, Slip, slip_transfers
from pitbook.house.ledger.accounts import Account, move
from pitbook.house.ledger.data_folder import LEDGER_FILE, Folder, ledger_url
from pitbook.house.ledger.database import sqlite_module
from pitbook.house.ledger.ledger import Ledger
from pitbook.money import Cents

CASH, HOUSE = Account("usd", "cash"), Account("usd", "house")
ANN, BOB = Account("usd", "wallet", "ann"), Account("usd", "wallet", "=bob")
ISSUED, GUEST = Account("play", "issued"), Account("play", "wallet", "guest")
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def use_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run commands in this folder without any server settings."""
    monkeypatch.chdir(folder)
    for name in ("PITBOOK_DATA", "PITBOOK_DATABASE", "PITBOOK_OPERATOR"):
        monkeypatch.delenv(name, raising=False)


def daily_clock(start: datetime = NOON) -> Callable[[], datetime]:
    """A clock that advances by a day at every reading."""
    days = iter(range(10_000))
    return lambda: start + timedelta(days=next(days))


def small_book(path: Path) -> Path:
    """Five entries on five days from March 1: a claim, buy-ins, a cash-out, guest chips."""
    Folder.make(path).close()
    with Ledger.open(ledger_url(path, None), clock=daily_clock()) as ledger:
        # The clock's jumps are recorded too, in their own stream.
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
    """Five entries on five days, whose facts imply their transfers."""
    Folder.make(path).close()
    slips: list[Slip] = [
        *(BuyIn("ann", Cents(10_000)), BuyIn("=bob", Cents(250))),
        *(CashOut("ann", Cents(4_000)), Fund(Cents(1_000))),
    ]
    with Ledger.open(ledger_url(path, None), clock=daily_clock()) as ledger:
        cage = ledger.claim("cage", actor="kim")
        for slip in slips:
            ledger.append("cage", cage, [SLIPS.dump(slip)], slip_transfers(slip), actor="kim")
    return path


def tamper(path: Path, *statements: str) -> None:
    """Change a ledger like an attacker with file access, who removes the guards first."""
    connection = sqlite_module().connect(str(path / LEDGER_FILE))
    query = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"
    guards = connection.execute(query).fetchall()
    connection.execute("PRAGMA ignore_check_constraints = ON")
    for guard, _ in guards:
        connection.execute(f"DROP TRIGGER {guard}")
    for statement in statements:
        assert connection.execute(statement).rowcount > 0, statement
    for _, guard in guards:  # Then restore the guards, to leave no obvious trace.
        connection.execute(guard)
    connection.commit()
    connection.close()
