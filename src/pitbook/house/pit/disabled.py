"""Games and players that the pit has disabled."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from typing import Literal, NamedTuple, TypeAlias

from pitbook.house.ledger.batch import Receipt
from pitbook.house.ledger.chain import Entry
from pitbook.house.ledger.codec import Codec
from pitbook.house.ledger.journal import Ledger
from pitbook.house.ledger.stream_kinds import moves_no_money, register
from pitbook.house.ledger.stream_reader import StreamReader
from pitbook.house.ledger.stream_writer import (
    PendingWrite,
    StreamWriter,
    async_adapter,
    request_key,
)
from pitbook.house.people.names import name_key
from pitbook.house.table import commands
from pitbook.house.table.commands import Command
from pitbook.house.table.state import TableState, game_of
from pitbook.rules.refusals import Code, Refusal, refuse

STREAM = register("pit", moves_no_money, module=__name__)
FRESH_SECONDS = 1.0  # Several processes share one book; so late does one hear of another.
ShutKind = Literal["game", "player"]
FACTS: Codec[PitChange] = Codec("the pit")


@FACTS.fact("game-disabled")
class GameDisabled(NamedTuple):
    """No new wager at a game; `was` says why it was shut before, if it was."""

    game: str
    why: str
    was: str | None = None


@FACTS.fact("game-enabled")
class GameEnabled(NamedTuple):
    """A game may be played again."""

    game: str
    why: str
    was: str | None = None


@FACTS.fact("player-disabled")
class PlayerDisabled(NamedTuple):
    """No new wager of a player; `was` says why that one was shut out before, if so."""

    player: str
    why: str
    was: str | None = None


@FACTS.fact("player-enabled")
class PlayerEnabled(NamedTuple):
    """A player may play again."""

    player: str
    why: str
    was: str | None = None


PitChange: TypeAlias = GameDisabled | GameEnabled | PlayerDisabled | PlayerEnabled

ShutNow: TypeAlias = Mapping[tuple[ShutKind, str], tuple[str, str]]  # Named so, and why.

# Whatever brings new money into play; a hand that is dealt is finished, and anybody may leave.
NEW_MONEY = (
    *(commands.Sit, commands.PutWager, commands.Rebet, commands.OpenRound),
    commands.Refill,
)


class Pit:
    """The register of what is shut, and why; every change is a fact with a name to it."""

    def __init__(self, ledger: Ledger, *, clock: Callable[[], float] = time.monotonic) -> None:
        reader: StreamReader[ShutNow] = StreamReader(ledger, STREAM, {}, _read)
        self._writer = StreamWriter(reader, FACTS, async_adapter(ledger))
        self._clock, self._read_at = clock, float("-inf")

    async def shut(
        self, what: ShutKind, name: str, *, why: str, actor: str, request: str | None = None
    ) -> Receipt:
        """No new wager for a game or a player."""
        kind = GameDisabled if what == "game" else PlayerDisabled
        return await self._write(kind(name, why), actor, request)

    async def reopen(
        self, what: ShutKind, name: str, *, why: str, actor: str, request: str | None = None
    ) -> Receipt:
        """A game or a player may play again."""
        kind = GameEnabled if what == "game" else PlayerEnabled
        return await self._write(kind(name, why), actor, request)

    def why_shut(self, what: ShutKind, name: str) -> str | None:
        """Why a game or a player is shut, if it is."""
        return _why(self._catch_up(), what, name)

    def all_shut(self, what: ShutKind) -> dict[str, str]:
        """Every game or player that is shut, and why."""
        shut = self._catch_up()
        return {name: why for (kind, _), (name, why) in shut.items() if kind == what}

    def forbidden(self, state: TableState, player: str, command: Command) -> Refusal | None:
        """Why the pit refuses a command, whatever the table would say."""
        if not isinstance(command, NEW_MONEY):
            return None
        game = game_of(state.coming).sheet.id
        named = command.player if isinstance(command, commands.Sit) else ""
        seat = getattr(command, "seat", None)
        for who in {player, named, state.seats.get(seat, "") if seat is not None else ""} - {""}:
            if (why := self.why_shut("player", who)) is not None:
                return refuse(Code.FORBIDDEN, "table.pit.player-disabled", player=who, why=why)
        if (why := self.why_shut("game", game)) is not None:
            return refuse(Code.FORBIDDEN, "table.pit.game-disabled", game=game, why=why)
        return None

    async def _write(self, change: PitChange, actor: str, request: str | None) -> Receipt:
        wanted = FACTS.dump(change)
        del wanted["was"]  # The same when it comes again.
        asked = request_key(actor, request, lambda: [STREAM, wanted])

        def made(shut: ShutNow) -> PendingWrite[PitChange]:
            return PendingWrite([change._replace(was=_why(shut, _kind(change), change[0]))])

        written = await self._writer.write_async(made, asked)
        return written.receipt

    def _catch_up(self) -> ShutNow:
        if self._clock() - self._read_at >= FRESH_SECONDS:
            now = self._clock()
            self._writer.catch_up()
            self._read_at = now  # Only what was read is fresh.
        return self._writer.state


def _read(before: ShutNow, entries: Iterable[Entry]) -> ShutNow:
    """What is shut after some entries."""
    after = dict(before)
    for change in (one for entry in entries for one in FACTS.load_entry(entry)):
        what, name = _kind(change), change[0]
        after.pop((what, _of(what, name)), None)
        if isinstance(change, GameDisabled | PlayerDisabled):
            after[what, _of(what, name)] = name, change.why
    return after


def _kind(change: PitChange) -> ShutKind:
    return "game" if isinstance(change, GameDisabled | GameEnabled) else "player"


def _why(shut: ShutNow, what: ShutKind, name: str) -> str | None:
    return shut.get((what, _of(what, name)), ("", None))[1]


def _of(what: ShutKind, name: str) -> str:
    """A player is one person, however the name is written."""
    return name_key(name) if what == "player" else name
