"""Seats of a tournament: draws, balancing, and breaking tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from pitbook.house.nights.context import Floor
from pitbook.house.nights.tournament import commands, facts
from pitbook.house.nights.tournament.commands import RoomSeat
from pitbook.house.nights.tournament.facts import FactsOrRefusal
from pitbook.house.nights.tournament.state import Tournament, unknown, with_a_hand
from pitbook.rules.refusals import Code, Refusal, refuse
from pitbook.text import Sentence, say

Room = dict[int, dict[int, str]]  # Table, seat, player.


def drawn_seats(
    tournament: Tournament, draw: Callable[[int], int]
) -> tuple[tuple[RoomSeat, ...], tuple[int, ...]]:
    """Seats for all who have none, and the numbers drawn: who is next, and for which free seat."""
    room, drawn, found = _room(tournament), [], []
    for table in range(1, max([tables_needed(tournament), *room]) + 1):
        if len(room) < tables_needed(tournament):
            room.setdefault(table, {})
    waiting = [name for name in tournament.still_in if tournament.players[name].table is None]
    while waiting:
        drawn.append(draw(len(waiting)))
        player, table = waiting.pop(drawn[-1]), _emptiest(room)
        free = _free(room[table], tournament.schedule.seats)
        drawn.append(draw(len(free)))
        found.append(RoomSeat(player, table, free[drawn[-1]]))
        room[table][free[drawn[-1]]] = player
    return tuple(found), tuple(drawn)


def tables_needed(tournament: Tournament) -> int:
    """As many tables as the players still in fill."""
    return -(-len(tournament.still_in) // tournament.schedule.seats)


def breakable(tournament: Tournament) -> int | None:
    """The table to give up, once the others can seat everybody: the smallest, the last of these."""
    room = _room(tournament)
    if len(room) <= max(1, tables_needed(tournament)):
        return None
    return min(room, key=lambda table: (len(room[table]), -table))


def breaking(tournament: Tournament, table: int) -> tuple[RoomSeat, ...] | None:
    """Seats elsewhere for everybody at a table; None where there are not enough."""
    room, seats, moves = _room(tournament), tournament.schedule.seats, []
    for player in [name for _, name in sorted(room.pop(table, {}).items())]:
        if not room or len(room[_emptiest(room)]) >= seats:
            return None
        moves.append(_into(room, player, seats))
    return tuple(moves)


def balancing(tournament: Tournament) -> tuple[RoomSeat, ...]:
    """Moves after which no table has two players more than another; the last seat gets up."""
    room, moves = _room(tournament), []
    while room:
        fullest = max(room, key=lambda table: (len(room[table]), -table))
        if len(room[fullest]) - len(room[_emptiest(room)]) <= 1:
            break
        player = room[fullest].pop(max(room[fullest]))
        moves.append(_into(room, player, tournament.schedule.seats))
    return tuple(moves)


def misplaced(tournament: Tournament, moves: Iterable[RoomSeat]) -> Sentence | None:
    """What is wrong with moves, if anything."""
    room = _room(tournament)
    taken = {(table, seat): name for table, seats in room.items() for seat, name in seats.items()}
    wanted = {name: place for place, name in taken.items()}
    for player, table, seat in moves:
        if player not in wanted:
            return say("nights.seating.no-seat", player=player)
        if table not in room or not 1 <= seat <= tournament.schedule.seats:
            return say("nights.seating.no-such-seat", seat=seat, table=table)
        wanted[player] = (table, seat)
    return _twice(wanted)


def _twice(wanted: Mapping[str, tuple[int, int]]) -> Sentence | None:
    sitting: dict[tuple[int, int], str] = {}
    for player, (table, seat) in wanted.items():
        if (table, seat) in sitting:
            both = {"first": sitting[table, seat], "second": player}
            return say("nights.seating.both", **both, seat=seat, table=table)
        sitting[table, seat] = player
    return None


def _into(room: Room, player: str, seats: int) -> RoomSeat:
    table = _emptiest(room)
    seat = _free(room[table], seats)[0]
    room[table][seat] = player
    return RoomSeat(player, table, seat)


def _room(tournament: Tournament) -> Room:
    return {
        table: {tournament.players[name].seat or 0: name for name in names}
        for table, names in tournament.tables.items()
    }


def _emptiest(room: Room) -> int:
    return min(room, key=lambda table: (len(room[table]), table))


def _free(taken: Mapping[int, str], seats: int) -> list[int]:
    return [seat for seat in range(1, seats + 1) if seat not in taken]


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
