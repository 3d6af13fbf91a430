"""Signed ticket codes, as links and QR codes."""

from __future__ import annotations

from typing import NamedTuple

from pitbook.house.nights.tournament.state import Tournament
from pitbook.house.people.sessions import SignedTokens

TOKEN_MAX = 1_200
MAC_BYTES = 12  # Short codes; guessing one only reveals a seat.


class Ticket(NamedTuple):
    """A player's ticket for a tournament, and its edition.

    Tickets from before editions existed have edition 0.
    """

    event: str
    short_name: str
    player: str
    edition: str = "0"

    @property
    def tournament(self) -> str:
        """The tournament's full id."""
        return f"{self.event}.{self.short_name}"


class Tickets(SignedTokens[Ticket]):
    def __init__(self, secret: bytes) -> None:
        purpose = b"pitbook check-in 1"
        super().__init__(secret, Ticket, purpose=purpose, longest=TOKEN_MAX, mac_bytes=MAC_BYTES)


def ticket_of(tournament: Tournament, player: str) -> Ticket:
    """A player's currently valid ticket."""
    event, _, short_name = tournament.tournament.partition(".")
    return Ticket(event, short_name, player, str(tournament.ticket(player).edition))


def qr_code(link: str) -> str:
    """A link as a QR code in an SVG data URI."""
    import segno  # noqa: PLC0415  The rest works without it.

    code = segno.make(link, error="m", micro=False)
    return code.svg_data_uri(border=2, light="#fff", omitsize=True)
