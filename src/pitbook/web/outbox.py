"""What one watcher is still to be told, in order: views, events, answers."""

from __future__ import annotations

import asyncio

from pitbook.ledger.chain import canonical
from pitbook.table.facts import Json
from pitbook.table.sight import Viewer
from pitbook.table.subscribers import News

__all__ = ["Letter", "Outbox"]

LETTERS_MAX = 500
BYTES_MAX = 2_000_000


class Letter:
    """A text to send, and the version of the table that it brings its reader to."""

    __slots__ = ("text", "version", "what")

    def __init__(self, what: str, text: str, version: int | None = None) -> None:
        self.what, self.text, self.version = what, text, version


class Outbox:
    """Letters for one watcher. Whoever lets too many lie is let go: `slow`, and not `open`."""

    def __init__(self, viewer: Viewer) -> None:
        self.viewer = viewer
        self.open, self.slow = True, False
        self._letters: asyncio.Queue[Letter | None] = asyncio.Queue()
        self._bytes = 0

    def tell(self, news: News) -> None:
        """What happened at the table, as far as this watcher may see it."""
        self._put(Letter("events", news.text(self.viewer), news.version))

    def say(self, what: str, frame: Json, version: int | None = None) -> None:
        """Something for this watcher alone, behind all that was told before."""
        self._put(Letter(what, canonical(frame), version))

    def close(self) -> None:
        """Nothing more; what is here already is still sent."""
        if self.open:
            self.open = False
            self._letters.put_nowait(None)

    async def next(self) -> Letter | None:
        """The next letter; None when there is no more, or nobody reads them."""
        if self.slow:
            return None
        letter = await self._letters.get()
        if letter is None or self.slow:
            return None
        self._bytes -= len(letter.text)
        return letter

    def _put(self, letter: Letter) -> None:
        if not self.open:
            return
        self._bytes += len(letter.text)
        if self._letters.qsize() >= LETTERS_MAX or self._bytes > BYTES_MAX:
            self.slow = True
            self.close()
        else:
            self._letters.put_nowait(letter)
