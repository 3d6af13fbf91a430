"""Live tables of a tournament, and their rounds."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from typing import NamedTuple, TypeAlias

from pitbook.errors import LedgerError, Superseded
from pitbook.house.ledger.accounts import Account
from pitbook.house.ledger.stream_writer import refuse_reused_id, request_id
from pitbook.house.nights.sheets import going_out, level_sheet, level_sheets, over, smallest_stake
from pitbook.house.nights.store import Answer, Night
from pitbook.house.nights.tournament import commands
from pitbook.house.nights.tournament.clock import reading
from pitbook.house.nights.tournament.facts import ChipsCounted, HandRuled, PlayerGroup, RoundBegun
from pitbook.house.nights.tournament.state import Tournament, status_told
from pitbook.house.table import commands as at_table
from pitbook.house.table.actor import LiveTable
from pitbook.house.table.commands import By, Envelope
from pitbook.house.table.facts import FACTS, TableOpened
from pitbook.house.table.state import TableKind, dump_sheet, game_of
from pitbook.house.table.streams import TABLE
from pitbook.house.table.tables import LiveTables
from pitbook.money import Cents
from pitbook.rules.refusals import Code, Refusal, refuse
from pitbook.sheets.findings import printable
from pitbook.sheets.model import Sheet
from pitbook.text import say

ClockSeconds = Mapping[str, int | None]


class TournamentTables(NamedTuple):
    """The live tables of one tournament, and who asks."""

    house: LiveTables
    night: Night
    tournament: str
    actor: str

    @property
    def state(self) -> Tournament:
        """The tournament as it was last read; raises LedgerError where there is none."""
        found = self.night.state.tournaments.get(self.tournament)
        if found is None:
            name = printable(self.tournament)
            raise LedgerError(say("nights.tables.no-tournament", tournament=name))
        return found

    @property
    def turn(self) -> asyncio.Lock:
        """Whoever does something to its tables, in several steps, does it alone."""
        return self.house.turns[self.tournament]

    @property
    def unit(self) -> str:
        """The unit of its chips."""
        return self.night.state.till.chips_of(self.tournament)

    @property
    def level(self) -> int:
        """The level by the tournament's clock."""
        return reading(self.state.schedule, self.state.clock, self.night.now()).level

    def chips(self, player: str) -> Cents:
        """What a player holds beside what lies on a layout."""
        return self.house.ledger.balance(Account(self.unit, "wallet", player))


def table_name(tournament: str, number: int) -> str:
    """The live table of a number; no table of chance can have such a name.

    >>> table_name("gala.t1", 2)
    'gala.t1-2'
    """
    return f"{tournament}-{number}"


def laid(here: TournamentTables) -> list[int]:
    """The numbers of the tables that are laid out, in use or not."""
    begins = f"{TABLE}{here.tournament}-"
    found = (one.name.removeprefix(begins) for one in here.house.ledger.streams())
    return sorted(int(number) for number in found if number.isdecimal())


async def laid_out(here: TournamentTables) -> list[int]:
    """The same beside the loop."""
    return await asyncio.to_thread(laid, here)


def base_of(here: TournamentTables) -> Sheet | None:
    """The sheet that the tournament's tables were opened on, before any level's stakes."""
    for number in laid(here):
        stream = f"{TABLE}{table_name(here.tournament, number)}"
        (opened,) = FACTS.load_kind(next(here.house.ledger.entries(stream)), TableOpened)
        return game_of(opened.sheet).sheet
    return None


async def table_at(here: TournamentTables, number: int) -> LiveTable | None:
    """A table that is laid out, taken up where no process holds it; Superseded where one does."""
    name = table_name(here.tournament, number)
    stream = await asyncio.to_thread(here.house.ledger.stream, f"{TABLE}{name}")
    if (held := here.house.held(name)) is not None:
        if stream is not None and stream.epoch != held.epoch:  # It was taken while we slept.
            raise Superseded(say("nights.tables.held-elsewhere", table=name))
        return held
    return None if stream is None else await here.house.load(stream)


async def held(here: TournamentTables) -> list[int]:
    """The tables of a tournament that is under way, all of them held by this process."""
    state = await here.night.read()
    found = state.tournaments.get(here.tournament)
    if found is None or found.status not in ("open", "playing", "interrupted"):
        return []
    numbers = await laid_out(here)
    for number in numbers:
        await table_at(here, number)
    return numbers


