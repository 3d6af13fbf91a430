"""MHL-3, MHL-8, MHL-9 and MHL-11 to MHL-13: points, bonuses and the cap of Match'em Hi-Lo."""

from __future__ import annotations

import pytest
from tests.clauses.example_hands import THREE_CARDS_OF_SIX_DECKS
from tests.clauses.one_line_rounds import (
    MHL,
    applied_caps,
    cents,
    hand,
    line,
    nets,
    play_round,
    results,
    seat,
    wins,
    with_field,
)

QUIET = "Jc Jd Jh Js 9c"  # Low 0, high 9.
POKER = {
    "suited-three-of-a-kind": 100,
    "straight-flush": 30,
    "three-of-a-kind": 10,
    "straight": 4,
    "suited-pair": 3,
    "flush": 2,
    "pair": 1,
}


def result(held: str, play: str, dealer: str) -> str:
    return results(play_round(MHL, dealer, seat(1, held, play, bet=10)), 1)["bet"]


@pytest.mark.parametrize(
    ("rank", "points"),
    [*((str(n), n) for n in range(2, 10)), ("T", 10), ("J", 0), ("Q", 0), ("K", 0), ("A", 1)],
)
def test_mhl_3_points_in_a_low_hand(rank: str, points: int) -> None:
    # K, Q and a third card: the dealer's low hand is worth that card alone.
    third = {0: "J", 1: "A", 10: "T"} | {n: str(n) for n in range(2, 10)}
    held = f"{rank}c Kd Qh"
    assert result(held, "low", f"Kc Qd {third[points]}h Tc Td") == "win"  # A tie.
    if points:
        assert result(held, "low", f"Kc Qd {third[points - 1]}h Tc Td") == "lose"


@pytest.mark.parametrize(
    ("rank", "points"),
    [*((str(n), n) for n in range(2, 10)), ("T", 10), ("J", 0), ("Q", 0), ("K", 0), ("A", 11)],
)
def test_mhl_3_points_in_a_high_hand(rank: str, points: int) -> None:
    # Four picture cards and a fifth: the dealer's high hand is worth that card alone.
    fifth = {0: "J", 10: "T", 11: "A"} | {n: str(n) for n in range(2, 10)}
    held = f"{rank}c Kd Qh"
    assert result(held, "high", f"Jc Qd Kh Jh {fifth[points]}h") == "win"  # A tie.
    above = fifth.get(points + 1) or fifth.get(points + 2)
    dealer = f"Jc Qd Kh Jh {above}h" if above else "Jc Qd Kh 2h Th"  # 2 + 10 is 12.
    assert result(held, "high", dealer) == "lose"


@pytest.mark.parametrize(
    ("dealer", "low", "high"),
    [
        ("Ac Ad Kh Qs 9c", 1, 31),  # The documents' own examples.
        ("Jc Qd Kh As 9c", 0, 20),
        ("4c 5d 6h 8s 9c", 15, 23),  # The highest of the three is shared: 6 + 8 + 9.
        ("9c 8s 6h 5d 4c", 15, 23),  # In any order.
        ("Ac 2d 3h 8s 9c", 6, 28),  # An ace in the low hand is shared: 11 + 8 + 9.
        ("Ac Ad 2h 8s 9c", 4, 28),  # Of two aces one is shared.
        ("Ac Ad Ah 8s 9c", 3, 28),
        ("Ac Ad Ah As 9c", 3, 31),  # 11 + 11 + 9.
        ("Ac Ad Ah As Ac", 3, 33),
        ("Kc Qd Ah Ts Tc", 1, 31),
        ("Kc Qd Jh Ks Qc", 0, 0),
        ("Tc Td Th Ts Tc", 30, 30),
        ("Kc Qd 2h 2s 3c", 2, 7),
    ],
)
def test_mhl_8_the_dealers_two_hands(dealer: str, low: int, high: int) -> None:
    """Low wins at the total and loses one above; high wins at the total and loses one below."""
    for total in range(34):
        cards_text = three_cards(total)
        if cards_text:
            assert result(cards_text, "low", dealer) == ("win" if total <= low else "lose")
            assert result(cards_text, "high", dealer) == ("win" if total >= high else "lose")


def three_cards(total: int) -> str:
    """Three cards with that many points and no ace, so that low and high totals agree."""
    for first in (0, *range(2, 11)):
        for second in (0, *range(2, 11)):
            third = total - first - second
            if third == 0 or 2 <= third <= 10:
                names = {0: "K", 10: "T"} | {n: str(n) for n in range(2, 10)}
                return f"{names[first]}d {names[second]}h {names[third]}s"
    return ""


