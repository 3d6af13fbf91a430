"""What must hold for every answer: no 5xx, an error sentence, no written rows, no leaks."""

from __future__ import annotations

import json
import re
from collections import Counter
from http import HTTPStatus
from urllib.parse import unquote

from tests.fuzz.commands import Json
from tests.fuzz.house import STAFF, Asker, Floor
from tests.fuzz.requests import Answer, Request, ask
from tests.house.table.visible_cards import CARD

from pitbook.cards import DECK, Card, card, name
from pitbook.house.ledger.ledger import Stream
from pitbook.house.people.sessions import SESSION_COOKIE
from pitbook.house.web.errors import SENTENCE_MAX

# Sheets and figures, which everybody may read and which have no table data.
REFERENCE = (
    "/api/drills",  # Their cards belong to no table.
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
# The page and the paper give the same account of a settled hand.
EXPLAIN = re.compile(r"/api/(?:pit/explain|inspect/paper)/(.+)-[0-9]+/[^/]*", re.DOTALL)
API = "/api"
LINKS = ("/api/invitations/", "/api/resets/")
EXAMPLES = re.compile(r'as in \\?"Qs\\?", \\?"Td\\?" or \\?"2h\\?"')
ACCOUNT_CHANGES = ("password", "factor/confirm", "factor/remove")
RECORDED_FAILURES = {
    "/api/sign-in": (401,),
    **{f"/api/me/{path}": (403,) for path in ACCOUNT_CHANGES},
}
SAFE = ("GET", "HEAD", "OPTIONS", "TRACE")
WRONG_MAX = 50
ADVANCE = 10  # The others play on after this many cases.
PAGE_TYPES = ("text/plain", "text/html")


class Judge:
    """Sends requests as one asker and records errors in the answers."""

    def __init__(self, floor: Floor, asker: Asker) -> None:
        self.floor, self.asker = floor, asker
        self.wrong: list[str] = []
        self.statuses: Counter[int] = Counter()
        self.routes: Counter[str] = Counter()
        self._written: set[Card] = set()  # Names and reasons that read like cards, such as "5c".

    @property
    def succeeded(self) -> int:
        """The number of requests that succeeded."""
        return sum(count for status, count in self.statuses.items() if status < 400)

    async def ask(self, request: Request) -> Answer:
        """The answer, after checking it."""
        await self.floor.restore()
        if self.statuses.total() % ADVANCE == 0:
            await self.floor.advance()
        token = self.floor.token(self.asker)
        cookies = {} if token is None else {"cookie": f"{SESSION_COOKIE}={token}"}
        before = self.floor.heads()
        # A cookie in the request itself is deliberately bad.
        answer = await ask(self.floor.app, request._replace(headers={**cookies, **request.headers}))
        errors = [
            *_status_errors(answer),
            *_shape_errors(request, answer),
            *_row_errors(request, answer, before, self.floor.heads()),
            *self._leaks(request, answer),
        ]
        self.statuses[answer.status] += 1
        if errors and len(self.wrong) < WRONG_MAX:
            details = f"{answer.status} {answer.body[:400]!r} {answer.raised}"
            self.wrong.append(f"{', '.join(errors)}: {self.asker} {request} -> {details}")
        await self._clean_up(request, answer)
        return answer

    def _leaks(self, request: Request, answer: Answer) -> list[str]:
        text = answer.body.decode(errors="replace")
        leaks = [
            f"tells {secret[:20]}" for secret in self.floor.secrets(self.asker) if secret in text
        ]
        if request.path.startswith(REFERENCE):
            return leaks
        may_see = self._may_see(request.path) | self._whole_deck(request.path, answer)
        leaked = cards_in(text) - _cards_sent(request) - self._written - may_see
        return [*leaks, *(f"shows {name(leaked_card)}" for leaked_card in sorted(leaked))]

    def _may_see(self, path: str) -> set[Card]:
        """The cards that this asker may read in an answer of a route."""
        if (match := TABLE.fullmatch(path)) is not None:
            if match[1] not in self.floor.house.tables:
                return set()
            shadow, viewer = self.floor.shadow(match[1]), self.floor.viewer(self.asker, match[1])
            if not match[2] or not match[2].startswith(("rounds", "events")):
                return shadow.may_see(viewer)
            return shadow.may_recall(viewer) | self._finished_cards(match[1])
        if (explained := EXPLAIN.fullmatch(path)) is not None:
            return (
                self._finished_cards(explained[1])
                if explained[1] in self.floor.house.tables
                else set()
            )
        tables = list(self.floor.house.tables)
        visible = (
            self.floor.shadow(table).may_recall(self.floor.viewer(self.asker, table))
            for table in tables
        )
        return set().union(*visible)

    def _whole_deck(self, path: str, answer: Answer) -> set[Card]:
        """All cards, if this is an auditor's proof of a shoe that has ended."""
        match = PROOF.fullmatch(path)
        if self.asker != "auditor" or match is None or answer.status != HTTPStatus.OK:
            return set()
        shoe = self.floor.shadow(match[1]).shoes.get(answer.document["shoe"]["id"])
        return set(DECK) if shoe is not None and shoe.ended else set()

    def _finished_cards(self, table: str) -> set[Card]:
        """Cards of finished rounds: dealt-in players may prove them, staff may explain them."""
        shadow, player = self.floor.shadow(table), self.floor.name(self.asker)
        was_dealt_in = any(player in shoe.players for shoe in shadow.shoes.values())
        return shadow.finished_cards() if was_dealt_in or self.asker in STAFF else set()

    async def _clean_up(self, request: Request, answer: Answer) -> None:
        """Remember names that are now in the ledger, and retire a new practice table."""
        if answer.status < 400 and request.method not in SAFE and _is_written(request.path):
            self._written |= _cards_sent(request)
        if (request.method, request.path, answer.status) == ("POST", "/api/practice", 201):
            body: Json = answer.document
            table = self.floor.house.tables[body["table"]]
            cookie = answer.headers.get("set-cookie", "").partition(";")[0]
            token = cookie or f"{SESSION_COOKIE}={self.floor.token(self.asker)}"
            retire = json.dumps({"request": "tidy", "command": {"do": "retire"}}).encode()
            target = f"/api/tables/{table.state.table}/commands"
            headers = {"cookie": token, "content-type": "application/json"}
            retired = await ask(self.floor.app, Request("POST", target, headers, retire))
            assert retired.status == 200, retired


def _status_errors(answer: Answer) -> list[str]:
    """Errors if the status is 5xx or 421.

    A 503 would mean that the ledger cannot be written and a 421 that another process holds the
    table; neither is true here. Figures computed for the first time may answer 503.
    """
    if answer.status == 503 and b'"exact.large.awaited"' in answer.body:
        return []
    bad = answer.status >= 500 or answer.status == 421 or b"our own mistake" in answer.body
    return [f"status {answer.status}"] if bad or answer.status < 200 else []


def _is_page(request: Request) -> bool:
    """Whether a person asks with a browser."""
    is_link = request.path.startswith(LINKS) and "text/html" in request.headers.get("accept", "")
    return is_link or not request.path.startswith(API)


def _shape_errors(request: Request, answer: Answer) -> list[str]:
    """Every error is {"error": sentence} or {"refused": {code, message, clause}}.

    Errors in a posted file are also listed by line, as findings. A page for a person may be
    plain text or HTML instead.
    """
    page = _is_page(request) and answer.headers["content-type"].startswith(PAGE_TYPES)
    if answer.status < 400 or (page and answer.body):
        return []
    try:
        document = answer.document
    except ValueError:
        return ["a no that is no JSON"]
    optional = {"findings", "left_out", "key", "fields"}
    if isinstance(document, dict) and set(document) - optional == {"error"}:
        return [] if is_sentence(document["error"]) else ["no sentence"]
    if answer.status == 409 and isinstance(document, dict) and set(document) == {"refused"}:
        refused = document["refused"]
        has_refusal_fields = set(refused) - optional == {"code", "message", "clause"}
        is_valid = has_refusal_fields and is_sentence(refused["message"])
        return [] if is_valid else ["no refusal"]
    return ["a no of another shape"]


def is_sentence(text: object) -> bool:
    """Whether it is one line that a person can read."""
    return (
        isinstance(text, str)
        and bool(text.strip())
        and text.isprintable()
        and len(text) <= SENTENCE_MAX
    )


def _row_errors(
    request: Request, answer: Answer, before: list[Stream], after: list[Stream]
) -> list[str]:
    """A refused request or a read writes no row.

    By design, a wrong password or code is recorded in the stream "people", which slows guessing
    down.
    """
    changed = {stream.name for stream in set(before) ^ set(after)}
    if answer.status in RECORDED_FAILURES.get(request.path, ()):
        changed -= {"people"}
    reads = request.method in SAFE or answer.status >= 400
    return [f"wrote to {stream}" for stream in sorted(changed)] if reads else []


def _is_written(path: str) -> bool:
    """Whether a route stores names and reasons; those about tables and sheets do not."""
    return not path.startswith(REFERENCE) and TABLE.fullmatch(path) is None


def cards_in(text: str) -> set[Card]:
    """Every card that a text names, except in examples of notation."""
    return {card(text_card) for text_card in CARD.findall(EXAMPLES.sub("", text))}


def _cards_sent(request: Request) -> set[Card]:
    """Cards that the request named; repeating them reveals nothing."""
    body = request.body.decode(errors="replace")
    cards = cards_in(f"{unquote(request.target)} {body} {list(request.headers.values())}")
    try:
        return cards | cards_in(json.dumps(json.loads(body), ensure_ascii=False))
    except (ValueError, RecursionError):
        return cards
