"""Sign-in decisions, and the delays by name after failed attempts.

Wrong passwords and codes are on record by name, so every process enforces their delays. Delays by
address, device and link are in `login_throttle`.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import NamedTuple

from pitbook.errors import CodeNeeded, CodeWrong, PeopleError
from pitbook.house.people.account_register import (
    CodeFailed,
    Fact,
    Person,
    PersonRecord,
    SignedIn,
    SignInFailed,
    stamp,
)
from pitbook.house.people.factors import CodeProof, Factor, check_code, wrong_code
from pitbook.house.settings import SignInRules
from pitbook.text import say

FIRST_DELAY_S = 5.0
FAILURES_EXPIRE_AFTER = timedelta(days=1)  # Counted from the end of the last delay.
DOUBLINGS_MAX = 60  # The longest delay is reached long before.


class Authenticated(NamedTuple):
    """An authenticated person, and the register entry that was checked.

    A later change to that person ends the session.
    """

    person: Person
    since: int


class SignInResult(NamedTuple):
    """Events to record, and a person or a problem; neither if name or password is wrong."""

    facts: tuple[Fact, ...] = ()
    authenticated: Authenticated | None = None
    problem: PeopleError | None = None


def complete_sign_in(
    record: PersonRecord,
    factor: Factor | None,
    code: str | None,
    now: datetime,
    settings: SignInRules,
    *,
    known_device: bool,
) -> SignInResult:
    """Finish a sign-in whose password was right: check the code if the account needs one.

    Wrong codes are counted apart for known devices and for all others. A thief with the password
    cannot keep the owner out, and a thief who also has a known device still has to wait.
    """
    authenticated = Authenticated(record.person, record.since)
    if factor is None:
        return SignInResult((SignedIn(record.name),), authenticated)
    if not code:
        return SignInResult(problem=CodeNeeded(say("web.people.code-needed")))
    failures = record.known_missed if known_device else record.missed
    until = record.known_until if known_device else record.missed_until
    if is_delayed(until, now):  # The code is not checked, so the answer reveals nothing.
        return SignInResult(problem=CodeWrong(wrong_code()))
    proof = check_code(factor, code, now, after=record.step, spent=record.spent)
    if proof is None:
        failures, until = _count_failure(failures, until, now, settings)
        failure = CodeFailed(record.name, known_device, failures, until)
        return SignInResult((failure,), problem=CodeWrong(wrong_code()))
    return SignInResult((_signed_in_event(record, proof),), authenticated)


def failed_password_event(
    record: PersonRecord, now: datetime, settings: SignInRules, *, known_device: bool
) -> Fact:
    """The event for a wrong password. On an unknown device it delays all unknown devices."""
    if known_device:  # A throttle delays this device alone.
        return SignInFailed(record.name, known_device=True)
    failures, until = _count_failure(record.failures, record.locked, now, settings)
    return SignInFailed(record.name, failures=failures, until=until)


def is_delayed(until: str | None, now: datetime) -> bool:
    """Whether the delay after earlier failures is still running."""
    return until is not None and now < datetime.fromisoformat(until)


def _count_failure(
    failures: int, delayed_until: str | None, now: datetime, settings: SignInRules
) -> tuple[int, str | None]:
    """Failures in a row including this one, and the end of the delay."""
    expired = (
        delayed_until is not None
        and now >= datetime.fromisoformat(delayed_until) + FAILURES_EXPIRE_AFTER
    )
    failures = 1 if expired else failures + 1
    delay_s = retry_delay(
        failures, free=settings.failures_max, delay_max_s=60 * settings.backoff_max_minutes
    )
    return failures, stamp(now + timedelta(seconds=delay_s)) if delay_s else None


def _signed_in_event(record: PersonRecord, proof: CodeProof) -> SignedIn:
    if proof.recovery is not None:
        return SignedIn(record.name, recovery=proof.recovery)
    return SignedIn(record.name, step=proof.step)


def retry_delay(failures: int, *, free: int, delay_max_s: float) -> float:
    """Seconds to wait after this many failures in a row; it doubles once the free ones are used.

    >>> [retry_delay(n, free=3, delay_max_s=30) for n in range(2, 7)]
    [0.0, 5.0, 10.0, 20.0, 30]
    """
    if failures < free:
        return 0.0
    return min(delay_max_s, FIRST_DELAY_S * (1 << min(failures - free, DOUBLINGS_MAX)))
