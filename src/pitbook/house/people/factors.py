"""Second factor: time-based codes from a phone (RFC 6238), and recovery codes."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import secrets
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

import pyotp

from pitbook.errors import PeopleError, ShoeError
from pitbook.shoe.vault import Vault
from pitbook.text import Sentence, say

STEP_SECONDS = 30
DRIFT_STEPS = 2  # A phone's clock may be a minute off, either way.
RECOVERY_CODES = 10
RECOVERY_BYTES = 10
CODE_MAX = 40
ISSUER = "Pitbook"
PENDING_MINUTES = 30


class Factor(NamedTuple):
    """What the vault keeps of somebody's second factor: a secret, and hashes of recovery codes."""

    secret: str
    recovery: tuple[str, ...]


class CodeProof(NamedTuple):
    """What a code proved: the half minute that it was of, or which recovery code it is."""

    step: int | None = None
    recovery: int | None = None


class FactorSetup(NamedTuple):
    """A secret that somebody's phone takes over; `pending` holds it until a code confirms it."""

    secret: str
    uri: str
    pending: str


def begin_setup(vault: Vault, name: str, now: datetime) -> FactorSetup:
    """A new secret, sealed in the asker's own hands: nothing is on record before it works."""
    secret = pyotp.random_base32()
    until = int((now + timedelta(minutes=PENDING_MINUTES)).timestamp())
    pending = vault.seal(json.dumps([secret, until]).encode(), _setup_purpose(name))
    uri = pyotp.TOTP(secret).provisioning_uri(name=name, issuer_name=ISSUER)
    return FactorSetup(secret, uri, pending)


def wrong_code() -> Sentence:
    """What a code is answered that proves nothing."""
    return say("web.people.wrong-code")


def confirm_setup(
    vault: Vault, name: str, pending: str, code: str, now: datetime
) -> tuple[Factor, int, list[str]]:
    """The factor, the step of its first code, and its recovery codes; raises PeopleError."""
    try:
        secret, until = json.loads(vault.unseal(pending, _setup_purpose(name)))
    except ShoeError:
        raise PeopleError(say("web.people.not-begun")) from None
    if now.timestamp() >= until:
        raise PeopleError(say("web.people.not-begun"))
    step = _matching_step(secret, _normalize_code(code), now, after=0)
    if step is None:
        raise PeopleError(wrong_code())
    codes = [_recovery_code() for _ in range(RECOVERY_CODES)]
    return Factor(secret, tuple(map(_digest, codes))), step, codes


def seal_factor(vault: Vault, name: str, factor: Factor) -> str:
    """The factor as the book keeps it."""
    return vault.seal(json.dumps(factor).encode(), _factor_purpose(name))


def unseal_factor(vault: Vault, name: str, kept: str) -> Factor:
    """The factor that was sealed."""
    secret, recovery = json.loads(vault.unseal(kept, _factor_purpose(name)))
    return Factor(secret, tuple(recovery))


def check_code(
    factor: Factor, code: str, now: datetime, *, after: int, spent: int
) -> CodeProof | None:
    """What a code proves; None for a wrong one, one of a step gone by, or one that was spent."""
    plain = _normalize_code(code)
    if plain.isascii() and plain.isdigit():
        step = _matching_step(factor.secret, plain, now, after=after)
        return None if step is None else CodeProof(step=step)
    index = _recovery_index(factor.recovery, plain)
    return None if index is None or spent >> index & 1 else CodeProof(recovery=index)


def _matching_step(secret: str, code: str, now: datetime, *, after: int) -> int | None:
    """The half minute around now that a code is of; each is good once, and none before it."""
    here, made = int(now.timestamp()) // STEP_SECONDS, pyotp.TOTP(secret)
    steps = range(here - DRIFT_STEPS, here + DRIFT_STEPS + 1)
    found = [
        one
        for one in steps
        if hmac.compare_digest(made.generate_otp(one).encode(), code.encode(errors="replace"))
    ]
    return next((one for one in found if one > after), None)


def _recovery_index(recovery: Sequence[str], plain: str) -> int | None:
    given = _digest(plain)
    found = [number for number, one in enumerate(recovery) if hmac.compare_digest(one, given)]
    return found[0] if found else None


def _recovery_code() -> str:
    """Sixteen letters and digits in four groups, none of which looks like another."""
    text = base64.b32encode(secrets.token_bytes(RECOVERY_BYTES)).decode()
    return "-".join(text[at : at + 4] for at in range(0, len(text), 4))


def _normalize_code(code: str) -> str:
    return "".join(one for one in code[:CODE_MAX].casefold() if not one.isspace() and one != "-")


def _digest(code: str) -> str:
    return hashlib.sha256(_normalize_code(code).encode(errors="replace")).hexdigest()


def _factor_purpose(name: str) -> str:
    return f"second factor of {name}"


def _setup_purpose(name: str) -> str:
    return f"second factor that {name} begins"
