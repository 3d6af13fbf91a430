"""The audit finds every change of the database's layout."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import make_url, text
from tests.house.ledger.kit import ANN, HELD, NOTED, fill, refusal_of

from pitbook.errors import Overdrawn
from pitbook.house.ledger.accounts import move
from pitbook.house.ledger.audit import verify
from pitbook.house.ledger.database import sqlite_module
from pitbook.house.ledger.ledger import Ledger

NOT_MADE_SO = "its definition was changed"
NOT_OURS = "does not belong to the ledger"
CUCKOO = "BEGIN UPDATE account SET balance = balance + 1 WHERE name = 'eve'; END"


def findings_after(url: str, *done: str | Callable[[Any], None]) -> list[str]:
    """The findings after a closed ledger was changed with SQLite's own tools."""
    with Ledger.open(url) as ledger:
        fill(ledger)
    raw = sqlite_module().connect(str(make_url(url).database), isolation_level=None)
    raw.execute("PRAGMA writable_schema = ON")
    for change in done:
        change(raw) if callable(change) else raw.execute(change)
    raw.close()
    with Ledger.read_only(url) as copy:
        findings = [str(finding) for finding in verify(copy).findings]
    with Ledger.open(url) as ledger:
        assert [str(finding) for finding in verify(ledger).findings] == findings
    return findings


def change_sql(name: str, old: str, new: str) -> Callable[[Any], None]:
    """Change the SQL that the file stores for a table."""

    def reword(raw: Any) -> None:
        query = "UPDATE sqlite_master SET sql = replace(sql, ?, ?) WHERE name = ? AND sql LIKE ?"
        assert raw.execute(query, (old, new, name, f"%{old}%")).rowcount == 1

    return reword


def empty_index(name: str) -> Callable[[Any], None]:
    """Point an index at another, empty tree."""

    def empty(raw: Any) -> None:
        raw.execute("CREATE TABLE tmp (a TEXT UNIQUE)")
        query = "SELECT rootpage FROM sqlite_master WHERE name = 'sqlite_autoindex_tmp_1'"
        given = "UPDATE sqlite_master SET rootpage = ? WHERE name = ?"
        raw.execute(given, (*raw.execute(query).fetchone(), name))
        raw.execute("DELETE FROM sqlite_master WHERE tbl_name = 'tmp'")

    return empty


@pytest.mark.long
@pytest.mark.parametrize("name", ["entry", "account", "posting_account", "entry_unchanged_"])
def test_trigger_with_a_reused_name_is_a_finding(sqlite_url: str, name: str) -> None:
    findings = findings_after(sqlite_url, f"CREATE TRIGGER {name} AFTER INSERT ON entry {CUCKOO}")
    assert findings == [f'the database: trigger "{name}" {NOT_OURS}']


@pytest.mark.long
def test_table_with_an_sqlite_prefix_is_a_finding(sqlite_url: str) -> None:
    findings = findings_after(
        sqlite_url,
        "CREATE TABLE evil (x)",
        "UPDATE sqlite_master SET name = 'sqlite_evil', tbl_name = 'sqlite_evil', "
        "sql = 'CREATE TABLE sqlite_evil (x)' WHERE name = 'evil'",
    )
    assert findings == [f'the database: table "sqlite_evil" {NOT_OURS}']


@pytest.mark.long
def test_analyze_tables_are_accepted(sqlite_url: str) -> None:
    assert findings_after(sqlite_url, "ANALYZE") == []


def test_table_named_like_sqlite_statistics_is_a_finding(sqlite_url: str) -> None:
    assert findings_after(
        sqlite_url, "ANALYZE", change_sql("sqlite_stat1", "stat)", "stat DEFAULT 'x')")
    ) == [f'the database: table "sqlite_stat1" {NOT_OURS}']


REWORDED = [
    ("entry", "PRIMARY KEY (stream, seq)", "PRIMARY KEY (stream, seq) ON CONFLICT REPLACE"),
    ("entry", "UNIQUE (request)", "UNIQUE (request) ON CONFLICT REPLACE"),
    ("account", "UNIQUE (unit, kind, name)", "UNIQUE (unit, kind, name) ON CONFLICT REPLACE"),
    ("account", "balance BIGINT", "balance BIGINT DEFAULT 100000"),
    ("entry", "REFERENCES stream (id)", "REFERENCES stream (id) ON DELETE CASCADE"),
    ("account", "kind = 'house'", "kind = 'HOUSE' OR kind = 'house'"),
    ("alembic_version", "NOT NULL", "NOT NULL DEFAULT '0001'"),
]


