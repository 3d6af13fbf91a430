"""A program that did not write the papers reads them: figures, pays, clauses, tags and fonts."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest
from tests.lanes import spread
from tests.papers.read_back import BUILT, SHEETS, keyed, made, pages, sheet_of, structure, text

from pitbook.exact.compare import with_pays
from pitbook.exact.methods.dealer.common import DealerStrategy
from pitbook.exact.methods.dealer.pairs_solve import Solution
from pitbook.exact.methods.ladder.strategies import class_name
from pitbook.exact.rule_files import Rules, StreetRule
from pitbook.exact.sheet_figures import math_document
from pitbook.exact.strategies import follow, follow_rules
from pitbook.hands.kinds import RANK_NAMES
from pitbook.hands.ranking import classes
from pitbook.money import Odds
from pitbook.papers import typeset
from pitbook.papers.figures import report_figures
from pitbook.papers.packet import PAPERS
from pitbook.papers.rules import effective_rules
from pitbook.rules.game import compile_game
from pitbook.sheets.clauses import catalogue
from pitbook.sheets.digest import current_approval, digest, packet_digest
from pitbook.sheets.pay_tables import all_pay_tables
from pitbook.sheets.prose.rules import rule_texts
from pitbook.sheets.prose.words import outcome
from pitbook.text import capital

CLAUSE = re.compile(r"\b[A-Z]{3}-[0-9]+\b|\b6[0-9]{2}a\.[0-9]+\b")
# Figures of these are worked out in seconds; the slow lane reads all.
QUICK = ("catfish-bend/mississippi-stud", "catfish-bend/matchem-hi-lo", "pennsylvania/let-it-ride")
ALL = [
    pytest.param(name, marks=[] if name in QUICK else [pytest.mark.slow], id=name)
    for name in SHEETS
]


@pytest.mark.long
@pytest.mark.parametrize("name", ALL)
def test_every_figure_of_the_report_is_that_of_the_mathematics(name: str) -> None:
    read = text(made(name, "report")).replace(" ", "")
    wrong = []
    for wager, one in math_document(sheet_of(name))["wagers"].items():
        expected = Fraction(one["expected"])
        shown = [
            str(expected),
            f"{float(-expected) * 100:.4f}%",
            f"{one['element_of_risk'] * 100:.4f}%",
            f"{one['standard_deviation']:.6f}",
            f"{one['volatility_index']:.4f}",
            f"{one['hit_frequency'] * 100:.4f}%",
            f"{one['push'] * 100:.4f}%",
            f"{one['lose'] * 100:.4f}%",
            f"{one['rounds']:,}",
        ]
        ways: dict[tuple[str, str], int] = {}
        for row in one["outcomes"]:
            key = row["outcome"], row["result"]
            ways[key] = ways.get(key, 0) + row["count"]
        shown += [f"{count:,}" for count in ways.values()]
        wrong += [(wager, figure) for figure in shown if figure not in read]
    assert wrong == []


@pytest.mark.long
@pytest.mark.parametrize("name", ALL)
def test_every_wager_is_confirmed_by_play(name: str) -> None:
    sheet, read = sheet_of(name), text(made(name, "report"))
    found = keyed(PAPERS["report"](sheet))["confirmation"]["rows"]
    figures = math_document(sheet)["wagers"]
    exact = [f"{-float(Fraction(one['expected'])) * 100:.4f}%" for one in figures.values()]
    assert [row[2] for row in found] == exact  # Optional wagers too.
    assert all(f"{row[2]} {row[3]} {row[4]}" in read for row in found)
    assert "comparisons with the exact figures agree" in read


@pytest.mark.parametrize("name", ALL)
def test_sensitivity_is_that_of_the_game_with_the_line_changed(name: str) -> None:
    """The edge of a sheet that differs by the line alone, from the service that people ask."""
    sheet, report = sheet_of(name), keyed(PAPERS["report"](sheet_of(name)))
    for wager, table in all_pay_tables(sheet).items():
        rows = {row[0]: row[2] for row in report[f"sensitivity {wager}"]["rows"]}
        line = [one for one, pay in table.items() if isinstance(pay, Odds)][-1]
        pay = table[line]
        assert isinstance(pay, Odds)
        other = with_pays(sheet, wager, {**table, line: Odds(pay.to + pay.one, pay.one)})
        before, after = (
            Fraction(math_document(one, wager=wager)["wagers"][wager]["expected"])
            for one in (sheet, other)
        )
        assert rows[capital(outcome(line))] == f"{float(before - after) * 100:+.4f}"


@pytest.mark.long
@pytest.mark.parametrize("name", ALL)
def test_a_strategy_card_holds_a_strategy_and_says_what_it_costs(name: str) -> None:
    sheet, figures = sheet_of(name), report_figures(sheet_of(name))
    cost = Fraction(figures["card"]["cost"])
    best = Fraction(figures["math"]["wagers"]["main"]["expected"])
    plain = [float(Fraction(one)) for one in figures["simpler"].values() if Fraction(one)]
    assert 0 <= cost < min(plain, default=1)  # Better than any that needs no card.
    read = made(name, "strategy-card")
    assert f"{float(cost - best) * 100:.4f}%" in text(read)
    assert len(pages(read)) <= 2
    titles = [part["title"].casefold() for part in figures["card"]["parts"]]
    decisions = [stage for stage in compile_game(sheet).stages if len(stage.plays) > 1]
    assert len(titles) >= len(decisions)
    runs = [
        row for part in figures["card"]["parts"] if part["kind"] == "runs" for row in part["rows"]
    ]
    assert all(len(plays) == 1 for _, _, plays, _ in runs)  # No hand is left open.
    assert all(title in text(read).casefold() for title in titles)


OPEN_CARD = tuple(f"classic/{one}" for one in ("ultimate-three-card-poker", "caribbean-stud"))


@pytest.mark.parametrize("name", spread(OPEN_CARD, 1))
def test_best_play_stands_in_full_against_every_card_of_the_dealers(name: str) -> None:
    """Every hand is played against every card of the dealer's as the line of the hand says."""
    (part,) = report_figures(sheet_of(name))["strategy"]
    best: dict[str, dict[str, set[str]]] = {}
    followed = follow(sheet_of(name), "best")
    assert isinstance(followed, DealerStrategy)
    for line in followed.entries():
        held, _, cards = line.cards.partition(" | ")
        for card in cards.split() or RANK_NAMES:
            best.setdefault(held, {}).setdefault(card, set()).add(str(line.play))
    hands, wrong = list(best), []
    for first, last, plays, seen in part["rows"]:
        for held in hands[hands.index(first) : hands.index(last) + 1]:
            told = _by_card(held.removesuffix(" suited").split(), plays, seen)
            by_hand = best.pop(held)
            wrong += [(held, card) for card, some in by_hand.items() if told[card] != some]
    assert wrong == []
    assert best == {}


