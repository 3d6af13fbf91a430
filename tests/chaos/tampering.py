"""Database tampering: an attacker with the database but no key must not go unnoticed.

Edits are made to a copy of an intact ledger, past its triggers and constraints. The last kinds
repair everything that the database itself could show; only the signed checkpoint detects them.
"""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from tests.chaos.results import Result, result
from tests.chaos.workload import LedgerClient, Rounds

from pitbook.errors import LedgerError
from pitbook.house.ledger import database
from pitbook.house.ledger.accounts import balance_changes
from pitbook.house.ledger.append_batch import Append
from pitbook.house.ledger.audit import verify
from pitbook.house.ledger.checkpoints import Checkpoint, sign_checkpoint
from pitbook.house.ledger.hash_chain import GENESIS, Entry, entry_hash
from pitbook.house.ledger.keys import Keys
from pitbook.house.ledger.ledger import Ledger

ENTRIES = 40
TABLES = ("stream", "entry", "account", "posting", "snapshot", "alembic_version")
KEYS = Keys(bytes(range(32)), bytes(32))
AT = "2026-01-01T00:00:00+00:00"

Raw = Any  # A connection of whichever SQLite the ledger has.
Edit = Callable[[Raw, random.Random], str]


class IntactBook(NamedTuple):
    """An untouched ledger and its signed checkpoint."""

    file: Path
    checkpoint: Checkpoint


def tampered_books(tmp_path: Path, *, edits: int, seed: str) -> Result:
    """Edit ledgers directly in the database; edits that verify does not detect are errors."""
    intact = make_intact_book(tmp_path / "sound.db", seed)
    rng = random.Random(seed)
    wrong = [f"untouched: {finding}" for finding in find_errors(intact.file, intact.checkpoint)]
    names = sorted(EDITS)
    for number in range(edits):
        wrong += undetected_edits(
            intact, tmp_path / f"edit-{number}", names[number % len(names)], rng
        )
    return result(
        "log tampering",
        on="SQLite",
        count=edits,
        what="edits",
        seed=seed,
        wrong=wrong,
        acknowledged=ENTRIES,
    )


def undetected_edits(
    intact: IntactBook, folder: Path, name: str, rng: random.Random
) -> Iterator[str]:
    """The edit, if it is not detected."""
    folder.mkdir()
    copy = Path(shutil.copy(intact.file, folder))
    description = apply_edit(copy, EDITS[name], rng)
    try:
        if not find_errors(copy, intact.checkpoint):
            yield f"{name}: {description}"
    except Exception as error:  # noqa: BLE001 a damaged ledger is not our bug
        yield f"{name}: {description} raised {error!r}"
    shutil.rmtree(folder)


def make_intact_book(file: Path, seed: str) -> IntactBook:
    """A ledger with rounds, saved states and a prunable stream, all under a checkpoint."""
    with Ledger.open(f"sqlite:///{file}") as ledger:
        client = LedgerClient(Rounds(seed), ledger)
        for number in range(ENTRIES):
            append = client.append(number)
            keep = {"after": number} if number % 7 == 0 else None
            ledger.submit(append._replace(keep=keep)).result()
        practice = ledger.claim("practice", prunable=True)
        ledger.submit(Append("practice", practice, [{"fact": "noted"}])).result()
        checkpoint = sign_checkpoint(ledger.streams(), KEYS, at=AT, previous=GENESIS)
    raw = database.sqlite_module().connect(file)
    raw.execute("PRAGMA journal_mode = DELETE")  # So that the ledger is a single file.
    raw.close()
    return IntactBook(file, checkpoint)


def find_errors(file: Path, checkpoint: Checkpoint) -> list[str]:
    """What the ledger finds wrong with a file, including that it cannot open it."""
    try:
        with Ledger(database.connect(f"sqlite:///{file}", synchronous="OFF")) as ledger:
            verdict = verify(ledger, [checkpoint], key=KEYS.public)
            return [str(finding) for finding in verdict.findings]
    except LedgerError as error:
        return [str(error)]


def apply_edit(file: Path, edit: Edit, rng: random.Random) -> str:
    """Make an edit that changes something, past all guards, and return its description."""
    raw = database.sqlite_module().connect(file)
    raw.execute("PRAGMA synchronous = OFF")
    raw.execute("PRAGMA foreign_keys = OFF")
    raw.execute("PRAGMA ignore_check_constraints = ON")
    query = "SELECT name, sql FROM sqlite_master WHERE type='trigger'"
    guards = raw.execute(query).fetchall()
    for trigger, _ in guards:
        raw.execute(f"DROP TRIGGER {trigger}")
    raw.commit()
    before = dump(raw)
    try:
        while True:
            try:
                description = edit(raw, rng)
            except database.sqlite_module().IntegrityError:  # Another row already has that key.
                raw.rollback()
                continue
            if dump(raw) != before:
                for _, guard in guards:  # An attacker would restore the triggers.
                    raw.execute(guard)
                raw.commit()
                return description
    finally:
        raw.close()


