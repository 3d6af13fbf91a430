"""Check that the database's tables, constraints and triggers are unchanged."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import (
    CheckConstraint,
    Column,
    Connection,
    Constraint,
    ForeignKeyConstraint,
    PrimaryKeyConstraint,
    Row,
    Table,
    UniqueConstraint,
    create_engine,
    text,
)
from sqlalchemy.pool import StaticPool

from pitbook.house.ledger import schema
from pitbook.house.ledger.audit_checkpoints import LedgerFinding
from pitbook.house.ledger.database import VERSION, prepare, sqlite_module
from pitbook.house.ledger.schema import trigger_statements
from pitbook.text import say

# PostgreSQL: the catalog's description of tables, constraints and triggers.


_FUNCTION = re.compile(r"CREATE FUNCTION (\w+).*\$\$(.*)\$\$", re.DOTALL)
_TRIGGER = re.compile(r"CREATE TRIGGER (\w+) .*? ON (\w+)")


def check_postgresql(connection: Connection) -> Iterator[LedgerFinding]:
    """Yield differences from the expected tables, functions, triggers and rules."""
    names = {"names": list(schema.metadata.tables)}
    definitions = defaultdict[str, list[str]](list)
    for row in connection.execute(text(_LIMITS), names):
        definitions[row.relname].append(_normalize(row.body))
    for table in schema.metadata.sorted_tables:
        if sorted(map(_normalize, _catalog_lines(table, connection))) != sorted(
            definitions[table.name]
        ):
            yield LedgerFinding(
                say("ledger.place.table", name=table.name), say("ledger.layout.made-otherwise")
            )
    yield from _check_functions(connection)
    yield from _check_triggers(connection, names)
    for row in connection.execute(text(_RULES), names):
        yield LedgerFinding(
            say("ledger.place.database"),
            say("ledger.layout.not-ours", kind="rule", name=row.rulename),
        )
    if (role := connection.execute(text("SHOW session_replication_role")).scalar()) != "origin":
        yield LedgerFinding(
            say("ledger.place.database"), say("ledger.layout.guards-off", role=role)
        )


def check_guard(name: str, *, is_there: bool, is_same: bool) -> Iterator[LedgerFinding]:
    """Yield the difference if a trigger or function is missing or changed."""
    if not is_there:
        yield LedgerFinding(say("ledger.place.guard", name=name), say("ledger.layout.no-guard"))
    elif not is_same:
        yield LedgerFinding(say("ledger.place.guard", name=name), say("ledger.layout.other-guard"))


def collapse_spaces(sql: str) -> str:
    """SQL with each run of whitespace as one space."""
    return " ".join(sql.split())


def _normalize(sql: str) -> str:
    """SQL in the form that both sides share: no schema, brackets, case or whitespace."""
    flat = re.sub(r"\bpublic\.|::text|[()\s;]|\"", "", sql)
    return flat.lower()


def _check_functions(connection: Connection) -> Iterator[LedgerFinding]:
    bodies = {row.proname: row.body for row in connection.execute(text(_FUNCTIONS))}
    for function in filter(None, map(_FUNCTION.match, trigger_statements("postgresql"))):
        name, body = function.groups()
        is_same = bodies.get(name) == body
        yield from check_guard(name, is_there=name in bodies, is_same=is_same)


def _check_triggers(connection: Connection, names: dict[str, list[str]]) -> Iterator[LedgerFinding]:
    rows = connection.execute(text(_TRIGGERS), names)
    triggers = {(row.tgname, row.relname): row for row in rows}
    for trigger in filter(None, map(_TRIGGER.match, trigger_statements("postgresql"))):
        row = triggers.pop((trigger[1], trigger[2]), None)
        is_on = row is not None and row.tgenabled in ("O", "A")
        is_same = row is not None and _normalize(row.body) == _normalize(trigger.string)
        yield from check_guard(trigger[1], is_there=is_on, is_same=is_same)
    for name, _ in triggers:
        yield LedgerFinding(
            say("ledger.place.database"), say("ledger.layout.not-ours", kind="trigger", name=name)
        )


def _catalog_lines(table: Table, connection: Connection) -> Iterator[str]:
    """A table's definition in the words of PostgreSQL's catalog."""
    yield "kept"
    for column in table.columns:
        yield _column_line(column, table, connection)
    for constraint in table.constraints:
        yield _constraint_line(constraint)
        if isinstance(constraint, PrimaryKeyConstraint | UniqueConstraint):
            columns = ", ".join(constraint.columns.keys())
            yield f"CREATE UNIQUE INDEX ON {table.name} USING btree {columns}"
    for index in table.indexes:
        yield f"CREATE INDEX ON {table.name} USING btree {', '.join(index.columns.keys())}"


def _column_line(column: Column[Any], table: Table, connection: Connection) -> str:
    type_sql = column.type.compile(connection.dialect).replace("VARCHAR", "character varying")
    not_null = "" if column.nullable else "NOT NULL"
    is_serial = column is table.autoincrement_column
    default = f"DEFAULT nextval('{table.name}_{column.name}_seq'::regclass)" if is_serial else ""
    return f"{column.name} {type_sql} {not_null} {default}"


def _constraint_line(constraint: Constraint) -> str:
    if isinstance(constraint, CheckConstraint):
        return f"CHECK {constraint.sqltext}"
    if isinstance(constraint, ForeignKeyConstraint):
        targets = ", ".join(key.column.name for key in constraint.elements)
        columns = ", ".join(constraint.column_keys)
        return f"FOREIGN KEY {columns} REFERENCES {constraint.referred_table} {targets}"
    assert isinstance(constraint, PrimaryKeyConstraint | UniqueConstraint)
    kind = "UNIQUE" if isinstance(constraint, UniqueConstraint) else "PRIMARY KEY"
    return f"{kind} {', '.join(constraint.columns.keys())}"


# Columns, constraints, indexes, the table's storage, and disabled foreign key triggers.
_LIMITS = """
WITH ours AS (
    SELECT pg_class.* FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
    WHERE nspname = current_schema() AND relname = ANY(:names) AND relkind <> 'i'
)
SELECT relname, concat_ws(' ', attname, format_type(atttypid, atttypmod),
    CASE WHEN attnotnull THEN 'NOT NULL' END, 'DEFAULT ' || pg_get_expr(adbin, adrelid),
    CASE WHEN attcollation <> typcollation THEN 'COLLATE other' END,
    attidentity, attgenerated) AS body
