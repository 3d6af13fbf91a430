"""Tickets of a tournament: their state, and commands to rotate, revoke and open them."""

from __future__ import annotations

from pitbook.house.nights.decision_types import TournamentContext
from pitbook.house.nights.tournament import commands, facts
from pitbook.house.nights.tournament.facts import FactsOrRefusal
from pitbook.house.nights.tournament.state import (
    PAYMENT_FACTS,
    Tournament,
    require_players_in,
    status_text,
)
from pitbook.rules.refusals import Code, Refusal, refuse
from pitbook.text import Sentence, say
from pitbook.text.user_input import printable

ENDED_STATUSES = ("finished", "void", "withdrawn")


def is_final(tournament: Tournament) -> bool:
    """Whether no undo can restore it: it was withdrawn, or paid after its end."""
    paid = tournament.last is not None and isinstance(tournament.last[1], PAYMENT_FACTS)
    return tournament.status == "withdrawn" or (tournament.status in ENDED_STATUSES and paid)


def ticket_error(tournament: Tournament, player: str, edition: int) -> Sentence | None:
    """Why a ticket is not valid; None: it is, with or without a seat."""
    ticket = tournament.ticket(player)
    if tournament.status in ENDED_STATUSES:
        return _tournament_ended(tournament)
    if ticket.edition != edition:
        return say("nights.tickets.was-replaced")
    if ticket.revoked:
        return say("nights.tickets.was-revoked")
    return None


def ended_reason(tournament: Tournament, player: str, opening: str) -> Sentence | None:
    """Why a browser may no longer play by a ticket; None: it may."""
    ticket, name = tournament.ticket(player), tournament.tournament
    if tournament.status in ENDED_STATUSES:
        return _tournament_ended(tournament)
    if any(player in group for group in tournament.out):
        return say("nights.tickets.is-out", player=player, tournament=name)
    if ticket.revoked or not ticket.opening:
        return say("nights.tickets.void")
    if ticket.opening != opening:
        at = None if ticket.opened_at is None else f"{ticket.opened_at:%H:%M}"
        fields = {"opened": at is not None, "at": at}
        return say("nights.tickets.opened-elsewhere", player=player, tournament=name, **fields)
    return None


def _tournament_ended(tournament: Tournament) -> Sentence:
    return say(
        "nights.tickets.ended", tournament=tournament.tournament, status=status_text(tournament)
    )


def rotate(
    tournament: Tournament, command: commands.RotateTicket, context: TournamentContext
) -> FactsOrRefusal:
    """Give a new ticket to a player who has entered or checked in."""
    player = command.player
    return _not_present_refusal(tournament, player) or [
        facts.TicketRotated(tournament.tournament, player, context.now, context.actor, command.why)
    ]


def revoke(
    tournament: Tournament, command: commands.RevokeTicket, context: TournamentContext
) -> FactsOrRefusal:
    """Revoke a player's ticket."""
    player = command.player
    if (refusal := _not_present_refusal(tournament, player)) is not None:
        return refusal
    if tournament.ticket(player).revoked:
        fields = {"player": player, "tournament": tournament.tournament}
        return refuse(Code.NOT_NOW, "nights.tickets.is-revoked", **fields)
    return [
        facts.TicketRevoked(tournament.tournament, player, context.now, context.actor, command.why)
    ]


def open_ticket(
    tournament: Tournament, command: commands.OpenTicket, context: TournamentContext
) -> FactsOrRefusal:
    """Give the seat to the browser that opened the ticket."""
    player, edition = command.player, command.edition
    if (reason := ticket_error(tournament, player, edition)) is not None:
        return Refusal(Code.FORBIDDEN, reason)
    if (refusal := require_players_in(tournament, [player])) is not None:
        return refusal
    if tournament.players[player].seat is None:
        fields = {"player": player, "tournament": tournament.tournament}
        return refuse(Code.NOT_NOW, "nights.tickets.no-seat", **fields)
    return [
        facts.TicketOpened(tournament.tournament, player, context.now, edition, command.opening),
    ]


def _not_present_refusal(tournament: Tournament, player: str) -> Refusal | None:
    if player in tournament.players or player in tournament.arrived:
        return None
    fields = {"player": printable(player), "tournament": tournament.tournament}
    return refuse(Code.UNKNOWN_SEAT, "nights.tickets.nobodys", **fields)
