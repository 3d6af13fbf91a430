"""Reports and cards make sense to who reads them: sums, limits, and words that are explained."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest
from tests.lanes import spread
from tests.papers.read_back import BUILT, SHEETS, keyed, made, pages, sheet_of, text
from tests.papers.test_read_back import ALL

from pitbook.exact.compare import edge_of
from pitbook.money import Cents
from pitbook.papers.assumptions import legend
from pitbook.papers.content import Paper, Paragraph, SmallTables, plain
from pitbook.papers.figures import by_ante, report_figures
from pitbook.papers.packet import PAPERS
from pitbook.papers.strategy_card import ranges
from pitbook.papers.typeset import PageSize, pdf
from pitbook.rules.game import compile_game
from pitbook.sheets.edit import change_sheet

OCEANFRONT = "oceanfront/mississippi-stud"
AGAINST_A_DEALER = [one for one in SHEETS if sheet_of(one).family in ("hi-lo", "versus")]


def _count(cell: str) -> int:
    return int(cell.replace(",", ""))


def _number(cell: str) -> float:
    return float(cell.replace(",", ""))


@pytest.mark.parametrize("name", ALL)
def test_ways_and_returns_add_up_and_a_return_is_its_chance_times_its_average(name: str) -> None:
    tables = keyed(PAPERS["report"](sheet_of(name)))
    for key in [one for one in tables if one.startswith("outcomes ")]:
        *rows, whole = tables[key]["rows"]
        ways = _count(whole[1])
        assert sum(_count(row[1]) for row in rows) == ways
        for row in rows:
            share = _count(row[1]) / ways
            assert share * _number(row[5]) == pytest.approx(
                _number(row[6]), abs=6e-5 * share + 6e-7
            )
        total = sum(_number(row[6]) for row in rows)
        assert total == pytest.approx(_number(whole[6]), abs=1e-6 * len(rows))


def test_who_loses_to_a_dealer_is_told_so_also_where_single_cards_are_compared() -> None:
    rows = keyed(PAPERS["report"](sheet_of("classic/casino-war")))["outcomes main"]["rows"]
    assert "Dealer wins (loses)" in [row[0] for row in rows]


def test_surrender_is_among_the_simpler_ways_to_play_a_war() -> None:
    """Half an ante for every tie: 3.70%, as published."""
    rows = keyed(PAPERS["report"](sheet_of("classic/casino-war")))["simple"]["rows"]
    assert {row[0]: row[2] for row in rows}[
        "Surrender at every decision that offers it"
    ] == "3.6977%"


def test_every_amount_is_listed_under_limits_where_there_are_few() -> None:
    sheet = sheet_of(OCEANFRONT)
    found = by_ante(sheet)
    assert [one["ante"] for one in found] == ["2.00", "3.00", "4.00"]
    assert Fraction(found[1]["edge"]) == edge_of(sheet, "main", Cents(300))


@pytest.mark.long
def test_a_guest_reads_what_the_house_keeps_under_the_limits_of_this_table() -> None:
    rack, card = (text(made(OCEANFRONT, one)) for one in ("rack-card", "strategy-card"))
    assert "9.5133% of the Ante at $2 and 10.3924% at $4" in rack
    assert "Limits on payouts are left out." in card


def test_no_limit_is_spoken_of_where_none_bites() -> None:
    """Its limits are on side wagers alone."""
    assert "Limits" not in text(made("catfish-bend/matchem-hi-lo", "strategy-card"))


@pytest.mark.long
def test_a_guest_is_not_told_what_a_document_says_beside_its_pay_table() -> None:
    card = text(made(OCEANFRONT, "rack-card")).replace(str(legend()), "")
    assert "document" not in card


@pytest.mark.long
def test_a_card_says_which_cards_are_high_middle_and_low() -> None:
    assert "Cards are high J-A, middle 6-10, low 2-5." in text(made(OCEANFRONT, "strategy-card"))


@pytest.mark.long
def test_hands_of_a_card_go_from_the_best_down() -> None:
    assert "four of a kind; three of a kind; two pair" in text(made(OCEANFRONT, "strategy-card"))


def test_a_figure_below_zero_is_explained_where_there_is_one() -> None:
    sheet = sheet_of(OCEANFRONT)
    generous = change_sheet(sheet, {"main.pays.pair-J-A": "2:1"})
    for paper in ("report", "rack-card"):
        assert "players" in _keys(PAPERS[paper](generous))
        assert "players" not in _keys(PAPERS[paper](sheet))


def _keys(paper: Paper) -> set[str]:
    blocks = (block for section in paper.sections for block in section.blocks)
    return {block.key for block in blocks if not isinstance(block, SmallTables)}


def test_a_name_that_ends_in_a_full_stop_gets_no_second_one() -> None:
    told = plain(Paragraph("These rules restate: Table Games, Inc.., 3:1... and so on."), "en")
    assert told["text"] == "These rules restate: Table Games, Inc., 3 to 1... and so on."


@pytest.mark.parametrize(
    "name", spread(["pennsylvania/three-card-poker", "classic/caribbean-stud"], 1)
)
def test_hands_of_best_play_are_suited_in_the_language_of_the_paper(name: str) -> None:
    english, spanish = (str(plain(PAPERS["report"](sheet_of(name)), one)) for one in ("en", "es"))
    assert " suited to " in english
    assert " suited" not in spanish
    assert " del mismo palo a " in spanish


def test_a_long_name_leaves_a_layout_its_page() -> None:
    sheet = change_sheet(
        sheet_of(OCEANFRONT), {"title": "A Stud of the House with a Long Name " * 3}
    )
    sizes: tuple[PageSize, ...] = ("letter", "a4")
    for size in sizes:
        first, _ = pages(pdf(PAPERS["layout"](sheet), size=size, built=BUILT))
        assert "Drawn to scale" in first


def test_rules_that_name_cards_say_how_they_are_written() -> None:
    words = dict(keyed(PAPERS["rules"](sheet_of(OCEANFRONT)))["words"]["rows"])
    assert words["As, Td"].startswith("A card by its rank (T: ten) and its suit: s spades")


@pytest.mark.parametrize("name", AGAINST_A_DEALER)
def test_a_game_against_a_dealer_has_an_example_of_a_tie(name: str) -> None:
    """Whoever a tie is won by: Nevada asks for examples of a win, a loss and a tie."""
    told = keyed(PAPERS["rules"](sheet_of(name)))
    shown = [f"{one['lead']} {one['text']}" for key, one in told.items() if "example " in key]
    assert [one for one in shown if re.search(r"\btie\b", one)] != []


def test_a_tie_of_points_is_one_whoever_it_is_won_by() -> None:
    hi_lo = sheet_of("catfish-bend/matchem-hi-lo")
    player, dealer, push = (
        keyed(PAPERS["rules"](change_sheet(hi_lo, {"main.ties.is": one})))
        for one in ("player", "dealer", "push")
    )
    assert "Bet, $5, high hand: wins $5" in player["example bet tie"]["text"]
    assert "Bet, $5: loses" in dealer["example bet tie"]["text"]
    assert "pushes" in push["example bet push"]["text"]


def test_a_card_and_the_report_end_at_hands_that_come() -> None:
    """The best four of five cards are never A A 3 2: without the fifth, a straight or better."""
    whole = report_figures(sheet_of("pennsylvania/crazy-4-poker"))
    (card,), (report,) = whole["card"]["parts"], whole["strategy"]
    for rows in (card["rows"], report["rows"]):
        assert rows[0][:2] == ["A A A A", "A A 5 3"]
        assert rows[-1][1] == "7 6 4 3"
    (card,) = report_figures(sheet_of("pennsylvania/four-card-poker"))["card"]["parts"]
    lowest = [hand.split() for _, hands in card["rows"] for hand in hands]
    assert [one for one in lowest if one.count("2") == 1 and one[-1] == "2"] == []


PAIRED = {
    "classic/caribbean-stud": ["Any pair or better; without a pair, A K J 8 3 or higher"],
    "pennsylvania/three-card-poker": ["Any pair or better; without a pair, Q 6 4 or higher"],
    "pennsylvania/crazy-4-poker": [
        "Pair of aces or better",
        "Pair of kings or a lower pair; without a pair, K Q 8 4 or higher",
    ],
}


@pytest.mark.parametrize("name", PAIRED)
def test_who_holds_a_pair_finds_it_on_the_card(name: str) -> None:
    rows = keyed(PAPERS["strategy-card"](sheet_of(name)))["part 0"]["rows"]
    assert [row[0] for row in rows[:-1]] == PAIRED[name]
    assert rows[-1][1] == "Fold"


def test_a_range_that_parts_a_pair_or_has_none_is_told_by_its_ends() -> None:
    rows = [["A K Q suited", "9 8 8"], ["8 8 7", "Q 6 4"], ["Q 6 3", "5 3 2"]]
    told = [*ranges(compile_game(sheet_of("pennsylvania/three-card-poker")), rows)]
    assert told == ["A K Q suited to 9 8 8", "8 8 7 to Q 6 4", "Q 6 3 to 5 3 2"]
