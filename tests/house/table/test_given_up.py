"""A fold says what it gives up before it is made, and that is what it takes."""

from __future__ import annotations

from typing import Any

import pytest
from tests.house.table.kit import DEALER, Live
from tests.rules.rounds.play import known_sheets
from tests.sheets.samples import EVERY

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


def dealt(sheet: Sheet, seed: int) -> Live:
    """A seat with a bet on everything that takes one."""
    live = Live(sheet, seed=seed, clocks={"betting": None, "decision": None}).seat(1, "ann")
    wagers = [one for one in offers(live.state, ANN, live.env.wallet) if one["do"] == "put-wager"]
    for one in wagers:
        amount = min(max(STAKE, dollars(one["min"])), dollars(one["max"]))
        live.do("ann", PutWager(1, one["wager"], amount))
    return live.do(DEALER, CloseBetting())


def choices(live: Live) -> list[Json]:
    found = [one for one in offers(live.state, ANN, live.env.wallet) if one["do"] == "decide"]
    return [dict(one) for one in found[0]["choices"]] if found and not live.state.result else []


def folds(sheet: Sheet) -> list[tuple[str, Json]]:
    """What is said of each fold of a round, and the seat's result where it is made."""
    found: list[tuple[str, Json]] = []
    for seed in range(SEEDS if sheet.has_fold else 1):
        for before in range(8):
            live = dealt(sheet, seed)
            for _ in range(before):
                stay = [one for one in choices(live) if not one["folds"] and "refused" not in one]
                if stay:
                    live.do("ann", Decide(1, stay[0]["play"]))
            (fold, *_) = [*(one for one in choices(live) if one["folds"]), None]
            if fold is not None:
                live.do("ann", Decide(1, fold["play"]))
                assert live.state.result is not None
                found.append((fold["loses"], live.state.result["seats"][0]))
            if not choices(live):
                break
        if found:
            break
    return found


def gone(result: Json) -> Cents:
    """The stakes that went with the fold, less what of them came back."""
    lost = [one for one in result["lines"] if one["outcome"] in ("fold", "surrender")]
    return Cents(sum(dollars(one["stake"]) - dollars(one.get("back", "0")) for one in lost))


@pytest.mark.parametrize("sheet", known_sheets(), ids=lambda one: one.id)
def test_a_fold_takes_what_it_said(sheet: Sheet) -> None:
    found = folds(sheet)
    assert bool(found) == sheet.has_fold
    assert [dollars(said) for said, _ in found] == [gone(result) for _, result in found]
    assert all(dollars(said) > 0 for said, _ in found)


def test_the_sheets_that_are_bundled_are_among_them() -> None:
    assert set(EVERY) <= {one.id for one in known_sheets()}


@pytest.mark.parametrize(("sheet", "half"), HALF.items())
def test_a_surrender_gives_up_half(sheet: str, half: str) -> None:
    assert {said for said, _ in folds(load(sheet))} == {half}


def test_only_a_fold_gives_something_up() -> None:
    for sheet in known_sheets():
        for one in choices(dealt(sheet, seed=1)):
            assert ("loses" in one) == one["folds"]
