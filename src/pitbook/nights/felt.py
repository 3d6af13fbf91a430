"""Tournament rounds at live tables: the night seats the players, tables deal, the book counts.

Whatever is done here is asked for again without harm: a table that a stop left behind is brought
to where the night's record has it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from pitbook.engine.refusals import Code, Refusal
from pitbook.errors import LedgerError
from pitbook.ledger.accounts import Account
from pitbook.money import Cents
from pitbook.nights.levels import going_out, level_sheet, level_sheets, smallest_stake
from pitbook.nights.night import Answer, Night
from pitbook.nights.tournament import commands
from pitbook.nights.tournament.clock import reading
from pitbook.nights.tournament.facts import Group
from pitbook.nights.tournament.state import Tournament
from pitbook.sheets.families import Sheet
from pitbook.sheets.findings import printable
from pitbook.table import commands as at_table
from pitbook.table.actor import Table
from pitbook.table.commands import By, Envelope
from pitbook.table.house import TABLE, House
from pitbook.table.model import game_of, kept_sheet
from pitbook.table.state import Kind

__all__ = [
    "Felt",
    "base_of",
    "begin",
    "count",
    "follow",
    "give",
    "laid",
    "lay_out",
    "proposed_out",
    "retire",
    "table_at",
    "table_name",
]


class Felt(NamedTuple):
    """The live tables of one tournament, and who asks."""

    house: House
    night: Night
    tournament: str
    actor: str

    @property
    def state(self) -> Tournament:
        """The tournament as it was last read; raises LedgerError where there is none."""
        found = self.night.state.tournaments.get(self.tournament)
        if found is None:
            name = printable(self.tournament)
            raise LedgerError(f'there is no tournament "{name}"; set it up first')
        return found

    @property
    def unit(self) -> str:
        """The unit of its chips."""
        return f"tournament:{self.tournament}"

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


def laid(felt: Felt) -> list[int]:
    """The numbers of the tables that are laid out, in use or not."""
    begins = f"{TABLE}{felt.tournament}-"
    found = (one.name.removeprefix(begins) for one in felt.house.ledger.streams())
    return sorted(int(number) for number in found if number.isdecimal())


def base_of(felt: Felt) -> Sheet | None:
    """The sheet that the tournament's tables were opened on, before any level's stakes."""
    for number in laid(felt):
        stream = f"{TABLE}{table_name(felt.tournament, number)}"
        opening = next(felt.house.ledger.entries(stream)).facts
        return game_of(next(one for one in opening if one["fact"] == "table-opened")["sheet"]).sheet
    return None


async def table_at(felt: Felt, number: int) -> Table | None:
    """A table that is laid out, taken up where no process holds it."""
    name = table_name(felt.tournament, number)
    if (held := felt.house.held(name)) is not None:
        return held
    stream = felt.house.ledger.stream(f"{TABLE}{name}")
    return None if stream is None else await felt.house.load(stream)


async def lay_out(felt: Felt, base: Sheet | None = None, *, kind: Kind = "house") -> Refusal | None:
    """A table for each that the draw has filled, and everybody in the seat that was drawn."""
    rules, base = felt.night.refreshed().rules, base_of(felt) or base
    if base is None:
        return Refusal(Code.NO_RULE, f"{felt.tournament} has no table yet; name its rule sheet")
    if isinstance(sheets := level_sheets(base, felt.state.schedule, rules), Refusal):
        return sheets
    for number in felt.state.tables:
        if await table_at(felt, number) is None:
            # Opened on the sheet itself, so that its hash stands before those of the levels.
            name, unit = table_name(felt.tournament, number), felt.unit
            await felt.house.open_table(name, kind, actor=felt.actor, unit=unit, sheet=base)
    return await follow(felt)


async def follow(felt: Felt, *numbers: int) -> Refusal | None:
    """At these tables, or at all: whoever sits otherwise than the night has it gets up first."""
    tables = [(number, await table_at(felt, number)) for number in numbers or laid(felt)]
    seated = felt.state.players.items()
    wanted = {(one.table, one.seat): name for name, one in seated if one.table and one.seat}
    known = [(number, table) for number, table in tables if table is not None]
    asked = [one for number, table in known for one in _getting_up(felt, number, table, wanted)]
    asked += [one for number, table in known for one in _sitting_down(number, table, wanted)]
    for table, by, command in asked:
        if (refusal := await _sent(table, by, command)) is not None:
            return refusal
    return None


async def begin(felt: Felt, number: int) -> Answer:
    """A round begins at a table: by the level's stakes, between rounds, and never in a break."""
    felt.night.refreshed()
    table = await table_at(felt, number)
    if table is None:
        message = f"table {number} of {felt.tournament} is not laid out; draw seats first"
        return Refusal(Code.UNKNOWN_PLACE, message)
    if felt.state.status == "playing" and number not in felt.state.in_hand:
        refusal = _resting(felt) or await follow(felt, number) or await _ready(felt, table)
        if refusal is not None:
            return refusal
    return felt.night.give(commands.BeginRound(felt.tournament, number), actor=felt.actor)


