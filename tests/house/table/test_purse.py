"""A purse that cannot carry the hand: told before the deal, and told when the hand is folded."""

from __future__ import annotations

from typing import Any

import pytest
from tests.clauses.table import CMS, LAS, MHL, altered
from tests.house.table.kit import DEALER, Live

from pitbook.house.ledger.accounts import Account, move
from pitbook.house.table.commands import CLOCK, CloseBetting, Decide, PutWager, Rebet, Tick
from pitbook.house.table.views import table_view
from pitbook.house.table.visibility import Viewer
from pitbook.money import Cents, dollars

CLOCKS = {"betting": None, "decision": 20}
TOO_FEW = "eat 1 has too few chips for the {}, $10 at least: fold"


def seen(live: Live, name: str, role: Any = "player") -> dict[str, Any]:
    return dict(table_view(live.state, Viewer(name, role), live.env.wallet))


def spent_elsewhere(live: Live, player: str, amount: str) -> None:
    cash = Account(live.till.unit, "cash")
    live.pay(move(live.till.wallet(player), cash, dollars(amount), ""))


def test_gen_10_who_folds_for_want_of_chips_is_told_so() -> None:
    live = Live(CMS).seat(1, "ann", "25", ante=10).seat(2, "bob", ante=10)
    live.do(DEALER, CloseBetting()).do("ann", Decide(1, "1x")).do("bob", Decide(2, "1x"))
    turn = live.round.game.stages[1].title
    assert live.round.notes == ((f"s{TOO_FEW.format(turn)}", "GEN-10"),)
    (told,) = [one.body for one in live.events if one.what == "absent"]
    assert told["told"] == f"S{TOO_FEW.format(turn)} (GEN-10). Seat 1 folds: $20 taken."
    assert told["short"] is True
    assert told["lacks"] == {"bet": turn, "least": "10.00"}
    assert [one.get("forced") for one in seen(live, "bob")["seats"][:2]] == ["chips", None]
    live.do("bob", Decide(2, "fold"))
    assert live.state.result is not None
    assert [note["note"] for note in live.state.result["notes"]] == [f"s{TOO_FEW.format(turn)}"]
    shown = seen(live, "ann")["result"]["told"]
    assert shown == [{"text": f"S{TOO_FEW.format(turn)}.", "clause": "GEN-10"}]
    live.sound()


def test_gen_10_absent_is_for_absence() -> None:
    """The clock runs out for somebody with nothing left, and for somebody who is away."""
    live = Live(CMS, clocks=CLOCKS).seat(1, "ann", "45", ante=10).seat(2, "bob", ante=10)
    live.do(DEALER, CloseBetting())
    spent_elsewhere(live, "ann", "30")
    live.later(30).do(CLOCK, Tick())
    flop = live.round.game.stages[0].title
    assert [note.what for note in live.round.notes] == [
        f"s{TOO_FEW.format(flop)}",
        "seat 2 was absent: fold",
    ]
    assert [one["forced"] for one in seen(live, "ann")["seats"][:2]] == ["chips", "absent"]


def test_gen_10_the_smallest_bet_of_an_absent_player_is_no_bet_for_a_poor_one() -> None:
    stays = altered(CMS, "absent", "smallest-bet")
    live = Live(stays).seat(1, "ann", "15", ante=10).seat(2, "bob", ante=10)
    live.do(DEALER, CloseBetting())
    assert live.round.notes[0].what == f"s{TOO_FEW.format(live.round.game.stages[0].title)}"
    assert [seat.plays for seat in live.round.seats] == [("fold",), ()]


# Before the deal ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("chips", "more"), [("1000", "1000.00"), ("1999", "1.00"), ("2000", None), ("500", "1500.00")]
)
def test_gen_10_a_player_is_told_what_the_hand_takes(chips: str, more: str | None) -> None:
    """An ante of $500 and the smallest bet on three streets: $2,000 in all."""
    live = Live(CMS).seat(1, "ann", chips).seat(2, "bob", "9000", ante=5)
    assert seen(live, "ann")["short"] is None
    live.do("ann", PutWager(1, "ante", Cents(500_00)))
    found = seen(live, "ann")["short"]
    assert (found and found["more"]) == more
    assert seen(live, "bob")["short"] is None
    assert "short" not in seen(live, "dee", "dealer")
    live.do(DEALER, CloseBetting())  # Told, not forbidden.
    assert seen(live, "ann")["short"] is None


def test_what_a_player_is_told() -> None:
    live = Live(CMS).seat(1, "ann", "1000", ante=500)
    assert seen(live, "ann")["short"] == {
        "left": "500.00",
        "needed": "1500.00",
        "more": "1000.00",
        "message": "The smallest bets of all streets take $1,500 and $500 is left: "
        "without $1,000 more the hand cannot be played to its end.",
        "clause": "GEN-10",
    }


def test_side_wagers_and_all_spots_of_a_player_are_counted() -> None:
    sheet = altered(LAS, "seats.per_player", 2)
    live = Live(sheet).seat(1, "ann", "80", ante=10).seat(2, "ann", ante=10)
    assert seen(live, "ann")["short"] is None  # $60 is left for twice three bets of $10.
    live.do("ann", PutWager(2, "three-up", Cents(1_00)))
    assert seen(live, "ann")["short"]["more"] == "1.00"


def test_bets_made_again_are_told_of_too_and_hi_lo_takes_no_more() -> None:
    live = Live(CMS).seat(1, "ann", "45", ante=10).do("ann", CloseBetting(), Decide(1, "fold"))
    live.do("ann", Rebet(1))
    assert seen(live, "ann")["short"]["more"] == "5.00"
    declared = Live(MHL).seat(1, "ann", "10", bet=10)
    assert seen(declared, "ann")["short"] is None
