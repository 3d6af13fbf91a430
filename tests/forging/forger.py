"""A forger who owns the files and knows every format, but has no key.

Nothing of Pitbook is used here: a forger computes hashes, heads, sums and guards independently.
Changes are made consistent again, and tracks are covered as far as possible.
"""

from __future__ import annotations

import hashlib
import json
import random
import sqlite3
from pathlib import Path
from typing import Any

Json = dict[str, Any]
DEBIT = ("cash", "issued")  # Accounts that grow on the debit side.
NOTES, CLAIMED, SNAPSHOT = "checkpoints", "claimed", "kept"
GENESIS = "0" * 64
COLUMNS = ("at", "epoch", "actor", "request", "body", "content", "previous", "hash")


def canonical_json(document: Any) -> str:
    """JSON in the canonical form."""
    return json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


class Forger:
    """The files of a house: loaded, changed, and written back."""

    def __init__(self, folder: Path, rng: random.Random) -> None:
        self.folder, self.rng = folder, rng
        self.recompute_chain, self.guards_on = True, True
        raw = sqlite3.connect(folder / "pitbook.db")
        query = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"
        self.guards = dict(raw.execute(query).fetchall())
        self.streams: dict[str, Json] = {}
        self.entries: dict[str, list[Json]] = {}
        self.snapshots: dict[str, tuple[int, str]] = {}
        names = {}
        for number, name, prunable in raw.execute("SELECT id, name, prunable FROM stream"):
            self.streams[name], names[number] = {"prunable": prunable}, name
            self.entries[name] = []
        query = f"SELECT stream, {', '.join(COLUMNS)} FROM entry ORDER BY stream, seq"
        for number, *fields in raw.execute(query):
            entry = dict(zip(COLUMNS, fields, strict=True))
            entry["content"] = json.loads(entry["content"])
            self.entries[names[number]].append(entry)
        for number, seq, state in raw.execute("SELECT stream, seq, state FROM snapshot"):
            self.snapshots[names[number]] = (seq, state)
        raw.close()
        self.checkpoints = (folder / "checkpoints.jsonl").read_text().splitlines()

    def chain(self) -> None:
        """Renumber, claim, link and hash every entry."""
        for name, entries in self.entries.items():
            previous, epoch = GENESIS, 0
            for seq, entry in enumerate(entries, start=1):
                for fact in entry["content"]["facts"]:
                    if fact.get("fact") == CLAIMED:
                        epoch += 1
                        fact["epoch"] = epoch
                entry |= {"epoch": epoch, "previous": previous}
                fields = [entry[column] for column in ("at", "epoch", "actor", "request", "body")]
                hashed = [1, name, seq, *fields, canonical_json(entry["content"]), previous]
                text = json.dumps(hashed, separators=(",", ":"), ensure_ascii=False)
                previous = entry["hash"] = digest(text)

    def cover_tracks(self) -> None:
        """Cut the checkpoints that would reveal the change, and the ledger's own notes of them."""
        consistent = 0
        for line in self.checkpoints:
            heads = json.loads(line)["heads"]
            if not all(self._has(name, *head) for name, head in heads.items()):
                break
            consistent += 1
        self.checkpoints = self.checkpoints[:consistent]
        notes = self.entries.get(NOTES, [])
        self.entries[NOTES] = [
            note for note in notes if note["content"]["facts"][1]["number"] <= consistent
        ]
        if NOTES in self.streams and not self.entries[NOTES]:
            del self.streams[NOTES], self.entries[NOTES]
        self.chain()

    def _has(self, name: str, seq: int, head: str) -> bool:
        entries = self.entries.get(name, [])
        return not seq or (len(entries) >= seq and entries[seq - 1]["hash"] == head)

    def write(self) -> None:
        """Write everything back into the files, including sums, postings and guards."""
        if self.recompute_chain:
            self.chain()
        raw = sqlite3.connect(self.folder / "pitbook.db")
        for pragma in ("ignore_check_constraints = ON", "synchronous = OFF", "journal_mode = OFF"):
            raw.execute(f"PRAGMA {pragma}").fetchall()
        query = "SELECT name FROM sqlite_master WHERE type = 'trigger'"
        for (guard,) in raw.execute(query).fetchall():
            raw.execute(f"DROP TRIGGER {guard}")
        for table in ("posting", "snapshot", "entry", "account", "stream"):
            raw.execute(f"DELETE FROM {table}")
        self._fill(raw)
        for statement in self.guards.values():
            raw.execute(statement)
        raw.commit()
        raw.close()
        ending = "\n" if self.checkpoints else ""
        (self.folder / "checkpoints.jsonl").write_text("\n".join(self.checkpoints) + ending)

    def _fill(self, raw: sqlite3.Connection) -> None:
        balances: dict[tuple[str, str, str], int] = {}
        postings = []
        for number, (name, stream) in enumerate(self.streams.items(), start=1):
            entries = self.entries[name]
            last = entries[-1] if entries else {"epoch": 0, "hash": GENESIS}
            row = (number, name, last["epoch"], len(entries), last["hash"], stream["prunable"])
            raw.execute("INSERT INTO stream VALUES (?, ?, ?, ?, ?, ?)", row)
            for seq, entry in enumerate(entries, start=1):
                text = entry | {"content": canonical_json(entry["content"])}
                fields = (number, seq, *(text[column] for column in COLUMNS))
                raw.execute(f"INSERT INTO entry VALUES ({', '.join('?' * 10)})", fields)
                posted_changes = [
                    change
                    for transfer in entry["content"]["transfers"]
                    for change in changes(transfer)
                ]
                for place, (account, amount) in enumerate(posted_changes):
                    balances[account] = balances.get(account, 0) + amount
                    postings.append((number, seq, place, account, amount))
            if name in self.snapshots:
                raw.execute(
                    "INSERT INTO snapshot VALUES (?, ?, ?)", (number, *self.snapshots[name])
                )
        ids = {account: place for place, account in enumerate(balances, start=1)}
        rows = [(ids[account], *account, balance) for account, balance in balances.items()]
        raw.executemany("INSERT INTO account VALUES (?, ?, ?, ?, ?)", rows)
        posted = [
            (stream, seq, place, ids[account], by) for stream, seq, place, account, by in postings
        ]
        raw.executemany("INSERT INTO posting VALUES (?, ?, ?, ?, ?)", posted)

    def random_stream(self, *, but: tuple[str, ...] = (NOTES,)) -> str:
        return self.rng.choice([stream for stream in self.streams if stream not in but])

    def random_entry(self) -> Json:
        return self.rng.choice(self.entries[self.random_stream()])

    def random_part(self, part: str) -> tuple[Json, list[Json]]:
        """A random fact or transfer of an entry, and the list that contains it."""
        lists = [
            entry["content"][part]
            for name, entries in self.entries.items()
            if name != NOTES
            for entry in entries
            if entry["content"][part]
        ]
        chosen = self.rng.choice(lists)
        return self.rng.choice(chosen), chosen


def changes(transfer: Json) -> list[tuple[tuple[str, str, str], int]]:
    """The changes of a transfer to its accounts."""
    account_changes = []
    for side, sign in (("debit", -1), ("credit", 1)):
        kind, _, name = transfer[side].partition(":")
        direction = -sign if kind in DEBIT else sign
        account_changes.append(((transfer["unit"], kind, name), direction * transfer["cents"]))
    return account_changes