@pytest.mark.parametrize(
    ("ties", "results_of_ties", "net"),
    [
        ("player", "win", "20.00"),
        ("dealer", "lose", "-20.00"),
        ("push", "push", "0.00"),
    ],
)
def test_mhl_9_the_player_wins_ties_unless_the_house_says_otherwise(
    ties: str, results_of_ties: str, net: str
) -> None:
    sheet = with_field(MHL, "main.ties", ties)
    for play, held in (("low", "4s 5s 6s"), ("high", "9d 8d 6d")):  # 15 and 23.
        round = play_round(sheet, "4c 5d 6h 8s 9c", seat(1, held, f"{play}+double", bet=10))
        assert results(round, 1) == {"bet": results_of_ties, "double": results_of_ties}
        assert nets(round) == {1: net}
    above = play_round(sheet, "4c 5d 6h 8s 9c", seat(1, "9d 8d 7d", "high", bet=10))
    assert nets(above) == {1: "10.00"}
    below = play_round(sheet, "4c 5d 6h 8s 9c", seat(1, "9d 8d 5d", "high", bet=10))
    assert nets(below) == {1: "-10.00"}


def test_mhl_9_an_ace_of_the_player_counts_by_the_declaration() -> None:
    # A K Q: 1 as a low hand, 11 as a high one.
    assert result("As Kd Qh", "low", "Kc Qd Ah Ts Tc") == "win"  # 1 at 1.
    assert result("As Kd Qh", "low", "Jc Qd Kh As 9c") == "lose"  # 1 at 0.
    assert result("As Kd Qh", "high", "Kc Kd Qh Qs Ac") == "win"  # 11 at 11.


def test_mhl_9_bet_and_double_pay_even_money() -> None:
    round = play_round(MHL, QUIET, seat(1, "9d 8d 7d", "high+double", bet=500))
    for wager_line in hand(round, 1).lines:
        assert (wager_line.outcome, str(wager_line.odds), wager_line.clause) == (
            "high",
            "1:1",
            "MHL-9",
        )
    assert nets(round) == {1: "1000.00"}


@pytest.mark.parametrize(
    ("held", "dealer", "count"),
    [
        ("2c 3d 4h", "2d 2s 3c Jc Kd", 3),  # The document's examples.
        ("4c 4d 9h", "4s 2d 3h Jc Kd", 1),
        ("4c 4d 9h", "2s 2d 3h Jc Kd", 0),
        ("4c 4d 9h", "4s 4h 3h Jc Kd", 2),
        ("2c 3d 4h", "2d 2s 3c 4c Kd", 4),
        ("2c 3d 4h", "2d 2s 3c 4c 4d", 5),
        ("Kc Kd Kh", "Ks Ks Ks Ks Ks", 5),
        ("Jc Qd Kh", "Ts 9s 8s 7s Jd", 1),
        ("Jc Jd Jh", "Qs Ks Qd Kd Qh", 0),  # Jack, queen and king are different ranks.
        ("Jc Qd Ah", "Qs Ks Qd Kd Qh", 3),
        ("Tc Qd Ah", "Ts Js Kd Kd Ad", 2),
    ],
)
def test_mhl_11_matches_are_dealer_cards_of_the_players_ranks(
    held: str, dealer: str, count: int
) -> None:
    round = play_round(MHL, dealer, seat(1, held, "low", bet=5, matchem_bonus=10))
    bonus = line(round, 1, "matchem-bonus")
    odds = {5: 100, 4: 30, 3: 3, 2: 1}.get(count, 0)
    assert bonus.wins == 1000 * odds
    assert bonus.outcome == (f"match-{count}" if odds else "nothing")
    assert bonus.clause == "MHL-11"


@pytest.mark.parametrize(("held", "kind"), THREE_CARDS_OF_SIX_DECKS)
@pytest.mark.parametrize("stake", [1, 100])
def test_mhl_12_the_poker_bonus_is_decided_by_the_players_three_cards(
    held: str, kind: str, stake: int
) -> None:
    round = play_round(MHL, QUIET, seat(1, held, "high", bet=5, poker_bonus=stake))
    bonus = line(round, 1, "poker-bonus")
    odds = POKER.get(kind, 0)
    assert (bonus.outcome, bonus.clause) == (kind, "MHL-12")
    assert bonus.wins == stake * 100 * odds
    assert bonus.result == ("win" if odds else "lose")


