"""Live tables of a tournament, and their rounds."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from typing import NamedTuple, TypeAlias

from pitbook.errors import LedgerError, Superseded
from pitbook.house.ledger.accounts import Account
from pitbook.house.ledger.streams import refuse_reused_id, request_id
from pitbook.house.nights.sheets import (
    after_hours_refusal,
    level_sheet,
    level_sheets,
    players_short_of,
    smallest_stake,
)
from pitbook.house.nights.store import Answer, Night
from pitbook.house.nights.tournament import commands
from pitbook.house.nights.tournament.clock import reading
from pitbook.house.nights.tournament.facts import ChipsCounted, HandRuled, PlayerGroup, RoundBegun
from pitbook.house.nights.tournament.state import Tournament, status_text
from pitbook.house.table import commands as table_commands
from pitbook.house.table.actor import LiveTable
from pitbook.house.table.commands import By, Envelope
from pitbook.house.table.facts import FACTS, TableOpened
from pitbook.house.table.live_tables import LiveTables
from pitbook.house.table.state import TableKind
from pitbook.house.table.stored_sheets import dump_sheet, game_of
from pitbook.house.table.stream_names import TABLE
from pitbook.money import Cents
from pitbook.rules.refusals import Code, Refusal, refuse
from pitbook.sheets.model import Sheet
from pitbook.text import say
from pitbook.text.user_input import printable

ClockSeconds = Mapping[str, int | None]


class TournamentTables(NamedTuple):
    """A tournament's live tables, and the user acting on them."""

    house: LiveTables
    night: Night
    tournament: str
    actor: str

    @property
    def state(self) -> Tournament:
        """The tournament as last read; raises LedgerError if there is none."""
        tournament = self.night.state.tournaments.get(self.tournament)
        if tournament is None:
            name = printable(self.tournament)
            raise LedgerError(say("nights.tables.no-tournament", tournament=name))
        return tournament

    @property
    def turn(self) -> asyncio.Lock:
        """The lock for changing its tables in several steps."""
        return self.house.tournament_locks[self.tournament]

    @property
    def unit(self) -> str:
        """The unit of its chips."""
        return self.night.state.accounts.chips_of(self.tournament)

    @property
    def level(self) -> int:
        """The current level by the tournament's clock."""
        return reading(self.state.schedule, self.state.clock, self.night.now()).level

    def chips(self, player: str) -> Cents:
        """A player's chips outside the layout."""
        return self.house.ledger.balance(Account(self.unit, "wallet", player))


def table_name(tournament: str, number: int) -> str:
    """The name of a tournament's live table; no table of chance can have such a name.

    >>> table_name("gala.t1", 2)
    'gala.t1-2'
    """
    return f"{tournament}-{number}"


def table_numbers(tables: TournamentTables) -> list[int]:
    """The numbers of the tournament's live tables, in use or not."""
    prefix = f"{TABLE}{tables.tournament}-"
    suffixes = (stream.name.removeprefix(prefix) for stream in tables.house.ledger.streams(prefix))
    return sorted(int(number) for number in suffixes if number.isdecimal())


async def read_table_numbers(tables: TournamentTables) -> list[int]:
    """`table_numbers` in a thread."""
    return await asyncio.to_thread(table_numbers, tables)


def base_sheet(tables: TournamentTables) -> Sheet | None:
    """The sheet that the tables were opened on, before any level's limits."""
    for number in table_numbers(tables):
        stream = f"{TABLE}{table_name(tables.tournament, number)}"
        (table_opened,) = FACTS.load_kind(next(tables.house.ledger.entries(stream)), TableOpened)
        return game_of(table_opened.sheet).sheet
    return None


async def load_table(tables: TournamentTables, number: int) -> LiveTable | None:
    """A live table, loaded if no process holds it; raises Superseded if another does."""
    name = table_name(tables.tournament, number)
    stream = await asyncio.to_thread(tables.house.ledger.stream, f"{TABLE}{name}")
    if (held_table := tables.house.get(name)) is not None:
        # Another process took it in the meantime.
        if stream is not None and stream.epoch != held_table.epoch:
            raise Superseded(say("nights.tables.held-elsewhere", table=name))
        return held_table
    return None if stream is None else await tables.house.load(stream)