async def lay_out(
    here: TournamentTables,
    base: Sheet | None = None,
    *,
    kind: TableKind = "house",
    clocks: ClockSeconds | None = None,
) -> Refusal | None:
    """A table for each that the draw has filled, and everybody in the seat that was drawn."""
    rules = (await here.night.read()).rules
    base = await asyncio.to_thread(base_of, here) or base
    if base is None:
        return refuse(Code.NO_RULE, "nights.tables.name-its-sheet", tournament=here.tournament)
    if (refusal := not_started(here.state)) is not None:
        return refusal
    if isinstance(sheets := level_sheets(base, here.state.schedule, rules), Refusal):
        return sheets
    for number in here.state.tables:
        if (table := await table_at(here, number)) is None:
            if (refusal := over(here.night.state, here.night.now())) is not None:
                return refusal
            # Opened on the sheet itself, so that its hash stands before those of the levels.
            rest = {"unit": here.unit, "sheet": base, "clocks": clocks}
            name = table_name(here.tournament, number)
            table = await here.house.open_table(name, kind, actor=here.actor, **rest)
        if table.state.coming["hash"] != dump_sheet(base)["hash"]:  # Else a stop came in between.
            continue
        if (refusal := await play_by(here, table, sheets[here.level - 1])) is not None:
            return refusal
    return await follow(here)


async def play_by(here: TournamentTables, table: LiveTable, sheet: Sheet) -> Refusal | None:
    """The rules of the level are in force at a table from its next round on."""
    kept = dump_sheet(sheet)
    if kept["hash"] == table.state.coming["hash"]:
        return None
    why = f"level {here.level} of {here.tournament}"
    return await sent(table, By(here.actor, "supervisor"), at_table.ChangeSheet(kept, why))


def not_started(one: Tournament) -> Refusal | None:
    """OMS-11: at a table that stands ready somebody may bet, so it waits for the announcement."""
    if one.status == "playing":
        return None
    stands = {"tournament": one.tournament, "status": status_told(one)}
    return refuse(Code.NOT_NOW, "nights.tables.not-started", **stands)


async def follow(here: TournamentTables, *numbers: int) -> Refusal | None:
    """At these tables, or at all: whoever sits otherwise than the night has it gets up first."""
    tables = [(number, await table_at(here, number)) for number in numbers or await laid_out(here)]
    seated = here.state.players.items()
    wanted = {(one.table, one.seat): name for name, one in seated if one.table and one.seat}
    known = [(number, table) for number, table in tables if table is not None]
    asked = [one for number, table in known for one in _getting_up(here, number, table, wanted)]
    asked += [one for number, table in known for one in _sitting_down(number, table, wanted)]
    for table, by, command in asked:
        refusal = await sent(table, by, command)
        # Whoever is excluded keeps chips and place, but sits down no more; the rest play on.
        if refusal is not None and refusal.code is not Code.EXCLUDED:
            return refusal
    return None


async def retire(here: TournamentTables, why: str) -> Refusal | None:
    """Close the tournament's tables for good; their chips go back to the house."""
    for number in await laid_out(here):
        if await asyncio.to_thread(is_retired, here, number):
            continue
        table = await table_at(here, number)
        assert table is not None
        if no := await sent(table, By(here.actor, "supervisor"), at_table.Retire(why)):
            return no
    return None


def is_retired(here: TournamentTables, number: int) -> bool:
    """Whether a table is closed for good."""
    stream = here.house.ledger.stream(f"{TABLE}{table_name(here.tournament, number)}")
    return stream is None or here.house.is_retired(stream)


PlayerBySeat = dict[tuple[int, int], str]
CommandAtTable = tuple[LiveTable, By, at_table.Command]


def _getting_up(
    here: TournamentTables, number: int, table: LiveTable, wanted: PlayerBySeat
) -> Iterator[CommandAtTable]:
    for seat, player in table.state.seats.items():
        if wanted.get((number, seat)) != player:
            yield table, By(here.actor, "supervisor"), at_table.Leave(seat)


def _sitting_down(number: int, table: LiveTable, wanted: PlayerBySeat) -> Iterator[CommandAtTable]:
    """Players sit down by their own names, as they would by themselves."""
    for (where, seat), player in sorted(wanted.items()):
        if where == number and table.state.seats.get(seat) != player:
            yield table, By(player, "player"), at_table.Sit(seat)


async def sent(table: LiveTable, by: By, command: at_table.Command) -> Refusal | None:
    """Why a table did not take a command; None: it did."""
    answer = await table.send(Envelope(by, command))
    return answer if isinstance(answer, Refusal) else None


TableFact: TypeAlias = RoundBegun | ChipsCounted | HandRuled  # What is asked of one table.


async def begin(here: TournamentTables, number: int, *, request: str | None = None) -> Answer:
    """A round begins at a table: by the level's stakes, between rounds, and never in a break."""
    if (said := await before(here, number, request, RoundBegun)) is not None:
        return said
    await here.night.read()
    if number not in await laid_out(here):
        return not_laid(here, number)
    if here.state.status == "playing" and number not in here.state.in_hand:
        table = await table_at(here, number)
        assert table is not None
        refusal = over(here.night.state, here.night.now()) or resting(here)
        refusal = refusal or await follow(here, number) or await _ready(here, table)
        if refusal is not None:
            return refusal
    asked = commands.BeginRound(here.tournament, number)
    return await here.night.take(asked, actor=here.actor, request=request)


