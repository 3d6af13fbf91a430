"""Packs and shuffles of each sheet, with clauses."""

from __future__ import annotations

import pytest
from tests.clauses.one_line_rounds import CMS, LAS, MHL, OMS

from pitbook.rules.refusals import Code, Refusal
from pitbook.sheets.model import Sheet
from pitbook.shoe.packs import FreshShoeRule, Pack, ShuffleRule, fresh_due, next_pack, next_shuffle


def with_deck(sheet: Sheet, **changes: object) -> Sheet:
    return sheet.model_copy(update={"deck": sheet.deck.model_copy(update=changes)})


def deck_choice(sheet: Sheet, field: str, value: object) -> object:
    choice = getattr(sheet.deck, field)
    return choice.model_copy(update={"value": value})


def with_cut_card(behind: int) -> Sheet:
    return with_deck(MHL, fresh=deck_choice(MHL, "fresh", "cut-card"), cut_card=behind)


def test_oms_2_two_decks_alternate() -> None:
    assert next_pack(OMS, None) == Pack(1, "OMS-2")
    assert next_pack(OMS, 1) == Pack(2, "OMS-2")
    assert next_pack(OMS, 2) == Pack(1, "OMS-2")


def test_as_many_packs_alternate_as_the_equipment_has() -> None:
    assert OMS.equipment is not None
    with_three_packs = OMS.model_copy(
        update={"equipment": OMS.equipment.model_copy(update={"packs": 3})}
    )
    assert [next_pack(with_three_packs, last).pack for last in (None, 1, 2, 3)] == [1, 2, 3, 1]
    unlisted = OMS.model_copy(update={"equipment": None})
    assert [next_pack(unlisted, last).pack for last in (None, 1, 2)] == [1, 2, 1]


@pytest.mark.parametrize(("sheet", "clause"), [(CMS, "CMS-3"), (MHL, "MHL-2"), (LAS, "LAS-1")])
def test_one_pack_without_alternation(sheet: Sheet, clause: str) -> None:
    assert next_pack(sheet, None) == next_pack(sheet, 1) == Pack(1, clause)
    without_alternation = with_deck(OMS, alternate=deck_choice(OMS, "alternate", False))
    assert next_pack(without_alternation, 1) == Pack(1, "OMS-2")


@pytest.mark.parametrize(
    ("sheet", "shuffle_rule"),
    [
        (CMS, ShuffleRule("automatic", 1, "CMS-3")),
        (OMS, ShuffleRule("hand", 1, "OMS-2")),
        (MHL, ShuffleRule("automatic", 1, "MHL-2")),
        (LAS, ShuffleRule("automatic", 1, "LAS-1")),
    ],
)
def test_each_sheet_has_its_shuffle(sheet: Sheet, shuffle_rule: ShuffleRule) -> None:
    assert next_shuffle(sheet) == next_shuffle(sheet, machine_works=True) == shuffle_rule


def test_mhl_2_when_the_machine_fails_the_blackjack_shuffle_is_done_three_times() -> None:
    assert next_shuffle(MHL, machine_works=False) == ShuffleRule("house-blackjack", 3, "MHL-2")


@pytest.mark.parametrize(("sheet", "clause"), [(CMS, "CMS-3"), (LAS, "LAS-1")])
def test_cms_3_no_shuffler_no_game(sheet: Sheet, clause: str) -> None:
    message = (
        "The shuffler is out of service and the sheet has no other shuffle, so no round can start."
    )
    assert next_shuffle(sheet, machine_works=False) == Refusal(Code.NOT_NOW, message, clause)


def test_oms_2_a_hand_shuffle_needs_no_machine() -> None:
    assert next_shuffle(OMS, machine_works=False) == ShuffleRule("hand", 1, "OMS-2")


def test_a_hand_shuffle_can_be_the_fallback() -> None:
    sheet = with_deck(CMS, fallback=deck_choice(CMS, "fallback", "hand"), fallback_times=2)
    assert next_shuffle(sheet, machine_works=False) == ShuffleRule("hand", 2, "CMS-3")


@pytest.mark.parametrize(
    ("sheet", "clause"), [(CMS, "CMS-3"), (OMS, "OMS-2"), (MHL, "MHL-2"), (LAS, "LAS-1")]
)
def test_cards_are_fresh_each_round_if_the_sheet_says_so(sheet: Sheet, clause: str) -> None:
    for left in (None, 0, 30, 52 * sheet.deck.decks):
        assert fresh_due(sheet, left) == FreshShoeRule(True, clause)


@pytest.mark.parametrize(
    ("behind", "left", "due"),
    [
        (60, None, True),
        (60, 312, False),
        (60, 61, False),
        (60, 60, True),
        (60, 59, True),
        (5, 23, False),  # Six hands of three cards and the dealer's five.
        (5, 22, True),
    ],
)
def test_mhl_2_a_shoe_lasts_until_the_cut_card(behind: int, left: int | None, due: bool) -> None:
    assert fresh_due(with_cut_card(behind), left) == FreshShoeRule(due, "MHL-2")
