"""Commands that the house adds to `pitbook`; an entry point in pyproject.toml names this table."""

from __future__ import annotations

from pitbook.cli.commands import ListedCommand

COMMANDS = {
    "serve": ListedCommand("pitbook.house.cli.serve", "Run the server.", interactive=True),
    "users": ListedCommand(
        "pitbook.house.cli.users", "Manage user accounts and roles.", interactive=True
    ),
    "bot": ListedCommand(
        "pitbook.house.cli.bot", "Play at a server's table automatically.", interactive=True
    ),
    "night": ListedCommand(
        "pitbook.house.cli.night", "Run charity nights: chips, tables, tournaments and statements."
    ),
    "audit": ListedCommand("pitbook.house.cli.audit", "Verify, explain and export the ledger."),
    "backup": ListedCommand("pitbook.house.cli.backup", "Back up the ledger to one file."),
    "restore": ListedCommand(
        "pitbook.house.cli.restore", "Restore a data folder from a backup and verify it."
    ),
    "rounds share": ListedCommand("pitbook.house.cli.share", "Create a public link to a round."),
    "papers result": ListedCommand(
        "pitbook.house.cli.table_results", "Report each table's win or loss over a period."
    ),
}
