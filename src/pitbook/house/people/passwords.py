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
from pitbook.house.settings import SignInRules
from pitbook.shoe.crypto import Vault
from pitbook.text import say

PASSWORD_MAX = 1_000
HASHES_AT_ONCE = 4  # Each takes tens of megabytes.
# SOURCE.md names the source.
COMMON_PASSWORDS = Path(__file__).parent / "common_passwords" / "passwords.txt.gz"
PRODUCT_NAME = "pitbook"


class Passwords:
    """Hashes and verifies passwords, with the same work for unknown names."""

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
        """A hashed and sealed password; raises PeopleError if the rules refuse it."""
        check_password(password, name=name, length_min=self._settings.password_length_min)
        with self._slots:
            hashed = self._hasher.hash(_encode(_normalize(password)))
        return self._vault.seal(hashed.encode(), _seal_purpose(name))

    def matches(self, name: str, sealed: str | None, password: str) -> bool:
        """Whether the password is right; a placeholder is verified if there is none."""
        hashed = self.unseal(name, sealed) if sealed else self._placeholder
        text_given = password[:PASSWORD_MAX]
        # Older hashes are of the password as typed, without Unicode normalization.
        matches = [
            self._verify(hashed, candidate)
            for candidate in dict.fromkeys((_normalize(text_given), text_given))
        ]
        return bool(sealed) and any(matches) and len(password) <= PASSWORD_MAX

    def unseal(self, name: str, sealed: str) -> str:
        """The sealed hash; raises ShoeError if other keys sealed it."""
        return self._vault.unseal(sealed, _seal_purpose(name)).decode()

    def _verify(self, hashed: str, password: str) -> bool:
        with self._slots:
            try:
                return self._hasher.verify(hashed, _encode(password))
            except (VerificationError, InvalidHashError):
                return False


def _placeholder_hash(hasher: PasswordHasher) -> str:
    """A hash that matches nothing and costs as much to verify as a real one."""
    cost = f"m={hasher.memory_cost},t={hasher.time_cost},p={hasher.parallelism}"
    salt, hashed = (
        b64encode(secrets.token_bytes(length)).decode().rstrip("=")
        for length in (hasher.salt_len, hasher.hash_len)
    )
    return f"$argon2id$v={ARGON2_VERSION}${cost}${salt}${hashed}"


def check_password(password: str, *, name: str, length_min: int) -> None:
    """Raise PeopleError for a password that is too short, too long or too easily guessed."""
    plain = _normalize(password)
    if len(plain) < length_min or len(password) > PASSWORD_MAX:
        raise PeopleError(say("web.people.password-length", least=length_min, most=PASSWORD_MAX))
    if _is_name(plain, name) or _is_name(plain, PRODUCT_NAME):
        raise PeopleError(say("web.people.password-is-name"))
    if is_common(plain):
        raise PeopleError(say("web.people.password-common"))


def is_common(plain: str) -> bool:
    """Whether it is a common password, or something short repeated.

    >>> is_common("PassWord1"), is_common("abababab"), is_common("one two three four")
    (True, True, False)
    """
    folded = plain.casefold()
    unit = _repeated_unit(folded)
    return folded in _common_passwords() or (
        unit != folded and (len(unit) < 4 or unit in _common_passwords())
    )


@cache
def _common_passwords() -> frozenset[str]:
    return frozenset(gzip.decompress(COMMON_PASSWORDS.read_bytes()).decode().split("\n")) - {""}


def _repeated_unit(text: str) -> str:
    """The shortest repeated part of a text, or the text itself."""
    return text[: (text + text).find(text, 1)]


def _is_name(plain: str, name: str) -> bool:
    """Whether it is the name, reversed, doubled, punctuated or with digits around it."""
    plain_name, letters = _letters(name_key(name)), _letters(plain.casefold())
    without_digits = letters.strip("0123456789") or letters
    forms = {plain_name, plain_name[::-1], plain_name.strip("0123456789")} - {""}
    return any(
        _repeated_unit(text) in (form, _repeated_unit(form))
        for text in (letters, without_digits)
        for form in forms
    )


def _letters(text: str) -> str:
    return "".join(character for character in text if character.isalnum())


def _normalize(password: str) -> str:
    """The NFKC form, which does not depend on how a keyboard composes letters."""
    return unicodedata.normalize("NFKC", password)


def _encode(password: str) -> bytes:
    return password.encode(errors="backslashreplace")  # Allows lone surrogates.


def _seal_purpose(name: str) -> str:
    return f"password of {name}"
