"""Red dog at a live table: deal, decisions, payouts, and a balanced ledger."""

from __future__ import annotations

import json
from random import Random

import pytest
from tests.house.table.kit import DEALER, Live, top
from tests.lanes import spread

from pitbook.cards import names
from pitbook.house.table.commands import CLOCK, CloseBetting, Decide, Tick
from pitbook.house.table.views import table_view
from pitbook.house.table.visibility import Viewer
from pitbook.sheets.model import Sheet


def table_with_players(sheet: Sheet, cards: str, **clocks: int | None) -> Live:
    live = Live(sheet, clocks=clocks or {"betting": None, "decision": None})
    live.env.top = top(cards)
    live.seat(1, "ann", bet=10).seat(5, "bob", bet=20)
    return live.do(DEALER, CloseBetting())


def test_two_cards_are_open_and_both_players_decide(sheet: Sheet) -> None:
    live = table_with_players(sheet, "4c 9d 6h")
    assert (names(live.round.board), live.round.waiting) == ("4c 9d", (1, 5))
    live.sound()


def test_a_round_is_paid_to_the_cent(sheet: Sheet) -> None:
    live = (
        table_with_players(sheet, "4c 6d 5h")
        .do("ann", Decide(1, "raise"))
        .do("bob", Decide(5, "stand"))
    )
    assert (live.wallet("ann"), live.wallet("bob")) == (1000 + 100, 1000 + 100)
    assert live.state.result is not None
    assert live.state.result["house_net"] == "-200.00"
    live.sound()


def test_lost_raise_goes_to_the_house(sheet: Sheet) -> None:
    live = (
        table_with_players(sheet, "4c Td Kh")
        .do("ann", Decide(1, "raise"))
        .do("bob", Decide(5, "stand"))
    )
    assert (live.wallet("ann"), live.wallet("bob")) == (980, 980)
    live.sound()


@pytest.mark.parametrize(("cards", "won"), [("9c Td 2c", 0), ("9c 9d 9h", 11), ("9c 9d 2h", 0)])
def test_without_a_spread_there_is_no_decision(sheet: Sheet, cards: str, won: int) -> None:
    live = table_with_players(sheet, cards)
    assert (live.wallet("ann"), live.wallet("bob")) == (1000 + 10 * won, 1000 + 20 * won)
    live.sound()


def test_a_slow_player_stands(sheet: Sheet) -> None:
    live = table_with_players(sheet, "4c 9d 6h", decision=20).do("ann", Decide(1, "raise"))
    live.later(60).do(CLOCK, Tick())
    assert (live.wallet("ann"), live.wallet("bob")) == (1020, 1020)
    live.sound()


def test_uncovered_raise_is_refused(sheet: Sheet) -> None:
    live = Live(sheet, clocks={"betting": None, "decision": None})
    live.env.top = top("4c 9d 6h")
    live.seat(1, "ann", "15", bet=10).do(DEALER, CloseBetting())
    assert live.no("ann", Decide(1, "raise")).message == "ann has $5 left and needs $10."
    live.do("ann", Decide(1, "stand")).sound()


@pytest.mark.long
@pytest.mark.parametrize("seed", spread(range(60), 6))
def test_money_balances_after_random_rounds(sheet: Sheet, seed: int) -> None:
    random_source, live = (
        Random(seed),
        Live(sheet, seed=seed, clocks={"betting": None, "decision": None}),
    )
    for _ in range(8):
        for seat, name in ((1, "ann"), (2, "bob"), (7, "cyd")):
            live.seat(seat, name, bet=random_source.randrange(5, 50, 5))
        live.do(DEALER, CloseBetting())
        while live.state.has_live_wagers:
            seat = live.round.waiting[0]
            player = live.state.seats[seat]
            live.do(player, Decide(seat, random_source.choice(["raise", "stand"])))
            live.sound()
        live.restart()
        live.sound()


def test_the_third_card_is_hidden_until_it_is_turned(sheet: Sheet) -> None:
    live = table_with_players(sheet, "4c 9d 6h")
    for viewer in (Viewer("ann", "player"), Viewer("", "spectator"), Viewer("d", "dealer")):
        view = table_view(live.state, viewer, live.env.wallet)
        assert "6h" not in json.dumps(view)
        assert view["board"]["cards"] == ["4c", "9d", None]
        assert view["board"]["told"] == "a spread of 4"
    assert "6h" not in json.dumps([event.body for event in live.events])


def test_offers_of_a_raise(sheet: Sheet) -> None:
    live = table_with_players(sheet, "4c 9d 6h")
    view = table_view(live.state, Viewer("ann", "player"), live.env.wallet)
    (offer,) = [offer_json for offer_json in view["offers"] if offer_json["do"] == "decide"]
    assert [choice["play"] for choice in offer["choices"]] == ["stand", "raise"]
