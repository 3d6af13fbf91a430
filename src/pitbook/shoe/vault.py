"""What must not be read before its time lies sealed; a seal that was touched does not open."""

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
MARK = "1."  # The first way of sealing.


class Vault:
    """Seals and opens with one secret; what is sealed about one thing opens for no other."""

    def __init__(self, secret: bytes) -> None:
        if len(secret) != SECRET_BYTES:
            raise ShoeError(say("shoe.vault.secret", needed=SECRET_BYTES, given=len(secret)))
        self._cipher = ChaCha20Poly1305(hkdf(secret, salt=b"", info=PURPOSE))

    def seal(self, plain: bytes, about: str) -> str:
        """Text that only this secret opens, for this `about`."""
        nonce = secrets.token_bytes(NONCE_BYTES)
        sealed = nonce + self._cipher.encrypt(nonce, plain, about.encode())
        return MARK + sealed.hex()

    def unseal(self, sealed: str, about: str) -> bytes:
        """What was sealed; raises ShoeError where secret, text or `about` is another."""
        try:
            raw = bytes.fromhex(sealed.removeprefix(MARK))
            if MARK + raw.hex() != sealed:  # Python also reads capitals and white space.
                raise ValueError(say("shoe.vault.not-ours"))
            return self._cipher.decrypt(raw[:NONCE_BYTES], raw[NONCE_BYTES:], about.encode())
        except (InvalidTag, ValueError):
            raise ShoeError(say("shoe.vault.not-opened", about=about)) from None
