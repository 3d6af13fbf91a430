"""What routes of the tables, the pit and the lab share beside the server itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends
from starlette.requests import HTTPConnection

from pitbook.table.pit import Pit
from pitbook.web.practice import Practice
from pitbook.web.server import Server, server_of
from pitbook.web.shelf import Shelf
from pitbook.web.sums import Sums

__all__ = ["Tools", "Using", "tools_of"]


@dataclass(frozen=True)
class Tools:
    """Sheets, sums, what the pit has shut, and the guests' tables."""

    server: Server
    shelf: Shelf
    sums: Sums
    pit: Pit
    practice: Practice


def tools_of(connection: HTTPConnection) -> Tools:
    """The tools of an app, made when they are first asked for."""
    state = connection.app.state
    if not hasattr(state, "tools"):
        server = server_of(connection)
        shelf = Shelf(tuple(server.library.folders))
        pit = Pit(server.house.ledger)
        state.tools = Tools(server, shelf, Sums(), pit, Practice(server))
    tools: Tools = state.tools
    return tools


Using = Annotated[Tools, Depends(tools_of)]
