"""OMS-1 to OMS-9 and OMS-16: Mississippi Stud at Oceanfront Gaming. The others are about nights."""

from __future__ import annotations

import datetime
from dataclasses import replace

import pytest
from tests.clauses.example_hands import FIVE_CARDS, PAIRS
from tests.clauses.one_line_rounds import (
    OMS,
    all_returned,
    applied_caps,
    board,
    cents,
    close_bets,
    deal_round,
    decide,
    do,
    expect_refusal,
    hand,
    nets,
    notes,
    play_round,
    seat,
    seat_at,
    settle_round,
    turn,
    wins,
    with_field,
)

import pitbook
from pitbook.errors import SheetUnknown
from pitbook.money import Cents, money
from pitbook.rules.actions import BOARD, Deal, Decide, Interrupted, Settle, Wager
from pitbook.rules.families.street_stud.sheet import StreetStud
from pitbook.rules.refusals import Code
from pitbook.rules.round import open_round
from pitbook.sheets.check import check

MAIN = {
    "royal-flush": 250,
    "straight-flush": 80,
    "four-of-a-kind": 30,
    "full-house": 8,
    "flush": 6,
    "straight": 4,
    "three-of-a-kind": 3,
    "two-pair": 2,
}
STREETS = ("3rd-street", "4th-street", "5th-street")


@pytest.mark.parametrize(
    ("held", "community", "ending"),
    [
        ("Jc Jd", "2h 4s Tc", "settled"),
        ("Jc Jd 2h", "4s Tc", "misdeal"),  # As in the objective.
        ("Jc", "2h 4s Tc", "misdeal"),
        ("Jc Jd", "2h 4s Tc 9d", "misdeal"),
    ],
)
def test_oms_1_two_cards_a_player_and_three_in_common(
    held: str, community: str, ending: str
) -> None:
    assert play_round(OMS, community, seat(1, held, "1x 1x 1x", ante=2)).ending == ending


def test_oms_2_one_deck_shuffled_by_hand_while_the_other_is_dealt() -> None:
    deck, equipment = OMS.deck, OMS.equipment
    assert (deck.decks, deck.shuffle, deck.clause) == (1, "hand", "OMS-2")
    assert deck.alternate is not None
    assert deck.alternate.value
    assert equipment is not None
    assert (equipment.packs, equipment.cut_cards, equipment.discard_rack) == (2, 2, True)
    assert (equipment.layout, equipment.odds_printed) == ("Mississippi Stud", True)
    round = deal_round(OMS, seat(1, "As Ks", ante=2), seat(2, ante=2))
    assert expect_refusal(round, turn(2, "Ks")).code is Code.NO_SUCH_CARD


def test_oms_3_players_are_dealt_first_then_the_board() -> None:
    round = close_bets(OMS, seat(4, ante=2), seat(2, ante=2))
    assert round.to_deal == (2, 2, 4, 4, BOARD, BOARD, BOARD)
    refusal = expect_refusal(round, Deal(BOARD))
    assert (refusal.code, refusal.clause) == (Code.DEAL_ORDER, "OMS-3")
    assert str(refusal) == "The next card goes to seat 2 (OMS-3)"


@pytest.mark.parametrize("street", [0, 1, 2])
@pytest.mark.parametrize(
    ("play", "units"), [("0x", None), ("1x", 1), ("2x", 2), ("3x", 3), ("4x", None)]
)
def test_oms_4_a_bet_with_an_optional_raise_and_re_raise_of_one_ante_each(
    street: int, play: str, units: int | None
) -> None:
    assert isinstance(OMS, StreetStud)
    assert OMS.streets[street].pieces == ("bet", "raise", "re-raise")
    round = deal_round(OMS, seat(1, ante=3))
    for turned in ("2h", "4s")[:street]:
        round = board(do(round, Decide(1, "1x")), turned)
    if units is None:
        assert expect_refusal(round, Decide(1, play)).clause == "OMS-4"
    else:
        assert seat_at(do(round, Decide(1, play)), 1).main[-1] == (
            STREETS[street],
            cents(3 * units),
        )


def test_oms_4_the_streets_may_differ_from_each_other() -> None:
    round = play_round(OMS, "2h 4s Tc", seat(1, "Jc Jd", "1x 3x 2x", ante=4))
    assert list(wins(round, 1).values()) == ["4.00", "4.00", "12.00", "8.00"]


