"""One socket from its first frame to its last, and everything that must hold about it."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from tests.fuzz.floor import Asker
from tests.fuzz.frames import FRAME_BYTES, Sent
from tests.fuzz.judge import is_sentence, named
from tests.fuzz.spoken import Json
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from pitbook.cards import Card, name
from pitbook.house.ledger.journal import Stream
from pitbook.house.table import socket as route

if TYPE_CHECKING:
    from tests.fuzz.sockets import Attack

SECONDS = 120
NO_TEXT = 1007  # The line itself says so (RFC 6455): what claims to be text is no UTF-8.
REPLIES = ("answer", "error", "pong", "view")
SAID = ("key", "fields")  # A no is told in words, and by its key where it has one.


class Visit:
    """Somebody at a table with a socket; what is wrong goes to the attack's list."""

    def __init__(self, attack: Attack, line: ClientConnection, asker: Asker, table: str) -> None:
        self._attack, self._line, self._asker, self._table = attack, line, asker, table
        floor = attack.floor
        self._viewer, self._name = floor.viewer(asker, table), floor.name(asker)
        self._stream = floor.house.tables[table].stream
        self._count = 0
        self._accepted: dict[str, tuple[int, str]] = {}
        self._unanswered: set[str] = set()
        self._marker = -1_000

    async def begin(self) -> None:
        """The first view, or what was missed."""
        await self._exchange([])
        if self._line.close_code is not None:
            self._check_end(self._line.close_code, [])

    async def batch(self, count: int) -> None:
        """Frames sent at once; then all that is told is read, and held against the journal."""
        floor = self._attack.floor
        frames = self._attack.frames(self._asker, self._table, count)
        self._count += count
        before = floor.heads()
        replies = await self._exchange(frames)
        after = floor.heads()
        closed = self._line.close_code
        if closed is None:
            self._check_replies(replies, frames)
        if closed is not None:
            self._unanswered |= {f"{self._name}/{one.request}" for one in frames}
            self._check_end(closed, frames)
        self._check_rows(before, after, frames)

    async def _exchange(self, frames: list[Sent]) -> Counter[str]:
        """How many replies of each kind came to frames."""
        self._marker -= 1
        with suppress(ConnectionClosed):
            for one in frames:
                as_text = True if one.text and isinstance(one.content, bytes) else None
                await self._line.send(one.content, text=as_text)
            await self._line.send(json.dumps({"ping": self._marker}))
        told = await self._heard(frames)
        self._attack.floor.shadow(self._table)
        self._check_secrets(told)
        replies = [reply for text in told for reply in self._read(text, frames)]
        return Counter(kind for kind, told in replies if (kind, told) != ("pong", self._marker))

    async def _heard(self, frames: list[Sent]) -> list[str]:
        """Everything up to the answer to our own ping, or to the end."""
        told: list[str] = []
        try:
            async with asyncio.timeout(SECONDS):
                while not told or told[-1] != f'{{"pong":{self._marker}}}':
                    told.append(str(await self._line.recv()))
        except ConnectionClosed:
            pass
        except TimeoutError:
            self._fault("no more was heard", frames)
        return told

    def _check_replies(self, replies: Counter[str], frames: list[Sent]) -> None:
        """One to each frame; but looks that are asked for while one is due are that one look."""
        looks = sum(one.is_look for one in frames)
        others = sum(not one.is_look and not one.is_silent for one in frames)
        if not min(looks, 1) <= replies["view"] <= looks:
            self._fault(f"{replies['view']} views to {looks} frames", frames)
        if (told := replies.total() - replies["view"]) != others:
            self._fault(f"{told} replies to {others} frames", frames)

    # What is told --------------------------------------------------------------------------------

    def _read(self, text: str, frames: list[Sent]) -> Iterator[tuple[str, Any]]:
        """The replies in a frame; events may come with an answer behind them."""
        frame: Json = json.loads(text)
        kinds = set(unkeyed(frame)) if "error" in frame else set(frame)
        if not kinds <= {"events", "ping", *REPLIES}:
            self._fault("a frame of another kind", text)
        for event in frame.get("events", ()):
            self._check_cards(event["body"], event["version"], text)
        if "view" in frame:
            self._check_cards(frame["view"], frame["view"]["version"], text)
        if "answer" in frame:
            self._check_answer(frame["answer"], frames)
        if "error" in frame and not is_sentence(frame["error"]):
            self._fault("no sentence", text)
        yield from ((kind, frame[kind]) for kind in REPLIES if kind in frame)

    def _check_answer(self, answer: Json, frames: list[Sent]) -> None:
        request, (kind, *more) = answer["request"], [key for key in answer if key != "request"]
        told = answer[kind]
        if request not in {one.request for one in frames}:
            self._fault("an answer to nothing", answer)
        elif kind == "accepted" and set(told) == {"seq", "hash"}:
            self._attack.accepted += 1
            if told["hash"]:  # Else there was nothing to do, and nothing was written.
                self._accepted[f"{self._name}/{request}"] = (told["seq"], told["hash"])
        elif kind == "refused" and set(unkeyed(told)) == {"code", "message", "clause"}:
            told = told["message"]
        elif kind == "error":
            more = [key for key in unkeyed(answer) if key not in ("request", kind)]
        sentence = told if kind != "accepted" else "accepted"
        if more or not is_sentence(sentence) or "our own mistake" in sentence:
            # Nobody is told to come back later: no limit is in force, and the book is well.
            self._fault("an answer of another kind", (answer, frames))
        shown = named(json.dumps(answer, ensure_ascii=False)) - {
            one for frame in frames for one in _cards(frame)
        }
        if shown - self._may_see():
            self._fault("an answer shows a card", (answer, frames))

    def _check_cards(self, body: Json, version: int, text: str) -> None:
        """Of each version of the table no card but those that this viewer may know by then."""
        floor = self._attack.floor
        if self._table not in floor.house.tables and not floor.shadow(self._table).knows(version):
            return  # A guest's own table, whose journal went with it.
        leaked = named(json.dumps(body)) - self._may_see(version)
        if leaked:
            self._fault(f"version {version} shows {[name(one) for one in leaked]}", text)

    def _may_see(self, version: int | None = None) -> set[Card]:
        return self._attack.floor.shadow(self._table).may_see(self._viewer, version)

    def _check_secrets(self, told: list[str]) -> None:
        text = "\n".join(told)
        for one in self._attack.floor.secrets(self._asker):
            if one in text:
                self._fault(f"tells {one}", text)

    # What is on record, and how it ends ----------------------------------------------------------

    def _check_rows(self, before: list[Stream], after: list[Stream], frames: list[Sent]) -> None:
        """Every new row is that of an accepted request; other streams have none."""
        mine = (self._stream, "pruned")
        cleared = {one.name for one in before if one.prunable} - {one.name for one in after}
        changed = {one.name for one in set(before) ^ set(after)} - cleared
        if elsewhere := [one for one in changed if one not in mine and not is_guests(one)]:
            self._fault(f"{elsewhere} were written to", frames)
        start = next(one.seq for one in before if one.name == self._stream)
        for entry in self._attack.floor.house.ledger.entries(self._stream, after=start):
            told, request = (entry.seq, entry.hash), entry.request or ""
            if self._accepted.get(request) != told and request not in self._unanswered:
                self._fault(f"row {entry.seq} of {request!r} was not answered so", frames)
        self._check_promises(frames)

    def _check_promises(self, frames: list[Sent]) -> None:
        """What was accepted is on record, as long as its table is."""
        floor = self._attack.floor
        for request in {f"{self._name}/{one.request}" for one in frames} & set(self._accepted):
            entry = floor.house.ledger.entry_of_request(request)
            kept = entry is not None and (entry.seq, entry.hash) == self._accepted[request]
            if not kept and self._table in floor.house.tables:
                self._fault(f"{request!r} was accepted and is not on record", frames)

    def _check_end(self, code: int, frames: list[Sent]) -> None:
        """The house says why it closes a socket, and means it."""
        gone = self._table not in self._attack.floor.house.tables
        meant = {
            route.TOO_LARGE[0]: any(one.size > FRAME_BYTES for one in frames),
            route.GARBAGE[0]: self._count >= route.GARBAGE_MAX,
            route.ENDED[0]: gone,
            NO_TEXT: any(one.kind == "no text" for one in frames),
        }
        if not meant.get(code):
            self._fault(f"closed with {code} {self._line.close_reason!r}", frames)

    def _fault(self, what: str, about: object) -> None:
        self._attack.fault(f"{self._asker} at {self._table}: {what}", about)


def is_guests(stream: str) -> bool:
    """Whether a table belongs to a guest who came in by the door; an honest one plays there."""
    return stream.startswith("practice/practice-")


def unkeyed(told: Json) -> Json:
    """A no without its key and fields, which come together or not at all."""
    is_keyed = isinstance(told.get("key"), str) and isinstance(told.get("fields"), dict)
    return {name: one for name, one in told.items() if not is_keyed or name not in SAID}


def _cards(frame: Sent) -> set[Card]:
    """Cards that the sender named, as written or as JSON reads it: to repeat them tells nothing."""
    content = frame.content
    text = content if isinstance(content, str) else content.decode(errors="replace")
    with suppress(ValueError, RecursionError):
        return named(text) | named(json.dumps(json.loads(text), ensure_ascii=False))
    return named(text)
