"""What the bundled sheets say that no round plays: signs, chips, places for cards, and our choices.

Everything else of a clause is played in tests/clauses; hashes in tests/golden hold every field.
"""

from __future__ import annotations

import pytest
from tests.sheets.samples import CMS, IDS, LAS, MHL, OMS, STAX, document_of, says, text_of


def test_cms_12_the_round_cap_is_posted() -> None:
    (limit,) = document_of(CMS)["limits"]
    assert limit["posted"] is True


def test_cms_17_the_house_is_in_iowa() -> None:
    says(CMS, house__jurisdiction="Iowa")


def test_oms_8_chips_of_one_to_four_dollars_and_no_bet_above_four() -> None:
    says(OMS, house__chips__values=["1", "2", "3", "4"], single_bet_max="4")


def test_mhl_7_8_and_10_where_wagers_and_cards_are_laid() -> None:
    says(MHL, double__area="the area not covered by cards", dealer__laid="right-to-left")
    areas = {"low": "Dealer's Lo Hand", "shared": "Shared Card", "high": "Dealer's Hi Hand"}
    says(MHL, dealer__areas=areas)
    says(MHL, settlement__high_laid="parallel to the dealer's cards")
    says(MHL, settlement__low_laid="across the dealer's cards")


def test_las_2_the_two_sheets_differ_in_stax_alone() -> None:
    own = ('id = "louisiana-stud/', 'title = "Louisiana Stud', "stake = { required =")
    lines = zip(text_of(LAS).splitlines(), text_of(STAX).splitlines(), strict=True)
    assert all(a == b or a.startswith(own) for a, b in lines)


@pytest.mark.parametrize("sheet", IDS)
def test_gen_choices_are_fields_of_every_sheet(sheet: str) -> None:
    """Each is played at one sheet or two in tests/clauses, and here said by all of them."""
    says(sheet, payouts__ace_in_straights="high-or-low", payouts__several_lines="highest")
    says(sheet, payouts__stake_counted=False, payouts__share_ties="lower-seat")
    says(sheet, irregularities__misdeal__returns="every-wager")
    says(sheet, irregularities__misdeal__until="last-seat-settled")
    says(sheet, irregularities__misdeal_over_offence=True)
    says(sheet, irregularities__early_card="void-round", irregularities__exposed_card="plays")
    says(sheet, irregularities__fouled_deck="void-round", best_play__ties="smallest-bet")
