"""Daily loss and time limits that players set for themselves, checked against the ledger."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

from pitbook.house.ledger.journal import Ledger
from pitbook.house.ledger.writer import utc_now
from pitbook.house.people.roster import ZONE, AccessList
from pitbook.house.table import commands
from pitbook.house.table.actor import LiveTable
from pitbook.house.table.commands import By, Command
from pitbook.house.table.facts import FACTS, Settled
from pitbook.house.table.history import streams_played
from pitbook.house.table.state import TableState
from pitbook.house.table.streams import PRACTICE
from pitbook.house.web.server import Server
from pitbook.money import Cents, dollars
from pitbook.rules.costs import highest_cost
from pitbook.rules.game import Seat
from pitbook.rules.refusals import Code, Refusal, refuse

PAUSE = timedelta(minutes=5)  # Whoever does nothing for longer has not played meanwhile.
BetCommand = commands.PutWager | commands.Rebet | commands.Undo
BET_COMMANDS = (commands.PutWager, commands.Rebet, commands.Undo)


class PlayToday(NamedTuple):
    """A person's day so far: cents won or lost by unit, rounds, and when they acted."""

    net: dict[str, int]
    rounds: int
    acted: tuple[datetime, ...]

    @property
    def minutes(self) -> int:
        """Minutes of play: pauses of more than five are none."""
        pairs = zip(self.acted, self.acted[1:], strict=False)
        gaps = (later - earlier for earlier, later in pairs)
        spent = sum((gap for gap in gaps if gap <= PAUSE), timedelta())
        return int(spent.total_seconds() // 60)

    @property
    def since(self) -> datetime | None:
        """When the sitting began that goes on now: after the last pause."""
        start = self.acted[-1] if self.acted else None
        for earlier, later in zip(self.acted[-2::-1], self.acted[::-1], strict=False):
            if later - earlier > PAUSE:
                break
            start = earlier
        return start


class _PlayRead(NamedTuple):
    """How far a journal was read for a person, and what was found of the day."""

    upto: int
    net: int
    rounds: int
    acted: tuple[datetime, ...]


class PlayerLimits:
    """Limits of players' own, asked before every wager of those who have set one."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._day = ""
        self._read: dict[tuple[str, str], _PlayRead] = {}

    async def refusal_for(self, table: LiveTable, by: By, command: Command) -> Refusal | None:
        """Why somebody's own limits refuse a wager; what lies on the table is played."""
        if (
            not isinstance(command, BET_COMMANDS)
            or by.role != "player"
            or table.state.in_tournament
        ):
            return None
        loss, minutes = self._access_list().limits(by.name)
        if loss is None and minutes is None:
            return None
        after = at_risk(table.state, by.name, command)
        if after <= at_risk(table.state, by.name):  # What is taken back is never too much.
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
        risked = self._at_risk_elsewhere(by.name, table) + after
        if lost + risked <= loss:
            return None
        fields = {"limit": loss, "lost": lost, "risked": risked}
        return refuse(Code.LIMIT_OF_OWN, "web.care.loss", **fields)

    def names(self, name: str) -> tuple[str, ...]:
        """All names of a person, whichever of them plays."""
        roster = self._server.people.persons.recent()
        person = roster.joined.get(name, name)
        return (person, *roster.guests_of(person))

    def today(self, names: Iterable[str]) -> PlayToday:
        """What the book has of a person's day."""
        start = start_of_day(utc_now())
        if start.isoformat() != self._day:
            self._day, self._read = start.isoformat(), {}
        found = [(unit, one) for name in names for unit, one in self._read_streams(name, start)]
        net: dict[str, int] = {}
        for unit, one in found:
            net[unit] = net.get(unit, 0) + one.net
        acted = sorted(at for _, one in found for at in one.acted)
        return PlayToday(net, sum(one.rounds for _, one in found), tuple(acted))

    def _read_streams(self, name: str, start: datetime) -> Iterator[tuple[str, _PlayRead]]:
        ledger = self._server.house.ledger
        for stream in streams_played(ledger, name):
            unit = "play" if stream.name.startswith(PRACTICE) else self._unit(stream.name)
            known = self._read.get((name, stream.name), _PlayRead(0, 0, 0, ()))
            read = _read_play(ledger, stream.name, name, known, start)
            self._read[name, stream.name] = read
            yield unit, read

    def _unit(self, stream: str) -> str:
        held = self._server.house.held(stream.partition("/")[2])
        return held.state.unit if held is not None else "usd"

    def _at_risk_elsewhere(self, name: str, here: LiveTable) -> int:
        """What lies at other tables, and can still be bet there."""
        own = self.names(name)
        others = [one.state for one in self._server.house.tables.values() if one is not here]
        unit = here.state.unit
        return sum(at_risk(one, each) for one in others if one.unit == unit for each in own)

    def _access_list(self) -> AccessList:
        return self._server.people.persons.access_list(utc_now())


def _read_play(
    ledger: Ledger, stream: str, name: str, known: _PlayRead, start: datetime
) -> _PlayRead:
    upto, net, rounds, acted = known
    times = list(acted)
    for entry in ledger.entries(stream, after=upto):
        upto = entry.seq
        at = datetime.fromisoformat(entry.at)
        if at < start:
            continue
        if entry.actor == name:
            times.append(at)
        for fact in FACTS.load_kind(entry, Settled):
            own = [one for one in fact.report["seats"] if one["player"] == name]
            rounds += bool(own)
            net += sum(dollars(one["wins"]) - dollars(one["loses"]) for one in own)
    return _PlayRead(upto, net, rounds, tuple(times))


def start_of_day(now: datetime) -> datetime:
    """Midnight where the house is."""
    local = now.astimezone(ZoneInfo(ZONE))
    return local.replace(hour=0, minute=0, second=0, microsecond=0)


def at_risk(state: TableState, name: str, command: Command | None = None) -> int:
    """The most that a player can still lose on a layout, as it is or after a wager."""
    own = {
        seat.number: seat
        for seat in (state.round.seats if state.live and state.round else ())
        if seat.player == name
    }
    if isinstance(command, BET_COMMANDS):
        own[command.seat] = _seat_after(state, own.get(command.seat), command, name)
    return sum(_loss_max(state, seat) for seat in own.values())


def _seat_after(
    state: TableState,
    seat: Seat | None,
    command: BetCommand,
    name: str,
) -> Seat:
    """A seat as it would lie with what is put there."""
    main = state.game.main[0]
    if isinstance(command, commands.Rebet):
        stakes = dict(state.last.get(command.seat, ("", ()))[1])
    elif isinstance(command, commands.Undo):
        stakes = dict(next(reversed(state.undo.get(command.seat, ())), ()))
    else:
        stakes = {**dict(seat.stakes if seat else ()), command.wager: command.amount}
    own = Cents(stakes.pop(main, 0))
    alike = tuple((wager, own) for wager in state.game.equals)
    side = tuple(
        (wager, Cents(stake)) for wager, stake in stakes.items() if wager in _side_wagers(state)
    )
    return Seat(command.seat, name, ((main, own), *alike) if own else (), side)


def _side_wagers(state: TableState) -> Iterable[str]:
    return state.game.sheet.side


def _loss_max(state: TableState, seat: Seat) -> int:
    stage = max(0, state.round.stage) if state.live and state.round else 0
    later = highest_cost(state.game, seat, stage) if seat.main and not seat.folded else 0
    return sum(amount for _, amount in seat.stakes) + later