async def hold_tables(tables: TournamentTables) -> list[int]:
    """Load all tables of a running tournament and return their numbers."""
    state = await tables.night.read()
    tournament = state.tournaments.get(tables.tournament)
    if tournament is None or tournament.status not in ("open", "playing", "interrupted"):
        return []
    numbers = await read_table_numbers(tables)
    for number in numbers:
        await load_table(tables, number)
    return numbers


async def open_tables(
    tables: TournamentTables,
    base: Sheet | None = None,
    *,
    kind: TableKind = "house",
    clocks: ClockSeconds | None = None,
) -> Refusal | None:
    """Open a table for each drawn table, and seat everybody as drawn."""
    rules = (await tables.night.read()).rules
    base = await asyncio.to_thread(base_sheet, tables) or base
    if base is None:
        return refuse(Code.NO_RULE, "nights.tables.name-its-sheet", tournament=tables.tournament)
    if (refusal := require_started(tables.state)) is not None:
        return refusal
    if isinstance(sheets := level_sheets(base, tables.state.schedule, rules), Refusal):
        return sheets
    for number in tables.state.tables:
        if (table := await load_table(tables, number)) is None:
            if (refusal := after_hours_refusal(tables.night.state, tables.night.now())) is not None:
                return refusal
            # Opened on the base sheet, so that its hash comes before those of the levels.
            options = {"unit": tables.unit, "sheet": base, "clocks": clocks}
            name = table_name(tables.tournament, number)
            table = await tables.house.open_table(name, kind, actor=tables.actor, **options)
        # Otherwise a stop came in between.
        if table.state.upcoming_sheet["hash"] != dump_sheet(base)["hash"]:
            continue
        if (
            refusal := await apply_level_sheet(tables, table, sheets[tables.level - 1])
        ) is not None:
            return refusal
    return await seat_players(tables)


async def apply_level_sheet(
    tables: TournamentTables, table: LiveTable, sheet: Sheet
) -> Refusal | None:
    """Announce the level's rules at a table, from its next round on."""
    stored_sheet = dump_sheet(sheet)
    if stored_sheet["hash"] == table.state.upcoming_sheet["hash"]:
        return None
    why = f"level {tables.level} of {tables.tournament}"
    return await send_command(
        table, By(tables.actor, "supervisor"), table_commands.ChangeSheet(stored_sheet, why)
    )


def require_started(tournament: Tournament) -> Refusal | None:
    """OMS-11: players could bet at an open table, so it waits for the announcement."""
    if tournament.status == "playing":
        return None
    fields = {"tournament": tournament.tournament, "status": status_text(tournament)}
    return refuse(Code.NOT_NOW, "nights.tables.not-started", phase=tournament.status, **fields)


async def seat_players(tables: TournamentTables, *numbers: int) -> Refusal | None:
    """Seat players as the night has them at these tables, or at all; wrongly seated players leave
    first.
    """
    numbered_tables = [
        (number, await load_table(tables, number))
        for number in numbers or await read_table_numbers(tables)
    ]
    entrants = tables.state.players.items()
    players_by_seat = {
        (entrant.table, entrant.seat): name
        for name, entrant in entrants
        if entrant.table and entrant.seat
    }
    live_tables = [(number, table) for number, table in numbered_tables if table is not None]
    seat_commands = [
        command
        for number, table in live_tables
        for command in _leave_commands(tables, number, table, players_by_seat)
    ]
    seat_commands += [
        command
        for number, table in live_tables
        for command in _sit_commands(number, table, players_by_seat)
    ]
    for table, by, command in seat_commands:
        refusal = await send_command(table, by, command)
        # An excluded player keeps chips and place but cannot sit; the others play on.
        if refusal is not None and refusal.code is not Code.EXCLUDED:
            return refusal
    return None


