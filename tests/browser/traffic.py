"""Every byte that reached a page, and every card it names: none may be known before its time."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from playwright.sync_api import Page, Response, WebSocket
from tests.browser.built import script
from tests.browser.player import RANKS

from pitbook.shoe.deck import deck_of

LETTERS, SUITS = "23456789TJQKA", {"clubs": "c", "diamonds": "d", "hearts": "h", "spades": "s"}
SHORT = re.compile(r"(?<![\w-])([2-9TJQKA][cdhs])(?![\w-])")
SAID = re.compile(rf"\b({'|'.join(RANKS)}) of ({'|'.join(SUITS)})\b")
DRAWN = re.compile(r"(?<!\w)(10|[2-9JQKA])([♣♦♥♠])")
SYMBOLS = dict(zip("♣♦♥♠", "cdhs", strict=True))
HEX = re.compile(r"\b[0-9a-f]{64}\b")
# The same for everybody, and there before there is a shoe.
PRINTED = re.compile(r"/assets/|/api/sheets|/api/math|/sheet$|/table/[^/]+$|/$")


class Heard(NamedTuple):
    """Something that reached the page."""

    where: str
    text: str


class Traffic:
    """All frames and bodies of one page, in the order in which they came."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.heard: list[Heard] = []
        page.on("websocket", self._opened)
        page.on("response", self._answered)
        self._answers: list[Response] = []

    def stop(self) -> None:
        """The page is somebody else's next."""
        self.page.remove_listener("websocket", self._opened)
        self.page.remove_listener("response", self._answered)

    def _opened(self, socket: WebSocket) -> None:
        socket.on("framereceived", lambda text: self.heard.append(Heard("frame", str(text))))

    def _answered(self, answer: Response) -> None:
        if not PRINTED.search(answer.url.partition("?")[0]):
            self._answers.append(answer)

    def so_far(self) -> list[Heard]:
        """All that has come, with what the page made of it: document and kept state."""
        for answer in self._answers:
            self.heard.append(Heard(answer.url, answer.text()))
        self._answers.clear()
        kept: str = self.page.evaluate(
            "JSON.stringify([{...localStorage}, {...sessionStorage}, history.state])"
        )
        return [*self.heard, Heard("state", kept), Heard("document", self._document())]

    def _document(self) -> str:
        found: str = self.page.evaluate(script("document"))
        return found


def cards_in(heard: Heard) -> set[str]:
    """The cards that something names, in any of the ways in which the page or the house does."""
    text = heard.text
    if heard.where not in ("document", "state"):
        text = "\n".join(strings(json.loads(text))) if text else ""
    found = set(SHORT.findall(text))
    found |= {LETTERS[RANKS.index(rank)] + SUITS[suit] for rank, suit in SAID.findall(text)}
    return found | {("T" if r == "10" else r) + SYMBOLS[s] for r, s in DRAWN.findall(text)}


def strings(document: Any) -> Iterator[str]:
    """Every text within a document, keys too."""
    if isinstance(document, str):
        yield document
    elif isinstance(document, dict):
        for key, value in document.items():
            yield key
            yield from strings(value)
    elif isinstance(document, list):
        for one in document:
            yield from strings(one)


def leaks(heard: list[Heard], known: set[str]) -> list[str]:
    """Where a card was named that nobody may know yet."""
    return [
        f"{card} in {one.where}: {one.text[:300]}"
        for one in heard
        for card in sorted(cards_in(one) - known)
    ]


def seeds(heard: list[Heard], shoe: Any) -> list[str]:
    """Where the seed behind a shoe's commitment was given away."""
    where = {text: one.where for one in heard for text in HEX.findall(one.text)}
    return [place for text, place in where.items() if _opens(bytes.fromhex(text), shoe)]


def _opens(seed: bytes, shoe: Any) -> bool:
    whole = deck_of(seed, shoe=shoe["id"], decks=shoe["decks"]).commitment
    return shoe["commitment"] in (whole, hashlib.sha256(seed).hexdigest())
