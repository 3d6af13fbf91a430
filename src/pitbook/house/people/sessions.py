"""Signed tokens, and the session and device cookies made from them."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import secrets
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Generic, NamedTuple, TypeVar

from starlette.responses import Response

from pitbook.house.ledger.writer import utc_now
from pitbook.house.people.account_register import ROLES, Person, Role, stamp
from pitbook.house.people.accounts import People
from pitbook.house.people.names import GUEST_PREFIX, name_key
from pitbook.house.people.sign_in import Authenticated
from pitbook.house.settings import Settings
from pitbook.shoe.crypto import hkdf

Claims = TypeVar("Claims", bound=tuple[str | int, ...])


class SignedTokens(Generic[Claims]):
    """Signed tokens for one purpose; each carries a named tuple of strings and numbers."""

    def __init__(
        self,
        secret: bytes,
        kind: type[Claims],
        *,
        purpose: bytes,
        longest: int,
        mac_bytes: int = 32,
    ) -> None:
        self._key = hkdf(secret, salt=b"", info=purpose)
        self._kind, self._longest, self._mac_bytes = kind, longest, mac_bytes

    def token(self, claims: Claims) -> str:
        payload = _to_base64(json.dumps(self.words(claims), separators=(",", ":")).encode())
        return f"{payload}.{_to_base64(self._mac(payload))}"

    def words(self, claims: Claims) -> tuple[str | int, ...]:
        """The fields to sign."""
        return claims

    def read(self, token: str) -> Claims | None:
        """The claims of a token, or None if it is not ours."""
        payload, _, mac = token.partition(".")
        if len(token) > self._longest or not token.isascii():
            return None
        if not hmac.compare_digest(_to_base64(self._mac(payload)), mac):
            return None
        kind: Any = self._kind
        try:
            claims: Claims = kind(*json.loads(_from_base64(payload)))
        except (ValueError, TypeError, binascii.Error):  # Signed by us in an older format.
            return None
        return claims

    def _mac(self, payload: str) -> bytes:
        return hmac.digest(self._key, payload.encode(), hashlib.sha256)[: self._mac_bytes]


def _to_base64(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


def _from_base64(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


SESSION_COOKIE = "pitbook_session"
SESSION_PURPOSE = b"pitbook session 1"
SESSION_TOKEN_MAX = 2_000


class Session(NamedTuple):
    """One session: a person, its expiry, and the register entry it depends on.

    A ticket's session is for one tournament, and its nonce identifies the opening of the ticket.
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
        return Person(self.name, self.role, self.tournament)

    @property
    def by_ticket(self) -> bool:
        """Whether a player without an account uses a tournament ticket."""
        return bool(self.tournament)


