"""What becomes of tickets as facts go by: each is for one entry, and one browser plays by it.

Nothing here stands in the past that the floor takes back: a ticket that is void stays void.
"""

from __future__ import annotations

from typing import TypeAlias

from pitbook.nights.tournament import facts
from pitbook.nights.tournament.facts import Fact
from pitbook.nights.tournament.state import LEFT, Pass, Tournament

__all__ = ["FACTS", "OVER", "after_undo", "evolve", "is_final", "voided", "why_ended", "why_not"]

TicketFact: TypeAlias = facts.TicketRotated | facts.TicketRevoked | facts.TicketOpened
FACTS = (facts.TicketRotated, facts.TicketRevoked, facts.TicketOpened)
OVER = ("finished", "void", "withdrawn")


def evolve(was: Tournament, fact: TicketFact, number: int) -> Tournament:
    """The tournament after something happened to a ticket."""
    before = was.ticket(fact.player)
    if isinstance(fact, facts.TicketOpened):
        opened = before._replace(opening=fact.opening, opened=before.opened + 1)
        after = opened._replace(opened_at=fact.at, taken=True)
    else:
        after = Pass(number, isinstance(fact, facts.TicketRevoked), taken=before.taken)
    return _with(was, fact.player, after)._replace(version=number)


def voided(before: Tournament | None, after: Tournament, fact: Fact) -> Tournament:
    """An entry that has ended takes its tickets along, and so does a whole tournament."""
    if isinstance(fact, facts.Refunded):
        return _with(after, fact.player, Pass(after.version))
    if isinstance(fact, facts.WasSetUp) and before is not None:  # It was withdrawn before.
        return after._replace(first_edition=after.version)
    return after


def after_undo(before: Tournament | None, after: Tournament, number: int) -> Tournament:
    """A buy-in that was taken back is an entry that has ended."""
    gone = set(before.players) - set(after.players) if before is not None else set()
    for player in sorted(gone):
        after = _with(after, player, Pass(number))
    return after._replace(version=number)


def is_final(one: Tournament) -> bool:
    """Whether it is over and no undo brings it back: it was withdrawn, or money has left."""
    paid = one.last is not None and isinstance(one.last[1], LEFT)
    return one.status == "withdrawn" or (one.status in OVER and paid)


def why_not(one: Tournament, player: str, edition: int) -> str | None:
    """Why a ticket is no good, in a sentence; None: it is good, seat or no seat."""
    known = one.ticket(player)
    if one.status in OVER:
        return f"{one.tournament} is {one.status}; its tickets have ended"
    if known.edition != edition:
        return f"this ticket of {player} for {one.tournament} was replaced; {DESK}"
    if known.revoked:
        return f"the ticket of {player} for {one.tournament} was revoked; {DESK}"
    return None


def why_ended(one: Tournament, player: str, opening: str) -> str | None:
    """Why a browser plays by a ticket no more; None: it still does."""
    known = one.ticket(player)
    if one.status in OVER:
        return f"{one.tournament} is {one.status}; its tickets have ended"
    if any(player in group for group in one.out):
        return f"{player} is out of {one.tournament}; the ticket has ended"
    if known.revoked or not known.opening:
        return f"the ticket of {player} for {one.tournament} was replaced or revoked; {DESK}"
    if known.opening != opening:
        when = "" if known.opened_at is None else f" at {known.opened_at:%H:%M} UTC"
        return (
            f"the ticket of {player} for {one.tournament} was opened in another browser{when}; "
            "open it here again, and if that was not you, ask at the desk for a new one"
        )
    return None


DESK = "ask at the desk for the one that is good"


def _with(one: Tournament, player: str, known: Pass) -> Tournament:
    return one._replace(passes={**one.passes, player: known})
