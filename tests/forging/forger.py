"""Somebody who owns the files and knows every format, but has no key.

Nothing of Pitbook is used here: a forger writes hashes, heads, sums and guards by hand. What the
forger changes is made to fit together again, and as far as that can be, tracks are covered.
"""

from __future__ import annotations

import hashlib
import json
import random
import secrets
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

Json = dict[str, Any]
DEBIT = ("cash", "issued")  # Accounts that grow on the debit side.
NOTES, CLAIMED, KEPT = "checkpoints", "claimed", "kept"
GENESIS = "0" * 64
NAMES = ("ann", "bob", "eve", "gus")
CARDS = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]
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


def fact_amount(forger: Forger) -> None:
    """Another amount in a fact, its transfers left alone."""
    fact, _ = forger.any_of("facts")
    _leaf(forger, fact, lambda key, value: _is_money(value), _other_money)


def fact_name(forger: Forger) -> None:
    fact, _ = forger.any_of("facts")
    _leaf(forger, fact, lambda key, value: value in NAMES, lambda luck, _: luck.choice(NAMES))


def fact_card(forger: Forger) -> None:
    fact, _ = forger.any_of("facts")
    _leaf(forger, fact, lambda key, value: value in CARDS, lambda luck, _: luck.choice(CARDS))


def fact_number(forger: Forger) -> None:
    fact, _ = forger.any_of("facts")
    _leaf(forger, fact, lambda _, value: type(value) is int, lambda luck, value: value + 1)


def fact_text(forger: Forger) -> None:
    fact, _ = forger.any_of("facts")
    _leaf(forger, fact, lambda _, value: isinstance(value, str), lambda luck, one: one + "x")


def fact_gone(forger: Forger) -> None:
    fact, facts = forger.any_of("facts")
    facts.remove(fact)


def fact_twice(forger: Forger) -> None:
    fact, facts = forger.any_of("facts")
    facts.insert(facts.index(fact), json.loads(written(fact)))


def facts_swapped(forger: Forger) -> None:
    _, facts = forger.any_of("facts")
    forger.luck.shuffle(facts)


def transfer_cents(forger: Forger) -> None:
    transfer, _ = forger.any_of("transfers")
    transfer["cents"] = max(1, transfer["cents"] + forger.luck.choice((-100, -1, 1, 500)))


def transfer_account(forger: Forger) -> None:
    transfer, _ = forger.any_of("transfers")
    side = forger.luck.choice(("debit", "credit"))
    transfer[side] = f"{transfer[side].partition(':')[0]}:{forger.luck.choice(NAMES)}"


def transfer_why(forger: Forger) -> None:
    transfer, _ = forger.any_of("transfers")
    transfer["why"] += " again"


def transfer_gone(forger: Forger) -> None:
    transfer, transfers = forger.any_of("transfers")
    transfers.remove(transfer)


def transfer_twice(forger: Forger) -> None:
    transfer, transfers = forger.any_of("transfers")
    transfers.append(dict(transfer))


def transfer_turned(forger: Forger) -> None:
    transfer, _ = forger.any_of("transfers")
    transfer["debit"], transfer["credit"] = transfer["credit"], transfer["debit"]


def transfer_added(forger: Forger) -> None:
    entry = forger.any_entry()
    given = {"cents": 5_000, "credit": "wallet:eve", "debit": "house", "unit": "usd", "why": "tip"}
    entry["content"]["transfers"].append(given)


def both_changed(forger: Forger) -> None:
    """The same other amount in facts and transfers, wherever the entry says it."""
    entry = forger.any_entry()
    for transfer in entry["content"]["transfers"]:
        old, new = transfer["cents"], transfer["cents"] * 2
        transfer["cents"] = new
        text = written(entry["content"]["facts"]).replace(_dollars(old), _dollars(new))
        entry["content"]["facts"] = json.loads(text)


def entry_actor(forger: Forger) -> None:
    forger.any_entry()["actor"] = "eve"