def dump(raw: Raw) -> list[list[str]]:
    """Every stored value by its repr, so that 1 and 1.0 differ; rows are unordered."""
    return [sorted(map(repr, raw.execute(f"SELECT * FROM {table}"))) for table in TABLES]


def alter_one_value(raw: Raw, rng: random.Random) -> str:
    """Change one byte of one value, or its type."""
    table, rowid = any_row(raw, rng)
    column = rng.choice(columns(raw, table))
    query = f'SELECT "{column}" FROM {table} WHERE rowid = ?'
    (value,) = raw.execute(query, (rowid,)).fetchone()
    other = alter_value(value, rng)
    raw.execute(f'UPDATE {table} SET "{column}" = ? WHERE rowid = ?', (other, rowid))
    return f"{table}.{column} {value!r} -> {other!r}"


def alter_value(value: Any, rng: random.Random) -> Any:
    """The value with one byte changed, added or removed; sometimes with another type."""
    if value is None or rng.random() < 0.1:
        return rng.choice([None, "", "x", 0, 1, 7, -1, 1.5, b"x", str(value), str(value).encode()])
    if isinstance(value, int):
        return value ^ (1 << rng.randrange(40)) if rng.random() < 0.5 else value + 1
    at = rng.randrange(len(value) + 1)
    letter = chr(rng.randrange(32, 127))
    replaced, added, shortened = letter + value[at + 1 :], letter + value[at:], value[at + 1 :]
    return value[:at] + rng.choice([replaced, added, shortened])


def delete_row(raw: Raw, rng: random.Random) -> str:
    table, rowid = any_row(raw, rng)
    raw.execute(f"DELETE FROM {table} WHERE rowid = ?", (rowid,))
    return f"{table} row {rowid}"


def swap_rows(raw: Raw, rng: random.Random) -> str:
    """Swap two rows of one table, or their values in one column."""
    table, rowid_a = any_row(raw, rng)
    rowids = [row[0] for row in raw.execute(f"SELECT rowid FROM {table}")]
    rowid_b = rng.choice(rowids)
    names = columns(raw, table)
    swapped = [rng.choice(names)] if rng.random() < 0.5 else without_key(table, names)
    for column in swapped:
        query = f'SELECT "{column}" FROM {table} WHERE rowid = ?'
        first, second = (raw.execute(query, (rowid,)).fetchone()[0] for rowid in (rowid_a, rowid_b))
        update = f'UPDATE {table} SET "{column}" = ? WHERE rowid = ?'
        # Via a value that no row has, for unique columns.
        for value, rowid in ((-99, rowid_a), (first, rowid_b), (second, rowid_a)):
            raw.execute(update, (value, rowid))
    return f"{table} rows {rowid_a} and {rowid_b}: {swapped}"


def without_key(table: str, names: list[str]) -> list[str]:
    keys = {"stream": ["id"], "entry": ["stream", "seq"], "account": ["id"], "snapshot": ["stream"]}
    return [name for name in names if name not in keys.get(table, [])]


def cut_tail(raw: Raw, rng: random.Random) -> str:
    """Remove a stream's last entries with their postings; sometimes also fix the head."""
    stream, seq = any_stream(raw, rng)
    first = rng.randrange(1, seq + 1)
    remove_from(raw, stream, first)
    if rng.random() < 0.5:
        recompute(raw)
    return f"stream {stream} from entry {first}"


def insert_row(raw: Raw, rng: random.Random) -> str:
    """Insert a copy of a row with one value changed."""
    table, rowid = any_row(raw, rng, but=("alembic_version",))
    names = columns(raw, table)
    row = dict(
        zip(
            names,
            raw.execute(f"SELECT * FROM {table} WHERE rowid = ?", (rowid,)).fetchone(),
            strict=True,
        )
    )
    if "request" in row:
        row["request"] = None
    key = rng.choice([name for name in names if name in ("id", "stream", "seq", "number", "name")])
    row[key] = f"{row[key]}2" if isinstance(row[key], str) else row[key] + rng.randrange(1, 50)
    if table in ("stream", "account"):
        row["id"] = 1_000
        row["name"] = f"{row['name']}2"
        row["balance" if table == "account" else "seq"] = rng.randrange(1, 1_000)
    marks = ",".join("?" * len(row))
    raw.execute(f"INSERT INTO {table} VALUES ({marks})", list(row.values()))
    return f"{table} {row}"


