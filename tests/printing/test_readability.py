"""Reports and cards make sense to their readers: sums, limits, and explained words."""

from __future__ import annotations

import re

import pytest
from tests.lanes import spread
from tests.printing.pdf_reader import BUILT, SHEETS, blocks_by_key, build_pdf, pages, sheet_of, text
from tests.printing.test_pdf_contents import ALL

from pitbook.exact.compare import edge_of
from pitbook.money import Cents
from pitbook.printing.content import Paper, Paragraph, SmallTables, plain
from pitbook.printing.packet import PAPERS
from pitbook.printing.report_figures import by_ante, report_figures
from pitbook.printing.strategy_card import range_names
from pitbook.printing.typeset import PageSize, pdf
from pitbook.rules.game import compile_game
from pitbook.sheets.assumptions import legend
from pitbook.sheets.edit import change_sheet

OCEANFRONT = "oceanfront/mississippi-stud"
AGAINST_A_DEALER = [name for name in SHEETS if sheet_of(name).family in ("hi-lo", "versus")]


def _count(cell: str) -> int:
    return int(cell.replace(",", ""))


def _number(cell: str) -> float:
    return float(cell.replace(",", ""))


@pytest.mark.parametrize("name", ALL)
def test_ways_and_returns_add_up_and_a_return_is_its_chance_times_its_average(name: str) -> None:
    tables = blocks_by_key(PAPERS["report"](sheet_of(name)))
    for key in [key for key in tables if key.startswith("outcomes ")]:
        *rows, total_row = tables[key]["rows"]
        ways = _count(total_row[1])
        assert sum(_count(row[1]) for row in rows) == ways
        for row in rows:
            share = _count(row[1]) / ways
            assert share * _number(row[5]) == pytest.approx(
                _number(row[6]), abs=6e-5 * share + 6e-7
            )
        total = sum(_number(row[6]) for row in rows)
        assert total == pytest.approx(_number(total_row[6]), abs=1e-6 * len(rows))


def test_dealer_wins_is_an_outcome_when_single_cards_are_compared() -> None:
    rows = blocks_by_key(PAPERS["report"](sheet_of("classic/casino-war")))["outcomes main"]["rows"]
    assert "Dealer wins (loses)" in [row[0] for row in rows]


def test_surrender_is_among_the_simpler_ways_to_play_a_war() -> None:
    """Half an ante for every tie: 3.70%, as published."""
    rows = blocks_by_key(PAPERS["report"](sheet_of("classic/casino-war")))["simple"]["rows"]
    assert {row[0]: row[2] for row in rows}[
        "Surrender at every decision that offers it"
    ] == "3.6977%"


def test_every_amount_is_listed_under_limits_if_there_are_few() -> None:
    sheet = sheet_of(OCEANFRONT)
    rows = by_ante(sheet)
    assert [row.ante for row in rows] == [200, 300, 400]
    assert rows[1].edge == edge_of(sheet, "main", Cents(300))


@pytest.mark.long
def test_rack_card_states_the_edge_under_limits() -> None:
    rack, card = (text(build_pdf(OCEANFRONT, paper)) for paper in ("rack-card", "strategy-card"))
    assert "9.51% of the Ante at $2 and 10.39% at $4" in rack
    assert "before payout limits" in card


def test_card_does_not_mention_limits_that_never_apply() -> None:
    """Its limits apply to side wagers only."""
    assert "limits" not in text(build_pdf("catfish-bend/matchem-hi-lo", "strategy-card"))


@pytest.mark.long
def test_rack_card_omits_prose_of_the_document() -> None:
    card = text(build_pdf(OCEANFRONT, "rack-card")).replace(str(legend()), "")
    assert "document" not in card


@pytest.mark.long
def test_a_card_says_which_cards_are_high_middle_and_low() -> None:
    assert "Points per card: high J-A = 2, middle 6-10 = 1, low 2-5 = 0." in text(
        build_pdf(OCEANFRONT, "strategy-card")
    )


@pytest.mark.long
def test_hands_of_a_card_go_from_the_best_down() -> None:
    assert "Four of a kind; three of a kind; two pair" in text(
        build_pdf(OCEANFRONT, "strategy-card")
    )


def test_negative_figure_is_explained() -> None:
    sheet = sheet_of(OCEANFRONT)
    generous = change_sheet(sheet, {"main.pays.pair-J-A": "2:1"})
    for paper in ("report", "rack-card"):
        assert "players" in _keys(PAPERS[paper](generous))
        assert "players" not in _keys(PAPERS[paper](sheet))


