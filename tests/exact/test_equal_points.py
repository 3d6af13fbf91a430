"""Ranks of equal points: which of them lies in the dealer's high hand is a field of the sheet."""

from __future__ import annotations

import pytest
from tests.exact.plain_hi_lo import PlainHiLo
from tests.generated_sheets import document
from tests.sheets.samples import MHL, findings, hi_lo, text_of
from tests.simulate.plans import SEED

from pitbook.cards import cards, names, rank
from pitbook.exact.advice import advise
from pitbook.exact.methods.points.solve import solve
from pitbook.money import Cents
from pitbook.rules.families.hi_lo.compile import HiLoGame
from pitbook.rules.families.hi_lo.sheet import HiLo
from pitbook.sheets.digest import digest
from pitbook.simulate.check import check
from pitbook.simulate.plan import plan
from pitbook.simulate.run import run

LINE = next(one for one in text_of(MHL).splitlines() if one.startswith("equal_points"))
ORDERS = ("two-to-ace", "ace-to-king", "ace-to-two", "king-to-ace")


def ordered(order: str, *, aces: int = 0) -> HiLo:
    """Aces count 11 in a high hand and as little as a king, or as a two, in a low one."""
    own = f'equal_points = {{ is = "{order}", clause = "HOUSE" }}'
    return hi_lo(MHL, (LINE, own), ("values = { A = 1", f"values = {{ A = {aces}"))


def test_a_sheet_without_the_field_is_the_sheet_that_it_was() -> None:
    silent = hi_lo(MHL, (f"{LINE}\n", ""))
    assert digest(silent) == digest(hi_lo(MHL))
    assert silent.dealer.equal_points.value == "two-to-ace"
    assert digest(ordered("ace-to-two", aces=1)) != digest(silent)


@pytest.mark.long
def test_every_order_has_its_own_figures() -> None:
    edges = {order: solve(ordered(order)).expected for order in ORDERS}
    # Between jacks, queens and kings nothing depends on the order: the ace alone counts.
    assert edges["two-to-ace"] == edges["king-to-ace"]
    assert edges["ace-to-king"] == edges["ace-to-two"]
    assert edges["two-to-ace"] != edges["ace-to-king"]


@pytest.mark.long
@pytest.mark.parametrize("order", ["ace-to-king", "king-to-ace"])
def test_spots_equal_plain_enumeration(order: str) -> None:
    sheet = ordered(order, aces=2)
    plain = PlainHiLo(document(sheet))
    for text in ("As Ks 9d", "2s 2d 3c"):
        own = cards(text)
        assert advise(sheet, own).actions == plain.values([rank(card) for card in own])


@pytest.mark.parametrize("order", ORDERS)
def test_the_dealer_lays_the_cards_in_that_order(order: str) -> None:
    laid = HiLoGame(ordered(order)).board_areas(cards("Js As 9s Ks Qs"))
    assert laid is not None
    low = {"two-to-ace": "Js Qs Ks", "ace-to-king": "As Js Qs", "ace-to-two": "As Ks Qs"}
    assert names(laid.low.cards) == low.get(order, "Ks Qs Js")


@pytest.mark.long
def test_simulation_lays_them_alike() -> None:
    found = check(run(plan(ordered("ace-to-king"), ante=Cents(10_00), seed=SEED), 10**6))
    assert found.agrees


@pytest.mark.parametrize(("order", "idle"), [("ace-to-king", True), ("ace-to-two", False)])
def test_an_order_that_changes_nothing_is_said_to_be_idle(order: str, idle: bool) -> None:
    own = f'equal_points = {{ is = "{order}", clause = "HOUSE" }}'
    said = [one for one in findings(MHL, (LINE, own)) if one.code == "idle"]
    assert [one.path for one in said] == ([("dealer", "equal_points")] if idle else [])
    assert not idle or "ranks of equal points rise just as from two to ace" in said[0].message
