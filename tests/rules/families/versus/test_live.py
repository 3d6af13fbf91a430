"""Every versus game at a live table: who sees which cards, and the payouts."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from tests.house.table.kit import DEALER, Live
from tests.lanes import examples

import pitbook
from pitbook.house.table.commands import CloseBetting, Decide, PutWager
from pitbook.house.table.views import table_view
from pitbook.house.table.visibility import Viewer
from pitbook.money import Cents
from pitbook.sheets.library import Library

SHEETS = [
    entry.sheet.id
    for entry in Library().entries()
    if entry.sheet and entry.sheet.family == "versus"
]
VIEWERS = (Viewer("ann", "player"), Viewer("bob", "player"), Viewer("sam", "spectator"))


def view_of(live: Live, viewer: Viewer) -> Any:
    return table_view(live.state, viewer, live.env.wallet)


def table(sheet: str, seed: int) -> Live:
    """Ann and Bob have placed the minimum on every wager."""
    loaded = pitbook.load(sheet)
    live = Live(loaded, clocks={"betting": None, "decision": None}, seed=seed)
    for number, name in enumerate(("ann", "bob"), 1):
        live.seat(number, name, ante=loaded.main_wager.min // 100)
        for wager, side in loaded.side.items():
            live.do(name, PutWager(number, wager, Cents(side.stake.min)))
    live.sound()
    return live.do(DEALER, CloseBetting())


def assert_cards_hidden(live: Live) -> None:
    """Onlookers see the dealer's up cards only, and a hand only its player, unless all are open."""
    game, stage = live.round.game, live.round.game.stages[live.round.stage]
    for viewer in VIEWERS:
        view = view_of(live, viewer)
        for place, up in zip(view["common"], stage.opens[1:], strict=True):
            assert [card is not None for card in place["cards"][:up]] == [True] * up
            assert set(place["cards"][up:]) <= {None}
        for seat in view["seats"][:2]:
            mine = seat["player"] == viewer.name or game.places[0].open
            assert [card is not None for card in seat["cards"]] == [mine] * len(seat["cards"])


@pytest.mark.long
@pytest.mark.parametrize("sheet", SHEETS)
def test_rounds_finish_with_correct_wallets(sheet: str) -> None:
    for seed in range(examples(2, 20)):
        random, live = Random(f"{sheet} {seed}"), table(sheet, seed)
        while live.state.result is None:
            assert_cards_hidden(live)
            number = live.round.waiting[0]
            name = live.state.seats[number]
            offer = next(
                offer_json
                for offer_json in view_of(live, Viewer(name, "player"))["offers"]
                if offer_json["do"] == "decide" and offer_json["seat"] == number
            )
            play = random.choice(
                [choice["play"] for choice in offer["choices"] if "refused" not in choice]
            )
            live.do(name, Decide(number, play)).sound()
        assert live.held == 0
        for report in live.state.result["seats"]:
            assert Cents(live.env.wallet(report["player"])) == 100_000 + round_net(report)


def round_net(report: Any) -> int:
    return round(float(report["net"]) * 100)


@pytest.mark.parametrize("sheet", SHEETS)
def test_after_settlement_all_cards_are_visible(sheet: str) -> None:
    live = table(sheet, 3)
    while live.state.result is None:
        number = live.round.waiting[0]
        game = live.round.game
        seat = live.round.seat(number)
        assert seat is not None
        play = game.allowed_plays(live.round.stage, seat, *live.round.common)[-1]
        live.do(live.state.seats[number], Decide(number, play))
    for viewer in VIEWERS:
        view = view_of(live, viewer)
        assert all(card for place in view["common"] for card in place["cards"])
        assert all(card for seat in view["seats"][:2] for card in seat["cards"])