@pytest.mark.parametrize(
    ("plays", "lost"), [("fold", "-4.00"), ("3x fold", "-16.00"), ("1x 2x fold", "-16.00")]
)
def test_oms_5_a_fold_surrenders_what_has_been_bet(plays: str, lost: str) -> None:
    round = play_round(OMS, "2h 4s Tc", seat(1, "Jc Jd", plays, ante=4))
    assert nets(round) == {1: lost}
    assert {wager_line.clause for wager_line in hand(round, 1).lines} == {"OMS-5"}


def test_oms_5_one_card_is_turned_after_each_decision() -> None:
    round = deal_round(OMS, seat(1, ante=2), seat(2, ante=2))
    for turned in ("2h", "4s", "Tc"):
        round = do(round, Decide(2, "1x"))
        assert expect_refusal(round, turn(BOARD, turned)).code is Code.NOT_NOW
        round = board(do(round, Decide(1, "1x")), turned)
    assert round.phase == "settle"


def test_oms_5_hands_are_opened_and_settled_one_by_one_right_to_left() -> None:
    round = deal_round(OMS, seat(1, ante=2), seat(3, ante=2))
    for turned in ("2h", "4s", "Tc"):
        round = board(do(round, *decide("1x", 1, 3)), turned)
    assert [number for number, _ in round.to_settle] == [3, 1]
    assert (
        str(expect_refusal(round, Settle()))
        == "Turn over seat 3's cards before you settle it (OMS-5)"
    )
    round = do(round, turn(3, "Jc"), turn(3, "Jd"), Settle())
    assert (
        str(expect_refusal(round, Settle()))
        == "Turn over seat 1's cards before you settle it (OMS-5)"
    )
    round = do(round, turn(1, "Ac"), turn(1, "7d"), Settle())
    assert nets(round) == {1: "-8.00", 3: "8.00"}


@pytest.mark.parametrize(("hole", "community", "kind"), FIVE_CARDS)
def test_oms_6_every_winning_bet_is_paid_the_same_odds(
    hole: str, community: str, kind: str
) -> None:
    # 2 + 2 + 2 + 2: only the royal flush, due 2,000, meets the cap of OMS-9.
    round = play_round(OMS, community, seat(1, hole, "1x 1x 1x", ante=2))
    odds = MAIN.get(kind)
    for wager_line in hand(round, 1).lines:
        assert (wager_line.outcome, wager_line.clause) == (kind, "OMS-6")
        assert str(wager_line.odds) == (f"{odds}:1" if odds else "None")
    due = 800 * (odds or -1)
    assert nets(round) == {1: money(Cents(min(due, 100_000)))}


@pytest.mark.parametrize(
    ("day", "in_force"),
    [
        (datetime.date(2014, 10, 30), False),
        (datetime.date(2014, 10, 31), True),
        (datetime.date(2014, 11, 1), True),
    ],
)
def test_oms_6_rules_before_31_october_2014_are_unknown(day: datetime.date, in_force: bool) -> None:
    if in_force:
        assert pitbook.load(OMS.id, day) == OMS
    else:
        with pytest.raises(SheetUnknown, match=r"are not known \(OMS-6\)"):
            pitbook.load(OMS.id, day)


@pytest.mark.parametrize(("rank", "hole", "community"), PAIRS)
@pytest.mark.parametrize(("decides", "lowest_push"), [("pays", "6"), ("prose", "7")])
def test_oms_7_the_dated_table_prevails_over_the_prose(
    rank: str, hole: str, community: str, decides: str, lowest_push: str
) -> None:
    sheet = with_field(OMS, "main.prose.decides", decides)
    round = play_round(sheet, community, seat(1, hole, "1x 1x 1x", ante=2))
    ranks = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]
    if ranks.index(rank) < ranks.index(lowest_push):
        net = "-8.00"
    else:
        net = "0.00" if ranks.index(rank) < ranks.index("J") else "8.00"
    assert nets(round) == {1: net}


@pytest.mark.parametrize(
    ("amount", "code"),
    [
        ("1", Code.BELOW_MINIMUM),
        ("1.99", Code.BELOW_MINIMUM),
        ("2", None),
        ("2.50", Code.NOT_A_STEP),
        ("3", None),
        ("4", None),
        ("4.01", Code.ABOVE_MAXIMUM),
        ("5", Code.ABOVE_MAXIMUM),
    ],
)
def test_oms_8_an_ante_of_2_to_4_dollars(amount: str, code: Code | None) -> None:
    action = Wager(1, "ann", "ante", cents(amount))
    if code is None:
        assert seat_at(do(open_round(OMS), action), 1).main == (("ante", cents(amount)),)
    else:
        assert expect_refusal(open_round(OMS), action).code is code


