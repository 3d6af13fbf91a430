"""The questions that many commands ask first, each answered by a refusal or by nothing."""

from __future__ import annotations

from collections.abc import Iterable

from pitbook.game.refusals import Code, Refusal
from pitbook.nights.tournament.state import Tournament
from pitbook.sheets.findings import printable

__all__ = ["not_now", "not_playing", "unknown", "with_a_hand"]


def not_now(message: str, clause: str | None = None) -> Refusal:
    """A refusal that a later or an earlier moment would not have met."""
    return Refusal(Code.NOT_NOW, message, clause)


def not_playing(tournament: Tournament) -> Refusal | None:
    """Whether cards are not in play."""
    if tournament.status == "playing":
        return None
    return not_now(f"{tournament.tournament} is {tournament.status}; no round is played in it now")


def unknown(tournament: Tournament, players: Iterable[str]) -> Refusal | None:
    """Whether somebody named is not, or no longer, in the tournament."""
    for player in players:
        if player not in tournament.players:
            name = printable(player)
            return Refusal(Code.UNKNOWN_SEAT, f"{name} has not entered {tournament.tournament}")
        if player not in tournament.still_in:
            return not_now(f"{player} is out of {tournament.tournament}")
    return None


def with_a_hand(tournament: Tournament, tables: Iterable[int | None]) -> Refusal | None:
    """Whether a round lies at one of the tables."""
    busy = sorted({table for table in tables if table in tournament.in_hand and table is not None})
    if not busy:
        return None
    return not_now(f"a round is on the layout of table {busy[0]}; count its chips first")
