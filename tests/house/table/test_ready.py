"""Shared tables: betting closes when every player who may bet is ready."""

from __future__ import annotations

import json

import pytest
from tests.clauses.one_line_rounds import CMS, LAS_STAX, MHL, with_field
from tests.house.table.kit import DEALER, Live

from pitbook.house.ledger.hash_chain import canonical
from pitbook.house.people.roster import Exclusion, Roster
from pitbook.house.table.apply_facts import replay
from pitbook.house.table.betting import LAST_CALL_SECONDS
from pitbook.house.table.commands import CLOCK, CloseBetting, Leave, PutWager, Ready, Tick, Undo
from pitbook.house.table.state import restore, snapshot
from pitbook.house.table.views import table_view
from pitbook.house.table.visibility import Viewer
from pitbook.money import Cents
from pitbook.rules.refusals import Code

CLOCKS = {"betting": 45, "decision": 45}


def ante(seat: int, amount: int) -> PutWager:
    return PutWager(seat, "ante", Cents(100 * amount))


def both() -> Live:
    return Live(CMS, clocks=CLOCKS).seat(1, "ann", ante=10).seat(2, "bob", ante=10)


def is_dealt(live: Live) -> bool:
    return live.round.phase != "wagers"


def test_betting_closes_when_the_last_player_is_ready() -> None:
    live = both().do("ann", Ready(1))
    assert not is_dealt(live)
    assert list(live.state.ready) == ["ann"]
    live.do("bob", Ready(2))
    assert is_dealt(live)
    assert [seat.cards_dealt for seat in live.round.seats] == [2, 2]
    assert set(live.state.deadlines) == {"decision"}
    assert list(live.state.ready) == []
    live.sound()


def test_ready_is_recorded_and_survives_a_restart() -> None:
    live = both().do("ann", Ready(1))
    assert live.facts_json[-1] == {"fact": "ready", "seat": 1, "player": "ann", "on": True}
    assert replay(live.facts).ready == ("ann",)
    live.restart()
    assert restore(json.loads(canonical(snapshot(live.state)))).ready == ("ann",)
    live.do("bob", Ready(2))
    assert is_dealt(live)


def test_snapshot_from_before_ready_existed_is_read() -> None:
    snapshot_json = json.loads(canonical(snapshot(both().state)))
    del snapshot_json["ready"]
    assert restore(snapshot_json) == both().state


@pytest.mark.parametrize("change", [ante(1, 15), Undo(1), Ready(1, on=False)], ids=str)
def test_wager_change_clears_ready(change: PutWager | Undo | Ready) -> None:
    live = both().do("ann", ante(1, 20), Ready(1), change).do("bob", Ready(2))
    assert not is_dealt(live)
    live.do("ann", Ready(1))
    assert is_dealt(live)
    live.sound()


def test_ready_is_refused_twice_or_without_a_wager() -> None:
    live = both().do("ann", Ready(1))
    assert live.no("ann", Ready(1)).code == Code.ALREADY_DECIDED
    assert live.no("bob", Ready(2, on=False)).code == Code.ALREADY_DECIDED
    assert live.no("bob", Ready(1)).code == Code.FORBIDDEN
    live.do("bob", Ready(2))
    assert live.no("bob", Ready(2)).message == "Betting is closed. Bet in the next round."
    empty = Live(CMS).seat(1, "ann")
    assert empty.no("ann", Ready(1)).message == "There are no bets on the table. Place one first."


def test_missing_required_wager_is_named() -> None:
    live = Live(LAS_STAX, clocks=CLOCKS).seat(1, "ann", ante=10).seat(2, "bob", ante=10, stax=5)
    assert "stax" in live.no("ann", Ready(1)).message.lower()
    live.do("bob", Ready(2)).do("ann", PutWager(1, "stax", Cents(500)), Ready(1))
    assert is_dealt(live)


def test_player_without_a_bet_gets_a_last_call_only() -> None:
    live = both().seat(3, "carl").do("ann", Ready(1)).do("bob", Ready(2))
    assert not is_dealt(live)
    assert set(live.state.deadlines) == {"betting", "last-call"}
    live.later(LAST_CALL_SECONDS).do(CLOCK, Tick())
    assert is_dealt(live)
    assert {seat.player for seat in live.round.seats} == {"ann", "bob"}
    live.sound()


