"""What the pit has shut: games and players that take no new wager until somebody opens them."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any, Literal, get_args

from pitbook.game.refusals import Code, Refusal
from pitbook.identity.names import key
from pitbook.ledger.batch import Append, Receipt
from pitbook.ledger.book import Ledger
from pitbook.ledger.chain import canonical
from pitbook.table import commands
from pitbook.table.commands import Command
from pitbook.table.model import TableState, game_of

__all__ = ["STREAM", "Pit"]

STREAM = "pit"
FRESH_SECONDS = 1.0  # Several processes share one book; so late does one hear of another.
What = Literal["game", "player"]
WHATS: tuple[What, ...] = get_args(What)

# Whatever brings new money into play; a hand that is dealt is finished, and anybody may leave.
NEW_MONEY = (
    *(commands.Sit, commands.PutWager, commands.Rebet, commands.OpenRound),
    commands.Refill,
)


class Pit:
    """The register of what is shut, and why; every change is a fact with a name to it."""

    def __init__(self, ledger: Ledger, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._ledger, self._clock = ledger, clock
        self._seq, self._read_at = 0, float("-inf")
        self._shut: dict[tuple[What, str], tuple[str, str]] = {}  # Named so, and why.

    async def shut(
        self, what: What, name: str, *, why: str, actor: str, request: str | None = None
    ) -> Receipt:
        """No new wager for a game or a player."""
        fact = {"fact": f"{what}-disabled", what: name, "why": why}
        return await self._write(fact, self._was(what, name), actor, request)

    async def reopen(
        self, what: What, name: str, *, why: str, actor: str, request: str | None = None
    ) -> Receipt:
        """A game or a player may play again."""
        fact = {"fact": f"{what}-enabled", what: name, "why": why}
        return await self._write(fact, self._was(what, name), actor, request)

    def why_shut(self, what: What, name: str) -> str | None:
        """Why a game or a player is shut, if it is."""
        self._read_on()
        return self._shut.get((what, _of(what, name)), ("", None))[1]

    def all_shut(self, what: What) -> dict[str, str]:
        """Every game or player that is shut, and why."""
        self._read_on()
        return {name: why for (kind, _), (name, why) in self._shut.items() if kind == what}

    def forbidden(self, state: TableState, player: str, command: Command) -> Refusal | None:
        """Why the pit refuses a command, whatever the table would say."""
        if not isinstance(command, NEW_MONEY):
            return None
        game = game_of(state.coming).sheet.id
        named = command.player if isinstance(command, commands.Sit) else ""
        seat = getattr(command, "seat", None)
        for who in {player, named, state.seats.get(seat, "") if seat is not None else ""} - {""}:
            if (why := self.why_shut("player", who)) is not None:
                return Refusal(Code.FORBIDDEN, f"the pit has disabled {who}: {why}")
        if (why := self.why_shut("game", game)) is not None:
            return Refusal(Code.FORBIDDEN, f"the pit has disabled {game}: {why}")
        return None

    def _was(self, what: What, name: str) -> str | None:
        """Why it is shut before a change, as the book has it now."""
        self._read_at = float("-inf")
        return self.why_shut(what, name)

    async def _write(
        self, fact: dict[str, str], was: str | None, actor: str, request: str | None
    ) -> Receipt:
        asked = f"{actor}/{request}" if request is not None else None
        body = canonical([STREAM, fact]) if request is not None else None
        append = Append(STREAM, None, ({**fact, "was": was},), (), actor, asked, body)
        if self._ledger.stream(STREAM) is None:  # A request used before must leave none empty.
            await asyncio.wrap_future(self._ledger.submit(Append(STREAM, None, actor=actor)))
        receipt = await asyncio.wrap_future(self._ledger.submit(append))
        self._read_at = float("-inf")
        return receipt

    def _read_on(self) -> None:
        if self._clock() - self._read_at < FRESH_SECONDS:
            return
        self._read_at = self._clock()
        for entry in self._ledger.entries(STREAM, after=self._seq):
            for fact in entry.facts:
                self._take(fact)
            self._seq = entry.seq

    def _take(self, fact: dict[str, Any]) -> None:
        for what in WHATS:
            if fact["fact"] == f"{what}-disabled":
                self._shut[what, _of(what, fact[what])] = fact[what], fact["why"]
            elif fact["fact"] == f"{what}-enabled":
                self._shut.pop((what, _of(what, fact[what])), None)


def _of(what: What, name: str) -> str:
    """A player is one person, however the name is written."""
    return key(name) if what == "player" else name
