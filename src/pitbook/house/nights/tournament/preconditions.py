"""The questions that many commands ask first, each answered by a refusal or by nothing."""

from __future__ import annotations

from collections.abc import Iterable

from pitbook.house.nights.tournament.state import Tournament
from pitbook.rules.refusals import Code, Refusal, refuse
from pitbook.sheets.findings import printable
from pitbook.text import Sentence, say


def status_told(tournament: Tournament) -> Sentence:
    """How a tournament stands, in a word."""
    return say("nights.status", status=tournament.status)


def not_playing(tournament: Tournament) -> Refusal | None:
    """Whether cards are not in play."""
    if tournament.status == "playing":
        return None
    name, status = tournament.tournament, status_told(tournament)
    return refuse(Code.NOT_NOW, "nights.asked.not-playing", tournament=name, status=status)


def unknown(tournament: Tournament, players: Iterable[str]) -> Refusal | None:
    """Whether somebody named is not, or no longer, in the tournament."""
    for player in players:
        if player not in tournament.players:
            who = {"player": printable(player), "tournament": tournament.tournament}
            return refuse(Code.UNKNOWN_SEAT, "nights.asked.not-entered", **who)
        if player not in tournament.still_in:
            out = {"player": player, "tournament": tournament.tournament}
            return refuse(Code.NOT_NOW, "nights.asked.is-out", **out)
    return None


def with_a_hand(tournament: Tournament, tables: Iterable[int | None]) -> Refusal | None:
    """Whether a round lies at one of the tables."""
    busy = sorted({table for table in tables if table in tournament.in_hand and table is not None})
    if not busy:
        return None
    return refuse(Code.NOT_NOW, "nights.asked.hand-on-layout", table=busy[0])
