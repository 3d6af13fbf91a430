"""Papers read back with other programs: figures, pays, clauses, tags and fonts."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest
from tests.exact.figures_json import math_document
from tests.lanes import spread
from tests.printing.pdf_reader import (
    BUILT,
    SHEETS,
    blocks_by_key,
    build_pdf,
    pages,
    sheet_of,
    structure,
    text,
)

from pitbook.exact.compare import with_pays
from pitbook.exact.methods.dealer.common import DealerStrategy
from pitbook.exact.methods.dealer.pairs_solve import Solution
from pitbook.exact.methods.ladder.strategies import class_name
from pitbook.exact.rule_files import Rules, StreetRule
from pitbook.exact.strategies import follow, follow_rules
from pitbook.hands.kinds import RANK_NAMES
from pitbook.hands.ranking import classes
from pitbook.money import Odds
from pitbook.printing import typeset
from pitbook.printing.packet import PAPERS
from pitbook.printing.report_figures import report_figures
from pitbook.printing.rules import effective_rules
from pitbook.rules.game import compile_game
from pitbook.sheets.clauses import clause_texts
from pitbook.sheets.hashes import current_approval, digest, packet_digest
from pitbook.sheets.pay_tables import all_pay_tables
from pitbook.sheets.phrases import outcome
from pitbook.sheets.prose import rule_texts
from pitbook.text import capital

CLAUSE = re.compile(r"\b[A-Z]{3}-[0-9]+\b|\b6[0-9]{2}a\.[0-9]+\b")
# Their figures take seconds to compute; the slow lane reads all.
QUICK = ("catfish-bend/mississippi-stud", "catfish-bend/matchem-hi-lo", "pennsylvania/let-it-ride")
ALL = [
    pytest.param(name, marks=[] if name in QUICK else [pytest.mark.slow], id=name)
    for name in SHEETS
]


@pytest.mark.long
@pytest.mark.parametrize("name", ALL)
def test_report_figures_equal_the_exact_mathematics(name: str) -> None:
    words = text(build_pdf(name, "report")).replace(" ", "")
    wrong = []
    for wager, stats in math_document(sheet_of(name))["wagers"].items():
        expected = Fraction(stats["expected"])
        figures = [
            str(expected),
            f"{float(-expected) * 100:.4f}%",
            f"{stats['element_of_risk'] * 100:.4f}%",
            f"{stats['standard_deviation']:.6f}",
            f"{stats['volatility_index']:.4f}",
            f"{stats['hit_frequency'] * 100:.4f}%",
            f"{stats['push'] * 100:.4f}%",
            f"{stats['lose'] * 100:.4f}%",
            f"{stats['rounds']:,}",
        ]
        ways: dict[tuple[str, str], int] = {}
        for row in stats["outcomes"]:
            key = row["outcome"], row["result"]
            ways[key] = ways.get(key, 0) + row["count"]
        figures += [f"{count:,}" for count in ways.values()]
        wrong += [(wager, figure) for figure in figures if figure not in words]
    assert wrong == []


@pytest.mark.long
@pytest.mark.parametrize("name", ALL)
def test_every_wager_is_confirmed_by_play(name: str) -> None:
    sheet, words = sheet_of(name), text(build_pdf(name, "report"))
    rows = blocks_by_key(PAPERS["report"](sheet))["confirmation"]["rows"]
    figures = math_document(sheet)["wagers"]
    exact = [f"{-float(Fraction(stats['expected'])) * 100:.4f}%" for stats in figures.values()]
    assert [row[2] for row in rows] == exact  # Optional wagers too.
    assert all(f"{row[2]} {row[3]} {row[4]}" in words for row in rows)
    assert "comparisons with the exact figures agree" in words


@pytest.mark.parametrize("name", ALL)
def test_sensitivity_is_that_of_the_game_with_the_line_changed(name: str) -> None:
    """The edge of a sheet that differs only in this line, from the public function."""
    sheet, report = sheet_of(name), blocks_by_key(PAPERS["report"](sheet_of(name)))
    for wager, table in all_pay_tables(sheet).items():
        rows = {row[0]: row[2] for row in report[f"sensitivity {wager}"]["rows"]}
        line = [line_name for line_name, pay in table.items() if isinstance(pay, Odds)][-1]
        pay = table[line]
        assert isinstance(pay, Odds)
        other = with_pays(sheet, wager, {**table, line: Odds(pay.to + pay.one, pay.one)})
        before, after = (
            Fraction(math_document(variant, wager=wager)["wagers"][wager]["expected"])
            for variant in (sheet, other)
        )
        assert rows[capital(outcome(line))] == f"{float(before - after) * 100:+.4f}"


@pytest.mark.long
@pytest.mark.parametrize("name", ALL)
def test_strategy_card_has_every_decision_and_states_its_cost(name: str) -> None:
    sheet, figures = sheet_of(name), report_figures(sheet_of(name))
    cost, best = figures.card.cost, figures.expected
    simpler_costs = (simpler_cost for simpler_cost in figures.simpler.values() if simpler_cost)
    assert 0 <= cost < min(simpler_costs, default=1)  # Better than any strategy that needs no card.
    card_pdf = build_pdf(name, "strategy-card")
    assert f"{float(cost - best) * 100:.2f}%" in text(card_pdf)
    assert len(pages(card_pdf)) <= 2
    titles = [part["title"].casefold() for part in figures.card.parts]
    decisions = [stage for stage in compile_game(sheet).stages if len(stage.plays) > 1]
    assert len(titles) >= len(decisions)
    runs = [row for part in figures.card.parts if part["kind"] == "runs" for row in part["rows"]]
    assert all(len(plays) == 1 for _, _, plays, _ in runs)  # Every hand has one play.
    assert all(title in text(card_pdf).casefold() for title in titles)


OPEN_CARD = tuple(f"classic/{name}" for name in ("ultimate-three-card-poker", "caribbean-stud"))


@pytest.mark.parametrize("name", spread(OPEN_CARD, 1))
def test_best_play_is_complete_against_every_dealer_card(name: str) -> None:
    """Every hand is played against every dealer card as its line says."""
    (part,) = report_figures(sheet_of(name)).strategy
    best: dict[str, dict[str, set[str]]] = {}
    strategy = follow(sheet_of(name), "best")
    assert isinstance(strategy, DealerStrategy)
    for line in strategy.entries():
        hand, _, cards = line.cards.partition(" | ")
        for card in cards.split() or RANK_NAMES:
            best.setdefault(hand, {}).setdefault(card, set()).add(str(line.play))
    hands, wrong = list(best), []
    for first, last, plays, upcards in part["rows"]:
        for hand in hands[hands.index(first) : hands.index(last) + 1]:
            plays_by_card = _by_card(hand.removesuffix(" suited").split(), plays, upcards)
            by_hand = best.pop(hand)
            wrong += [
                (hand, card)
                for card, card_plays in by_hand.items()
                if plays_by_card[card] != card_plays
            ]
    assert wrong == []
    assert best == {}


def _by_card(hand_ranks: list[str], plays: list[str], upcards: list[str]) -> dict[str, set[str]]:
    ranks = list(dict.fromkeys(hand_ranks))
    plays_by_card = {card: set(plays[0].split("/")) for card in RANK_NAMES}
    for play, cards in zip(plays[1:], upcards[1:], strict=True):
        prefix, _, lowest = cards.partition(" ")
        listed = ranks[-int(lowest or len(ranks)) :] if prefix == "own" else cards.split()
        plays_by_card |= {card: set(play.split("/")) for card in listed}
    return plays_by_card


@pytest.mark.slow
@pytest.mark.long
def test_short_strategy_costs_what_its_rules_cost() -> None:
    sheet = sheet_of("classic/caribbean-stud")
    card = report_figures(sheet).card
    rules = [
        StreetRule(play=plays[0], at_least=None if plays[0] == "fold" else last)
        for (part,) in [card.parts]
        for _, last, plays, _ in part["rows"]
    ]
    strategy = follow_rules(sheet, Rules(street=rules))
    assert follow(sheet).expected - strategy.expected == card.cost


def test_card_states_the_play_against_each_dealer_card() -> None:
    """Hand by hand and card by card, compared with the value of best play."""
    sheet = sheet_of("classic/ultimate-three-card-poker")
    card = report_figures(sheet).card
    (part,) = card.parts
    strategy = follow(sheet)
    assert isinstance(strategy, DealerStrategy)
    solution = strategy.solution
    assert isinstance(solution, Solution)
    fight, counts = solution.terms.dealer_game, solution.counts
    names = [class_name(hand) for hand in classes(fight.best_cards, fight.ace)]
    plays = {str(play): place for place, play in enumerate(solution.plays)}
    bets_by_rank: dict[int, list[tuple[int, int]]] = {}
    for (first, last), lowest in part["rows"]:
        pairs = zip(part["plays"], lowest, strict=True)
        bets = [(names.index(low), plays[play]) for play, low in pairs if low]
        high, low = (RANK_NAMES.index(rank_name) for rank_name in (first, last))
        bets_by_rank |= {rank: [*bets, (0, plays[part["else"]])] for rank in range(low, high + 1)}
    assert sorted(bets_by_rank) == list(range(13))
    lost = 0
    rows = zip(
        counts.classes.tolist(), counts.upcard_ranks.tolist(), counts.ways.tolist(), strict=True
    )
    for row, (hand, upcard, ways) in enumerate(rows):
        choice = next(play for least, play in bets_by_rank[upcard] if hand >= least)
        assert solution.allowed[choice, row]
        best = solution.worths[solution.allowed[:, row], row].max()
        lost += int(best - solution.worths[choice, row]) * ways
    assert card.cost == Fraction(lost, solution.rounds * solution.terms.stake)
    assert 0 < card.cost < Fraction(1, 10_000)


@pytest.mark.long
@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("paper", ["rules", "dealer-card", "rack-card"])
def test_every_pay_line_matches_the_sheet(name: str, paper: str) -> None:
    words, wrong = text(build_pdf(name, paper)), []
    for wager, table in all_pay_tables(sheet_of(name)).items():
        for line, pay in table.items():
            paid = f"{pay.to:,} to {pay.one}" if isinstance(pay, Odds) else "push"
            pay_line = f"{capital(outcome(line))} {paid}"
            wrong += [] if pay_line in words else [(wager, pay_line)]
    assert wrong == []


@pytest.mark.long
@pytest.mark.parametrize("name", ALL)
def test_every_clause_that_a_paper_cites_exists(name: str) -> None:
    sheet = sheet_of(name)
    known_clauses = set(clause_texts()) | set(sheet.clause_ids)
    words = text(build_pdf(name, "rules"))
    cited, unsaid = set(CLAUSE.findall(words)), {sheet.best_play.ties.clause}
    if "traight" not in words:  # GEN-1 is about straights; hands of one card have none.
        unsaid.add(sheet.payouts.ace_in_straights.clause)
    effective_keys = {rule_text.key for rule_text in effective_rules(compile_game(sheet))}
    unsaid |= {
        clause
        for rule_text in rule_texts(sheet)
        if rule_text.key not in effective_keys
        for clause in rule_text.clauses
    }
    assert cited >= set(sheet.clause_ids) - unsaid
    # The source's note may name sections that no rule is based on.
    assert cited <= known_clauses | set(CLAUSE.findall(str(sheet.source.note)))


@pytest.mark.slow_cases(
    "dealer-card-classic/ultimate-three-card-poker",
    "layout-classic/ultimate-three-card-poker",
    "rules-classic/ultimate-three-card-poker",
    "sign-classic/ultimate-three-card-poker",
)
@pytest.mark.long
@pytest.mark.parametrize("name", spread(SHEETS, 3))
@pytest.mark.parametrize("paper", ["rules", "sign", "dealer-card", "layout"])
def test_every_page_identifies_its_sheet(name: str, paper: str) -> None:
    sheet = sheet_of(name)
    page_texts = pages(build_pdf(name, paper))
    for number, page in enumerate(page_texts, start=1):
        assert sheet.id in page
        assert digest(sheet)[:12] in page
        assert packet_digest(sheet)[:12] in page
        assert f"page {number} of {len(page_texts)}" in page
        approved = current_approval(sheet, paper) is not None
        assert ("rules approved " in page) == approved
        assert ("no approval on record" in page) == (not approved)
        if sheet.effective:
            assert f"in force from {sheet.effective:%B} {sheet.effective.day}, " in page


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("paper", list(PAPERS))
def test_papers_are_tagged_titled_and_carry_their_fonts(name: str, paper: str) -> None:
    tags = structure(build_pdf(name, paper))
    metadata = tags["metadata"]
    assert tags["marked"]
    assert tags["language"] == "en"
    assert tags["shows_title"]
    assert tags["loose_fonts"] == []
    assert {"Archivo-Regular", "Besley-SemiBold"} <= set(tags["fonts"])
    assert sheet_of(name).title in metadata["dc:title"]
    assert (metadata["pdfaid:part"], metadata["pdfaid:conformance"]) == ("2", "A")
    assert metadata["pdfuaid:part"] == "1"


@pytest.mark.long
@pytest.mark.parametrize("paper", list(PAPERS))
def test_the_same_sheet_gives_the_same_bytes(paper: str) -> None:
    name = "catfish-bend/mississippi-stud"
    first, sheet = build_pdf(name, paper), sheet_of(name)
    typeset._compiler.cache_clear()  # As another process would.
    assert typeset.pdf(PAPERS[paper](sheet), built=BUILT) == first
