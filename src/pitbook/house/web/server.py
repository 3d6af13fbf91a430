"""The state of a running server that every route can reach."""

from __future__ import annotations

import asyncio
import json
from collections import OrderedDict
from dataclasses import dataclass, field
from http import HTTPStatus

from starlette.requests import HTTPConnection

from pitbook.errors import LedgerError
from pitbook.house.ledger.fact_codec import Json
from pitbook.house.ledger.hash_chain import Entry
from pitbook.house.ledger.ledger import Stream
from pitbook.house.ledger.streams import refuse_reused_id, request_id
from pitbook.house.people.accounts import Accounts, PasswordResets, People
from pitbook.house.people.login_throttle import LoginThrottle
from pitbook.house.people.sessions import Sessions
from pitbook.house.settings import Settings
from pitbook.house.table import commands
from pitbook.house.table.actor import Accepted, Answer, LiveTable
from pitbook.house.table.live_tables import LiveTables
from pitbook.house.table.stream_names import PRACTICE, TABLE
from pitbook.house.web.errors import Elsewhere, Problem
from pitbook.house.web.journal_health import JournalHealth
from pitbook.house.web.metrics import Metrics
from pitbook.house.web.rate_limits import Limiter
from pitbook.sheets.library import Library
from pitbook.text import say, sentence_of
from pitbook.text.user_input import did_you_mean, printable

DROPPED_PRACTICE_MAX = 1_000
PRACTICE_PREFIX = "practice-"


@dataclass(frozen=True)
class Server:
    """The running server: tables, people, settings and limits."""

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
        """Changes that people make to their own account."""
        return Accounts(self.people)

    @property
    def resets(self) -> PasswordResets:
        """Password reset links."""
        return PasswordResets(self.people)

    def table(self, name: str) -> LiveTable:
        """A table of this process; raises Problem 404, 410 or Elsewhere."""
        if self.stopping.is_set():
            raise Problem(HTTPStatus.SERVICE_UNAVAILABLE, say("web.app.closing"), retry_after=1)
        if (table := self.house.get(name)) is not None:
            return table
        try:
            streams = [
                self.house.ledger.stream(stream_name) for stream_name in _table_streams(name)
            ]
            problems = [
                self._unavailable_problem(name, stream) for stream in streams if stream is not None
            ]
        except LedgerError as error:
            message = sentence_of(error)
            raise Problem(HTTPStatus.SERVICE_UNAVAILABLE, message, retry_after=1) from None
        for problem in problems:
            raise problem
        if name.startswith(PRACTICE_PREFIX):
            removed_message = say("web.tables.cleared", table=printable(name[:60]))
            raise Problem(HTTPStatus.NOT_FOUND, removed_message)
        table_names = [
            name for name, table in self.house.tables.items() if table.state.kind != "practice"
        ]
        remedy = did_you_mean(name, table_names) if table_names else say("web.tables.none-open")
        missing_message = say("web.tables.none", table=printable(name[:60]), remedy=remedy)
        raise Problem(HTTPStatus.NOT_FOUND, missing_message)

    def recorded_answer(
        self, table: str, sender: str, document: Json, request: str
    ) -> Answer | None:
        """The recorded answer of a request to a table that is not here, or no longer."""
        if self.house.get(table) is not None:
            return None  # The table answers by itself.
        request_key = request_id(sender, request)
        try:
            entry = self.dropped_practice.get(request_key) or self.house.ledger.entry_of_request(
                request_key
            )
        except LedgerError:
            return None  # Looking up the table reports the error.
        if entry is None or entry.body is None or entry.stream not in _table_streams(table):
            return None
        _, _, command = json.loads(entry.body)
        if command != commands.encode(commands.decode(document)):
            return refuse_reused_id(request_key)
        return Accepted(entry.seq, entry.hash)

    def keep_last_answer(self, stream: str) -> None:
        """Keep the last answer of a table that is dropped: the client may not have received it."""
        stream_record = self.house.ledger.stream(stream)
        last = self.house.ledger.entries(
            stream, after=stream_record.seq - 1 if stream_record else 0
        )
        self.dropped_practice.update(
            {entry.request: entry for entry in last if entry.request is not None}
        )
        while len(self.dropped_practice) > DROPPED_PRACTICE_MAX:
            self.dropped_practice.popitem(last=False)

    def _unavailable_problem(self, name: str, stream: Stream) -> Problem:
        if self.house.is_retired(stream):
            return Problem(HTTPStatus.GONE, say("web.tables.retired", table=name))
        return Elsewhere(name)


def _table_streams(table: str) -> tuple[str, str]:
    return f"{TABLE}{table}", f"{PRACTICE}{table}"


def get_server(connection: HTTPConnection) -> Server:
    """The server of a connection; also a FastAPI dependency."""
    server: Server = connection.app.state.server
    return server
