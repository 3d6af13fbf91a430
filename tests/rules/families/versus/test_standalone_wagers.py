"""A side wager without an Ante: dealt in, no decisions, paid by its own table."""

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
from pitbook.rules.legal_actions import legal
from pitbook.rules.refusals import Code, Refusal
from pitbook.rules.round import Round, open_round
from pitbook.rules.step import step
from pitbook.sheets.findings import SheetInvalid

THREE = "pennsylvania/three-card-poker"
ALONE = {"is": True, "clause": "X-1"}


def apply_all(round: Round, *actions: Any) -> Round:
    for action in actions:
        after = step(round, action)
        assert isinstance(after, Round), after
        round = after
    return round


def deal_round(*wagers: Wager) -> Round:
    round = apply_all(open_round(pitbook.load(THREE)), *wagers, Close())
    while round.phase == "deal":
        round = apply_all(round, Deal(round.to_deal[0]))
    return round


def test_a_pair_plus_alone_is_dealt_in_without_decisions() -> None:
    pair_plus = Wager(1, "ann", "pair-plus", Cents(500))
    round = deal_round(pair_plus, Wager(2, "bob", "ante", Cents(500)))
    assert round.waiting == (2,)
    for number, text in ((1, "9s 9h 2c"), (2, "As Kd 4c")):
        round = apply_all(round, *(Turn(number, card) for card in cards(text)))
    refusal = step(round, Decide(1, "fold"))
    assert isinstance(refusal, Refusal)
    assert refusal.code is Code.ALREADY_DECIDED
    round = apply_all(round, Decide(2, "fold"))
    while round.phase == "play":
        round = apply_all(round, Turn(0, cards("2d 3d 7h")[len(round.board)]))
    round = apply_all(round, Settle(), Settle())
    assert [(settlement.seat, settlement.net) for settlement in round.settlements] == [
        (1, 500),
        (2, -500),
    ]


@pytest.mark.parametrize("before", [(), (Wager(1, "ann", "pair-plus", Cents(500)),)])
def test_another_side_wager_needs_an_ante(before: tuple[Wager, ...]) -> None:
    round = apply_all(open_round(pitbook.load(THREE)), *before)
    refusal = step(round, Wager(1, "ann", "six-card-bonus", Cents(500)))
    assert isinstance(refusal, Refusal)
    assert refusal.code is Code.NO_MAIN_WAGER


def test_returning_the_last_wager_gives_up_the_seat() -> None:
    round = apply_all(open_round(pitbook.load(THREE)), Wager(1, "ann", "pair-plus", Cents(500)))
    assert Withdraw in [offer.action for offer in legal(round)]
    assert apply_all(round, Withdraw(1, "pair-plus")).seats == ()


def live() -> Live:
    table = Live(pitbook.load(THREE), clocks={"betting": None, "decision": None})
    table.env.top = top("9s 9h 2c")
    return table


def test_at_a_live_table_it_is_placed_repeated_and_paid() -> None:
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


def test_leaving_before_the_deal_returns_it() -> None:
    table = live().seat(1, "ann", pair_plus=5).do("ann", Leave(1))
    table.sound()
    assert (table.held, table.wallet("ann")) == (0, 1000)


def test_returning_the_ante_returns_all_wagers() -> None:
    table = live().seat(1, "ann", ante=10, pair_plus=5)
    table.do("ann", PutWager(1, "ante", Cents(0))).sound()
    assert table.held == 0


def test_with_an_ante_it_is_a_normal_hand() -> None:
    table = live().seat(1, "ann", pair_plus=5).seat(1, "ann", ante=10)
    table.do(DEALER, CloseBetting()).do("ann", Decides(1, "fold")).sound()
    assert table.wallet("ann") == 985


def test_its_expected_value_is_its_own_edge() -> None:
    sheet = pitbook.load(THREE)
    seat = apply_all(open_round(sheet), Wager(1, "ann", "pair-plus", Cents(500))).seats[0]
    worth = before_the_deal(sheet, seat)
    assert worth.decided == 0
    assert worth.separate == ("pair-plus",)
    assert f"{float(worth.separate_value):.2f}" == "-36.38"  # 7.2760% of $5, in cents.


@pytest.mark.parametrize(
    ("sheet", "wager", "more", "message"),
    [
        ("louisiana-stud/standard", "stax", {}, "In this game a side wager needs the main wager"),
        (THREE, "pair-plus", {"required": True}, "cannot be made without the main wager"),
    ],
)
def test_it_is_refused_in_other_games(
    sheet: str, wager: str, more: dict[str, Any], message: str
) -> None:
    stake = f"side.{wager}.stake"
    changes = {
        f"{stake}.alone": ALONE,
        **{f"{stake}.{name}": value for name, value in more.items()},
    }
    with pytest.raises(SheetInvalid, match=message):
        pitbook.changed(sheet, changes)
