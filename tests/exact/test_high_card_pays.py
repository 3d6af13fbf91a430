"""Pay tables with high cards, the mini-royal and four aces: counted, settled and simulated."""

from __future__ import annotations

from fractions import Fraction

import pytest
from tests.exact.plain_sides import returns
from tests.exact.plain_stud import PlainStud
from tests.random_sheets.sheets import document
from tests.sheets.samples import CMS, LAS, MHL, sheet_of, with_pays
from tests.sheets.test_largest_payout import four_and_one
from tests.simulation.plans import SEED

from pitbook.cards import cards
from pitbook.exact.advice import advise
from pitbook.exact.sheet_figures import whole_round
from pitbook.exact.side_wagers import side_figures
from pitbook.money import Cents
from pitbook.rules.families.hi_lo.game import HiLoGame
from pitbook.rules.families.hi_lo.sheet import HiLo
from pitbook.rules.families.street_stud.game import StreetStudGame
from pitbook.rules.families.street_stud.sheet import StreetStud
from pitbook.rules.settlement_lines import pay_by_kind
from pitbook.sheets.model import Sheet
from pitbook.simulation.compare_with_exact import check
from pitbook.simulation.plan import plan
from pitbook.simulation.run import run

THREE = (
    "mini-royal 100:1, straight-flush 40:1, three-of-a-kind 30:1, straight 6:1, flush 3:1, "
    "pair 1:1, high-card-A push"
)
SIX_DECKS = (
    "suited-three-of-a-kind 100:1, mini-royal 150:1, straight-flush 30:1, three-of-a-kind 10:1, "
    "straight 4:1, suited-pair 3:1, flush 2:1, pair 1:1, high-card-K-A push"
)
FIVE = (
    "royal-flush 500:1, straight-flush 100:1, four-of-a-kind 40:1, full-house 10:1, flush 6:1, "
    "straight 4:1, three-of-a-kind 3:1, two-pair 2:1, pair 1:1, high-card-K-A push"
)


def bonus_sheet() -> Sheet:
    return sheet_of(with_pays(CMS, "three-card-bonus", THREE))


def poker_sheet() -> Sheet:
    return sheet_of(with_pays(MHL, "poker-bonus", SIX_DECKS))


def kings_sheet() -> Sheet:
    return sheet_of(with_pays(LAS, "main", FIVE))


def one_card_sheet() -> Sheet:
    """Four hole cards and one common card: the bonus uses a single card."""
    text = four_and_one(4, "community", 2)
    start, end = text.index("[side.three-card-bonus.pays]"), text.index("[settlement]")
    pays = 'high-card-A = "5:1"\nhigh-card-Q-K = "1:1"\nhigh-card-10-J = "push"\n'
    return sheet_of(f"{text[:start]}[side.three-card-bonus.pays]\n{pays}\n{text[end:]}")


@pytest.mark.long
@pytest.mark.parametrize(
    ("sheet", "wager"),
    [(bonus_sheet(), "three-card-bonus"), (poker_sheet(), "poker-bonus")],
    ids=["3", "6x3"],
)
def test_side_wagers_equal_plain_counting(sheet: Sheet, wager: str) -> None:
    figures = side_figures(sheet, wager)
    returns_by_outcome = {
        row.outcome: (Fraction(row.count, figures.rounds), row.net) for row in figures.rows
    }
    plain = returns(document(sheet), wager)
    total = sum(ways for ways, _ in plain.values())
    assert returns_by_outcome == {
        line: (Fraction(ways, total), net) for line, (ways, net) in plain.items()
    }
    assert returns_by_outcome["mini-royal"][0] * figures.rounds in (4, 4 * 6**3)


def test_single_card_is_paid_by_its_rank() -> None:
    figures = side_figures(one_card_sheet(), "three-card-bonus")
    assert figures.expected == Fraction(4 * 5 + 8 * 1 + 8 * 0 - 32, 52)


@pytest.mark.parametrize(("board", "bets"), [("Ah 9d", (1, 1)), ("7c", (2,)), ("", ())])
def test_spots_with_high_card_pays_equal_plain_enumeration(
    board: str, bets: tuple[int, ...]
) -> None:
    sheet = kings_sheet()
    hole, board_cards = cards("Kd 4s"), cards(board) if board else ()
    advice = advise(sheet, hole, board_cards, [f"{bet}x" for bet in bets])
    plain = PlainStud(document(sheet)).spot(hole, board_cards, bets)
    assert advice.actions == plain.values
    assert advice.best == plain.best


@pytest.mark.long
def test_round_with_bonus_adds_up() -> None:
    """By linearity main game and bonus add up; the joint count is independent of that."""
    sheet = bonus_sheet()
    both = whole_round(sheet, None, {"three-card-bonus": Cents(100)})
    main_only = whole_round(sheet, None, {})
    assert both.expected == main_only.expected + side_figures(sheet, "three-card-bonus").expected


def test_hand_is_settled_by_its_line() -> None:
    sheet = bonus_sheet()
    assert isinstance(sheet, StreetStud)
    game, pays = StreetStudGame(sheet), pay_by_kind(sheet, "three-card-bonus")
    for text, outcome in (
        ("As Ks Qs", "mini-royal"),
        ("Ks Qs Js", "straight-flush"),
        ("As Kd 9c", "high-card-A"),
        ("Ks Qd 9c", "nothing"),
        ("As Kd Qc", "straight"),
    ):
        showdown = game.read(cards("2c 7d"), cards(text))
        assert showdown.community is not None
        assert pays[showdown.community].outcome == outcome
    poker_bonus_sheet = poker_sheet()
    assert isinstance(poker_bonus_sheet, HiLo)
    kinds = pay_by_kind(poker_bonus_sheet, "poker-bonus")
    dealer = cards("2c 3c 4c 5c 6c")
    for text, outcome in (("Ah Kh Qh", "mini-royal"), ("Kh 9d 2s", "high-card-K")):
        kind = HiLoGame(poker_bonus_sheet).read(cards(text), dealer).hand
        assert kind is not None
        assert kinds[kind].outcome == {"high-card-K": "high-card-K-A"}.get(outcome, outcome)


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "seats"),
    [("bonus", 2), ("poker", 2), ("kings", 1), ("kings", 2), ("one-card", 2)],
)
def test_simulation_agrees_with_exact(name: str, seats: int) -> None:
    sheet = {
        "bonus": bonus_sheet,
        "poker": poker_sheet,
        "kings": kings_sheet,
        "one-card": one_card_sheet,
    }[name]()
    side = {wager: rule.stake.min for wager, rule in sheet.side.items()}
    simulation_plan = plan(sheet, ante=sheet.main_wager.min, side=side, seats=seats, seed=SEED)
    check_result = check(run(simulation_plan, 10**6))
    assert check_result.agrees
    lines = {outcome.outcome for outcome in check_result.outcomes}
    expected_lines = {"bonus": "mini-royal", "poker": "mini-royal", "kings": "high-card-K-A"}
    assert any(expected_lines.get(name, "high-card-A") in str(line) for line in lines)