async def count(felt: Felt, number: int) -> Answer:
    """The chips of a table after its round, from the book."""
    felt.night.refreshed()
    table = await table_at(felt, number)
    if table is not None and table.state.live:
        return Refusal(Code.NOT_NOW, f"the round at table {number} is not over; play it out")
    players = felt.state.tables.get(number, [])
    counts = tuple((player, felt.chips(player)) for player in players)
    asked = commands.CountChips(felt.tournament, number, counts, in_book=True)
    return felt.night.give(asked, actor=felt.actor)


def proposed_out(felt: Felt) -> tuple[Group, ...]:
    """Who should go out: no chips, or fewer than the level's smallest stake; fewest first."""
    base = base_of(felt)
    if base is None or felt.state.status != "playing":
        return ()
    sheet = level_sheet(base, felt.state.schedule, felt.level, felt.night.state.rules)
    return () if isinstance(sheet, Refusal) else going_out(felt.state, smallest_stake(sheet))


async def give(felt: Felt, command: commands.Command, *, request: str | None = None) -> Answer:
    """A command to the tournament, after which its tables are as the night has them.

    A table that cannot follow yet, as in the midst of a hand, does so before its next round.
    """
    answer = felt.night.give(command, actor=felt.actor, request=request)
    if not isinstance(answer, Refusal) and felt.state.status == "playing" and laid(felt):
        await lay_out(felt)
    return answer


async def retire(felt: Felt, why: str) -> Refusal | None:
    """Close the tournament's tables for good; their chips go back to the house."""
    for number in laid(felt):
        stream = felt.house.ledger.stream(f"{TABLE}{table_name(felt.tournament, number)}")
        if stream is None or felt.house.is_retired(stream):
            continue
        table = await table_at(felt, number)
        assert table is not None
        if no := await _sent(table, By(felt.actor, "supervisor"), at_table.Retire(why)):
            return no
    return None


def _resting(felt: Felt) -> Refusal | None:
    shown = reading(felt.state.schedule, felt.state.clock, felt.night.now())
    if not shown.on_break:
        return None
    left = f"{int(shown.left.total_seconds()) // 60 + 1} more minutes"
    return Refusal(Code.NOT_NOW, f"{felt.tournament} has a break of {left}; nothing is dealt")


async def _ready(felt: Felt, table: Table) -> Refusal | None:
    """An empty layout under the level's rules; wagers that came early stay, under theirs."""
    if table.state.live:
        return None
    base = base_of(felt)
    assert base is not None
    sheet = level_sheet(base, felt.state.schedule, felt.level, felt.night.state.rules)
    if isinstance(sheet, Refusal):
        return sheet
    by, kept = By(felt.actor, "supervisor"), kept_sheet(sheet)
    if kept["hash"] != table.state.coming["hash"]:
        why = f"level {felt.level} of {felt.tournament}"
        if (refusal := await _sent(table, by, at_table.ChangeSheet(kept, why))) is not None:
            return refusal
    return await _sent(table, by, at_table.OpenRound())


Wanted = dict[tuple[int, int], str]
Asked = tuple[Table, By, at_table.Command]


def _getting_up(felt: Felt, number: int, table: Table, wanted: Wanted) -> Iterator[Asked]:
    for seat, player in table.state.seats.items():
        if wanted.get((number, seat)) != player:
            yield table, By(felt.actor, "supervisor"), at_table.Leave(seat)


def _sitting_down(number: int, table: Table, wanted: Wanted) -> Iterator[Asked]:
    """Players sit down by their own names, as they would by themselves."""
    for (where, seat), player in sorted(wanted.items()):
        if where == number and table.state.seats.get(seat) != player:
            yield table, By(player, "player"), at_table.Sit(seat)


async def _sent(table: Table, by: By, command: at_table.Command) -> Refusal | None:
    answer = await table.send(Envelope(by, command))
    return answer if isinstance(answer, Refusal) else None
