"""Daily loss and time limits that players set for themselves, checked against the ledger."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

from pitbook.house.ledger.ledger import Ledger
from pitbook.house.ledger.writer import utc_now
from pitbook.house.people.access_list import AccessList
from pitbook.house.people.roster_store import ZONE
from pitbook.house.table import commands
from pitbook.house.table.actor import LiveTable
from pitbook.house.table.commands import By, Command
from pitbook.house.table.facts import FACTS, Settled
from pitbook.house.table.state import TableState
from pitbook.house.table.stream_names import PRACTICE
from pitbook.house.table.streams_played import streams_played
from pitbook.house.web.server import Server
from pitbook.money import Cents, dollars
from pitbook.rules.cost_to_end import highest_cost
from pitbook.rules.game import Seat
from pitbook.rules.refusals import Code, Refusal, refuse

PAUSE = timedelta(minutes=5)  # A longer gap between actions is a break.
BetCommand = commands.PutWager | commands.Rebet | commands.Undo
BET_COMMANDS = (commands.PutWager, commands.Rebet, commands.Undo)


class PlayToday(NamedTuple):
    """A person's day so far: net by unit in cents, rounds, and times of actions."""

    net: dict[str, int]
    rounds: int
    acted: tuple[datetime, ...]

    @property
    def minutes(self) -> int:
        """Minutes of play, without pauses of more than five minutes."""
        pairs = zip(self.acted, self.acted[1:], strict=False)
        gaps = (later - earlier for earlier, later in pairs)
        spent = sum((gap for gap in gaps if gap <= PAUSE), timedelta())
        return int(spent.total_seconds() // 60)

    @property
    def since(self) -> datetime | None:
        """When the current sitting began: after the last pause."""
        start = self.acted[-1] if self.acted else None
        for earlier, later in zip(self.acted[-2::-1], self.acted[::-1], strict=False):
            if later - earlier > PAUSE:
                break
            start = earlier
        return start


class _PlayRead(NamedTuple):
    """A stream read up to entry `upto`, and the person's play of today in it."""

    upto: int
    net: int
    rounds: int
    acted: tuple[datetime, ...]


class PlayerLimits:
    """Players' own limits, checked before every wager of those who set one."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._day = ""
        self._read: dict[tuple[str, str], _PlayRead] = {}

    async def refusal_for(self, table: LiveTable, by: By, command: Command) -> Refusal | None:
        """Why the player's own limits refuse a wager; wagers already placed may be played out."""
        if (
            not isinstance(command, BET_COMMANDS)
            or by.role != "player"
            or table.state.in_tournament
        ):
            return None
        loss, minutes = self._access_list().limits(by.name)
        if loss is None and minutes is None:
            return None
        risk = at_risk(table.state, by.name, command)
        if risk <= at_risk(table.state, by.name):  # Taking a bet back is always allowed.
            return None
        today = await asyncio.to_thread(self.today, self.names(by.name))
        if minutes is not None and today.minutes >= minutes:
            return refuse(
                Code.LIMIT_OF_OWN, "web.care.minutes", limit=minutes, played=today.minutes
            )
        if loss is None:
            return None
        unit = table.state.unit
        lost = max(0, -today.net.get(unit, 0))
        risked = self._at_risk_elsewhere(by.name, table) + risk
        if lost + risked <= loss:
            return None
        fields = {"limit": loss, "lost": lost, "risked": risked}
        return refuse(Code.LIMIT_OF_OWN, "web.care.loss", **fields)

    def names(self, name: str) -> tuple[str, ...]:
        """All names of a person, guests included."""
        roster = self._server.people.persons.recent()
        person = roster.joined.get(name, name)
        return (person, *roster.guests_of(person))

    def today(self, names: Iterable[str]) -> PlayToday:
        """A person's play of today, from the ledger."""
        start = start_of_day(utc_now())
        if start.isoformat() != self._day:
            self._day, self._read = start.isoformat(), {}
        play = [
            (unit, stream_play)
            for name in names
            for unit, stream_play in self._read_streams(name, start)
        ]
        net: dict[str, int] = {}
        for unit, stream_play in play:
            net[unit] = net.get(unit, 0) + stream_play.net
        acted = sorted(at for _, stream_play in play for at in stream_play.acted)
        return PlayToday(net, sum(stream_play.rounds for _, stream_play in play), tuple(acted))

    def _read_streams(self, name: str, start: datetime) -> Iterator[tuple[str, _PlayRead]]:
        ledger = self._server.house.ledger
        for stream in streams_played(ledger, name):
            unit = "play" if stream.name.startswith(PRACTICE) else self._unit(stream.name)
            earlier = self._read.get((name, stream.name), _PlayRead(0, 0, 0, ()))
            read = _read_play(ledger, stream.name, name, earlier, start)
            self._read[name, stream.name] = read
            yield unit, read

    def _unit(self, stream: str) -> str:
        table = self._server.house.get(stream.partition("/")[2])
        return table.state.unit if table is not None else "usd"

    def _at_risk_elsewhere(self, name: str, table: LiveTable) -> int:
        """The most the player can still lose at other tables."""
        names = self.names(name)
        others = [other.state for other in self._server.house.tables.values() if other is not table]
        unit = table.state.unit
        return sum(at_risk(state, each) for state in others if state.unit == unit for each in names)

    def _access_list(self) -> AccessList:
        return self._server.people.persons.access_list(utc_now())


def _read_play(
    ledger: Ledger, stream: str, name: str, earlier: _PlayRead, start: datetime
) -> _PlayRead:
    last_seq, net, rounds, acted = earlier
    times = list(acted)
    for entry in ledger.entries(stream, after=last_seq):
        last_seq = entry.seq
        at = datetime.fromisoformat(entry.at)
        if at < start:
            continue
        if entry.actor == name:
            times.append(at)
        for fact in FACTS.load_kind(entry, Settled):
            seats = [seat for seat in fact.report["seats"] if seat["player"] == name]
            rounds += bool(seats)
            net += sum(dollars(seat["wins"]) - dollars(seat["loses"]) for seat in seats)
    return _PlayRead(last_seq, net, rounds, tuple(times))


def start_of_day(now: datetime) -> datetime:
    """Midnight in the house's time zone."""
    local = now.astimezone(ZoneInfo(ZONE))
    return local.replace(hour=0, minute=0, second=0, microsecond=0)


def at_risk(state: TableState, name: str, command: Command | None = None) -> int:
    """The most a player can still lose at a table, now or after a bet."""
    seats = {
        seat.number: seat
        for seat in (state.round.seats if state.has_live_wagers and state.round else ())
        if seat.player == name
    }
    if isinstance(command, BET_COMMANDS):
        seats[command.seat] = _seat_after(state, seats.get(command.seat), command, name)
    return sum(_loss_max(state, seat) for seat in seats.values())


def _seat_after(
    state: TableState,
    seat: Seat | None,
    command: BetCommand,
    name: str,
) -> Seat:
    """The seat as it would be after a bet."""
    main = state.game.main[0]
    if isinstance(command, commands.Rebet):
        stakes = dict(state.last.get(command.seat, ("", ()))[1])
    elif isinstance(command, commands.Undo):
        stakes = dict(next(reversed(state.undo.get(command.seat, ())), ()))
    else:
        stakes = {**dict(seat.stakes if seat else ()), command.wager: command.amount}
    main_stake = Cents(stakes.pop(main, 0))
    equal_stakes = tuple((wager, main_stake) for wager in state.game.equals)
    side_stakes = tuple(
        (wager, Cents(stake)) for wager, stake in stakes.items() if wager in _side_wagers(state)
    )
    return Seat(
        command.seat, name, ((main, main_stake), *equal_stakes) if main_stake else (), side_stakes
    )


def _side_wagers(state: TableState) -> Iterable[str]:
    return state.game.sheet.side


def _loss_max(state: TableState, seat: Seat) -> int:
    stage = max(0, state.round.stage) if state.has_live_wagers and state.round else 0
    later = highest_cost(state.game, seat, stage) if seat.main and not seat.folded else 0
    return sum(amount for _, amount in seat.stakes) + later
