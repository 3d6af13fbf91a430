"""Resolve the names in a command to people on record; refuse excluded players."""

from __future__ import annotations

from typing import Any, TypeVar

from pitbook.house.nights import commands
from pitbook.house.nights.state import NightState
from pitbook.house.nights.tournament import commands as floor
from pitbook.house.people.names import NAME_MAX, display_name, is_unstorable
from pitbook.house.people.roster import AccessList
from pitbook.rules.refusals import Code, Refusal, refuse

# Who does one of these comes to play; anything else is about somebody who is here.
COMING = (commands.Sell, floor.Enter, floor.ReBuy, floor.AddOn, floor.CheckIn, floor.OpenTicket)
SEATING = (floor.DrawSeats, floor.Start)
AnyCommand = TypeVar("AnyCommand")


def on_record(command: AnyCommand, door: AccessList) -> AnyCommand | Refusal:
    """The command under the names on record; a refusal for a look-alike or somebody excluded."""
    try:
        named: AnyCommand = _named(command, door)
    except _NobodyError as nobody:
        return nobody.refusal
    coming = named.players if isinstance(named, floor.Register) else (buyer(named),)
    barred = (door.exclusion_of(one) for one in coming if one is not None)
    return next((no for no in barred if no is not None), None) or named


def shut_out(state: NightState, command: Any, door: AccessList) -> Refusal | None:
    """Whoever was excluded after the buy-in is refunded before anybody is seated."""
    one = state.tournaments.get(getattr(command, "tournament", ""))
    rule = state.rules.tournaments.refunds if isinstance(command, SEATING) else None
    if one is None or one.dealt or rule is None or rule.until == "never":
        return None
    for player in one.players:
        if (no := door.exclusion_of(player)) is not None:
            who = {"why": no.message, "player": player}
            return refuse(no.code, "nights.names.refund-first", rule.clause, **who)
    return None


def buyer(command: Any) -> str | None:
    """Who comes to play by a command, if somebody does."""
    return str(command.player) if isinstance(command, COMING) else None


def nobody(name: str) -> Refusal | None:
    """Why nobody can play under a name; a name on record of an old book may be odd."""
    if not is_unstorable(name):
        return None
    return refuse(Code.FORBIDDEN, "identity.names.no-name", name=display_name(name), most=NAME_MAX)


class _NobodyError(Exception):
    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.message)
        self.refusal = refusal


def _named(command: Any, door: AccessList) -> Any:
    """Every field of a command that names people, in their own names."""

    def known(name: str) -> str:
        found = door.resolve_name(name)
        if isinstance(found, Refusal):
            raise _NobodyError(found)
        return found

    changed: dict[str, Any] = {}
    if hasattr(command, "player"):
        changed["player"] = known(command.player)
    for field in ("players", "agreed"):
        if hasattr(command, field):
            changed[field] = tuple(map(known, getattr(command, field)))
    if hasattr(command, "moves"):
        changed["moves"] = tuple(one._replace(player=known(one.player)) for one in command.moves)
    if hasattr(command, "counts"):
        changed["counts"] = tuple((known(name), chips) for name, chips in command.counts)
    return command._replace(**changed) if changed else command
