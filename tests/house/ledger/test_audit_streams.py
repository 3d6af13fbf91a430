"""The audit replays streams of known kinds as far as possible."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from tests.house.ledger.kit import NOTED, tamper

from pitbook.house.ledger import audit
from pitbook.house.ledger.audit import verify
from pitbook.house.ledger.hash_chain import GENESIS, Entry
from pitbook.house.ledger.ledger import Ledger
from pitbook.house.ledger.stream_kinds import ReplayOf

OPEN = {"open": True}


class Rules:
    """An audit that reports a difference in one entry or fails on it."""

    def __init__(self, wrong: int = 0, why: str | Exception = "", *, state: Any = OPEN) -> None:
        self._wrong, self._why, self._state = wrong, why, state
        self.seen: list[int] = []

    def check_entry(self, entry: Entry) -> Iterator[str]:
        self.seen.append(entry.seq)
        if entry.seq == self._wrong:
            if isinstance(self._why, Exception):
                raise self._why
            yield self._why

    def is_snapshot_of(self, document: Any) -> bool:
        return bool(document == self._state)


@pytest.fixture
def pit(sqlite_ledger: Ledger) -> Ledger:
    """A ledger with one stream of four entries, the last with a snapshot."""
    epoch = sqlite_ledger.claim("pit")
    for _ in range(2):
        sqlite_ledger.append("pit", epoch, [NOTED])
    sqlite_ledger.append("pit", epoch, [NOTED], keep=OPEN)
    return sqlite_ledger


def find_problems(ledger: Ledger, following: ReplayOf | None) -> list[str]:
    return [str(finding) for finding in verify(ledger, replay_of=following).findings]


def test_every_entry_is_checked_in_order(pit: Ledger) -> None:
    rules = Rules()
    assert find_problems(pit, lambda name: rules if name == "pit" else None) == []
    assert rules.seen == [1, 2, 3, 4]


def test_audit_reports_a_difference_and_continues(pit: Ledger) -> None:
    rules = Rules(2, "it pays too much")
    assert find_problems(pit, lambda _: rules) == ["pit 2: it pays too much"]
    assert rules.seen == [1, 2, 3, 4]


@pytest.mark.parametrize(
    ("error", "why"), [(ValueError("no shoe"), "no shoe"), (KeyError(), "KeyError")]
)
def test_checks_stop_for_a_stream_after_an_exception(
    pit: Ledger, error: Exception, why: str
) -> None:
    rules = Rules(2, error)
    assert find_problems(pit, lambda _: rules) == [
        f"pit 2: this entry is not possible ({why}). The rest of the stream cannot be checked"
    ]
    assert rules.seen == [1, 2]


@pytest.mark.parametrize("seq", [1, 3, 4])
def test_audit_stops_replaying_after_an_unreadable_entry(pit: Ledger, seq: int) -> None:
    rules = Rules()
    tamper(pit, f"UPDATE entry SET content = '5' WHERE seq = {seq}")
    findings = find_problems(pit, lambda _: rules)
    assert findings[:2] == [
        f"pit {seq}: cannot be read: A ledger entry is damaged: it has the wrong fields.",
        f"pit {seq}: it was changed: its hash does not match",
    ]
    assert all(finding.startswith("pit ") for finding in findings)
    assert rules.seen == list(range(1, seq))


def test_unknown_stream_is_reported_once(pit: Ledger) -> None:
    assert find_problems(pit, lambda _: None) == [
        "pit: Pitbook does not write a stream with this name"
    ]
    assert find_problems(pit, None) == []


@pytest.mark.parametrize("rules", [Rules(), None])
def test_stream_without_entries_is_a_finding(sqlite_ledger: Ledger, rules: Rules | None) -> None:
    tamper(sqlite_ledger, f"INSERT INTO stream VALUES (1, 'pit', 0, 0, '{GENESIS}', false)")
    assert find_problems(sqlite_ledger, lambda _: rules) == ["pit: the stream has no entries"]
    assert find_problems(sqlite_ledger, None) == []


def test_snapshot_is_compared_with_its_facts(pit: Ledger) -> None:
    assert find_problems(pit, lambda _: Rules(state={"open": False})) == [
        "pit 4: its snapshot does not match its events"
    ]


def test_verify_reports_progress(pit: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    pit.claim("rail")
    monkeypatch.setattr(audit, "REPORT_EVERY", 2)
    heard: list[int] = []
    assert verify(pit, report=heard.append).entries == 5
    assert heard == [2, 4]
