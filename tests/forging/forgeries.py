"""Kinds of forgeries, from a changed amount in a fact to a guard that lets everything pass."""

from __future__ import annotations

import json
import random
import secrets
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from tests.forging.forger import CLAIMED, NOTES, SNAPSHOT, Forger, Json, canonical_json, digest

NAMES = ("ann", "bob", "eve", "gus")
CARDS = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]


def fact_amount(forger: Forger) -> None:
    """Change an amount in a fact without its transfers."""
    fact, _ = forger.random_part("facts")
    _change_leaf(forger, fact, lambda key, value: _is_money(value), _other_money)


def fact_name(forger: Forger) -> None:
    fact, _ = forger.random_part("facts")
    _change_leaf(forger, fact, lambda key, value: value in NAMES, lambda rng, _: rng.choice(NAMES))


def fact_card(forger: Forger) -> None:
    fact, _ = forger.random_part("facts")
    _change_leaf(forger, fact, lambda key, value: value in CARDS, lambda rng, _: rng.choice(CARDS))


def fact_number(forger: Forger) -> None:
    fact, _ = forger.random_part("facts")
    _change_leaf(forger, fact, lambda _, value: type(value) is int, lambda rng, value: value + 1)


def fact_text(forger: Forger) -> None:
    fact, _ = forger.random_part("facts")
    _change_leaf(
        forger, fact, lambda _, value: isinstance(value, str), lambda rng, text: text + "x"
    )


def fact_gone(forger: Forger) -> None:
    fact, facts = forger.random_part("facts")
    facts.remove(fact)


def fact_twice(forger: Forger) -> None:
    fact, facts = forger.random_part("facts")
    facts.insert(facts.index(fact), json.loads(canonical_json(fact)))


def facts_swapped(forger: Forger) -> None:
    _, facts = forger.random_part("facts")
    forger.rng.shuffle(facts)


def transfer_cents(forger: Forger) -> None:
    transfer, _ = forger.random_part("transfers")
    transfer["cents"] = max(1, transfer["cents"] + forger.rng.choice((-100, -1, 1, 500)))


def transfer_account(forger: Forger) -> None:
    transfer, _ = forger.random_part("transfers")
    side = forger.rng.choice(("debit", "credit"))
    transfer[side] = f"{transfer[side].partition(':')[0]}:{forger.rng.choice(NAMES)}"


def transfer_why(forger: Forger) -> None:
    transfer, _ = forger.random_part("transfers")
    transfer["why"] += " again"


def transfer_gone(forger: Forger) -> None:
    transfer, transfers = forger.random_part("transfers")
    transfers.remove(transfer)


def transfer_twice(forger: Forger) -> None:
    transfer, transfers = forger.random_part("transfers")
    transfers.append(dict(transfer))


def transfer_turned(forger: Forger) -> None:
    transfer, _ = forger.random_part("transfers")
    transfer["debit"], transfer["credit"] = transfer["credit"], transfer["debit"]


def transfer_added(forger: Forger) -> None:
    entry = forger.random_entry()
    transfer = {
        "cents": 5_000,
        "credit": "wallet:eve",
        "debit": "house",
        "unit": "usd",
        "why": "tip",
    }
    entry["content"]["transfers"].append(transfer)


def both_changed(forger: Forger) -> None:
    """Double an amount consistently in facts and transfers."""
    entry = forger.random_entry()
    for transfer in entry["content"]["transfers"]:
        old, new = transfer["cents"], transfer["cents"] * 2
        transfer["cents"] = new
        text = canonical_json(entry["content"]["facts"]).replace(_dollars(old), _dollars(new))
        entry["content"]["facts"] = json.loads(text)


def entry_actor(forger: Forger) -> None:
    forger.random_entry()["actor"] = "eve"


def entry_time(forger: Forger) -> None:
    entry = forger.random_entry()
    entry["at"] = f"{int(entry['at'][:4]) + 1}{entry['at'][4:]}"


def entry_request(forger: Forger) -> None:
    forger.random_entry()["request"] = f"eve/{forger.rng.random()}"


