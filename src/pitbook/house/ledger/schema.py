"""The tables of the book. What is in entry and posting stays there: triggers refuse the rest."""

from __future__ import annotations

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

_Id = BigInteger().with_variant(Integer, "sqlite")  # SQLite counts up whole numbers only.

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
