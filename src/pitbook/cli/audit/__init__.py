"""`pitbook audit`: verify the ledger, explain a payout, export the journal."""

from __future__ import annotations

from pitbook.cli.commands import ListedCommand, group
from pitbook.cli.output import examples

COMMANDS = {
    "verify": ListedCommand(
        "pitbook.cli.audit.verify", "Every hash, sum and signature worked out again."
    ),
    "anchor": ListedCommand(
        "pitbook.cli.audit.anchor", "Sign, and write it down outside the house."
    ),
    "explain": ListedCommand("pitbook.cli.audit.explain", "Why a seat was paid what it was paid."),
    "check-close": ListedCommand(
        "pitbook.cli.audit.check_close", "Whether a day's close is what was signed."
    ),
    "statement": ListedCommand(
        "pitbook.cli.audit.house_statement", "Where the house's money is, and whose it is."
    ),
    "export": ListedCommand("pitbook.cli.audit.export", "The journal of some days as CSV or JSON."),
}

app = group(
    "The book: checked, explained, exported.",
    epilog=examples("pitbook audit verify", "pitbook audit explain stud-1-000004 2"),
    commands=COMMANDS,
)
