"""A difference is split by hands: whatever the lines are called, the rows add up exactly."""

from __future__ import annotations

from fractions import Fraction

import pytest
from tests.exact.plain_sides import returns
from tests.exact.test_compare import of
from tests.generated_sheets import document
from tests.sheets.samples import CMS, LAS, MHL, OMS, hi_lo, sheet_of, stud, text_of, with_pays

from pitbook.exact.compare import WagerComparison, compare
from pitbook.exact.methods.ladder.solve import solve
from pitbook.sheets.model import Sheet

FIVE = (
    "royal-flush 500:1, straight-flush 100:1, four-of-a-kind 40:1, full-house 10:1, flush 6:1, "
    "straight 4:1, three-of-a-kind 3:1, two-pair 2:1"
)
THREE = "straight-flush 40:1, three-of-a-kind 30:1, straight 6:1, flush 3:1, pair 1:1"

Row = tuple[str, str | None, str | None]


def rows(one: WagerComparison) -> list[Row]:
    return [(line.line, line.a, line.b) for line in one.lines]


def adds_up(one: WagerComparison) -> bool:
    assert one.other_rules is not None
    parts = [line.edge for line in one.lines]
    return sum(parts) + one.interplay + one.other_rules == one.together


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
def test_rows_are_hands_and_not_lines(first: str, second: str, expected: list[Row]) -> None:
    a = sheet_of(with_pays(LAS, "main", f"{FIVE}, {first}"))
    b = sheet_of(with_pays(LAS, "main", f"{FIVE}, {second}"))
    main = of(a, b)
    assert rows(main) == expected
    assert adds_up(main)
    if len(expected) == 1:
        assert main.lines[0].edge == main.together != 0
        back = of(b, a)
        assert [line.edge for line in back.lines] == [-main.lines[0].edge]
        assert rows(back) == [(line, new, old) for line, old, new in expected]


def test_each_row_is_what_the_edited_sheet_says() -> None:
    """The pair of sixes that loses, and the flush at 7:1, put into the first sheet one by one."""
    a = stud(OMS)
    sixes = ('pair-6-10 = "push"', 'pair-7-10 = "push"')
    flush = ('\nflush = "6:1"', '\nflush = "7:1"')
    main = of(a, stud(OMS, sixes, flush))
    assert rows(main) == [("flush", "6:1", "7:1"), ("pair-6", "push", None)]
    for line, swap in zip(main.lines, (flush, sixes), strict=True):
        assert line.edge == solve(a).expected - solve(stud(OMS, swap)).expected
    assert adds_up(main)
    assert main.interplay != 0
    assert main.other_rules == 0


def test_a_straight_flush_without_a_line_of_its_own() -> None:
    """Paid as a flush in one sheet and by its own line in the other: a row for just these hands."""
    lines = "four-of-a-kind 6:1, full-house 6:1, flush 6:1"
    a = sheet_of(with_pays(LAS, "main", lines))
    b = sheet_of(with_pays(LAS, "main", f"straight-flush 50:1, {lines}"))
    main = of(a, b)
    assert rows(main) == [("straight-flush", "6:1", "50:1")]
    assert adds_up(main)


def test_side_wagers_and_how_often_their_hands_come() -> None:
    a = sheet_of(with_pays(CMS, "three-card-bonus", THREE))
    other = THREE.replace("pair 1:1", "pair-8-A 1:1, pair-2-7 push")
    b = sheet_of(with_pays(CMS, "three-card-bonus", f"mini-royal 200:1, {other}"))
    bonus = of(a, b, "three-card-bonus")
    assert rows(bonus) == [("mini-royal", "40:1", "200:1"), ("pair-2-7", "1:1", "push")]
    assert [line.probability for line in bonus.lines] == [
        *(Fraction(4, 22_100), Fraction(6 * 288, 22_100)),
    ]
    assert [line.edge for line in bonus.lines] == [-Fraction(640, 22_100), Fraction(1728, 22_100)]
    assert adds_up(bonus)
    plain = returns(document(b), "three-card-bonus")
    total = sum(ways for ways, _ in plain.values())
    assert bonus.b == -sum(ways * net for ways, net in plain.values()) / total


def test_matches_and_suited_pairs_of_hi_lo() -> None:
    a = hi_lo(MHL)
    b = hi_lo(MHL, ('suited-pair = "3:1"', 'suited-pair = "4:1"'), ('match-2 = "1:1"\n', ""))
    poker, matched = of(a, b, "poker-bonus"), of(a, b, "matchem-bonus")
    assert rows(poker) == [("suited-pair", "3:1", "4:1")]
    assert rows(matched) == [("match-2", "1:1", None)]
    assert adds_up(poker)
    assert adds_up(matched)
    assert poker.lines[0].edge == poker.together


def test_rules_other_than_the_pay_table_have_a_row_of_their_own() -> None:
    text = text_of(CMS).replace('pair-6-10 = "push"', 'pair-7-10 = "push"', 1)
    b = sheet_of(text.replace("bets = [1, 2, 3]", "bets = [1, 2]"))
    main = of(stud(CMS), b)
    assert rows(main) == [("pair-6", "push", None)]
    assert adds_up(main)
    assert main.other_rules
    assert main.interplay == 0


@pytest.mark.long
def test_every_two_bundled_sheets_add_up() -> None:
    sheets: list[Sheet] = [stud(CMS), stud(OMS), stud(LAS), hi_lo(MHL)]
    for a in sheets:
        for b in sheets:
            for one in compare(a, b) if a.family == b.family else ():
                if one.together is not None:
                    assert adds_up(one)
    assert solve(stud(CMS)).expected == -Fraction(53223, 1082900)
