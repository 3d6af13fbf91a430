"""Database tables: created, migrated, and protected by triggers."""

from __future__ import annotations

import runpy
from collections.abc import Iterator
from multiprocessing import get_context
from multiprocessing.pool import Pool
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.operations import Operations
from alembic.runtime.environment import EnvironmentContext
from alembic.script import ScriptDirectory
from sqlalchemy import CheckConstraint, Connection, inspect
from sqlalchemy.exc import DatabaseError
from tests.house.ledger.kit import ANN, NOTED, buy_in, fill, refusal_of, rows, without_guards

from pitbook.errors import LedgerError
from pitbook.house.ledger import database, schema
from pitbook.house.ledger.audit import verify
from pitbook.house.ledger.database import connect, for_writing, prepare
from pitbook.house.ledger.hash_chain import sha256
from pitbook.house.ledger.ledger import Ledger
from pitbook.house.ledger.migrations.versions import v0001_book
from pitbook.house.ledger.schema import trigger_statements

LAYOUT = "095d23ab4c43f3ac87dec58797fdab22e3c02cac1f20b3b3fe2002ad1226e943"
GUARDS = {
    "sqlite": "760fb9850c047dd87137ee33338bf1fb813ac94bd7ac15e37163350c6be75bed",
    "postgresql": "71ff05547c8311948ad61f5a565ba2654f994c4f84461c619745b66b22cc4065",
}
BACKENDS = pytest.mark.parametrize("fresh", ["sqlite", "postgresql"])


@pytest.fixture
def fresh_url(fresh: str, tmp_path: Path, request: pytest.FixtureRequest) -> str:
    """A database without tables."""
    if fresh == "sqlite":
        return f"sqlite:///{tmp_path / 'fresh.db'}"
    url: str = request.getfixturevalue("postgres")
    return url


@pytest.fixture(scope="module")
def pool() -> Iterator[Pool]:
    """Two processes that have imported the ledger."""
    with get_context("spawn").Pool(2) as process_pool:
        yield process_pool


