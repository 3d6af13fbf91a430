"""Reasons that the house itself puts on record: text there, written and known again from here."""

from __future__ import annotations

from pitbook.text import say

__all__ = [
    "ABOVE_RACK",
    "BACK",
    "CANNOT_READ",
    "FLOOR_GOES_ON",
    "NIGHT_CLOSED",
    "RETURNED",
    "STOPPED",
    "TOURNAMENT_CUT",
    "UNDONE",
    "VOID",
    "reason",
]

ABOVE_RACK = "payout above the rack"
STOPPED = "the table was stopped"
FLOOR_GOES_ON = "the floor goes on"
TOURNAMENT_CUT = "the tournament is interrupted"
UNDONE = "the interruption was undone"
CANNOT_READ = "the floor cannot read it"
NIGHT_CLOSED = "the night closed"
BACK, VOID = " taken back", " void"  # So the reasons of transfers end that undo others.
RETURNED = (BACK, VOID)


def reason(why: str) -> str:
    """A reason as it is told; what a person wrote stays as it was written."""
    ours = {
        ABOVE_RACK: say("table.reasons.above-rack"),
        STOPPED: say("table.reasons.stopped"),
        FLOOR_GOES_ON: say("table.reasons.floor-goes-on"),
        TOURNAMENT_CUT: say("table.reasons.tournament-cut"),
        UNDONE: say("table.reasons.undone"),
        CANNOT_READ: say("table.reasons.cannot-read"),
        NIGHT_CLOSED: say("table.reasons.night-closed"),
    }
    return ours.get(why, why)
