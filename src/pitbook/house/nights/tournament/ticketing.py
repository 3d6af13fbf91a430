"""Tickets as the floor and their bearers ask for them: a new one, none any more, or the seat."""

from __future__ import annotations

from pitbook.house.nights.tournament import commands, facts
from pitbook.house.nights.tournament.facts import FactsOrRefusal
from pitbook.house.nights.tournament.floor import Floor
from pitbook.house.nights.tournament.preconditions import unknown
from pitbook.house.nights.tournament.state import Tournament
from pitbook.house.nights.tournament.tickets import why_not
from pitbook.rules.refusals import Code, Refusal, refuse
from pitbook.sheets.findings import printable


def rotate(was: Tournament, command: commands.RotateTicket, floor: Floor) -> FactsOrRefusal:
    """A new ticket for somebody who is in, or at the door."""
    player = command.player
    return _nobody(was, player) or [
        facts.TicketRotated(was.tournament, player, floor.now, floor.actor, command.why)
    ]


def revoke(was: Tournament, command: commands.RevokeTicket, floor: Floor) -> FactsOrRefusal:
    """No ticket for somebody, until there is a new one."""
    player = command.player
    if (refusal := _nobody(was, player)) is not None:
        return refusal
    if was.ticket(player).revoked:
        whose = {"player": player, "tournament": was.tournament}
        return refuse(Code.NOT_NOW, "nights.tickets.is-revoked", **whose)
    return [facts.TicketRevoked(was.tournament, player, floor.now, floor.actor, command.why)]


def open_(was: Tournament, command: commands.OpenTicket, floor: Floor) -> FactsOrRefusal:
    """A seat for the browser that has the ticket, while there is one."""
    player, edition = command.player, command.edition
    if (no := why_not(was, player, edition)) is not None:
        return Refusal(Code.FORBIDDEN, no)
    if (refusal := unknown(was, [player])) is not None:
        return refusal
    if was.players[player].seat is None:
        who = {"player": player, "tournament": was.tournament}
        return refuse(Code.NOT_NOW, "nights.tickets.no-seat", **who)
    return [
        facts.TicketOpened(was.tournament, player, floor.now, edition, command.opening),
    ]


def _nobody(was: Tournament, player: str) -> Refusal | None:
    if player in was.players or player in was.arrived:
        return None
    who = {"player": printable(player), "tournament": was.tournament}
    return refuse(Code.UNKNOWN_SEAT, "nights.tickets.nobodys", **who)
