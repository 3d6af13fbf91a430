"""The field of a tournament for people to read: entrants, chips, seats, clock and what is due."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from pitbook.cli.language import worded
from pitbook.house.nights.tournament import facts
from pitbook.house.nights.tournament.clock import reading
from pitbook.house.nights.tournament.state import Player, Tournament
from pitbook.money import money
from pitbook.sheets.findings import printable
from pitbook.text import say


def document_of(one: Tournament, now: datetime) -> dict[str, Any]:
    """A tournament as JSON."""
    last = one.last
    return {
        "tournament": one.tournament,
        "title": one.schedule.title,
        "kind": one.schedule.kind,
        "status": one.status,
        "announced": one.announced,
        "prize_money": money(one.prize_money),
        "fees": money(one.fees),
        "clock": _clock(one, now),
        "players": {name: _player(player) for name, player in one.players.items()},
        "still_in": one.still_in,
        "stopped": list(one.stopped),
        "prizes": None if one.posted is None else [money(cents) for cents in one.posted],
        "last": None if last is None else {"number": last[0], **facts.dump(last[1])},
    }


def _clock(one: Tournament, now: datetime) -> dict[str, Any]:
    shown = reading(one.schedule, one.clock, now)
    return {
        "level": shown.level,
        "on_break": shown.on_break,
        "seconds_left": int(shown.left.total_seconds()),
        "running": shown.running,
        "over": shown.over,
    }


def _player(one: Player) -> dict[str, Any]:
    amounts = {name: money(getattr(one, name)) for name in ("spent", "chips", "due", "paid")}
    return {**amounts, "table": one.table, "seat": one.seat}


def words_of(one: Tournament, now: datetime) -> Iterator[str]:
    """A tournament in lines."""
    document = document_of(one, now)
    yield printable(f"{one.tournament}: {one.schedule.title}, {one.schedule.kind}, {one.status}")
    money = {"prizes": document["prize_money"], "fees": document["fees"]}
    yield worded(say("cli.tournament.money", **money))
    if one.stopped:
        yield worded(say("cli.tournament.stopped", tables=one.stopped))
    for name, player in document["players"].items():
        yield printable(f"  {worded(_player_told(name, player, due=one.players[name].due))}")
    if (last := document["last"]) is not None:
        fact = last["fact"].removeprefix("tournament-")
        yield printable(worded(say("cli.tournament.last", number=last["number"], fact=fact)))


def _player_told(name: str, player: dict[str, Any], *, due: int) -> str:
    told: str = say(
        "cli.tournament.player", name=name, chips=player["chips"], spent=player["spent"]
    )
    if player["table"]:
        at = {"table": player["table"], "seat": player["seat"]}
        told = say("cli.tournament.seated", player=told, **at)
    if due:
        told = say("cli.tournament.due", player=told, due=player["due"], paid=player["paid"])
    return told