class TestLayout:
    @pytest.mark.long
    @BACKENDS
    def test_schema_matches_the_database(self, fresh_url: str) -> None:
        with Ledger.open(fresh_url) as ledger, ledger.engine.connect() as connection:
            context = MigrationContext.configure(connection, opts={"compare_type": True})
            assert compare_metadata(context, schema.metadata) == []
            assert differing_constraints(connection) == []
            assert context.get_current_revision() == database.VERSION

    def test_published_schema_is_unchanged(self, tmp_path: Path) -> None:
        """Published ledgers have this layout: add a migration instead of changing it."""
        with Ledger.open(f"sqlite:///{tmp_path / 'a.db'}") as ledger:
            sql_rows = rows(ledger, "SELECT sql FROM sqlite_master WHERE name <> 'alembic_version'")
        statements = sorted(" ".join(text.split()) for (text,) in sql_rows if text)
        assert len(statements) == 12
        assert sha256("\n".join(statements)) == LAYOUT

    @pytest.mark.long
    @BACKENDS
    def test_reopening_changes_nothing(
        self, fresh_url: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with Ledger.open(fresh_url) as ledger:
            ledger.claim("table-1")
        monkeypatch.setattr(database, "_migrate", lambda _: pytest.fail("it was up to date"))
        with Ledger.open(fresh_url) as ledger:
            assert [stream.name for stream in ledger.streams()] == ["table-1"]

    @pytest.mark.long
    @BACKENDS
    def test_newer_schema_is_refused(self, fresh_url: str) -> None:
        with Ledger.open(fresh_url) as ledger, without_guards(ledger.engine) as run:
            run("UPDATE alembic_version SET version_num = '0002'")
        assert refusal_of(Ledger.open, fresh_url) == (
            LedgerError,
            "The ledger has schema version 0002, and this Pitbook knows 0001. Install a newer "
            "Pitbook.",
        )

    @pytest.mark.long
    @BACKENDS
    def test_second_process_finds_the_tables(self, fresh_url: str) -> None:
        first, two = connect(fresh_url), connect(fresh_url)
        prepare(first)
        database._migrate(two)
        prepare(two)
        first.dispose()
        two.dispose()

    @pytest.mark.long
    @BACKENDS
    def test_processes_open_a_new_ledger_concurrently(self, fresh_url: str, pool: Pool) -> None:
        gate: list[Any] = [(fresh_url, number) for number in range(4)]
        results = pool.starmap(open_ledger, gate, chunksize=1)
        assert sorted(results) == [1, 1, 1, 1]
        with Ledger.open(fresh_url) as ledger:
            assert len(ledger.streams()) == 4
            assert verify(ledger).findings == ()

    @pytest.mark.long
    @BACKENDS
    def test_migrations_run_one_by_one(self, fresh_url: str) -> None:
        """Run the migrations as Alembic would, but from named modules."""
        engine = connect(fresh_url)
        with for_writing(engine).begin() as connection:
            with Operations.context(MigrationContext.configure(connection)):
                v0001_book.upgrade()
            assert compare_metadata(MigrationContext.configure(connection), schema.metadata) == []
            assert (v0001_book.revision, v0001_book.down_revision) == (database.VERSION, None)
        engine.dispose()

    def test_migrations_use_the_given_connection(self, tmp_path: Path) -> None:
        connections: list[Any] = []
        engine = connect(f"sqlite:///{tmp_path / 'a.db'}")
        config = Config()
        config.set_main_option("script_location", "pitbook.house.ledger:migrations")
        with for_writing(engine).begin() as connection:
            config.attributes["connection"] = connection

            def steps(_: Any, context: MigrationContext) -> list[Any]:
                connections.append((context.connection, context.impl.transactional_ddl))
                return []

            with EnvironmentContext(config, ScriptDirectory.from_config(config), fn=steps):
                runpy.run_module("pitbook.house.ledger.migrations.env")
            assert connections == [(connection, True)]
        engine.dispose()

    def test_unwritable_folder_is_refused(self, tmp_path: Path) -> None:
        folder = tmp_path / "folder"
        (folder / "book.db").mkdir(parents=True)
        kind, message = refusal_of(Ledger.open, f"sqlite:///{folder / 'book.db'}")
        assert (kind, message) == (
            LedgerError,
            "The ledger cannot be opened: unable to open database file",
        )


def open_ledger(url: str, number: int) -> int:
    with Ledger.open(url) as ledger:
        return ledger.claim(f"table-{number}")


def differing_constraints(connection: Connection) -> list[str]:
    """Compare primary keys, foreign keys and checks by name, which Alembic does not."""
    inspector = inspect(connection)
    wrong: list[str] = []
    for table in schema.metadata.sorted_tables:
        key = inspector.get_pk_constraint(table.name)["constrained_columns"]
        if key != [column.name for column in table.primary_key]:
            wrong.append(f"{table.name} has the key {key}")
        checks = {constraint["name"] for constraint in inspector.get_check_constraints(table.name)}
        if checks != {c.name for c in table.constraints if isinstance(c, CheckConstraint)}:
            wrong.append(f"{table.name} has the checks {checks}")
    return wrong


# What is tried, and what the database says.
TRIED = {
    "sqlite": [
        ("UPDATE entry SET content = 'x'", "the entry table is append-only"),
        ("UPDATE entry SET seq = seq + 10", "the entry table is append-only"),
        ("DELETE FROM entry", "the entry table is append-only"),
        ("UPDATE posting SET amount = 0", "the posting table is append-only"),
        ("DELETE FROM posting WHERE seq = 2", "the posting table is append-only"),
        ("DELETE FROM stream", "this stream is kept for good"),
        ("UPDATE stream SET name = 'x'", "a stream stays what it is"),
        ("UPDATE stream SET prunable = 1", "a stream stays what it is"),
        ("UPDATE stream SET id = 7", "a stream stays what it is"),
        ("UPDATE account SET balance = -1 WHERE kind = 'rack'", "account_not_overdrawn"),
        ("INSERT INTO entry VALUES (9, 1, '', 1, '', NULL, NULL, '', '', '')", "FOREIGN KEY"),
        ("INSERT INTO posting VALUES (1, 9, 0, 99, 5)", "FOREIGN KEY"),
    ],
    "postgresql": [
        ("UPDATE entry SET content = 'x'", "the entry table is append-only"),
        ("DELETE FROM entry", "the entry table is append-only"),
        ("TRUNCATE entry CASCADE", "the entry table is append-only"),
        ("UPDATE posting SET amount = 0", "the posting table is append-only"),
        ("DELETE FROM posting WHERE seq = 2", "the posting table is append-only"),
        ("TRUNCATE posting", "the posting table is append-only"),
        ("DELETE FROM stream", "the stream table is append-only"),
        ("TRUNCATE stream CASCADE", "the entry table is append-only"),
        ("TRUNCATE account CASCADE", "the posting table is append-only"),
        ("UPDATE stream SET name = 'x'", "the stream table is append-only"),
        ("UPDATE stream SET prunable = true", "the stream table is append-only"),
        ("UPDATE stream SET id = 7", "the stream table is append-only"),
        ("UPDATE account SET balance = -1 WHERE kind = 'rack'", "account_not_overdrawn"),
        ("INSERT INTO posting VALUES (1, 9, 0, 99, 5)", "foreign key"),
    ],
}


class TestGuards:
    @pytest.mark.long
    def test_triggers_reject_updates_and_deletes(self, ledger: Ledger) -> None:
        fill(ledger)
        for statement, message in TRIED[ledger.engine.dialect.name]:
            with pytest.raises(DatabaseError, match=message), ledger.engine.begin() as connection:
                connection.exec_driver_sql(statement)
        assert verify(ledger).findings == ()

    def test_practice_entries_may_be_deleted_but_not_changed(self, ledger: Ledger) -> None:
        epoch = ledger.claim("practice", prunable=True)
        ledger.append("practice", epoch, [NOTED], [buy_in(ANN, 5)])
        with (
            pytest.raises(DatabaseError, match="the entry table is append-only"),
            ledger.engine.begin() as connection,
        ):
            connection.exec_driver_sql("UPDATE entry SET content = 'x'")
        with ledger.engine.begin() as connection:
            for table in ("posting", "entry", "stream"):
                connection.exec_driver_sql(f"DELETE FROM {table}")
        assert ledger.streams() == []

    def test_published_triggers_are_unchanged(self) -> None:
        """Published ledgers have these triggers: add a migration instead of changing them."""
        assert {name: sha256("\n".join(trigger_statements(name))) for name in GUARDS} == GUARDS
