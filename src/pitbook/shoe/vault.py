"""Seals secrets with authenticated encryption until they may be revealed."""

from __future__ import annotations

import secrets

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from pitbook.errors import ShoeError
from pitbook.shoe.stream import hkdf
from pitbook.text import say

SECRET_BYTES = 32
NONCE_BYTES = 12
PURPOSE = b"pitbook vault 1"
MARK = "1."  # The first version of the sealing format.


class Vault:
    """Seals and opens secrets with one key; each seal is bound to its context."""

    def __init__(self, secret: bytes) -> None:
        if len(secret) != SECRET_BYTES:
            raise ShoeError(say("shoe.vault.secret", needed=SECRET_BYTES, given=len(secret)))
        self._cipher = ChaCha20Poly1305(hkdf(secret, salt=b"", info=PURPOSE))

    def seal(self, plain: bytes, about: str) -> str:
        """Seal bytes as text that only this key opens, and only with the same `about`."""
        nonce = secrets.token_bytes(NONCE_BYTES)
        sealed = nonce + self._cipher.encrypt(nonce, plain, about.encode())
        return MARK + sealed.hex()

    def unseal(self, sealed: str, about: str) -> bytes:
        """Open a seal; raises ShoeError if the key, text or `about` is different."""
        try:
            raw = bytes.fromhex(sealed.removeprefix(MARK))
            if MARK + raw.hex() != sealed:  # Python also accepts capitals and white space.
                raise ValueError(say("shoe.vault.not-ours"))
            return self._cipher.decrypt(raw[:NONCE_BYTES], raw[NONCE_BYTES:], about.encode())
        except (InvalidTag, ValueError):
            raise ShoeError(say("shoe.vault.not-opened", about=about)) from None