def rewrite_entry(raw: Raw, rng: random.Random) -> str:
    """Change an entry, then recompute all hashes, postings, balances and heads."""
    stream, seq, content = rng.choice(
        raw.execute("SELECT stream, seq, content FROM entry").fetchall()
    )
    document = json.loads(content)
    if document["transfers"]:
        rng.choice(document["transfers"])["cents"] += rng.randrange(1, 100)
    else:
        document["facts"].append({"fact": "forged"})
    rewritten_text = json.dumps(document, sort_keys=True, separators=(",", ":"))
    update = "UPDATE entry SET content = ? WHERE stream = ? AND seq = ?"
    raw.execute(update, (rewritten_text, stream, seq))
    recompute(raw)
    return f"entry {seq} of stream {stream}"


def remove_entry(raw: Raw, rng: random.Random) -> str:
    """Remove an entry from the middle, renumber the later ones and recompute everything."""
    stream, last = any_stream(raw, rng, longer=2)
    removed = rng.randrange(2, last)
    for table in ("entry", "posting"):
        raw.execute(f"DELETE FROM {table} WHERE stream = ? AND seq = ?", (stream, removed))
        for seq in range(removed + 1, last + 1):
            update = f"UPDATE {table} SET seq = ? WHERE stream = ? AND seq = ?"
            raw.execute(update, (seq - 1, stream, seq))
    recompute(raw)
    return f"entry {removed} of stream {stream}"


def remove_stream(raw: Raw, rng: random.Random) -> str:
    """Remove a whole stream without a trace."""
    stream, _ = any_stream(raw, rng)
    remove_from(raw, stream, 1)
    raw.execute("DELETE FROM stream WHERE id = ?", (stream,))
    recompute(raw)
    return f"stream {stream}"


EDITS: dict[str, Edit] = {
    "one value": alter_one_value,
    "one more value": alter_one_value,
    "one other value": alter_one_value,
    "row deleted": delete_row,
    "rows swapped": swap_rows,
    "tail cut": cut_tail,
    "row inserted": insert_row,
    "rewritten and hashed again": rewrite_entry,
    "entry removed and hashed again": remove_entry,
    "stream forgotten": remove_stream,
}


def remove_from(raw: Raw, stream: int, first: int) -> None:
    for table in ("entry", "posting", "snapshot"):
        raw.execute(f"DELETE FROM {table} WHERE stream = ? AND seq >= ?", (stream, first))


def recompute(raw: Raw) -> None:
    """Make everything in the database consistent with its entries again."""
    raw.execute("DELETE FROM posting")
    ids = {row[1:]: row[0] for row in raw.execute("SELECT id, unit, kind, name FROM account")}
    for stream, name in raw.execute("SELECT id, name FROM stream").fetchall():
        last = Entry(name, 0, "", 0, "", None, None, "", "", GENESIS)
        for entry in entries(raw, stream, name):
            last = entry._replace(previous=last.hash)
            last = last._replace(hash=entry_hash(last))
            update = "UPDATE entry SET previous = ?, hash = ? WHERE stream = ? AND seq = ?"
            raw.execute(update, (last.previous, last.hash, stream, last.seq))
            post(raw, stream, last, ids)
        update = "UPDATE stream SET seq = ?, head = ?, epoch = ? WHERE id = ?"
        raw.execute(update, (last.seq, last.hash, last.epoch, stream))
    raw.execute(
        "UPDATE account SET balance = "
        "(SELECT coalesce(sum(amount), 0) FROM posting WHERE account = account.id)"
    )


def entries(raw: Raw, stream: int, name: str) -> Iterator[Entry]:
    names = "seq, at, epoch, actor, request, body, content, previous, hash"
    query = f"SELECT {names} FROM entry WHERE stream = ? ORDER BY seq"
    yield from (Entry(name, *row) for row in raw.execute(query, (stream,)).fetchall())


def post(raw: Raw, stream: int, entry: Entry, ids: dict[Any, int]) -> None:
    moved = [change for transfer in entry.transfers for change in balance_changes(transfer)]
    for number, (account, amount) in enumerate(moved):
        row = (stream, entry.seq, number, ids[tuple(account)], amount)
        raw.execute("INSERT INTO posting VALUES (?, ?, ?, ?, ?)", row)


def any_row(raw: Raw, rng: random.Random, but: tuple[str, ...] = ()) -> tuple[str, int]:
    table = rng.choice([name for name in TABLES if name not in but])
    return table, rng.choice([row[0] for row in raw.execute(f"SELECT rowid FROM {table}")])


def any_stream(raw: Raw, rng: random.Random, longer: int = 0) -> tuple[int, int]:
    query = "SELECT id, seq FROM stream WHERE seq > ?"
    stream, seq = rng.choice(raw.execute(query, (longer,)).fetchall())
    return stream, seq


def columns(raw: Raw, table: str) -> list[str]:
    return [row[1] for row in raw.execute(f"PRAGMA table_info({table})")]
