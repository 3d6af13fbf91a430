"""Rules of the bundled sheets that no round tests: signs, chips, placement of cards, our choices.

All others are tested in tests/clauses; hashes in tests/golden cover every field.
"""

from __future__ import annotations

import pytest
from tests.sheets.samples import CMS, IDS, LAS, MHL, OMS, STAX, assert_fields, document_of, text_of


def test_cms_12_the_round_cap_is_posted() -> None:
    (limit,) = document_of(CMS)["limits"]
    assert limit["posted"] is True


def test_cms_17_the_house_is_in_iowa() -> None:
    assert_fields(CMS, house__jurisdiction="Iowa")


def test_oms_8_chips_of_one_to_four_dollars_and_no_bet_above_four() -> None:
    assert_fields(OMS, house__chips__values=["1", "2", "3", "4"], single_bet_max="4")


def test_mhl_7_8_and_10_placement_of_wagers_and_cards() -> None:
    assert_fields(MHL, double__area="the area not covered by cards", dealer__laid="right-to-left")
    areas = {"low": "Dealer's Lo Hand", "shared": "Shared Card", "high": "Dealer's Hi Hand"}
    assert_fields(MHL, dealer__areas=areas)
    assert_fields(MHL, settlement__high_laid="parallel to the dealer's cards")
    assert_fields(MHL, settlement__low_laid="across the dealer's cards")


def test_las_2_the_two_sheets_differ_in_stax_only() -> None:
    own_lines = ('id = "louisiana-stud/', 'title = "Louisiana Stud', "stake = { required =")
    lines = zip(text_of(LAS).splitlines(), text_of(STAX).splitlines(), strict=True)
    assert all(a == b or a.startswith(own_lines) for a, b in lines)


@pytest.mark.parametrize("sheet", IDS)
def test_gen_choices_are_fields_of_every_sheet(sheet: str) -> None:
    """Tests in tests/clauses cover one or two sheets per choice; here all sheets state them."""
    assert_fields(sheet, payouts__ace_in_straights="high-or-low", payouts__several_lines="highest")
    assert_fields(sheet, payouts__stake_counted=False, payouts__share_ties="lower-seat")
    assert_fields(sheet, irregularities__misdeal__returns="every-wager")
    assert_fields(sheet, irregularities__misdeal__until="last-seat-settled")
    assert_fields(sheet, irregularities__misdeal_over_offence=True)
    assert_fields(
        sheet, irregularities__early_card="void-round", irregularities__exposed_card="plays"
    )
    assert_fields(sheet, irregularities__fouled_deck="void-round", best_play__ties="smallest-bet")
