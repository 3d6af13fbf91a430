"""The demo's commands for `pitbook`, registered by an entry point in pyproject.toml."""

from __future__ import annotations

from pitbook.cli.lazy_commands import ListedCommand

COMMANDS = {
    "demo": ListedCommand(
        "pitbook_demo.command",
        "Create a data folder with sample tables and history.",
        "Server and events",
        interactive=True,
    ),
}
