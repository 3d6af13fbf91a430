"""A difference is split by hands: the rows add up exactly under any line names."""

from __future__ import annotations

from fractions import Fraction

import pytest
from tests.exact.plain_sides import returns
from tests.exact.test_compare import compare_one
from tests.random_sheets.sheets import document
from tests.sheets.samples import CMS, LAS, MHL, OMS, hi_lo, sheet_of, stud, text_of, with_pays

from pitbook.exact.compare import WagerComparison, compare_wagers
from pitbook.exact.methods.ladder.solve import solve
from pitbook.sheets.model import Sheet

FIVE = (
    "royal-flush 500:1, straight-flush 100:1, four-of-a-kind 40:1, full-house 10:1, flush 6:1, "
    "straight 4:1, three-of-a-kind 3:1, two-pair 2:1"
)
THREE = "straight-flush 40:1, three-of-a-kind 30:1, straight 6:1, flush 3:1, pair 1:1"

Row = tuple[str, str | None, str | None]


def line_rows(comparison: WagerComparison) -> list[Row]:
    return [(line.line, _text(line.a), _text(line.b)) for line in comparison.lines]


def _text(pay: object) -> str | None:
    return None if pay is None else str(pay)


def adds_up(comparison: WagerComparison) -> bool:
    assert comparison.other_rules is not None
    parts = [line.edge for line in comparison.lines]
    return sum(parts) + comparison.interaction + comparison.other_rules == comparison.difference


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("pair-J-A 1:1, pair-6-10 push", "pair-J-A 1:1, pair-7-10 push",
         [("pair-6", "push", None)]),
        ("pair-J-A 1:1", "pair-10-A 1:1", [("pair-10", None, "1:1")]),
        ("pair 1:1", "pair-2-8 1:1, pair-9 2:1, pair-10-A 2:1",
         [("pair-10-A", "1:1", "2:1"), ("pair-9", "1:1", "2:1")]),
        ("pair 1:1", "pair-2-A 2:1", [("pair", "1:1", "2:1")]),
        ("pair-2-10 push, pair-J-A 1:1", "pair-2-9 push, pair-J-A 1:1, pair-10 1:1",
         [("pair-10", "push", "1:1")]),
        ("pair 1:1", "pair 1:1, high-card-K-A push", [("high-card-K-A", None, "push")]),
    ],
)  # fmt: skip
def test_rows_are_by_hands_not_by_lines(first: str, second: str, expected: list[Row]) -> None:
    a = sheet_of(with_pays(LAS, "main", f"{FIVE}, {first}"))
    b = sheet_of(with_pays(LAS, "main", f"{FIVE}, {second}"))
    main = compare_one(a, b)
    assert line_rows(main) == expected
    assert adds_up(main)
    if len(expected) == 1:
        assert main.lines[0].edge == main.difference != 0
        reversed_main = compare_one(b, a)
        assert [line.edge for line in reversed_main.lines] == [-main.lines[0].edge]
        assert line_rows(reversed_main) == [(line, new, old) for line, old, new in expected]


def test_each_row_equals_solving_the_edited_sheet() -> None:
    """The losing pair of sixes, and the flush at 7:1, edited into the first sheet one at a time."""
    a = stud(OMS)
    sixes = ('pair-6-10 = "push"', 'pair-7-10 = "push"')
    flush = ('\nflush = "6:1"', '\nflush = "7:1"')
    main = compare_one(a, stud(OMS, sixes, flush))
    assert line_rows(main) == [("flush", "6:1", "7:1"), ("pair-6", "push", None)]
    for line, swap in zip(main.lines, (flush, sixes), strict=True):
        assert line.edge == solve(a).expected - solve(stud(OMS, swap)).expected
    assert adds_up(main)
    assert main.interaction != 0
    assert main.other_rules == 0


def test_straight_flush_paid_as_flush_gets_its_own_row() -> None:
    """Paid as a flush in one sheet and by its own line in the other: one row for these hands."""
    lines = "four-of-a-kind 6:1, full-house 6:1, flush 6:1"
    a = sheet_of(with_pays(LAS, "main", lines))
    b = sheet_of(with_pays(LAS, "main", f"straight-flush 50:1, {lines}"))
    main = compare_one(a, b)
    assert line_rows(main) == [("straight-flush", "6:1", "50:1")]
    assert adds_up(main)


def test_side_wager_rows_have_probabilities() -> None:
    a = sheet_of(with_pays(CMS, "three-card-bonus", THREE))
    changed_pays = THREE.replace("pair 1:1", "pair-8-A 1:1, pair-2-7 push")
    b = sheet_of(with_pays(CMS, "three-card-bonus", f"mini-royal 200:1, {changed_pays}"))
    bonus = compare_one(a, b, "three-card-bonus")
    assert line_rows(bonus) == [("mini-royal", "40:1", "200:1"), ("pair-2-7", "1:1", "push")]
    assert [line.probability for line in bonus.lines] == [
        *(Fraction(4, 22_100), Fraction(6 * 288, 22_100)),
    ]
    assert [line.edge for line in bonus.lines] == [-Fraction(640, 22_100), Fraction(1728, 22_100)]
    assert adds_up(bonus)
    plain = returns(document(b), "three-card-bonus")
    total = sum(ways for ways, _ in plain.values())
    assert bonus.b == -sum(ways * net for ways, net in plain.values()) / total


def test_hi_lo_bonus_rows() -> None:
    a = hi_lo(MHL)
    b = hi_lo(MHL, ('suited-pair = "3:1"', 'suited-pair = "4:1"'), ('match-2 = "1:1"\n', ""))
    poker, matches = compare_one(a, b, "poker-bonus"), compare_one(a, b, "matchem-bonus")
    assert line_rows(poker) == [("suited-pair", "3:1", "4:1")]
    assert line_rows(matches) == [("match-2", "1:1", None)]
    assert adds_up(poker)
    assert adds_up(matches)
    assert poker.lines[0].edge == poker.difference


def test_other_rules_are_reported_separately() -> None:
    text = text_of(CMS).replace('pair-6-10 = "push"', 'pair-7-10 = "push"', 1)
    b = sheet_of(text.replace("bets = [1, 2, 3]", "bets = [1, 2]"))
    main = compare_one(stud(CMS), b)
    assert line_rows(main) == [("pair-6", "push", None)]
    assert adds_up(main)
    assert main.other_rules
    assert main.interaction == 0


@pytest.mark.long
def test_comparisons_of_all_bundled_sheets_add_up() -> None:
    sheets: list[Sheet] = [stud(CMS), stud(OMS), stud(LAS), hi_lo(MHL)]
    for a in sheets:
        for b in sheets:
            for comparison in compare_wagers(a, b) if a.family == b.family else ():
                if comparison.difference is not None:
                    assert adds_up(comparison)
    assert solve(stud(CMS)).expected == -Fraction(53223, 1082900)
