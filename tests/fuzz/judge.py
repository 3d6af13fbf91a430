"""What must hold for every answer, whatever was asked: no 5xx, a sentence, no trace, no leak."""

from __future__ import annotations

import json
import re
from collections import Counter
from http import HTTPStatus
from urllib.parse import unquote

from tests.fuzz.asked import Answer, Request, ask
from tests.fuzz.floor import STAFF, Asker, Floor
from tests.fuzz.spoken import Json
from tests.house.table.watching import CARD

from pitbook.cards import DECK, Card, card, name
from pitbook.house.ledger.journal import Stream
from pitbook.house.people.sessions import SESSION_COOKIE
from pitbook.house.web.errors import SENTENCE_MAX

# Of sheets and figures, which anybody may read and which know no table.
REFERENCE = (
    "/api/drills",  # Their cards lie on no table.
    "/api/daily",  # Nor do these.
    "/api/table-tests",
    "/api/attempts",
    "/api/sheets",
    "/api/math/",
    "/api/advise",
    "/api/compare",
    "/api/docs",
    "/api/openapi",
)
TABLE = re.compile(r"/api/tables/([^/]+)(?:/(.*))?", re.DOTALL)
PROOF = re.compile(r"/api/tables/([^/]+)/rounds/[^/]+/proof")
# On a screen and on paper it is the same account of a hand that is settled.
EXPLAIN = re.compile(r"/api/(?:pit/explain|inspect/paper)/(.+)-[0-9]+/[^/]*", re.DOTALL)
API = "/api"
LINKS = ("/api/invitations/", "/api/resets/")
EXAMPLES = re.compile(r'as in \\?"Qs\\?", \\?"Td\\?" or \\?"2h\\?"')
OWN = ("password", "factor/confirm", "factor/remove")
GUESSED = {"/api/sign-in": (401,), **{f"/api/me/{one}": (403,) for one in OWN}}
SAFE = ("GET", "HEAD", "OPTIONS", "TRACE")
WRONG_MAX = 50
ADVANCE = 10  # After so many cases the others play on.
WORDS = ("text/plain", "text/html")


class Judge:
    """Asks as somebody, and keeps what was wrong with the answers."""

    def __init__(self, floor: Floor, asker: Asker) -> None:
        self.floor, self.asker = floor, asker
        self.wrong: list[str] = []
        self.statuses: Counter[int] = Counter()
        self.routes: Counter[str] = Counter()
        self._written: set[Card] = set()  # Names and reasons that read like cards, as "5c" does.

    @property
    def fine(self) -> int:
        """How many requests were answered with what they asked for."""
        return sum(count for status, count in self.statuses.items() if status < 400)

    async def ask(self, request: Request) -> Answer:
        """The answer, judged."""
        await self.floor.mend()
        if self.statuses.total() % ADVANCE == 0:
            await self.floor.advance()
        token = self.floor.token(self.asker)
        given = {} if token is None else {"cookie": f"{SESSION_COOKIE}={token}"}
        before = self.floor.heads()
        # A cookie that the request brings itself is a bad one, and meant to be.
        answer = await ask(self.floor.app, request._replace(headers={**given, **request.headers}))
        found = [
            *_status(answer),
            *_shape(request, answer),
            *_rows(request, answer, before, self.floor.heads()),
            *self._leaks(request, answer),
        ]
        self.statuses[answer.status] += 1
        if found and len(self.wrong) < WRONG_MAX:
            told = f"{answer.status} {answer.body[:400]!r} {answer.raised}"
            self.wrong.append(f"{', '.join(found)}: {self.asker} {request} -> {told}")
        await self._tidy(request, answer)
        return answer

    def _leaks(self, request: Request, answer: Answer) -> list[str]:
        told = answer.body.decode(errors="replace")
        found = [f"tells {one[:20]}" for one in self.floor.secrets(self.asker) if one in told]
        if request.path.startswith(REFERENCE):
            return found
        may_see = self._may_see(request.path) | self._whole_deck(request.path, answer)
        leaked = named(told) - _said(request) - self._written - may_see
        return [*found, *(f"shows {name(one)}" for one in sorted(leaked))]

    def _may_see(self, path: str) -> set[Card]:
        """The cards that this asker may read in an answer of a route."""
        if (at := TABLE.fullmatch(path)) is not None:
            if at[1] not in self.floor.house.tables:
                return set()
            shadow, viewer = self.floor.shadow(at[1]), self.floor.viewer(self.asker, at[1])
            if not at[2] or not at[2].startswith(("rounds", "events")):
                return shadow.may_see(viewer)
            return shadow.may_recall(viewer) | self._by_right(at[1])
        if (of := EXPLAIN.fullmatch(path)) is not None:
            return self._by_right(of[1]) if of[1] in self.floor.house.tables else set()
        tables = list(self.floor.house.tables)
        seen = (
            self.floor.shadow(one).may_recall(self.floor.viewer(self.asker, one)) for one in tables
        )
        return set().union(*seen)

    def _whole_deck(self, path: str, answer: Answer) -> set[Card]:
        """An auditor's proof opens every card of a shoe that has ended."""
        at = PROOF.fullmatch(path)
        if self.asker != "auditor" or at is None or answer.status != HTTPStatus.OK:
            return set()
        shoe = self.floor.shadow(at[1]).shoes.get(answer.document["shoe"]["id"])
        return set(DECK) if shoe is not None and shoe.ended else set()

    def _by_right(self, table: str) -> set[Card]:
        """Of rounds that are over: whoever was dealt in may prove them, the staff explain them."""
        shadow, who = self.floor.shadow(table), self.floor.name(self.asker)
        dealt = any(who in shoe.players for shoe in shadow.shoes.values())
        return shadow.finished() if dealt or self.asker in STAFF else set()

    async def _tidy(self, request: Request, answer: Answer) -> None:
        """Remember what is now in the book; a practice table that was asked for is given back."""
        if answer.status < 400 and request.method not in SAFE and _is_written(request.path):
            self._written |= _said(request)
        if (request.method, request.path, answer.status) == ("POST", "/api/practice", 201):
            body: Json = answer.document
            table = self.floor.house.tables[body["table"]]
            cookie = answer.headers.get("set-cookie", "").partition(";")[0]
            token = cookie or f"{SESSION_COOKIE}={self.floor.token(self.asker)}"
            retire = json.dumps({"request": "tidy", "command": {"do": "retire"}}).encode()
            target = f"/api/tables/{table.state.table}/commands"
            given = {"cookie": token, "content-type": "application/json"}
            gone = await ask(self.floor.app, Request("POST", target, given, retire))
            assert gone.status == 200, gone


