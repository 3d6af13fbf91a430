"""Ways to forge a book, from another amount in a fact to a guard that lets everything pass."""

from __future__ import annotations

import json
import random
import secrets
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from tests.forging.forger import CLAIMED, KEPT, NOTES, Forger, Json, digest, written

NAMES = ("ann", "bob", "eve", "gus")
CARDS = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]


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


def stream_empty(forger: Forger) -> None:
    name = forger.luck.choice(("cage2", "night/late", "people", "table/eve"))
    forger.streams.setdefault(name, {"prunable": 0})
    forger.entries.setdefault(name, [])


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


def guard_named_as_a_table(forger: Forger) -> None:
    name = forger.luck.choice(("entry", "account", "posting_account"))
    forger.guards[name] = (
        f"CREATE TRIGGER {name} BEFORE INSERT ON entry WHEN NEW.content LIKE '%wallet:eve%' "
        "BEGIN SELECT RAISE(ABORT, 'disk I/O error'); END"
    )


def limit_reworded(forger: Forger) -> None:
    """A limit that replaces, cascades or fills in where it was to refuse."""
    table, old, more = forger.luck.choice(REWORDED)
    with _file(forger) as raw:
        asked = (
            "UPDATE sqlite_master SET sql = replace(sql, ?, ?) WHERE name = ? AND sql NOT LIKE ?"
        )
        raw.execute(asked, (old, old + more, table, f"%{old}{more}%"))


def table_hidden(forger: Forger) -> None:
    """A table of the forger's, which SQLite takes for its own."""
    name = f"sqlite_{forger.luck.randrange(10**9)}"
    with _file(forger) as raw:
        raw.execute("CREATE TABLE more (x)")
        asked = "UPDATE sqlite_master SET name = ?, tbl_name = ?, sql = ? WHERE name = 'more'"
        raw.execute(asked, (name, name, f"CREATE TABLE {name} (x)"))


def index_emptied(forger: Forger) -> None:
    """An index that leads nowhere, so that a request is taken for a new one."""
    name = forger.luck.choice(("sqlite_autoindex_entry_2", "posting_account"))
    with _file(forger) as raw:
        raw.execute("CREATE TABLE more (x TEXT UNIQUE)")
        asked = "SELECT rootpage FROM sqlite_master WHERE name = 'sqlite_autoindex_more_1'"
        (root,) = raw.execute(asked).fetchone()
        raw.execute("UPDATE sqlite_master SET rootpage = ? WHERE name = ?", (root, name))
        raw.execute("DELETE FROM sqlite_master WHERE tbl_name = 'more'")


def index_of_some(forger: Forger) -> None:
    with _file(forger) as raw:
        raw.execute("DROP INDEX posting_account")
        raw.execute("CREATE INDEX posting_account ON posting (account) WHERE amount < 0")


def account_of_no_kind(forger: Forger) -> None:
    with _file(forger) as raw:
        row = forger.luck.choice((("gold", "wallet"), ("usd", "gibberish")))
        asked = "INSERT OR IGNORE INTO account (unit, kind, name, balance) VALUES (?, ?, 'eve', 0)"
        raw.execute(asked, row)


REWORDED = (  # In which table, after what, and what more.
    ("entry", "PRIMARY KEY (stream, seq)", " ON CONFLICT REPLACE"),
    ("entry", "UNIQUE (request)", " ON CONFLICT REPLACE"),
    ("entry", "REFERENCES stream (id)", " ON DELETE CASCADE"),
    ("stream", "name TEXT", " COLLATE NOCASE"),
    ("account", "balance BIGINT", " DEFAULT 100000"),
    ("account", "UNIQUE (unit, kind, name)", " ON CONFLICT REPLACE"),
    ("account", "kind = 'house'", " OR name = 'eve'"),
)


@contextmanager
def _file(forger: Forger) -> Iterator[sqlite3.Connection]:
    """What a file says of its own tables is changed in the file itself."""
    raw = sqlite3.connect(forger.folder / "pitbook.db", isolation_level=None)
    raw.execute("PRAGMA writable_schema = ON")
    yield raw
    raw.close()


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
    *(suffix_gone, suffixes_gone, suffix_rewritten, stream_gone, stream_added, stream_empty),
    *(stream_renamed, stream_prunable, state_kept, note_changed, note_gone, signed_cut),
    *(signed_gone_from_within, signed_changed, signed_by_another),
    *(guard_gone, guard_changed, guard_added, guard_named_as_a_table, limit_reworded),
    *(table_hidden, index_emptied, index_of_some, account_of_no_kind),
)
