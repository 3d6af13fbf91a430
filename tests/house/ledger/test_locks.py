"""PostgreSQL stream locks: one process holds a stream until it releases it."""

from __future__ import annotations

import pytest
from sqlalchemy import text

from pitbook.errors import LedgerError
from pitbook.house.ledger.ledger import Ledger
from pitbook.house.ledger.locks import Locks

SILENT = 60.0


def number(stream: str) -> int:
    """Streams with the same first letter share a lock."""
    return ord(stream[0])


def locks(ledger: Ledger) -> Locks:
    return Locks(ledger, number, lambda: SILENT)


@pytest.mark.long
def test_lock_is_held_by_one_process_only(postgres: str) -> None:
    with Ledger.open(postgres) as ledger:
        first, second = locks(ledger), locks(ledger)
        assert first.take(["a1", "b1"]) == ["a1", "b1"]
        assert first.take(["a1", "a2"]) == ["a2"], "what is ours is not given once more"
        assert second.take(["a1", "c1"]) == ["c1"]
        first.release("nothing of ours")
        first.release("a1")
        assert second.take(["a1"]) == [], "a2 shares its lock"
        first.release("a2")
        assert second.take(["a1"]) == ["a1"]
        first.close()
        assert (first.held, second.take(["b1"])) == (set(), ["b1"])
        second.close()
        second.close()


@pytest.mark.long
def test_lost_locks_are_reported(postgres: str) -> None:
    with Ledger.open(postgres) as ledger:
        ours = locks(ledger)
        ours.take(["a1"])
        assert ours._connection is not None
        pid = ours._connection.execute(text("SELECT pg_backend_pid()")).scalar()
        with ledger.engine.begin() as connection:
            connection.execute(text("SELECT pg_terminate_backend(:pid, 5000)"), {"pid": pid})
        with pytest.raises(LedgerError, match="The database locks were lost"):
            ours.take([])
        assert ours.held == set()
        assert ours.take(["a1"]) == ["a1"]
        ours.close()


def test_hanging_writer_is_disconnected(postgres: str) -> None:
    with Ledger.open(postgres) as ledger:
        ours = locks(ledger)
        query = text("SHOW idle_in_transaction_session_timeout")
        with ledger.engine.connect() as connection:
            assert connection.execute(query).scalar() == "1min"
        ours.close()
