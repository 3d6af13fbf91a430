"""What one watcher is still to be told, in order: views, events, answers."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable

from pydantic_core import to_json

from pitbook.house.table.seen.shapes import View
from pitbook.house.table.seen.sight import Viewer
from pitbook.house.table.seen.subscribers import News
from pitbook.house.web.languages import current_language
from pitbook.house.web.models.frames import SocketTold
from pitbook.text.catalogue import ENGLISH
from pitbook.text.documents import translated

__all__ = ["Letter", "Outbox", "letter"]

LETTERS_MAX = 500
BYTES_MAX = 2_000_000
EVENTS, ANSWER = "events", "answer"
_OPENING = '{"events":['  # As the text of news begins, and "]}" as it ends.


class Letter:
    """A text to send, and the version of the table that it brings its reader to."""

    __slots__ = ("text", "version", "what")

    def __init__(self, what: str, text: str, version: int | None = None) -> None:
        self.what, self.text, self.version = what, text, version


def letter(
    what: str, frame: SocketTold | View, version: int | None = None, language: str = ENGLISH
) -> Letter:
    """A frame, written out in a language."""
    return Letter(what, to_json(translated(frame, language)).decode(), version)


_LOOK = Letter("look", "")  # The place of a view that is built when it is its turn to be sent.


async def _at_once() -> None:
    pass


class Outbox:
    """Letters for one watcher. Whoever lets too many lie is let go: `slow`, and not `open`."""

    def __init__(
        self,
        viewer: Viewer,
        turn: Callable[[], Awaitable[None]] = _at_once,
        build: Callable[[], Letter] | None = None,
    ) -> None:
        self.viewer, self.language = viewer, current_language()
        self._turn, self._build, self._wanted = turn, build, False
        self.open, self.slow = True, False
        self.answers, self.heard = False, time.monotonic()  # Calls; and when anything was heard.
        self._letters: deque[Letter] = deque()
        self._come = asyncio.Event()
        self._bytes = 0

    def tell(self, news: News) -> None:
        """What happened at the table, as far as this watcher may see it."""
        if self.open:  # Else it need not even be written out.
            self.put(Letter(EVENTS, news.text(self.viewer, self.language), news.version))

    def say(self, what: str, frame: SocketTold | View, version: int | None = None) -> None:
        """Something for this watcher alone, behind all that was told before."""
        self.put(letter(what, frame, version, self.language))

    def want(self) -> None:
        """A look at the table: built once, when it can be sent, however often it is asked for."""
        if not self._wanted:
            self._wanted = True
            self.put(_LOOK)

    def call(self) -> None:
        """Ask for a sign of life at once."""
        self.say("ping", {"ping": 0})

    def close(self) -> None:
        """Nothing more; what is here already is still sent."""
        self.open = False
        self._come.set()

    async def next(self) -> Letter | None:
        """The next letter; None when there is no more, or nobody reads them."""
        while True:
            while not self._letters:
                if not self.open:
                    return None
                self._come.clear()
                await self._come.wait()
            if (letter := self._taken()) is not _LOOK:
                return letter
            await self._look()

    async def _look(self) -> None:
        """Build what is wanted, if anybody is still there; what happened meanwhile goes first."""
        await self._turn()
        self._wanted = False
        if not self.open or self._build is None:
            return
        before = [one for one in self._letters if one.what == EVENTS]
        behind = [one for one in self._letters if one.what != EVENTS]
        built = self._build()
        self._bytes += len(built.text)
        self._letters = deque((*before, built, *behind))

    async def frame(self) -> str | None:
        """The next letters as one text: events that came together, an answer behind them."""
        letter = await self.next()
        if letter is None:
            return None
        text = letter.text
        if letter.what == EVENTS:
            while self._letters and (what := self._letters[0].what) in (EVENTS, ANSWER):
                if (more := self._taken()) is None:
                    return None
                if what == ANSWER:
                    return f"{text[:-1]},{more.text[1:]}"
                text = f"{text[:-2]},{more.text[len(_OPENING) :]}"
        return text

    def _taken(self) -> Letter | None:
        if self.slow:
            return None
        letter = self._letters.popleft()
        self._bytes -= len(letter.text)
        return letter

    def put(self, letter: Letter) -> None:
        """One more, unless nobody listens any more."""
        if not self.open:
            return
        self._bytes += len(letter.text)
        if len(self._letters) >= LETTERS_MAX or self._bytes > BYTES_MAX:
            self.slow = True
            self.close()
        else:
            self._letters.append(letter)
            self._come.set()