def _by_card(held: list[str], plays: list[str], seen: list[str]) -> dict[str, set[str]]:
    ranks = list(dict.fromkeys(held))
    found = {card: set(plays[0].split("/")) for card in RANK_NAMES}
    for play, cards in zip(plays[1:], seen[1:], strict=True):
        own, _, lowest = cards.partition(" ")
        some = ranks[-int(lowest or len(ranks)) :] if own == "own" else cards.split()
        found |= {card: set(play.split("/")) for card in some}
    return found


@pytest.mark.slow
@pytest.mark.long
def test_the_short_strategy_of_an_own_hand_costs_what_its_rules_cost() -> None:
    sheet = sheet_of("classic/caribbean-stud")
    card = report_figures(sheet)["card"]
    rules = [
        StreetRule(play=plays[0], at_least=None if plays[0] == "fold" else last)
        for (part,) in [card["parts"]]
        for _, last, plays, _ in part["rows"]
    ]
    followed = follow_rules(sheet, Rules(street=rules))
    assert str(follow(sheet).expected - followed.expected) == card["cost"]


def test_a_card_tells_what_is_played_against_each_card_of_the_dealers() -> None:
    """Hand by hand and card by card, weighed by what best play would have been worth instead."""
    sheet = sheet_of("classic/ultimate-three-card-poker")
    card = report_figures(sheet)["card"]
    (part,) = card["parts"]
    followed = follow(sheet)
    assert isinstance(followed, DealerStrategy)
    solution = followed.solution
    assert isinstance(solution, Solution)
    fight, counts = solution.terms.fight, solution.counts
    names = [class_name(hand) for hand in classes(fight.best, fight.ace)]
    plays = {str(play): place for place, play in enumerate(solution.plays)}
    told: dict[int, list[tuple[int, int]]] = {}
    for (first, last), lowest in part["rows"]:
        pairs = zip(part["plays"], lowest, strict=True)
        bets = [(names.index(low), plays[play]) for play, low in pairs if low]
        high, low = (RANK_NAMES.index(one) for one in (first, last))
        told |= {rank: [*bets, (0, plays[part["else"]])] for rank in range(low, high + 1)}
    assert sorted(told) == list(range(13))
    lost = 0
    rows = zip(counts.classes.tolist(), counts.seen.tolist(), counts.ways.tolist(), strict=True)
    for row, (own, seen, ways) in enumerate(rows):
        made = next(play for least, play in told[seen] if own >= least)
        assert solution.allowed[made, row]
        best = solution.worths[solution.allowed[:, row], row].max()
        lost += int(best - solution.worths[made, row]) * ways
    assert card["cost"] == str(Fraction(lost, solution.rounds * solution.terms.stake))
    assert 0 < Fraction(card["cost"]) < Fraction(1, 10_000)