def entry_time(forger: Forger) -> None:
    entry = forger.any_entry()
    entry["at"] = f"{int(entry['at'][:4]) + 1}{entry['at'][4:]}"


def entry_request(forger: Forger) -> None:
    forger.any_entry()["request"] = f"eve/{forger.luck.random()}"


def entry_gone(forger: Forger) -> None:
    entries = forger.entries[forger.any_stream()]
    entries.remove(forger.luck.choice(entries))


def entry_twice(forger: Forger) -> None:
    entries = forger.entries[forger.any_stream()]
    one = json.loads(json.dumps(forger.luck.choice(entries))) | {"request": None}
    entries.insert(forger.luck.randrange(len(entries) + 1), one)


def entries_swapped(forger: Forger) -> None:
    entries = forger.entries[forger.any_stream()]
    forger.luck.shuffle(entries)


def entry_added(forger: Forger) -> None:
    """A slip that never was, as right as any other."""
    forger.entries["cage"].append(_slip(forger, "cage"))


def entry_moved(forger: Forger) -> None:
    one, two = forger.any_stream(), forger.any_stream()
    forger.entries[two].append(forger.entries[one].pop())


def suffix_gone(forger: Forger) -> None:
    name = forger.any_stream()
    entries = forger.entries[name]
    del entries[forger.luck.randrange(len(entries)) :]
    if name in forger.kept and forger.kept[name][0] > len(entries):
        del forger.kept[name]


def suffixes_gone(forger: Forger) -> None:
    """The whole book as it may have been at a time, put together by hand."""
    times = sorted(one["at"] for many in forger.entries.values() for one in many)
    until = forger.luck.choice(times)
    for name, entries in forger.entries.items():
        forger.entries[name] = [one for one in entries if one["at"] < until]
        if name in forger.kept and forger.kept[name][0] > len(forger.entries[name]):
            del forger.kept[name]


def suffix_rewritten(forger: Forger) -> None:
    """Some entries of the cage from one on are others, all of them right."""
    entries = forger.entries["cage"]
    first = forger.luck.randrange(1, len(entries))
    count = len(entries) - first
    entries[first:] = [_slip(forger, "cage") for _ in range(count)]


def stream_gone(forger: Forger) -> None:
    name = forger.any_stream()
    forger.streams.pop(name)
    forger.entries.pop(name)
    forger.kept.pop(name, None)


def stream_added(forger: Forger) -> None:
    name = forger.luck.choice(("cage2", "night/late", "people", "table/eve"))
    forger.streams.setdefault(name, {"prunable": 0})
    claim = {"fact": CLAIMED, "epoch": 1, "prunable": False}
    forger.entries.setdefault(name, []).append(_entry([claim]))


def stream_renamed(forger: Forger) -> None:
    name = forger.any_stream()
    other = f"{name}x"
    forger.streams[other] = forger.streams.pop(name)
    forger.entries[other] = forger.entries.pop(name)
    if name in forger.kept:
        forger.kept[other] = forger.kept.pop(name)


def stream_prunable(forger: Forger) -> None:
    stream = forger.streams[forger.any_stream()]
    stream["prunable"] = 1 - stream["prunable"]


def state_kept(forger: Forger) -> None:
    """Another state for a table to be taken up from, its hash put right in the chain."""
    if not forger.kept:
        return
    name = forger.luck.choice(sorted(forger.kept))
    seq, state = forger.kept[name]
    document = json.loads(state)
    _leaf(forger, document, lambda _, value: _is_money(value), _other_money)
    forger.kept[name] = (seq, written(document))
    for fact in forger.entries[name][seq - 1]["content"]["facts"]:
        if fact["fact"] == KEPT:
            fact["state"] = digest(written(document))


def note_changed(forger: Forger) -> None:
    entry = forger.luck.choice(forger.entries[NOTES])
    entry[forger.luck.choice(("at", "actor"))] = "2026-01-01T00:00:00.000000+00:00"


def note_gone(forger: Forger) -> None:
    forger.entries[NOTES].pop(forger.luck.randrange(len(forger.entries[NOTES])))


