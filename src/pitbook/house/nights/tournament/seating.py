"""Seats of a tournament: draws, balancing, and breaking tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from pitbook.house.nights.decision_types import TournamentContext
from pitbook.house.nights.tournament import commands, facts
from pitbook.house.nights.tournament.commands import RoomSeat
from pitbook.house.nights.tournament.facts import FactsOrRefusal
from pitbook.house.nights.tournament.state import Tournament, require_no_hand, require_players_in
from pitbook.rules.refusals import Code, Refusal, refuse
from pitbook.text import Sentence, say

Room = dict[int, dict[int, str]]  # Table, seat, player.


def draw_seat_assignments(
    tournament: Tournament, draw: Callable[[int], int]
) -> tuple[tuple[RoomSeat, ...], tuple[int, ...]]:
    """Seats for players without one, and the numbers drawn for player and seat."""
    room, drawn, assignments = _room_of(tournament), [], []
    for table in range(1, max([tables_needed(tournament), *room]) + 1):
        if len(room) < tables_needed(tournament):
            room.setdefault(table, {})
    unseated = [name for name in tournament.still_in if tournament.players[name].table is None]
    while unseated:
        drawn.append(draw(len(unseated)))
        player, table = unseated.pop(drawn[-1]), _emptiest_table(room)
        free = _free_seats(room[table], tournament.schedule.seats)
        drawn.append(draw(len(free)))
        assignments.append(RoomSeat(player, table, free[drawn[-1]]))
        room[table][free[drawn[-1]]] = player
    return tuple(assignments), tuple(drawn)


def tables_needed(tournament: Tournament) -> int:
    """The fewest tables that seat all players still in."""
    return -(-len(tournament.still_in) // tournament.schedule.seats)


def table_to_break(tournament: Tournament) -> int | None:
    """The smallest table, once the others can seat everybody; of equals, the one with the highest
    number.
    """
    room = _room_of(tournament)
    if len(room) <= max(1, tables_needed(tournament)):
        return None
    return min(room, key=lambda table: (len(room[table]), -table))


def break_moves(tournament: Tournament, table: int) -> tuple[RoomSeat, ...] | None:
    """Seats elsewhere for everybody at a table; None if there are not enough."""
    room, seats, moves = _room_of(tournament), tournament.schedule.seats, []
    for player in [name for _, name in sorted(room.pop(table, {}).items())]:
        if not room or len(room[_emptiest_table(room)]) >= seats:
            return None
        moves.append(_move_to_emptiest(room, player, seats))
    return tuple(moves)


def balance_moves(tournament: Tournament) -> tuple[RoomSeat, ...]:
    """Moves after which no table has two players more than another; the last seat moves first."""
    room, moves = _room_of(tournament), []
    while room:
        fullest = max(room, key=lambda table: (len(room[table]), -table))
        if len(room[fullest]) - len(room[_emptiest_table(room)]) <= 1:
            break
        player = room[fullest].pop(max(room[fullest]))
        moves.append(_move_to_emptiest(room, player, tournament.schedule.seats))
    return tuple(moves)


def move_error(tournament: Tournament, moves: Iterable[RoomSeat]) -> Sentence | None:
    """Why moves are impossible, if they are."""
    room = _room_of(tournament)
    occupants = {
        (table, seat): name for table, seats in room.items() for seat, name in seats.items()
    }
    places = {name: place for place, name in occupants.items()}
    for player, table, seat in moves:
        if player not in places:
            return say("nights.seating.no-seat", player=player)
        if table not in room or not 1 <= seat <= tournament.schedule.seats:
            return say("nights.seating.no-such-seat", seat=seat, table=table)
        places[player] = (table, seat)
    return _double_booking(places)


def _double_booking(places: Mapping[str, tuple[int, int]]) -> Sentence | None:
    players_by_place: dict[tuple[int, int], str] = {}
    for player, (table, seat) in places.items():
        if (table, seat) in players_by_place:
            fields = {"first": players_by_place[table, seat], "second": player}
            return say("nights.seating.both", **fields, seat=seat, table=table)
        players_by_place[table, seat] = player
    return None


def _move_to_emptiest(room: Room, player: str, seats: int) -> RoomSeat:
    table = _emptiest_table(room)
    seat = _free_seats(room[table], seats)[0]
    room[table][seat] = player
    return RoomSeat(player, table, seat)


def _room_of(tournament: Tournament) -> Room:
    return {
        table: {tournament.players[name].seat or 0: name for name in names}
        for table, names in tournament.tables.items()
    }


def _emptiest_table(room: Room) -> int:
    return min(room, key=lambda table: (len(room[table]), table))


def _free_seats(seats_taken: Mapping[int, str], seats: int) -> list[int]:
    return [seat for seat in range(1, seats + 1) if seat not in seats_taken]


def draw_seats(
    tournament: Tournament, _: commands.DrawSeats, context: TournamentContext
) -> FactsOrRefusal:
    """Draw seats for all players without one."""
    seats, drawn = draw_seat_assignments(tournament, context.draw)
    if not seats:
        return refuse(Code.NO_SEATS, "nights.room.all-seated", tournament=tournament.tournament)
    return [facts.SeatsDrawn(tournament.tournament, seats, drawn)]


def balance(
    tournament: Tournament, command: commands.Balance, _: TournamentContext
) -> FactsOrRefusal:
    """Move players so that all tables are about equally full."""
    moves = command.moves or balance_moves(tournament)
    if not moves:
        return refuse(Code.NOT_NOW, "nights.room.even", tournament=tournament.tournament)
    return _move_refusal(tournament, moves) or [facts.Moved(tournament.tournament, moves, None)]


def break_table(
    tournament: Tournament, command: commands.BreakTable, _: TournamentContext
) -> FactsOrRefusal:
    """Break a table: move its players to open seats at the other tables."""
    table = command.table
    if table not in tournament.tables:
        fields = {"table": table, "tournament": tournament.tournament}
        return refuse(Code.UNKNOWN_PLACE, "nights.room.nobody-there", **fields)
    moves = command.moves or break_moves(tournament, table)
    if moves is None:
        return refuse(Code.NOT_NOW, "nights.room.no-room", table=table)
    leaving = {move.player for move in moves if move.table != table}
    if staying := [player for player in tournament.tables[table] if player not in leaving]:
        player_fields = {"table": table, "player": staying[0]}
        return refuse(Code.NOT_NOW, "nights.room.still-seated", **player_fields)
    return _move_refusal(tournament, moves) or [facts.Moved(tournament.tournament, moves, table)]


def _move_refusal(tournament: Tournament, moves: tuple[RoomSeat, ...]) -> Refusal | None:
    old_tables = [
        tournament.players[move.player].table for move in moves if move.player in tournament.players
    ]
    refusal = require_players_in(tournament, [move.player for move in moves]) or require_no_hand(
        tournament, [*old_tables, *(move.table for move in moves)]
    )
    if refusal is not None:
        return refusal
    error = move_error(tournament, moves)
    return None if error is None else Refusal(Code.SEAT_TAKEN, error)
