"""Pay tables that pay high cards, the mini-royal and four aces: counted, settled and played."""

from __future__ import annotations

from fractions import Fraction

import pytest
from tests.exact.plain_sides import returns
from tests.exact.plain_stud import PlainStud
from tests.generated_sheets import document
from tests.sheets.samples import CMS, LAS, MHL, sheet_of, with_pays
from tests.sheets.test_exposure import four_and_one
from tests.simulate.plans import SEED

from pitbook.cards import cards
from pitbook.exact.advice import advise
from pitbook.exact.sheet_figures import whole_round
from pitbook.exact.side_wagers import side_figures
from pitbook.money import Cents
from pitbook.rules.families.hi_lo.compile import HiLoGame
from pitbook.rules.families.hi_lo.sheet import HiLo
from pitbook.rules.families.street_stud.compile import StreetStudGame
from pitbook.rules.families.street_stud.sheet import StreetStud
from pitbook.rules.pricing import pay_by_kind
from pitbook.sheets.model import Sheet
from pitbook.simulate.check import check
from pitbook.simulate.plan import plan
from pitbook.simulate.run import run

THREE = (
    "mini-royal 100:1, straight-flush 40:1, three-of-a-kind 30:1, straight 6:1, flush 3:1, "
    "pair 1:1, high-card-A push"
)
SEVERAL = (
    "suited-three-of-a-kind 100:1, mini-royal 150:1, straight-flush 30:1, three-of-a-kind 10:1, "
    "straight 4:1, suited-pair 3:1, flush 2:1, pair 1:1, high-card-K-A push"
)
FIVE = (
    "royal-flush 500:1, straight-flush 100:1, four-of-a-kind 40:1, full-house 10:1, flush 6:1, "
    "straight 4:1, three-of-a-kind 3:1, two-pair 2:1, pair 1:1, high-card-K-A push"
)


def bonus() -> Sheet:
    return sheet_of(with_pays(CMS, "three-card-bonus", THREE))


def poker() -> Sheet:
    return sheet_of(with_pays(MHL, "poker-bonus", SEVERAL))


def kings() -> Sheet:
    return sheet_of(with_pays(LAS, "main", FIVE))


def one_card() -> Sheet:
    """Four hole cards and one in common: the bonus looks at a single card."""
    text = four_and_one(4, "community", 2)
    start, end = text.index("[side.three-card-bonus.pays]"), text.index("[settlement]")
    pays = 'high-card-A = "5:1"\nhigh-card-Q-K = "1:1"\nhigh-card-10-J = "push"\n'
    return sheet_of(f"{text[:start]}[side.three-card-bonus.pays]\n{pays}\n{text[end:]}")


@pytest.mark.long
@pytest.mark.parametrize(
    ("sheet", "wager"), [(bonus(), "three-card-bonus"), (poker(), "poker-bonus")], ids=["3", "6x3"]
)
def test_side_wagers_return_what_plain_counting_says(sheet: Sheet, wager: str) -> None:
    figures = side_figures(sheet, wager)
    ours = {row.outcome: (Fraction(row.count, figures.rounds), row.net) for row in figures.rows}
    plain = returns(document(sheet), wager)
    total = sum(ways for ways, _ in plain.values())
    assert ours == {line: (Fraction(ways, total), net) for line, (ways, net) in plain.items()}
    assert ours["mini-royal"][0] * figures.rounds in (4, 4 * 6**3)


def test_a_single_card_is_paid_by_its_rank() -> None:
    figures = side_figures(one_card(), "three-card-bonus")
    assert figures.expected == Fraction(4 * 5 + 8 * 1 + 8 * 0 - 32, 52)


@pytest.mark.parametrize(("board", "bets"), [("Ah 9d", (1, 1)), ("7c", (2,)), ("", ())])
def test_spots_of_a_main_game_that_pays_high_cards(board: str, bets: tuple[int, ...]) -> None:
    sheet = kings()
    own, common = cards("Kd 4s"), cards(board) if board else ()
    found = advise(sheet, own, common, [f"{bet}x" for bet in bets])
    plain = PlainStud(document(sheet)).spot(own, common, bets)
    assert found.actions == plain.values
    assert found.best == plain.best


@pytest.mark.long
def test_a_whole_round_with_the_bonus() -> None:
    """By linearity main and bonus add up; the joint count goes another way to it."""
    sheet = bonus()
    both = whole_round(sheet, None, {"three-card-bonus": Cents(100)})
    alone = whole_round(sheet, None, {})
    assert both.expected == alone.expected + side_figures(sheet, "three-card-bonus").expected


def test_a_hand_is_settled_by_the_line_it_fits() -> None:
    sheet = bonus()
    assert isinstance(sheet, StreetStud)
    game, pays = StreetStudGame(sheet), pay_by_kind(sheet, "three-card-bonus")
    for text, outcome in (
        ("As Ks Qs", "mini-royal"),
        ("Ks Qs Js", "straight-flush"),
        ("As Kd 9c", "high-card-A"),
        ("Ks Qd 9c", "nothing"),
        ("As Kd Qc", "straight"),
    ):
        shown = game.read(cards("2c 7d"), cards(text))
        assert shown.community is not None
        assert pays[shown.community].outcome == outcome
    many = poker()
    assert isinstance(many, HiLo)
    kinds = pay_by_kind(many, "poker-bonus")
    dealer = cards("2c 3c 4c 5c 6c")
    for text, outcome in (("Ah Kh Qh", "mini-royal"), ("Kh 9d 2s", "high-card-K")):
        found = HiLoGame(many).read(cards(text), dealer).hand
        assert found is not None
        assert kinds[found].outcome == {"high-card-K": "high-card-K-A"}.get(outcome, outcome)


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "seats"),
    [("bonus", 2), ("poker", 2), ("kings", 1), ("kings", 2), ("one-card", 2)],
)
def test_simulation_agrees_with_exact(name: str, seats: int) -> None:
    sheet = {"bonus": bonus, "poker": poker, "kings": kings, "one-card": one_card}[name]()
    side = {wager: rule.stake.min for wager, rule in sheet.side.items()}
    played = plan(sheet, ante=sheet.main_wager.min, side=side, seats=seats, seed=SEED)
    found = check(run(played, 10**6))
    assert found.agrees
    lines = {outcome.outcome for outcome in found.outcomes}
    wanted = {"bonus": "mini-royal", "poker": "mini-royal", "kings": "high-card-K-A"}
    assert any(wanted.get(name, "high-card-A") in str(one) for one in lines)
