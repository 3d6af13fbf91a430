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

from pitbook.errors import PeopleError, ShoeError
from pitbook.shoe.crypto import Vault
from pitbook.text import Sentence, say

STEP_SECONDS = 30
DRIFT_STEPS = 2  # A phone's clock may be a minute off, either way.
RECOVERY_CODES = 10
RECOVERY_BYTES = 10
CODE_MAX = 40
ISSUER = "Pitbook"
PENDING_MINUTES = 30


class Factor(NamedTuple):
    """The stored part of a second factor: its secret and the hashes of recovery codes."""

    secret: str
    recovery: tuple[str, ...]


class CodeProof(NamedTuple):
    """What a valid code was: one of a 30-second step, or a recovery code."""

    step: int | None = None
    recovery: int | None = None


class FactorSetup(NamedTuple):
    """A secret for the phone; `pending` carries it, sealed, until a code confirms it."""

    secret: str
    uri: str
    pending: str


def begin_setup(vault: Vault, name: str, now: datetime) -> FactorSetup:
    """A new secret, sealed for the caller to send back; nothing is recorded yet."""
    import pyotp  # noqa: PLC0415  The rest works without it.

    secret = pyotp.random_base32()
    until = int((now + timedelta(minutes=PENDING_MINUTES)).timestamp())
    pending = vault.seal(json.dumps([secret, until]).encode(), _setup_purpose(name))
    uri = pyotp.TOTP(secret).provisioning_uri(name=name, issuer_name=ISSUER)
    return FactorSetup(secret, uri, pending)


def wrong_code() -> Sentence:
    return say("web.people.wrong-code")


def confirm_setup(
    vault: Vault, name: str, pending: str, code: str, now: datetime
) -> tuple[Factor, int, list[str]]:
    """Confirm a setup with its first code: returns the factor, the code's time step and the
    recovery codes; raises PeopleError.
    """
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
    return vault.seal(json.dumps(factor).encode(), _factor_purpose(name))


def unseal_factor(vault: Vault, name: str, sealed: str) -> Factor:
    secret, recovery = json.loads(vault.unseal(sealed, _factor_purpose(name)))
    return Factor(secret, tuple(recovery))


def check_code(
    factor: Factor, code: str, now: datetime, *, after: int, spent: int
) -> CodeProof | None:
    """What a code proves, or None if it is wrong, older than `after`, or spent."""
    normalized = _normalize_code(code)
    if normalized.isascii() and normalized.isdigit():
        step = _matching_step(factor.secret, normalized, now, after=after)
        return None if step is None else CodeProof(step=step)
    index = _recovery_index(factor.recovery, normalized)
    return None if index is None or spent >> index & 1 else CodeProof(recovery=index)


def _matching_step(secret: str, code: str, now: datetime, *, after: int) -> int | None:
    """The step later than `after` that a code belongs to; a code works once."""
    import pyotp  # noqa: PLC0415  The rest works without it.

    current_step, totp = int(now.timestamp()) // STEP_SECONDS, pyotp.TOTP(secret)
    steps = range(current_step - DRIFT_STEPS, current_step + DRIFT_STEPS + 1)
    matching = [
        step
        for step in steps
        if hmac.compare_digest(totp.generate_otp(step).encode(), code.encode(errors="replace"))
    ]
    return next((step for step in matching if step > after), None)


def _recovery_index(recovery: Sequence[str], code: str) -> int | None:
    digest = _digest(code)
    matches = [
        number
        for number, recovery_digest in enumerate(recovery)
        if hmac.compare_digest(recovery_digest, digest)
    ]
    return matches[0] if matches else None


def _recovery_code() -> str:
    """Sixteen letters and digits in four groups."""
    text = base64.b32encode(secrets.token_bytes(RECOVERY_BYTES)).decode()
    return "-".join(text[at : at + 4] for at in range(0, len(text), 4))


def _normalize_code(code: str) -> str:
    return "".join(
        character
        for character in code[:CODE_MAX].casefold()
        if not character.isspace() and character != "-"
    )


def _digest(code: str) -> str:
    return hashlib.sha256(_normalize_code(code).encode(errors="replace")).hexdigest()


def _factor_purpose(name: str) -> str:
    return f"second factor of {name}"


def _setup_purpose(name: str) -> str:
    return f"second factor that {name} begins"
