"""Signed ticket codes, as links and QR codes."""

from __future__ import annotations

from typing import NamedTuple

import segno

from pitbook.house.nights.tournament.state import Tournament
from pitbook.house.people.sessions import SignedTokens

TOKEN_MAX = 1_200
MAC_BYTES = 12  # A code is small; whoever guesses one learns where somebody sits.


class Ticket(NamedTuple):
    """Whose code it is, for which tournament of which night, and the how-manieth it is there.

    Those that were given out before tickets could be replaced are the first.
    """

    event: str
    own: str
    player: str
    edition: str = "0"

    @property
    def tournament(self) -> str:
        """The tournament's whole id."""
        return f"{self.event}.{self.own}"


class Tickets(SignedTokens[Ticket]):
    """Makes codes and reads them."""

    def __init__(self, secret: bytes) -> None:
        purpose = b"pitbook check-in 1"
        super().__init__(secret, Ticket, purpose=purpose, longest=TOKEN_MAX, mac_bytes=MAC_BYTES)


def ticket_of(one: Tournament, player: str) -> Ticket:
    """The ticket of a player that is good now."""
    event, _, own = one.tournament.partition(".")
    return Ticket(event, own, player, str(one.ticket(player).edition))


def picture(link: str) -> str:
    """A link as a QR code, drawn in SVG that stands in an address of its own."""
    code = segno.make(link, error="m", micro=False)
    return code.svg_data_uri(border=2, light="#fff", omitsize=True)
