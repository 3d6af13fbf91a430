"""A side wager that stands without an Ante: dealt in, asked nothing, paid by its own table."""

from __future__ import annotations

from typing import Any

import pytest
from tests.house.table.kit import DEALER, Live, top

import pitbook
from pitbook.cards import cards
from pitbook.coach.review import before_the_deal
from pitbook.house.table.commands import CloseBetting, Leave, PutWager, Rebet
from pitbook.house.table.commands import Decide as Decides
from pitbook.money import Cents
from pitbook.rules.actions import Close, Deal, Decide, Settle, Turn, Wager, Withdraw
from pitbook.rules.legal import legal
from pitbook.rules.refusals import Code, Refusal
from pitbook.rules.round import Round, open_round
from pitbook.rules.step import step
from pitbook.sheets.findings import SheetInvalid

THREE = "pennsylvania/three-card-poker"
ALONE = {"is": True, "clause": "X-1"}


def done(round: Round, *actions: Any) -> Round:
    for action in actions:
        after = step(round, action)
        assert isinstance(after, Round), after
        round = after
    return round


def dealt(*wagers: Wager) -> Round:
    round = done(open_round(pitbook.load(THREE)), *wagers, Close())
    while round.phase == "deal":
        round = done(round, Deal(round.to_deal[0]))
    return round


def test_a_pair_plus_alone_is_dealt_in_and_asked_nothing() -> None:
    pair_plus = Wager(1, "ann", "pair-plus", Cents(500))
    round = dealt(pair_plus, Wager(2, "bob", "ante", Cents(500)))
    assert round.waiting == (2,)
    for number, text in ((1, "9s 9h 2c"), (2, "As Kd 4c")):
        round = done(round, *(Turn(number, card) for card in cards(text)))
    refusal = step(round, Decide(1, "fold"))
    assert isinstance(refusal, Refusal)
    assert refusal.code is Code.ALREADY_DECIDED
    round = done(round, Decide(2, "fold"))
    while round.phase == "play":
        round = done(round, Turn(0, cards("2d 3d 7h")[len(round.board)]))
    round = done(round, Settle(), Settle())
    assert [(one.seat, one.net) for one in round.settlements] == [(1, 500), (2, -500)]


@pytest.mark.parametrize("before", [(), (Wager(1, "ann", "pair-plus", Cents(500)),)])
def test_another_side_wager_needs_an_ante(before: tuple[Wager, ...]) -> None:
    round = done(open_round(pitbook.load(THREE)), *before)
    refusal = step(round, Wager(1, "ann", "six-card-bonus", Cents(500)))
    assert isinstance(refusal, Refusal)
    assert refusal.code is Code.NO_MAIN_WAGER


def test_the_last_wager_that_is_taken_back_takes_the_seat_with_it() -> None:
    round = done(open_round(pitbook.load(THREE)), Wager(1, "ann", "pair-plus", Cents(500)))
    assert Withdraw in [one.action for one in legal(round)]
    assert done(round, Withdraw(1, "pair-plus")).seats == ()


def live() -> Live:
    table = Live(pitbook.load(THREE), clocks={"betting": None, "decision": None})
    table.env.top = top("9s 9h 2c")
    return table


def test_at_a_live_table_it_is_put_repeated_and_paid() -> None:
    table = live().seat(1, "ann", pair_plus=5)
    table.do("ann", PutWager(1, "pair-plus", Cents(1000)))
    assert table.held == 1000
    table.do(DEALER, CloseBetting()).sound()
    assert table.state.result is not None
    assert table.wallet("ann") == 1010
    table.do("ann", Rebet(1))
    assert table.held == 1000
    table.do("ann", PutWager(1, "pair-plus", Cents(0))).sound()
    assert table.held == 0


def test_who_leaves_before_the_deal_has_it_back() -> None:
    table = live().seat(1, "ann", pair_plus=5).do("ann", Leave(1))
    table.sound()
    assert (table.held, table.wallet("ann")) == (0, 1000)


def test_an_ante_that_is_taken_back_takes_all_with_it() -> None:
    table = live().seat(1, "ann", ante=10, pair_plus=5)
    table.do("ann", PutWager(1, "ante", Cents(0))).sound()
    assert table.held == 0


def test_an_ante_beside_it_makes_it_a_hand_like_any_other() -> None:
    table = live().seat(1, "ann", pair_plus=5).seat(1, "ann", ante=10)
    table.do(DEALER, CloseBetting()).do("ann", Decides(1, "fold")).sound()
    assert table.wallet("ann") == 985


def test_what_it_is_worth_is_its_own_edge() -> None:
    sheet = pitbook.load(THREE)
    seat = done(open_round(sheet), Wager(1, "ann", "pair-plus", Cents(500))).seats[0]
    worth = before_the_deal(sheet, seat)
    assert worth.decided == 0
    assert worth.apart == ("pair-plus",)
    assert f"{float(worth.beside):.2f}" == "-36.38"  # 7.2760% of $5, in cents.


@pytest.mark.parametrize(
    ("sheet", "wager", "more", "told"),
    [
        ("louisiana-stud/standard", "stax", {}, "in this game a side wager needs the main one"),
        (THREE, "pair-plus", {"required": True}, "stands beside one"),
    ],
)
def test_where_it_makes_no_sense_it_is_refused(
    sheet: str, wager: str, more: dict[str, Any], told: str
) -> None:
    stake = f"side.{wager}.stake"
    changes = {f"{stake}.alone": ALONE, **{f"{stake}.{name}": one for name, one in more.items()}}
    with pytest.raises(SheetInvalid, match=told):
        pitbook.changed(sheet, changes)
