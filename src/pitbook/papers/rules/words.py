"""The words of the tables that a paper uses, explained where it begins."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from pitbook.papers.content import Paragraph, Section, SmallTables, Table
from pitbook.text import Sentence, capital, say, sentences_in

USES = Path(__file__).with_name("words.toml")
# Of a family of somebody else's, whose rules are its own text and no sentences of ours.
HOLDING = ("aloud.sentence", "papers.lead", "papers.sentence")
_WORD = re.compile(r"\w+")


def words(sections: Iterable[Section], names: Iterable[str] = ()) -> Table | None:
    """A table of the words that some sections use, or none; a wager's own name needs no saying."""
    texts = list(_texts(sections))
    said = sentences_in(texts)
    written = " / ".join(_plain(one) for one in _written(texts, said))
    known = {one.lower() for one in names}
    used = [one for one, uses in _uses().items() if _is_used(uses, said, f" {written} ")]
    rows = tuple(
        (capital(word), say("papers.rules.means", word=one))
        for one in used
        if (word := say("papers.rules.word", word=one)) not in known
    )
    title = say("papers.rules.words")
    return Table(title, ("", ""), rows, "ll", "words", assumed="all") if rows else None


@cache
def _uses() -> Mapping[str, Any]:
    return tomllib.loads(USES.read_text(encoding="utf-8"))


def _is_used(uses: Mapping[str, Any], said: list[Sentence], written: str) -> bool:
    """Whether a sentence says the word, or somebody wrote it in a text of their own."""
    if any(f" {form} " in written for form in uses["written"]):
        return True
    return any(_says(one, sentence) for sentence in said for one in uses["said"])


def _says(use: Mapping[str, Any], sentence: Sentence) -> bool:
    if sentence.key != use["key"]:
        return False
    return all(sentence.fields[name] in ok for name, ok in use.items() if name != "key")


def _texts(sections: Iterable[Section]) -> Iterator[str]:
    for block in (one for section in sections for one in section.blocks):
        if isinstance(block, Paragraph):
            yield from (block.lead, block.text)
        for table in block.tables if isinstance(block, SmallTables) else ():
            yield from (cell for row in table.rows for cell in row)


def _written(texts: list[str], said: list[Sentence]) -> Iterator[str]:
    """What is no sentence of ours: a person wrote it, and there is nothing but its words to ask."""
    yield from (one for one in texts if not isinstance(one, Sentence))
    for sentence in said:
        if sentence.key in HOLDING:
            yield from (one for one in sentence.fields.values() if type(one) is str)


def _plain(text: str) -> str:
    """A text as its words alone, so that one is found whole and whatever stands around it."""
    return " ".join(_WORD.findall(text.lower()))