FROM ours JOIN pg_attribute ON attrelid = ours.oid JOIN pg_type ON pg_type.oid = atttypid
LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
WHERE attnum > 0 AND NOT attisdropped
UNION ALL
SELECT relname, pg_get_constraintdef(pg_constraint.oid, true)
FROM ours JOIN pg_constraint ON conrelid = ours.oid WHERE contype <> 'n'
UNION ALL
SELECT relname, concat_ws(' ',
    regexp_replace(pg_get_indexdef(indexrelid, 0, true), ' INDEX .* ON ', ' INDEX ON '),
    CASE WHEN NOT (indisvalid AND indisready AND indislive) THEN 'off' END)
FROM ours JOIN pg_index ON indrelid = ours.oid
UNION ALL
SELECT relname, CASE WHEN relkind = 'r' AND relpersistence = 'p' AND NOT relrowsecurity
    AND NOT EXISTS (SELECT FROM pg_inherits WHERE ours.oid IN (inhrelid, inhparent))
    THEN 'kept' ELSE 'kept otherwise' END
FROM ours
UNION ALL
SELECT relname, 'off' FROM ours JOIN pg_trigger ON tgrelid = ours.oid
WHERE tgisinternal AND tgenabled <> 'O'
"""
_RULES = """
SELECT rulename FROM pg_rules WHERE schemaname = current_schema() AND tablename = ANY(:names)
"""
_TRIGGERS = """
SELECT tgname, relname, tgenabled, pg_get_triggerdef(pg_trigger.oid, true) AS body
FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
JOIN pg_namespace ON pg_namespace.oid = relnamespace
WHERE NOT tgisinternal AND nspname = current_schema() AND relname = ANY(:names)
"""
_FUNCTIONS = """
SELECT proname, concat_ws(' ', prosrc, proconfig::text, nullif(lanname, 'plpgsql'),
    CASE WHEN prosecdef THEN 'SECURITY DEFINER' END) AS body