def _keys(paper: Paper) -> set[str]:
    blocks = (block for section in paper.sections for block in section.blocks)
    return {block.key for block in blocks if not isinstance(block, SmallTables)}


def test_a_name_that_ends_in_a_full_stop_gets_no_second_one() -> None:
    content = plain(Paragraph("These rules restate: Table Games, Inc.., 3:1... and so on."), "en")
    assert content["text"] == "These rules restate: Table Games, Inc., 3 to 1... and so on."


@pytest.mark.parametrize(
    "name", spread(["pennsylvania/three-card-poker", "classic/caribbean-stud"], 1)
)
def test_hands_of_best_play_are_suited_in_the_language_of_the_paper(name: str) -> None:
    english, spanish = (
        str(plain(PAPERS["report"](sheet_of(name)), language)) for language in ("en", "es")
    )
    assert " suited to " in english
    assert " suited" not in spanish
    assert " del mismo palo a " in spanish


def test_layout_with_a_long_title_fits_its_page() -> None:
    sheet = change_sheet(
        sheet_of(OCEANFRONT), {"title": "A Stud of the House with a Long Name " * 3}
    )
    sizes: tuple[PageSize, ...] = ("letter", "a4")
    for size in sizes:
        first, _ = pages(pdf(PAPERS["layout"](sheet), size=size, built=BUILT))
        assert "Drawn to scale" in first


def test_rules_that_name_cards_say_how_they_are_written() -> None:
    words = dict(blocks_by_key(PAPERS["rules"](sheet_of(OCEANFRONT)))["words"]["rows"])
    assert words["As, Td"].startswith("A card by its rank (T: ten) and its suit: s spades")


@pytest.mark.parametrize("name", AGAINST_A_DEALER)
def test_a_game_against_a_dealer_has_an_example_of_a_tie(name: str) -> None:
    """Nevada asks for examples of a win, a loss and a tie."""
    blocks = blocks_by_key(PAPERS["rules"](sheet_of(name)))
    example_texts = [
        f"{block['lead']} {block['text']}" for key, block in blocks.items() if "example " in key
    ]
    assert [example for example in example_texts if re.search(r"\btie\b", example)] != []


def test_tie_of_points_is_shown_whoever_wins_it() -> None:
    hi_lo = sheet_of("catfish-bend/matchem-hi-lo")
    player, dealer, push = (
        blocks_by_key(PAPERS["rules"](change_sheet(hi_lo, {"main.ties.is": winner})))
        for winner in ("player", "dealer", "push")
    )
    assert "Bet, $5, high hand: wins $5" in player["example bet tie"]["text"]
    assert "Bet, $5: loses" in dealer["example bet tie"]["text"]
    assert "pushes" in push["example bet push"]["text"]


def test_card_and_report_list_only_possible_hands() -> None:
    """The best four of five cards are never A A 3 2: the fifth makes a straight or better."""
    figures = report_figures(sheet_of("pennsylvania/crazy-4-poker"))
    (card,), (report,) = figures.card.parts, figures.strategy
    for rows in (card["rows"], report["rows"]):
        assert rows[0][:2] == ["A A A A", "A A 5 3"]
        assert rows[-1][1] == "7 6 4 3"
    (card,) = report_figures(sheet_of("pennsylvania/four-card-poker")).card.parts
    lowest = [hand.split() for _, hands in card["rows"] for hand in hands]
    assert [hand for hand in lowest if hand.count("2") == 1 and hand[-1] == "2"] == []


PAIRED = {
    "classic/caribbean-stud": ["Any pair or better; without a pair, A K J 8 3 or higher"],
    "pennsylvania/three-card-poker": ["Any pair or better; without a pair, Q 6 4 or higher"],
    "pennsylvania/crazy-4-poker": [
        "Pair of aces or better",
        "Pair of kings or a lower pair; without a pair, K Q 8 4 or higher",
    ],
}


@pytest.mark.parametrize("name", PAIRED)
def test_pairs_are_listed_on_the_strategy_card(name: str) -> None:
    rows = blocks_by_key(PAPERS["strategy-card"](sheet_of(name)))["part 0"]["rows"]
    assert [row[0] for row in rows[:-1]] == PAIRED[name]
    assert rows[-1][1] == "Fold"


def test_range_that_splits_a_pair_is_named_by_its_ends() -> None:
    rows = [["A K Q suited", "9 8 8"], ["8 8 7", "Q 6 4"], ["Q 6 3", "5 3 2"]]
    names = [*range_names(compile_game(sheet_of("pennsylvania/three-card-poker")), rows)]
    assert names == ["A K Q suited to 9 8 8", "8 8 7 to Q 6 4", "Q 6 3 to 5 3 2"]
