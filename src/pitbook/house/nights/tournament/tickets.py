"""Tickets of a tournament: their state, and commands to rotate, revoke and open them."""

from __future__ import annotations

from pitbook.house.nights.context import Floor
from pitbook.house.nights.tournament import commands, facts
from pitbook.house.nights.tournament.facts import FactsOrRefusal
from pitbook.house.nights.tournament.state import LEFT, Tournament, status_told, unknown
from pitbook.rules.refusals import Code, Refusal, refuse
from pitbook.sheets.findings import printable
from pitbook.text import Sentence, say

OVER = ("finished", "void", "withdrawn")


def is_final(one: Tournament) -> bool:
    """Whether it is over and no undo brings it back: it was withdrawn, or money has left."""
    paid = one.last is not None and isinstance(one.last[1], LEFT)
    return one.status == "withdrawn" or (one.status in OVER and paid)


def why_not(one: Tournament, player: str, edition: int) -> Sentence | None:
    """Why a ticket is no good, in a sentence; None: it is good, seat or no seat."""
    known, name = one.ticket(player), one.tournament
    if one.status in OVER:
        return _ended(one)
    if known.edition != edition:
        return say("nights.tickets.was-replaced", player=player, tournament=name)
    if known.revoked:
        return say("nights.tickets.was-revoked", player=player, tournament=name)
    return None


def why_ended(one: Tournament, player: str, opening: str) -> Sentence | None:
    """Why a browser plays by a ticket no more; None: it still does."""
    known, name = one.ticket(player), one.tournament
    if one.status in OVER:
        return _ended(one)
    if any(player in group for group in one.out):
        return say("nights.tickets.is-out", player=player, tournament=name)
    if known.revoked or not known.opening:
        return say("nights.tickets.void", player=player, tournament=name)
    if known.opening != opening:
        at = None if known.opened_at is None else f"{known.opened_at:%H:%M}"
        opened = {"opened": at is not None, "at": at}
        return say("nights.tickets.opened-elsewhere", player=player, tournament=name, **opened)
    return None


def _ended(one: Tournament) -> Sentence:
    return say("nights.tickets.ended", tournament=one.tournament, status=status_told(one))


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
