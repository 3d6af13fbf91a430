"""Whether the database still refuses what it was told to refuse: tables, limits and guards."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import Connection, Row, create_engine, text
from sqlalchemy.pool import StaticPool

from pitbook.house.ledger.database import VERSION, library, prepare
from pitbook.house.ledger.layout_server import guard, on_server, spaced
from pitbook.house.ledger.signed import BookFinding
from pitbook.text import say

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
