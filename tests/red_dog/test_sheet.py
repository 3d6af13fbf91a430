"""Red dog's sheet: loading, checks, display and words."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from tests.command_line import Ask
from tests.red_dog import FAMILY
from tests.red_dog.conftest import SHEET
from tests.sheets.samples import UNUSUAL

import pitbook
from pitbook.errors import PitbookError
from pitbook.sheets.check import check
from pitbook.sheets.family_registry import known_families, register
from pitbook.sheets.findings import errors
from pitbook.sheets.largest_payout import exposure
from pitbook.sheets.load import examine
from pitbook.sheets.model import Sheet
from pitbook.sheets.prose import rule_texts


def errors_after(*swaps: tuple[str, str]) -> list[str]:
    """The errors of the sheet after replacements."""
    text = SHEET.read_text(encoding="utf-8")
    for old, new in swaps:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return [finding.message for finding in errors(examine(text, "red-dog.toml").findings)]


def test_sheet_loads_without_findings(sheet: Sheet) -> None:
    assert (sheet.family, sheet.title, sheet.deck.decks) == ("red-dog", "Red Dog", 6)
    assert not errors(check(sheet))


def test_an_unregistered_family_is_unknown() -> None:
    del known_families()[FAMILY.name]
    try:
        with pytest.raises(PitbookError, match=r'There is no family "red-dog"\. Use one of'):
            pitbook.load(str(SHEET))
    finally:
        register(FAMILY)


def test_a_second_family_of_that_name_is_refused() -> None:
    with pytest.raises(ValueError, match='there is a family "red-dog" already'):
        register(replace(FAMILY))


@pytest.mark.parametrize(
    ("swap", "message_part"),
    [
        (('pair = "push"\n', ""), '"pair" pushes in red dog; say pair = "push"'),
        (('consecutive = "push"', 'consecutive = "1:1"'), '"consecutive" pushes in red dog'),
        (("spread-4-or-more", "spread-5-or-more"), "no pay for spread-4"),
        (('pair = "push"', 'pair = "push"\noutside = "push"'), "outside the spread loses"),
        (
            ('spread-1 = "5:1"', 'spred-1 = "5:1"'),
            'is not a outcome of red dog. Did you mean "spread-1"',
        ),
        (('spread-1 = "5:1"', 'spread-1 = "3:1"'), '"spread-2" (4:1) pays more than the higher'),
        (('title = "Raise"', 'title = "bet"'), "Bet and raise are both called"),
    ],
)
def test_sheet_mistakes_are_found(swap: tuple[str, str], message_part: str) -> None:
    assert any(message_part in message for message in errors_after(swap)), errors_after(swap)


def test_largest_payout(sheet: Sheet) -> None:
    largest = exposure(sheet)
    assert (largest.hand, largest.round, largest.exact) == (4_400_00, 7 * 4_400_00, False)


def test_rules_in_words(sheet: Sheet) -> None:
    sentences = [text.sentence for text in rule_texts(sheet)]
    assert "a player puts as much again once the spread is told, or stands" in sentences
    assert "two cards are turned, then a third where it can decide something" in sentences
    assert "an absent player stands" in sentences


def test_show_command(ask: Ask) -> None:
    answer = ask("sheets", "show", str(SHEET))
    assert answer.code == 0, answer.err
    for words in (
        "Red Dog",
        "As much again once the spread is told",
        "Spread 4 or more",
        "11 to 1",
    ):
        assert words in answer.out


@pytest.mark.long
def test_check_and_list(ask: Ask) -> None:
    answer = ask("sheets", "check", str(SHEET), "--json")
    assert answer.code == 0, answer.err
    listed = ask("sheets", "list", "--folder", str(SHEET.parent), "--json")
    assert "example/red-dog" in [listed_sheet["id"] for listed_sheet in listed.document["sheets"]]


def test_diff_with_another_family(ask: Ask) -> None:
    answer = ask("sheets", "diff", str(SHEET), str(UNUSUAL / "bets-withdrawn.toml"))
    assert answer.code == 0, answer.err


def test_a_changed_sheet_has_another_hash(sheet: Sheet) -> None:
    other = pitbook.changed(sheet, {"main.pays.spread-1": "6:1"})
    assert other.main.pays["spread-1"] != sheet.main.pays["spread-1"]
    one_deck = pitbook.changed(sheet, {"deck.decks": 1})
    assert one_deck.deck.decks == 1


@pytest.mark.long
def test_the_schema_of_its_sheets(ask: Ask) -> None:
    answer = ask("sheets", "schema")
    assert answer.code == 0, answer.err
    assert "red-dog" in json.dumps(answer.document)
