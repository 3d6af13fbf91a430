"""Seating by the sheet's rules."""

from __future__ import annotations

import pytest
from tests.clauses.one_line_rounds import CMS, MHL, with_field
from tests.house.table.kit import DEALER, SUPERVISOR, Live, top

from pitbook.house.ledger.accounts import Account
from pitbook.house.table.commands import (
    By,
    CloseBetting,
    Decide,
    Leave,
    Misdeal,
    PutWager,
    Rebet,
    Sit,
    Undo,
)
from pitbook.money import Cents
from pitbook.rules.refusals import Code


def test_seat_belongs_to_one_player() -> None:
    live = Live(CMS).do("ann", Sit(1))
    assert live.state.seats == {1: "ann"}
    for name in ("bob", "ann"):
        refusal = live.no(name, Sit(1))
        assert (refusal.code, refusal.clause) == (Code.SEAT_TAKEN, "CMS-14")
        assert refusal.message == "Seat 1 is ann's. Choose an open seat."


def test_cms_14_one_position_a_player_at_the_table() -> None:
    refusal = Live(CMS).do("ann", Sit(1)).no("ann", Sit(2))
    assert (refusal.code, refusal.clause) == (Code.TOO_MANY_SPOTS, "CMS-14")


@pytest.mark.parametrize(("second", "code"), [(4, None), (2, None), (5, Code.SPOTS_APART)])
def test_mhl_15_two_spots_next_to_each_other(second: int, code: Code | None) -> None:
    live = Live(MHL).do("ann", Sit(3))
    if code is None:
        assert live.do("ann", Sit(second)).state.seats == {3: "ann", second: "ann"}
    else:
        refusal = live.no("ann", Sit(second))
        assert (refusal.code, refusal.clause) == (code, "MHL-15")


def test_mhl_15_first_and_last_seats_are_adjacent_only_if_the_sheet_says_so() -> None:
    assert Live(MHL).do("ann", Sit(1)).no("ann", Sit(6)).code == Code.SPOTS_APART
    round_table = with_field(MHL, "seats.ends_meet", True)
    assert Live(round_table).do("ann", Sit(1), Sit(6)).state.seats == {1: "ann", 6: "ann"}


@pytest.mark.parametrize("seat", [0, 7, -1])
def test_unknown_seat_is_refused(seat: int) -> None:
    assert Live(CMS).no("ann", Sit(seat)).code == Code.UNKNOWN_SEAT


@pytest.mark.parametrize("name", ["", " ann", "a\nb", "x" * 61])
def test_player_names_are_plain_text(name: str) -> None:
    assert Live(CMS).no(name, Sit(1)).code == Code.FORBIDDEN


def test_seating_another_player_requires_a_live_dealer() -> None:
    assert Live(CMS).no("ann", Sit(1, "bob")).message == "ann cannot take a seat for bob."
    assert Live(CMS).no(DEALER, Sit(1, "bob")).code == Code.FORBIDDEN
    assert Live(CMS, "typed").do(DEALER, Sit(1, "bob")).state.seats == {1: "bob"}


def test_guest_without_chips_gets_some_once() -> None:
    live = Live(MHL, "practice").do("ann", Sit(1))
    assert live.wallet("ann") == 1000
    assert live.book[Account("play", "issued")] == 100_000
    assert live.facts_json[-1]["given"] == "1000.00"
    live.do("ann", Sit(2))
    assert live.wallet("ann") == 1000
    live.do("ann", PutWager(1, "bet", Cents(50_000)), PutWager(2, "bet", Cents(50_000)))
    live.do("ann", Leave(2))
    live.do("ann", PutWager(1, "matchem-bonus", Cents(10_000)))
    live.do("ann", PutWager(1, "poker-bonus", Cents(10_000)))
    live.sound()


@pytest.mark.parametrize(("has", "given"), [(500, "0.00"), (499, "1000.00"), (0, "1000.00")])
def test_a_guest_needs_chips_for_the_smallest_wager(has: int, given: str) -> None:
    live = Live(CMS, "practice").do("ann", Sit(1), Leave(1))
    live.book[live.till.wallet("ann")] = has
    live.do("ann", Sit(1))
    assert live.facts_json[-1]["given"] == given


def test_chips_on_the_layout_count() -> None:
    sheet = with_field(CMS, "seats.per_player", 2)
    live = Live(sheet, "practice").do("ann", Sit(1))
    live.book[live.till.wallet("ann")] = 500
    live.do("ann", PutWager(1, "ante", Cents(500)))
    assert live.wallet("ann") == 0
    live.do("ann", Sit(2))
    assert live.wallet("ann") == 0
    assert live.facts_json[-1]["given"] == "0.00"


def test_house_tables_give_no_free_chips() -> None:
    live = Live(CMS).do("ann", Sit(1))
    assert live.wallet("ann") == 0
    assert live.facts_json[-1]["given"] == "0.00"


def test_leaving_before_the_deal_returns_wagers() -> None:
    live = Live(CMS).seat(1, "ann", ante=10, three_card_bonus=5)
    assert (live.wallet("ann"), live.held) == (985, 1500)
    live.do("ann", Leave(1))
    assert (live.wallet("ann"), live.held, live.state.seats) == (1000, 0, {})
    live.sound()


def test_next_player_cannot_undo_or_rebet_anothers_wagers() -> None:
    live = Live(CMS).seat(1, "ann", ante=10)
    live.do("ann", CloseBetting(), Decide(1, "fold"))
    live.seat(1, "ann", ante=20).do("ann", Leave(1)).seat(1, "bob")
    assert live.no("bob", Undo(1)).code == Code.NOT_NOW
    assert live.no("bob", Rebet(1)).message == "Seat 1 has no previous bet. Place a chip."


def test_leaving_with_a_wager_in_play_is_refused() -> None:
    live = Live(CMS).seat(1, "ann", ante=10).seat(2, "bob", ante=10, three_card_bonus=1)
    live.do(DEALER, CloseBetting())
    assert live.no("ann", Leave(1)).message == "Seat 1 has bets in play. Finish the round first."
    live.do("bob", Decide(2, "fold"))
    assert live.no("bob", Leave(2)).code == Code.NOT_NOW  # The bonus is still in action.


def test_folded_player_may_leave_and_is_refunded_if_void() -> None:
    live = Live(CMS).seat(1, "ann", ante=10).seat(2, "bob", ante=10)
    live.do(DEALER, CloseBetting()).do("ann", Decide(1, "fold"), Leave(1))
    refusal = live.no("cyd", Sit(1))
    assert refusal.message == "Seat 1 still has a hand in the round. Wait until it is over."
    live.sound()
    live.do(DEALER, Misdeal("boxed card"))
    assert (live.wallet("ann"), live.wallet("bob"), live.held) == (1000, 1000, 0)
    live.do("cyd", Sit(1)).sound()


def test_floor_may_remove_a_player() -> None:
    live = Live(CMS).seat(1, "ann", ante=10).do(SUPERVISOR, Leave(1))
    assert (live.wallet("ann"), live.state.seats) == (1000, {})
    assert live.no(SUPERVISOR, Leave(1)).message == "Seat 1 is empty."
    assert live.no(By("ann", "player"), Leave(1)).code == Code.FORBIDDEN


def test_finished_hand_stays_visible_after_its_player_left() -> None:
    live = Live(CMS)
    live.env.top = top("2c 2d 2h As Kd")
    live.seat(1, "ann", ante=10).do("ann", CloseBetting(), Decide(1, "fold"), Leave(1))
    assert live.round.seat(1) is not None
    assert live.state.seats == {}
