"""Everything that reached a page, and every card in it, to prove that none came early."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from playwright.sync_api import Page, Response, WebSocket
from tests.browser.page_build import script
from tests.browser.player import RANKS

from pitbook.shoe.commitments import deck_of

LETTERS, SUITS = "23456789TJQKA", {"clubs": "c", "diamonds": "d", "hearts": "h", "spades": "s"}
CARD_CODE = re.compile(r"(?<![\w-])([2-9TJQKA][cdhs])(?![\w-])")
CARD_NAME = re.compile(rf"\b({'|'.join(RANKS)}) of ({'|'.join(SUITS)})\b")
CARD_SYMBOL = re.compile(r"(?<!\w)(10|[2-9JQKA])([♣♦♥♠])")
SYMBOLS = dict(zip("♣♦♥♠", "cdhs", strict=True))
HEX = re.compile(r"\b[0-9a-f]{64}\b")
# The same for everyone, and published before there is a shoe.
PUBLIC_PATH = re.compile(r"/assets/|/api/sheets|/api/math|/sheet$|/table/[^/]+$|/$")


class Message(NamedTuple):
    """A message that reached the page."""

    where: str
    text: str


class Traffic:
    """All frames and bodies of one page, in order."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.messages: list[Message] = []
        page.on("websocket", self._listen_to_socket)
        page.on("response", self._record_response)
        self._answers: list[Response] = []

    def stop(self) -> None:
        """Stop recording: the page is reused by the next test."""
        self.page.remove_listener("websocket", self._listen_to_socket)
        self.page.remove_listener("response", self._record_response)

    def _listen_to_socket(self, socket: WebSocket) -> None:
        socket.on("framereceived", lambda text: self.messages.append(Message("frame", str(text))))

    def _record_response(self, answer: Response) -> None:
        if not PUBLIC_PATH.search(answer.url.partition("?")[0]):
            self._answers.append(answer)

    def all_messages(self) -> list[Message]:
        """All messages so far, with the page's document and stored state."""
        for answer in self._answers:
            self.messages.append(Message(answer.url, answer.text()))
        self._answers.clear()
        state: str = self.page.evaluate(
            "JSON.stringify([{...localStorage}, {...sessionStorage}, history.state])"
        )
        return [*self.messages, Message("state", state), Message("document", self._document())]

    def _document(self) -> str:
        document: str = self.page.evaluate(script("document_text"))
        return document


def cards_in(message: Message) -> set[str]:
    """The cards that a message names, in any notation of the page or the house."""
    text = message.text
    if message.where not in ("document", "state"):
        text = "\n".join(strings(json.loads(text))) if text else ""
    cards = set(CARD_CODE.findall(text))
    cards |= {LETTERS[RANKS.index(rank)] + SUITS[suit] for rank, suit in CARD_NAME.findall(text)}
    return cards | {("T" if r == "10" else r) + SYMBOLS[s] for r, s in CARD_SYMBOL.findall(text)}


def strings(document: Any) -> Iterator[str]:
    """Every text within a document, including keys."""
    if isinstance(document, str):
        yield document
    elif isinstance(document, dict):
        for key, value in document.items():
            yield key
            yield from strings(value)
    elif isinstance(document, list):
        for element in document:
            yield from strings(element)


def leaks(messages: list[Message], allowed: set[str]) -> list[str]:
    """Where a card was named that is not allowed yet."""
    return [
        f"{card} in {message.where}: {message.text[:300]}"
        for message in messages
        for card in sorted(cards_in(message) - allowed)
    ]


def seeds(messages: list[Message], shoe: Any) -> list[str]:
    """Where the seed of a shoe's commitment was revealed."""
    sources = {text: message.where for message in messages for text in HEX.findall(message.text)}
    return [place for text, place in sources.items() if _is_seed_of(bytes.fromhex(text), shoe)]


def _is_seed_of(seed: bytes, shoe: Any) -> bool:
    commitment = deck_of(seed, shoe=shoe["id"], decks=shoe["decks"]).commitment
    return shoe["commitment"] in (commitment, hashlib.sha256(seed).hexdigest())
