"""Whether the database still refuses what it was told to refuse: tables, limits and guards."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from sqlalchemy import (
    CheckConstraint,
    Connection,
    ForeignKeyConstraint,
    Table,
    UniqueConstraint,
    text,
)
from sqlalchemy import inspect as looked_at

from pitbook.ledger import schema
from pitbook.ledger.database import VERSION
from pitbook.ledger.guards import guards
from pitbook.ledger.signed import Finding

__all__ = ["layout"]

OTHERS = ("alembic_version",)
_NAMED = re.compile(r"CREATE (TRIGGER|FUNCTION) (\w+)")
_FUNCTION = re.compile(r"\$\$(.*)\$\$", re.DOTALL)


def layout(connection: Connection) -> Iterator[Finding]:
    """What of the tables and of their guards is not as it was made."""
    found = connection.execute(text("SELECT version_num FROM alembic_version")).scalars().all()
    if found != [VERSION]:
        yield Finding("the database", f"its layout is said to be {', '.join(map(str, found))}")
    for table in schema.metadata.sorted_tables:
        if _as_made(table, connection) != _as_found(table, connection):
            yield Finding(f"the {table.name} table", "it is not made as the book's is")
    yield from _sqlite(connection) if connection.dialect.name == "sqlite" else _pg(connection)


def _as_made(table: Table, connection: Connection) -> dict[str, Any]:
    kinds = {
        one.name: (one.type.compile(connection.dialect).upper(), bool(one.nullable))
        for one in table.columns
    }
    parts = [one for one in table.constraints if isinstance(one, UniqueConstraint)]
    lone = {(one.name,) for one in table.columns if one.unique}
    keys = [one for one in table.constraints if isinstance(one, ForeignKeyConstraint)]
    checks = [one for one in table.constraints if isinstance(one, CheckConstraint)]
    return {
        "columns": kinds,
        "primary": [one.name for one in table.primary_key],
        "unique": {tuple(part.columns.keys()) for part in parts} | lone,
        "foreign": {(tuple(one.column_keys), one.referred_table.name) for one in keys},
        "checks": {_plain(str(one.sqltext)) for one in checks},
        "indexes": {tuple(one.columns.keys()) for one in table.indexes},
    }


def _as_found(table: Table, connection: Connection) -> dict[str, Any]:
    looked = looked_at(connection)  # The table is there: its rows have been read.
    columns = looked.get_columns(table.name)
    return {
        "columns": {
            one["name"]: (one["type"].compile(connection.dialect).upper(), bool(one["nullable"]))
            for one in columns
        },
        "primary": looked.get_pk_constraint(table.name)["constrained_columns"],
        "unique": {tuple(one["column_names"]) for one in looked.get_unique_constraints(table.name)},
        "foreign": {
            (tuple(one["constrained_columns"]), one["referred_table"])
            for one in looked.get_foreign_keys(table.name)
        },
        "checks": {_plain(one["sqltext"]) for one in looked.get_check_constraints(table.name)},
        "indexes": {
            tuple(one["column_names"])
            for one in looked.get_indexes(table.name)
            if not one.get("duplicates_constraint")
        },
    }


def _sqlite(connection: Connection) -> Iterator[Finding]:
    """Every guard, word for word, and nothing that somebody else put into the file."""
    rows = {row.name: row for row in connection.execute(text(_SQLITE_OBJECTS))}
    due = {_name(one): one for one in guards("sqlite")}
    for name, statement in due.items():
        row = rows.pop(name, None)
        yield from _guard(name, statement, None if row is None else row.sql, _spaced)
    ours = {*schema.metadata.tables, *OTHERS}
    ours |= {str(one.name) for table in schema.metadata.sorted_tables for one in table.indexes}
    for name, row in rows.items():
        if name not in ours:
            yield Finding("the database", f'{row.type} "{name}" in it is not the book\'s')


def _pg(connection: Connection) -> Iterator[Finding]:
    """Every guard, its function and that it is on; other triggers on the book's tables are not."""
    functions = {row.proname: row.prosrc for row in connection.execute(text(_PG_FUNCTIONS))}
    triggers = {
        row.tgname: row
        for row in connection.execute(text(_PG_TRIGGERS), {"names": list(schema.metadata.tables)})
    }
    for statement in guards("postgresql"):
        name = _name(statement)
        if statement.startswith("CREATE FUNCTION"):
            body = _FUNCTION.search(statement)
            yield from _guard(name, body.group(1) if body else "", functions.get(name))
            continue
        row = triggers.pop(name, None)
        on = row is not None and row.tgenabled in ("O", "A")
        yield from _guard(name, statement, row.definition if row is not None and on else None)
    for name in triggers:
        yield Finding("the database", f'trigger "{name}" in it is not the book\'s')
    for row in connection.execute(text(_PG_RULES), {"names": list(schema.metadata.tables)}):
        yield Finding("the database", f'rule "{row.rulename}" in it is not the book\'s')
    if (role := connection.execute(text("SHOW session_replication_role")).scalar()) != "origin":
        yield Finding("the database", f"its guards are off: session_replication_role is {role}")


def _name(statement: str) -> str:
    found = _NAMED.match(statement)
    assert found is not None
    return found.group(2)


def _spaced(sql: str) -> str:
    """SQL word for word, whatever blanks are between."""
    return " ".join(sql.split())


def _plain(sql: str) -> str:
    """SQL as both write it: no schema, no brackets, no case, no blanks."""
    flat = re.sub(r"\bpublic\.|::text|[()\s;]|\"", "", sql)
    return flat.lower()


def _guard(
    name: str, due: str, found: str | None, same: Callable[[str], str] = _plain
) -> Iterator[Finding]:
    if found is None:
        yield Finding(f"the guard {name}", "it is not there: entries could be changed or dropped")
    elif same(found) != same(due):
        yield Finding(f"the guard {name}", "it was changed, and may not refuse any more")


_SQLITE_OBJECTS = """
SELECT name, type, sql FROM sqlite_master
WHERE sql IS NOT NULL AND NOT (type = 'table' AND name LIKE 'sqlite#_%' ESCAPE '#')
"""
_PG_RULES = """
SELECT rulename FROM pg_rules WHERE schemaname = current_schema() AND tablename = ANY(:names)
"""
_PG_TRIGGERS = """
SELECT tgname, tgenabled, pg_get_triggerdef(pg_trigger.oid, true) AS definition
FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
JOIN pg_namespace ON pg_namespace.oid = relnamespace
WHERE NOT tgisinternal AND nspname = current_schema() AND relname = ANY(:names)
"""
_PG_FUNCTIONS = """
SELECT proname, prosrc FROM pg_proc JOIN pg_namespace ON pg_namespace.oid = pronamespace
WHERE nspname = current_schema() AND proname LIKE 'pitbook%'
"""
