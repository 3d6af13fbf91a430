"""Balances too small for a hand: warned before the deal, explained at a forced fold."""

from __future__ import annotations

from typing import Any

import pytest
from tests.clauses.one_line_rounds import CMS, LAS, MHL, with_field
from tests.house.table.kit import DEALER, Live

from pitbook.house.ledger.accounts import Account, move
from pitbook.house.table.commands import CLOCK, CloseBetting, Decide, PutWager, Rebet, Tick
from pitbook.house.table.views import table_view
from pitbook.house.table.visibility import Viewer
from pitbook.money import Cents, dollars

CLOCKS = {"betting": None, "decision": 20}
TOO_FEW = "eat 1 has too few chips for the {}, $10 at least: fold"


def view_of(live: Live, name: str, role: Any = "player") -> dict[str, Any]:
    return dict(table_view(live.state, Viewer(name, role), live.env.wallet))


def spent_elsewhere(live: Live, player: str, amount: str) -> None:
    cash = Account(live.till.unit, "cash")
    live.pay(move(live.till.wallet(player), cash, dollars(amount), ""))


def test_gen_10_fold_for_lack_of_chips_is_explained() -> None:
    live = Live(CMS).seat(1, "ann", "25", ante=10).seat(2, "bob", ante=10)
    live.do(DEALER, CloseBetting()).do("ann", Decide(1, "1x")).do("bob", Decide(2, "1x"))
    turn = live.round.game.stages[1].title
    assert live.round.notes == ((f"s{TOO_FEW.format(turn)}", "GEN-10"),)
    (absence,) = [event.body for event in live.events if event.what == "absent"]
    assert absence["told"] == f"S{TOO_FEW.format(turn)} (GEN-10). Seat 1 folds and loses $20."
    assert absence["short"] is True
    assert absence["lacks"] == {"bet": turn, "least": "10.00"}
    assert [seat.get("forced") for seat in view_of(live, "bob")["seats"][:2]] == ["chips", None]
    live.do("bob", Decide(2, "fold"))
    assert live.state.result is not None
    assert [note["note"] for note in live.state.result["notes"]] == [f"s{TOO_FEW.format(turn)}"]
    messages = view_of(live, "ann")["result"]["told"]
    assert messages == [{"text": f"S{TOO_FEW.format(turn)}.", "clause": "GEN-10"}]
    live.sound()


def test_gen_10_short_stacks_are_not_marked_absent() -> None:
    """The clock runs out for a player without chips and for one who is away."""
    live = Live(CMS, clocks=CLOCKS).seat(1, "ann", "45", ante=10).seat(2, "bob", ante=10)
    live.do(DEALER, CloseBetting())
    spent_elsewhere(live, "ann", "30")
    live.later(30).do(CLOCK, Tick())
    flop = live.round.game.stages[0].title
    assert [note.what for note in live.round.notes] == [
        f"s{TOO_FEW.format(flop)}",
        "seat 2 was absent: fold",
    ]
    assert [seat["forced"] for seat in view_of(live, "ann")["seats"][:2]] == ["chips", "absent"]


def test_gen_10_absent_rule_does_not_bet_for_short_players() -> None:
    stays = with_field(CMS, "absent", "smallest-bet")
    live = Live(stays).seat(1, "ann", "15", ante=10).seat(2, "bob", ante=10)
    live.do(DEALER, CloseBetting())
    assert live.round.notes[0].what == f"s{TOO_FEW.format(live.round.game.stages[0].title)}"
    assert [seat.plays for seat in live.round.seats] == [("fold",), ()]


# Before the deal ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("chips", "more"), [("1000", "1000.00"), ("1999", "1.00"), ("2000", None), ("500", "1500.00")]
)
def test_gen_10_player_is_warned_about_the_cost_of_the_hand(chips: str, more: str | None) -> None:
    """An ante of $500 and the smallest bet on three streets: $2,000 in all."""
    live = Live(CMS).seat(1, "ann", chips).seat(2, "bob", "9000", ante=5)
    assert view_of(live, "ann")["short"] is None
    live.do("ann", PutWager(1, "ante", Cents(500_00)))
    shortfall = view_of(live, "ann")["short"]
    assert (shortfall and shortfall["more"]) == more
    assert view_of(live, "bob")["short"] is None
    assert "short" not in view_of(live, "dee", "dealer")
    live.do(DEALER, CloseBetting())  # Told, not forbidden.
    assert view_of(live, "ann")["short"] is None


def test_shortfall_message() -> None:
    live = Live(CMS).seat(1, "ann", "1000", ante=500)
    assert view_of(live, "ann")["short"] == {
        "left": "500.00",
        "needed": "1500.00",
        "more": "1000.00",
        "message": (
            "You need $1,500 to play the hand to the end and have $500. Bet less, or add $1,000."
        ),
        "clause": "GEN-10",
    }


def test_cost_of_a_hand_counts_side_wagers_and_all_spots() -> None:
    sheet = with_field(LAS, "seats.per_player", 2)
    live = Live(sheet).seat(1, "ann", "80", ante=10).seat(2, "ann", ante=10)
    assert view_of(live, "ann")["short"] is None  # $60 is left for twice three bets of $10.
    live.do("ann", PutWager(2, "three-up", Cents(1_00)))
    assert view_of(live, "ann")["short"]["more"] == "1.00"


def test_rebets_are_warned_about_and_hi_lo_costs_no_more() -> None:
    live = Live(CMS).seat(1, "ann", "45", ante=10).do("ann", CloseBetting(), Decide(1, "fold"))
    live.do("ann", Rebet(1))
    assert view_of(live, "ann")["short"]["more"] == "5.00"
    declared = Live(MHL).seat(1, "ann", "10", bet=10)
    assert view_of(declared, "ann")["short"] is None
