"""Commands that the house adds to `pitbook`; an entry point in pyproject.toml names this table."""

from __future__ import annotations

from pitbook.cli.commands import ListedCommand

COMMANDS = {
    "serve": ListedCommand(
        "pitbook.house.cli.serve", "The house open to the network.", interactive=True
    ),
    "users": ListedCommand(
        "pitbook.house.cli.users", "Who may come in, and as what.", interactive=True
    ),
    "bot": ListedCommand(
        "pitbook.house.cli.bot", "A player of ours at a table of a server.", interactive=True
    ),
    "night": ListedCommand(
        "pitbook.house.cli.night", "Charity nights: chips, limits, tournaments, statement."
    ),
    "audit": ListedCommand("pitbook.cli.audit", "The book: checked, explained, exported."),
    "backup": ListedCommand("pitbook.house.cli.backup", "The whole book in one file."),
    "restore": ListedCommand("pitbook.house.cli.restore", "A data folder from a backup, verified."),
    "rounds share": ListedCommand(
        "pitbook.house.cli.share", "A link to a round of the house, for anybody."
    ),
    "papers result": ListedCommand(
        "pitbook.house.cli.table_results", "What every table took in an interval."
    ),
}
