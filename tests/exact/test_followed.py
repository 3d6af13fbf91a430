"""Any strategy laid out: its own value, the spots it meets, and tables that tell all of it."""

from __future__ import annotations

from datetime import date
from fractions import Fraction
from functools import cache

import pytest
from hypothesis import given, settings
from tests.generated_sheets import street_stud_sheets
from tests.lanes import examples
from tests.sheets.samples import CMS, MHL, OMS, changed

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
def test_value_worked_backward_is_the_one_counted_forward(name: str, ante: Cents | None) -> None:
    followed = follow(sheet(CMS), name, ante)
    assert followed.expected == followed.figures.expected


@pytest.mark.parametrize("name", strategy_names(sheet(MHL)))
def test_hi_lo_too(name: str) -> None:
    followed = follow(sheet(MHL), name)
    assert followed.expected == followed.figures.expected


def test_fold_rates_are_those_of_the_strategy() -> None:
    best, never = follow(sheet(CMS)), follow(sheet(CMS), "never-fold")
    assert isinstance(best, LadderStrategy)
    assert isinstance(never, LadderStrategy)
    assert best.fold_rates["flop"] == Fraction(412, 1326)
    assert sum(never.fold_rates.values()) == 0


def test_simpler_play_never_gains() -> None:
    for name in (CMS, OMS, MHL):
        costs = dict(simpler_strategies(sheet(name)))
        assert costs
        assert all(cost >= 0 for cost in costs.values())


def test_a_maximum_in_dollars_can_leave_no_bet_for_a_strategy() -> None:
    text = changed(CMS, ("bets = [1, 2, 3]", 'bets = [1, 2, 3]\nbet_max = "600"'))
    stud = examine(text, "sheet.toml").sheet
    assert stud is not None
    with pytest.raises(StrategyError, match=r"at \$500 no Flop bet is left without 1x"):
        follow(stud, "never-1x", Cents(50000))
    assert set(dict(simpler_strategies(stud, Cents(50000)))) == {
        *("never-fold", "never-2x", "never-3x", "always-1x"),
    }


@pytest.mark.long
@pytest.mark.parametrize("ante", [None, Cents(200)], ids=["uncapped", "capped"])
def test_tables_tell_every_hand_that_comes_up_once(ante: Cents | None) -> None:
    """Nothing is lost by telling hands by what they hold and what they draw to."""
    followed = follow(sheet(OMS), "best", ante)
    assert isinstance(followed, LadderStrategy)
    for street in range(3):
        for table in street_tables(followed, street):
            told = {
                hand: play
                for plays in (*table.made.values(), *table.loose.values())
                for play, hands in plays.items()
                for hand in hands
            }
            spots = followed.spots(street, table.purse)
            assert told == {class_name(s.hand): s.play for s in spots if s.reached}


def test_ranks_are_grouped_by_what_their_pairs_pay() -> None:
    stud = sheet(CMS)
    assert isinstance(stud, StreetStud)
    assert [(one.name, one.span) for one in rank_groups(stud)] == [
        *(("high", "J-A"), ("middle", "6-10"), ("low", "2-5")),
    ]


def test_points_tell_every_hi_lo_hand_once() -> None:
    declared = follow(sheet(MHL))
    assert isinstance(declared, PointsStrategy)
    rows = [row for table in points_tables(declared).values() for row in table]
    hands = [hand for row in rows for hands in row.plays.values() for hand in hands]
    assert len(hands) == len(set(hands)) == 455
    assert sum(row.share for row in rows) == 1
    assert sum(row.share * row.worth for row in rows) == declared.expected


@pytest.mark.long
@settings(max_examples=examples(8, 60), deadline=None)
@given(street_stud_sheets())
def test_whatever_the_sheet_its_best_play_can_be_laid_out(stud: StreetStud) -> None:
    followed = follow(stud)
    assert isinstance(followed, LadderStrategy)
    assert followed.expected == followed.figures.expected
    for street in range(len(stud.streets)):
        assert list(street_tables(followed, street)) or street
