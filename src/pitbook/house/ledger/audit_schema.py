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
from pitbook.house.ledger.audit_checkpoints import BookFinding
from pitbook.house.ledger.database import VERSION, library, prepare
from pitbook.house.ledger.schema import guards
from pitbook.text import say

# PostgreSQL: the catalog's description of tables, constraints and triggers.


_FUNCTION = re.compile(r"CREATE FUNCTION (\w+).*\$\$(.*)\$\$", re.DOTALL)
_TRIGGER = re.compile(r"CREATE TRIGGER (\w+) .*? ON (\w+)")


def on_server(connection: Connection) -> Iterator[BookFinding]:
    """Every table with its limits, every guard and that it is on, and nothing besides."""
    names = {"names": list(schema.metadata.tables)}
    found = defaultdict[str, list[str]](list)
    for row in connection.execute(text(_LIMITS), names):
        found[row.relname].append(_plain(row.told))
    for table in schema.metadata.sorted_tables:
        if sorted(map(_plain, _limits(table, connection))) != sorted(found[table.name]):
            yield BookFinding(
                say("ledger.place.table", name=table.name), say("ledger.layout.made-otherwise")
            )
    yield from _functions(connection)
    yield from _triggers(connection, names)
    for row in connection.execute(text(_RULES), names):
        yield BookFinding(
            say("ledger.place.database"),
            say("ledger.layout.not-ours", kind="rule", name=row.rulename),
        )
    if (role := connection.execute(text("SHOW session_replication_role")).scalar()) != "origin":
        yield BookFinding(say("ledger.place.database"), say("ledger.layout.guards-off", role=role))


def guard(name: str, *, is_there: bool, is_same: bool) -> Iterator[BookFinding]:
    """What is wrong with a guard, if anything is."""
    if not is_there:
        yield BookFinding(say("ledger.place.guard", name=name), say("ledger.layout.no-guard"))
    elif not is_same:
        yield BookFinding(say("ledger.place.guard", name=name), say("ledger.layout.other-guard"))


def spaced(sql: str) -> str:
    """SQL word for word, whatever blanks are between."""
    return " ".join(sql.split())


def _plain(sql: str) -> str:
    """SQL as both write it: no schema, no brackets, no case, no blanks."""
    flat = re.sub(r"\bpublic\.|::text|[()\s;]|\"", "", sql)
    return flat.lower()


def _functions(connection: Connection) -> Iterator[BookFinding]:
    found = {row.proname: row.told for row in connection.execute(text(_FUNCTIONS))}
    for made in filter(None, map(_FUNCTION.match, guards("postgresql"))):
        name, body = made.groups()
        same = found.get(name) == body
        yield from guard(name, is_there=name in found, is_same=same)


def _triggers(connection: Connection, names: dict[str, list[str]]) -> Iterator[BookFinding]:
    rows = connection.execute(text(_TRIGGERS), names)
    found = {(row.tgname, row.relname): row for row in rows}
    for made in filter(None, map(_TRIGGER.match, guards("postgresql"))):
        row = found.pop((made[1], made[2]), None)
        is_on = row is not None and row.tgenabled in ("O", "A")
        same = row is not None and _plain(row.told) == _plain(made.string)
        yield from guard(made[1], is_there=is_on, is_same=same)
    for name, _ in found:
        yield BookFinding(
            say("ledger.place.database"), say("ledger.layout.not-ours", kind="trigger", name=name)
        )


def _limits(table: Table, connection: Connection) -> Iterator[str]:
    """A table as the catalogue would tell it."""
    yield "kept"
    for column in table.columns:
        yield _column(column, table, connection)
    for one in table.constraints:
        yield _constraint(one)
        if isinstance(one, PrimaryKeyConstraint | UniqueConstraint):
            yield f"CREATE UNIQUE INDEX ON {table.name} USING btree {', '.join(one.columns.keys())}"
    for index in table.indexes:
        yield f"CREATE INDEX ON {table.name} USING btree {', '.join(index.columns.keys())}"


def _column(column: Column[Any], table: Table, connection: Connection) -> str:
    kind = column.type.compile(connection.dialect).replace("VARCHAR", "character varying")
    must = "" if column.nullable else "NOT NULL"
    counts = column is table.autoincrement_column
    value = f"DEFAULT nextval('{table.name}_{column.name}_seq'::regclass)" if counts else ""
    return f"{column.name} {kind} {must} {value}"


def _constraint(one: Constraint) -> str:
    if isinstance(one, CheckConstraint):
        return f"CHECK {one.sqltext}"
    if isinstance(one, ForeignKeyConstraint):
        there = ", ".join(key.column.name for key in one.elements)
        return f"FOREIGN KEY {', '.join(one.column_keys)} REFERENCES {one.referred_table} {there}"
    assert isinstance(one, PrimaryKeyConstraint | UniqueConstraint)
    kind = "UNIQUE" if isinstance(one, UniqueConstraint) else "PRIMARY KEY"
    return f"{kind} {', '.join(one.columns.keys())}"


