"""Groups of hands that a pay table cannot tell apart."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest
from tests.sheets.samples import CMS, stud

from pitbook.exact.methods.ladder.solve import solve
from pitbook.exact.methods.ladder.transitions import class_sizes, draw_count, kind_counts
from pitbook.money import Cents


@pytest.mark.parametrize("ante", [None, Cents(500_00)])
def test_groups_hold_every_hand_and_every_draw(ante: Cents | None) -> None:
    terms = solve(stud(CMS), ante).terms
    for groups, cards, more in zip(
        terms.groups, terms.ladder.cards_seen, terms.ladder.reveals, strict=True
    ):
        assert groups.hands.sum() == comb(52, cards)
        assert (groups.ways.sum(axis=1) == draw_count(cards, more)).all()


def test_hands_of_a_group_reach_every_pay_in_as_many_ways() -> None:
    terms = solve(stud(CMS)).terms
    groups, counts = terms.groups[-1], kind_counts(4, terms.ace)
    kinds = np.array(terms.representative_kinds)
    for pay, kind in enumerate(terms.kinds_by_pay):
        ways = counts[:, kinds == kind].sum(axis=1)
        assert (groups.ways[groups.of_class, pay] == ways).all()


def test_a_thousand_classes_become_few_groups() -> None:
    terms = solve(stud(CMS)).terms
    assert [len(groups.hands) for groups in terms.groups] == [83, 88, 65]
    assert [len(class_sizes(cards, terms.ace)) for cards in (2, 3, 4)] == [169, 741, 2_535]
