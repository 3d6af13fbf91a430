"""Clock board and results of a tournament."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import NamedTuple, cast

from pitbook.house.nights.tournament.clock import ClockReading, reading
from pitbook.house.nights.tournament.payouts import amounts, places
from pitbook.house.nights.tournament.schedule import Schedule
from pitbook.house.nights.tournament.state import Tournament
from pitbook.house.nights.view_types import ClockBoard, LevelLimit, PlacePaid
from pitbook.money import Cents, money


class EntrantResult(NamedTuple):
    """One entrant; no place means still in, or that the tournament is void."""

    place: int | None
    player: str
    spent: Cents
    due: Cents
    paid: Cents


def results(tournament: Tournament) -> tuple[EntrantResult, ...]:
    """Every entrant with place and money."""
    placed = {} if tournament.status == "void" else places(tournament)
    place_of = {player: place for group, place in placed.items() for player in group}
    listed = (
        EntrantResult(place_of.get(name), name, one.spent, one.due, one.paid)
        for name, one in tournament.players.items()
    )
    return tuple(sorted(listed, key=lambda one: one.place or 0))


def board(one: Tournament, now: datetime) -> ClockBoard:
    """What the board shows; times are whole and parts of seconds, counted by the night's clock."""
    shown = reading(one.schedule, one.clock, now)
    return {
        "tournament": one.tournament,
        "title": one.schedule.title,
        "status": one.status,
        "started": one.clock is not None,
        "level": shown.level,
        "levels": len(one.schedule.levels),
        "on_break": shown.on_break,
        "running": shown.running and one.status in ("open", "playing"),
        "over": shown.over,
        "left": seconds(shown.left),
        "next_break": None if shown.next_break is None else seconds(shown.next_break),
        "limits": _limits(one.schedule, shown.level),
        "next_limits": _next_limits(one.schedule, shown),
        "players_left": len(one.still_in),
        "entrants": len(one.players),
        "average_stack": money(average_stack(one)),
        "prize_money": money(one.prize_money),
        "prizes": [money(cents) for cents in prizes_so_far(one)],
        "posted": one.posted is not None,
        "results": _results(one),
        "message": one.message_at(now),
        "version": one.version,
        "now": now.isoformat(),
    }


def _results(one: Tournament) -> list[PlacePaid]:
    """Who won and what each is paid, once it is over; whoever shares a place stands beside."""
    if one.status != "finished":
        return []
    return [
        {"place": found.place, "player": found.player, "due": money(found.due)}
        for found in results(one)
        if found.due or found.place == 1
    ]


def sign_of_change(told: ClockBoard) -> tuple[object, ...]:
    """What differs between two boards that differ in more than the seconds."""
    level = told["level"], told["on_break"], told["running"], told["over"]
    return told["version"], *level, told["message"]


def average_stack(one: Tournament) -> Cents:
    """The chips of those still in, evenly; parts of a cent are left out."""
    left = one.still_in
    chips = sum(one.players[player].chips for player in left)
    return Cents(chips // len(left) if left else 0)


def prizes_so_far(one: Tournament) -> tuple[Cents, ...]:
    """What is posted; before that, what those who have entered would play for."""
    if one.posted is not None:
        return one.posted
    enough = len(one.players) >= one.schedule.prizes[0].entrants
    return amounts(one) if enough else ()


def seconds(time: timedelta) -> float:
    """A stretch of time as JSON has it, to the millisecond."""
    return round(time.total_seconds(), 3)


def _limits(schedule: Schedule, level: int) -> list[LevelLimit]:
    """Each wager that has limits of its own in a level."""
    limits = schedule.limits(level).items()
    return [cast(LevelLimit, {"wager": wager, **bounds}) for wager, bounds in limits]


def _next_limits(schedule: Schedule, shown: ClockReading) -> list[LevelLimit] | None:
    if shown.level >= len(schedule.levels):
        return None
    return _limits(schedule, shown.level + 1)
