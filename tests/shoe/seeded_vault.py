"""A vault with deterministic nonces, so that the same play gives the same ledger bytes."""

from __future__ import annotations

import hashlib

from pitbook.shoe.crypto import MARK, NONCE_BYTES, Vault


class SeededVault(Vault):
    """Seals equal input equally; the real vault never does."""

    def __init__(self) -> None:
        super().__init__(b"k" * 32)

    def seal(self, plain: bytes, about: str) -> str:
        nonce = hashlib.sha256(about.encode() + plain).digest()[:NONCE_BYTES]
        return MARK + (nonce + self._cipher.encrypt(nonce, plain, about.encode())).hex()
