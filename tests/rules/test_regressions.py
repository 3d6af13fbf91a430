"""Regressions found by random play."""

from __future__ import annotations

from typing import Any

import pytest

import pitbook
from pitbook.cards import DECK, card
from pitbook.money import Cents
from pitbook.rules.actions import (
    BOARD,
    Action,
    Close,
    Deal,
    Decide,
    Expose,
    Fouled,
    Misdeal,
    Settle,
    Turn,
    VoidHand,
    Wager,
    Warn,
    Withdraw,
)
from pitbook.rules.families.hi_lo.sheet import HiLo
from pitbook.rules.legal_actions import legal
from pitbook.rules.refusals import Code, Refusal
from pitbook.rules.round import Round, open_round
from pitbook.rules.step import step
from pitbook.sheets.field_types import choice
from pitbook.sheets.model import Sheet

CMS = pitbook.load("catfish-bend/mississippi-stud")
LAS = pitbook.load("louisiana-stud/standard")
MHL = pitbook.load("catfish-bend/matchem-hi-lo")


def do(round: Round, *actions: Action) -> Round:
    for action in actions:
        after = step(round, action)
        assert isinstance(after, Round), f"{action} is refused: {after}"
        round = after
    return round


def with_rules(sheet: Sheet, **rules: Any) -> Sheet:
    """The sheet with other rules for irregularities."""
    changed = sheet.irregularities.model_copy(update=rules)
    return sheet.model_copy(update={"irregularities": changed})


def deal_round(sheet: Sheet, *seats: int) -> Round:
    round = open_round(sheet)
    main, rule = round.game.main
    round = do(round, *(Wager(seat, f"p{seat}", main, rule.min) for seat in seats), Close())
    while round.to_deal:
        round = do(round, Deal(round.to_deal[0]))
    return round


def test_no_card_is_dealt_after_a_misdeal() -> None:
    round = do(open_round(CMS), Wager(1, "ann", "ante", Cents(500)), Close(), Deal(BOARD))
    over = do(round, Misdeal("boxed card"))
    assert (over.phase, over.ending) == ("over", "misdeal")
    assert Deal not in [offer.action for offer in legal(over)]


def test_when_every_hand_is_void_before_the_last_card_no_board_is_turned() -> None:
    round = do(open_round(CMS), Wager(1, "ann", "ante", Cents(500)), Close())
    round = do(round, VoidHand(1, "supervisor"))
    while round.to_deal:
        round = do(round, Deal(round.to_deal[0]))
    assert round.phase == "settle"
    assert BOARD not in [offer.place for offer in legal(round) if offer.action is Turn]
    assert do(round, Settle()).settlements[0].net == 0


def test_offers_work_when_every_card_of_the_shoe_is_known() -> None:
    assert isinstance(MHL, HiLo)
    fields = {
        "deck": MHL.deck.model_copy(update={"decks": 1}),
        "seats": MHL.seats.model_copy(update={"count": 11}),
        "deal": MHL.deal.model_copy(update={"player": 4, "dealer": 8}),
        "side": {},
        "limits": (),
    }
    seats = range(1, 12)
    round = deal_round(MHL.model_copy(update=fields), *seats)
    shoe = list(DECK)
    for seat in seats:
        round = do(round, *(Turn(seat, shoe.pop()) for _ in range(4)), Decide(seat, "low"))
    round = do(round, *(Turn(BOARD, shoe.pop()) for _ in range(8)))
    assert not shoe
    assert Settle in [offer.action for offer in legal(round)]


def test_an_exposed_card_does_not_turn_a_forfeit_into_a_returned_wager() -> None:
    sheet = with_rules(CMS, exposed_card=choice("void-hand", "HOUSE"))
    round = do(deal_round(sheet, 1, 2), VoidHand(1, "information"), Expose(1, card("As")))
    seat = round.seat(1)
    assert seat is not None
    assert seat.void == "information"
    assert len(seat.cards) == 1


@pytest.mark.parametrize(
    "mishap", [Expose(2, card("As")), Warn(2, "telephone"), VoidHand(2, "supervisor")]
)
def test_gen_6_a_settled_hand_is_not_voided_later(mishap: Action) -> None:
    rules = {"exposed_card": "void-hand", "cards_off_table": "void"}
    sheet = with_rules(LAS, **{name: choice(value, "HOUSE") for name, value in rules.items()})
    round = do(deal_round(sheet, 1, 2), Decide(1, "fold"), Decide(2, "fold"))
    round = do(round, Settle(), mishap)  # Right to left: seat 2 is settled.
    assert round.phase == "settle"
    over = do(round, Settle())
    assert [settlement.net for settlement in over.settlements] == [-500, -500]


@pytest.mark.parametrize("mishap", [Expose(1, card("As")), Fouled(card("As")), Misdeal("boxed")])
@pytest.mark.parametrize(
    ("until", "ending"), [("first-seat-settled", "settled"), ("last-seat-settled", "misdeal")]
)
def test_gen_6_deadline_for_voiding_the_round(mishap: Action, until: str, ending: str) -> None:
    misdeal = CMS.irregularities.misdeal.model_copy(update={"until": until})
    sheet = with_rules(CMS, misdeal=misdeal, exposed_card=choice("void-round", "HOUSE"))
    round = do(deal_round(sheet, 1, 2), Decide(1, "fold"), Decide(2, "fold"), Settle(), mishap)
    while round.phase != "over":
        round = do(round, Settle())
    assert round.ending == ending


def test_information_without_a_rule_is_refused_after_settlement_too() -> None:
    round = do(deal_round(MHL, 1), Turn(1, card("2c")), Turn(1, card("3c")), Turn(1, card("4c")))
    round = do(round, Decide(1, "low"))
    round = do(
        round, *(Turn(BOARD, card(card_text)) for card_text in ("Kc", "Kd", "Kh", "Ks", "Qs"))
    )
    for state in (round, do(round, Settle())):
        refusal = step(state, VoidHand(1, "information"))
        assert isinstance(refusal, Refusal)
        assert refusal.code is Code.NO_RULE


@pytest.mark.parametrize(
    ("ends_meet", "spots", "given_up", "apart"),
    [
        (False, (1, 2, 3), 2, "1 and 3"),
        (False, (1, 2, 3), 1, None),
        (False, (2, 3, 4, 5), 4, "3 and 5"),
        (True, (6, 1, 2), 1, "2 and 6"),
        (True, (5, 6, 1), 5, None),
        (True, (6, 1, 2), 2, None),
        (True, (5, 6, 1, 2, 3), 6, "3 and 5"),
        (True, (5, 6, 1, 2, 3), 2, "1 and 3"),
    ],
)
def test_mhl_15_a_spot_given_up_must_not_leave_the_others_apart(
    ends_meet: bool, spots: tuple[int, ...], given_up: int, apart: str | None
) -> None:
    choices = {"per_player": choice(6, "HOUSE"), "ends_meet": choice(ends_meet, "HOUSE")}
    sheet = MHL.model_copy(update={"seats": MHL.seats.model_copy(update=choices)})
    round = do(open_round(sheet), *(Wager(spot, "ann", "bet", Cents(500)) for spot in spots))
    assert isinstance(step(round, Close()), Round)
    closed = step(do(round, Withdraw(given_up, "bet")), Close())
    if apart is None:
        assert isinstance(closed, Round)
        return
    assert isinstance(closed, Refusal)
    message = f"ann's seats {apart} are not next to each other. Choose neighboring seats."
    assert (closed.code, closed.message, closed.clause) == (Code.SPOTS_APART, message, "MHL-15")
