"""Commands that seat people. The lot is drawn here once, and recorded with what it decided."""

from __future__ import annotations

from pitbook.house.nights.tournament import commands, facts
from pitbook.house.nights.tournament.commands import RoomSeat
from pitbook.house.nights.tournament.facts import FactsOrRefusal
from pitbook.house.nights.tournament.floor import Floor
from pitbook.house.nights.tournament.preconditions import unknown, with_a_hand
from pitbook.house.nights.tournament.seating import balancing, breaking, drawn_seats, misplaced
from pitbook.house.nights.tournament.state import Tournament
from pitbook.rules.refusals import Code, Refusal, refuse


def draw_seats(was: Tournament, _: commands.DrawSeats, floor: Floor) -> FactsOrRefusal:
    """Seats for all who have none."""
    seats, drawn = drawn_seats(was, floor.draw)
    if not seats:
        return refuse(Code.NO_SEATS, "nights.room.all-seated", tournament=was.tournament)
    return [facts.SeatsDrawn(was.tournament, seats, drawn)]


def balance(was: Tournament, command: commands.Balance, _: Floor) -> FactsOrRefusal:
    """Players change tables, so that all tables are about as full."""
    moves = command.moves or balancing(was)
    if not moves:
        return refuse(Code.NOT_NOW, "nights.room.even", tournament=was.tournament)
    return _misplaced(was, moves) or [facts.Moved(was.tournament, moves, None)]


def break_table(was: Tournament, command: commands.BreakTable, _: Floor) -> FactsOrRefusal:
    """A table's players find seats at the others."""
    table = command.table
    if table not in was.tables:
        where = {"table": table, "tournament": was.tournament}
        return refuse(Code.UNKNOWN_PLACE, "nights.room.nobody-there", **where)
    moves = command.moves or breaking(was, table)
    if moves is None:
        return refuse(Code.NOT_NOW, "nights.room.no-room", table=table)
    going = {move.player for move in moves if move.table != table}
    if left := [player for player in was.tables[table] if player not in going]:
        still = {"table": table, "player": left[0]}
        return refuse(Code.NOT_NOW, "nights.room.still-seated", **still)
    return _misplaced(was, moves) or [facts.Moved(was.tournament, moves, table)]


def _misplaced(was: Tournament, moves: tuple[RoomSeat, ...]) -> Refusal | None:
    from_there = [was.players[one.player].table for one in moves if one.player in was.players]
    refusal = unknown(was, [one.player for one in moves]) or with_a_hand(
        was, [*from_there, *(one.table for one in moves)]
    )
    if refusal is not None:
        return refusal
    wrong = misplaced(was, moves)
    return None if wrong is None else Refusal(Code.SEAT_TAKEN, wrong)