FROM pg_proc JOIN pg_namespace ON pg_namespace.oid = pronamespace
JOIN pg_language ON pg_language.oid = prolang
WHERE nspname = current_schema() AND proname LIKE 'pitbook%' AND pronargs = 0
"""


# SQLite: the SQL of every object, compared with a new ledger.


DAMAGES_MAX = 10  # If one row is missing from an index, most are.


def check_layout(connection: Connection) -> Iterator[LedgerFinding]:
    """Yield differences between the database's layout and a new ledger's."""
    versions = connection.execute(text("SELECT version_num FROM alembic_version")).scalars().all()
    if versions != [VERSION]:
        yield LedgerFinding(
            say("ledger.place.database"),
            say("ledger.layout.version", versions=", ".join(map(str, versions))),
        )
    yield from (
        _check_sqlite(connection)
        if connection.dialect.name == "sqlite"
        else check_postgresql(connection)
    )


def check_integrity(connection: Connection) -> Iterator[LedgerFinding]:
    """Yield rows missing from an index and similar damage; PostgreSQL checks that itself."""
    if connection.dialect.name != "sqlite":
        return
    reports = connection.execute(text(f"PRAGMA integrity_check({DAMAGES_MAX})")).scalars()
    for problem in dict.fromkeys(line for report in reports for line in report.splitlines()):
        if problem != "ok" and not problem.startswith("***"):
            yield LedgerFinding(
                say("ledger.place.database"), say("ledger.layout.file", said=problem)
            )


class _ObjectKey(NamedTuple):
    """A trigger may share a table's name, so the type is part of the key."""

    type: str
    name: str


class _Definition(NamedTuple):
    """The table that an object belongs to, and its SQL."""

    table: str
    sql: str


def _check_sqlite(connection: Connection) -> Iterator[LedgerFinding]:
    """Yield every object whose SQL differs from that of a new ledger."""
    expected, objects, unexpected = (
        _expected_schema(),
        dict[_ObjectKey, _Definition](),
        list[_ObjectKey](),
    )
    for row in connection.execute(text(_OBJECTS)):
        key = _ObjectKey(row.type, row.name)
        if key in expected and key not in objects:
            objects[key] = _definition(row)
        elif row.sql not in _ANALYZE_TABLES:
            unexpected.append(key)
    differing = [key for key in expected if objects.get(key) != expected[key]]
    for table in sorted({expected[key].table for key in differing if key.type != "trigger"}):
        yield LedgerFinding(
            say("ledger.place.table", name=table), say("ledger.layout.made-otherwise")
        )
    for key in (key for key in differing if key.type == "trigger"):
        yield from check_guard(key.name, is_there=key in objects, is_same=False)
    for key in unexpected:
        yield LedgerFinding(
            say("ledger.place.database"),
            say("ledger.layout.not-ours", kind=key.type, name=key.name),
        )


@cache
def _expected_schema() -> dict[_ObjectKey, _Definition]:
    """The objects of a new ledger, after all migrations."""
    engine = create_engine("sqlite://", poolclass=StaticPool, module=sqlite_module())
    prepare(engine)
    with engine.connect() as connection:
        objects = {
            _ObjectKey(row.type, row.name): _definition(row)
            for row in connection.execute(text(_OBJECTS))
        }
    engine.dispose()
    return objects


def _definition(row: Row[Any]) -> _Definition:
    sql = row.sql or ""  # SQLite's automatic indexes have none.
    # Guards must match exactly. The spacing of tables depends on the SQLAlchemy version.
    return _Definition(row.tbl_name, sql if row.type == "trigger" else collapse_spaces(sql))


_OBJECTS = "SELECT type, name, tbl_name, sql FROM sqlite_master"
_ANALYZE_TABLES = (  # Made by ANALYZE, which anyone may run.
    "CREATE TABLE sqlite_stat1(tbl,idx,stat)",
    "CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)",
)