def entry_gone(forger: Forger) -> None:
    entries = forger.entries[forger.random_stream()]
    entries.remove(forger.rng.choice(entries))


def entry_twice(forger: Forger) -> None:
    entries = forger.entries[forger.random_stream()]
    copy = json.loads(json.dumps(forger.rng.choice(entries))) | {"request": None}
    entries.insert(forger.rng.randrange(len(entries) + 1), copy)


def entries_swapped(forger: Forger) -> None:
    entries = forger.entries[forger.random_stream()]
    forger.rng.shuffle(entries)


def entry_added(forger: Forger) -> None:
    """A fictitious slip, as consistent as any other."""
    forger.entries["cage"].append(_slip(forger, "cage"))


def entry_moved(forger: Forger) -> None:
    source, target = forger.random_stream(), forger.random_stream()
    forger.entries[target].append(forger.entries[source].pop())


def suffix_gone(forger: Forger) -> None:
    name = forger.random_stream()
    entries = forger.entries[name]
    del entries[forger.rng.randrange(len(entries)) :]
    if name in forger.snapshots and forger.snapshots[name][0] > len(entries):
        del forger.snapshots[name]


def suffixes_gone(forger: Forger) -> None:
    """The whole ledger as at an earlier time, reconstructed by hand."""
    times = sorted(entry["at"] for entries in forger.entries.values() for entry in entries)
    cutoff = forger.rng.choice(times)
    for name, entries in forger.entries.items():
        forger.entries[name] = [entry for entry in entries if entry["at"] < cutoff]
        if name in forger.snapshots and forger.snapshots[name][0] > len(forger.entries[name]):
            del forger.snapshots[name]


def suffix_rewritten(forger: Forger) -> None:
    """Replace the last entries of the cage by consistent ones."""
    entries = forger.entries["cage"]
    first = forger.rng.randrange(1, len(entries))
    count = len(entries) - first
    entries[first:] = [_slip(forger, "cage") for _ in range(count)]


def stream_gone(forger: Forger) -> None:
    name = forger.random_stream()
    forger.streams.pop(name)
    forger.entries.pop(name)
    forger.snapshots.pop(name, None)


def stream_added(forger: Forger) -> None:
    name = forger.rng.choice(("cage2", "night/late", "people", "table/eve"))
    forger.streams.setdefault(name, {"prunable": 0})
    claim = {"fact": CLAIMED, "epoch": 1, "prunable": False}
    forger.entries.setdefault(name, []).append(_entry([claim]))


def stream_empty(forger: Forger) -> None:
    name = forger.rng.choice(("cage2", "night/late", "people", "table/eve"))
    forger.streams.setdefault(name, {"prunable": 0})
    forger.entries.setdefault(name, [])


def stream_renamed(forger: Forger) -> None:
    name = forger.random_stream()
    other = f"{name}x"
    forger.streams[other] = forger.streams.pop(name)
    forger.entries[other] = forger.entries.pop(name)
    if name in forger.snapshots:
        forger.snapshots[other] = forger.snapshots.pop(name)


def stream_prunable(forger: Forger) -> None:
    stream = forger.streams[forger.random_stream()]
    stream["prunable"] = 1 - stream["prunable"]


def state_kept(forger: Forger) -> None:
    """Change a table's snapshot and its hash in the chain."""
    if not forger.snapshots:
        return
    name = forger.rng.choice(sorted(forger.snapshots))
    seq, state = forger.snapshots[name]
    document = json.loads(state)
    _change_leaf(forger, document, lambda _, value: _is_money(value), _other_money)
    forger.snapshots[name] = (seq, canonical_json(document))
    for fact in forger.entries[name][seq - 1]["content"]["facts"]:
        if fact["fact"] == SNAPSHOT:
            fact["state"] = digest(canonical_json(document))


def note_changed(forger: Forger) -> None:
    entry = forger.rng.choice(forger.entries[NOTES])
    entry[forger.rng.choice(("at", "actor"))] = "2026-01-01T00:00:00.000000+00:00"


