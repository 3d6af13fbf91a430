"""Hands in the log: somebody owns the database, has no key, and must not go unnoticed.

Edits are made to a copy of a sound book, past its triggers and constraints. The last kinds repair
everything that the database itself could tell; only the signed checkpoint knows better.
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
from pitbook.house.ledger.accounts import changes
from pitbook.house.ledger.audit import verify
from pitbook.house.ledger.batch import Append
from pitbook.house.ledger.chain import GENESIS, Entry, entry_hash
from pitbook.house.ledger.checkpoints import Checkpoint, sign_checkpoint
from pitbook.house.ledger.journal import Ledger
from pitbook.house.ledger.keys import Keys

ENTRIES = 40
TABLES = ("stream", "entry", "account", "posting", "snapshot", "alembic_version")
KEYS = Keys(bytes(range(32)), bytes(32))
AT = "2026-01-01T00:00:00+00:00"

Raw = Any  # A connection of whichever SQLite the ledger has.
Edit = Callable[[Raw, random.Random], str]


class Sound(NamedTuple):
    """A book that nobody touched, and what the house signed for it."""

    file: Path
    checkpoint: Checkpoint


def tampered_books(tmp_path: Path, *, edits: int, seed: str) -> Result:
    """Books edited behind the ledger's back; what verify does not notice is wrong."""
    sound = sound_book(tmp_path / "sound.db", seed)
    luck = random.Random(seed)
    wrong = [f"untouched: {finding}" for finding in found_in(sound.file, sound.checkpoint)]
    names = sorted(EDITS)
    for number in range(edits):
        wrong += unnoticed(sound, tmp_path / f"edit-{number}", names[number % len(names)], luck)
    return result(
        "log tampering",
        on="SQLite",
        count=edits,
        what="edits",
        seed=seed,
        wrong=wrong,
        acknowledged=ENTRIES,
    )


def unnoticed(sound: Sound, folder: Path, name: str, luck: random.Random) -> Iterator[str]:
    """The edit that was made, unless it is found."""
    folder.mkdir()
    copy = Path(shutil.copy(sound.file, folder))
    what = edited(copy, EDITS[name], luck)
    try:
        if not found_in(copy, sound.checkpoint):
            yield f"{name}: {what}"
    except Exception as error:  # noqa: BLE001 a damaged book is no bug of ours
        yield f"{name}: {what} raised {error!r}"
    shutil.rmtree(folder)


def sound_book(file: Path, seed: str) -> Sound:
    """A book with rounds, kept states and a stream that may be pruned, all under a checkpoint."""
    with Ledger.open(f"sqlite:///{file}") as ledger:
        client = LedgerClient(Rounds(seed), ledger)
        for number in range(ENTRIES):
            append = client.append(number)
            keep = {"after": number} if number % 7 == 0 else None
            ledger.submit(append._replace(keep=keep)).result()
        practice = ledger.claim("practice", prunable=True)
        ledger.submit(Append("practice", practice, [{"fact": "noted"}])).result()
        checkpoint = sign_checkpoint(ledger.streams(), KEYS, at=AT, previous=GENESIS)
    raw = database.library().connect(file)
    raw.execute("PRAGMA journal_mode = DELETE")  # So that the book is one file to copy.
    raw.close()
    return Sound(file, checkpoint)


def found_in(file: Path, checkpoint: Checkpoint) -> list[str]:
    """What the ledger finds wrong with a book, be it that it cannot open it."""
    try:
        with Ledger(database.connect(f"sqlite:///{file}", synchronous="OFF")) as ledger:
            verdict = verify(ledger, [checkpoint], key=KEYS.public)
            return [str(finding) for finding in verdict.findings]
    except LedgerError as error:
        return [str(error)]


def edited(file: Path, edit: Edit, luck: random.Random) -> str:
    """Makes an edit that changes something, past all guards; what it was."""
    raw = database.library().connect(file)
    raw.execute("PRAGMA synchronous = OFF")
    raw.execute("PRAGMA foreign_keys = OFF")
    raw.execute("PRAGMA ignore_check_constraints = ON")
    asked = "SELECT name, sql FROM sqlite_master WHERE type='trigger'"
    guards = raw.execute(asked).fetchall()
    for trigger, _ in guards:
        raw.execute(f"DROP TRIGGER {trigger}")
    raw.commit()
    before = dump(raw)
    try:
        while True:
            try:
                what = edit(raw, luck)
            except database.library().IntegrityError:  # Another row has that key already.
                raw.rollback()
                continue
            if dump(raw) != before:
                for _, guard in guards:  # Nobody would leave so plain a trace.
                    raw.execute(guard)
                raw.commit()
                return what
    finally:
        raw.close()


