"""Resolve the names in a command to people on record; refuse excluded players."""

from __future__ import annotations

from typing import Any, TypeVar

from pitbook.house.nights import commands
from pitbook.house.nights.state import NightState
from pitbook.house.nights.tournament import commands as tournament_commands
from pitbook.house.people.access_list import AccessList
from pitbook.house.people.names import NAME_MAX, display_name, is_unstorable
from pitbook.rules.refusals import Code, Refusal, refuse

# These commands make somebody a player; others concern people already present.
JOINING = (
    commands.Sell,
    tournament_commands.Enter,
    tournament_commands.ReBuy,
    tournament_commands.AddOn,
    tournament_commands.CheckIn,
    tournament_commands.OpenTicket,
)
SEATING = (tournament_commands.DrawSeats, tournament_commands.Start)
AnyCommand = TypeVar("AnyCommand")


def resolve_names(command: AnyCommand, access_list: AccessList) -> AnyCommand | Refusal:
    """The command with recorded names, or a refusal of a look-alike or excluded person."""
    try:
        resolved: AnyCommand = _with_resolved_names(command, access_list)
    except _NameRefusedError as error:
        return error.refusal
    joining = (
        resolved.players
        if isinstance(resolved, tournament_commands.Register)
        else (joining_player(resolved),)
    )
    exclusions = (access_list.exclusion_of(name) for name in joining if name is not None)
    return next((exclusion for exclusion in exclusions if exclusion is not None), None) or resolved


def exclusion_refusal(state: NightState, command: Any, access_list: AccessList) -> Refusal | None:
    """Require refunds for players excluded since their buy-in before seats are drawn."""
    tournament = state.tournaments.get(getattr(command, "tournament", ""))
    rule = state.rules.tournaments.refunds if isinstance(command, SEATING) else None
    if tournament is None or tournament.dealt or rule is None or rule.until == "never":
        return None
    for player in tournament.players:
        if (exclusion := access_list.exclusion_of(player)) is not None:
            fields = {"why": exclusion.message, "player": player}
            return refuse(exclusion.code, "nights.names.refund-first", rule.clause, **fields)
    return None


def joining_player(command: Any) -> str | None:
    """The player who joins through a command, if any."""
    return str(command.player) if isinstance(command, JOINING) else None


def name_refusal(name: str) -> Refusal | None:
    """Why nobody can play under a name. Odd names on old records are accepted."""
    if not is_unstorable(name):
        return None
    return refuse(Code.FORBIDDEN, "identity.names.no-name", name=display_name(name), most=NAME_MAX)


class _NameRefusedError(Exception):
    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.message)
        self.refusal = refusal


def _with_resolved_names(command: Any, access_list: AccessList) -> Any:
    """The command with every name field resolved to the recorded name."""

    def resolve(name: str) -> str:
        resolved = access_list.resolve_name(name)
        if isinstance(resolved, Refusal):
            raise _NameRefusedError(resolved)
        return resolved

    resolved_fields: dict[str, Any] = {}
    if hasattr(command, "player"):
        resolved_fields["player"] = resolve(command.player)
    for field in ("players", "agreed"):
        if hasattr(command, field):
            resolved_fields[field] = tuple(map(resolve, getattr(command, field)))
    if hasattr(command, "moves"):
        resolved_fields["moves"] = tuple(
            move._replace(player=resolve(move.player)) for move in command.moves
        )
    if hasattr(command, "counts"):
        resolved_fields["counts"] = tuple((resolve(name), chips) for name, chips in command.counts)
    return command._replace(**resolved_fields) if resolved_fields else command