FIVE_NINES = "9d 9d 9d 9s 9c"


@pytest.mark.parametrize(
    ("third", "due", "first_paid"),
    [
        (49, "24900.00", "10000.00"),
        (50, "25000.00", "10000.00"),  # Exactly the cap.
        (51, "25100.00", "9960.16"),  # 10,000 times 25,000 over 25,100 is 9,960.159.
    ],
)
def test_mhl_13_each_counted_win_is_multiplied_by_25_000_over_their_sum(
    third: int, due: str, first_paid: str
) -> None:
    first = seat(1, "9h 9c 8s", "high", bet=5, matchem_bonus=100)  # Five matches: 10,000.
    second = seat(2, "Jh Jh Jh", "high", bet=5, poker_bonus=100)  # Suited three of a kind: 10,000.
    last = seat(3, "Th Th Th", "high", bet=5, poker_bonus=third)
    round = play_round(MHL, FIVE_NINES, first, second, last)
    assert wins(round, 1)["matchem-bonus"] == first_paid
    if due == "25100.00":
        assert applied_caps(round) == [("MHL-13", due, "25000.00", None)]
        bonuses = [line(round, number, wager) for number, wager in BONUSES]
        assert sum(bonus.wins for bonus in bonuses) == cents(25_000)
    else:
        assert applied_caps(round) == []


BONUSES = [(1, "matchem-bonus"), (2, "poker-bonus"), (3, "poker-bonus")]


@pytest.mark.parametrize(
    ("held", "dealer", "wager", "counts"),
    [
        ("9h 9c 8s", FIVE_NINES, "matchem-bonus", True),  # Five matches, 100 to 1.
        ("9h 9c 8s", "9d 9d 9d 9s 2c", "matchem-bonus", True),  # Four, 30 to 1.
        ("9h 9c 8s", "9d 9d 9d 3s 2c", "matchem-bonus", False),  # Three, 3 to 1.
        ("9h 9c 8s", "9d 9d 3d 3s 2c", "matchem-bonus", False),  # Two, 1 to 1.
        ("9h 9h 9h", QUIET, "poker-bonus", True),  # 100 to 1.
        ("7h 8h 9h", QUIET, "poker-bonus", True),  # Straight flush, 30 to 1.
        ("9h 9h 9d", QUIET, "poker-bonus", False),  # Three of a kind, 10 to 1.
        ("7h 8h 9d", QUIET, "poker-bonus", False),
        ("9h 9h 2d", QUIET, "poker-bonus", False),
    ],
)
def test_mhl_13_which_wins_fall_under_the_cap(
    held: str, dealer: str, wager: str, counts: bool
) -> None:
    sheet = with_field(MHL, "limits.0.pays_max", cents("0.50"))
    seat_document = seat(1, held, "high", bet=5) | {"wagers": {"bet": "5", wager: "1"}}
    round = play_round(sheet, dealer, seat_document)
    assert (wins(round, 1)[wager] == "0.50") == counts
    assert wins(round, 1)["bet"] in ("0.00", "5.00")


def test_mhl_13_other_wins_are_paid_in_full() -> None:
    hands = [
        seat(n, "9h 9h 9h", "high+double", bet=500, matchem_bonus=100, poker_bonus=100)
        for n in (1, 2)
    ]
    round = play_round(
        MHL, "9d 9d 9d 2s 2c", *hands, seat(3, "8h 8h 8h", "low", bet=5, poker_bonus=100)
    )
    # 27 against 9 + 9 + 9; three matches at 3 to 1; 10,000 each of 30,000 under the cap.
    assert wins(round, 1) == {
        "bet": "500.00",
        "double": "500.00",
        "matchem-bonus": "300.00",
        "poker-bonus": "8333.34",
    }
    assert wins(round, 2)["poker-bonus"] == wins(round, 3)["poker-bonus"] == "8333.33"


def test_mhl_13_each_spot_is_a_hand_of_its_own() -> None:
    spots = [
        seat(n, held, "high", player=player, bet=5, poker_bonus=100)
        for n, player, held in (
            (4, "ann", "9h 9h 9h"),
            (5, "bob", "8h 8h 8h"),
            (6, "bob", "7h 7h 7h"),
        )
    ]
    round = play_round(MHL, "9d 9d 9d 2s 2c", *spots)
    shared = [wins(round, n)["poker-bonus"] for n in (4, 5, 6)]
    assert shared == ["8333.34", "8333.33", "8333.33"]
