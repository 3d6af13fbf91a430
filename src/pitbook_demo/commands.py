"""The demo's commands for `pitbook`, registered by an entry point in pyproject.toml."""

from __future__ import annotations

from pitbook.cli.commands import ListedCommand

COMMANDS = {
    "demo": ListedCommand(
        "pitbook_demo.command", "A data folder with tables, history and a night.", interactive=True
    ),
}
