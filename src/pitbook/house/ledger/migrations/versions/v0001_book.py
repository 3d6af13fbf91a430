"""The first ledger layout."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from pitbook.house.ledger.schema import trigger_statements

revision = "0001"
down_revision = None

_ID = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Tables, and the triggers that keep them append-only."""
    op.create_table(
        "stream",
        sa.Column("id", _ID, primary_key=True, autoincrement=True),
        sa.Column("name", sa.Text, nullable=False, unique=True),
        sa.Column("epoch", sa.BigInteger, nullable=False),
        sa.Column("seq", sa.BigInteger, nullable=False),
        sa.Column("head", sa.String(64), nullable=False),
        sa.Column("prunable", sa.Boolean, nullable=False),
    )
    op.create_table(
        "entry",
        sa.Column("stream", _ID, sa.ForeignKey("stream.id"), primary_key=True, autoincrement=False),
        sa.Column("seq", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("at", sa.Text, nullable=False),
        sa.Column("epoch", sa.BigInteger, nullable=False),
        sa.Column("actor", sa.Text, nullable=False),
        sa.Column("request", sa.Text, unique=True),
        sa.Column("body", sa.Text),
        sa.Column("content", sa.Text, nullable=False),
        sa.Column("previous", sa.String(64), nullable=False),
        sa.Column("hash", sa.String(64), nullable=False),
    )
    op.create_table(
        "account",
        sa.Column("id", _ID, primary_key=True, autoincrement=True),
        sa.Column("unit", sa.Text, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("balance", sa.BigInteger, nullable=False),
        sa.UniqueConstraint("unit", "kind", "name", name="account_named"),
        sa.CheckConstraint("balance >= 0 OR kind = 'house'", name="account_not_overdrawn"),
    )
    op.create_table(
        "posting",
        sa.Column("stream", _ID, primary_key=True, autoincrement=False),
        sa.Column("seq", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("account", _ID, sa.ForeignKey("account.id"), nullable=False),
        sa.Column("amount", sa.BigInteger, nullable=False),
    )
    op.create_index("posting_account", "posting", ["account"])
    op.create_table(
        "snapshot",
        sa.Column("stream", _ID, sa.ForeignKey("stream.id"), primary_key=True, autoincrement=False),
        sa.Column("seq", sa.BigInteger, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
    )
    for statement in trigger_statements(op.get_bind().dialect.name):
        op.execute(statement)
