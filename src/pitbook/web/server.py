"""All that a route can reach, in one place."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from http import HTTPStatus

from starlette.requests import HTTPConnection

from pitbook.ledger.book import Stream
from pitbook.sheets.findings import did_you_mean, printable
from pitbook.sheets.library import Library
from pitbook.table.actor import Table
from pitbook.table.house import PRACTICE, TABLE, House
from pitbook.web.answers import Elsewhere, Problem
from pitbook.web.limits import Limiter
from pitbook.web.metrics import Metrics
from pitbook.web.people import People
from pitbook.web.sessions import Sessions
from pitbook.web.settings import Settings

__all__ = ["Server", "server_of"]


@dataclass(frozen=True)
class Server:
    """A house, its people and its limits."""

    house: House
    people: People
    sessions: Sessions
    settings: Settings
    limiter: Limiter
    metrics: Metrics
    library: Library
    stopping: asyncio.Event = field(default_factory=asyncio.Event)

    def table(self, name: str) -> Table:
        """A table that this process holds; raises Problem 404, or Elsewhere for one it does not."""
        if name in self.house.tables:
            return self.house.tables[name]
        for kind in (TABLE, PRACTICE):
            if (stream := self.house.ledger.stream(f"{kind}{name}")) is not None:
                raise self._not_here(name, stream)
        known = [one for one, table in self.house.tables.items() if table.state.kind != "practice"]
        remedy = did_you_mean(name, known) if known else "none is open"
        raise Problem(HTTPStatus.NOT_FOUND, f'there is no table "{printable(name[:60])}"; {remedy}')

    def _not_here(self, name: str, stream: Stream) -> Problem:
        last = self.house.ledger.entries(stream.name, after=stream.seq - 1)
        if any(fact["fact"] == "retired" for entry in last for fact in entry.facts):
            return Problem(HTTPStatus.GONE, f'table "{name}" is retired; its record stays')
        return Elsewhere(name)


def server_of(connection: HTTPConnection) -> Server:
    """The server that a request came to; a FastAPI dependency too."""
    server: Server = connection.app.state.server
    return server
