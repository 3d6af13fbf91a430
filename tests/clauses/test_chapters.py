"""Rules shared by the chapters of 58 Pa. Code and the classic games: table, cards, deal."""

from __future__ import annotations

import pytest
from tests.clauses.dealer_hands import nets, start_table
from tests.clauses.one_line_rounds import expect_refusal, load

from pitbook.cards import cards
from pitbook.money import Cents
from pitbook.rules.actions import Close, Decide, Fouled, Misdeal, Wager
from pitbook.rules.game import compile_game
from pitbook.rules.refusals import Code, Refusal
from pitbook.rules.round import Round, new_round
from pitbook.rules.step import step
from pitbook.sheets.model import Sheet
from pitbook.shoe.packs import fresh_due, next_shuffle

SEATS = {
    "pennsylvania/let-it-ride": (6, "643a.2"),
    "pennsylvania/mississippi-stud": (6, "655a.2"),
    "pennsylvania/three-card-poker": (6, "649a.2"),
    "pennsylvania/ultimate-texas-holdem": (6, "653a.2"),
    "pennsylvania/crazy-4-poker": (6, "657a.2"),
    "pennsylvania/four-card-poker": (6, "641a.2"),
    "classic/caribbean-stud": (7, "CST-2"),
    "classic/casino-holdem": (7, "CHE-2"),
    "classic/ultimate-three-card-poker": (7, "UTC-2"),
    "classic/casino-war": (7, "CWR-2"),
}
DEALT = {  # To seats 1 and 2, then the shared places: the board, and those after it.
    "pennsylvania/let-it-ride": (1, 2, 1, 2, 1, 2, 0, 0),
    "pennsylvania/mississippi-stud": (1, 2, 1, 2, 0, 0, 0),
    "pennsylvania/three-card-poker": (1, 1, 1, 2, 2, 2, 0, 0, 0),
    "pennsylvania/ultimate-texas-holdem": (1, 1, 2, 2, -1, -1, 0, 0, 0, 0, 0),
    "pennsylvania/crazy-4-poker": (*[1] * 5, *[2] * 5, *[0] * 5),
    "pennsylvania/four-card-poker": (*[1] * 5, *[2] * 5, *[0] * 6),
    "classic/caribbean-stud": (*[1] * 5, *[2] * 5, *[0] * 5),
    "classic/casino-holdem": (1, 1, 2, 2, -1, -1, 0, 0, 0, 0, 0),
    "classic/ultimate-three-card-poker": (1, 1, 1, 2, 2, 2, 0, 0, 0),
    "classic/casino-war": (1, 2, 0),
}


def minimum_wager(sheet: Sheet, seat: int) -> Wager:
    return Wager(seat, f"p{seat}", sheet.main_id, sheet.main_wager.min)


@pytest.mark.parametrize("name", SEATS)
def test_number_of_places_and_one_per_player(name: str) -> None:
    sheet, (count, clause) = load(name), SEATS[name]
    assert (sheet.seats.count, sheet.seats.clause) == (count, clause)
    round = new_round(compile_game(sheet))
    assert isinstance(step(round, minimum_wager(sheet, count)), Round)
    assert expect_refusal(round, minimum_wager(sheet, count + 1)).clause == clause
    round_with_ann = step(round, Wager(1, "ann", sheet.main_id, sheet.main_wager.min))
    assert isinstance(round_with_ann, Round)
    second = Wager(2, "ann", sheet.main_id, sheet.main_wager.min)
    assert expect_refusal(round_with_ann, second).code is Code.TOO_MANY_SPOTS


@pytest.mark.parametrize("name", SEATS)
def test_number_of_decks_and_when_they_are_fresh(name: str) -> None:
    sheet = load(name)
    assert sheet.deck.decks == (6 if name == "classic/casino-war" else 1)
    assert fresh_due(sheet, 52 * sheet.deck.decks - 1).due
    assert [_next_shuffle(sheet, works) for works in (True, False)] == ["automatic", "hand"]


