"""Games and players that the pit has disabled."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from typing import Annotated, Literal, NamedTuple, TypeAlias

from pitbook.house.ledger.append_batch import Receipt
from pitbook.house.ledger.fact_codec import Codec, StoredAs
from pitbook.house.ledger.hash_chain import Entry
from pitbook.house.ledger.ledger import Ledger
from pitbook.house.ledger.stream_kinds import moves_no_money, register
from pitbook.house.ledger.streams import (
    PendingWrite,
    StreamReader,
    StreamWriter,
    async_adapter,
    request_key,
)
from pitbook.house.people.names import name_key
from pitbook.house.table import commands
from pitbook.house.table.commands import Command
from pitbook.house.table.state import TableState
from pitbook.house.table.stored_sheets import game_of
from pitbook.rules.refusals import Code, Refusal, refuse

STREAM = register("pit", moves_no_money, module=__name__)
FRESH_SECONDS = 1.0  # Several processes share one ledger; changes elsewhere show up this late.
DisabledKind = Literal["game", "player"]
FACTS: Codec[PitChange] = Codec("the pit")


@FACTS.fact("game-disabled")
class GameDisabled(NamedTuple):
    """No new wagers at a game; `previous_reason` is set if it was disabled already."""

    game: str
    why: str
    previous_reason: Annotated[str | None, StoredAs("was")] = None


@FACTS.fact("game-enabled")
class GameEnabled(NamedTuple):
    game: str
    why: str
    previous_reason: Annotated[str | None, StoredAs("was")] = None


@FACTS.fact("player-disabled")
class PlayerDisabled(NamedTuple):
    """No new wagers of a player; `previous_reason` is set if they were disabled already."""

    player: str
    why: str
    previous_reason: Annotated[str | None, StoredAs("was")] = None


@FACTS.fact("player-enabled")
class PlayerEnabled(NamedTuple):
    player: str
    why: str
    previous_reason: Annotated[str | None, StoredAs("was")] = None


PitChange: TypeAlias = GameDisabled | GameEnabled | PlayerDisabled | PlayerEnabled

# By kind and key: the name as given, and why.
DisabledNow: TypeAlias = Mapping[tuple[DisabledKind, str], tuple[str, str]]

# Commands that bring new money into play. Dealt hands are finished, and anyone may leave.
NEW_MONEY = (
    *(commands.Sit, commands.PutWager, commands.Rebet, commands.OpenRound),
    commands.Refill,
)


class Pit:
    """The register of disabled games and players; every change is on record with a name."""

    def __init__(self, ledger: Ledger, *, clock: Callable[[], float] = time.monotonic) -> None:
        reader: StreamReader[DisabledNow] = StreamReader(ledger, STREAM, {}, _read)
        self._writer = StreamWriter(reader, FACTS, async_adapter(ledger))
        self._clock, self._read_at = clock, float("-inf")

    async def disable(
        self, what: DisabledKind, name: str, *, why: str, actor: str, request: str | None = None
    ) -> Receipt:
        """Refuse new wagers for a game or a player."""
        kind = GameDisabled if what == "game" else PlayerDisabled
        return await self._write(kind(name, why), actor, request)

    async def enable(
        self, what: DisabledKind, name: str, *, why: str, actor: str, request: str | None = None
    ) -> Receipt:
        """Allow a game or a player again."""
        kind = GameEnabled if what == "game" else PlayerEnabled
        return await self._write(kind(name, why), actor, request)

    def reason_for(self, kind: DisabledKind, name: str) -> str | None:
        """Why a game or a player is disabled, or None."""
        return _reason(self._catch_up(), kind, name)

    def all_disabled(self, what: DisabledKind) -> dict[str, str]:
        """All disabled games or players with their reasons."""
        disabled = self._catch_up()
        return {name: why for (kind, _), (name, why) in disabled.items() if kind == what}

    def refusal_for(self, state: TableState, player: str, command: Command) -> Refusal | None:
        """The pit's refusal of a command, or None."""
        if not isinstance(command, NEW_MONEY):
            return None
        game = game_of(state.upcoming_sheet).sheet.id
        seated_name = command.player if isinstance(command, commands.Sit) else ""
        seat = getattr(command, "seat", None)
        for player_name in {
            player,
            seated_name,
            state.seats.get(seat, "") if seat is not None else "",
        } - {""}:
            if (why := self.reason_for("player", player_name)) is not None:
                return refuse(
                    Code.FORBIDDEN, "table.pit.player-disabled", player=player_name, why=why
                )
        if (why := self.reason_for("game", game)) is not None:
            return refuse(Code.FORBIDDEN, "table.pit.game-disabled", game=game, why=why)
        return None

    async def _write(self, change: PitChange, actor: str, request: str | None) -> Receipt:
        request_body = FACTS.dump(change)
        del request_body["was"]  # A repeated request is the same whatever was before.
        key = request_key(actor, request, lambda: [STREAM, request_body])

        def build_write(disabled: DisabledNow) -> PendingWrite[PitChange]:
            return PendingWrite(
                [change._replace(previous_reason=_reason(disabled, _kind(change), change[0]))]
            )

        written = await self._writer.write_async(build_write, key)
        return written.receipt

    def _catch_up(self) -> DisabledNow:
        if self._clock() - self._read_at >= FRESH_SECONDS:
            now = self._clock()
            self._writer.catch_up()
            self._read_at = now  # Only what was read is fresh.
        return self._writer.state


def _read(before: DisabledNow, entries: Iterable[Entry]) -> DisabledNow:
    """The disabled games and players after more entries."""
    after = dict(before)
    for change in (fact for entry in entries for fact in FACTS.load_entry(entry)):
        kind, name = _kind(change), change[0]
        after.pop((kind, _key_of(kind, name)), None)
        if isinstance(change, GameDisabled | PlayerDisabled):
            after[kind, _key_of(kind, name)] = name, change.why
    return after


def _kind(change: PitChange) -> DisabledKind:
    return "game" if isinstance(change, GameDisabled | GameEnabled) else "player"


def _reason(disabled: DisabledNow, kind: DisabledKind, name: str) -> str | None:
    return disabled.get((kind, _key_of(kind, name)), ("", None))[1]


def _key_of(kind: DisabledKind, name: str) -> str:
    """The same key for every way to write a player's name."""
    return name_key(name) if kind == "player" else name