def note_gone(forger: Forger) -> None:
    forger.entries[NOTES].pop(forger.rng.randrange(len(forger.entries[NOTES])))


def signed_cut(forger: Forger) -> None:
    del forger.checkpoints[forger.rng.randrange(len(forger.checkpoints)) :]


def signed_gone_from_within(forger: Forger) -> None:
    forger.checkpoints.pop(forger.rng.randrange(len(forger.checkpoints) - 1))


def signed_changed(forger: Forger) -> None:
    place = forger.rng.randrange(len(forger.checkpoints))
    line = json.loads(forger.checkpoints[place])
    name = forger.rng.choice(sorted(line["heads"]))
    line["heads"][name][0] += 1
    forger.checkpoints[place] = canonical_json(line)


def signed_by_another(forger: Forger) -> None:
    place = forger.rng.randrange(len(forger.checkpoints))
    line = json.loads(forger.checkpoints[place])
    forger.checkpoints[place] = canonical_json(line | {"key": secrets.token_hex(32)})


def guard_gone(forger: Forger) -> None:
    del forger.guards[forger.rng.choice(sorted(forger.guards))]


def guard_changed(forger: Forger) -> None:
    name = forger.rng.choice(sorted(forger.guards))
    forger.guards[name] = f"{forger.guards[name].partition('BEGIN')[0]}BEGIN SELECT 1; END"


def guard_added(forger: Forger) -> None:
    forger.guards["more"] = "CREATE TRIGGER more AFTER INSERT ON entry BEGIN SELECT 1; END"


def guard_named_as_a_table(forger: Forger) -> None:
    name = forger.rng.choice(("entry", "account", "posting_account"))
    forger.guards[name] = (
        f"CREATE TRIGGER {name} BEFORE INSERT ON entry WHEN NEW.content LIKE '%wallet:eve%' "
        "BEGIN SELECT RAISE(ABORT, 'disk I/O error'); END"
    )


def limit_reworded(forger: Forger) -> None:
    """A constraint that replaces, cascades or fills in instead of refusing."""
    table, old, extension = forger.rng.choice(CONSTRAINTS)
    with _open_schema(forger) as raw:
        query = (
            "UPDATE sqlite_master SET sql = replace(sql, ?, ?) WHERE name = ? AND sql NOT LIKE ?"
        )
        raw.execute(query, (old, old + extension, table, f"%{old}{extension}%"))


def table_hidden(forger: Forger) -> None:
    """A forged table that SQLite takes for an internal one."""
    name = f"sqlite_{forger.rng.randrange(10**9)}"
    with _open_schema(forger) as raw:
        raw.execute("CREATE TABLE more (x)")
        query = "UPDATE sqlite_master SET name = ?, tbl_name = ?, sql = ? WHERE name = 'more'"
        raw.execute(query, (name, name, f"CREATE TABLE {name} (x)"))


def index_emptied(forger: Forger) -> None:
    """An index that leads nowhere, so that a repeated request is taken for a new one."""
    name = forger.rng.choice(("sqlite_autoindex_entry_2", "posting_account"))
    with _open_schema(forger) as raw:
        raw.execute("CREATE TABLE more (x TEXT UNIQUE)")
        query = "SELECT rootpage FROM sqlite_master WHERE name = 'sqlite_autoindex_more_1'"
        (root,) = raw.execute(query).fetchone()
        raw.execute("UPDATE sqlite_master SET rootpage = ? WHERE name = ?", (root, name))
        raw.execute("DELETE FROM sqlite_master WHERE tbl_name = 'more'")


def index_of_some(forger: Forger) -> None:
    with _open_schema(forger) as raw:
        raw.execute("DROP INDEX posting_account")
        raw.execute("CREATE INDEX posting_account ON posting (account) WHERE amount < 0")


def account_of_no_kind(forger: Forger) -> None:
    with _open_schema(forger) as raw:
        row = forger.rng.choice((("gold", "wallet"), ("usd", "gibberish")))
        query = "INSERT OR IGNORE INTO account (unit, kind, name, balance) VALUES (?, ?, 'eve', 0)"
        raw.execute(query, row)


