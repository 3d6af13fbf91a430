"""Names of partial hands: the kind so far, its payout, and the cards to come."""

from __future__ import annotations

import pytest

import pitbook
from pitbook.cards import cards
from pitbook.rules.game import compile_game
from pitbook.rules.hand_names import name_hand
from pitbook.text import in_language

STUD, HI_LO = "catfish-bend/mississippi-stud", "catfish-bend/matchem-hi-lo"
HOLDEM, THREE = "pennsylvania/ultimate-texas-holdem", "pennsylvania/three-card-poker"

GROWING = [
    (STUD, "Ks 9h", [""], "King high", "not paid as it stands, three cards to come"),
    (STUD, "Ks 9h", ["9d"], "Pair of nines", "a push as it stands, two cards to come"),
    (STUD, "5s 5h", [""], "Pair of fives", "not paid as it stands, three cards to come"),
    (STUD, "Js Jh", [""], "Pair of jacks", "paid 1 to 1 as it stands, three cards to come"),
    (STUD, "Ks 9h", ["9d Kd"], "Two pair, kings and nines", "paid 2 to 1 as it stands, one card"),
    (STUD, "Ks 9h", ["9d Kd Kc"], "Kings full of nines", "paid 10 to 1"),
    (STUD, "As 2h", ["3d 4d 5c"], "Straight to the five", "paid 4 to 1"),
    (STUD, "As Ks", ["Qs Js Ts"], "Royal flush", "paid 500 to 1"),
    (STUD, "As Ks", ["9s 4s 2s"], "Flush, ace high", "paid 6 to 1"),
    (STUD, "2s 2h", ["2d 2c 7s"], "Four twos", "paid 40 to 1"),
    (STUD, "7s 4h", ["2d 9c Js"], "Jack high", "not paid"),
    (HOLDEM, "Ah Qh", ["Qs 7h 2h", ""], "Pair of queens", "two cards to come"),
    (HOLDEM, "Ah Qh", ["Qs 7h 2h 3h 9h", ""], "Flush, ace high", None),
    (HOLDEM, "6h 7d", ["3s 4h 5h 9c 9d", ""], "Straight to the seven", None),
    (THREE, "9h 8h 7h", [""], "Straight flush to the nine", None),
    (HI_LO, "9d 8d Ad", [""], "18 low / 28 high", None),
]


@pytest.mark.parametrize(("sheet", "hand_cards", "common", "name", "note"), GROWING)
def test_names_of_partial_hands(
    sheet: str, hand_cards: str, common: list[str], name: str, note: str | None
) -> None:
    named_hand = name_hand(
        compile_game(pitbook.load(sheet)), cards(hand_cards), tuple(map(cards, common)), None
    )
    assert named_hand is not None
    assert named_hand.name == name
    assert (named_hand.note is None) is (note is None)
    assert (named_hand.note or "").startswith(note or "")


def test_a_declared_hand_has_one_total() -> None:
    game = compile_game(pitbook.load(HI_LO))
    named_hand = name_hand(game, cards("9d 8d Ad"), ((),), "high")
    assert named_hand is not None
    assert named_hand.name == "28 high"


def test_names_in_spanish() -> None:
    named_hand = name_hand(compile_game(pitbook.load(STUD)), cards("Ks 9h"), (cards("9d"),), None)
    assert named_hand is not None
    assert named_hand.note is not None
    assert in_language(named_hand.name, "es") == "Par de nueves"
    assert in_language(named_hand.note, "es") == "empate tal como está, faltan dos cartas"


def test_cards_without_a_ranking_have_no_name() -> None:
    war = compile_game(pitbook.load("classic/casino-war"))
    assert name_hand(war, cards("Ks"), (cards("9d"),), None) is None
    assert name_hand(compile_game(pitbook.load(STUD)), (), ((),), None) is None
