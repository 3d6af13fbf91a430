"""The words that the rules explain are those that they use: by the sentences' keys, not their text.

A reader of the English finds the same words here by looking for them, on sheets that there are and
on sheets that no house has written.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.generated_sheets import sheets
from tests.generated_versus import versus_sheets
from tests.papers.test_rules_say import SHEETS

from pitbook.papers.content import Paper, Paragraph, SmallTables, Table, numbered, plain
from pitbook.papers.definitions import USES
from pitbook.papers.rules import rules
from pitbook.sheets.edit import change_sheet
from pitbook.sheets.library import BUNDLED
from pitbook.sheets.load import load
from pitbook.sheets.model import Sheet
from pitbook.text import say, sentences_in
from pitbook.text.catalogue import catalogue
from pitbook.text.templates import blanks, parsed

WORDS = tomllib.loads(USES.read_text(encoding="utf-8"))
# How a reader finds each in English.
FOUND = {
    "to-one": r" to 1\b",
    "cards": r"\b[2-9tjqka][cdhs] [2-9tjqka][cdhs]\b",
    "times": r"\b\d+x\b",
    "ante": r"(?s)\A(?!.*\bis called ante\.).*x the ante\b",
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


def explained(paper: Paper) -> list[str]:
    blocks = [one for part in paper.sections for one in part.blocks]
    tables = [one for one in blocks if isinstance(one, Table) and one.key == "words"]
    return [row[1].fields["word"] for table in tables for row in table.rows]  # type: ignore[attr-defined]


def read(paper: Paper) -> Iterator[str]:
    for block in (one for part in paper.sections for one in part.blocks):
        if isinstance(block, Paragraph) and block.kind != "remark":
            yield f"{block.lead} {block.text}"
        for table in block.tables if isinstance(block, SmallTables) else ():
            yield from (cell for row in table.rows for cell in row)


def found(paper: Paper) -> list[str]:
    text = " ".join(read(paper)).lower()
    return [word for word, form in FOUND.items() if re.search(form, text)]


@pytest.mark.parametrize("name", SHEETS)
def test_the_rules_explain_what_they_use(name: str) -> None:
    paper = rules(sheet(name))
    assert explained(paper) == found(paper)


@settings(max_examples=12)
@given(st.one_of(sheets(), versus_sheets()))
def test_so_they_do_of_sheets_that_no_house_has_written(drawn: Sheet) -> None:
    paper = rules(drawn)
    assert explained(paper) == found(paper)


def test_a_spanish_paper_explains_the_same_words() -> None:
    paper = rules(sheet("pennsylvania/ultimate-texas-holdem"))
    [table] = [one.block for one in numbered(paper) if one.block.key == "words"]
    english, spanish = (plain(table, one)["rows"] for one in ("en", "es"))
    assert len(english) == len(spanish) == len(explained(paper))
    assert all(one != other for one, other in zip(english, spanish, strict=True))


def test_what_a_house_wrote_is_looked_through_for_them() -> None:
    """A notice is nobody's sentence but the house's; its words are all there is to ask."""
    before = sheet("catfish-bend/matchem-hi-lo")
    assert "fold" not in explained(rules(before))
    notice = {"clause": "GEN-1", "text": "Do not fold cards, Hole-Card cameras are in use."}
    after = change_sheet(before, {"notices": [notice]})
    assert {"fold", "hole"} <= {*explained(rules(after))}


def test_every_use_is_of_a_sentence_that_there_is() -> None:
    english = catalogue("en")
    assert list(WORDS) == list(FOUND)
    for use in (one for word in WORDS.values() for one in word["said"]):
        fields = {one.field for one in blanks(parsed(english.texts[use["key"]]))}
        asked = {*use} - {"key"}
        assert asked <= fields or use["key"] in ("aloud.wagers.cards", "words.hand"), use


def test_a_field_that_a_sentence_does_not_show_is_not_heard() -> None:
    inner = say("words.pushes")
    shown = say("aloud.versus.event", event="fold", surrender=False)
    both = say("papers.sentence", text=shown, beside=inner)
    assert [one.key for one in sentences_in([both, "free text"])] == [both.key, shown.key]
