"""Database URLs, and how SQLite and PostgreSQL are opened."""

from __future__ import annotations

import importlib
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_engine, event, text
from sqlalchemy.exc import DatabaseError, SQLAlchemyError
from tests.house.ledger.kit import ANN, NOTED, case_ids, fill, refusal_of, rows

from pitbook.errors import LedgerError
from pitbook.house.ledger import database
from pitbook.house.ledger.audit import verify
from pitbook.house.ledger.database import (
    connect,
    error_text,
    failures,
    for_reading,
    for_writing,
    sqlite_module,
    without_password,
)
from pitbook.house.ledger.ledger import Ledger


@pytest.mark.parametrize(
    ("url", "redacted"),
    [
        ("postgresql://sue:secret@host/book", "postgresql://sue:***@host/book"),
        ("sqlite:///book.db", "sqlite:///book.db"),
        ("book.db", None),
        ("postgresql://host:port/book", None),
    ],
    ids=case_ids(),
)
def test_shown_url_hides_its_password(url: str, redacted: str | None) -> None:
    assert without_password(url) == redacted


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("", '"" is not a database address. Write sqlite:///FILE or postgresql://HOST/NAME.'),
        (
            "book.db",
            '"book.db" is not a database address. Write sqlite:///FILE or postgresql://HOST/NAME.',
        ),
        (
            "mysql://host/book",
            '"mysql" is not supported. Use sqlite or postgresql.',
        ),
        ("sqlite://", "A ledger in memory would be lost. Name a file: sqlite:///FILE."),
        ("sqlite:///", "A ledger in memory would be lost. Name a file: sqlite:///FILE."),
        ("sqlite:///:memory:", "A ledger in memory would be lost. Name a file: sqlite:///FILE."),
        ("sqlite:////no/such/book.db", "/no/such: the folder for the ledger does not exist."),
    ],
    ids=case_ids(),
)
def test_unsupported_urls_are_refused(url: str, message: str) -> None:
    assert refusal_of(Ledger.open, url) == (LedgerError, message)


def test_relative_file_urls_are_resolved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Ledger.open("sqlite:///book.db").close()
    assert (tmp_path / "book.db").exists()


@pytest.mark.parametrize("read_only", [False, True])
def test_sqlite_driver_does_not_depend_on_the_url(tmp_path: Path, read_only: bool) -> None:
    url = f"sqlite+aiosqlite:///{tmp_path / 'book.db'}"
    assert connect(url, read_only=read_only).url.drivername == "sqlite+pysqlite"


def test_file_that_is_not_a_database_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "book.db"
    file.write_text("this is a letter to my aunt\n" * 100)
    kind, message = refusal_of(Ledger.open, f"sqlite:///{file}")
    assert (kind, message) == (
        LedgerError,
        "The ledger cannot be opened: file is not a database",
    )


def test_unreachable_server_is_refused() -> None:
    kind, message = refusal_of(Ledger.open, "postgresql://nobody@127.0.0.1:1/book")
    assert kind is LedgerError
    assert message.startswith("The ledger cannot be opened: connection failed: ")
    assert "\n" not in message


def test_reads_use_one_snapshot() -> None:
    server = connect("postgresql://host/book")
    options = for_reading(server).get_execution_options()
    assert options["isolation_level"] == "REPEATABLE READ"
    assert "isolation_level" not in server.get_execution_options()


@pytest.mark.parametrize(
    ("url", "seconds"),
    [
        ("postgresql://host/book", "10"),
        ("postgresql+asyncpg://host/book?connect_timeout=3", "3"),
    ],
    ids=case_ids(),
)
def test_connection_timeout_is_ten_seconds_by_default(url: str, seconds: str) -> None:
    engine = connect(url)
    assert engine.url.drivername == "postgresql+psycopg"
    assert engine.url.query["connect_timeout"] == seconds
    assert (engine.url.host, engine.url.database) == ("host", "book")
    assert engine.pool._pre_ping  # A line that broke meanwhile is not handed out.


@pytest.mark.parametrize("synchronous", ["FULL", "NORMAL", "OFF"])
def test_sqlite_is_set_up_so_that_a_commit_is_durable(
    tmp_path: Path, synchronous: database.Synchronous
) -> None:
    engine = connect(f"sqlite:///{tmp_path / 'a.db'}", synchronous=synchronous)
    with engine.connect() as connection:
        pragmas = ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
        settings = [connection.exec_driver_sql(f"PRAGMA {pragma}").scalar() for pragma in pragmas]
    engine.dispose()
    assert settings == ["wal", {"FULL": 2, "NORMAL": 1, "OFF": 0}[synchronous], 1, 60_000]