def signed_cut(forger: Forger) -> None:
    del forger.signed[forger.luck.randrange(len(forger.signed)) :]


def signed_gone_from_within(forger: Forger) -> None:
    forger.signed.pop(forger.luck.randrange(len(forger.signed) - 1))


def signed_changed(forger: Forger) -> None:
    place = forger.luck.randrange(len(forger.signed))
    line = json.loads(forger.signed[place])
    name = forger.luck.choice(sorted(line["heads"]))
    line["heads"][name][0] += 1
    forger.signed[place] = written(line)


def signed_by_another(forger: Forger) -> None:
    place = forger.luck.randrange(len(forger.signed))
    line = json.loads(forger.signed[place])
    forger.signed[place] = written(line | {"key": secrets.token_hex(32)})


def guard_gone(forger: Forger) -> None:
    del forger.guards[forger.luck.choice(sorted(forger.guards))]


def guard_changed(forger: Forger) -> None:
    name = forger.luck.choice(sorted(forger.guards))
    forger.guards[name] = f"{forger.guards[name].partition('BEGIN')[0]}BEGIN SELECT 1; END"


def guard_added(forger: Forger) -> None:
    forger.guards["more"] = "CREATE TRIGGER more AFTER INSERT ON entry BEGIN SELECT 1; END"


def _leaf(
    forger: Forger,
    document: Any,
    wanted: Callable[[str, Any], bool],
    other: Callable[[random.Random, Any], Any],
) -> None:
    """Change one value somewhere in a document, if there is one that is wanted."""
    places = [(inside, key) for inside, key in _leaves(document) if wanted(str(key), inside[key])]
    if places:
        inside, key = forger.luck.choice(places)
        inside[key] = other(forger.luck, inside[key])


def _leaves(document: Any) -> list[tuple[Any, Any]]:
    keys = list(document) if isinstance(document, dict) else range(len(document))
    found = []
    for key in keys:
        if isinstance(document[key], dict | list):
            found += _leaves(document[key])
        else:
            found.append((document, key))
    return found


def _is_money(value: Any) -> bool:
    return isinstance(value, str) and value[-3:-2] == "." and value[:-3].lstrip("-").isdigit()


def _other_money(luck: random.Random, value: str) -> str:
    return f"{int(value[:-3]) + luck.choice((1, 5, 100))}{value[-3:]}"


def _dollars(cents: int) -> str:
    return f'"{cents // 100}.{cents % 100:02d}"'


def _slip(forger: Forger, stream: str) -> Json:
    cents = forger.luck.randrange(1, 100) * 100
    fact = {"fact": "buy-in", "player": "eve", "amount": _dollars(cents)[1:-1]}
    moved = {"cents": cents, "credit": "wallet:eve", "debit": "cash", "unit": "usd"}
    return _entry([fact], [moved | {"why": "buy-in"}])


def _entry(facts: list[Json], transfers: list[Json] | None = None) -> Json:
    at = "2026-11-16T23:59:00.000000+00:00"
    rest = {"actor": "kim", "request": None, "body": None, "epoch": 0, "previous": "", "hash": ""}
    content = {"format": 1, "facts": facts, "transfers": transfers or []}
    return {"at": at, "content": content, **rest}


FORGERIES: tuple[Callable[[Forger], None], ...] = (
    *(fact_amount, fact_name, fact_card, fact_number, fact_text, fact_gone, fact_twice),
    *(facts_swapped, transfer_cents, transfer_account, transfer_why, transfer_gone),
    *(transfer_twice, transfer_turned, transfer_added, both_changed, entry_actor, entry_time),
    *(entry_request, entry_gone, entry_twice, entries_swapped, entry_added, entry_moved),
    *(suffix_gone, suffixes_gone, suffix_rewritten, stream_gone, stream_added),
    *(stream_renamed, stream_prunable, state_kept, note_changed, note_gone, signed_cut),
    *(signed_gone_from_within, signed_changed, signed_by_another),
    *(guard_gone, guard_changed, guard_added),
)
