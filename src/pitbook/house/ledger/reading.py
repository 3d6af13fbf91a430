"""What accounts hold: every wager waits for it, so what this process wrote is remembered."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from sqlalchemy import Engine

from pitbook.errors import NotNow
from pitbook.house.ledger.accounts import Account
from pitbook.house.ledger.database import cause, failures
from pitbook.house.ledger.statements import balance_asked
from pitbook.money import Cents
from pitbook.text import say

KNOWN_MAX = 20_000


class Balances:
    """Asked of the book on a line of their own, which is opened anew when it broke; or known."""

    def __init__(self, engine: Engine) -> None:
        self._known: dict[Account, int] = {}
        self._engine, self._failures = engine, failures(engine)
        self._question = balance_asked(engine.dialect.name)
        self._lock = threading.Lock()
        self._line: Any = None

    def of(self, account: Account) -> Cents:
        """The balance of an account; raises NotNow when the book cannot be read."""
        with self._lock:
            try:
                try:
                    return self._asked(account)
                except self._failures:
                    self._hang_up()
                    return self._asked(account)
            except self._failures as error:
                self._hang_up()
                raise NotNow(say("ledger.book.unreadable", why=cause(error))) from error

    def learn(self, holds: Mapping[Account, int]) -> None:
        """In the writer's thread: what accounts hold after a commit."""
        if len(self._known) > KNOWN_MAX:
            self._known.clear()
        self._known.update(holds)

    def at_least(self, account: Account, amount: int) -> bool:
        """Whether an account holds so much; a no is never from memory."""
        known = self._known.get(account)
        return (known is not None and known >= amount) or self.of(account) >= amount

    def close(self) -> None:
        """Let go of the database."""
        with self._lock:
            self._hang_up()

    def _asked(self, account: Account) -> Cents:
        if self._line is None:
            self._line = self._opened()
        row = self._line.execute(self._question, account).fetchone()
        return Cents(row[0] if row else 0)

    def _opened(self) -> Any:
        pooled = self._engine.raw_connection()
        line = pooled.driver_connection
        pooled.detach()  # Not one of the pool's: it is neither reset nor handed to others.
        if self._engine.dialect.name == "postgresql":
            line.autocommit = True  # type: ignore[union-attr]
        return line

    def _hang_up(self) -> None:
        line, self._line = self._line, None
        if line is not None:
            with suppress(*self._failures):
                line.close()
