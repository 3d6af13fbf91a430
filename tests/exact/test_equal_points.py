"""Ranks of equal points: a sheet field decides which of them goes into the dealer's high hand."""

from __future__ import annotations

import pytest
from tests.exact.plain_hi_lo import PlainHiLo
from tests.random_sheets.sheets import document
from tests.sheets.samples import MHL, findings, hi_lo, text_of
from tests.simulation.plans import SEED

from pitbook.cards import cards, names, rank
from pitbook.exact.advice import advise
from pitbook.exact.methods.points.solve import solve
from pitbook.money import Cents
from pitbook.rules.families.hi_lo.game import HiLoGame
from pitbook.rules.families.hi_lo.sheet import HiLo
from pitbook.sheets.hashes import digest
from pitbook.simulation.compare_with_exact import check
from pitbook.simulation.plan import plan
from pitbook.simulation.run import run

LINE = next(line for line in text_of(MHL).splitlines() if line.startswith("equal_points"))
ORDERS = ("two-to-ace", "ace-to-king", "ace-to-two", "king-to-ace")


def sheet_with_order(order: str, *, aces: int = 0) -> HiLo:
    """Aces count 11 in a high hand; in a low hand 0 like a king (default), or another value."""
    field = f'equal_points = {{ is = "{order}", clause = "HOUSE" }}'
    return hi_lo(MHL, (LINE, field), ("values = { A = 1", f"values = {{ A = {aces}"))


def test_default_order_does_not_change_the_digest() -> None:
    without_field = hi_lo(MHL, (f"{LINE}\n", ""))
    assert digest(without_field) == digest(hi_lo(MHL))
    assert without_field.dealer.equal_points.value == "two-to-ace"
    assert digest(sheet_with_order("ace-to-two", aces=1)) != digest(without_field)


@pytest.mark.long
def test_order_changes_figures_only_through_the_ace() -> None:
    edges = {order: solve(sheet_with_order(order)).expected for order in ORDERS}
    # Among jacks, queens and kings the order has no effect; only the ace matters.
    assert edges["two-to-ace"] == edges["king-to-ace"]
    assert edges["ace-to-king"] == edges["ace-to-two"]
    assert edges["two-to-ace"] != edges["ace-to-king"]


@pytest.mark.long
@pytest.mark.parametrize("order", ["ace-to-king", "king-to-ace"])
def test_spots_equal_plain_enumeration(order: str) -> None:
    sheet = sheet_with_order(order, aces=2)
    plain = PlainHiLo(document(sheet))
    for text in ("As Ks 9d", "2s 2d 3c"):
        hand = cards(text)
        assert advise(sheet, hand).actions == plain.values([rank(card) for card in hand])


@pytest.mark.parametrize("order", ORDERS)
def test_dealer_sets_cards_in_the_order_of_the_sheet(order: str) -> None:
    areas = HiLoGame(sheet_with_order(order)).board_areas(cards("Js As 9s Ks Qs"))
    assert areas is not None
    low = {"two-to-ace": "Js Qs Ks", "ace-to-king": "As Js Qs", "ace-to-two": "As Ks Qs"}
    assert names(areas.low.cards) == low.get(order, "Ks Qs Js")


@pytest.mark.long
def test_simulation_agrees_with_changed_order() -> None:
    check_result = check(
        run(plan(sheet_with_order("ace-to-king"), ante=Cents(10_00), seed=SEED), 10**6)
    )
    assert check_result.agrees


@pytest.mark.parametrize(("order", "idle"), [("ace-to-king", True), ("ace-to-two", False)])
def test_order_without_effect_is_reported_as_idle(order: str, idle: bool) -> None:
    field = f'equal_points = {{ is = "{order}", clause = "HOUSE" }}'
    idle_findings = [finding for finding in findings(MHL, (LINE, field)) if finding.code == "idle"]
    assert [finding.path for finding in idle_findings] == (
        [("dealer", "equal_points")] if idle else []
    )
    assert not idle or "Ranks with equal points rank from two to ace" in idle_findings[0].message
