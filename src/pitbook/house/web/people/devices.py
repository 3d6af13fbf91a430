"""A browser that somebody signed in with is known by a cookie: strangers' guesses do not stop it.

The cookie lets nobody in. It only says whose failures count, after OWASP's device cookies. It
rests on the same entry of the register as a sign-in, so that what ends those ends it.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import NamedTuple

from starlette.responses import Response

from pitbook.house.ledger.writer import utc_now
from pitbook.house.people.names import key
from pitbook.house.web.people.entering import Entered
from pitbook.house.web.people.register import stamp
from pitbook.house.web.people.signed import SignedTokens
from pitbook.house.web.running.settings import Settings

__all__ = ["Device", "Devices"]

COOKIE = "pitbook_device_"
PATH = "/api/sign-in"  # Nobody else asks for it.
PURPOSE = b"pitbook device 1"
TOKEN_MAX = 400
LINK = "link"


class Device(NamedTuple):
    """A browser of somebody's, until when, as of which entry; by a link alone, or by a sign-in."""

    who: str
    nonce: str
    until: str
    entry: str
    how: str

    @property
    def by_link(self) -> bool:
        """Whether nobody has signed in with it yet."""
        return self.how == LINK

    @property
    def since(self) -> int:
        """The entry of the register that it rests on."""
        return int(self.entry)


class Devices:
    """Gives out cookies and reads them; keeps none, so that every process of a house knows them."""

    def __init__(
        self, secret: bytes, settings: Settings, *, clock: Callable[[], datetime] = utc_now
    ) -> None:
        self._signed = SignedTokens(secret, Device, purpose=PURPOSE, longest=TOKEN_MAX)
        self._settings, self._clock = settings, clock

    def known(self, cookies: Mapping[str, str], name: str) -> Device | None:
        """The device that somebody of this name has signed in with before."""
        who = _who(name)
        found = self._signed.read(cookies.get(COOKIE + who[:16], ""))
        if found is None or found.who != who or found.until <= stamp(self._clock()):
            return None
        return found

    def hand_over(
        self,
        response: Response,
        entered: Entered,
        *,
        by_link: bool = False,
        before: Device | None = None,
    ) -> None:
        """Make the browser that asks a known one; one that was it before is the same device."""
        time = timedelta(days=self._settings.sign_in.device_days)
        who, nonce = _who(entered.person.name), before.nonce if before else secrets.token_hex(8)
        until, how = stamp(self._clock() + time), LINK if by_link else ""
        device = Device(who, nonce, until, str(entered.since), how)
        response.set_cookie(
            COOKIE + who[:16],
            self._signed.token(device),
            max_age=int(time.total_seconds()),
            path=PATH,
            secure=self._settings.secure,
            httponly=True,
            samesite="strict",
        )


def _who(name: str) -> str:
    """One for every way to write a name, which itself is in no cookie."""
    return hashlib.sha256(key(name).encode(errors="replace")).hexdigest()[:32]
