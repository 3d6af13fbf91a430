"""Guests: linking their play to an account, their tables, and breaks kept in a cookie."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from starlette.requests import HTTPConnection
from starlette.responses import Response

from pitbook.errors import LedgerError
from pitbook.house.people.register import Person
from pitbook.house.people.sessions import Session, SignedTokens
from pitbook.house.school.events import PUPIL
from pitbook.house.table.round_records import streams_of_player
from pitbook.house.table.streams import PRACTICE
from pitbook.house.web.server import Server
from pitbook.rules.refusals import Code, Refusal, refuse


def link_guest_play(server: Server, before: Session | None, person: Person) -> None:
    """What the guest of this very browser played is the person's from now on.

    The guest's cookie is the proof: it is signed, and it ends with this. What was written stays as
    it was written; one fact says whose it is, and the first who says so has it.
    """
    if before is None or before.role != "guest":
        return
    ledger, name = server.house.ledger, before.name
    drilled = ledger.stream(f"{PUPIL}{name}") is not None
    if drilled or streams_of_player(ledger, name):
        server.people.persons.join(before.name, person.name)


def all_names(server: Server, person: Person) -> tuple[str, ...]:
    """The name of somebody, and the guests that they were."""
    return (person.name, *server.people.persons.recent().guests_of(person.name))


def is_owner(server: Server, person: Person, owner: str) -> bool:
    """Whether a practice table is somebody's, who may have opened it as a guest."""
    return person.name == server.people.persons.recent().joined.get(owner, owner)


def owns_table(server: Server, person: Person, table: str) -> bool:
    """Whether a practice table of that name is somebody's, here or at another process."""
    if (held := server.house.held(table)) is not None:
        return held.state.kind == "practice" and is_owner(server, person, held.state.owner)
    try:
        opened = next(iter(server.house.ledger.entries(f"{PRACTICE}{table}")), None)
    except LedgerError:
        return True  # Whoever looks for the table hears of it.
    facts = opened.facts if opened is not None else ()
    return any(is_owner(server, person, fact["owner"]) for fact in facts if fact.get("owner"))


BREAK_COOKIE = "pitbook-rest"
FOR_GOOD = "9999-12-31T00:00:00+00:00"
BREAK_COOKIE_MAX_AGE_S = 10 * 31_536_000


class _Break(NamedTuple):
    until: str


def set_break_cookie(response: Response, server: Server, until: datetime | None) -> None:
    """Tell the browser until when."""
    token = _break_tokens(server).token(_Break(until.isoformat() if until else FOR_GOOD))
    secure = server.settings.https
    response.set_cookie(
        BREAK_COOKIE,
        token,
        BREAK_COOKIE_MAX_AGE_S,
        path="/",
        secure=secure,
        httponly=True,
        samesite="strict",
    )


def break_refusal(connection: HTTPConnection, server: Server, now: datetime) -> Refusal | None:
    """Why a new guest of a browser cannot play yet."""
    found = _break_tokens(server).read(connection.cookies.get(BREAK_COOKIE) or "")
    if found is None or datetime.fromisoformat(found.until) <= now:
        return None
    until = found.until[:16].replace("T", " ")
    return refuse(Code.EXCLUDED, "web.care.this-browser", until=until)


def _break_tokens(server: Server) -> SignedTokens[_Break]:
    secret = server.house.folder.keys.sealing
    return SignedTokens(secret, _Break, purpose=b"pitbook rest of a browser", longest=300)