def dump(raw: Raw) -> list[list[str]]:
    """Every stored value as it is written, so that 1 and 1.0 differ; rows have no order."""
    return [sorted(map(repr, raw.execute(f"SELECT * FROM {table}"))) for table in TABLES]


def one_value(raw: Raw, luck: random.Random) -> str:
    """One byte of one value, or its type."""
    table, rowid = any_row(raw, luck)
    column = luck.choice(columns(raw, table))
    query = f'SELECT "{column}" FROM {table} WHERE rowid = ?'
    (value,) = raw.execute(query, (rowid,)).fetchone()
    other = changed(value, luck)
    raw.execute(f'UPDATE {table} SET "{column}" = ? WHERE rowid = ?', (other, rowid))
    return f"{table}.{column} {value!r} -> {other!r}"


def changed(value: Any, luck: random.Random) -> Any:
    """The value with one byte changed, added or taken away; sometimes of another type."""
    if value is None or luck.random() < 0.1:
        return luck.choice([None, "", "x", 0, 1, 7, -1, 1.5, b"x", str(value), str(value).encode()])
    if isinstance(value, int):
        return value ^ (1 << luck.randrange(40)) if luck.random() < 0.5 else value + 1
    at = luck.randrange(len(value) + 1)
    letter = chr(luck.randrange(32, 127))
    put, added, left = letter + value[at + 1 :], letter + value[at:], value[at + 1 :]
    return value[:at] + luck.choice([put, added, left])


def deleted_row(raw: Raw, luck: random.Random) -> str:
    table, rowid = any_row(raw, luck)
    raw.execute(f"DELETE FROM {table} WHERE rowid = ?", (rowid,))
    return f"{table} row {rowid}"


def swapped_rows(raw: Raw, luck: random.Random) -> str:
    """Two rows of one table trade places: all their values, or those of one column."""
    table, one = any_row(raw, luck)
    rowids = [row[0] for row in raw.execute(f"SELECT rowid FROM {table}")]
    other = luck.choice(rowids)
    named = columns(raw, table)
    some = [luck.choice(named)] if luck.random() < 0.5 else without_key(table, named)
    for column in some:
        query = f'SELECT "{column}" FROM {table} WHERE rowid = ?'
        first, second = (raw.execute(query, (rowid,)).fetchone()[0] for rowid in (one, other))
        put = f'UPDATE {table} SET "{column}" = ? WHERE rowid = ?'
        # Through a value that no row has, for columns that must differ.
        for value, rowid in ((-99, one), (first, other), (second, one)):
            raw.execute(put, (value, rowid))
    return f"{table} rows {one} and {other}: {some}"


def without_key(table: str, named: list[str]) -> list[str]:
    keys = {"stream": ["id"], "entry": ["stream", "seq"], "account": ["id"], "snapshot": ["stream"]}
    return [name for name in named if name not in keys.get(table, [])]


def cut_tail(raw: Raw, luck: random.Random) -> str:
    """The last entries of a stream, with their postings, the head set back to fit or not."""
    stream, seq = any_stream(raw, luck)
    first = luck.randrange(1, seq + 1)
    remove_from(raw, stream, first)
    if luck.random() < 0.5:
        mend(raw)
    return f"stream {stream} from entry {first}"


def inserted_row(raw: Raw, luck: random.Random) -> str:
    """A row made of another, with one value changed."""
    table, rowid = any_row(raw, luck, but=("alembic_version",))
    named = columns(raw, table)
    row = dict(
        zip(
            named,
            raw.execute(f"SELECT * FROM {table} WHERE rowid = ?", (rowid,)).fetchone(),
            strict=True,
        )
    )
    if "request" in row:
        row["request"] = None
    key = luck.choice([name for name in named if name in ("id", "stream", "seq", "number", "name")])
    row[key] = f"{row[key]}2" if isinstance(row[key], str) else row[key] + luck.randrange(1, 50)
    if table in ("stream", "account"):
        row["id"] = 1_000
        row["name"] = f"{row['name']}2"
        row["balance" if table == "account" else "seq"] = luck.randrange(1, 1_000)
    marks = ",".join("?" * len(row))
    raw.execute(f"INSERT INTO {table} VALUES ({marks})", list(row.values()))
    return f"{table} {row}"


