"""Somebody who owns the files and knows every format, but has no key.

Nothing of Pitbook is used here: a forger writes hashes, heads, sums and guards by hand. What the
forger changes is made to fit together again, and as far as that can be, tracks are covered.
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
NOTES, CLAIMED, KEPT = "checkpoints", "claimed", "kept"
GENESIS = "0" * 64
COLUMNS = ("at", "epoch", "actor", "request", "body", "content", "previous", "hash")


def written(document: Any) -> str:
    """JSON in the one way."""
    return json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


class Forger:
    """The files of a house, held in memory, changed, and written back."""

    def __init__(self, folder: Path, luck: random.Random) -> None:
        self.folder, self.luck = folder, luck
        self.rechains, self.guards_on = True, True
        raw = sqlite3.connect(folder / "pitbook.db")
        asked = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"
        self.guards = dict(raw.execute(asked).fetchall())
        self.streams: dict[str, Json] = {}
        self.entries: dict[str, list[Json]] = {}
        self.kept: dict[str, tuple[int, str]] = {}
        names = {}
        for number, name, prunable in raw.execute("SELECT id, name, prunable FROM stream"):
            self.streams[name], names[number] = {"prunable": prunable}, name
            self.entries[name] = []
        asked = f"SELECT stream, {', '.join(COLUMNS)} FROM entry ORDER BY stream, seq"
        for number, *fields in raw.execute(asked):
            entry = dict(zip(COLUMNS, fields, strict=True))
            entry["content"] = json.loads(entry["content"])
            self.entries[names[number]].append(entry)
        for number, seq, state in raw.execute("SELECT stream, seq, state FROM snapshot"):
            self.kept[names[number]] = (seq, state)
        raw.close()
        self.signed = (folder / "checkpoints.jsonl").read_text().splitlines()

    def chain(self) -> None:
        """Number, claim, link and hash every entry anew."""
        for name, entries in self.entries.items():
            previous, epoch = GENESIS, 0
            for seq, entry in enumerate(entries, start=1):
                for fact in entry["content"]["facts"]:
                    if fact.get("fact") == CLAIMED:
                        epoch += 1
                        fact["epoch"] = epoch
                entry |= {"epoch": epoch, "previous": previous}
                fields = [entry[one] for one in ("at", "epoch", "actor", "request", "body")]
                hashed = [1, name, seq, *fields, written(entry["content"]), previous]
                text = json.dumps(hashed, separators=(",", ":"), ensure_ascii=False)
                previous = entry["hash"] = digest(text)

    def cover(self) -> None:
        """Cut the checkpoints that would tell, and the book's own notes of them."""
        fits = 0
        for line in self.signed:
            heads = json.loads(line)["heads"]
            if not all(self._has(name, *head) for name, head in heads.items()):
                break
            fits += 1
        self.signed = self.signed[:fits]
        notes = self.entries.get(NOTES, [])
        self.entries[NOTES] = [one for one in notes if one["content"]["facts"][1]["number"] <= fits]
        if NOTES in self.streams and not self.entries[NOTES]:
            del self.streams[NOTES], self.entries[NOTES]
        self.chain()

    def _has(self, name: str, seq: int, head: str) -> bool:
        found = self.entries.get(name, [])
        return not seq or (len(found) >= seq and found[seq - 1]["hash"] == head)

    def write(self) -> None:
        """Everything back into the files: sums, postings and guards too."""
        if self.rechains:
            self.chain()
        raw = sqlite3.connect(self.folder / "pitbook.db")
        for pragma in ("ignore_check_constraints = ON", "synchronous = OFF", "journal_mode = OFF"):
            raw.execute(f"PRAGMA {pragma}").fetchall()
        asked = "SELECT name FROM sqlite_master WHERE type = 'trigger'"
        for (guard,) in raw.execute(asked).fetchall():
            raw.execute(f"DROP TRIGGER {guard}")
        for table in ("posting", "snapshot", "entry", "account", "stream"):
            raw.execute(f"DELETE FROM {table}")
        self._fill(raw)
        for statement in self.guards.values():
            raw.execute(statement)
        raw.commit()
        raw.close()
        ended = "\n" if self.signed else ""
        (self.folder / "checkpoints.jsonl").write_text("\n".join(self.signed) + ended)

    def _fill(self, raw: sqlite3.Connection) -> None:
        balances: dict[tuple[str, str, str], int] = {}
        postings = []
        for number, (name, stream) in enumerate(self.streams.items(), start=1):
            entries = self.entries[name]
            last = entries[-1] if entries else {"epoch": 0, "hash": GENESIS}
            row = (number, name, last["epoch"], len(entries), last["hash"], stream["prunable"])
            raw.execute("INSERT INTO stream VALUES (?, ?, ?, ?, ?, ?)", row)
            for seq, entry in enumerate(entries, start=1):
                text = entry | {"content": written(entry["content"])}
                fields = (number, seq, *(text[one] for one in COLUMNS))
                raw.execute(f"INSERT INTO entry VALUES ({', '.join('?' * 10)})", fields)
                moved = [one for each in entry["content"]["transfers"] for one in changes(each)]
                for place, (account, by) in enumerate(moved):
                    balances[account] = balances.get(account, 0) + by
                    postings.append((number, seq, place, account, by))
            if name in self.kept:
                raw.execute("INSERT INTO snapshot VALUES (?, ?, ?)", (number, *self.kept[name]))
        ids = {account: place for place, account in enumerate(balances, start=1)}
        rows = [(ids[account], *account, held) for account, held in balances.items()]
        raw.executemany("INSERT INTO account VALUES (?, ?, ?, ?, ?)", rows)
        posted = [(stream, seq, place, ids[one], by) for stream, seq, place, one, by in postings]
        raw.executemany("INSERT INTO posting VALUES (?, ?, ?, ?, ?)", posted)

    def any_stream(self, *, but: tuple[str, ...] = (NOTES,)) -> str:
        return self.luck.choice([one for one in self.streams if one not in but])

    def any_entry(self) -> Json:
        return self.luck.choice(self.entries[self.any_stream()])

    def any_of(self, part: str) -> tuple[Json, list[Json]]:
        """Something out of the facts or the transfers of an entry, and the list that it is in."""
        lists = [
            one["content"][part]
            for name, entries in self.entries.items()
            if name != NOTES
            for one in entries
            if one["content"][part]
        ]
        chosen = self.luck.choice(lists)
        return self.luck.choice(chosen), chosen


def changes(transfer: Json) -> list[tuple[tuple[str, str, str], int]]:
    """What a transfer does to its accounts."""
    found = []
    for side, sign in (("debit", -1), ("credit", 1)):
        kind, _, name = transfer[side].partition(":")
        grows = -sign if kind in DEBIT else sign
        found.append(((transfer["unit"], kind, name), grows * transfer["cents"]))
    return found
