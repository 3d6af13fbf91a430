"""Commands that the house adds to `pitbook`; an entry point in pyproject.toml names this table."""

from __future__ import annotations

from pitbook.cli.lazy_commands import ListedCommand

HOUSE, LEDGER = "Server and events", "Ledger"
COMMANDS = {
    "serve": ListedCommand("pitbook.house.cli.serve", "Run the server.", HOUSE, interactive=True),
    "users": ListedCommand(
        "pitbook.house.cli.users", "Manage user accounts and roles.", HOUSE, interactive=True
    ),
    "bot": ListedCommand(
        "pitbook.house.cli.bot", "Play at a server's table automatically.", HOUSE, interactive=True
    ),
    "night": ListedCommand(
        "pitbook.house.cli.night",
        "Run charity events: chips, tables, tournaments and statements.",
        HOUSE,
    ),
    "audit": ListedCommand(
        "pitbook.house.cli.audit", "Verify, explain and export the ledger.", LEDGER
    ),
    "backup": ListedCommand("pitbook.house.cli.backup", "Back up the ledger to one file.", LEDGER),
    "restore": ListedCommand(
        "pitbook.house.cli.restore", "Restore a data folder from a backup and verify it.", LEDGER
    ),
    "rounds share": ListedCommand(
        "pitbook.house.cli.rounds_share", "Create a public link to a round."
    ),
    "papers result": ListedCommand(
        "pitbook.house.cli.papers_result", "Report each table's win or loss over a period."
    ),
}