# Columns, constraints, indexes, how the table is kept, and foreign keys that are not looked after.
_LIMITS = """
WITH ours AS (
    SELECT pg_class.* FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
    WHERE nspname = current_schema() AND relname = ANY(:names) AND relkind <> 'i'
)
SELECT relname, concat_ws(' ', attname, format_type(atttypid, atttypmod),
    CASE WHEN attnotnull THEN 'NOT NULL' END, 'DEFAULT ' || pg_get_expr(adbin, adrelid),
    CASE WHEN attcollation <> typcollation THEN 'COLLATE other' END,
    attidentity, attgenerated) AS told
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
SELECT tgname, relname, tgenabled, pg_get_triggerdef(pg_trigger.oid, true) AS told
FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
JOIN pg_namespace ON pg_namespace.oid = relnamespace
WHERE NOT tgisinternal AND nspname = current_schema() AND relname = ANY(:names)
"""
_FUNCTIONS = """
SELECT proname, concat_ws(' ', prosrc, proconfig::text, nullif(lanname, 'plpgsql'),
    CASE WHEN prosecdef THEN 'SECURITY DEFINER' END) AS told
FROM pg_proc JOIN pg_namespace ON pg_namespace.oid = pronamespace
JOIN pg_language ON pg_language.oid = prolang
WHERE nspname = current_schema() AND proname LIKE 'pitbook%' AND pronargs = 0
"""


# SQLite: the SQL of every object, compared with a new ledger.


DAMAGES_MAX = 10  # Where one row has no place in an index, mostly none has.


def layout(connection: Connection) -> Iterator[BookFinding]:
    """What of the tables and of their guards is not as it was made."""
    found = connection.execute(text("SELECT version_num FROM alembic_version")).scalars().all()
    if found != [VERSION]:
        yield BookFinding(
            say("ledger.place.database"),
            say("ledger.layout.version", versions=", ".join(map(str, found))),
        )
    yield from (
        _in_file(connection) if connection.dialect.name == "sqlite" else on_server(connection)
    )


def integrity(connection: Connection) -> Iterator[BookFinding]:
    """Rows that an index does not lead to, and the like; a server sees to that itself."""
    if connection.dialect.name != "sqlite":
        return
    told = connection.execute(text(f"PRAGMA integrity_check({DAMAGES_MAX})")).scalars()
    for said in dict.fromkeys(line for one in told for line in one.splitlines()):
        if said != "ok" and not said.startswith("***"):
            yield BookFinding(say("ledger.place.database"), say("ledger.layout.file", said=said))


class _Key(NamedTuple):
    """A trigger may have the name of a table, so both tell what is meant."""

    type: str
    name: str


class _Made(NamedTuple):
    """What an object belongs to, and the words that it was made with."""

    table: str
    sql: str


def _in_file(connection: Connection) -> Iterator[BookFinding]:
    """All that a file says it consists of, word for word as in a book that was just made."""
    made, found, strangers = _just_made(), dict[_Key, _Made](), list[_Key]()
    for row in connection.execute(text(_OBJECTS)):
        key = _Key(row.type, row.name)
        if key in made and key not in found:
            found[key] = _worded(row)
        elif row.sql not in _COUNTS:
            strangers.append(key)
    wrong = [key for key in made if found.get(key) != made[key]]
    for table in sorted({made[key].table for key in wrong if key.type != "trigger"}):
        yield BookFinding(
            say("ledger.place.table", name=table), say("ledger.layout.made-otherwise")
        )
    for key in (one for one in wrong if one.type == "trigger"):
        yield from guard(key.name, is_there=key in found, is_same=False)
    for key in strangers:
        yield BookFinding(
            say("ledger.place.database"),
            say("ledger.layout.not-ours", kind=key.type, name=key.name),
        )


@cache
def _just_made() -> dict[_Key, _Made]:
    """What is in a fresh book, which went through every step that older ones did."""
    engine = create_engine("sqlite://", poolclass=StaticPool, module=library())
    prepare(engine)
    with engine.connect() as connection:
        found = {
            _Key(row.type, row.name): _worded(row) for row in connection.execute(text(_OBJECTS))
        }
    engine.dispose()
    return found


def _worded(row: Row[Any]) -> _Made:
    sql = row.sql or ""  # SQLite's automatic indexes have none.
    # Guards must match exactly. The spacing of tables depends on the SQLAlchemy version.
    return _Made(row.tbl_name, sql if row.type == "trigger" else spaced(sql))


_OBJECTS = "SELECT type, name, tbl_name, sql FROM sqlite_master"
_COUNTS = (  # Of ANALYZE, which anybody may ask for.
    "CREATE TABLE sqlite_stat1(tbl,idx,stat)",
    "CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)",
)
