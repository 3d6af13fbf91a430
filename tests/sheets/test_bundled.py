"""Each bundled sheet carries every number of its clauses, read off as a dealer would."""

from __future__ import annotations

import datetime

import pytest
from tests.sheets.samples import (
    CMS,
    MHL,
    OMS,
    cites,
    document_of,
    hi_lo,
    pays,
    says,
    stake,
    stud,
)

STREETS = range(3)


def test_cms_1_hands_play_against_a_pay_table() -> None:
    says(CMS, play__against="pay-table")
    assert stud(CMS).deal.hole.value + stud(CMS).community == 5


def test_cms_2_ante_bonus_and_six_seats() -> None:
    assert stake(CMS, "ante") == ("5", "500", "1")
    assert stake(CMS, "three-card-bonus") == ("1", "100", "1")
    assert stud(CMS).side["three-card-bonus"].stake.required is False
    says(CMS, seats__count=6)


def test_cms_3_one_deck_from_an_automatic_shuffler_fresh_each_round() -> None:
    says(CMS, deck__decks=1, deck__shuffle="automatic")
    says(CMS, deck__fallback="no-game", deck__fresh="each-round")


def test_cms_4_community_first_then_two_cards_left_to_right() -> None:
    says(CMS, deal__order=["community", "players"], deal__direction="left-to-right")
    says(CMS, deal__hole=2)


@pytest.mark.parametrize("number", STREETS)
def test_cms_5_flop_turn_and_river_are_one_to_three_antes_or_fold(number: int) -> None:
    street = stud(CMS).streets[number]
    assert street.id == ("flop", "turn", "river")[number]
    assert (street.bets, street.fold, street.bet_max) == ((1, 2, 3), True, None)


def test_cms_6_a_fold_is_in_the_sheet() -> None:
    assert cites(CMS, "fold", "CMS-6")


@pytest.mark.parametrize("number", STREETS)
def test_cms_7_one_card_is_turned_after_each_decision(number: int) -> None:
    says(CMS, **{f"streets__{number}__reveals": 1})
    assert stud(CMS).community == 3


def test_cms_8_settlement_runs_right_to_left_main_before_bonus() -> None:
    says(CMS, settlement__direction="right-to-left")
    says(CMS, settlement__passes=[["main", "three-card-bonus"]])


def test_cms_9_main_pay_table() -> None:
    assert pays(CMS, "main") == (
        "royal-flush 500:1, straight-flush 100:1, four-of-a-kind 40:1, full-house 10:1, "
        "flush 6:1, straight 4:1, three-of-a-kind 3:1, two-pair 2:1, pair-J-A 1:1, pair-6-10 push"
    )


def test_cms_10_bonus_pay_table_on_the_community_cards() -> None:
    assert stud(CMS).side["three-card-bonus"].looks_at == "community"
    assert pays(CMS, "three-card-bonus") == (
        "straight-flush 40:1, three-of-a-kind 30:1, straight 6:1, flush 3:1, pair 1:1"
    )


def test_cms_11_the_bonus_plays_after_a_fold_over_the_tucked_cards() -> None:
    after_fold = stud(CMS).side["three-card-bonus"].after_fold
    assert after_fold is not None
    assert after_fold.plays
    says(CMS, fold__tucks_under=["three-card-bonus"])


def test_cms_12_round_cap_on_odds_of_100_and_more() -> None:
    (limit,) = document_of(CMS)["limits"]
    assert (limit["per"], limit["pays_max"], limit["posted"]) == ("round", "25000", True)
    assert limit["counts"] == {"odds_at_least": "100:1"}


def test_cms_13_wrong_number_of_cards_is_a_misdeal() -> None:
    says(CMS, irregularities__wrong_card_count__result="misdeal")
    says(CMS, irregularities__wrong_card_count__hands=["player", "community"])


def test_cms_14_one_hand_a_player() -> None:
    says(CMS, seats__per_player=1)
    assert cites(CMS, "seats.per_player", "CMS-14")


def test_cms_15_cards_off_the_table_are_warned() -> None:
    says(CMS, irregularities__cards_off_table="warn")


def test_cms_16_information_forfeits_the_hands_of_giver_and_taker() -> None:
    says(CMS, irregularities__information__result="forfeit")
    says(CMS, irregularities__information__whose="giver-and-taker")


def test_cms_17_approved_and_in_force_from_12_march_2018() -> None:
    day = datetime.date(2018, 3, 12)
    says(CMS, house__approval__by="Iowa Racing and Gaming Commission", house__approval__on=day)
    says(CMS, effective=day, house__jurisdiction="Iowa")


def test_oms_1_two_cards_a_player_three_in_common() -> None:
    says(OMS, deal__hole=2, play__against="pay-table")
    assert stud(OMS).community == 3


def test_oms_2_hand_shuffle_of_one_of_two_decks() -> None:
    says(OMS, deck__decks=1, deck__shuffle="hand", deck__alternate=True)
    says(OMS, equipment__packs=2, equipment__cut_cards=2, equipment__discard_rack=True)
    says(OMS, equipment__odds_printed=True)


def test_oms_3_players_first_then_the_community_cards() -> None:
    says(OMS, deal__order=["players", "community"], deal__direction="left-to-right")


@pytest.mark.parametrize("number", STREETS)
def test_oms_4_each_street_is_bet_raise_and_re_raise_of_one_ante(number: int) -> None:
    street = stud(OMS).streets[number]
    assert street.id == ("3rd-street", "4th-street", "5th-street")[number]
    assert (street.bets, street.pieces) == ((1, 2, 3), ("bet", "raise", "re-raise"))