@pytest.mark.parametrize(("flat", "sound"), [("3.99", False), ("4", True), ("4.01", True)])
def test_oms_8_no_bet_raise_or_re_raise_is_above_4_dollars(flat: str, sound: bool) -> None:
    # With an ante of 4 the largest bet of a street is 12: three pieces of 4.
    assert seat_at(do(deal_round(OMS, seat(1, ante=4)), Decide(1, "3x")), 1).main[-1][1] == 1200
    sheet = with_field(OMS, "single_bet_max", cents(flat))
    errors = {finding.code for finding in check(sheet, thorough=False) if finding.level == "error"}
    assert errors == (set() if sound else {"single-bet"})
    assert OMS.single_bet_max is not None
    assert OMS.single_bet_max.value == cents(4)
    assert OMS.house.chips.values == (100, 200, 300, 400)


@pytest.mark.parametrize(
    ("plays", "due", "paid"),
    [
        ("3x 3x 1x", "960.00", "960.00"),  # 8 units of 4 at 30 to 1.
        ("3x 3x 2x", "1080.00", "1000.00"),
        ("3x 3x 3x", "1200.00", "1000.00"),
    ],
)
def test_oms_9_no_hand_is_paid_more_than_1_000(plays: str, due: str, paid: str) -> None:
    round = play_round(OMS, "9h 9s 2c", seat(1, "9c 9d", plays, ante=4))
    assert nets(round) == {1: paid}
    assert applied_caps(round) == ([] if due == paid else [("OMS-9", due, paid, 1)])


@pytest.mark.parametrize(
    ("cap", "paid"), [("959.99", "959.99"), ("960", "960.00"), ("960.01", "960.00")]
)
def test_oms_9_the_cap_bites_from_the_first_cent(cap: str, paid: str) -> None:
    sheet = with_field(OMS, "limits.0.pays_max", cents(cap))
    round = play_round(sheet, "9h 9s 2c", seat(1, "9c 9d", "3x 3x 1x", ante=4))
    assert nets(round) == {1: paid}


def test_oms_9_each_hand_has_a_cap_of_its_own_over_all_its_bets() -> None:
    low = seat(1, "5h 6h", "3x 3x 3x", ante=4)
    high = seat(2, "Th Jh", "1x 1x 1x", ante=4)
    round = play_round(OMS, "7h 8h 9h", low, high)
    assert applied_caps(round) == [
        ("OMS-9", "3200.00", "1000.00", 1),
        ("OMS-9", "1280.00", "1000.00", 2),
    ]
    assert list(wins(round, 1).values()) == ["100.00", "300.00", "300.00", "300.00"]
    assert list(wins(round, 2).values()) == ["250.00"] * 4


def test_oms_9_a_house_may_cap_each_bet() -> None:
    sheet = with_field(OMS, "limits.0.per", "bet")
    round = play_round(sheet, "7h 8h 9h", seat(1, "5h 6h", "3x 3x 3x", ante=4))
    assert list(wins(round, 1).values()) == ["320.00", "960.00", "960.00", "960.00"]
    royal = play_round(sheet, "Qs Js Ts", seat(1, "As Ks", "1x 2x 1x", ante=4))
    assert list(wins(royal, 1).values()) == ["1000.00"] * 4  # Due 1,000 and, once, 2,000.
    assert applied_caps(royal) == [("OMS-9", "2000.00", "1000.00", 1)]


def test_oms_16_a_hand_cut_short_is_completed_when_all_agree() -> None:
    round = do(deal_round(OMS, seat(1, "Jc Jd", ante=2)), Decide(1, "1x"))
    agreed = do(round, Interrupted(agreed=True))
    assert replace(agreed, notes=()) == round
    assert notes(agreed) == [("interrupted; all agree to finish", "OMS-16")]
    for turned in ("2h", "4s"):
        agreed = do(board(agreed, turned), Decide(1, "1x"))
    assert nets(settle_round(board(agreed, "Tc"))) == {1: "8.00"}


@pytest.mark.parametrize("street", [0, 1, 2, 3])
def test_oms_16_without_agreement_the_hand_is_dead_and_returns_its_wagers(street: int) -> None:
    round = deal_round(OMS, seat(1, "Jc Jd", ante=2), seat(2, ante=4))
    round = do(round, Decide(2, "fold"))
    for turned in ("2h", "4s", "Tc")[:street]:
        round = board(do(round, Decide(1, "3x")), turned)
    dead = do(round, Interrupted(agreed=False))
    assert (dead.phase, dead.ending) == ("over", "dead")
    assert all_returned(dead)
    assert {wager_line.clause for wager_line in hand(dead, 2).lines} == {"OMS-16"}
    assert notes(dead) == [("interrupted; the hand is dead", "OMS-16")]
