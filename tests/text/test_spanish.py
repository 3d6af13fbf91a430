"""Whole rounds and the rules of two sheets in Spanish, as they were read before.

`PITBOOK_GOLDEN=write` writes them anew; read the difference before committing it.
"""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

import pytest
from tests.sheets.samples import CMS, MHL
from tests.transcripts.scenarios import endings, play_ending

import pitbook
from pitbook.money import Cents
from pitbook.rules.actions import Close, Decide, Turn, Wager
from pitbook.rules.narration import report_with_words, transcript
from pitbook.rules.refusals import Refusal
from pitbook.rules.result_json import report
from pitbook.sheets.assumptions import marked_text
from pitbook.sheets.display_documents import pay_tables
from pitbook.sheets.library import BUNDLED
from pitbook.sheets.prose import rule_texts
from pitbook.text import Sentence, in_language

HERE = Path(__file__).parent / "es"
SHEETS = sorted(
    path.relative_to(BUNDLED).with_suffix("").as_posix() for path in BUNDLED.rglob("*.toml")
)
load = cache(pitbook.load)
CASES = [(sheet, ending) for sheet in SHEETS for ending in endings(load(sheet))]


def spanish(text: str) -> str:
    return in_language(text, "es")


def same(name: str, lines: list[str]) -> None:
    path, text = HERE / f"{name}.txt", "\n".join(lines) + "\n"
    if os.environ.get("PITBOOK_GOLDEN") == "write":
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("sheet", "ending"),
    [(CMS, "capped"), (CMS, "information"), (CMS, "folded-with-side-wagers"), (MHL, "paid")],
)
def test_spanish_round_narration(sheet: str, ending: str) -> None:
    lines = transcript(*play_ending(load(sheet), ending))
    same(f"{sheet.replace('/', '-')}-{ending}", [spanish(line) for line in lines])


@pytest.mark.parametrize(("sheet", "ending"), CASES)
def test_round_narration_uses_catalog_keys(sheet: str, ending: str) -> None:
    """Text that code assembles from pieces would remain English."""
    opened, actions = play_ending(load(sheet), ending)
    for line in transcript(opened, actions):
        assert isinstance(line, Sentence), line
        assert spanish(line) != line


def test_spanish_settlement() -> None:
    opened, actions = play_ending(load(CMS), "capped")
    for action in actions:
        after = pitbook.step(opened, action)
        assert isinstance(after, pitbook.Round)
        opened = after
    settlement = report_with_words(report(opened), opened)
    lines = [
        spanish(told_line["text"]) for seat in settlement["seats"] for told_line in seat["told"]
    ]
    words = [spanish(line["words"]) for seat in settlement["seats"] for line in seat["lines"]]
    titles = [
        spanish(line["outcome_title"] or "-")
        for seat in settlement["seats"]
        for line in seat["lines"]
    ]
    same("settlement", [*lines, "", *words, "", *titles])


@pytest.mark.parametrize("sheet", [CMS, MHL])
def test_spanish_sheet_rules(sheet: str) -> None:
    rules = [
        f"{spanish(rule_text.heading)} | {spanish(rule_text.label or '')}"
        f" | {spanish(rule_text.sentence)}"
        f" | {spanish(marked_text(rule_text))}"
        for rule_text in rule_texts(load(sheet))
    ]
    tables = [
        f"{spanish(table['title'])} | {spanish(table['about'])}: "
        + ", ".join(f"{spanish(line['title'])} {spanish(line['says'])}" for line in table["lines"])
        for table in pay_tables(load(sheet))
    ]
    same(f"{sheet.replace('/', '-')}-rules", [*rules, *tables])


@pytest.mark.parametrize("sheet", SHEETS)
def test_sheet_rules_use_catalog_keys(sheet: str) -> None:
    for rule_text in rule_texts(load(sheet)):
        assert isinstance(rule_text.subject, Sentence)
        assert isinstance(rule_text.says, Sentence)
        assert spanish(rule_text.sentence) != rule_text.sentence
        assert rule_text.label is None or isinstance(rule_text.label, Sentence)


def refusals() -> list[Refusal]:
    stud = pitbook.open(load(CMS))
    seated = pitbook.step(stud, Wager(1, "Ana", "ante", Cents(500)))
    assert isinstance(seated, pitbook.Round)
    hi_lo, actions = play_ending(load(MHL), "paid")
    while hi_lo.phase != "play":
        after = pitbook.step(hi_lo, actions.pop(0))
        assert isinstance(after, pitbook.Round)
        hi_lo = after
    tried = [
        pitbook.step(stud, Wager(1, "Ana", "ante", Cents(200))),
        pitbook.step(stud, Wager(1, "Ana", "ante", Cents(150_000_00))),
        pitbook.step(stud, Wager(1, "Ana", "ante", Cents(550))),
        pitbook.step(stud, Wager(1, "Ana", "antes", Cents(500))),
        pitbook.step(stud, Wager(9, "Ana", "ante", Cents(500))),
        pitbook.step(seated, Wager(2, "Ana", "ante", Cents(500))),
        pitbook.step(seated, Wager(1, "Bea", "ante", Cents(500))),
        pitbook.step(stud, Close()),
        pitbook.step(seated, Turn(0, pitbook.cards.card("As"))),
        pitbook.step(hi_lo, Decide(hi_lo.waiting[0], "middle")),
    ]
    assert all(isinstance(attempt, Refusal) for attempt in tried)
    return [attempt for attempt in tried if isinstance(attempt, Refusal)]


def test_spanish_refusals() -> None:
    same("refusals", [f"{refusal.code}: {spanish(refusal.message)}" for refusal in refusals()])