@pytest.mark.parametrize("number", STREETS)
def test_oms_5_a_fold_or_a_card_after_each_decision_settled_right_to_left(number: int) -> None:
    says(OMS, **{f"streets__{number}__reveals": 1, f"streets__{number}__fold": True})
    says(OMS, settlement__direction="right-to-left", settlement__passes=[["main"]])


def test_oms_6_pay_table_from_31_october_2014() -> None:
    says(OMS, effective=datetime.date(2014, 10, 31), history__earlier="unknown")
    assert pays(OMS, "main") == (
        "royal-flush 250:1, straight-flush 80:1, four-of-a-kind 30:1, full-house 8:1, "
        "flush 6:1, straight 4:1, three-of-a-kind 3:1, two-pair 2:1, pair-J-A 1:1, pair-6-10 push"
    )


def test_oms_7_the_prose_says_sevens_and_the_dated_table_wins() -> None:
    says(OMS, main__prose__pays={"pair-J-A": "1:1", "pair-7-10": "push"})
    says(OMS, main__prose__decides="pays")


def test_oms_8_ante_two_to_four_dollars_in_chips_of_one_to_four() -> None:
    assert stake(OMS, "ante") == ("2", "4", "1")
    says(OMS, house__chips__values=["1", "2", "3", "4"], single_bet_max="4")


def test_oms_9_no_hand_is_paid_more_than_1000_dollars() -> None:
    (limit,) = document_of(OMS)["limits"]
    assert (limit["per"], limit["pays_max"]) == ("hand", "1000")
    assert "counts" not in limit


def test_oms_16_an_interrupted_hand_is_completed_by_consent_or_dead() -> None:
    says(OMS, irregularities__interruption="agree-or-dead")


def test_mhl_1_a_hand_plays_against_the_dealer() -> None:
    says(MHL, play__against="dealer", deal__player=3)


def test_mhl_2_six_decks_and_three_house_shuffles_if_the_machine_fails() -> None:
    says(MHL, deck__decks=6, deck__shuffle="automatic", deck__fallback="house-blackjack")
    says(MHL, deck__fallback_times=3, deck__fresh="each-round")


def test_mhl_3_points_of_every_card() -> None:
    court = {"J": 0, "Q": 0, "K": 0}
    says(MHL, points__values={"A": 1, **{str(n): n for n in range(2, 11)}, **court})
    says(MHL, points__in_high_hand={"A": 11})


def test_mhl_4_bet_bonuses_and_six_spots() -> None:
    assert stake(MHL, "bet") == ("5", "500", "1")
    for bonus in ("matchem-bonus", "poker-bonus"):
        assert stake(MHL, bonus) == ("1", "100", "1")
        assert hi_lo(MHL).side[bonus].stake.required is False
    says(MHL, seats__count=6)


def test_mhl_5_three_cards_at_a_time_to_each_spot_then_five_to_the_dealer() -> None:
    says(MHL, deal__order=["players", "dealer"], deal__direction="left-to-right")
    says(MHL, deal__player=3, deal__dealer=5)
    assert hi_lo(MHL).deal.at_a_time is None


def test_mhl_6_areas_l_and_h() -> None:
    says(MHL, declare__low="L", declare__high="H")


def test_mhl_7_the_double_equals_the_bet() -> None:
    says(MHL, double__times=1, double__area="the area not covered by cards")


def test_mhl_8_three_lowest_cards_and_the_shared_one() -> None:
    says(MHL, dealer__low=3, dealer__shared="ace-then-highest", dealer__laid="right-to-left")
    areas = {"low": "Dealer's Lo Hand", "shared": "Shared Card", "high": "Dealer's Hi Hand"}
    says(MHL, dealer__areas=areas)


def test_mhl_9_even_money_and_the_player_wins_ties() -> None:
    assert pays(MHL, "main") == "low 1:1, high 1:1"
    says(MHL, main__ties="player")


def test_mhl_10_settled_right_to_left_low_hands_across() -> None:
    says(MHL, settlement__direction="right-to-left")
    says(MHL, settlement__high_laid="parallel to the dealer's cards")
    says(MHL, settlement__low_laid="across the dealer's cards")


def test_mhl_11_matchem_pay_table() -> None:
    assert hi_lo(MHL).side["matchem-bonus"].looks_at == "dealer-match"
    assert pays(MHL, "matchem-bonus") == "match-5 100:1, match-4 30:1, match-3 3:1, match-2 1:1"


def test_mhl_12_poker_bonus_pay_table() -> None:
    assert hi_lo(MHL).side["poker-bonus"].looks_at == "hand"
    assert pays(MHL, "poker-bonus") == (
        "suited-three-of-a-kind 100:1, straight-flush 30:1, three-of-a-kind 10:1, straight 4:1, "
        "suited-pair 3:1, flush 2:1, pair 1:1"
    )


def test_mhl_13_round_cap_on_the_four_lines_it_names() -> None:
    (limit,) = document_of(MHL)["limits"]
    assert (limit["per"], limit["pays_max"]) == ("round", "25000")
    matches, poker = ["match-5", "match-4"], ["suited-three-of-a-kind", "straight-flush"]
    assert limit["counts"] == {"lines": {"matchem-bonus": matches, "poker-bonus": poker}}


def test_mhl_14_wrong_number_of_cards_is_a_misdeal() -> None:
    says(MHL, irregularities__wrong_card_count__result="misdeal")
    says(MHL, irregularities__wrong_card_count__hands=["player", "dealer"])


def test_mhl_15_two_neighbouring_spots_both_seen() -> None:
    says(MHL, seats__per_player=2, seats__adjacent=True, seats__ends_meet=False)
    says(MHL, declare__sees_all_spots=True)


def test_mhl_16_cards_off_the_table_are_warned() -> None:
    says(MHL, irregularities__cards_off_table="warn")
