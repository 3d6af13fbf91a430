"""Every game against the dealer at a live table: who sees which cards, and what is paid."""

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

SHEETS = [one.sheet.id for one in Library().entries() if one.sheet and one.sheet.family == "versus"]
VIEWERS = (Viewer("ann", "player"), Viewer("bob", "player"), Viewer("sam", "spectator"))


def seen(live: Live, viewer: Viewer) -> Any:
    return table_view(live.state, viewer, live.env.wallet)


def table(sheet: str, seed: int) -> Live:
    """Ann and bob have bet the least on everything."""
    loaded = pitbook.load(sheet)
    live = Live(loaded, clocks={"betting": None, "decision": None}, seed=seed)
    for number, name in enumerate(("ann", "bob"), 1):
        live.seat(number, name, ante=loaded.main_wager.min // 100)
        for wager, side in loaded.side.items():
            live.do(name, PutWager(number, wager, Cents(side.stake.min)))
    live.sound()
    return live.do(DEALER, CloseBetting())


def closed_as_it_should(live: Live) -> None:
    """The dealer's hand shows its up cards alone; a hand its player's, unless all lie open."""
    game, stage = live.round.game, live.round.game.stages[live.round.stage]
    for viewer in VIEWERS:
        shown = seen(live, viewer)
        for place, up in zip(shown["common"], stage.opens[1:], strict=True):
            assert [card is not None for card in place["cards"][:up]] == [True] * up
            assert set(place["cards"][up:]) <= {None}
        for seat in shown["seats"][:2]:
            mine = seat["player"] == viewer.name or game.places[0].open
            assert [card is not None for card in seat["cards"]] == [mine] * len(seat["cards"])


@pytest.mark.long
@pytest.mark.parametrize("sheet", SHEETS)
def test_rounds_are_played_to_their_end(sheet: str) -> None:
    for seed in range(examples(2, 20)):
        luck, live = Random(f"{sheet} {seed}"), table(sheet, seed)
        while live.state.result is None:
            closed_as_it_should(live)
            number = live.round.waiting[0]
            name = live.state.seats[number]
            offer = next(
                one
                for one in seen(live, Viewer(name, "player"))["offers"]
                if one["do"] == "decide" and one["seat"] == number
            )
            play = luck.choice([one["play"] for one in offer["choices"] if "refused" not in one])
            live.do(name, Decide(number, play)).sound()
        assert live.held == 0
        for report in live.state.result["seats"]:
            assert Cents(live.env.wallet(report["player"])) == 100_000 + round_net(report)


def round_net(report: Any) -> int:
    return round(float(report["net"]) * 100)


@pytest.mark.parametrize("sheet", SHEETS)
def test_at_the_end_all_see_the_dealers_hand_that_was_needed(sheet: str) -> None:
    live = table(sheet, 3)
    while live.state.result is None:
        number = live.round.waiting[0]
        game = live.round.game
        seat = live.round.seat(number)
        assert seat is not None
        play = game.may(live.round.stage, seat, *live.round.common)[-1]
        live.do(live.state.seats[number], Decide(number, play))
    for viewer in VIEWERS:
        shown = seen(live, viewer)
        assert all(card for place in shown["common"] for card in place["cards"])
        assert all(card for seat in shown["seats"][:2] for card in seat["cards"])