def _status(answer: Answer) -> list[str]:
    """No 5xx, and no 421 either.

    A 503 says that the book cannot be written, a 421 that another process holds the table: here
    the book is well and there is one process, so that neither would be true. But figures that are
    worked out for the first time may be asked for again.
    """
    if answer.status == 503 and b'"exact.large.awaited"' in answer.body:
        return []
    bad = answer.status >= 500 or answer.status == 421 or b"our own mistake" in answer.body
    return [f"status {answer.status}"] if bad or answer.status < 200 else []


def _is_page(request: Request) -> bool:
    """Whether a person asks, with a browser."""
    opened = request.path.startswith(LINKS) and "text/html" in request.headers.get("accept", "")
    return opened or not request.path.startswith(API)


def _shape(request: Request, answer: Answer) -> list[str]:
    """Every no is {"error": sentence} or {"refused": {code, message, clause}}.

    What is wrong with a posted file is said line by line besides, as findings.

    But for the page, which a person asks for: where it is not built, that is said in plain text,
    and an address of nothing, or a link that is used up, is a page that says so.
    """
    page = _is_page(request) and answer.headers["content-type"].startswith(WORDS)
    if answer.status < 400 or (page and answer.body):
        return []
    try:
        document = answer.document
    except ValueError:
        return ["a no that is no JSON"]
    more = {"findings", "left_out", "key", "fields"}
    if isinstance(document, dict) and set(document) - more == {"error"}:
        return [] if is_sentence(document["error"]) else ["no sentence"]
    if answer.status == 409 and isinstance(document, dict) and set(document) == {"refused"}:
        refused = document["refused"]
        plain = set(refused) - more == {"code", "message", "clause"}
        fine = plain and is_sentence(refused["message"])
        return [] if fine else ["no refusal"]
    return ["a no of another shape"]


def is_sentence(text: object) -> bool:
    """Whether it is something that a person can read in one line."""
    return (
        isinstance(text, str)
        and bool(text.strip())
        and text.isprintable()
        and len(text) <= SENTENCE_MAX
    )


def _rows(request: Request, answer: Answer, before: list[Stream], after: list[Stream]) -> list[str]:
    """What is refused, and what only reads, leaves no row.

    One no is a fact by design: a wrong password or code is on record in the register, which is how
    guessing becomes slow. So a no to whoever proves who they are may add to the stream "people".
    """
    changed = {one.name for one in set(before) ^ set(after)}
    if answer.status in GUESSED.get(request.path, ()):
        changed -= {"people"}
    reads = request.method in SAFE or answer.status >= 400
    return [f"wrote to {one}" for one in sorted(changed)] if reads else []


def _is_written(path: str) -> bool:
    """Whether a route keeps names and reasons; what is asked of a table or a sheet is no such."""
    return not path.startswith(REFERENCE) and TABLE.fullmatch(path) is None


def named(text: str) -> set[Card]:
    """Every card that a text names, wherever it stands, but for those that teach how to write."""
    return {card(one) for one in CARD.findall(EXAMPLES.sub("", text))}


def _said(request: Request) -> set[Card]:
    """Cards that the asker named: to repeat them tells nothing."""
    body = request.body.decode(errors="replace")
    said = named(f"{unquote(request.target)} {body} {list(request.headers.values())}")
    try:
        return said | named(json.dumps(json.loads(body), ensure_ascii=False))
    except (ValueError, RecursionError):
        return said
