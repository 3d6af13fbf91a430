"""The examples of docs/ledger.md are current, except for times and hashes."""

from __future__ import annotations

import re
from typing import get_args

from docs.examples import blocks
from docs.ledger import FILE

from pitbook.house.ledger.accounts import NORMAL, AccountKind
from pitbook.house.ledger.data_folder import CHECKPOINTS_FILE, KEYS_FILE, LEDGER_FILE
from pitbook.house.ledger.hash_chain import Entry

TEXT = FILE.read_text(encoding="utf-8")


def test_examples_cover_the_ledger_commands() -> None:
    commands = {tuple(block.body.split()[2:4]) for block in blocks(TEXT) if block.kind == "console"}
    assert {("audit", "verify"), ("audit", "explain"), ("audit", "export")} <= commands
    assert {first for first, _ in commands} == {"audit", "backup", "restore", "demo"}


def test_account_kinds_are_on_their_normal_side() -> None:
    rows = re.findall(r"^\| (`.+?`) \| (debit|credit) \|", TEXT, re.MULTILINE)
    sides = {
        name.partition(":")[0]: side
        for names, side in rows
        for name in re.findall(r"`([^`]+)`", names)
    }
    assert sides == {kind: NORMAL[kind] for kind in get_args(AccountKind)}


def test_entry_fields_and_files_are_named() -> None:
    table = TEXT.partition("| field of an entry |")[2].partition("\n\n")[0]
    field_names = re.findall(r"\w+", " ".join(re.findall(r"^\| ([^|]+) \|", table, re.MULTILINE)))
    fields = [field for field in Entry._fields if field != "content"]
    assert [field for field in field_names if field not in ("facts", "transfers")] == fields
    assert all(f"`{file}`" in TEXT for file in (LEDGER_FILE, CHECKPOINTS_FILE, KEYS_FILE))