async def count(here: TournamentTables, number: int, *, request: str | None = None) -> Answer:
    """The chips of a table after its round, from the book."""
    if (said := await before(here, number, request, ChipsCounted)) is not None:
        return said
    await here.night.read()
    if here.state.status in ("playing", "interrupted"):
        table = await table_at(here, number)
        if table is not None and table.state.live:
            return not_over(number)
    counts = await asyncio.to_thread(_in_book, here, number)
    asked = commands.CountChips(here.tournament, number, counts, in_book=True)
    return await here.night.take(asked, actor=here.actor, request=request)


def not_laid(here: TournamentTables, number: int) -> Refusal:
    """Where no live table of that number is."""
    where = {"table": number, "tournament": here.tournament}
    return refuse(Code.UNKNOWN_PLACE, "nights.tables.not-laid-out", **where)


def not_over(number: int) -> Refusal:
    """Where chips still lie on the layout."""
    return refuse(Code.NOT_NOW, "nights.tables.not-over", table=number)


def proposed_out(here: TournamentTables) -> tuple[PlayerGroup, ...]:
    """Who should go out: no chips, or fewer than the level's smallest stake; fewest first."""
    base = base_of(here)
    if base is None or here.state.status != "playing":
        return ()
    sheet = level_sheet(base, here.state.schedule, here.level, here.night.state.rules)
    return () if isinstance(sheet, Refusal) else going_out(here.state, smallest_stake(sheet))


async def give(
    here: TournamentTables, command: commands.Command, *, request: str | None = None
) -> Answer:
    """A command to the tournament, after which its tables are as the night has them.

    A table that cannot follow yet, as in the midst of a hand, does so before its next round.
    """
    undoing = isinstance(command, commands.Undo)
    if not undoing and (refusal := await put_right(here)) is not None:
        return refusal
    answer = await here.night.take(command, actor=here.actor, request=request)
    playing = not isinstance(answer, Refusal) and here.state.status == "playing"
    if playing and await laid_out(here):
        await lay_out(here)
    return answer


async def put_right(here: TournamentTables) -> Refusal | None:
    """Count again where the record is behind the book: a count was undone, the round was not."""
    if (await here.night.read()).tournaments[here.tournament].status != "playing":
        return None
    for number in await asyncio.to_thread(_behind, here):
        table = await table_at(here, number)
        if table is not None and not table.state.live:
            said = await count(here, number)
            if isinstance(said, Refusal):
                return said
    return None


async def is_behind(here: TournamentTables, number: int) -> bool:
    """Whether players of a table have other chips than the record says."""
    return await asyncio.to_thread(_off, here, number)


def resting(here: TournamentTables) -> Refusal | None:
    """Whether there is a break now."""
    shown = reading(here.state.schedule, here.state.clock, here.night.now())
    if not shown.on_break:
        return None
    left = int(shown.left.total_seconds()) // 60 + 1
    rests = {"tournament": here.tournament, "minutes": left}
    return refuse(Code.NOT_NOW, "nights.tables.break", **rests)


async def _ready(here: TournamentTables, table: LiveTable) -> Refusal | None:
    """An empty layout under the level's rules; wagers that came early stay, under theirs."""
    if table.state.live:
        return None
    base = await asyncio.to_thread(base_of, here)
    assert base is not None
    sheet = level_sheet(base, here.state.schedule, here.level, here.night.state.rules)
    if isinstance(sheet, Refusal):
        return sheet
    if (refusal := await play_by(here, table, sheet)) is not None:
        return refusal
    return await sent(table, By(here.actor, "supervisor"), at_table.OpenRound())


def _in_book(here: TournamentTables, number: int) -> commands.ChipCounts:
    """What the players of a table have beside the layout."""
    players = here.state.tables.get(number, [])
    return tuple((player, here.chips(player)) for player in players)


def _behind(here: TournamentTables) -> list[int]:
    """Tables without a round whose players have other chips than the record says."""
    idle = (number for number in here.state.tables if number not in here.state.in_hand)
    return [number for number in idle if _off(here, number)]


def _off(here: TournamentTables, number: int) -> bool:
    held, one = here.house.ledger.balances(here.unit), here.state
    players = one.tables.get(number, [])
    return any(_wallet(held, here, name) != one.players[name].chips for name in players)


def _wallet(balances: Mapping[Account, Cents], here: TournamentTables, player: str) -> Cents:
    return balances.get(Account(here.unit, "wallet", player), Cents(0))


async def before(
    here: TournamentTables, number: int, request: str | None, *kinds: type[TableFact]
) -> Answer | None:
    """The answer that a request had when it came first: what it counts may differ by now."""
    if request is None or not await asyncio.to_thread(here.night.is_known, here.actor, request):
        return None
    said = await asyncio.to_thread(here.night.before, here.actor, request)
    first = said.facts[0] if said is not None else None
    if isinstance(first, kinds) and (first.tournament, first.table) == (here.tournament, number):
        return said
    return refuse_reused_id(request_id(here.actor, request))
