"""Password rules, and password hashes sealed with the house's keys."""

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
from pitbook.house.people.names import name_key
from pitbook.house.web.settings import SignInRules
from pitbook.shoe.vault import Vault
from pitbook.text import say

PASSWORD_MAX = 1_000
HASHES_AT_ONCE = 4  # Each takes tens of megabytes; a crowd at the door must not take them all.
COMMON_PASSWORDS = (
    Path(__file__).parent / "common_passwords" / "passwords.txt.gz"
)  # SOURCE.md says whose.
PRODUCT_NAME = "pitbook"


class Passwords:
    """Hashes and compares, with the same work for whoever there is and is not."""

    def __init__(self, settings: SignInRules, vault: Vault) -> None:
        self._settings, self._vault = settings, vault
        self._hasher = PasswordHasher(
            time_cost=settings.argon2_time_cost,
            memory_cost=settings.argon2_memory_kib,
            parallelism=settings.argon2_parallelism,
        )
        self._placeholder = _placeholder_hash(self._hasher)
        self._slots = threading.BoundedSemaphore(HASHES_AT_ONCE)

    def seal(self, name: str, password: str) -> str:
        """What the book keeps of a new password; raises PeopleError for one that is none."""
        check_password(password, name=name, least=self._settings.password_length_min)
        with self._slots:
            made = self._hasher.hash(_encode(_normalize(password)))
        return self._vault.seal(made.encode(), _seal_purpose(name))

    def matches(self, name: str, sealed: str | None, password: str) -> bool:
        """Whether it is the password; nobody's hash is tried where there is none."""
        kept = self.unseal(name, sealed) if sealed else self._placeholder
        given = password[:PASSWORD_MAX]
        # Before forms of Unicode were one, a password was kept as it was typed.
        found = [self._verify(kept, one) for one in dict.fromkeys((_normalize(given), given))]
        return bool(sealed) and any(found) and len(password) <= PASSWORD_MAX

    def unseal(self, name: str, sealed: str) -> str:
        """The hash that was sealed; raises ShoeError where it was with other keys."""
        return self._vault.unseal(sealed, _seal_purpose(name)).decode()

    def _verify(self, kept: str, password: str) -> bool:
        with self._slots:
            try:
                return self._hasher.verify(kept, _encode(password))
            except (VerificationError, InvalidHashError):
                return False


def _placeholder_hash(hasher: PasswordHasher) -> str:
    """A hash of no password: as dear to try as any, and made without the work of one."""
    cost = f"m={hasher.memory_cost},t={hasher.time_cost},p={hasher.parallelism}"
    salt, drawn = (
        b64encode(secrets.token_bytes(length)).decode().rstrip("=")
        for length in (hasher.salt_len, hasher.hash_len)
    )
    return f"$argon2id$v={ARGON2_VERSION}${cost}${salt}${drawn}"


def check_password(password: str, *, name: str, least: int) -> None:
    """Raise PeopleError for a password that is too short, too long or too easily guessed."""
    plain = _normalize(password)
    if len(plain) < least or len(password) > PASSWORD_MAX:
        raise PeopleError(say("web.people.password-length", least=least, most=PASSWORD_MAX))
    if _is_name(plain, name) or _is_name(plain, PRODUCT_NAME):
        raise PeopleError(say("web.people.password-is-name"))
    if is_common(plain):
        raise PeopleError(say("web.people.password-common"))


def is_common(plain: str) -> bool:
    """Whether guessers try it first, as it is or as something short said over and over.

    >>> is_common("PassWord1"), is_common("abababab"), is_common("one two three four")
    (True, True, False)
    """
    folded = plain.casefold()
    said = _repeated_unit(folded)
    return folded in _common_passwords() or (
        said != folded and (len(said) < 4 or said in _common_passwords())
    )


@cache
def _common_passwords() -> frozenset[str]:
    return frozenset(gzip.decompress(COMMON_PASSWORDS.read_bytes()).decode().split("\n")) - {""}


def _repeated_unit(text: str) -> str:
    """What is said over and over in a text; the text itself where nothing is."""
    return text[: (text + text).find(text, 1)]


def _is_name(plain: str, name: str) -> bool:
    """The name, also backwards, twice, with signs between its letters or numbers around it."""
    word, given = _letters(name_key(name)), _letters(plain.casefold())
    bare = given.strip("0123456789") or given
    ways = {word, word[::-1], word.strip("0123456789")} - {""}
    return any(
        _repeated_unit(one) in (way, _repeated_unit(way)) for one in (given, bare) for way in ways
    )


def _letters(text: str) -> str:
    return "".join(one for one in text if one.isalnum())


def _normalize(password: str) -> str:
    """One form for each letter, however a keyboard puts it together."""
    return unicodedata.normalize("NFKC", password)


def _encode(password: str) -> bytes:
    return password.encode(errors="backslashreplace")  # Half a character is one too.


def _seal_purpose(name: str) -> str:
    return f"password of {name}"
