"""Cards for guests: five steps, pay tables and best play in words; no hashes and no clauses."""

from __future__ import annotations

import re

import pytest
from tests.printing.pdf_reader import (
    SHEETS,
    blocks_by_key,
    build_pdf,
    positions,
    sheet_of,
    text,
)

from pitbook.printing.content import plain
from pitbook.printing.packet import PAPERS
from pitbook.printing.report_figures import report_figures
from pitbook.printing.strategy_words import first_decision
from pitbook.sheets.hashes import digest

NAME = "catfish-bend/mississippi-stud"
FOUR = (
    NAME,
    "catfish-bend/matchem-hi-lo",
    "oceanfront/mississippi-stud",
    "louisiana-stud/standard",
)


@pytest.mark.parametrize("name", FOUR)
def test_a_rack_card_has_five_steps_and_nothing_for_filing(name: str) -> None:
    card = text(build_pdf(name, "rack-card"))
    assert [step for step in "123456" if f"{step}. " in card] == list("12345")
    assert digest(sheet_of(name))[:12] not in card
    assert re.findall(r"\b(?:CMS|MHL|OMS|LAS|GEN)-\d+", card) == []
    assert re.findall(r"\d\.\d{4}%", card) == []


@pytest.mark.parametrize("name", SHEETS)
def test_the_five_steps_address_the_guest_and_are_not_rules(name: str) -> None:
    steps = blocks_by_key(PAPERS["rack-card"](sheet_of(name)))
    texts = {key: block["text"] for key, block in steps.items() if key.startswith("step ")}
    assert [*texts] == ["step bet", "step cards", "step decide", "step compare", "step collect"]
    whole = " ".join(texts.values())
    assert re.findall(r"\b(shall|object of the game|a player|the player's)\b", whole, re.I) == []
    assert "You get " in whole
    assert re.search(r"\b[Yy]our hand (has|is|will be)\b", whole)


def test_a_rack_card_says_what_a_guest_loses_by_giving_up_only_where_it_is_all() -> None:
    fold = blocks_by_key(PAPERS["rack-card"](sheet_of("classic/caribbean-stud")))
    assert "If you fold, you lose the bets that you have made." in fold["step collect"]["text"]
    war = blocks_by_key(PAPERS["rack-card"](sheet_of("classic/casino-war")))
    assert "The Tie stays in action after a surrender." in war["step collect"]["text"]
    assert "lose" not in war["step collect"]["text"]  # A surrender loses half.


def test_a_strategy_card_says_each_decision_in_words() -> None:
    tables = blocks_by_key(PAPERS["strategy-card"](sheet_of(NAME)))
    assert tables["grid"]["rows"] == [
        ["3x", "Any pair"],
        ["1x", "2 points or more; 6 5 suited"],
        ["Fold", "Everything else"],
    ]
    rows = dict(tables["part 1"]["rows"])
    assert rows["3x"].endswith("all suited; 3 points or more, 2 or more possible straights")
    assert "s0" not in text(build_pdf(NAME, "strategy-card"))


@pytest.mark.parametrize("name", FOUR)
def test_a_rack_card_says_what_the_hands_are_made_of(name: str) -> None:
    card = text(build_pdf(name, "rack-card"))
    assert "Definitions of the hands" in card
    assert "Three of a kind Three cards of one rank" in card


def test_cards_of_a_points_game_say_how_cards_count_and_the_play_by_points() -> None:
    strategy, rack = (
        text(build_pdf("catfish-bend/matchem-hi-lo", card))
        for card in ("strategy-card", "rack-card")
    )
    assert "The cards count as follows: 2 to 10 at face value; J, Q and K as 0; A as 1." in strategy
    assert "Three aces: best play 3 low, 33 high high and double" in rack


def test_hands_that_no_short_rule_covers_stay_in_the_grid() -> None:
    sheet = sheet_of(NAME)
    part = report_figures(sheet).card.parts[0]
    assert list(first_decision(sheet, part))
    rows = [[name, [list(cell) for cell in cells]] for name, cells in part["rows"]]
    for _, cells in rows[6:]:
        cells[0] = ["F", "fold"]
    assert list(first_decision(sheet, {**part, "rows": rows})) == []


@pytest.mark.parametrize("name", FOUR)
def test_margins_cite_places_and_the_annex_has_the_wording(name: str) -> None:
    paper = PAPERS["rules"](sheet_of(name))
    *body, annex = paper.sections
    assert annex.key == "annex"
    cited = {
        clause
        for section in body
        for block in section.blocks
        for part in getattr(block, "tables", (block,))
        for clause in getattr(part, "clauses", ())
    }
    entries = {getattr(block, "lead", "") for block in annex.blocks[1:]}
    printed_texts = str(plain(paper.sections, "en"))
    named = {*re.findall(r"\b(?:CMS|MHL|OMS|LAS|GEN)-\d+\b", printed_texts)}
    assert entries == cited | named  # Whatever a reason or an entry refers to can be looked up.
    assert len({entry.partition("-")[0] for entry in entries} - {"GEN"}) == 1  # No other document.
    texts = plain(annex, "en")["blocks"]
    assert any(block["lead"].startswith("GEN-") for block in texts)
    assert all(len(block["text"]) > len("Payouts, page 3.") for block in texts)
    printed = {place for block in plain(body, "en")[0]["blocks"] for place in block["clauses"]}
    assert not any(re.fullmatch(r"[A-Z]+-\d+", place) for place in printed)


def test_the_ranks_beside_a_grid_keep_their_place_on_a_rack_card() -> None:
    words = positions(build_pdf("pennsylvania/ultimate-texas-holdem", "rack-card"))
    rows = {y for word, _, y in words if word == "C"}  # A check in the grid of starting hands.
    assert len(rows) == 11
    for row in rows:
        (name, left), (_, first), *_ = sorted(
            ((word, x) for word, x, y in words if y == row), key=lambda word: word[1]
        )
        assert name in "QJT98765432"
        assert first - left > 10  # In points: the rank does not lie under the first square.


@pytest.mark.parametrize("card", ["rack-card", "strategy-card"])
def test_spanish_cards_name_every_play_in_spanish(card: str) -> None:
    document = plain(PAPERS[card](sheet_of("catfish-bend/matchem-hi-lo")), "es")
    assert "baja y doble" in str(document)
    assert "double" not in str(document)
