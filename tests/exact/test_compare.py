"""Two sheets compared: each line's worth is what solving the edited sheet says."""

from __future__ import annotations

from fractions import Fraction

import pytest
from tests.exact.plain_stud import PlainStud
from tests.generated_sheets import document
from tests.sheets.samples import CMS, LAS, MHL, OMS, Swap, hi_lo, stud, with_pays
from tests.sheets.samples import sheet_of as read

from pitbook.exact.compare import WagerComparison, compare, edge_of
from pitbook.exact.methods.ladder.solve import solve
from pitbook.exact.sheet_figures import prose_edge_change
from pitbook.exact.side_wagers import side_figures
from pitbook.money import Cents
from pitbook.sheets.model import Sheet

FIRST_LISTED = ('several_lines = { is = "highest"', 'several_lines = { is = "first-listed"')


def of(a: Sheet, b: Sheet, wager: str = "main", ante: int | None = None) -> WagerComparison:
    found = compare(a, b, None if ante is None else Cents(ante))
    (one,) = (one for one in found if one.wager == wager)
    return one


def test_catfish_bend_against_oceanfront_line_by_line() -> None:
    a, b = stud(CMS), stud(OMS)
    main = of(a, b)
    assert main.a == Fraction(53223, 1082900)
    assert main.together == -solve(b).expected + solve(a).expected
    assert {one.line: (one.a, one.b) for one in main.lines} == {
        "royal-flush": ("500:1", "250:1"),
        "straight-flush": ("100:1", "80:1"),
        "four-of-a-kind": ("40:1", "30:1"),
        "full-house": ("10:1", "8:1"),
    }
    for one in main.lines:
        edited = stud(CMS, (f'{one.line} = "{one.a}"', f'{one.line} = "{one.b}"'))
        assert one.edge == solve(a).expected - solve(edited).expected
        assert one.edge > 0


@pytest.mark.parametrize("ante", [5_00, 500_00])
def test_caps_enter_where_an_ante_is_given(ante: int) -> None:
    a, b = stud(CMS), stud(LAS)
    main = of(a, b, ante=ante)
    assert main.lines == ()
    assert main.together == solve(a, Cents(ante)).expected - solve(b, Cents(ante)).expected
    assert (main.together == 0) == (ante == 5_00)


def test_a_line_that_one_sheet_has_not() -> None:
    a = stud(CMS)
    b = stud(CMS, ('pair-6-10 = "push"\n', ""))
    (gone,) = of(a, b).lines
    assert (gone.line, gone.a, gone.b) == ("pair-6-10", "push", None)
    assert gone.edge == solve(a).expected - solve(b).expected > Fraction(1, 5)
    (added,) = of(b, a).lines
    assert (added.a, added.b) == (None, "push")
    assert added.edge == -gone.edge


@pytest.mark.parametrize(
    "swap",
    [
        ('royal-flush = "500:1"', 'royal-flush = "600:1"'),
        ('straight-flush = "100:1"', 'straight-flush = "120:1"'),
        ('\nflush = "6:1"', '\nflush = "7:1"'),
    ],
)
def test_where_the_first_line_listed_pays_a_line_keeps_its_place(swap: Swap) -> None:
    a, b = stud(LAS, FIRST_LISTED), stud(LAS, FIRST_LISTED, swap)
    (changed,) = of(a, b).lines
    assert changed.edge == solve(a).expected - solve(b).expected < 0


def test_a_new_line_takes_its_place_where_the_first_listed_pays() -> None:
    b = stud(CMS, FIRST_LISTED)
    a = stud(CMS, FIRST_LISTED, ('royal-flush = "500:1"\n', ""))
    (added,) = of(a, b).lines
    assert added.edge == solve(a).expected - solve(b).expected < 0


def test_side_wagers_are_compared_too() -> None:
    a = stud(CMS)
    b = stud(CMS, ('straight-flush = "40:1"', 'straight-flush = "50:1"'))
    bonus = of(a, b, "three-card-bonus")
    (line,) = bonus.lines
    assert line.edge == bonus.together == -Fraction(10 * 48, 22_100)
    assert of(a, b).lines == ()
    assert of(a, b).together == 0


def test_a_side_wager_that_one_sheet_has_not() -> None:
    bonus = of(stud(CMS), stud(LAS), "stax")
    assert bonus.a is None
    assert bonus.b == side_figures(stud(LAS), "stax").house_edge
    assert bonus.together is None
    assert bonus.lines == ()
    document = bonus.document()
    assert (document["a"], document["difference"]) == (None, None)


def test_hi_lo_line_by_line() -> None:
    a, b = hi_lo(MHL), hi_lo(MHL, ('low = "1:1"', 'low = "2:1"'))
    (line,) = of(a, b).lines
    assert line.edge == of(a, b).together
    assert line.edge < -Fraction(1, 4)
    poker = read(with_pays(MHL, "poker-bonus", "suited-three-of-a-kind 100:1, straight-flush 30:1"))
    lines = of(a, poker, "poker-bonus").lines
    assert {one.line for one in lines} == {
        "three-of-a-kind",
        "straight",
        "suited-pair",
        "flush",
        "pair",
    }


def test_another_family_has_edges_and_no_lines() -> None:
    main = of(stud(CMS), hi_lo(MHL))
    assert main.lines == ()
    assert main.together == edge_of(hi_lo(MHL), "main") - edge_of(stud(CMS), "main")


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


def test_prose_that_decides_is_what_is_compared() -> None:
    told = stud(OMS, ('decides = "pays"', 'decides = "prose"'))
    main = of(told, stud(OMS))
    assert [(one.line, one.a, one.b) for one in main.lines] == [("pair-6", None, "push")]
    assert main.together == -Fraction(prose_edge_change(told) or 0)
