"""The rules explain the words that they use, found by the sentences' keys instead of their text.

A reader of the English finds the same words by pattern, in bundled and in random sheets.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.printing.test_rules_text import SHEETS
from tests.random_sheets.sheets import sheets
from tests.random_sheets.versus import versus_sheets

from pitbook.printing.content import Paper, Paragraph, SmallTables, Table, numbered_blocks, plain
from pitbook.printing.definitions import USES
from pitbook.printing.rules import rules
from pitbook.sheets.edit import change_sheet
from pitbook.sheets.library import BUNDLED
from pitbook.sheets.load import load
from pitbook.sheets.model import Sheet
from pitbook.text import say, sentences_in
from pitbook.text.catalog import load_catalog, parse_template, placeholders

WORDS = tomllib.loads(USES.read_text(encoding="utf-8"))
# The pattern of each word in English.
PATTERNS = {
    "to-one": r" to 1\b",
    "cards": r"\b[2-9tjqka][cdhs] [2-9tjqka][cdhs]\b",
    "times": r"\b\d+x\b",
    "ante": r"(?s)\A(?!.*\bis called ante\.).*x the Ante\b",
    "push": r"\bpush(es)?\b",
    "fold": r"\bfold(s|ed)?\b",
    "check": r"\bchecks?\b",
    "hole": r"\bhole cards?\b",
    "community": r"\bcommunity cards?\b",
    "qualify": r"\bqualif(y|ies)\b",
    "misdeal": r"\bmisdeal\b",
    "void": r"\bvoids?\b",
    "forfeit": r"\bforfeits?\b",
    "pro-rata": r"\bpro rata\b",
    "fouled": r"\bfouled deck\b",
    "brush": r"\bbrush\b",
}


def sheet(name: str) -> Sheet:
    return load(BUNDLED / f"{name}.toml")


def explained_words(paper: Paper) -> list[str]:
    blocks = [block for part in paper.sections for block in part.blocks]
    tables = [block for block in blocks if isinstance(block, Table) and block.key == "words"]
    return [row[1].fields["word"] for table in tables for row in table.rows]  # type: ignore[attr-defined]


def rule_paragraphs(paper: Paper) -> Iterator[str]:
    for block in (block for part in paper.sections for block in part.blocks):
        if isinstance(block, Paragraph) and block.kind != "remark":
            yield f"{block.lead} {block.text}"
        for table in block.tables if isinstance(block, SmallTables) else ():
            yield from (cell for row in table.rows for cell in row)


def used_words(paper: Paper) -> list[str]:
    text = " ".join(rule_paragraphs(paper)).lower()
    return [word for word, form in PATTERNS.items() if re.search(form, text)]


@pytest.mark.parametrize("name", SHEETS)
def test_the_rules_explain_what_they_use(name: str) -> None:
    paper = rules(sheet(name))
    assert explained_words(paper) == used_words(paper)


@settings(max_examples=12)
@given(st.one_of(sheets(), versus_sheets()))
def test_rules_of_random_sheets_explain_what_they_use(drawn: Sheet) -> None:
    paper = rules(drawn)
    assert explained_words(paper) == used_words(paper)


def test_a_spanish_paper_explains_the_same_words() -> None:
    paper = rules(sheet("pennsylvania/ultimate-texas-holdem"))
    [table] = [entry.block for entry in numbered_blocks(paper) if entry.block.key == "words"]
    english, spanish = (plain(table, language)["rows"] for language in ("en", "es"))
    assert len(english) == len(spanish) == len(explained_words(paper))
    assert all(
        meaning != translation for meaning, translation in zip(english, spanish, strict=True)
    )


def test_words_in_house_notices_are_explained() -> None:
    """A notice is the casino's own text, so only its words can be searched."""
    before = sheet("catfish-bend/matchem-hi-lo")
    assert "fold" not in explained_words(rules(before))
    notice = {"clause": "GEN-1", "text": "Do not fold cards, Hole-Card cameras are in use."}
    after = change_sheet(before, {"notices": [notice]})
    assert {"fold", "hole"} <= {*explained_words(rules(after))}


def test_every_use_refers_to_an_existing_sentence() -> None:
    english = load_catalog("en")
    assert list(WORDS) == list(PATTERNS)
    for use in (use for word in WORDS.values() for use in word["said"]):
        fields = {blank.field for blank in placeholders(parse_template(english.texts[use["key"]]))}
        use_fields = {*use} - {"key"}
        assert use_fields <= fields or use["key"] in ("aloud.wagers.cards", "words.hand"), use


def test_fields_that_a_sentence_does_not_show_are_ignored() -> None:
    inner = say("words.pushes")
    sentence = say("aloud.versus.event", event="fold", surrender=False)
    both = say("papers.sentence", text=sentence, beside=inner)
    assert [part.key for part in sentences_in([both, "free text"])] == [both.key, sentence.key]
