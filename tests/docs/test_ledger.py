"""What docs/ledger.md shows is what a house sees, but for the hours and the hashes."""

from __future__ import annotations

import re
from typing import get_args

from docs.examples import blocks
from docs.ledger import FILE

from pitbook.house.ledger.accounts import NORMAL, AccountKind
from pitbook.house.ledger.chain import Entry
from pitbook.house.ledger.folder import BOOK, CHECKPOINTS, KEYS

TEXT = FILE.read_text(encoding="utf-8")


def test_there_are_examples_of_every_command_of_the_house() -> None:
    called = {tuple(one.body.split()[2:4]) for one in blocks(TEXT) if one.kind == "console"}
    assert {("audit", "verify"), ("audit", "explain"), ("audit", "export")} <= called
    assert {first for first, _ in called} == {"audit", "backup", "restore", "demo"}


def test_every_kind_of_account_stands_on_its_side() -> None:
    rows = re.findall(r"^\| (`.+?`) \| (debit|credit) \|", TEXT, re.MULTILINE)
    sides = {
        name.partition(":")[0]: side
        for names, side in rows
        for name in re.findall(r"`([^`]+)`", names)
    }
    assert sides == {kind: NORMAL[kind] for kind in get_args(AccountKind)}


def test_the_fields_of_an_entry_and_the_files_are_named() -> None:
    table = TEXT.partition("| field of an entry |")[2].partition("\n\n")[0]
    named = re.findall(r"\w+", " ".join(re.findall(r"^\| ([^|]+) \|", table, re.MULTILINE)))
    fields = [one for one in Entry._fields if one != "content"]
    assert [one for one in named if one not in ("facts", "transfers")] == fields
    assert all(f"`{file}`" in TEXT for file in (BOOK, CHECKPOINTS, KEYS))
