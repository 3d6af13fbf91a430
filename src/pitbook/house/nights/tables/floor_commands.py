"""What the floor asks of a tournament, wherever its chips are counted: by hand, or by live tables.

Once tables are laid out they deal and the book counts: a round begun or counted by hand is theirs.
"""

from __future__ import annotations

from pitbook.house.nights.book.night import Answer
from pitbook.house.nights.tables import cut_hands, stops, tournament_rounds
from pitbook.house.nights.tables.tournament_tables import TournamentTables
from pitbook.house.nights.tournament import commands
from pitbook.house.nights.tournament.facts import ChipsCounted, HandRuled
from pitbook.house.people.names import name_key
from pitbook.house.table.facts import CANNOT_READ
from pitbook.rules.refusals import Code, Refusal, refuse


async def ask(
    here: TournamentTables, command: commands.Command, *, request: str | None = None
) -> Answer:
    """A command's answer; raises Superseded where another process holds the tables."""
    if isinstance(command, commands.OF_TICKETS):
        return await here.night.take(command, actor=here.actor, request=request)
    async with here.turn:
        return await _asked(here, command, request)


async def _asked(here: TournamentTables, command: commands.Command, request: str | None) -> Answer:
    if isinstance(command, commands.Interrupt):
        return await cut_hands.interrupt(here, command.why, request=request)
    if not await tournament_rounds.held(here):
        return await here.night.take(command, actor=here.actor, request=request)
    await stops.first_card(here)
    if isinstance(command, commands.GoOn):
        await cut_hands.carry_on(here)  # Answers that the night has not heard of are not lost.
        return await stops.go_on(here, through=command.through, request=request)
    if isinstance(command, commands.Undo):
        return await cut_hands.undo(here, command, request=request)
    if isinstance(command, commands.BeginRound):
        return await tournament_rounds.begin(here, command.table, request=request)
    if isinstance(command, commands.CountChips):
        return await _counted(here, command, request)
    if isinstance(command, commands.RuleHand):
        return await _ruled(here, command, request)
    staked = await _staked(here, command)
    return staked or await tournament_rounds.give(here, command, request=request)


async def _staked(here: TournamentTables, command: commands.Command) -> Refusal | None:
    """Whose chips are taken up has none on a layout; with a card on them they are played."""
    going = {name_key(one) for one in _going(here, command)}
    for number in await tournament_rounds.held(here):
        table = await tournament_rounds.table_at(here, number)
        lying = table.state.round if table is not None and table.state.live else None
        if lying is None or lying.phase != "wagers":
            continue
        if name := next((one.player for one in lying.seats if name_key(one.player) in going), None):
            lies = {"player": name, "table": number}
            return refuse(Code.NOT_NOW, "nights.tables.wager-lies", **lies)
    return None


def _going(here: TournamentTables, command: commands.Command) -> tuple[str, ...]:
    if isinstance(command, commands.Finish):
        return tuple(here.state.still_in)
    if isinstance(command, commands.Eliminate):
        return command.players
    return (command.player,) if isinstance(command, commands.Refund) else ()


async def _counted(
    here: TournamentTables, command: commands.CountChips, request: str | None
) -> Answer:
    if command.counts:
        where = {"tournament": here.tournament, "table": command.table}
        return refuse(Code.NOT_NOW, "nights.tables.book-counts", **where)
    return await tournament_rounds.count(here, command.table, request=request)


async def _ruled(here: TournamentTables, command: commands.RuleHand, request: str | None) -> Answer:
    """OMS-15: players answer at their table; the floor says only that a hand cannot be read."""
    said = await tournament_rounds.before(here, command.table, request, HandRuled, ChipsCounted)
    if said is not None:
        return said
    asked = (await cut_hands.waiting(here)).get(command.table)
    stopped = here.state.status == "interrupted" and command.table in here.state.stopped
    if asked is None and stopped and not command.readable:
        return await cut_hands.give_up(here, command.table, request=request)
    if asked is None:
        return await tournament_rounds.give(here, command, request=request)
    if command.readable:
        clause = here.night.state.rules.tournaments.multi_table.clause
        who = {"players": asked, "table": command.table}
        return refuse(Code.NOT_NOW, "nights.tables.players-say", clause, **who)
    await cut_hands.unreadable(here, command.table, CANNOT_READ)
    return await tournament_rounds.give(here, command._replace(agreed=()), request=request)