def _next_shuffle(sheet: Sheet, works: bool) -> str:
    shuffle = next_shuffle(sheet, machine_works=works)
    assert not isinstance(shuffle, Refusal)
    return shuffle.shuffle


@pytest.mark.parametrize("name", SEATS)
def test_the_order_of_the_deal(name: str) -> None:
    sheet = load(name)
    round = new_round(compile_game(sheet))
    for seat in (1, 2):
        after = step(round, minimum_wager(sheet, seat))
        assert isinstance(after, Round)
        round = after
    closed = step(round, Close())
    assert isinstance(closed, Round)
    assert closed.to_deal == DEALT[name]


@pytest.mark.parametrize("name", SEATS)
def test_limits_of_the_main_wager(name: str) -> None:
    sheet = load(name)
    rule, round = sheet.main_wager, new_round(compile_game(sheet))
    for amount, code in (
        (rule.min - 1, Code.BELOW_MINIMUM),
        (rule.min + 1, Code.NOT_A_STEP),
        (rule.max + rule.step, Code.ABOVE_MAXIMUM),
    ):
        assert expect_refusal(round, Wager(1, "ann", sheet.main_id, Cents(amount))).code is code
    for amount in (rule.min, rule.max):
        after = step(round, Wager(1, "ann", sheet.main_id, Cents(amount)))
        assert isinstance(after, Round)


@pytest.mark.parametrize(
    ("name", "wager"), [(name, side) for name in SEATS for side in load(name).side]
)
def test_limits_of_side_wagers(name: str, wager: str) -> None:
    sheet = load(name)
    rule, seated = (
        sheet.side[wager].stake,
        step(new_round(compile_game(sheet)), minimum_wager(sheet, 1)),
    )
    assert isinstance(seated, Round)
    for amount, code in (
        (rule.min - 1, Code.BELOW_MINIMUM),
        (rule.min + 1, Code.NOT_A_STEP),
        (rule.max + rule.step, Code.ABOVE_MAXIMUM),
    ):
        assert expect_refusal(seated, Wager(1, "p1", wager, Cents(amount))).code is code
    for amount in (rule.min, rule.max):
        assert isinstance(step(seated, Wager(1, "p1", wager, Cents(amount))), Round)


HANDS = {  # Cards to the first decision, and a play that stays in.
    "pennsylvania/let-it-ride": ("As Ks Qs", "", "", "ride"),
    "pennsylvania/mississippi-stud": ("As Ks", "", "", "1x"),
    "pennsylvania/three-card-poker": ("As Ks Qs", "", "", "1x"),
    "pennsylvania/ultimate-texas-holdem": ("As Ks", "", "", "4x"),
    "pennsylvania/crazy-4-poker": ("As Ks Qs Js Ts", "", "", "1x"),
    "pennsylvania/four-card-poker": ("As Ks Qs Js Ts", "2d", "", "1x"),
    "classic/caribbean-stud": ("As Ks Qs Js Ts", "2d", "", "2x"),
    "classic/casino-holdem": ("As Ks", "", "2d 3d 4d", "2x"),
    "classic/ultimate-three-card-poker": ("As Ks Qs", "2d", "", "1x"),
    "classic/casino-war": ("As", "Ad", "", "war"),
}


@pytest.mark.parametrize("name", HANDS)
def test_a_wrong_number_of_cards_voids_the_round(name: str) -> None:
    hand, dealer, board, play = HANDS[name]
    table = start_table(name, hand, dealer, board, **{load(name).main_id: 100})
    over = table.apply(Decide(1, play), Misdeal("a card too many", card_count=True)).round
    assert set(nets(over).values()) == {"0.00"}


@pytest.mark.parametrize("name", HANDS)
def test_a_card_that_the_deck_cannot_hold_voids_the_round(name: str) -> None:
    hand, dealer, board, _ = HANDS[name]
    over = start_table(name, hand, dealer, board, ante=100).apply(Fouled(cards("As")[0])).round
    assert set(nets(over).values()) == {"0.00"}
