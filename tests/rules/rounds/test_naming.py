"""A hand is named as it grows: what it is so far, what that is paid, what is still to come."""

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


@pytest.mark.parametrize(("sheet", "own", "common", "name", "told"), GROWING)
def test_a_hand_is_called_what_it_is_so_far(
    sheet: str, own: str, common: list[str], name: str, told: str | None
) -> None:
    found = name_hand(
        compile_game(pitbook.load(sheet)), cards(own), tuple(map(cards, common)), None
    )
    assert found is not None
    assert found.name == name
    assert (found.told is None) is (told is None)
    assert (found.told or "").startswith(told or "")


def test_a_declared_hand_has_one_total() -> None:
    game = compile_game(pitbook.load(HI_LO))
    found = name_hand(game, cards("9d 8d Ad"), ((),), "high")
    assert found is not None
    assert found.name == "28 high"


def test_it_speaks_spanish() -> None:
    found = name_hand(compile_game(pitbook.load(STUD)), cards("Ks 9h"), (cards("9d"),), None)
    assert found is not None
    assert found.told is not None
    assert in_language(found.name, "es") == "Par de nueves"
    assert in_language(found.told, "es") == "empate tal como está, faltan dos cartas"


def test_cards_without_a_ranking_have_no_name() -> None:
    war = compile_game(pitbook.load("classic/casino-war"))
    assert name_hand(war, cards("Ks"), (cards("9d"),), None) is None
    assert name_hand(compile_game(pitbook.load(STUD)), (), ((),), None) is None