@pytest.mark.long
@pytest.mark.parametrize(("table", "old", "new"), REWORDED, ids=[case[2] for case in REWORDED])
def test_changed_constraint_is_found(sqlite_url: str, table: str, old: str, new: str) -> None:
    assert findings_after(sqlite_url, change_sql(table, old, new)) == [
        f"the {table} table: {NOT_MADE_SO}"
    ]


@pytest.mark.parametrize("guard", ["entry_unchanged", "posting_undeleted", "stream_named"])
def test_trigger_with_an_extra_space_is_found(sqlite_url: str, guard: str) -> None:
    findings = findings_after(sqlite_url, change_sql(guard, "BEGIN SELECT", "BEGIN  SELECT"))
    assert findings == [f"the trigger {guard}: changed, so it may no longer protect entries"]


def test_trigger_with_an_extra_space_is_found_on_postgresql(postgres_url: str) -> None:
    with Ledger.open(postgres_url) as ledger:
        with ledger.engine.begin() as connection:
            source = "SELECT prosrc FROM pg_proc WHERE proname = 'pitbook_refuse'"
            body = connection.execute(text(source)).scalar_one().replace("BEGIN ", "BEGIN  ")
            head = "CREATE OR REPLACE FUNCTION pitbook_refuse() RETURNS trigger LANGUAGE plpgsql"
            connection.exec_driver_sql(f"{head} AS $${body.replace('%', '%%')}$$")
        findings = [str(finding) for finding in verify(ledger).findings]
        assert findings == [
            "the trigger pitbook_refuse: changed, so it may no longer protect entries"
        ]


def test_name_differing_in_case_is_found(sqlite_url: str) -> None:
    other = change_sql("stream", "name TEXT", "name TEXT COLLATE NOCASE")
    assert findings_after(sqlite_url, other)[0] == f"the stream table: {NOT_MADE_SO}"


def test_other_whitespace_is_not_a_difference(sqlite_url: str) -> None:
    assert (
        findings_after(sqlite_url, change_sql("entry", "UNIQUE (request)", "UNIQUE \n (request)"))
        == []
    )


def test_partial_index_is_found(sqlite_url: str) -> None:
    assert findings_after(
        sqlite_url,
        "DROP INDEX posting_account",
        "CREATE INDEX posting_account ON posting (account) WHERE amount < 0",
    ) == [f"the posting table: {NOT_MADE_SO}"]


@pytest.mark.parametrize("name", ["sqlite_autoindex_entry_2", "posting_account"])
def test_emptied_index_is_found(sqlite_url: str, name: str) -> None:
    findings = findings_after(sqlite_url, empty_index(name))
    assert f"the database: the file is damaged: row 1 missing from index {name}" in findings
    assert len(findings) <= 20


@pytest.mark.long
def test_duplicate_request_is_found(ledger: Ledger) -> None:
    """The database no longer refused it."""
    epoch = fill(ledger)
    for request in ("ann/2", "ann/3"):
        ledger.append("table-1", epoch, [NOTED], request=request)
    with ledger.engine.begin() as connection:
        for statement in UNLIMITED[ledger.engine.dialect.name]:
            connection.execute(text(statement))
        connection.execute(text("UPDATE entry SET request = 'ann/1' WHERE seq = 5"))
    findings = [str(finding) for finding in verify(ledger).findings]
    assert [finding for finding in findings if "more than once" in finding] == [
        "the entry table: ann/1 appears more than once"
    ]


UNLIMITED = {
    "sqlite": [
        "CREATE TABLE other AS SELECT * FROM entry",
        "DROP TABLE entry",
        "ALTER TABLE other RENAME TO entry",
    ],
    "postgresql": [
        "DROP TRIGGER entry_unchanged ON entry",
        "ALTER TABLE entry DROP CONSTRAINT entry_request_key",
    ],
}
STRANGE = [("usd", "gibberish", "x"), ("gold", "wallet", "x"), ("usd", "wallet", "a\nb")]


