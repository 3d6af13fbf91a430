"""Whether somebody is let in: what goes on record, and what is answered. It asks no clock."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import NamedTuple

from pitbook.errors import CodeNeeded, CodeWrong, PeopleError
from pitbook.house.web.people.factors import CodeProved, Factor, proved, wrong_code
from pitbook.house.web.people.facts import CodeFailed, Fact, SignedIn, SignInFailed
from pitbook.house.web.people.register import Person, PersonRecord, stamp
from pitbook.house.web.people.throttle import delay
from pitbook.house.web.running.settings import SignInRules
from pitbook.text import say

__all__ = ["Entered", "SignInVerdict", "failed", "is_waiting", "passed"]

FORGOTTEN = timedelta(days=1)  # After the last wait, without another failure.


class Entered(NamedTuple):
    """Who has proved to be this person, as of which entry: what came after it ends the sign-in."""

    person: Person
    since: int


class SignInVerdict(NamedTuple):
    """What goes on record, and who it is or why not; neither is any wrong credential."""

    facts: tuple[Fact, ...] = ()
    entered: Entered | None = None
    problem: PeopleError | None = None


def is_waiting(until: str | None, now: datetime) -> bool:
    """Whether failures of before still have to be waited for."""
    return until is not None and now < datetime.fromisoformat(until)


def failed(record: PersonRecord, now: datetime, settings: SignInRules, *, known: bool) -> Fact:
    """A wrong password; a stranger's makes strangers wait, a known device's only itself."""
    if known:
        return SignInFailed(record.name, known=True)
    count, until = _counted(record.failures, record.locked, now, settings)
    return SignInFailed(record.name, count=count, until=until)


def passed(
    record: PersonRecord,
    factor: Factor | None,
    code: str | None,
    now: datetime,
    settings: SignInRules,
    *,
    known: bool,
) -> SignInVerdict:
    """What the right password leads to, with or without a code.

    Wrong codes at known devices and of others make each their own wait: who has the password alone
    cannot keep its owner out, and who has a known device too guesses no faster.
    """
    entered = Entered(record.person, record.since)
    if factor is None:
        return SignInVerdict((SignedIn(record.name),), entered)
    if not code:
        return SignInVerdict(problem=CodeNeeded(say("web.people.code-needed")))
    before = record.known_missed if known else record.missed
    until = record.known_until if known else record.missed_until
    if is_waiting(until, now):
        return SignInVerdict(problem=CodeWrong(wrong_code()))
    proof = proved(factor, code, now, after=record.step, spent=record.spent)
    if proof is None:
        count, until = _counted(before, until, now, settings)
        missed = CodeFailed(record.name, known, count, until)
        return SignInVerdict((missed,), problem=CodeWrong(wrong_code()))
    return SignInVerdict((_told(record, proof),), entered)


def _counted(
    before: int, waited: str | None, now: datetime, settings: SignInRules
) -> tuple[int, str | None]:
    """How many failures in a row, and until when the next attempt waits."""
    recent = waited is None or now < datetime.fromisoformat(waited) + FORGOTTEN
    count = (before if recent else 0) + 1
    wait = delay(count, free=settings.failures_max, longest=60 * settings.lock_minutes)
    return count, stamp(now + timedelta(seconds=wait)) if wait else None


def _told(record: PersonRecord, proof: CodeProved) -> SignedIn:
    if proof.recovery is not None:
        return SignedIn(record.name, recovery=proof.recovery)
    return SignedIn(record.name, step=proof.step)
