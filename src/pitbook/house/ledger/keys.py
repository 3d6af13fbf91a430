"""The server's secrets: one key signs checkpoints, the other encrypts undealt cards."""

from __future__ import annotations

import json
import os
import secrets
from pathlib import Path
from typing import NamedTuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from pitbook import private_files
from pitbook.errors import LedgerError
from pitbook.text import say

FORMAT = 1
BYTES_MAX = 10_000
_FIELDS = {"format", "signing", "sealing"}


class Keys(NamedTuple):
    """Both secrets, 32 bytes each."""

    signing: bytes
    sealing: bytes

    @property
    def public(self) -> str:
        """The public key that checks signatures, in hexadecimal."""
        return self._signer().public_key().public_bytes_raw().hex()

    def sign(self, message: str) -> str:
        """An Ed25519 signature, in hexadecimal."""
        return self._signer().sign(message.encode()).hex()

    def _signer(self) -> Ed25519PrivateKey:
        return Ed25519PrivateKey.from_private_bytes(self.signing)


def is_signed_by(public: str, message: str, signature: str) -> bool:
    """Whether a signature is valid for a message and a public key."""
    try:
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(public))
        key.verify(bytes.fromhex(signature), message.encode())
    except (InvalidSignature, ValueError):
        return False
    return True


def generate_keys() -> Keys:
    """New random secrets."""
    return Keys(secrets.token_bytes(32), secrets.token_bytes(32))


def write_keys(path: Path, keys: Keys) -> None:
    """Write the keys to a new private file."""
    document = {"format": FORMAT, "signing": keys.signing.hex(), "sealing": keys.sealing.hex()}
    with private_files.create(path, in_folder=True, encoding="utf-8") as file:
        json.dump(document, file)
        file.flush()
        os.fsync(file.fileno())


def read_keys(path: Path, *, allow_shared: bool = False) -> Keys:
    """Read the keys from a file; refuses one that others can read unless `allow_shared` is set."""
    if not allow_shared and os.name == "posix" and path.stat().st_mode & 0o077:
        raise LedgerError(say("ledger.keys.others-read", path=path))
    try:
        if path.stat().st_size > BYTES_MAX:
            raise ValueError
        document = json.loads(path.read_text(encoding="utf-8"))
        keys = Keys(bytes.fromhex(document["signing"]), bytes.fromhex(document["sealing"]))
        if set(document) != _FIELDS or document["format"] != FORMAT:
            raise ValueError
    except (ValueError, KeyError, TypeError, RecursionError):
        raise LedgerError(say("ledger.keys.no-file", path=path, format=FORMAT)) from None
    if len(keys.signing) != 32 or len(keys.sealing) != 32:
        raise LedgerError(say("ledger.keys.length", path=path))
    return keys
