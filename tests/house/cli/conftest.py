"""Fixtures for the house's commands: Ctrl-C, prepared data folders and a server for bots."""

from __future__ import annotations

from tests.cli.conftest import ctrl_c, demo, furnish  # noqa: F401
from tests.house.cli.bot_house import floor, play  # noqa: F401  Bots share one server.