@pytest.mark.long
@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("paper", ["rules", "dealer-card", "rack-card"])
def test_every_pay_line_is_the_sheets(name: str, paper: str) -> None:
    read, wrong = text(made(name, paper)), []
    for wager, table in all_pay_tables(sheet_of(name)).items():
        for line, pay in table.items():
            paid = f"{pay.to:,} to {pay.one}" if isinstance(pay, Odds) else "push"
            shown = f"{capital(outcome(line))} {paid}"
            wrong += [] if shown in read else [(wager, shown)]
    assert wrong == []


@pytest.mark.long
@pytest.mark.parametrize("name", ALL)
def test_every_clause_that_a_paper_cites_exists(name: str) -> None:
    sheet = sheet_of(name)
    known = set(catalogue()) | set(sheet.clause_ids)
    told = text(made(name, "rules"))
    cited, unsaid = set(CLAUSE.findall(told)), {sheet.best_play.ties.clause}
    if "traight" not in told:  # GEN-1 is about straights, which hands of one card do not have.
        unsaid.add(sheet.payouts.ace_in_straights.clause)
    kept = {one.key for one in effective_rules(compile_game(sheet))}
    unsaid |= {each for one in rule_texts(sheet) if one.key not in kept for each in one.clauses}
    assert cited >= set(sheet.clause_ids) - unsaid
    # The source's note may name sections that no rule rests on.
    assert cited <= known | set(CLAUSE.findall(str(sheet.source.note)))


@pytest.mark.slow_cases(
    "dealer-card-classic/ultimate-three-card-poker",
    "layout-classic/ultimate-three-card-poker",
    "rules-classic/ultimate-three-card-poker",
    "sign-classic/ultimate-three-card-poker",
)
@pytest.mark.long
@pytest.mark.parametrize("name", spread(SHEETS, 3))
@pytest.mark.parametrize("paper", ["rules", "sign", "dealer-card", "layout"])
def test_every_page_says_whose_it_is(name: str, paper: str) -> None:
    sheet = sheet_of(name)
    shown = pages(made(name, paper))
    for number, page in enumerate(shown, start=1):
        assert sheet.id in page
        assert digest(sheet)[:12] in page
        assert packet_digest(sheet)[:12] in page
        assert f"page {number} of {len(shown)}" in page
        approved = current_approval(sheet, paper) is not None
        assert ("rules approved " in page) == approved
        assert ("no approval on record" in page) == (not approved)
        if sheet.effective:
            assert f"in force from {sheet.effective.day} " in page


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("paper", list(PAPERS))
def test_papers_are_tagged_titled_and_carry_their_fonts(name: str, paper: str) -> None:
    found = structure(made(name, paper))
    told = found["metadata"]
    assert found["marked"]
    assert found["language"] == "en"
    assert found["shows_title"]
    assert found["loose_fonts"] == []
    assert {"Archivo-Regular", "Besley-SemiBold"} <= set(found["fonts"])
    assert sheet_of(name).title in told["dc:title"]
    assert (told["pdfaid:part"], told["pdfaid:conformance"]) == ("2", "A")
    assert told["pdfuaid:part"] == "1"


@pytest.mark.long
@pytest.mark.parametrize("paper", list(PAPERS))
def test_the_same_sheet_gives_the_same_bytes(paper: str) -> None:
    name = "catfish-bend/mississippi-stud"
    first, sheet = made(name, paper), sheet_of(name)
    typeset._compiler.cache_clear()  # As another process would.
    assert typeset.pdf(PAPERS[paper](sheet), built=BUILT) == first
