"""Betting: place, change, undo and repeat wagers, and close betting."""

from __future__ import annotations

import pytest
from tests.clauses.one_line_rounds import CMS, LAS, LAS_STAX, MHL, with_field
from tests.house.table.kit import DEALER, SUPERVISOR, Live

from pitbook import changed
from pitbook.house.table.commands import (
    CLOCK,
    AnnounceSheet,
    ChangeSheet,
    CloseBetting,
    Decide,
    Fill,
    OpenRound,
    PutWager,
    Rebet,
    ShufflerFailed,
    Tick,
    Undo,
)
from pitbook.house.table.stored_sheets import dump_sheet
from pitbook.house.table.views import table_view
from pitbook.house.table.visibility import Viewer
from pitbook.money import Cents
from pitbook.rules.refusals import Code, Refusal


def wager(name: str, amount: int, seat: int = 1) -> PutWager:
    return PutWager(seat, name, Cents(amount * 100))


def stakes(live: Live, number: int = 1) -> dict[str, int]:
    seat = live.round.seat(number)
    return {name: amount // 100 for name, amount in seat.stakes} if seat else {}


def test_first_wager_opens_a_round_and_holds_the_money() -> None:
    live = Live(CMS).seat(1, "ann")
    assert live.state.round is None
    live.do("ann", wager("ante", 10))
    assert live.state.round_id == "t1-000001"
    assert (live.wallet("ann"), live.held, live.book[live.till.layout(1)]) == (990, 1000, 1000)
    live.do("ann", wager("ante", 25), wager("three-card-bonus", 5), wager("ante", 20))
    assert (stakes(live), live.wallet("ann")) == ({"ante": 20, "three-card-bonus": 5}, 975)
    live.sound()


def test_zero_amount_withdraws_a_wager() -> None:
    live = (
        Live(CMS)
        .seat(1, "ann", ante=10, three_card_bonus=5)
        .do("ann", wager("three-card-bonus", 0))
    )
    assert (stakes(live), live.wallet("ann")) == ({"ante": 10}, 990)
    assert live.no("ann", wager("three-card-bonus", 0)).code == Code.UNKNOWN_WAGER
    live.do("ann", wager("three-card-bonus", 5), wager("ante", 0))
    assert (stakes(live), live.wallet("ann")) == ({}, 1000)
    live.do("ann", Undo(1))
    assert (stakes(live), live.wallet("ann")) == ({"ante": 10, "three-card-bonus": 5}, 985)
    live.sound()


@pytest.mark.parametrize(
    ("put", "code", "clause"),
    [
        (wager("ante", 4), Code.BELOW_MINIMUM, "CMS-2"),
        (wager("ante", 501), Code.ABOVE_MAXIMUM, "CMS-2"),
        (PutWager(1, "ante", Cents(1050)), Code.NOT_A_STEP, "GEN-12"),
        (wager("three-card-bonus", 5), Code.NO_MAIN_WAGER, "GEN-12"),
        (wager("aunt", 5), Code.UNKNOWN_WAGER, None),
    ],
)
def test_wagers_respect_the_sheets_limits(put: PutWager, code: Code, clause: str | None) -> None:
    refusal = Live(CMS).seat(1, "ann").no("ann", put)
    assert (refusal.code, refusal.clause) == (code, clause)


def test_bet_above_the_balance_is_refused() -> None:
    live = Live(CMS).seat(1, "ann", "12")
    refusal = live.no("ann", wager("ante", 13))
    assert refusal.code == Code.NOT_COVERED
    assert refusal.message == "ann has $12 left and needs $13."
    live.do("ann", wager("ante", 12))
    assert live.no("ann", wager("three-card-bonus", 1)).message == "ann has $0 left and needs $1."
    live.do("ann", wager("ante", 11), wager("three-card-bonus", 1)).sound()


def test_undo_goes_back_one_change_at_a_time() -> None:
    live = Live(CMS).seat(1, "ann", ante=10, three_card_bonus=5)
    live.do("ann", wager("ante", 50), wager("three-card-bonus", 9))
    stakes_seen = []
    while not isinstance(live.ask("ann", Undo(1)), Refusal):
        live.do("ann", Undo(1))
        stakes_seen.append(stakes(live))
    assert stakes_seen == [
        {"ante": 50, "three-card-bonus": 5},
        {"ante": 10, "three-card-bonus": 5},
        {"ante": 10},
        {},
    ]
    assert live.no("ann", Undo(1)).message == "Seat 1 has no bet to undo."
    assert (live.wallet("ann"), live.held) == (1000, 0)
    live.sound()


def test_undone_wager_must_be_covered_and_restarts_the_clock() -> None:
    live = Live(CMS, clocks={"betting": 30}).seat(1, "ann", ante=10)
    live.do("ann", wager("ante", 0)).later(10)
    live.book[live.till.wallet("ann")] = 900  # Spent at another table.
    assert live.no("ann", Undo(1)).message == "ann has $9 left and needs $10."
    live.book[live.till.wallet("ann")] = 1000
    live.do("ann", Undo(1))
    assert live.state.deadlines == {"betting": "2026-01-02T20:00:40+00:00"}


def test_undo_leaves_other_seats_wagers() -> None:
    live = Live(CMS).seat(1, "ann", ante=10).seat(2, "bob", ante=20).do("ann", Undo(1))
    assert (stakes(live, 1), stakes(live, 2)) == ({}, {"ante": 20})


def test_undo_after_betting_closes_is_refused() -> None:
    live = Live(CMS)
    assert live.seat(1, "ann").no("ann", Undo(1)).code == Code.NOT_NOW
    live.seat(1, "ann", ante=10).do(DEALER, CloseBetting())
    assert (
        live.no("ann", Undo(1)).message
        == "Betting is closed and bets stay. Change them in the next round."
    )
    assert live.no("ann", wager("ante", 20)).message == (
        "Betting is closed. Bet in the next round."
    )


def test_undo_after_a_round_suggests_alternatives() -> None:
    live = Live(CMS).seat(1, "ann", ante=10).do("ann", CloseBetting(), Decide(1, "fold"))
    refusal = live.no("ann", Undo(1))
    message = "The round is over. Place a bet, or rebet."
    assert (refusal.code, refusal.message) == (Code.NOT_NOW, message)


def test_undo_before_the_first_round_is_refused() -> None:
    live = Live(CMS).seat(1, "ann")
    assert live.no("ann", Undo(1)).message == "Seat 1 has no bet to undo."


def test_wager_changes_are_limited() -> None:
    live = Live(CMS).seat(1, "ann")
    for count in range(200):
        live.do("ann", wager("ante", 10 + count % 2))
    assert "200 times" in live.no("ann", wager("ante", 12)).message
    live.do("ann", Undo(1), Undo(1))
    assert stakes(live) == {"ante": 11}
    assert "200 times" in live.no("ann", wager("ante", 12)).message
    live.seat(2, "bob", ante=10).do(DEALER, CloseBetting())


def test_rebet_is_all_or_none() -> None:
    live = Live(CMS).seat(1, "ann", "100", ante=30, three_card_bonus=5)
    live.do("ann", CloseBetting(), Decide(1, "fold"))
    assert live.state.round_id == "t1-000001"
    left = live.wallet("ann")
    live.do("ann", Rebet(1))
    assert live.state.round_id == "t1-000002"
    assert (stakes(live), live.wallet("ann")) == ({"ante": 30, "three-card-bonus": 5}, left - 35)
    assert live.no("ann", Rebet(1)).message == "Seat 1 already has these bets."
    live.do("ann", Undo(1))
    assert (stakes(live), live.wallet("ann")) == ({}, left)
    live.book[live.till.wallet("ann")] = 3_400
    assert live.no("ann", Rebet(1)).code == Code.NOT_COVERED
    assert stakes(live) == {}


def test_rebet_without_a_last_round_is_refused() -> None:
    live = Live(CMS).seat(1, "ann", ante=10)
    assert live.no("ann", Rebet(1)).message == "Seat 1 has no previous bet. Place a chip."


def test_finished_round_is_shown_until_the_next_wager() -> None:
    live = Live(CMS).seat(1, "ann", ante=10).do("ann", CloseBetting(), Decide(1, "fold"))
    assert (live.round.phase, live.state.result is None) == ("over", False)
    live.do("ann", wager("ante", 10))
    assert (live.round.phase, live.state.result) == ("wagers", None)


def test_the_layout_can_be_cleared_before_the_next_wager() -> None:
    live = Live(CMS).seat(1, "ann", ante=10)
    assert (
        live.no(DEALER, OpenRound()).message
        == "The current round is not over. Wait until it is settled."
    )
    live.do("ann", CloseBetting(), Decide(1, "fold")).do(DEALER, OpenRound())
    assert (live.state.round_id, live.round.seats) == ("t1-000002", ())
    live.do("ann", wager("ante", 10))
    assert live.state.round_id == "t1-000002"


def test_player_closes_betting_only_when_alone() -> None:
    live = Live(CMS).seat(1, "ann", ante=10).seat(2, "bob", ante=10)
    refusal = live.no("ann", CloseBetting())
    assert refusal.code == Code.FORBIDDEN
    assert (
        refusal.message
        == "bob can still bet. Betting closes when everyone is ready, or when the dealer or the "
        "clock closes it."
    )
    live.do("bob", Undo(2)).do("ann", CloseBetting())
    assert live.round.phase == "play"


def test_the_owner_of_a_practice_table_closes_betting_for_all() -> None:
    live = Live(CMS, "practice", owner="ann").seat(1, "ann", ante=10).seat(2, "bob", ante=10)
    assert live.no("bob", CloseBetting()).code == Code.FORBIDDEN
    live.do("ann", CloseBetting())
    assert live.round.phase == "play"


def test_player_without_a_wager_cannot_close_betting() -> None:
    live = Live(CMS).seat(1, "ann", ante=10)
    assert live.no("bob", CloseBetting()).code == Code.FORBIDDEN
    assert Live(CMS).no(DEALER, CloseBetting()).code == Code.NOT_NOW
    empty = Live(CMS).seat(1, "ann", ante=10).do("ann", Undo(1))
    assert empty.no(DEALER, CloseBetting()).code == Code.NO_SEATS


def test_las_2_betting_does_not_close_without_a_required_wager() -> None:
    live = Live(LAS_STAX).seat(1, "ann", ante=10)
    refusal = live.no("ann", CloseBetting())
    assert (refusal.code, refusal.clause) == (Code.WAGER_MISSING, "LAS-2")


def test_betting_clock_deals_in_complete_wagers() -> None:
    live = Live(LAS_STAX, clocks={"betting": 30})
    live.seat(1, "ann", ante=10, stax=5).later(29).seat(2, "bob", ante=10)
    assert live.state.deadlines == {"betting": "2026-01-02T20:00:30+00:00"}
    live.do(CLOCK, Tick())
    assert live.round.phase == "wagers"
    live.later(1).do(CLOCK, Tick())
    assert (live.round.phase, [seat.number for seat in live.round.seats]) == ("play", [1])
    assert live.wallet("bob") == 1000
    assert "betting" not in live.state.deadlines
    live.sound()


def test_betting_clock_may_leave_no_seat() -> None:
    live = Live(LAS_STAX, clocks={"betting": 30}).seat(1, "ann", ante=10).later(30)
    live.do(CLOCK, Tick())
    assert (live.round.phase, live.held, live.state.deadlines) == ("wagers", 0, {})


def test_betting_clock_drops_separated_spots_of_their_player_only() -> None:
    live = Live(with_field(MHL, "seats.per_player", 3), clocks={"betting": 30})
    for seat in (1, 2, 3):
        live.seat(seat, "ann", bet=10)
    live.seat(5, "bob", bet=10).do("ann", wager("bet", 0, seat=2))
    assert live.no(DEALER, CloseBetting()).code == Code.SPOTS_APART
    live.later(30).do(CLOCK, Tick())
    assert [seat.number for seat in live.round.seats] == [1, 5]
    live.sound()


def test_clock_stops_when_the_last_wager_is_withdrawn() -> None:
    live = Live(CMS, clocks={"betting": 30}).seat(1, "ann", ante=10).do("ann", Undo(1))
    assert live.state.deadlines == {}


def test_rules_in_force_are_those_of_the_first_wager() -> None:
    dearer = with_field(LAS, "ante.min", Cents(2000))
    live = Live(LAS).seat(1, "ann", ante=10).seat(2, "bob")
    live.do(SUPERVISOR, ChangeSheet(dump_sheet(dearer)))
    live.do("bob", wager("ante", 10, seat=2)).do(DEALER, CloseBetting())
    live.do("ann", Decide(1, "fold")).do("bob", Decide(2, "fold"))
    assert live.facts_json[-3]["fact"] == "settled"
    first = live.state.sheet["hash"]
    assert live.no("ann", Rebet(1)).code == Code.BELOW_MINIMUM
    live.do("ann", wager("ante", 20))
    assert live.state.sheet["hash"] == dump_sheet(dearer)["hash"] != first
    assert [f["sheet"] for f in live.facts_json if f["fact"] == "round-opened"] == [
        first,
        dump_sheet(dearer)["hash"],
    ]
    live.sound()


def test_rules_change_at_once_without_wagers() -> None:
    dearer = with_field(LAS, "ante.min", Cents(2000))
    live = Live(LAS).seat(1, "ann", ante=10).do("ann", Undo(1))
    live.do(SUPERVISOR, ChangeSheet(dump_sheet(dearer)))
    assert live.no("ann", wager("ante", 10)).code == Code.BELOW_MINIMUM
    live.do("ann", wager("ante", 20))
    assert live.state.round_id == "t1-000002"


def test_rules_change_after_all_wagers_were_withdrawn() -> None:
    dearer = with_field(LAS, "ante.min", Cents(2000))
    live = Live(LAS).seat(1, "ann", ante=10)
    live.do(SUPERVISOR, ChangeSheet(dump_sheet(dearer))).do("ann", Undo(1))
    table_view(live.state, Viewer("ann", "player"), live.env.wallet)
    live.do("ann", wager("ante", 20))
    assert (live.state.round_id, live.state.shoes) == ("t1-000002", 2)
    assert live.state.shoe_sheet == live.state.sheet["hash"] == dump_sheet(dearer)["hash"]
    live.sound()


def test_game_without_a_shuffler_takes_no_wagers() -> None:
    live = Live(MHL).do(DEALER, ShufflerFailed()).seat(1, "ann", bet=10)
    live.do(SUPERVISOR, ChangeSheet(dump_sheet(CMS))).do("ann", Undo(1))
    refusal = live.no("ann", wager("ante", 10))
    assert (refusal.code, refusal.clause) == (Code.NOT_NOW, "CMS-3")


def test_unchanged_or_invalid_rules_are_refused() -> None:
    live = Live(CMS)
    assert live.no(SUPERVISOR, ChangeSheet(dump_sheet(CMS))).code == Code.NOT_NOW
    for sheet in ({"hash": "0", "body": "{}"}, {"hash": "0", "body": "{"}):
        assert live.no(SUPERVISOR, ChangeSheet(sheet)).code == Code.NO_RULE
    wrong = {**dump_sheet(MHL), "hash": "0" * 64}
    assert "hash" in live.no(SUPERVISOR, ChangeSheet(wrong)).message


def test_rules_in_another_currency_are_refused_when_announced() -> None:
    """The rack and the players' chips would change their currency overnight."""
    abroad = changed(MHL, {"house.currency": "EUR"})
    live = Live(CMS).do(SUPERVISOR, Fill(Cents(50_000)))
    for command in (
        ChangeSheet(dump_sheet(abroad)),
        AnnounceSheet(dump_sheet(abroad), 60, "visitors"),
    ):
        refusal = live.no(SUPERVISOR, command)
        assert refusal.code == Code.NOT_NOW
        assert refusal.message == (
            "This table plays in USD, and these rules are in EUR. Open another table for them."
        )
    assert Live(abroad).no(SUPERVISOR, ChangeSheet(dump_sheet(CMS))).code == Code.NOT_NOW
    Live(abroad).do(SUPERVISOR, ChangeSheet(dump_sheet(changed(CMS, {"house.currency": "EUR"}))))


def test_new_game_gets_a_new_shoe() -> None:
    live = Live(CMS).do(SUPERVISOR, ChangeSheet(dump_sheet(MHL)))
    assert [fact["fact"] for fact in live.facts_json[-3:]] == [
        "sheet-changed",
        "shoe-revealed",
        "shoe-opened",
    ]
    live.seat(1, "ann", bet=10)
    assert live.state.shoe is not None
    assert live.state.shoe["decks"] == 6
