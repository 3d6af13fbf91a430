"""Louisiana Stud's two sheets carry every number of their clauses; and the rules for all sheets."""

from __future__ import annotations

import pytest
from tests.sheets.samples import (
    CMS,
    IDS,
    LAS,
    MHL,
    OMS,
    STAX,
    cites,
    pays,
    says,
    stake,
    stud,
    text_of,
)

LOUISIANA = pytest.mark.parametrize("sheet", [LAS, STAX])
STREETS = range(3)


@LOUISIANA
def test_las_1_two_cards_and_three_in_common_of_one_deck(sheet: str) -> None:
    says(sheet, deck__decks=1, deck__shuffle="automatic", deck__fresh="each-round", deal__hole=2)
    says(sheet, deal__order=["players", "community"], seats__count=6, seats__per_player=1)
    says(sheet, irregularities__information__result="forfeit")
    assert stud(sheet).community == 3


def test_las_2_stax_is_optional_in_one_sheet_and_required_in_the_other() -> None:
    required = [stud(sheet).side["stax"].stake.required for sheet in (LAS, STAX)]
    assert required == [False, True]
    assert [stud(sheet).side["three-up"].stake.required for sheet in (LAS, STAX)] == [False] * 2
    own = ('id = "louisiana-stud/', 'title = "Louisiana Stud', "stake = { required =")
    lines = zip(text_of(LAS).splitlines(), text_of(STAX).splitlines(), strict=True)
    assert all(a == b or a.startswith(own) for a, b in lines)


@LOUISIANA
@pytest.mark.parametrize("number", STREETS)
def test_las_3_three_raises_of_one_to_three_antes(sheet: str, number: int) -> None:
    street = stud(sheet).streets[number]
    assert street.id == ("1st-raise", "2nd-raise", "3rd-raise")[number]
    assert (street.bets, street.fold, street.reveals.value) == ((1, 2, 3), True, 1)


@LOUISIANA
def test_las_4_a_fold_is_in_the_sheet(sheet: str) -> None:
    assert cites(sheet, "fold", "LAS-4")


@LOUISIANA
def test_las_5_and_6_side_wagers_play_after_a_fold_over_the_tucked_cards(sheet: str) -> None:
    says(sheet, side__three_dash_up__after_fold__plays=True, side__stax__after_fold__plays=True)
    says(sheet, fold__tucks_under=["three-up", "stax"])


@LOUISIANA
def test_las_7_8_and_9_three_up_for_all_seats_then_main_and_stax_seat_by_seat(sheet: str) -> None:
    says(sheet, settlement__passes=[["three-up"], ["main", "stax"]])
    says(sheet, settlement__direction="right-to-left")
    says(sheet, side__three_dash_up__looks_at="community", side__stax__looks_at="hand")


@LOUISIANA
def test_las_10_posted_tables_and_limits(sheet: str) -> None:
    assert pays(sheet, "main") == pays(CMS, "main")
    assert pays(sheet, "three-up") == pays(CMS, "three-card-bonus")
    assert pays(sheet, "stax") == (
        "royal-flush 500:1, straight-flush 200:1, four-of-a-kind 100:1, full-house 25:1, "
        "flush 15:1, straight 10:1, three-of-a-kind 7:1, two-pair 4:1, pair-J-A 2:1"
    )
    assert stake(sheet, "ante") == ("5", "500", "1")
    assert stake(sheet, "three-up") == stake(sheet, "stax") == ("1", "100", "1")


@LOUISIANA
def test_las_11_no_cap(sheet: str) -> None:
    assert stud(sheet).limits == ()
    assert cites(sheet, "uncapped", "LAS-11")


@pytest.mark.parametrize("sheet", IDS)
def test_gen_choices_are_fields_of_every_sheet(sheet: str) -> None:
    says(sheet, payouts__ace_in_straights="high-or-low", payouts__several_lines="highest")
    says(sheet, payouts__stake_counted=False, payouts__share_ties="lower-seat")
    says(sheet, irregularities__misdeal__returns="every-wager")
    says(sheet, irregularities__misdeal__until="last-seat-settled")
    says(sheet, irregularities__misdeal_over_offence=True)
    says(sheet, irregularities__early_card="void-round", irregularities__exposed_card="plays")
    says(sheet, irregularities__fouled_deck="void-round", best_play__ties="smallest-bet")


def test_gen_10_an_absent_player_folds_or_is_high_at_14() -> None:
    for sheet in (CMS, OMS, LAS, STAX):
        says(sheet, absent="fold")
    says(MHL, declare__absent_high_at=14, double__within_max=False)
