"""Tables with a live dealer: typed cards and corrections."""

from __future__ import annotations

import pytest
from tests.clauses.one_line_rounds import CMS, MHL
from tests.house.table.kit import DEALER, SUPERVISOR, Live

from pitbook.cards import card, cards, names
from pitbook.errors import RoundError
from pitbook.house.table.commands import (
    CLOCK,
    AdviceShown,
    BuyIn,
    CloseBetting,
    Coach,
    CorrectCard,
    Decide,
    DeckFouled,
    ExposeCard,
    PutWager,
    SeatSeed,
    Settle,
    Sit,
    Tick,
    TypeCard,
)
from pitbook.house.table.decide import opening_facts
from pitbook.house.table.view_types import DealerView
from pitbook.house.table.views import table_view
from pitbook.house.table.visibility import Viewer
from pitbook.money import Cents
from pitbook.rules.actions import BOARD
from pitbook.rules.refusals import Code


def deal_round() -> Live:
    """Two players with closed cards."""
    live = Live(CMS, "typed").buy_in("ann", "1000").buy_in("bob", "1000")
    live.do(DEALER, Sit(1, "ann"), Sit(2, "bob"))
    live.do(DEALER, PutWager(1, "ante", Cents(1000)))
    live.do("bob", PutWager(2, "ante", Cents(1000)))
    return live.do(DEALER, CloseBetting())


def type_cards(live: Live, place: int, text: str) -> Live:
    return live.do(DEALER, *(TypeCard(place, typed_card) for typed_card in cards(text)))


def to_the_end(live: Live, board: str = "Qs Js Ts") -> Live:
    for card_text in board.split():
        live.do("ann", Decide(1, "1x")).do(DEALER, Decide(2, "1x"))
        type_cards(live, BOARD, card_text)
    return live


def test_dealer_types_and_settles_a_whole_round() -> None:
    live = to_the_end(deal_round())
    assert live.round.phase == "settle"
    refusal = live.no(DEALER, Settle())
    assert (refusal.code, refusal.clause) == (Code.CARDS_UNKNOWN, "CMS-8")
    type_cards(live, 1, "9s 8s")
    type_cards(live, 2, "2c 2d")
    assert live.round.phase == "settle"  # A typing error can still be put right.
    live.do(DEALER, Settle())
    assert (live.round.phase, live.held) == ("over", 0)
    assert (live.wallet("ann"), live.wallet("bob")) == (1000 + 40 * 100, 960)
    live.sound()


def test_bet_at_an_empty_seat_is_refused() -> None:
    refusal = deal_round().no(DEALER, PutWager(5, "ante", Cents(1000)))
    assert refusal.message == "Seat 5 is empty."


def test_known_hands_are_settled() -> None:
    live = Live(CMS, "typed")
    assert live.seat(1, "ann", ante=10).no("ann", CloseBetting()).code == Code.FORBIDDEN
    assert live.no(DEALER, Settle()).code == Code.NOT_NOW


def test_impossible_card_is_refused_with_the_remedy() -> None:
    live = to_the_end(deal_round())
    type_cards(live, 1, "9s")
    refusal = live.no(DEALER, TypeCard(2, card("9s")))
    assert (refusal.code, refusal.clause) == (Code.NO_SUCH_CARD, "GEN-9")
    assert refusal.message.endswith("Correct the mistyped card, or declare a fouled deck.")


def test_gen_9_a_fouled_deck_voids_the_round() -> None:
    live = type_cards(to_the_end(deal_round()), 1, "9s").do(DEALER, DeckFouled(card("9s")))
    assert (live.round.ending, live.held, live.wallet("ann")) == ("misdeal", 0, 1000)
    live.sound()


def test_mistyped_card_is_corrected_and_the_round_replayed() -> None:
    live = type_cards(to_the_end(deal_round()), 1, "9s 8s")
    live.do(DEALER, CorrectCard(1, 2, card("8d"), "misread"))
    assert live.facts_json[-1] == {
        "fact": "corrected",
        "place": 1,
        "number": 2,
        "was": "8s",
        "card": "8d",
        "why": "misread",
    }
    live.do(SUPERVISOR, CorrectCard(BOARD, 3, card("2h"), "misread"))
    assert names(live.round.board) == "Qs Js 2h"
    type_cards(live, 2, "2c 2d").do(DEALER, Settle())
    assert (live.wallet("ann"), live.wallet("bob")) == (960, 1000 + 3 * 40)
    live.sound()


@pytest.mark.parametrize(
    ("correction", "code"),
    [
        (CorrectCard(1, 0, card("8d"), "x"), Code.NO_CARD_THERE),
        (CorrectCard(1, 3, card("8d"), "x"), Code.NO_CARD_THERE),
        (CorrectCard(2, 1, card("8d"), "x"), Code.NO_CARD_THERE),
        (CorrectCard(1, 2, card("Qs"), "x"), Code.NO_SUCH_CARD),
    ],
)
def test_impossible_correction_is_refused(correction: CorrectCard, code: Code) -> None:
    live = type_cards(to_the_end(deal_round()), 1, "9s 8s")
    assert live.no(SUPERVISOR, correction).code == code


def test_cards_of_a_finished_round_cannot_be_corrected() -> None:
    live = type_cards(to_the_end(deal_round()), 1, "9s 8s")
    type_cards(live, 2, "2c 2d").do(DEALER, Settle())
    refusal = live.no(SUPERVISOR, CorrectCard(1, 1, card("8d"), "x"))
    assert refusal.message == "The round is over. Its cards can no longer be corrected."


