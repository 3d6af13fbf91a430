"""What texts are made of: every sentence that they show, and those within sentences."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pitbook.text.catalogue import ENGLISH, Catalogue, areas
from pitbook.text.sentences import Sentence


def sentences_in(texts: Iterable[str]) -> list[Sentence]:
    """The sentences that texts show, whole ones before their parts; what is no sentence has none.

    A field that a sentence knows and does not show is not among them.

    >>> from pitbook.text import say
    >>> said = say("form.capital", text=say("engine.wagers.nobody-there", seat=3))
    >>> [one.key for one in sentences_in([said, "as somebody wrote it"])]
    ['form.capital', 'engine.wagers.nobody-there']
    """
    heard: list[Sentence] = []

    def listen(value: Any) -> str:
        if not isinstance(value, Sentence) or not value.key:
            return str(value)
        heard.append(value)
        return words.part(value.key, value.fields) if value.key in words else str(value)

    words = Catalogue(areas(ENGLISH), listen)  # Filling in a text tells which parts it shows.
    for text in texts:
        listen(text)
    return heard
