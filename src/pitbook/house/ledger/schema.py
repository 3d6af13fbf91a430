"""The ledger's tables, and the triggers that keep them append-only."""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

metadata = MetaData()

_Id = BigInteger().with_variant(Integer, "sqlite")  # SQLite autoincrements INTEGER keys only.

stream = Table(
    "stream",
    metadata,
    Column("id", _Id, primary_key=True, autoincrement=True),
    Column("name", Text, nullable=False, unique=True),
    Column("epoch", BigInteger, nullable=False),
    Column("seq", BigInteger, nullable=False),
    Column("head", String(64), nullable=False),
    Column("prunable", Boolean, nullable=False),
)

entry = Table(
    "entry",
    metadata,
    Column("stream", _Id, ForeignKey("stream.id"), primary_key=True, autoincrement=False),
    Column("seq", BigInteger, primary_key=True, autoincrement=False),
    Column("at", Text, nullable=False),
    Column("epoch", BigInteger, nullable=False),
    Column("actor", Text, nullable=False),
    Column("request", Text, unique=True),
    Column("body", Text),
    Column("content", Text, nullable=False),
    Column("previous", String(64), nullable=False),
    Column("hash", String(64), nullable=False),
)

account = Table(
    "account",
    metadata,
    Column("id", _Id, primary_key=True, autoincrement=True),
    Column("unit", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("balance", BigInteger, nullable=False),
    UniqueConstraint("unit", "kind", "name", name="account_named"),
    CheckConstraint("balance >= 0 OR kind = 'house'", name="account_not_overdrawn"),
)

posting = Table(
    "posting",
    metadata,
    Column("stream", _Id, primary_key=True, autoincrement=False),
    Column("seq", BigInteger, primary_key=True, autoincrement=False),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("account", _Id, ForeignKey("account.id"), nullable=False),
    Column("amount", BigInteger, nullable=False),
    Index("posting_account", "account"),
)

snapshot = Table(
    "snapshot",
    metadata,
    Column("stream", _Id, ForeignKey("stream.id"), primary_key=True, autoincrement=False),
    Column("seq", BigInteger, nullable=False),
    Column("state", Text, nullable=False),
)


# Triggers.


_APPEND_ONLY = ("entry", "posting")
_PERMANENT = "SELECT 1 FROM stream WHERE id = OLD.stream AND NOT prunable"


def trigger_statements(dialect: str) -> Iterator[str]:
    """The statements that create the triggers, for "sqlite" or "postgresql"."""
    yield from _sqlite() if dialect == "sqlite" else _postgresql()


def _sqlite() -> Iterator[str]:
    for table in _APPEND_ONLY:
        yield (
            f"CREATE TRIGGER {table}_unchanged BEFORE UPDATE ON {table} "
            f"BEGIN SELECT RAISE(ABORT, 'the {table} table is append-only'); END"
        )
        yield (
            f"CREATE TRIGGER {table}_undeleted BEFORE DELETE ON {table} WHEN EXISTS ({_PERMANENT}) "
            f"BEGIN SELECT RAISE(ABORT, 'the {table} table is append-only'); END"
        )
    yield (
        "CREATE TRIGGER stream_undeleted BEFORE DELETE ON stream WHEN NOT OLD.prunable "
        "BEGIN SELECT RAISE(ABORT, 'this stream is kept for good'); END"
    )
    yield (
        "CREATE TRIGGER stream_named BEFORE UPDATE OF id, name, prunable ON stream "
        "BEGIN SELECT RAISE(ABORT, 'a stream stays what it is'); END"
    )


def _postgresql() -> Iterator[str]:
    yield (
        "CREATE FUNCTION pitbook_refuse() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN RAISE EXCEPTION 'the % table is append-only', TG_TABLE_NAME; END $$"
    )
    yield (
        "CREATE FUNCTION pitbook_keep() RETURNS trigger LANGUAGE plpgsql AS "
        f"$$ BEGIN IF EXISTS ({_PERMANENT}) THEN "
        "RAISE EXCEPTION 'the % table is append-only', TG_TABLE_NAME; END IF; "
        "RETURN OLD; END $$"
    )
    for table in _APPEND_ONLY:
        yield (
            f"CREATE TRIGGER {table}_unchanged BEFORE UPDATE ON {table} "
            "FOR EACH ROW EXECUTE FUNCTION pitbook_refuse()"
        )
        yield (
            f"CREATE TRIGGER {table}_undeleted BEFORE DELETE ON {table} "
            "FOR EACH ROW EXECUTE FUNCTION pitbook_keep()"
        )
        yield (
            f"CREATE TRIGGER {table}_untruncated BEFORE TRUNCATE ON {table} "
            "FOR EACH STATEMENT EXECUTE FUNCTION pitbook_refuse()"
        )
    yield (
        "CREATE TRIGGER stream_undeleted BEFORE DELETE ON stream "
        "FOR EACH ROW WHEN (NOT OLD.prunable) EXECUTE FUNCTION pitbook_refuse()"
    )
    yield (
        "CREATE TRIGGER stream_named BEFORE UPDATE OF id, name, prunable ON stream "
        "FOR EACH ROW EXECUTE FUNCTION pitbook_refuse()"
    )