def test_the_dealer_names_an_exposed_card() -> None:
    live = deal_round()
    assert live.no(DEALER, ExposeCard(1)).message == "Enter the card that was exposed."
    live.do(DEALER, ExposeCard(1, card("9s")))
    assert live.round.notes[-1] == ("9s shown at seat 1", "GEN-8")
    live.do(DEALER, ExposeCard(BOARD, card("2s")))
    assert live.round.ending == "misdeal"


def test_no_coach_and_no_seat_seed_at_a_dealt_table() -> None:
    live = Live(CMS, "typed").seat(1, "ann")
    for command in (AdviceShown(1, "x"), SeatSeed(1, "x")):
        assert "is not available at a dealer-run table" in live.no("ann", command).message
    assert live.no(SUPERVISOR, Coach(on=True)).code == Code.FORBIDDEN
    with pytest.raises(RoundError, match="the coach is not available where a person deals"):
        opening_facts(table="t", kind="typed", unit="usd", sheet=CMS, env=live.env, coach=True)


def test_an_absent_hi_lo_player_waits_for_typed_cards_and_the_clock_goes_on() -> None:
    live = Live(MHL, "typed", clocks={"decision": 20}).seat(1, "ann", bet=10)
    live.do(DEALER, CloseBetting()).later(20).do(CLOCK, Tick())
    assert live.round.waiting
    assert live.state.deadlines == {"decision": "2026-01-02T20:00:40+00:00"}
    type_cards(live, 1, "9s 9s 9s").later(20).do(CLOCK, Tick())
    assert not live.round.waiting
    type_cards(live, BOARD, "2c 2d 3h Jc Kd").do(DEALER, Settle())
    assert live.round.phase == "over"
    live.sound()


def test_typed_table_has_a_shoe_without_secrets() -> None:
    live = deal_round()
    assert live.state.shoe is not None
    assert (live.state.shoe["kind"], live.state.shoe["sealed"]) == ("typed", None)


def test_dealer_corrects_before_payment_and_supervisor_after() -> None:
    live = type_cards(to_the_end(deal_round()), 2, "2c 2d").do(DEALER, Settle())
    assert live.round.paid
    correction = CorrectCard(BOARD, 1, card("Qd"), "misread")
    refusal = live.no(DEALER, correction)
    assert refusal.message == "Hands have been paid. Only a supervisor can correct a card now."
    live.do(SUPERVISOR, correction)
    live.sound()


def test_guest_buys_chips_with_cash_at_the_table() -> None:
    live = Live(CMS, "typed").do(DEALER, Sit(3, "Ticket 17"))
    assert live.no(DEALER, PutWager(3, "ante", Cents(1000))).code == Code.NOT_COVERED
    live.do(DEALER, BuyIn(3, Cents(10_000)))
    assert live.book[live.till.box] == live.book[live.till.wallet("Ticket 17")] == 10_000
    live.do(DEALER, PutWager(3, "ante", Cents(1000)))
    assert live.no(DEALER, BuyIn(4, Cents(100))).message == "Seat 4 is empty."
    assert live.no(DEALER, BuyIn(3, Cents(0))).code == Code.BELOW_MINIMUM
    assert live.no("Ticket 17", BuyIn(3, Cents(100))).code == Code.FORBIDDEN
    live.sound()


def dealer_panel(live: Live) -> DealerView:
    """The dealer's panel."""
    return table_view(live.state, Viewer("dee", "dealer"), live.env.wallet)["dealing"]


def test_dealer_view_lists_acts_in_order_and_chips() -> None:
    live = Live(CMS, "typed").buy_in("ann", "1000").do(DEALER, Sit(1, "ann"))
    titles = {"board": "The community cards"}
    view = dealer_panel(live)
    assert (view["next"], view["places"], view["payouts"]) == (None, [], [])
    assert (view["titles"], view["purses"]) == (titles, {"1": "1000.00"})
    live.do(DEALER, PutWager(1, "ante", Cents(1000)))
    assert dealer_panel(live)["next"] == {"do": "close-betting"}
    live.do(DEALER, CloseBetting())
    for text in ("Qs", "Js", "Ts"):
        assert dealer_panel(live)["next"] == {"do": "decide", "seat": 1}
        live.do(DEALER, Decide(1, "1x"))
        assert dealer_panel(live)["next"] == {"do": "type-card", "place": "board"}
        type_cards(live, BOARD, text)
    assert (dealer_panel(live)["next"], dealer_panel(live)["payouts"]) == (
        {"do": "type-card", "place": 1},
        [],
    )
    type_cards(live, 1, "9s 8s")
    due = dealer_panel(live)
    assert due["next"] == {"do": "settle"}
    (payout,) = due["payouts"]
    live.do(DEALER, Settle())
    assert live.state.result is not None
    (paid,) = live.state.result["seats"]
    for due_line, line in zip(payout["lines"], paid["lines"], strict=True):
        assert line.items() <= due_line.items()
    assert payout["lines"][0]["chips"] == [["1000.00", 1]]
    assert dealer_panel(live)["next"] is None


def test_only_dealers_of_typed_tables_have_the_dealer_screen() -> None:
    live = deal_round()
    assert "dealing" not in table_view(live.state, Viewer("ann", "player"), live.env.wallet)
    other = Live(CMS, "house")
    assert "dealing" not in table_view(other.state, Viewer("dee", "dealer"), other.env.wallet)
