"""A password is any text that is long enough, no guesser's first and not one's own name."""

from __future__ import annotations

import gzip
import secrets
import threading
import unicodedata
from base64 import b64encode
from functools import cache
from pathlib import Path

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from argon2.low_level import ARGON2_VERSION

from pitbook.errors import PeopleError
from pitbook.house.people.names import key
from pitbook.house.web.running.settings import SignInRules
from pitbook.shoe.vault import Vault
from pitbook.text import say

__all__ = ["PASSWORD_MAX", "Passwords", "check"]

PASSWORD_MAX = 1_000
HASHES_AT_ONCE = 4  # Each takes tens of megabytes; a crowd at the door must not take them all.
LIST = Path(__file__).parent / "common_passwords" / "passwords.txt.gz"  # SOURCE.md says whose.
OURS = "pitbook"


class Passwords:
    """Hashes and compares, with the same work for whoever there is and is not."""

    def __init__(self, settings: SignInRules, vault: Vault) -> None:
        self._settings, self._vault = settings, vault
        self._hasher = PasswordHasher(
            time_cost=settings.argon2_passes,
            memory_cost=settings.argon2_kib,
            parallelism=settings.argon2_lanes,
        )
        self._nobody = _nobodys(self._hasher)
        self._hashing = threading.BoundedSemaphore(HASHES_AT_ONCE)

    def sealed(self, name: str, password: str) -> str:
        """What the book keeps of a new password; raises PeopleError for one that is none."""
        check(password, name=name, least=self._settings.password_min)
        with self._hashing:
            made = self._hasher.hash(_bytes(_normal(password)))
        return self._vault.seal(made.encode(), _about(name))

    def opens(self, name: str, sealed: str | None, password: str) -> bool:
        """Whether it is the password; nobody's hash is tried where there is none."""
        kept = self.opened(name, sealed) if sealed else self._nobody
        given = password[:PASSWORD_MAX]
        # Before forms of Unicode were one, a password was kept as it was typed.
        found = [self._verified(kept, one) for one in dict.fromkeys((_normal(given), given))]
        return bool(sealed) and any(found) and len(password) <= PASSWORD_MAX

    def opened(self, name: str, sealed: str) -> str:
        """The hash that was sealed; raises ShoeError where it was with other keys."""
        return self._vault.unseal(sealed, _about(name)).decode()

    def _verified(self, kept: str, password: str) -> bool:
        with self._hashing:
            try:
                return self._hasher.verify(kept, _bytes(password))
            except (VerificationError, InvalidHashError):
                return False


def _nobodys(hasher: PasswordHasher) -> str:
    """A hash of no password: as dear to try as any, and made without the work of one."""
    cost = f"m={hasher.memory_cost},t={hasher.time_cost},p={hasher.parallelism}"
    salt, drawn = (
        b64encode(secrets.token_bytes(length)).decode().rstrip("=")
        for length in (hasher.salt_len, hasher.hash_len)
    )
    return f"$argon2id$v={ARGON2_VERSION}${cost}${salt}${drawn}"


def check(password: str, *, name: str, least: int) -> None:
    """Raise PeopleError for a password that is too short, too long or too easily guessed."""
    plain = _normal(password)
    if len(plain) < least or len(password) > PASSWORD_MAX:
        raise PeopleError(say("web.people.password-length", least=least, most=PASSWORD_MAX))
    if _is_name(plain, name) or _is_name(plain, OURS):
        raise PeopleError(say("web.people.password-is-name"))
    if is_common(plain):
        raise PeopleError(say("web.people.password-common"))


def is_common(plain: str) -> bool:
    """Whether guessers try it first, as it is or as something short said over and over.

    >>> is_common("PassWord1"), is_common("abababab"), is_common("one two three four")
    (True, True, False)
    """
    folded = plain.casefold()
    said = _once(folded)
    return folded in _common() or (said != folded and (len(said) < 4 or said in _common()))


@cache
def _common() -> frozenset[str]:
    return frozenset(gzip.decompress(LIST.read_bytes()).decode().split("\n")) - {""}


def _once(text: str) -> str:
    """What is said over and over in a text; the text itself where nothing is."""
    return text[: (text + text).find(text, 1)]


def _is_name(plain: str, name: str) -> bool:
    """The name, also backwards, twice, with signs between its letters or numbers around it."""
    word, given = _letters(key(name)), _letters(plain.casefold())
    bare = given.strip("0123456789") or given
    ways = {word, word[::-1], word.strip("0123456789")} - {""}
    return any(_once(one) in (way, _once(way)) for one in (given, bare) for way in ways)


def _letters(text: str) -> str:
    return "".join(one for one in text if one.isalnum())


def _normal(password: str) -> str:
    """One form for each letter, however a keyboard puts it together."""
    return unicodedata.normalize("NFKC", password)


def _bytes(password: str) -> bytes:
    return password.encode(errors="backslashreplace")  # Half a character is one too.


def _about(name: str) -> str:
    return f"password of {name}"
