"""Where the book lies: a SQLite file or a PostgreSQL server, opened so that a commit is durable."""

from __future__ import annotations

import importlib
from pathlib import Path
from types import ModuleType
from typing import Any, Literal
from urllib.parse import quote

from sqlalchemy import Connection, Engine, create_engine, event, inspect, make_url, text
from sqlalchemy.engine import URL
from sqlalchemy.exc import ArgumentError, SQLAlchemyError

from pitbook.errors import LedgerError
from pitbook.extras import load_extra
from pitbook.house.ledger import file_modes
from pitbook.text import say

LAYOUTS = ("0001",)
VERSION = LAYOUTS[-1]
WAL_SOUND = (3, 51, 3)  # Older libraries can corrupt a write-ahead log in a race.
WAIT_MS = 60_000
LOG_PAGES = 10_000  # Pages that are written again and again are copied over once: some 40 MB.
CONNECT_SECONDS = 10
_MIGRATING = 4_061_520  # The lock under which PostgreSQL lets one process migrate.

Synchronous = Literal["FULL", "NORMAL", "OFF"]


def connect(url: str, *, synchronous: Synchronous = "FULL", read_only: bool = False) -> Engine:
    """The database of that URL; less than FULL is for showing that FULL is needed.

    A file that is read-only is one that nobody writes to: nothing is put beside it.
    """
    made = parsed(url)
    if made.get_backend_name() == "sqlite":
        return _unwritten(made) if read_only else _sqlite(made, synchronous)
    return _postgresql(made)


def prepare(engine: Engine) -> None:
    """Make the tables, or bring them up to date; leave a newer book alone."""
    try:
        with engine.connect() as connection:
            found = _version(connection)
        if found != VERSION:
            _migrate(engine)
    except SQLAlchemyError as error:
        raise LedgerError(say("ledger.book.not-opened", why=cause(error))) from error


def writing(engine: Engine) -> Engine:
    """The same database, its transactions begun as a writer's."""
    return engine.execution_options(pitbook_writes=True)


def reading(engine: Engine) -> Engine:
    """The same database, all of it read as it was at one moment."""
    if engine.dialect.name == "sqlite":
        return engine  # A transaction sees one moment there in any case.
    return engine.execution_options(isolation_level="REPEATABLE READ")


def failures(engine: Engine) -> tuple[type[Exception], ...]:
    """What a statement raises when the database fails, by way of the toolkit or of its driver."""
    driver: Any = engine.dialect.loaded_dbapi
    return SQLAlchemyError, driver.Error


def cause(error: Exception) -> str:
    """What the database said, in one line."""
    said = getattr(error, "orig", None) or error
    return " ".join(str(said).split())


def library() -> ModuleType:
    """The SQLite that comes with us where there is one, else Python's own."""
    try:
        return importlib.import_module("pysqlite3.dbapi2")
    except ImportError:
        return importlib.import_module("sqlite3.dbapi2")


def without_password(url: str) -> str | None:
    """A URL as anybody may read it; None for what is none."""
    try:
        return make_url(url).render_as_string(hide_password=True)
    except (ArgumentError, ValueError):
        return None


def parsed(url: str) -> URL:
    """What a URL names; raises LedgerError where that is no database that we know."""
    try:
        made = make_url(url)
    except ArgumentError:
        raise LedgerError(say("ledger.database.no-url", url=url)) from None
    if made.get_backend_name() not in ("sqlite", "postgresql"):
        raise LedgerError(say("ledger.database.other-kind", kind=made.get_backend_name()))
    if made.get_backend_name() == "sqlite" and made.database in (None, "", ":memory:"):
        raise LedgerError(say("ledger.database.in-memory"))
    return made


def _postgresql(url: URL) -> Engine:
    if "connect_timeout" not in url.query:  # A line that broke meanwhile must not hold up a table.
        url = url.update_query_dict({"connect_timeout": str(CONNECT_SECONDS)})
    load_extra("psycopg")
    return create_engine(url.set(drivername="postgresql+psycopg"), pool_pre_ping=True)


def _sqlite(url: URL, synchronous: Synchronous) -> Engine:
    folder = Path(str(url.database)).parent
    if not folder.is_dir():
        raise LedgerError(say("ledger.database.no-folder", folder=folder))
    file_modes.touch(Path(str(url.database)))  # What SQLite puts beside it has the same mode.
    module = library()
    engine = create_engine(url.set(drivername="sqlite+pysqlite"), module=module)
    journal = "WAL" if module.sqlite_version_info >= WAL_SOUND else "DELETE"
    # Without the write-ahead log the journal must be gone for good before a commit is told.
    level = "EXTRA" if (journal, synchronous) == ("DELETE", "FULL") else synchronous

    @event.listens_for(engine, "connect")
    def _opened(raw: Any, _: Any) -> None:
        raw.isolation_level = None  # Transactions are ours to begin.
        for pragma in (
            f"busy_timeout = {WAIT_MS}",
            f"journal_mode = {journal}",
            f"synchronous = {level}",
            "foreign_keys = ON",
            f"wal_autocheckpoint = {LOG_PAGES}",
        ):
            raw.execute(f"PRAGMA {pragma}").fetchall()

    @event.listens_for(engine, "begin")
    def _begun(connection: Connection) -> None:
        writes = connection.get_execution_options().get("pitbook_writes")
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine


def _unwritten(url: URL) -> Engine:
    file = f"file:{quote(str(url.database))}"
    query = {"mode": "ro", "immutable": "1", "uri": "true"}
    engine = create_engine(
        url.set(drivername="sqlite+pysqlite", database=file, query=query), module=library()
    )

    @event.listens_for(engine, "connect")
    def _opened(raw: Any, _: Any) -> None:
        raw.isolation_level = None

    return engine


def check_version(engine: Engine) -> None:
    """Refuse a book that cannot be read as it is; nothing is brought up to date."""
    try:
        with engine.connect() as connection:
            found = _version(connection)
    except SQLAlchemyError as error:
        raise LedgerError(say("ledger.book.not-opened", why=cause(error))) from error
    if found != VERSION:
        layouts = {"found": str(found), "ours": VERSION}
        raise LedgerError(say("ledger.book.other-layout", **layouts))


def _version(connection: Connection) -> str | None:
    if not inspect(connection).has_table("alembic_version"):
        return None
    found: str | None = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    return found


def _migrate(engine: Engine) -> None:
    with writing(engine).begin() as connection:
        if engine.dialect.name == "postgresql":
            connection.execute(text(f"SELECT pg_advisory_xact_lock({_MIGRATING})"))
        found = _version(connection)
        if found is not None and found not in LAYOUTS:
            layouts = {"found": str(found), "ours": VERSION}
            raise LedgerError(say("ledger.book.newer-layout", **layouts))
        if found != VERSION:
            _upgrade(connection)


def _upgrade(connection: Connection) -> None:
    """Alembic is slow to import, and needed once in a book's life."""
    from alembic import command  # noqa: PLC0415
    from alembic.config import Config  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", "pitbook.house.ledger:migrations")
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
