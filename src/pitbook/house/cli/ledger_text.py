"""Audit verdicts, stream heads and amounts in the ledger, as text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from pitbook.cli.language import localize
from pitbook.text import say
from pitbook.text.formats import money_text
from pitbook.text.user_input import printable

if TYPE_CHECKING:
    from pitbook.house.ledger.audit import LedgerVerdict


HASH_SHOWN = 16


def amount(unit: str, cents: int) -> str:
    """Money in its unit; play chips are not dollars.

    >>> amount("usd", 1250), amount("play", 100000)
    ('$12.50', '1,000 play')
    """
    if unit == "usd":
        return say("words.money", amount=cents)
    return f"{money_text(cents, currency='')} {unit}"


def verdict_lines(verdict: LedgerVerdict) -> list[str]:
    """Counts, totals and findings of an audit, as lines."""
    counts = {"streams": verdict.streams, "entries": verdict.entries}
    read = say("cli.book.read", **counts, checkpoints=verdict.checkpoints)
    totals = [
        say("cli.book.total", unit=unit, total=amount(unit, total))
        for unit, total in verdict.units.items()
    ]
    finding_lines = [
        say("cli.book.finding", finding=printable(localize(finding.message)))
        for finding in verdict.findings
    ]
    if not finding_lines:
        return [read, *totals, say("cli.book.sound")]
    return [read, *totals, *finding_lines, say("cli.book.not-sound", findings=len(finding_lines))]


def head_lines(heads: Mapping[str, Iterable[object]]) -> list[str]:
    """Every stream with its last entry and the hash of its chain."""
    width = max((len(printable(name)) for name in heads), default=0)
    return [
        f"  {printable(name):<{width}}  {seq:>7}  {str(head)[:HASH_SHOWN]}"
        for name, (seq, head) in heads.items()
    ]
