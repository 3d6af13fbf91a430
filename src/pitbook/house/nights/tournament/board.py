"""Clock board and results of a tournament."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import NamedTuple, cast

from pitbook.house.nights.api_types import ClockBoard, LevelLimit, PaidPlace
from pitbook.house.nights.tournament.clock import ClockReading, reading
from pitbook.house.nights.tournament.prizes import finishing_places, prize_amounts
from pitbook.house.nights.tournament.schedule import Schedule
from pitbook.house.nights.tournament.state import Tournament
from pitbook.money import Cents, money


class EntrantResult(NamedTuple):
    """An entrant's result. No place means still in, or a void tournament."""

    place: int | None
    player: str
    spent: Cents
    due: Cents
    paid: Cents


def results(tournament: Tournament) -> tuple[EntrantResult, ...]:
    placed = {} if tournament.status == "void" else finishing_places(tournament)
    places_by_player = {player: place for group, place in placed.items() for player in group}
    listed = (
        EntrantResult(places_by_player.get(name), name, entrant.spent, entrant.due, entrant.paid)
        for name, entrant in tournament.players.items()
    )
    return tuple(sorted(listed, key=lambda result: result.place or 0))


def board(tournament: Tournament, now: datetime) -> ClockBoard:
    """The clock board. Times are seconds by the night's clock."""
    clock_reading = reading(tournament.schedule, tournament.clock, now)
    return {
        "tournament": tournament.tournament,
        "title": tournament.schedule.title,
        "status": tournament.status,
        "started": tournament.clock is not None,
        "level": clock_reading.level,
        "levels": len(tournament.schedule.levels),
        "on_break": clock_reading.on_break,
        "running": clock_reading.running and tournament.status in ("open", "playing"),
        "over": clock_reading.over,
        "left": seconds(clock_reading.left),
        "next_break": None
        if clock_reading.next_break is None
        else seconds(clock_reading.next_break),
        "limits": _limits(tournament.schedule, clock_reading.level),
        "next_limits": _next_limits(tournament.schedule, clock_reading),
        "players_left": len(tournament.still_in),
        "entrants": len(tournament.players),
        "average_stack": money(average_stack(tournament)),
        "prize_money": money(tournament.prize_money),
        "prizes": [money(cents) for cents in prizes_so_far(tournament)],
        "posted": tournament.posted is not None,
        "results": _results(tournament),
        "message": tournament.message_at(now),
        "version": tournament.version,
        "now": now.isoformat(),
    }


def _results(tournament: Tournament) -> list[PaidPlace]:
    """The winner and every paid entrant of a finished tournament; shared places are adjacent."""
    if tournament.status != "finished":
        return []
    return [
        {"place": result.place, "player": result.player, "due": money(result.due)}
        for result in results(tournament)
        if result.due or result.place == 1
    ]


def board_version(clock_board: ClockBoard) -> tuple[object, ...]:
    """A value that changes whenever a board changes in more than the seconds."""
    level = (
        clock_board["level"],
        clock_board["on_break"],
        clock_board["running"],
        clock_board["over"],
    )
    return clock_board["version"], *level, clock_board["message"]


def average_stack(tournament: Tournament) -> Cents:
    """The average chips of players still in, in whole cents."""
    players_left = tournament.still_in
    chips = sum(tournament.players[player].chips for player in players_left)
    return Cents(chips // len(players_left) if players_left else 0)


def prizes_so_far(tournament: Tournament) -> tuple[Cents, ...]:
    """The posted prizes, or what they would be with the current entries."""
    if tournament.posted is not None:
        return tournament.posted
    enough = len(tournament.players) >= tournament.schedule.prizes[0].entrants
    return prize_amounts(tournament) if enough else ()


def seconds(time: timedelta) -> float:
    """A duration as JSON seconds, to the millisecond."""
    return round(time.total_seconds(), 3)


def _limits(schedule: Schedule, level: int) -> list[LevelLimit]:
    """The wagers with their own limits in a level."""
    limits = schedule.limits(level).items()
    return [cast(LevelLimit, {"wager": wager, **bounds}) for wager, bounds in limits]


def _next_limits(schedule: Schedule, clock_reading: ClockReading) -> list[LevelLimit] | None:
    if clock_reading.level >= len(schedule.levels):
        return None
    return _limits(schedule, clock_reading.level + 1)
