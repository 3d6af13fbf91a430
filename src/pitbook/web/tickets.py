"""A player's code for the door: a signed link in a QR code, kept nowhere."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
from typing import NamedTuple

import segno

from pitbook.shoe.stream import hkdf

__all__ = ["TOKEN_MAX", "Ticket", "Tickets", "picture"]

PURPOSE = b"pitbook check-in 1"
TOKEN_MAX = 1_200
MAC_BYTES = 12  # A code is small; whoever guesses one learns where somebody sits.


class Ticket(NamedTuple):
    """Whose code it is, and for which tournament of which night."""

    event: str
    own: str
    player: str


class Tickets:
    """Makes codes and reads them."""

    def __init__(self, secret: bytes) -> None:
        self._key = hkdf(secret, salt=b"", info=PURPOSE)

    def token(self, ticket: Ticket) -> str:
        """The token of a ticket; the same for the same ticket."""
        payload = _text(json.dumps(ticket, separators=(",", ":")).encode())
        return f"{payload}.{_text(self._mac(payload))}"

    def read(self, token: str) -> Ticket | None:
        """The ticket that a token stands for; None when it is not ours."""
        payload, _, mac = token.partition(".")
        if len(token) > TOKEN_MAX or not token.isascii():
            return None
        if not hmac.compare_digest(_text(self._mac(payload)), mac):
            return None
        try:
            return Ticket(*json.loads(_bytes(payload)))
        except (ValueError, TypeError, binascii.Error):  # Signed by us in another format.
            return None

    def _mac(self, payload: str) -> bytes:
        return hmac.digest(self._key, payload.encode(), hashlib.sha256)[:MAC_BYTES]


def picture(link: str) -> str:
    """A link as a QR code, drawn in SVG that stands in an address of its own."""
    code = segno.make(link, error="m", micro=False)
    return code.svg_data_uri(border=2, light="#fff", omitsize=True)


def _text(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


def _bytes(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
