"""Misdeals, void hands and exposed cards at a live table, with the money."""

from __future__ import annotations

import pytest
from tests.clauses.one_line_rounds import CMS, MHL, with_field
from tests.house.table.kit import DEALER, SUPERVISOR, Live, top

from pitbook.house.table.commands import (
    CloseBetting,
    Decide,
    ExposeCard,
    Misdeal,
    PutWager,
    VoidHand,
    Warn,
)
from pitbook.money import Cents
from pitbook.rules.actions import BOARD
from pitbook.rules.refusals import Code


def two() -> Live:
    live = Live(CMS).seat(1, "ann", ante=10, three_card_bonus=5).seat(2, "bob", ante=20)
    return live.do(DEALER, CloseBetting())


def test_a_misdeal_gives_every_wager_back() -> None:
    live = two().do("ann", Decide(1, "3x")).do("bob", Decide(2, "fold"))
    live.do(DEALER, Misdeal("boxed card"))
    assert (live.round.ending, live.held) == ("misdeal", 0)
    assert (live.wallet("ann"), live.wallet("bob"), live.state.rack) == (1000, 1000, 0)
    live.sound()


def test_cms_13_a_wrong_number_of_cards_is_a_misdeal_by_its_clause() -> None:
    live = two().do(DEALER, Misdeal("three cards at seat 2", card_count=True))
    assert live.round.notes[0].clause == "CMS-13"
    assert live.held == 0


def test_misdeal_before_the_deal_or_after_settlement() -> None:
    live = Live(CMS)
    assert live.no(DEALER, Misdeal("x")).code == Code.NOT_NOW
    live.seat(1, "ann", ante=10)
    assert live.no(DEALER, Misdeal("x")).code == Code.NOT_NOW
    live.do("ann", CloseBetting(), Decide(1, "fold"))
    before = dict(live.book)
    live.do(DEALER, Misdeal("boxed card"))
    assert live.book == before
    assert live.round.notes[-1].what == "found too late: results stand"
    live.sound()
    live.do("ann", PutWager(1, "ante", Cents(1000)))


def test_cms_16_information_forfeits_the_hand() -> None:
    live = two().do(SUPERVISOR, VoidHand(1, "information", part="gave"))
    live.do("bob", Decide(2, "fold"))
    assert (live.round.phase, live.wallet("ann"), live.state.rack) == ("over", 985, 3500)
    live.sound()


def test_cms_16_void_for_information_requires_a_role() -> None:
    refusal = two().no(SUPERVISOR, VoidHand(1, "information"))
    assert (refusal.code, refusal.clause) == (Code.UNKNOWN_REASON, "CMS-16")
    assert refusal.message.startswith(
        "Say whether seat 1 gave the information or received it. Set part"
    )
    refusal = two().no(SUPERVISOR, VoidHand(1, "supervisor", part="gave"))
    assert refusal.message.startswith('Only "information" has a part')
    assert two().no(SUPERVISOR, VoidHand(5, "information")).code is Code.UNKNOWN_SEAT
    hi_lo = Live(MHL).seat(1, "ann", bet=10).do("ann", CloseBetting())
    assert hi_lo.no(SUPERVISOR, VoidHand(1, "information")).code is Code.NO_RULE


@pytest.mark.parametrize(
    ("whose", "void"),
    [("giver-and-taker", (True, True)), ("giver", (True, False)), ("taker", (False, True))],
)
def test_cms_16_sheet_decides_which_hand_is_void(whose: str, void: tuple[bool, bool]) -> None:
    live = Live(with_field(CMS, "irregularities.information.whose", whose))
    live.seat(1, "ann", ante=10).seat(2, "bob", ante=20).do(DEALER, CloseBetting())
    live.do(SUPERVISOR, VoidHand(1, "information", part="gave"))
    live.do(SUPERVISOR, VoidHand(2, "information", part="took"))
    assert tuple(seat.void == "information" for seat in live.round.seats) == void
    notes = [note.what for note in live.round.notes]
    for number, did, is_void in ((1, "gave", void[0]), (2, "took", void[1])):
        what = f"the hand of seat {number} is void" if is_void else f"seat {number} warned"
        assert f"{what}: {did} information" in notes
    live.sound()


def test_a_hand_voided_by_the_floor_gets_its_wagers_back() -> None:
    live = two().do("bob", Decide(2, "1x")).do(SUPERVISOR, VoidHand(1, "supervisor"))
    assert len(live.round.board) == 1  # Nobody else was waited for.
    live.do("bob", Decide(2, "fold"))
    assert (live.round.phase, live.wallet("ann"), live.wallet("bob")) == ("over", 1000, 960)
    live.sound()


def test_the_dealer_does_not_void_hands() -> None:
    refusal = two().no(DEALER, VoidHand(1, "supervisor"))
    assert refusal.message == 'Only the supervisor can do this ("void-hand").'


def test_gen_8_an_early_card_of_the_board_voids_the_round_and_is_the_next_one() -> None:
    live = Live(CMS)
    live.env.top = top("Qs Js Ts 2c 2d")
    live.seat(1, "ann", ante=10).do("ann", CloseBetting()).do(DEALER, ExposeCard(BOARD))
    assert (live.round.ending, live.wallet("ann")) == ("misdeal", 1000)
    assert "Qs shown too early" in live.round.notes[0].what
    live.sound()


def test_gen_8_board_continues_after_an_early_card_that_plays() -> None:
    live = Live(with_field(CMS, "irregularities.early_card", "plays"))
    live.env.top = top("Qs Js Ts 2c 2d")
    live.seat(1, "ann", ante=10).do("ann", CloseBetting()).do(DEALER, ExposeCard(BOARD))
    live.do("ann", *(Decide(1, "1x") for _ in range(3)))
    assert live.round.board == top("Qs Js Ts")
    live.sound()


def test_shoe_tables_refuse_typed_cards() -> None:
    refusal = two().no(DEALER, ExposeCard(BOARD, top("As")[0]))
    assert refusal.message == "Cards come from the shoe at this table. Enter the place only."


@pytest.mark.parametrize("place", [1, 5, 77])
def test_exposing_requires_a_closed_card(place: int) -> None:
    assert two().no(DEALER, ExposeCard(place)).code == Code.NO_CARD_THERE
    assert Live(CMS).no(DEALER, ExposeCard(place)).code == Code.NO_CARD_THERE


def test_cms_15_breach_is_recorded_without_a_penalty() -> None:
    live = two().do(DEALER, Warn(1, "cards below the table"))
    assert live.round.notes[-1] == ("seat 1 warned: cards below the table", "CMS-15")
    assert live.no(DEALER, Warn(5, "x")).code == Code.UNKNOWN_SEAT


def test_round_ends_when_every_hand_is_void() -> None:
    live = Live(MHL).seat(1, "ann", bet=10).do("ann", CloseBetting())
    live.do(SUPERVISOR, VoidHand(1, "supervisor"))
    assert (live.round.phase, live.wallet("ann"), live.held) == ("over", 1000, 0)
    live.sound()
