"""Opens the ledger's database, SQLite or PostgreSQL, so that a commit is durable."""

from __future__ import annotations

import importlib
from pathlib import Path
from types import ModuleType
from typing import Any, Literal
from urllib.parse import quote

from sqlalchemy import Connection, Engine, create_engine, event, inspect, make_url, text
from sqlalchemy.engine import URL
from sqlalchemy.exc import ArgumentError, SQLAlchemyError

from pitbook import private_files
from pitbook.errors import LedgerError
from pitbook.extras import load_extra
from pitbook.text import say

LAYOUTS = ("0001",)
VERSION = LAYOUTS[-1]
WAL_MIN_VERSION = (3, 51, 3)  # Older libraries can corrupt a write-ahead log in a race.
WAIT_MS = 60_000
LOG_PAGES = 10_000  # Frequently changed pages are copied once: about 40 MB.
CONNECT_SECONDS = 10
_MIGRATION_LOCK = 4_061_520  # The lock under which PostgreSQL lets one process migrate.

Synchronous = Literal["FULL", "NORMAL", "OFF"]


def connect(url: str, *, synchronous: Synchronous = "FULL", read_only: bool = False) -> Engine:
    """The database at that URL. Levels below FULL exist to show that FULL is needed.

    A read-only file must have no writer: SQLite puts nothing next to it.
    """
    parsed_url = parse_url(url)
    if parsed_url.get_backend_name() == "sqlite":
        return _sqlite_read_only(parsed_url) if read_only else _sqlite(parsed_url, synchronous)
    return _postgresql(parsed_url)


def prepare(engine: Engine) -> None:
    """Create the tables or migrate them; refuses a newer layout."""
    try:
        with engine.connect() as connection:
            version = _version(connection)
        if version != VERSION:
            _migrate(engine)
    except SQLAlchemyError as error:
        raise LedgerError(say("ledger.book.not-opened", why=error_text(error))) from error


def for_writing(engine: Engine) -> Engine:
    """The same engine with transactions that start as a writer's."""
    return engine.execution_options(pitbook_writes=True)


def for_reading(engine: Engine) -> Engine:
    """The same engine with transactions that read one snapshot."""
    if engine.dialect.name == "sqlite":
        return engine  # A SQLite transaction always reads one snapshot.
    return engine.execution_options(isolation_level="REPEATABLE READ")


def failures(engine: Engine) -> tuple[type[Exception], ...]:
    """The errors that a statement raises if the database fails, from SQLAlchemy or the driver."""
    driver: Any = engine.dialect.loaded_dbapi
    return SQLAlchemyError, driver.Error


def error_text(error: Exception) -> str:
    """The database's error message on one line."""
    driver_error = getattr(error, "orig", None) or error
    return " ".join(str(driver_error).split())


def sqlite_module() -> ModuleType:
    """The bundled SQLite if there is one, otherwise Python's own."""
    try:
        return importlib.import_module("pysqlite3.dbapi2")
    except ImportError:
        return importlib.import_module("sqlite3.dbapi2")


def without_password(url: str) -> str | None:
    """A URL with its password hidden; None if it is not a URL."""
    try:
        return make_url(url).render_as_string(hide_password=True)
    except (ArgumentError, ValueError):
        return None


def parse_url(url: str) -> URL:
    """A parsed database URL; raises LedgerError if it is not one that Pitbook supports."""
    try:
        parsed_url = make_url(url)
    except ArgumentError:
        raise LedgerError(say("ledger.database.no-url", url=url)) from None
    if parsed_url.get_backend_name() not in ("sqlite", "postgresql"):
        raise LedgerError(say("ledger.database.other-kind", kind=parsed_url.get_backend_name()))
    if parsed_url.get_backend_name() == "sqlite" and parsed_url.database in (None, "", ":memory:"):
        raise LedgerError(say("ledger.database.in-memory"))
    return parsed_url


def _postgresql(url: URL) -> Engine:
    if "connect_timeout" not in url.query:  # A broken connection must not hold up a table.
        url = url.update_query_dict({"connect_timeout": str(CONNECT_SECONDS)})
    load_extra("psycopg")
    return create_engine(url.set(drivername="postgresql+psycopg"), pool_pre_ping=True)


def _sqlite(url: URL, synchronous: Synchronous) -> Engine:
    folder = Path(str(url.database)).parent
    if not folder.is_dir():
        raise LedgerError(say("ledger.database.no-folder", folder=folder))
    private_files.touch(Path(str(url.database)))  # SQLite's other files get the same mode.
    module = sqlite_module()
    engine = create_engine(url.set(drivername="sqlite+pysqlite"), module=module)
    journal = "WAL" if module.sqlite_version_info >= WAL_MIN_VERSION else "DELETE"
    # Without a write-ahead log the journal must be deleted durably before a commit returns.
    level = "EXTRA" if (journal, synchronous) == ("DELETE", "FULL") else synchronous

    @event.listens_for(engine, "connect")
    def _configure(raw: Any, _: Any) -> None:
        raw.isolation_level = None  # The "begin" listener starts transactions.
        for pragma in (
            f"busy_timeout = {WAIT_MS}",
            f"journal_mode = {journal}",
            f"synchronous = {level}",
            "foreign_keys = ON",
            f"wal_autocheckpoint = {LOG_PAGES}",
        ):
            raw.execute(f"PRAGMA {pragma}").fetchall()

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        writes = connection.get_execution_options().get("pitbook_writes")
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine


def _sqlite_read_only(url: URL) -> Engine:
    file_uri = f"file:{quote(str(url.database))}"
    query = {"mode": "ro", "immutable": "1", "uri": "true"}
    engine = create_engine(
        url.set(drivername="sqlite+pysqlite", database=file_uri, query=query),
        module=sqlite_module(),
    )

    @event.listens_for(engine, "connect")
    def _disable_transactions(raw: Any, _: Any) -> None:
        raw.isolation_level = None

    return engine


def check_version(engine: Engine) -> None:
    """Raise LedgerError if the ledger needs a migration; changes nothing."""
    try:
        with engine.connect() as connection:
            version = _version(connection)
    except SQLAlchemyError as error:
        raise LedgerError(say("ledger.book.not-opened", why=error_text(error))) from error
    if version != VERSION:
        layouts = {"found": str(version), "ours": VERSION}
        raise LedgerError(say("ledger.book.other-layout", **layouts))


def _version(connection: Connection) -> str | None:
    if not inspect(connection).has_table("alembic_version"):
        return None
    version: str | None = connection.execute(
        text("SELECT version_num FROM alembic_version")
    ).scalar()
    return version


def _migrate(engine: Engine) -> None:
    with for_writing(engine).begin() as connection:
        if engine.dialect.name == "postgresql":
            connection.execute(text(f"SELECT pg_advisory_xact_lock({_MIGRATION_LOCK})"))
        version = _version(connection)
        if version is not None and version not in LAYOUTS:
            layouts = {"found": str(version), "ours": VERSION}
            raise LedgerError(say("ledger.book.newer-layout", **layouts))
        if version != VERSION:
            _upgrade(connection)


def _upgrade(connection: Connection) -> None:
    """Run Alembic, imported here because it is slow and rarely needed."""
    from alembic import command  # noqa: PLC0415
    from alembic.config import Config  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", "pitbook.house.ledger:migrations")
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
