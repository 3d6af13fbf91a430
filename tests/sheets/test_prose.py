"""Sheets in words: every rule has a text, and every text its clause."""

from __future__ import annotations

import pytest
from tests.sheets.samples import IDS, LAS, UNUSUAL, modified_text, sheet_of

from pitbook.rules.families.hi_lo.prose import points
from pitbook.rules.families.street_stud.prose import times
from pitbook.sheets.diff import find_differences
from pitbook.sheets.library import BUNDLED
from pitbook.sheets.load import load
from pitbook.sheets.model import Stake
from pitbook.sheets.phrases import count_noun, join_words, outcome, stake_bounds, times_word
from pitbook.sheets.prose import HEADINGS, rule_texts

SHEETS = [*(BUNDLED / f"{sheet_id}.toml" for sheet_id in IDS), *sorted(UNUSUAL.glob("*.toml"))]


@pytest.mark.parametrize("path", SHEETS, ids=lambda path: path.stem)
def test_rule_texts_are_complete(path: object) -> None:
    texts = rule_texts(load(path))  # type: ignore[arg-type]
    assert [HEADINGS.index(text.heading) for text in texts] == sorted(
        HEADINGS.index(text.heading) for text in texts
    )
    assert len({text.key for text in texts}) == len(texts)
    for text in texts:
        assert text.label is None or text.clauses, f"{text.key} is on the card without a clause"
        assert text.card_text[0] == text.card_text[0].upper()
        assert not text.sentence.endswith(".")
        assert "  " not in text.sentence


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("royal-flush", "royal flush"),
        ("pair", "pair"),
        ("pair-A", "pair of aces"),
        ("pair-J-A", "pair of jacks or better"),
        ("pair-2-10", "pair of twos to tens"),
        ("suited-pair-6", "suited pair of sixes"),
        ("suited-pair-6-flush", "suited pair of sixes in one suit"),
        ("match-1", "one match"),
        ("match-5", "five matches"),
        ("low", "low hand"),
        ("suited-three-of-a-kind", "suited three of a kind"),
    ],
)
def test_outcomes_in_words(line: str, words: str) -> None:
    assert outcome(line) == words


@pytest.mark.parametrize(
    ("multiples", "words"),
    [
        ((1,), "1x the Ante"),
        ((1, 2), "1x or 2x the Ante"),
        ((1, 2, 3), "1x, 2x or 3x the Ante"),
        ((1, 2, 3, 4), "1x to 4x the Ante"),
        ((1, 2, 4, 8), "1x, 2x, 4x or 8x the Ante"),
        ((0, 1), "nothing or 1x the Ante"),
        ((0,), "nothing"),
    ],
)
def test_multiples_in_words(multiples: tuple[int, ...], words: str) -> None:
    assert times(multiples) == words


def test_numbers_and_lists_in_words() -> None:
    assert [count_noun(count, "deck", "decks") for count in (0, 1, 12, 13)] == [
        *("no decks", "one deck", "twelve decks", "13 decks"),
    ]
    assert [times_word(count) for count in (1, 2, 3)] == ["once", "twice", "three times"]
    assert [join_words("a"), join_words("ab"), join_words("abc", "or")] == [
        "a",
        "a and b",
        "a, b or c",
    ]


def test_stake_of_one_amount() -> None:
    stake = Stake.model_validate({"min": "5", "max": "5", "step": "5", "clause": "X-1"})
    assert stake_bounds(stake) == "exactly $5"


def test_points_without_a_run_are_listed() -> None:
    assert points({"2": 2, "4": 4, "10": 10, "K": 10}) == "2, 4 and 10 at face value; K as 10"


def test_a_declared_advantage_has_a_text_with_clause_and_note() -> None:
    declared = '[[player_advantage]]\nwager = "{}"\nclause = "X-1"\nnote = "Tuesdays."\n\n'
    both = declared.format("main") + declared.format("stax") + "[payouts]"
    (text,) = [
        text
        for text in rule_texts(sheet_of(modified_text(LAS, ("[payouts]", both))))
        if text.key == "player_advantage"
    ]
    words = "has the advantage on the main wagers and the 5 Card Poker STAX"
    assert text.sentence == f"the player {words}"
    assert (text.clauses, text.notes) == (("X-1",), ("Tuesdays.",))
    differences = find_differences(
        sheet_of(modified_text(LAS)), sheet_of(modified_text(LAS, ("[payouts]", both)))
    )
    assert [change.path for change in differences] == [("player_advantage",)]