def test_player_betting_at_the_last_call_is_waited_for() -> None:
    live = both().seat(3, "carl").do("ann", Ready(1)).do("bob", Ready(2)).later(3)
    live.do("carl", ante(3, 10))
    assert set(live.state.deadlines) == {"betting"}
    live.later(10).do(CLOCK, Tick())
    assert not is_dealt(live)
    live.do("carl", Ready(3))
    assert len(live.round.seats) == 3
    assert is_dealt(live)


def test_ready_without_a_bet_skips_the_last_call() -> None:
    live = both().seat(3, "carl").do("carl", Ready(3)).do("ann", Ready(1)).do("bob", Ready(2))
    assert is_dealt(live)


def test_absent_excluded_or_broke_players_do_not_delay() -> None:
    live = both().seat(3, "carl").seat(4, "dan", "2").seat(5, "eve")
    live.env.gone = {"carl"}
    live.env.roster = Roster(excluded={"eve": Exclusion("eve", None, "UTC", "asked", "sue", "")})
    live.do("ann", Ready(1)).do("bob", Ready(2))
    assert is_dealt(live)


def test_absent_players_bet_is_dealt_in() -> None:
    live = both().do("ann", Ready(1))
    live.env.gone = {"bob"}
    live.do(CLOCK, Tick())  # What the shell sends when a line is lost.
    assert is_dealt(live)
    assert {seat.player for seat in live.round.seats} == {"ann", "bob"}


def test_leaving_or_withdrawing_ends_the_wait() -> None:
    assert is_dealt(both().do("ann", Ready(1)).do("bob", Leave(2)))
    live = both().do("ann", Ready(1)).do("bob", ante(2, 0))
    assert set(live.state.deadlines) == {"betting", "last-call"}


def test_one_ready_covers_both_spots_of_a_player() -> None:
    live = Live(with_field(MHL, "seats.per_player", 2), clocks=CLOCKS)
    live.seat(1, "ann", bet=10).seat(2, "ann", bet=10).seat(3, "bob", bet=10)
    live.do("bob", Ready(3)).do("ann", Ready(2))
    assert is_dealt(live)


def test_dealer_and_clock_still_close_betting() -> None:
    assert is_dealt(both().do("ann", Ready(1)).do(DEALER, CloseBetting()))
    assert is_dealt(both().do("ann", Ready(1)).later(45).do(CLOCK, Tick()))


def test_last_call_restarts_after_a_restart() -> None:
    live = both().seat(3, "carl").do("ann", Ready(1)).do("bob", Ready(2)).restart()
    assert set(live.state.deadlines) == {"betting", "last-call"}


def test_ready_is_only_for_house_tables() -> None:
    practice = Live(CMS, "practice", owner="ann").seat(1, "ann", ante=10)
    assert practice.no("ann", Ready(1)).code == Code.FORBIDDEN
    typed = Live(CMS, "typed").seat(1, "ann", ante=10)
    assert typed.no("ann", Ready(1)).code == Code.FORBIDDEN


def test_ready_offer_and_visible_ready_seats() -> None:
    live = both().do("ann", Ready(1))
    for name, seat, on in (("ann", 1, False), ("bob", 2, True)):
        view = table_view(live.state, Viewer(name, "player"), live.env.wallet)
        offered = [offer for offer in view["offers"] if offer["do"] == "ready"]
        assert offered == [{"do": "ready", "seat": seat, "on": on}]
        assert view["ready"] == [1]
    assert live.events[-1].what == "ready"


def test_ready_resets_each_round() -> None:
    live = both().do("ann", Ready(1)).do("bob", Ready(2))
    while is_dealt(live) and live.round.phase != "over":
        live.later(45).do(CLOCK, Tick())
    live.do("ann", ante(1, 10))
    assert live.state.ready == ()


def test_clock_missed_by_the_server_restarts() -> None:
    live = both().do(DEALER, CloseBetting()).later(300).do(CLOCK, Tick(late=True))
    assert [seat.folded for seat in live.round.seats] == [False, False]
    live.later(44).do(CLOCK, Tick())
    assert not any(seat.plays for seat in live.round.seats)
    live.later(1).do(CLOCK, Tick())
    assert all(seat.plays for seat in live.round.seats)
