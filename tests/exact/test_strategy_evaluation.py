"""Strategies: their own value, the spots they reach, and tables that are complete."""

from __future__ import annotations

from datetime import date
from fractions import Fraction
from functools import cache

import pytest
from hypothesis import given, settings
from tests.lanes import examples
from tests.random_sheets.sheets import street_stud_sheets
from tests.sheets.samples import CMS, MHL, OMS, modified_text

from pitbook.exact.methods.ladder.strategies import (
    LadderStrategy,
    class_name,
    rank_groups,
    street_tables,
)
from pitbook.exact.methods.points.strategies import PointsStrategy, points_tables
from pitbook.exact.rule_files import StrategyError
from pitbook.exact.strategies import follow, simpler_strategies, strategy_names
from pitbook.money import Cents
from pitbook.rules.families.street_stud.sheet import StreetStud
from pitbook.sheets.library import Library
from pitbook.sheets.load import examine
from pitbook.sheets.model import Sheet


@cache
def sheet(name: str) -> Sheet:
    return Library().load(name, date(2026, 1, 1))


@pytest.mark.parametrize("ante", [None, Cents(10000)], ids=["uncapped", "capped"])
@pytest.mark.parametrize("name", strategy_names(sheet(CMS)))
def test_backward_value_equals_forward_count(name: str, ante: Cents | None) -> None:
    strategy = follow(sheet(CMS), name, ante)
    assert strategy.expected == strategy.figures.expected


@pytest.mark.parametrize("name", strategy_names(sheet(MHL)))
def test_hi_lo_backward_value_equals_forward_count(name: str) -> None:
    strategy = follow(sheet(MHL), name)
    assert strategy.expected == strategy.figures.expected


def test_fold_rates_follow_the_strategy() -> None:
    best, never = follow(sheet(CMS)), follow(sheet(CMS), "never-fold")
    assert isinstance(best, LadderStrategy)
    assert isinstance(never, LadderStrategy)
    assert best.fold_rates["flop"] == Fraction(412, 1326)
    assert sum(never.fold_rates.values()) == 0


def test_simpler_strategies_never_gain() -> None:
    for name in (CMS, OMS, MHL):
        costs = dict(simpler_strategies(sheet(name)))
        assert costs
        assert all(cost >= 0 for cost in costs.values())


def test_dollar_maximum_can_leave_a_strategy_without_bets() -> None:
    text = modified_text(CMS, ("bets = [1, 2, 3]", 'bets = [1, 2, 3]\nbet_max = "600"'))
    stud = examine(text, "sheet.toml").sheet
    assert stud is not None
    with pytest.raises(StrategyError, match=r"At \$500, no Flop bet play is left without 1x\."):
        follow(stud, "never-1x", Cents(50000))
    assert set(dict(simpler_strategies(stud, Cents(50000)))) == {
        *("never-fold", "never-2x", "never-3x", "always-1x"),
    }


@pytest.mark.long
@pytest.mark.parametrize("ante", [None, Cents(200)], ids=["uncapped", "capped"])
def test_street_tables_list_every_reached_hand_once(ante: Cents | None) -> None:
    """Grouping hands by made hand and draw loses none."""
    strategy = follow(sheet(OMS), "best", ante)
    assert isinstance(strategy, LadderStrategy)
    for street in range(3):
        for table in street_tables(strategy, street):
            plays_by_hand = {
                hand: play
                for plays in (*table.made_hands.values(), *table.unpaired_hands.values())
                for play, hands in plays.items()
                for hand in hands
            }
            spots = strategy.spots(street, table.purse)
            assert plays_by_hand == {
                class_name(spot.hand): spot.play for spot in spots if spot.reached
            }


def test_ranks_are_grouped_by_pay_of_their_pairs() -> None:
    stud = sheet(CMS)
    assert isinstance(stud, StreetStud)
    assert [(group.name, group.span) for group in rank_groups(stud)] == [
        *(("high", "J-A"), ("middle", "6-10"), ("low", "2-5")),
    ]


def test_points_tables_list_every_hi_lo_hand_once() -> None:
    strategy = follow(sheet(MHL))
    assert isinstance(strategy, PointsStrategy)
    rows = [row for table in points_tables(strategy).values() for row in table]
    hands = [hand for row in rows for hands in row.plays.values() for hand in hands]
    assert len(hands) == len(set(hands)) == 455
    assert sum(row.share for row in rows) == 1
    assert sum(row.share * row.worth for row in rows) == strategy.expected


@pytest.mark.long
@settings(max_examples=examples(8, 60), deadline=None)
@given(street_stud_sheets())
def test_best_play_of_any_sheet_can_be_tabulated(stud: StreetStud) -> None:
    strategy = follow(stud)
    assert isinstance(strategy, LadderStrategy)
    assert strategy.expected == strategy.figures.expected
    for street in range(len(stud.streets)):
        assert list(street_tables(strategy, street)) or street
