"""Triggers by which the database refuses to change or drop what was written."""

from __future__ import annotations

from collections.abc import Iterator

_WRITTEN = ("entry", "posting")
_KEPT = "SELECT 1 FROM stream WHERE id = OLD.stream AND NOT prunable"


def guards(dialect: str) -> Iterator[str]:
    """The statements that put the guards in place, for "sqlite" or "postgresql"."""
    yield from _sqlite() if dialect == "sqlite" else _postgresql()


def _sqlite() -> Iterator[str]:
    for table in _WRITTEN:
        yield (
            f"CREATE TRIGGER {table}_unchanged BEFORE UPDATE ON {table} "
            f"BEGIN SELECT RAISE(ABORT, 'the {table} table is append-only'); END"
        )
        yield (
            f"CREATE TRIGGER {table}_undeleted BEFORE DELETE ON {table} WHEN EXISTS ({_KEPT}) "
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
        f"$$ BEGIN IF EXISTS ({_KEPT}) THEN "
        "RAISE EXCEPTION 'the % table is append-only', TG_TABLE_NAME; END IF; "
        "RETURN OLD; END $$"
    )
    for table in _WRITTEN:
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
