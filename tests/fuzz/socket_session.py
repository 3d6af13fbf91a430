"""One socket from its first frame to its last, with all checks."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from tests.fuzz.commands import Json
from tests.fuzz.frames import FRAME_BYTES, Sent
from tests.fuzz.house import Asker
from tests.fuzz.judge import cards_in, is_sentence
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from pitbook.cards import Card, name
from pitbook.house.ledger.ledger import Stream
from pitbook.house.table import socket as route

if TYPE_CHECKING:
    from tests.fuzz.sockets import Attack

SECONDS = 120
INVALID_UTF8 = 1007  # RFC 6455: text that is not UTF-8 closes the connection.
REPLIES = ("answer", "error", "pong", "view")
# An error's message has a key and fields if it is from a catalog.
MESSAGE_FIELDS = "key", "fields"


class Visit:
    """One person's socket at a table; errors go to the attack's list."""

    def __init__(
        self,
        attack: Attack,
        connection: ClientConnection,
        asker: Asker,
        table: str,
        *,
        is_pushed: bool,
    ) -> None:
        self._is_pushed = is_pushed  # Views come without being requested.
        self._attack, self._connection, self._asker, self._table = attack, connection, asker, table
        floor = attack.floor
        self._viewer, self._name = floor.viewer(asker, table), floor.name(asker)
        self._stream = floor.house.tables[table].stream
        self._count = 0
        self._accepted: dict[str, tuple[int, str]] = {}
        self._unanswered: set[str] = set()
        self._marker = -1_000

    async def begin(self) -> None:
        """Read the first view or the missed events."""
        await self._exchange([])
        if self._connection.close_code is not None:
            self._check_end(self._connection.close_code, [])

    async def batch(self, count: int) -> None:
        """Send frames, then read everything and compare it with the journal."""
        floor = self._attack.floor
        frames = self._attack.frames(self._asker, self._table, count)
        self._count += count
        before = floor.heads()
        replies = await self._exchange(frames)
        after = floor.heads()
        closed = self._connection.close_code
        if closed is None:
            self._check_replies(replies, frames)
        if closed is not None:
            self._unanswered |= {f"{self._name}/{frame.request}" for frame in frames}
            self._check_end(closed, frames)
        self._check_rows(before, after, frames)

    async def _exchange(self, frames: list[Sent]) -> Counter[str]:
        """The number of replies of each kind to frames."""
        self._marker -= 1
        with suppress(ConnectionClosed):
            for frame in frames:
                as_text = True if frame.text and isinstance(frame.content, bytes) else None
                await self._connection.send(frame.content, text=as_text)
            await self._connection.send(json.dumps({"ping": self._marker}))
        texts = await self._receive_all(frames)
        self._attack.floor.shadow(self._table)
        self._check_secrets(texts)
        replies = [reply for text in texts for reply in self._read(text, frames)]
        return Counter(
            kind for kind, reply_body in replies if (kind, reply_body) != ("pong", self._marker)
        )

    async def _receive_all(self, frames: list[Sent]) -> list[str]:
        """Everything up to the answer to our own ping, or to the end."""
        texts: list[str] = []
        try:
            async with asyncio.timeout(SECONDS):
                while not texts or texts[-1] != f'{{"pong":{self._marker}}}':
                    texts.append(str(await self._connection.recv()))
        except ConnectionClosed:
            pass
        except TimeoutError:
            self._record_error("no more was heard", frames)
        return texts

    def _check_replies(self, replies: Counter[str], frames: list[Sent]) -> None:
        """One reply per frame, but several pending view requests may share one view."""
        looks = sum(frame.is_view_request for frame in frames)
        others = sum(not frame.is_view_request and not frame.is_silent for frame in frames)
        if not min(looks, 1) <= replies["view"] or (
            replies["view"] > looks and not self._is_pushed
        ):
            self._record_error(f"{replies['view']} views to {looks} frames", frames)
        if (reply_count := replies.total() - replies["view"]) != others:
            self._record_error(f"{reply_count} replies to {others} frames", frames)

    # Frames received -----------------------------------------------------------------------------

    def _read(self, text: str, frames: list[Sent]) -> Iterator[tuple[str, Any]]:
        """The replies in a frame; events may be followed by an answer."""
        frame: Json = json.loads(text)
        kinds = set(without_key(frame)) if "error" in frame else set(frame)
        if not kinds <= {"events", "ping", "presence", *REPLIES}:
            self._record_error("a frame of another kind", text)
        for event in frame.get("events", ()):
            self._check_cards(event["body"], event["version"], text)
        if "view" in frame:
            self._check_cards(frame["view"], frame["view"]["version"], text)
            if "events" in frame and frame["events"][-1]["version"] != frame["view"]["version"]:
                self._record_error("a view of another version than its events", text)
        if "answer" in frame:
            self._check_answer(frame["answer"], frames)
        if "error" in frame and not is_sentence(frame["error"]):
            self._record_error("no sentence", text)
        yield from ((kind, frame[kind]) for kind in REPLIES if kind in frame)

    def _check_answer(self, answer: Json, frames: list[Sent]) -> None:
        request, (kind, *more) = answer["request"], [key for key in answer if key != "request"]
        content = answer[kind]
        if request not in {frame.request for frame in frames}:
            self._record_error("an answer to nothing", answer)
        elif kind == "accepted" and set(content) == {"seq", "hash"}:
            self._attack.accepted += 1
            if content["hash"]:  # Otherwise there was nothing to do, and nothing was written.
                self._accepted[f"{self._name}/{request}"] = (content["seq"], content["hash"])
        elif kind == "refused" and set(without_key(content)) == {"code", "message", "clause"}:
            content = content["message"]
        elif kind == "error":
            more = [key for key in without_key(answer) if key not in ("request", kind)]
        sentence = content if kind != "accepted" else "accepted"
        if more or not is_sentence(sentence) or "our own mistake" in sentence:
            # "Try again later" is wrong too: no limit is in force, and the ledger works.
            self._record_error("an answer of another kind", (answer, frames))
        cards = cards_in(json.dumps(answer, ensure_ascii=False)) - {
            sent_card for frame in frames for sent_card in _cards(frame)
        }
        if cards - self._may_see():
            self._record_error("an answer shows a card", (answer, frames))

    def _check_cards(self, body: Json, version: int, text: str) -> None:
        """Each version of the table shows only cards that this viewer may know by then."""
        floor = self._attack.floor
        if self._table not in floor.house.tables and not floor.shadow(self._table).knows(version):
            return  # A guest's own table, whose journal is deleted with it.
        leaked = cards_in(json.dumps(body)) - self._may_see(version)
        if leaked:
            self._record_error(
                f"version {version} shows {[name(leaked_card) for leaked_card in leaked]}", text
            )

    def _may_see(self, version: int | None = None) -> set[Card]:
        return self._attack.floor.shadow(self._table).may_see(self._viewer, version)

    def _check_secrets(self, texts: list[str]) -> None:
        text = "\n".join(texts)
        for secret in self._attack.floor.secrets(self._asker):
            if secret in text:
                self._record_error(f"tells {secret}", text)

    # What is on record, and how it ends ----------------------------------------------------------

    def _check_rows(self, before: list[Stream], after: list[Stream], frames: list[Sent]) -> None:
        """Every new row belongs to an accepted request, and no other stream changed."""
        allowed = (self._stream, "pruned")
        cleared = {stream.name for stream in before if stream.prunable} - {
            stream.name for stream in after
        }
        changed = {stream.name for stream in set(before) ^ set(after)} - cleared
        if elsewhere := [
            stream_name
            for stream_name in changed
            if stream_name not in allowed and not is_guests(stream_name)
        ]:
            self._record_error(f"{elsewhere} were written to", frames)
        start = next(stream.seq for stream in before if stream.name == self._stream)
        for entry in self._attack.floor.house.ledger.entries(self._stream, after=start):
            receipt, request = (entry.seq, entry.hash), entry.request or ""
            if self._accepted.get(request) != receipt and request not in self._unanswered:
                self._record_error(f"row {entry.seq} of {request!r} was not answered so", frames)
        self._check_promises(frames)

    def _check_promises(self, frames: list[Sent]) -> None:
        """Accepted requests are recorded, as long as their table exists."""
        floor = self._attack.floor
        for request in {f"{self._name}/{frame.request}" for frame in frames} & set(self._accepted):
            entry = floor.house.ledger.entry_of_request(request)
            is_recorded = entry is not None and (entry.seq, entry.hash) == self._accepted[request]
            if not is_recorded and self._table in floor.house.tables:
                self._record_error(f"{request!r} was accepted and is not on record", frames)

    def _check_end(self, code: int, frames: list[Sent]) -> None:
        """The server closes a socket only for a reason that holds, and says so."""
        is_closed = self._table not in self._attack.floor.house.tables
        valid_reasons = {
            route.TOO_LARGE[0]: any(frame.size > FRAME_BYTES for frame in frames),
            route.GARBAGE[0]: self._count >= route.GARBAGE_MAX,
            route.ENDED[0]: is_closed,
            INVALID_UTF8: any(frame.kind == "no text" for frame in frames),
        }
        if not valid_reasons.get(code):
            self._record_error(f"closed with {code} {self._connection.close_reason!r}", frames)

    def _record_error(self, what: str, about: object) -> None:
        self._attack.record_error(f"{self._asker} at {self._table}: {what}", about)


def is_guests(stream: str) -> bool:
    """Whether a table belongs to a walk-in guest; the honest guest plays at one."""
    return stream.startswith("practice/practice-")


def without_key(error: Json) -> Json:
    """An error without its key and fields, which come together or not at all."""
    is_keyed = isinstance(error.get("key"), str) and isinstance(error.get("fields"), dict)
    return {
        name: field for name, field in error.items() if not is_keyed or name not in MESSAGE_FIELDS
    }


def _cards(frame: Sent) -> set[Card]:
    """Cards that the sender named, as written or as JSON reads them; repeating them reveals
    nothing.
    """
    content = frame.content
    text = content if isinstance(content, str) else content.decode(errors="replace")
    with suppress(ValueError, RecursionError):
        return cards_in(text) | cards_in(json.dumps(json.loads(text), ensure_ascii=False))
    return cards_in(text)