def rewritten(raw: Raw, luck: random.Random) -> str:
    """History told anew: an entry changed, and all hashes, postings, balances and heads mended."""
    stream, seq, content = luck.choice(
        raw.execute("SELECT stream, seq, content FROM entry").fetchall()
    )
    document = json.loads(content)
    if document["transfers"]:
        luck.choice(document["transfers"])["cents"] += luck.randrange(1, 100)
    else:
        document["facts"].append({"fact": "forged"})
    told = json.dumps(document, sort_keys=True, separators=(",", ":"))
    put = "UPDATE entry SET content = ? WHERE stream = ? AND seq = ?"
    raw.execute(put, (told, stream, seq))
    mend(raw)
    return f"entry {seq} of stream {stream}"


def renumbered(raw: Raw, luck: random.Random) -> str:
    """An entry taken from the middle, the later ones moved up, everything mended."""
    stream, last = any_stream(raw, luck, longer=2)
    gone = luck.randrange(2, last)
    for table in ("entry", "posting"):
        raw.execute(f"DELETE FROM {table} WHERE stream = ? AND seq = ?", (stream, gone))
        for seq in range(gone + 1, last + 1):
            put = f"UPDATE {table} SET seq = ? WHERE stream = ? AND seq = ?"
            raw.execute(put, (seq - 1, stream, seq))
    mend(raw)
    return f"entry {gone} of stream {stream}"


def forgotten_stream(raw: Raw, luck: random.Random) -> str:
    """A whole stream gone as if it had never been."""
    stream, _ = any_stream(raw, luck)
    remove_from(raw, stream, 1)
    raw.execute("DELETE FROM stream WHERE id = ?", (stream,))
    mend(raw)
    return f"stream {stream}"


EDITS: dict[str, Edit] = {
    "one value": one_value,
    "one more value": one_value,
    "one other value": one_value,
    "row deleted": deleted_row,
    "rows swapped": swapped_rows,
    "tail cut": cut_tail,
    "row inserted": inserted_row,
    "rewritten and hashed again": rewritten,
    "entry removed and hashed again": renumbered,
    "stream forgotten": forgotten_stream,
}


def remove_from(raw: Raw, stream: int, first: int) -> None:
    for table in ("entry", "posting", "snapshot"):
        raw.execute(f"DELETE FROM {table} WHERE stream = ? AND seq >= ?", (stream, first))


def mend(raw: Raw) -> None:
    """Makes everything within the database agree with its entries again."""
    raw.execute("DELETE FROM posting")
    ids = {row[1:]: row[0] for row in raw.execute("SELECT id, unit, kind, name FROM account")}
    for stream, name in raw.execute("SELECT id, name FROM stream").fetchall():
        last = Entry(name, 0, "", 0, "", None, None, "", "", GENESIS)
        for entry in entries(raw, stream, name):
            last = entry._replace(previous=last.hash)
            last = last._replace(hash=entry_hash(last))
            put = "UPDATE entry SET previous = ?, hash = ? WHERE stream = ? AND seq = ?"
            raw.execute(put, (last.previous, last.hash, stream, last.seq))
            post(raw, stream, last, ids)
        put = "UPDATE stream SET seq = ?, head = ?, epoch = ? WHERE id = ?"
        raw.execute(put, (last.seq, last.hash, last.epoch, stream))
    raw.execute(
        "UPDATE account SET balance = "
        "(SELECT coalesce(sum(amount), 0) FROM posting WHERE account = account.id)"
    )


def entries(raw: Raw, stream: int, name: str) -> Iterator[Entry]:
    named = "seq, at, epoch, actor, request, body, content, previous, hash"
    query = f"SELECT {named} FROM entry WHERE stream = ? ORDER BY seq"
    yield from (Entry(name, *row) for row in raw.execute(query, (stream,)).fetchall())


def post(raw: Raw, stream: int, entry: Entry, ids: dict[Any, int]) -> None:
    moved = [change for transfer in entry.transfers for change in changes(transfer)]
    for number, (account, amount) in enumerate(moved):
        row = (stream, entry.seq, number, ids[tuple(account)], amount)
        raw.execute("INSERT INTO posting VALUES (?, ?, ?, ?, ?)", row)


def any_row(raw: Raw, luck: random.Random, but: tuple[str, ...] = ()) -> tuple[str, int]:
    table = luck.choice([name for name in TABLES if name not in but])
    return table, luck.choice([row[0] for row in raw.execute(f"SELECT rowid FROM {table}")])


def any_stream(raw: Raw, luck: random.Random, longer: int = 0) -> tuple[int, int]:
    query = "SELECT id, seq FROM stream WHERE seq > ?"
    stream, seq = luck.choice(raw.execute(query, (longer,)).fetchall())
    return stream, seq


def columns(raw: Raw, table: str) -> list[str]:
    return [row[1] for row in raw.execute(f"PRAGMA table_info({table})")]
