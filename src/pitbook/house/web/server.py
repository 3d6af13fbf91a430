"""The state of a running server that every route can reach."""

from __future__ import annotations

import asyncio
import json
from collections import OrderedDict
from dataclasses import dataclass, field
from http import HTTPStatus

from starlette.requests import HTTPConnection

from pitbook.errors import LedgerError
from pitbook.house.ledger.chain import Entry
from pitbook.house.ledger.codec import Json
from pitbook.house.ledger.journal import Stream
from pitbook.house.ledger.stream_writer import refuse_reused_id, request_id
from pitbook.house.people.accounts import Accounts, PasswordResets, People
from pitbook.house.people.login_throttle import LoginThrottle
from pitbook.house.people.sessions import Sessions
from pitbook.house.table import commands
from pitbook.house.table.actor import Accepted, Answer, LiveTable
from pitbook.house.table.streams import PRACTICE, TABLE
from pitbook.house.table.tables import LiveTables
from pitbook.house.web.errors import Elsewhere, Problem
from pitbook.house.web.journal_health import JournalHealth
from pitbook.house.web.metrics import Metrics
from pitbook.house.web.rate_limits import Limiter
from pitbook.house.web.settings import Settings
from pitbook.sheets.findings import did_you_mean, printable
from pitbook.sheets.library import Library
from pitbook.text import say, sentence_of

DROPPED_PRACTICE_MAX = 1_000
PRACTICE_PREFIX = "practice-"


@dataclass(frozen=True)
class Server:
    """A house, its people and its limits."""

    house: LiveTables
    people: People
    sessions: Sessions
    settings: Settings
    limiter: Limiter
    login_throttle: LoginThrottle
    metrics: Metrics
    library: Library
    journal_health: JournalHealth
    stopping: asyncio.Event = field(default_factory=asyncio.Event)
    dropped_practice: OrderedDict[str, Entry] = field(default_factory=OrderedDict)

    @property
    def accounts(self) -> Accounts:
        """What people do about their own account."""
        return Accounts(self.people)

    @property
    def resets(self) -> PasswordResets:
        """Links for who has forgotten a password."""
        return PasswordResets(self.people)

    def table(self, name: str) -> LiveTable:
        """A table that this process holds; raises Problem 404, or Elsewhere for one it does not."""
        if self.stopping.is_set():
            raise Problem(HTTPStatus.SERVICE_UNAVAILABLE, say("web.app.closing"), retry_after=1)
        if (table := self.house.held(name)) is not None:
            return table
        try:
            found = [self.house.ledger.stream(one) for one in _table_streams(name)]
            elsewhere = [self._not_here(name, one) for one in found if one is not None]
        except LedgerError as failed:
            why = sentence_of(failed)
            raise Problem(HTTPStatus.SERVICE_UNAVAILABLE, why, retry_after=1) from None
        for one in elsewhere:
            raise one
        if name.startswith(PRACTICE_PREFIX):
            cleared = say("web.tables.cleared", table=printable(name[:60]))
            raise Problem(HTTPStatus.NOT_FOUND, cleared)
        known = [one for one, table in self.house.tables.items() if table.state.kind != "practice"]
        remedy = did_you_mean(name, known) if known else say("web.tables.none-open")
        told = say("web.tables.none", table=printable(name[:60]), remedy=remedy)
        raise Problem(HTTPStatus.NOT_FOUND, told)

    def recorded_answer(self, table: str, who: str, document: Json, request: str) -> Answer | None:
        """The answer that somebody had from a table that is not here, or no more."""
        if self.house.held(table) is not None:
            return None  # It knows by itself.
        asked = request_id(who, request)
        try:
            entry = self.dropped_practice.get(asked) or self.house.ledger.entry_of_request(asked)
        except LedgerError:
            return None  # Whoever looks for the table hears of it.
        if entry is None or entry.body is None or entry.stream not in _table_streams(table):
            return None
        _, _, before = json.loads(entry.body)
        if before != commands.encode(commands.decode(document)):
            return refuse_reused_id(asked)
        return Accepted(entry.seq, entry.hash)

    def keep_last_answer(self, stream: str) -> None:
        """Keep the last answer of a table whose record goes: somebody may not have heard it."""
        found = self.house.ledger.stream(stream)
        last = self.house.ledger.entries(stream, after=found.seq - 1 if found else 0)
        self.dropped_practice.update({one.request: one for one in last if one.request is not None})
        while len(self.dropped_practice) > DROPPED_PRACTICE_MAX:
            self.dropped_practice.popitem(last=False)

    def _not_here(self, name: str, stream: Stream) -> Problem:
        if self.house.is_retired(stream):
            return Problem(HTTPStatus.GONE, say("web.tables.retired", table=name))
        return Elsewhere(name)


def _table_streams(table: str) -> tuple[str, str]:
    return f"{TABLE}{table}", f"{PRACTICE}{table}"


def get_server(connection: HTTPConnection) -> Server:
    """The server that a request came to; a FastAPI dependency too."""
    server: Server = connection.app.state.server
    return server
