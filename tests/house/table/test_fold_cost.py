"""The stated cost of a fold is what it takes."""

from __future__ import annotations

from typing import Any

import pytest
from tests.house.table.kit import DEALER, Live
from tests.rules.random_rounds import known_sheets
from tests.sheets.samples import ALL_IDS

from pitbook import load
from pitbook.house.table.commands import CloseBetting, Decide, PutWager
from pitbook.house.table.offers import offers
from pitbook.house.table.visibility import Viewer
from pitbook.money import Cents, dollars
from pitbook.sheets.model import Sheet

Json = dict[str, Any]
SEEDS = 80  # Of Casino War one round in thirteen is tied.
STAKE = Cents(2000)
ANN = Viewer("ann", "player")
# A fold by this name takes only half of what lies on the main wager.
HALF = {"classic/casino-war": "10.00"}


def deal(sheet: Sheet, seed: int) -> Live:
    """Deal a seat with a bet on every wager."""
    live = Live(sheet, seed=seed, clocks={"betting": None, "decision": None}).seat(1, "ann")
    wagers = [
        offer for offer in offers(live.state, ANN, live.env.wallet) if offer["do"] == "put-wager"
    ]
    for offer in wagers:
        amount = min(max(STAKE, dollars(offer["min"])), dollars(offer["max"]))
        live.do("ann", PutWager(1, offer["wager"], amount))
    return live.do(DEALER, CloseBetting())


def choices(live: Live) -> list[Json]:
    decide_offers = [
        offer for offer in offers(live.state, ANN, live.env.wallet) if offer["do"] == "decide"
    ]
    return (
        [dict(choice) for choice in decide_offers[0]["choices"]]
        if decide_offers and not live.state.result
        else []
    )


def folds(sheet: Sheet) -> list[tuple[str, Json]]:
    """The stated cost of each possible fold, and the seat's result after it."""
    fold_results: list[tuple[str, Json]] = []
    for seed in range(SEEDS if sheet.has_fold else 1):
        for before in range(8):
            live = deal(sheet, seed)
            for _ in range(before):
                stay = [
                    choice
                    for choice in choices(live)
                    if not choice["folds"] and "refused" not in choice
                ]
                if stay:
                    live.do("ann", Decide(1, stay[0]["play"]))
            (fold, *_) = [*(choice for choice in choices(live) if choice["folds"]), None]
            if fold is not None:
                live.do("ann", Decide(1, fold["play"]))
                assert live.state.result is not None
                fold_results.append((fold["loses"], live.state.result["seats"][0]))
            if not choices(live):
                break
        if fold_results:
            break
    return fold_results


def lost_stakes(result: Json) -> Cents:
    """The stakes lost with the fold."""
    lost = [line for line in result["lines"] if line["outcome"] in ("fold", "surrender")]
    return Cents(sum(dollars(line["stake"]) - dollars(line.get("back", "0")) for line in lost))


@pytest.mark.parametrize("sheet", known_sheets(), ids=lambda sheet: sheet.id)
def test_fold_costs_what_its_offer_states(sheet: Sheet) -> None:
    fold_results = folds(sheet)
    assert bool(fold_results) == sheet.has_fold
    assert [dollars(loss) for loss, _ in fold_results] == [
        lost_stakes(result) for _, result in fold_results
    ]
    assert all(dollars(loss) > 0 for loss, _ in fold_results)


def test_bundled_sheets_are_included() -> None:
    assert set(ALL_IDS) <= {sheet.id for sheet in known_sheets()}


@pytest.mark.parametrize(("sheet", "half"), HALF.items())
def test_surrender_costs_half(sheet: str, half: str) -> None:
    assert {loss for loss, _ in folds(load(sheet))} == {half}


def test_only_folds_forfeit_wagers() -> None:
    for sheet in known_sheets():
        for choice in choices(deal(sheet, seed=1)):
            assert ("loses" in choice) == choice["folds"]
