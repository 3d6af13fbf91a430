"""Sign-ins as signed tokens: any process can check one, and what the book says can end one."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from starlette.responses import Response

from pitbook.house.ledger.writer import utc_now
from pitbook.house.web.people.people import GUEST, People, Person
from pitbook.house.web.people.register import ROLES, Role, stamp
from pitbook.house.web.people.signed import SignedTokens
from pitbook.house.web.running.settings import Settings

__all__ = ["COOKIE", "Sessions", "SignedIn"]

COOKIE = "pitbook_session"
PURPOSE = b"pitbook session 1"
TOKEN_MAX = 2_000


class SignedIn(NamedTuple):
    """One sign-in: whose, until when, and which entry of the register it rests on.

    By a ticket it is for one tournament, rests on a fact of that, and its nonce is the opening's.
    """

    name: str
    role: Role
    issued: int
    expires: int
    nonce: str
    since: int
    tournament: str = ""

    @property
    def person(self) -> Person:
        """Name and role, and what a ticket admits to."""
        return Person(self.name, self.role, self.tournament)

    @property
    def by_ticket(self) -> bool:
        """Whether somebody without an account plays the seat that a ticket is for."""
        return bool(self.tournament)


class Sessions:
    """Gives out tokens and reads them; keeps none."""

    def __init__(
        self,
        secret: bytes,
        people: People,
        settings: Settings,
        *,
        clock: Callable[[], datetime] = utc_now,
    ) -> None:
        self._tokens = SignedTokens(secret, SignedIn, purpose=PURPOSE, longest=TOKEN_MAX)
        self._people, self._settings, self._clock = people, settings, clock

    def issue(self, person: Person, since: int | None = None) -> str:
        """A token for somebody, resting on the entry that was judged; else on the last one."""
        if since is None:
            record = self._people.register.people.get(person.name)
            since = record.since if record else 0
        return self._signed(person, since)

    def guest(self) -> tuple[Person, str]:
        """Somebody without a name, and the token to play with."""
        person = Person(f"{GUEST}{secrets.token_hex(8)}", "guest")
        return person, self._signed(person, 0)

    def ticket(self, name: str, tournament: str, *, opening: str, since: int) -> str:
        """A token for the one who has opened a ticket; it ends with that."""
        return self._signed(Person(name, "player", tournament), since, opening)

    def read(self, token: str | None) -> SignedIn | None:
        """The sign-in that a token stands for; None when it is not ours, over or revoked."""
        session = self._parsed(token or "")
        return session if session is not None and self.stands(session) else None

    def stands(self, session: SignedIn) -> bool:
        """Whether a sign-in that was read once is still good."""
        if self._clock().timestamp() >= session.expires:
            return False
        if session.nonce in self._people.register.ended:
            return False
        if session.by_ticket:
            return self._why_ended(session) is None
        if session.role == "guest":  # Whoever signed in has come with everything.
            return session.name not in self._people.persons.recent().joined
        return self._is_listed(session)

    def why_ended(self, token: str | None) -> str | None:
        """What to tell whoever comes with a ticket's token that was good once."""
        session = self._parsed(token or "")
        return None if session is None else self.why_over(session)

    def why_over(self, session: SignedIn) -> str | None:
        """Why somebody plays by a ticket no more; None: that is not it."""
        return self._why_ended(session) if session.by_ticket else None

    def _why_ended(self, session: SignedIn) -> str | None:
        name, since = session.tournament, session.since
        passes = self._people.passes
        return passes.why_ended(name, session.name, session.nonce, since=since)

    def end(self, session: SignedIn) -> None:
        """Sign out, as a guest or by a ticket too: a cookie that was copied is worth nothing."""
        expires = stamp(datetime.fromtimestamp(session.expires, UTC))
        self._people.signed_out(session.name, session.nonce, expires)

    def hand_over(self, response: Response, token: str) -> None:
        """Put a token into the browser's jar, out of reach of scripts and other sites."""
        hours = timedelta(hours=self._settings.sign_in.session_hours)
        response.set_cookie(
            COOKIE,
            token,
            max_age=int(hours.total_seconds()),
            path="/",
            secure=self._settings.secure,
            httponly=True,
            samesite="strict",
        )

    def take_back(self, response: Response) -> None:
        """Clear the jar."""
        response.delete_cookie(
            COOKIE, path="/", secure=self._settings.secure, httponly=True, samesite="strict"
        )

    def _is_listed(self, session: SignedIn) -> bool:
        register = self._people.register
        if session.since > register.seq:  # Signed by a process that has read more than we have.
            register = self._people.read_on()
            if session.nonce in register.ended:
                return False
        record = register.people.get(session.name)
        if record is None or record.disabled:
            return False
        return (record.role, record.since) == (session.role, session.since)

    def _signed(self, person: Person, since: int, nonce: str = "") -> str:
        now = self._clock()
        hours = timedelta(hours=self._settings.sign_in.session_hours)
        issued, expires = int(now.timestamp()), int((now + hours).timestamp())
        name, role, tournament = person
        nonce = nonce or secrets.token_hex(8)
        session = SignedIn(name, role, issued, expires, nonce, since, tournament)
        return self._tokens.token(session)

    def _parsed(self, token: str) -> SignedIn | None:
        session = self._tokens.read(token)
        return session if session is not None and session.role in ROLES else None