def test_synchronous_is_full_by_default(sqlite_url: str) -> None:
    with Ledger.open(sqlite_url) as ledger:
        assert rows(ledger, "PRAGMA synchronous") == [(2,)]


def test_writer_transaction_locks_immediately(sqlite_url: str) -> None:
    statements: list[str] = []
    engine = connect(sqlite_url)
    event.listen(engine, "before_cursor_execute", lambda *args: statements.append(args[2]))
    with engine.connect() as connection:
        connection.execute(text("SELECT 1"))
    with for_writing(engine).begin():
        pass
    with for_reading(engine).connect() as connection:
        connection.execute(text("SELECT 1"))
    engine.dispose()
    assert statements == ["BEGIN", "SELECT 1", "BEGIN IMMEDIATE", "BEGIN", "SELECT 1"]


@pytest.mark.long
def test_postgresql_reader_sees_one_snapshot(postgres: str) -> None:
    with Ledger.open(postgres) as ledger:
        with for_reading(ledger.engine).connect() as connection:
            level = connection.execute(text("SHOW transaction_isolation")).scalar()
            connection.execute(text("SELECT count(*) FROM stream"))
            ledger.claim("table-1")
            count = connection.execute(text("SELECT count(*) FROM stream")).scalar()
        assert (level, count) == ("repeatable read", 0)
        assert rows(ledger, "SHOW transaction_isolation") == [("read committed",)]
        assert rows(ledger, "SHOW synchronous_commit") == [("on",)]


def test_bundled_sqlite_is_preferred() -> None:
    assert sqlite_module().__name__ == "pysqlite3.dbapi2"
    assert sqlite_module().sqlite_version_info >= database.WAL_MIN_VERSION


class TestPythonsOwnSqlite:
    @pytest.fixture(autouse=True)
    def missing(self, monkeypatch: pytest.MonkeyPatch) -> None:
        inner = importlib.import_module

        def without(name: str, *rest: Any) -> Any:
            if name.startswith("pysqlite3"):
                raise ImportError(name)
            return inner(name, *rest)

        monkeypatch.setattr("importlib.import_module", without)

    @pytest.mark.parametrize(
        ("version", "mode"),
        [((3, 51, 2), "delete"), ((3, 51, 3), "wal"), ((3, 52, 0), "wal"), ((3, 8, 0), "delete")],
    )
    def test_old_sqlite_uses_a_rollback_journal(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: Any, mode: str
    ) -> None:
        assert sqlite_module() is sqlite3.dbapi2
        monkeypatch.setattr(sqlite3.dbapi2, "sqlite_version_info", version)
        engine = connect(f"sqlite:///{tmp_path / 'a.db'}")
        with engine.connect() as connection:
            settings = [
                connection.exec_driver_sql(f"PRAGMA {pragma}").scalar()
                for pragma in ("journal_mode", "synchronous")
            ]
        engine.dispose()
        assert settings == [mode, 3 if mode == "delete" else 2]

    def test_lower_synchronous_level_is_kept(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(sqlite3.dbapi2, "sqlite_version_info", (3, 40, 0))
        engine = connect(f"sqlite:///{tmp_path / 'a.db'}", synchronous="NORMAL")
        with engine.connect() as connection:
            assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 1
        engine.dispose()

    def test_ledger_works_with_the_bundled_sqlite(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(sqlite3.dbapi2, "sqlite_version_info", (3, 40, 0))
        url = f"sqlite:///{tmp_path / 'a.db'}"
        with Ledger.open(url) as ledger:
            epoch = fill(ledger)
            assert not (tmp_path / "a.db-wal").exists()
            assert refusal_of(ledger.append, "table-1", epoch + 1, [NOTED])
        with Ledger.open(url) as ledger:
            assert ledger.balance(ANN) == 53_000
            assert ledger.latest_snapshot("table-1") == (4, {"before": 3})
            assert verify(ledger).findings == ()


def test_database_error_is_one_line() -> None:
    assert error_text(SQLAlchemyError("a\n  b")) == "a b"
    wrapped = DatabaseError("statement", {}, ValueError("one\ntwo"))
    assert error_text(wrapped) == "one two"
    assert error_text(ValueError("c  d")) == "c d"


def test_driver_and_sqlalchemy_errors_are_failures() -> None:
    engine = create_engine("sqlite://")
    assert failures(engine) == (SQLAlchemyError, sqlite3.Error)
