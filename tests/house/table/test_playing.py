"""Play between deal and payment: automatic dealing, decisions and the clock."""

from __future__ import annotations

import pytest
from tests.clauses.one_line_rounds import CMS, LAS, MHL, OMS, with_field
from tests.house.table.kit import DEALER, SUPERVISOR, Live, top

from pitbook.cards import names
from pitbook.house.table.commands import (
    CLOCK,
    AdviceShown,
    CloseBetting,
    Coach,
    Decide,
    Rebet,
    Tick,
    TypeCard,
)
from pitbook.house.table.decide import Decision
from pitbook.money import Cents
from pitbook.rules.refusals import Code
from pitbook.sheets.model import Sheet


def three(sheet: Sheet = CMS, **clocks: int | None) -> Live:
    """Three seats with an ante, betting closed."""
    live = Live(sheet, clocks=clocks or {"betting": None, "decision": None})
    for seat, name in ((1, "ann"), (2, "bob"), (4, "cyd")):
        live.seat(seat, name, ante=10)
    return live.do(DEALER, CloseBetting())


def cards(live: Live, number: int) -> str:
    seat = live.round.seat(number)
    assert seat is not None
    return names(seat.cards)


def test_cms_4_board_is_dealt_first() -> None:
    live = Live(CMS)
    live.env.top = top("2c 3c 4c 5c 6c 7c 8c")
    live.seat(1, "ann", ante=10).seat(5, "bob", ante=10).do(DEALER, CloseBetting())
    assert (cards(live, 1), cards(live, 5), live.round.board) == ("5c 6c", "7c 8c", ())
    for play in ("1x", "1x", "1x"):
        live.do("ann", Decide(1, play)).do("bob", Decide(5, play))
    assert names(live.round.board) == "2c 3c 4c"


def test_oms_3_players_are_dealt_first() -> None:
    live = Live(OMS)
    live.env.top = top("2c 3c 4c 5c 6c 7c 8c")
    live.seat(1, "ann", ante=2).seat(5, "bob", ante=2).do(DEALER, CloseBetting())
    assert (cards(live, 1), cards(live, 5)) == ("2c 3c", "4c 5c")
    live.do("ann", Decide(1, "1x")).do("bob", Decide(5, "1x"))
    assert names(live.round.board) == "6c"


def test_the_board_waits_for_the_last_decision() -> None:
    live = three().do("ann", Decide(1, "1x")).do("cyd", Decide(4, "2x"))
    assert (live.round.waiting, live.round.board) == ((2,), ())
    live.do("bob", Decide(2, "fold"))
    assert (live.round.waiting, len(live.round.board)) == ((1, 4), 1)


def test_a_round_is_paid_to_the_cent() -> None:
    live = Live(CMS)
    live.env.top = top("Qs Js Ts As Ks 2c 7d")
    live.seat(1, "ann", "10000", ante=10, three_card_bonus=5).seat(2, "bob", ante=5)
    live.do(DEALER, CloseBetting()).do("bob", Decide(2, "fold"))
    live.do("ann", Decide(1, "3x"), Decide(1, "3x"), Decide(1, "3x"))
    assert live.state.result is not None
    assert live.state.result["house_net"] == "-25195.00"  # As the round file of the same cards.
    assert live.wallet("ann") == 10_000 + 25_000 + 200
    assert live.wallet("bob") == 995
    live.sound()


def test_uncovered_play_is_refused_and_a_smaller_one_accepted() -> None:
    live = Live(CMS).seat(1, "ann", "35", ante=10).do("ann", CloseBetting())
    refusal = live.no("ann", Decide(1, "3x"))
    assert refusal.code == Code.NOT_COVERED
    assert refusal.message == "ann has $25 left and needs $30."
    live.do("ann", Decide(1, "2x"))
    live.sound()


def test_gen_10_short_player_folds_at_once() -> None:
    live = Live(CMS).seat(1, "ann", "25", ante=10).seat(2, "bob", ante=10)
    live.do(DEALER, CloseBetting()).do("ann", Decide(1, "1x"))
    seat = live.round.seat(1)
    assert seat is not None
    assert not seat.folded
    live.do("bob", Decide(2, "1x"))
    seat = live.round.seat(1)
    assert seat is not None
    assert (seat.folded, live.round.waiting, live.wallet("ann")) == (True, (2,), 5)
    assert live.round.notes[-1].clause == "GEN-10"


def test_gen_10_one_purse_for_two_spots() -> None:
    sheet = with_field(CMS, "seats.per_player", 2)
    live = Live(sheet).seat(1, "ann", "35", ante=10).seat(2, "ann", ante=10)
    live.do("ann", CloseBetting(), Decide(1, "1x"))
    assert [seat.plays for seat in live.round.seats] == [("1x", "fold"), ("fold",)]
    live.sound()


def test_gen_10_forced_bets_never_exceed_the_balance() -> None:
    stays = with_field(CMS, "absent", "smallest-bet")
    live = Live(stays).seat(1, "ann", "15", ante=10).seat(2, "bob", ante=10)
    live.do(DEALER, CloseBetting())
    seat = live.round.seat(1)
    assert seat is not None
    assert seat.plays == ("fold",)
    live.sound()