async def retire(tables: TournamentTables, why: str) -> Refusal | None:
    """Retire the tournament's tables; their chips return to the house."""
    for number in await read_table_numbers(tables):
        if await asyncio.to_thread(is_retired, tables, number):
            continue
        table = await load_table(tables, number)
        assert table is not None
        if refusal := await send_command(
            table, By(tables.actor, "supervisor"), table_commands.Retire(why)
        ):
            return refusal
    return None


def is_retired(tables: TournamentTables, number: int) -> bool:
    stream = tables.house.ledger.stream(f"{TABLE}{table_name(tables.tournament, number)}")
    return stream is None or tables.house.is_retired(stream)


PlayerBySeat = dict[tuple[int, int], str]
CommandAtTable = tuple[LiveTable, By, table_commands.Command]


def _leave_commands(
    tables: TournamentTables, number: int, table: LiveTable, players_by_seat: PlayerBySeat
) -> Iterator[CommandAtTable]:
    for seat, player in table.state.seats.items():
        if players_by_seat.get((number, seat)) != player:
            yield table, By(tables.actor, "supervisor"), table_commands.Leave(seat)


def _sit_commands(
    number: int, table: LiveTable, players_by_seat: PlayerBySeat
) -> Iterator[CommandAtTable]:
    """Sit commands in the players' own names."""
    for (table_number, seat), player in sorted(players_by_seat.items()):
        if table_number == number and table.state.seats.get(seat) != player:
            yield table, By(player, "player"), table_commands.Sit(seat)


async def send_command(table: LiveTable, by: By, command: table_commands.Command) -> Refusal | None:
    """The refusal of a command at a table, if any."""
    answer = await table.send(Envelope(by, command))
    return answer if isinstance(answer, Refusal) else None


TableFact: TypeAlias = RoundBegun | ChipsCounted | HandRuled  # Facts about one table.


async def begin_round(
    tables: TournamentTables, number: int, *, request: str | None = None
) -> Answer:
    """Begin a round with the level's stakes; not during a break or another round."""
    if (answer := await recorded_answer(tables, number, request, RoundBegun)) is not None:
        return answer
    await tables.night.read()
    if number not in await read_table_numbers(tables):
        return no_such_table(tables, number)
    if tables.state.status == "playing" and number not in tables.state.in_hand:
        table = await load_table(tables, number)
        assert table is not None
        refusal = after_hours_refusal(tables.night.state, tables.night.now()) or break_refusal(
            tables
        )
        refusal = (
            refusal or await seat_players(tables, number) or await _prepare_layout(tables, table)
        )
        if refusal is not None:
            return refusal
    command = commands.BeginRound(tables.tournament, number)
    return await tables.night.take(command, actor=tables.actor, request=request)


async def count_chips(
    tables: TournamentTables, number: int, *, request: str | None = None
) -> Answer:
    """Record a table's chip counts from the ledger once its round is over."""
    if (answer := await recorded_answer(tables, number, request, ChipsCounted)) is not None:
        return answer
    await tables.night.read()
    if tables.state.status in ("playing", "interrupted"):
        table = await load_table(tables, number)
        if table is not None and table.state.has_live_wagers:
            return round_not_over(number)
    counts = await asyncio.to_thread(_ledger_chips, tables, number)
    command = commands.CountChips(tables.tournament, number, counts, in_book=True)
    return await tables.night.take(command, actor=tables.actor, request=request)


def no_such_table(tables: TournamentTables, number: int) -> Refusal:
    """The refusal for a table that was not opened."""
    fields = {"table": number, "tournament": tables.tournament}
    return refuse(Code.UNKNOWN_PLACE, "nights.tables.not-laid-out", **fields)


def round_not_over(number: int) -> Refusal:
    """The refusal while chips are on the layout."""
    return refuse(Code.NOT_NOW, "nights.tables.not-over", table=number)


def players_to_eliminate(tables: TournamentTables) -> tuple[PlayerGroup, ...]:
    """Players without chips or with less than the level's smallest stake, fewest chips first."""
    base = base_sheet(tables)
    if base is None or tables.state.status != "playing":
        return ()
    sheet = level_sheet(base, tables.state.schedule, tables.level, tables.night.state.rules)
    return (
        () if isinstance(sheet, Refusal) else players_short_of(tables.state, smallest_stake(sheet))
    )