class Sessions:
    """Issues and reads session tokens without storing them."""

    def __init__(
        self,
        secret: bytes,
        people: People,
        settings: Settings,
        *,
        clock: Callable[[], datetime] = utc_now,
    ) -> None:
        self._tokens = SignedTokens(
            secret, Session, purpose=SESSION_PURPOSE, longest=SESSION_TOKEN_MAX
        )
        self._people, self._settings, self._clock = people, settings, clock

    def issue(self, person: Person, since: int | None = None) -> str:
        """A token that depends on register entry `since`, by default the account's latest."""
        if since is None:
            record = self._people.register.people.get(person.name)
            since = record.since if record else 0
        return self._issue(person, since)

    def guest(self) -> tuple[Person, str]:
        """A new guest and the session token."""
        person = Person(f"{GUEST_PREFIX}{secrets.token_hex(8)}", "guest")
        return person, self._issue(person, 0)

    def ticket(self, name: str, tournament: str, *, opening: str, since: int) -> str:
        """A token for a player who opened a ticket; it ends with that opening."""
        return self._issue(Person(name, "player", tournament), since, opening)

    def read(self, token: str | None) -> Session | None:
        """The session of a token, or None if it is not ours, expired or revoked."""
        session = self._parse(token or "")
        return session if session is not None and self.is_valid(session) else None

    def is_valid(self, session: Session) -> bool:
        """Whether a session is still valid."""
        if self._clock().timestamp() >= session.expires:
            return False
        if session.nonce in self._people.register.ended:
            return False
        if session.by_ticket:
            return self._ticket_end_reason(session) is None
        if session.role == "guest":  # Signing in links the guest's play and ends the guest.
            return session.name not in self._people.persons.recent().joined
        return self._matches_register(session)

    def end_reason_of_token(self, token: str | None) -> str | None:
        """Why the session of a ticket token has ended; None if it has not."""
        session = self._parse(token or "")
        return None if session is None else self.end_reason(session)

    def end_reason(self, session: Session) -> str | None:
        """Why a ticket's session has ended; None if it has not."""
        return self._ticket_end_reason(session) if session.by_ticket else None

    def _ticket_end_reason(self, session: Session) -> str | None:
        name, since = session.tournament, session.since
        passes = self._people.passes
        return passes.ended_reason(name, session.name, session.nonce, since=since)

    def end(self, session: Session) -> None:
        """Sign out; copies of the cookie are void too."""
        expires = stamp(datetime.fromtimestamp(session.expires, UTC))
        self._people.end_session(session.name, session.nonce, expires)

    def set_cookie(self, response: Response, token: str) -> None:
        """Set the session cookie, out of reach of scripts and other sites."""
        hours = timedelta(hours=self._settings.sign_in.session_hours)
        response.set_cookie(
            SESSION_COOKIE,
            token,
            max_age=int(hours.total_seconds()),
            path="/",
            secure=self._settings.https,
            httponly=True,
            samesite="strict",
        )

    def clear_cookie(self, response: Response) -> None:
        response.delete_cookie(
            SESSION_COOKIE, path="/", secure=self._settings.https, httponly=True, samesite="strict"
        )

    def _matches_register(self, session: Session) -> bool:
        register = self._people.register
        if session.since > register.seq:  # Another process issued it and has read further.
            register = self._people.catch_up()
            if session.nonce in register.ended:
                return False
        record = register.people.get(session.name)
        if record is None or record.disabled:
            return False
        return (record.role, record.since) == (session.role, session.since)

    def _issue(self, person: Person, since: int, nonce: str = "") -> str:
        now = self._clock()
        hours = timedelta(hours=self._settings.sign_in.session_hours)
        issued, expires = int(now.timestamp()), int((now + hours).timestamp())
        name, role, tournament = person
        nonce = nonce or secrets.token_hex(8)
        session = Session(name, role, issued, expires, nonce, since, tournament)
        return self._tokens.token(session)

    def _parse(self, token: str) -> Session | None:
        session = self._tokens.read(token)
        return session if session is not None and session.role in ROLES else None


DEVICE_COOKIE_PREFIX = "pitbook_device_"
DEVICE_COOKIE_PATH = "/api/sign-in"  # No other route reads it.
DEVICE_PURPOSE = b"pitbook device 1"
DEVICE_TOKEN_MAX = 400
BY_LINK = "link"


class Device(NamedTuple):
    """A known browser of one person; it became known by a sign-in or by a link."""

    who: str
    nonce: str
    until: str
    entry: str
    how: str

    @property
    def by_link(self) -> bool:
        """Whether no one has signed in on it yet."""
        return self.how == BY_LINK

    @property
    def since(self) -> int:
        """The register entry it depends on."""
        return int(self.entry)


class Devices:
    """Issues and reads device cookies without storing them, so every process knows them."""

    def __init__(
        self, secret: bytes, settings: Settings, *, clock: Callable[[], datetime] = utc_now
    ) -> None:
        self._tokens = SignedTokens(
            secret, Device, purpose=DEVICE_PURPOSE, longest=DEVICE_TOKEN_MAX
        )
        self._settings, self._clock = settings, clock

    def find(self, cookies: Mapping[str, str], name: str) -> Device | None:
        """The known device for this name, if the browser has a valid cookie for it."""
        name_digest = _name_digest(name)
        device = self._tokens.read(cookies.get(DEVICE_COOKIE_PREFIX + name_digest[:16], ""))
        if device is None or device.who != name_digest or device.until <= stamp(self._clock()):
            return None
        return device

    def set_cookie(
        self,
        response: Response,
        entry: Authenticated,
        *,
        by_link: bool = False,
        previous: Device | None = None,
    ) -> None:
        """Make the browser a known device; a device that already was keeps its nonce."""
        time = timedelta(days=self._settings.sign_in.known_device_days)
        name_digest, nonce = (
            _name_digest(entry.person.name),
            previous.nonce if previous else secrets.token_hex(8),
        )
        until, sign_in_method = stamp(self._clock() + time), BY_LINK if by_link else ""
        device = Device(name_digest, nonce, until, str(entry.since), sign_in_method)
        response.set_cookie(
            DEVICE_COOKIE_PREFIX + name_digest[:16],
            self._tokens.token(device),
            max_age=int(time.total_seconds()),
            path=DEVICE_COOKIE_PATH,
            secure=self._settings.https,
            httponly=True,
            samesite="strict",
        )


def _name_digest(name: str) -> str:
    """A hash of the name in any spelling; the cookie does not contain the name."""
    return hashlib.sha256(name_key(name).encode(errors="replace")).hexdigest()[:32]
