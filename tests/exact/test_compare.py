"""Comparing two sheets: each line's effect equals solving the edited sheet."""

from __future__ import annotations

from fractions import Fraction

import pytest
from tests.exact.plain_stud import PlainStud
from tests.random_sheets.sheets import document
from tests.sheets.samples import CMS, LAS, MHL, OMS, Swap, hi_lo, stud, with_pays
from tests.sheets.samples import sheet_of as read

from pitbook.exact.compare import WagerComparison, compare_wagers, edge_of
from pitbook.exact.methods.ladder.solve import solve
from pitbook.exact.sheet_figures import prose_edge_change
from pitbook.exact.side_wagers import side_figures
from pitbook.money import Cents
from pitbook.sheets.model import Sheet

FIRST_LISTED = ('several_lines = { is = "highest"', 'several_lines = { is = "first-listed"')


def compare_one(
    a: Sheet, b: Sheet, wager: str = "main", ante: int | None = None
) -> WagerComparison:
    comparisons = compare_wagers(a, b, None if ante is None else Cents(ante))
    (comparison,) = (comparison for comparison in comparisons if comparison.wager == wager)
    return comparison


def test_lines_equal_solving_the_edited_sheet() -> None:
    a, b = stud(CMS), stud(OMS)
    main = compare_one(a, b)
    assert main.a == Fraction(53223, 1082900)
    assert main.difference == -solve(b).expected + solve(a).expected
    assert {line.line: (str(line.a), str(line.b)) for line in main.lines} == {
        "royal-flush": ("500:1", "250:1"),
        "straight-flush": ("100:1", "80:1"),
        "four-of-a-kind": ("40:1", "30:1"),
        "full-house": ("10:1", "8:1"),
    }
    for line in main.lines:
        edited = stud(CMS, (f'{line.line} = "{line.a}"', f'{line.line} = "{line.b}"'))
        assert line.edge == solve(a).expected - solve(edited).expected
        assert line.edge > 0


@pytest.mark.parametrize("ante", [5_00, 500_00])
def test_caps_apply_with_an_ante(ante: int) -> None:
    a, b = stud(CMS), stud(LAS)
    main = compare_one(a, b, ante=ante)
    assert main.lines == ()
    assert main.difference == solve(a, Cents(ante)).expected - solve(b, Cents(ante)).expected
    assert (main.difference == 0) == (ante == 5_00)


def test_line_missing_from_one_sheet() -> None:
    a = stud(CMS)
    b = stud(CMS, ('pair-6-10 = "push"\n', ""))
    (removed,) = compare_one(a, b).lines
    assert (removed.line, removed.a, removed.b) == ("pair-6-10", "push", None)
    assert removed.edge == solve(a).expected - solve(b).expected > Fraction(1, 5)
    (added,) = compare_one(b, a).lines
    assert (added.a, added.b) == (None, "push")
    assert added.edge == -removed.edge


@pytest.mark.parametrize(
    "swap",
    [
        ('royal-flush = "500:1"', 'royal-flush = "600:1"'),
        ('straight-flush = "100:1"', 'straight-flush = "120:1"'),
        ('\nflush = "6:1"', '\nflush = "7:1"'),
    ],
)
def test_changed_line_keeps_its_place_if_first_listed_pays(swap: Swap) -> None:
    a, b = stud(LAS, FIRST_LISTED), stud(LAS, FIRST_LISTED, swap)
    (changed,) = compare_one(a, b).lines
    assert changed.edge == solve(a).expected - solve(b).expected < 0


def test_new_line_takes_its_place_if_first_listed_pays() -> None:
    b = stud(CMS, FIRST_LISTED)
    a = stud(CMS, FIRST_LISTED, ('royal-flush = "500:1"\n', ""))
    (added,) = compare_one(a, b).lines
    assert added.edge == solve(a).expected - solve(b).expected < 0


def test_side_wagers_are_compared() -> None:
    a = stud(CMS)
    b = stud(CMS, ('straight-flush = "40:1"', 'straight-flush = "50:1"'))
    bonus = compare_one(a, b, "three-card-bonus")
    (line,) = bonus.lines
    assert line.edge == bonus.difference == -Fraction(10 * 48, 22_100)
    assert compare_one(a, b).lines == ()
    assert compare_one(a, b).difference == 0


def test_side_wager_missing_from_one_sheet() -> None:
    bonus = compare_one(stud(CMS), stud(LAS), "stax")
    assert bonus.a is None
    assert bonus.b == side_figures(stud(LAS), "stax").house_edge
    assert bonus.difference is None
    assert bonus.lines == ()
    document = bonus.document()
    assert (document["a"], document["difference"]) == (None, None)


def test_hi_lo_lines_are_compared() -> None:
    a, b = hi_lo(MHL), hi_lo(MHL, ('low = "1:1"', 'low = "2:1"'))
    (line,) = compare_one(a, b).lines
    assert line.edge == compare_one(a, b).difference
    assert line.edge < -Fraction(1, 4)
    poker = read(with_pays(MHL, "poker-bonus", "suited-three-of-a-kind 100:1, straight-flush 30:1"))
    lines = compare_one(a, poker, "poker-bonus").lines
    assert {line.line for line in lines} == {
        "three-of-a-kind",
        "straight",
        "suited-pair",
        "flush",
        "pair",
    }


def test_different_families_have_edges_but_no_lines() -> None:
    main = compare_one(stud(CMS), hi_lo(MHL))
    assert main.lines == ()
    assert main.difference == edge_of(hi_lo(MHL), "main") - edge_of(stud(CMS), "main")


@pytest.mark.slow
def test_oms_7_the_prose_is_worth_about_eight_points_of_edge() -> None:
    sheet = stud(OMS)
    worth = prose_edge_change(sheet)
    assert worth is not None
    assert Fraction(7, 100) < worth < Fraction(9, 100)
    eights = ('pair-J-A = "1:1"\npair-7-10 = "push"', 'pair-J-A = "1:1"\npair-8-10 = "push"')
    sevens = stud(OMS, eights, ('pair-6-10 = "push"', 'pair-7-10 = "push"'))
    assert worth == solve(sheet).expected - solve(sevens).expected
    assert worth == solve(sheet).expected - PlainStud(document(sevens)).round().expected
    assert prose_edge_change(stud(CMS)) is None
    assert prose_edge_change(hi_lo(MHL)) is None


def test_governing_prose_is_compared() -> None:
    prose_governs = stud(OMS, ('decides = "pays"', 'decides = "prose"'))
    main = compare_one(prose_governs, stud(OMS))
    assert [(line.line, line.a, line.b) for line in main.lines] == [("pair-6", None, "push")]
    assert main.difference == -Fraction(prose_edge_change(prose_governs) or 0)