def test_gen_10_hi_lo_decisions_cost_nothing() -> None:
    live = Live(MHL).seat(1, "ann", "10", bet=10).do("ann", CloseBetting())
    assert live.round.waiting == (1,)
    assert live.no("ann", Decide(1, "high+double")).code == Code.NOT_COVERED
    live.do("ann", Decide(1, "high")).sound()


@pytest.mark.parametrize(
    ("play", "code"),
    [("4x", Code.ABOVE_MAXIMUM), ("high", Code.UNKNOWN_PLAY), ("", Code.UNKNOWN_PLAY)],
)
def test_unknown_plays_are_refused(play: str, code: Code) -> None:
    assert three().no("ann", Decide(1, play)).code == code


def test_second_or_late_decision_is_refused() -> None:
    live = three().do("ann", Decide(1, "1x"))
    assert live.no("ann", Decide(1, "2x")).code == Code.ALREADY_DECIDED
    before = Live(CMS).seat(1, "ann", ante=10)
    assert before.no("ann", Decide(1, "1x")).code == Code.NOT_NOW
    assert Live(CMS).seat(1, "ann").no("ann", Decide(1, "1x")).code == Code.NOT_NOW


def test_decision_clock_plays_absent_seats_and_restarts_each_street() -> None:
    live = three(decision=20)
    first = "2026-01-02T20:00:20+00:00"
    assert live.state.deadlines == {"decision": first}
    live.later(10).do("ann", Decide(1, "1x")).do("bob", Decide(2, "1x"))
    assert live.state.deadlines == {"decision": first}
    live.do(CLOCK, Tick())
    assert live.round.waiting == (4,)
    live.later(10).do(CLOCK, Tick())
    assert [seat.folded for seat in live.round.seats] == [False, False, True]
    assert len(live.round.board) == 1
    assert live.state.deadlines == {"decision": "2026-01-02T20:00:40+00:00"}
    live.later(20).do(CLOCK, Tick())
    assert (live.round.phase, live.state.deadlines) == ("over", {})
    live.sound()


def test_slow_seat_delays_play_only_until_its_clock() -> None:
    live = three(LAS, decision=20)
    for _ in range(3):
        live.do("ann", Decide(1, "1x")).do("bob", Decide(2, "1x"))
        if 4 in live.round.waiting:
            live.later(20).do(CLOCK, Tick())
    assert (live.round.phase, live.held) == ("over", 0)


def test_gen_10_an_absent_hi_lo_hand_is_declared_by_its_points() -> None:
    live = Live(MHL, clocks={"decision": 20})
    live.env.top = top("4c 5c 5d 4c 5c 4d")
    live.seat(1, "ann", bet=10).seat(2, "bob", bet=10).do(DEALER, CloseBetting())
    live.later(20).do(CLOCK, Tick())
    assert [seat.plays for seat in live.round.seats] == [("high",), ("low",)]


def test_tick_with_nothing_due_changes_nothing() -> None:
    live = three(decision=20)
    decided = live.ask(CLOCK, Tick())
    assert isinstance(decided, Decision)
    assert (decided.facts, decided.transfers) == ((), ())


def test_advice_is_recorded_while_the_coach_is_on() -> None:
    live = Live(CMS, "practice", owner="ann").seat(1, "ann", ante=10)
    live.do("ann", AdviceShown(1, "bet 1x"))
    assert live.facts_json[-1] == {"fact": "advice", "seat": 1, "text": "bet 1x"}
    live.do("ann", Coach(on=False))
    refusal = live.no("ann", AdviceShown(1, "bet 1x"))
    assert (refusal.code, refusal.message) == (
        Code.FORBIDDEN,
        "The coach is off at this table. Turn it on under Coach.",
    )
    assert live.no("ann", Coach(on=False)).code == Code.NOT_NOW


def test_coach_is_off_until_the_floor_enables_it() -> None:
    live = Live(CMS).seat(1, "ann")
    assert live.no("ann", AdviceShown(1, "x")).code == Code.FORBIDDEN
    assert live.no("ann", Coach(on=True)).code == Code.FORBIDDEN
    live.do(SUPERVISOR, Coach(on=True)).do("ann", AdviceShown(1, "x"))


def test_typed_cards_are_refused_at_a_shoe_table() -> None:
    refusal = three().no(DEALER, TypeCard(0, top("As")[0]))
    assert refusal.message == '"type-card" is not available at a Pitbook-dealt table.'


def test_many_rounds_in_a_row() -> None:
    live = Live(LAS, seed=7)
    for seat, name in ((1, "ann"), (3, "bob")):
        live.seat(seat, name, "9000", ante=10, three_up=5, stax=5)
    for number in range(1, 13):
        live.do(DEALER, CloseBetting())
        while live.round.waiting:
            seat = live.round.waiting[0]
            play = "fold" if number % 3 == seat % 3 else "1x"
            live.do(live.state.seats[seat], Decide(seat, play))
        assert (live.round.phase, live.held) == ("over", 0)
        live.sound()
        live.do("ann", Rebet(1)).do("bob", Rebet(3))
    assert live.state.round_id == "t1-000013"
    assert Cents(live.held) == 4000