@pytest.mark.long
@pytest.mark.parametrize("account", STRANGE)
def test_impossible_account_is_found(ledger: Ledger, account: tuple[str, str, str]) -> None:
    fill(ledger)
    unit, kind, name = account
    with ledger.engine.begin() as connection:
        query = "INSERT INTO account (unit, kind, name, balance) VALUES (:unit, :kind, :name, 0)"
        connection.execute(text(query), {"unit": unit, "kind": kind, "name": name})
    (only,) = verify(ledger).findings
    assert str(only) == f"{kind}:{name} in {unit}: no entry can have created this account"


@pytest.mark.long
def test_account_left_by_a_refused_append_is_not_a_finding(ledger: Ledger) -> None:
    epoch = ledger.claim("table-1")
    given = ("table-1", epoch, [NOTED], [move(ANN, HELD, 5, "wager")])
    assert refusal_of(ledger.append, *given)[0] is Overdrawn
    with ledger.engine.connect() as connection:
        assert connection.execute(text("SELECT count(*) FROM account")).scalar() == 2
    assert verify(ledger).findings == ()


ON_SERVER = {
    "ALTER TABLE account ALTER balance SET DEFAULT 100000": "account",
    "ALTER TABLE account ALTER id DROP DEFAULT": "account",
    'ALTER TABLE account ALTER name TYPE text COLLATE "C"': "account",
    "ALTER TABLE entry DROP CONSTRAINT entry_stream_fkey, "
    "ADD FOREIGN KEY (stream) REFERENCES stream (id) ON DELETE CASCADE": "entry",
    "ALTER TABLE entry DROP CONSTRAINT entry_request_key, "
    "ADD UNIQUE (request) DEFERRABLE INITIALLY DEFERRED": "entry",
    "ALTER TABLE entry DROP CONSTRAINT entry_pkey": "entry",
    "DROP INDEX posting_account; "
    "CREATE INDEX posting_account ON posting (account) WHERE amount < 0": "posting",
    "CREATE INDEX twice ON posting (account)": "posting",
    "ALTER TABLE account DROP CONSTRAINT account_not_overdrawn, "
    "ADD CONSTRAINT account_not_overdrawn CHECK (balance >= 0 OR kind = 'house') NOT VALID": (
        "account"
    ),
    "ALTER TABLE entry DISABLE TRIGGER ALL; ALTER TABLE entry ENABLE TRIGGER USER": "entry",
    "ALTER TABLE entry ENABLE ROW LEVEL SECURITY": "entry",
    "ALTER TABLE snapshot SET UNLOGGED": "snapshot",
    "CREATE TABLE more () INHERITS (posting)": "posting",
    "ALTER TABLE snapshot ADD COLUMN note text": "snapshot",
}


@pytest.mark.long
@pytest.mark.parametrize("done", ON_SERVER)
def test_changed_constraint_on_a_server_is_found(postgres_url: str, done: str) -> None:
    with Ledger.open(postgres_url) as ledger:
        fill(ledger)
        with ledger.engine.begin() as connection:
            connection.execute(text(done))
        findings = [str(finding) for finding in verify(ledger).findings]
        assert findings == [f"the {ON_SERVER[done]} table: {NOT_MADE_SO}"]


@pytest.mark.long
def test_trigger_moved_to_another_table_is_a_finding(postgres_url: str) -> None:
    with Ledger.open(postgres_url) as ledger:
        with ledger.engine.begin() as connection:
            connection.execute(
                text(
                    "CREATE TRIGGER entry_unchanged BEFORE INSERT ON account "
                    "FOR EACH ROW EXECUTE FUNCTION pitbook_refuse()"
                )
            )
        findings = [str(finding) for finding in verify(ledger).findings]
        assert findings == [f'the database: trigger "entry_unchanged" {NOT_OURS}']


@pytest.mark.long
@pytest.mark.parametrize("how", ["SET search_path = pg_temp", "SECURITY DEFINER"])
def test_altered_trigger_function_is_found(postgres_url: str, how: str) -> None:
    with Ledger.open(postgres_url) as ledger:
        with ledger.engine.begin() as connection:
            connection.execute(text(f"ALTER FUNCTION pitbook_keep() {how}"))
            connection.execute(
                text("CREATE FUNCTION pitbook_keep(x int) RETURNS int LANGUAGE sql AS 'SELECT 1'")
            )
        findings = [str(finding) for finding in verify(ledger).findings]
        assert findings == [
            "the trigger pitbook_keep: changed, so it may no longer protect entries"
        ]