async def give(
    tables: TournamentTables, command: commands.Command, *, request: str | None = None
) -> Answer:
    """Give a command to the tournament, then update its tables.

    A table that cannot follow yet, such as mid-hand, does so before its next round.
    """
    is_undo = isinstance(command, commands.Undo)
    if not is_undo and (refusal := await recount_tables(tables)) is not None:
        return refusal
    answer = await tables.night.take(command, actor=tables.actor, request=request)
    is_playing = not isinstance(answer, Refusal) and tables.state.status == "playing"
    if is_playing and await read_table_numbers(tables):
        await open_tables(tables)
    return answer


async def recount_tables(tables: TournamentTables) -> Refusal | None:
    """Count again where the record is behind the ledger because a count was undone."""
    if (await tables.night.read()).tournaments[tables.tournament].status != "playing":
        return None
    for number in await asyncio.to_thread(_tables_behind, tables):
        table = await load_table(tables, number)
        if table is not None and not table.state.has_live_wagers:
            answer = await count_chips(tables, number)
            if isinstance(answer, Refusal):
                return answer
    return None


async def is_behind(tables: TournamentTables, number: int) -> bool:
    """Whether a table's players have other chips than recorded."""
    return await asyncio.to_thread(_is_behind, tables, number)


def break_refusal(tables: TournamentTables) -> Refusal | None:
    """Refuse during a break."""
    clock_reading = reading(tables.state.schedule, tables.state.clock, tables.night.now())
    if not clock_reading.on_break:
        return None
    minutes_left = int(clock_reading.left.total_seconds()) // 60 + 1
    fields = {"tournament": tables.tournament, "minutes": minutes_left}
    return refuse(Code.NOT_NOW, "nights.tables.break", **fields)


async def _prepare_layout(tables: TournamentTables, table: LiveTable) -> Refusal | None:
    """Clear the layout for a round under the level's rules; early wagers stay under theirs."""
    if table.state.has_live_wagers:
        return None
    base = await asyncio.to_thread(base_sheet, tables)
    assert base is not None
    sheet = level_sheet(base, tables.state.schedule, tables.level, tables.night.state.rules)
    if isinstance(sheet, Refusal):
        return sheet
    if (refusal := await apply_level_sheet(tables, table, sheet)) is not None:
        return refusal
    return await send_command(table, By(tables.actor, "supervisor"), table_commands.OpenRound())


def _ledger_chips(tables: TournamentTables, number: int) -> commands.ChipCounts:
    """The chips of a table's players outside the layout."""
    players = tables.state.tables.get(number, [])
    return tuple((player, tables.chips(player)) for player in players)


def _tables_behind(tables: TournamentTables) -> list[int]:
    """Tables without a round whose players have other chips than recorded."""
    idle_numbers = (number for number in tables.state.tables if number not in tables.state.in_hand)
    return [number for number in idle_numbers if _is_behind(tables, number)]


def _is_behind(tables: TournamentTables, number: int) -> bool:
    balances, tournament = tables.house.ledger.balances(tables.unit), tables.state
    players = tournament.tables.get(number, [])
    return any(
        _wallet(balances, tables, name) != tournament.players[name].chips for name in players
    )


def _wallet(balances: Mapping[Account, Cents], tables: TournamentTables, player: str) -> Cents:
    return balances.get(Account(tables.unit, "wallet", player), Cents(0))


async def recorded_answer(
    tables: TournamentTables, number: int, request: str | None, *kinds: type[TableFact]
) -> Answer | None:
    """The recorded answer to a repeated request, even if the count would differ now."""
    if request is None or not await asyncio.to_thread(tables.night.is_known, tables.actor, request):
        return None
    answer = await asyncio.to_thread(tables.night.recorded_answer, tables.actor, request)
    first_fact = answer.facts[0] if answer is not None else None
    if isinstance(first_fact, kinds) and (first_fact.tournament, first_fact.table) == (
        tables.tournament,
        number,
    ):
        return answer
    return refuse_reused_id(request_id(tables.actor, request))
