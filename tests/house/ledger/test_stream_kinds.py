"""A stream that the audit cannot replay cannot be written."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from tests.house.ledger.counter_stream import FACTS, Added

from pitbook.errors import LedgerError
from pitbook.house.ledger import stream_kinds
from pitbook.house.ledger.ledger import Ledger
from pitbook.house.ledger.stream_kinds import audit_of, register
from pitbook.house.ledger.streams import PendingWrite, RequestKey, StreamReader, StreamWriter

SOURCE = Path(__file__).resolve().parents[3] / "src" / "pitbook"


def test_unregistered_stream_kind_is_refused(sqlite_ledger: Ledger) -> None:
    fold: StreamReader[int] = StreamReader(
        sqlite_ledger, "lottery/monday", 0, lambda state, _: state
    )
    with pytest.raises(
        LedgerError, match='Stream "lottery/monday" cannot be written because its kind has no audit'
    ):
        StreamWriter(fold, FACTS).write(lambda _: PendingWrite([Added(1)]), RequestKey("sue"))
    assert sqlite_ledger.streams() == []


@pytest.mark.parametrize("stream", ["cage/2", "tables", "table", "daily", "nights/gala", ""])
def test_kind_is_a_full_name_or_a_prefix(stream: str) -> None:
    assert audit_of(stream) is None
    with pytest.raises(LedgerError, match="cannot be written because its kind has no audit"):
        stream_kinds.check_registered(stream)


def test_module_unknown_to_the_audit_cannot_register_a_kind() -> None:
    with pytest.raises(
        AssertionError, match=r"list pitbook.lottery in pitbook.house.ledger.stream_kinds"
    ):
        register("lottery/", stream_kinds.moves_no_money, module="pitbook.lottery")


def test_a_kind_is_registered_once() -> None:
    with pytest.raises(AssertionError, match="'pit' is registered twice"):
        register("pit", stream_kinds.moves_no_money, module="pitbook.house.pit.disabled")


def test_listed_modules_register_all_kinds() -> None:
    registering = {
        ".".join(file.relative_to(SOURCE.parent).with_suffix("").parts)
        for file in SOURCE.rglob("*.py")
        if " = register(" in file.read_text(encoding="utf-8")
    }
    assert registering == set(stream_kinds.MODULES)


def test_registering_a_kind_imports_no_audit() -> None:
    code = "import sys, pitbook.house.table.stream_names; print(*sys.modules)"
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    loaded = set(result.stdout.split())
    assert not loaded & {
        "pitbook.house.table.audit",
        "sqlalchemy",
    }


def test_audit_knows_every_kind_in_a_process_that_wrote_none() -> None:
    imports = "from pitbook.house.ledger.stream_kinds import audit_of"
    code = f"{imports}; print(audit_of('daily/2026-11-18'))"
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert "NoMoney" in result.stdout
