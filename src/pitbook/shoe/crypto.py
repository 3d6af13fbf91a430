"""Random numbers for a deal from one key, and secrets sealed until they may be revealed."""

from __future__ import annotations

import hmac
import json
import secrets
from collections.abc import Iterator, Mapping
from itertools import chain, islice
from struct import Struct

from pitbook.errors import ShoeError
from pitbook.extras import require_extra
from pitbook.text import say

try:
    from cryptography.exceptions import InvalidTag
    from cryptography.hazmat.primitives.ciphers import Cipher
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
    from cryptography.hazmat.primitives.ciphers.algorithms import ChaCha20
except ModuleNotFoundError:  # Only the house extra installs it, for speed and for sealing.
    HAS_CRYPTOGRAPHY = False
else:
    HAS_CRYPTOGRAPHY = True

DEAL_PURPOSE = b"pitbook deal 1"  # A change of the dealing method needs a new number.
SPAN = 2**16  # Number of values of two bytes.
BLOCK = bytes(64)

_PAIRS = Struct(">32H")


def deal_key(seed: bytes, *, shoe: str, seat_seeds: Mapping[int, str]) -> bytes:
    """The key of a shoe's deal, from the server's seed, the shoe's id and the seats' seeds."""
    seats = json.dumps(sorted(seat_seeds.items()), separators=(",", ":"), ensure_ascii=True)
    return hkdf(seed, salt=shoe.encode(), info=DEAL_PURPOSE + seats.encode())


def hkdf(secret: bytes, *, salt: bytes, info: bytes, length: int = 32) -> bytes:
    """HKDF with SHA-256 (RFC 5869)."""
    key = hmac.digest(salt or bytes(32), secret, "sha256")
    output = block = b""
    for number in range(1, -(-length // 32) + 1):
        block = hmac.digest(key, block + info + bytes([number]), "sha256")
        output += block
    return output[:length]


def key_stream(key: bytes, *, nonce: bytes = bytes(12), counter: int = 0) -> Iterator[bytes]:
    """The ChaCha20 key stream (RFC 8439), in blocks of 64 bytes."""
    if not HAS_CRYPTOGRAPHY:
        yield from chacha20_blocks(key, nonce, counter)  # Never ends.
    cipher = Cipher(ChaCha20(key, counter.to_bytes(4, "little") + nonce), mode=None).encryptor()
    while True:
        yield cipher.update(BLOCK)


def key_bytes(key: bytes, length: int) -> bytes:
    """The first bytes of the key stream."""
    if HAS_CRYPTOGRAPHY:
        return Cipher(ChaCha20(key, bytes(16)), mode=None).encryptor().update(bytes(length))
    count = -(-length // len(BLOCK))
    return b"".join(islice(key_stream(key), count))[:length]


def numbers(key: bytes) -> Iterator[int]:
    """The key stream as big-endian 16-bit integers."""
    return chain.from_iterable(map(_PAIRS.unpack, key_stream(key)))


def below(numbers: Iterator[int], bound: int) -> int:
    """A number below `bound`; numbers that would bias the result are discarded.

    >>> below(iter([65_535, 60]), 52)
    8
    """
    while True:
        result, unbiased = reduce_number(next(numbers), bound)
        if unbiased:
            return result


def reduce_number(number: int, bound: int) -> tuple[int, bool]:
    """Reduce a 16-bit number below `bound`; also returns whether it may be used without bias."""
    return number % bound, number < SPAN - SPAN % bound


SECRET_BYTES = 32
NONCE_BYTES = 12
VAULT_PURPOSE = b"pitbook vault 1"
MARK = "1."  # The first version of the sealing format.


class Vault:
    """Seals and opens secrets with one key; each seal is bound to its context."""

    def __init__(self, secret: bytes) -> None:
        require_extra("cryptography")
        if len(secret) != SECRET_BYTES:
            raise ShoeError(say("shoe.vault.secret", needed=SECRET_BYTES, given=len(secret)))
        self._cipher = ChaCha20Poly1305(hkdf(secret, salt=b"", info=VAULT_PURPOSE))

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


MASK = 0xFFFF_FFFF
CONSTANTS = (0x61707865, 0x3320646E, 0x79622D32, 0x6B206574)  # "expand 32-byte k"
COLUMNS = ((0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15))
DIAGONALS = ((0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14))
QUARTER_ROUNDS = (*COLUMNS, *DIAGONALS) * 10
_EIGHT, _THREE, _SIXTEEN = Struct("<8L"), Struct("<3L"), Struct("<16L")


def chacha20_blocks(key: bytes, nonce: bytes, counter: int) -> Iterator[bytes]:
    """The ChaCha20 key stream in plain Python, for installations without `cryptography`."""
    fixed = (*CONSTANTS, *_EIGHT.unpack(key))
    while True:
        yield _block((*fixed, counter & MASK, *_THREE.unpack(nonce)))
        counter += 1


def _block(start: tuple[int, ...]) -> bytes:
    state = list(start)
    for a, b, c, d in QUARTER_ROUNDS:
        w, x, y, z = state[a], state[b], state[c], state[d]
        w = (w + x) & MASK
        z ^= w
        z = (z << 16 | z >> 16) & MASK
        y = (y + z) & MASK
        x ^= y
        x = (x << 12 | x >> 20) & MASK
        w = (w + x) & MASK
        z ^= w
        z = (z << 8 | z >> 24) & MASK
        y = (y + z) & MASK
        x ^= y
        x = (x << 7 | x >> 25) & MASK
        state[a], state[b], state[c], state[d] = w, x, y, z
    return _SIXTEEN.pack(*((word + first) & MASK for word, first in zip(state, start, strict=True)))
