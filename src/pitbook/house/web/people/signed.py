"""A few words that the house signed and keeps nowhere: whoever brings them back is believed."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
from typing import Any, Generic, TypeVar

from pitbook.shoe.stream import hkdf

__all__ = ["SignedTokens"]

One = TypeVar("One", bound=tuple[str | int, ...])


class SignedTokens(Generic[One]):
    """Tokens for one purpose; each stands for a named tuple of texts and numbers."""

    def __init__(
        self, secret: bytes, kind: type[One], *, purpose: bytes, longest: int, mac_bytes: int = 32
    ) -> None:
        self._key = hkdf(secret, salt=b"", info=purpose)
        self._kind, self._longest, self._mac_bytes = kind, longest, mac_bytes

    def token(self, one: One) -> str:
        """The token of one; the same for the same."""
        payload = _text(json.dumps(self.words(one), separators=(",", ":")).encode())
        return f"{payload}.{_text(self._mac(payload))}"

    def words(self, one: One) -> tuple[str | int, ...]:
        """What is signed of one: all of it."""
        return one

    def read(self, token: str) -> One | None:
        """What a token stands for; None when it is not ours."""
        payload, _, mac = token.partition(".")
        if len(token) > self._longest or not token.isascii():
            return None
        if not hmac.compare_digest(_text(self._mac(payload)), mac):
            return None
        kind: Any = self._kind
        try:
            made: One = kind(*json.loads(_bytes(payload)))
        except (ValueError, TypeError, binascii.Error):  # Signed by us in another format.
            return None
        return made

    def _mac(self, payload: str) -> bytes:
        return hmac.digest(self._key, payload.encode(), hashlib.sha256)[: self._mac_bytes]


def _text(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


def _bytes(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