CONSTRAINTS = (  # Table, text to extend, and the extension.
    ("entry", "PRIMARY KEY (stream, seq)", " ON CONFLICT REPLACE"),
    ("entry", "UNIQUE (request)", " ON CONFLICT REPLACE"),
    ("entry", "REFERENCES stream (id)", " ON DELETE CASCADE"),
    ("stream", "name TEXT", " COLLATE NOCASE"),
    ("account", "balance BIGINT", " DEFAULT 100000"),
    ("account", "UNIQUE (unit, kind, name)", " ON CONFLICT REPLACE"),
    ("account", "kind = 'house'", " OR name = 'eve'"),
)


@contextmanager
def _open_schema(forger: Forger) -> Iterator[sqlite3.Connection]:
    """The database file, opened so that its schema can be edited directly."""
    raw = sqlite3.connect(forger.folder / "pitbook.db", isolation_level=None)
    raw.execute("PRAGMA writable_schema = ON")
    yield raw
    raw.close()


def _change_leaf(
    forger: Forger,
    document: Any,
    condition: Callable[[str, Any], bool],
    change: Callable[[random.Random, Any], Any],
) -> None:
    """Change one random value in a document that satisfies the condition."""
    places = [
        (parent, key) for parent, key in _leaves(document) if condition(str(key), parent[key])
    ]
    if places:
        parent, key = forger.rng.choice(places)
        parent[key] = change(forger.rng, parent[key])


def _leaves(document: Any) -> list[tuple[Any, Any]]:
    keys = list(document) if isinstance(document, dict) else range(len(document))
    leaves = []
    for key in keys:
        if isinstance(document[key], dict | list):
            leaves += _leaves(document[key])
        else:
            leaves.append((document, key))
    return leaves


def _is_money(value: Any) -> bool:
    return isinstance(value, str) and value[-3:-2] == "." and value[:-3].lstrip("-").isdigit()


def _other_money(rng: random.Random, value: str) -> str:
    return f"{int(value[:-3]) + rng.choice((1, 5, 100))}{value[-3:]}"


def _dollars(cents: int) -> str:
    return f'"{cents // 100}.{cents % 100:02d}"'


def _slip(forger: Forger, stream: str) -> Json:
    cents = forger.rng.randrange(1, 100) * 100
    fact = {"fact": "buy-in", "player": "eve", "amount": _dollars(cents)[1:-1]}
    transfer = {"cents": cents, "credit": "wallet:eve", "debit": "cash", "unit": "usd"}
    return _entry([fact], [transfer | {"why": "buy-in"}])


def _entry(facts: list[Json], transfers: list[Json] | None = None) -> Json:
    at = "2026-11-16T23:59:00.000000+00:00"
    defaults = {
        "actor": "kim",
        "request": None,
        "body": None,
        "epoch": 0,
        "previous": "",
        "hash": "",
    }
    content = {"format": 1, "facts": facts, "transfers": transfers or []}
    return {"at": at, "content": content, **defaults}


FORGERIES: tuple[Callable[[Forger], None], ...] = (
    *(fact_amount, fact_name, fact_card, fact_number, fact_text, fact_gone, fact_twice),
    *(facts_swapped, transfer_cents, transfer_account, transfer_why, transfer_gone),
    *(transfer_twice, transfer_turned, transfer_added, both_changed, entry_actor, entry_time),
    *(entry_request, entry_gone, entry_twice, entries_swapped, entry_added, entry_moved),
    *(suffix_gone, suffixes_gone, suffix_rewritten, stream_gone, stream_added, stream_empty),
    *(stream_renamed, stream_prunable, state_kept, note_changed, note_gone, signed_cut),
    *(signed_gone_from_within, signed_changed, signed_by_another),
    *(guard_gone, guard_changed, guard_added, guard_named_as_a_table, limit_reworded),
    *(table_hidden, index_emptied, index_of_some, account_of_no_kind),
)
