"""What lay on the felt against a proof: every way in which the two can differ is told."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from pitbook.cards import cards
from pitbook.errors import PitbookError
from pitbook.shoe import compared, revealed
from pitbook.shoe.verdict import LaidHand

CARDS = cards("As Kd")


def told(hands: list[LaidHand], board: Any = None, seats: Any = None) -> list[str]:
    verdict: Any = SimpleNamespace(hands=hands)
    seen: Any = SimpleNamespace(board=board, seats=seats)
    return [one.message for one in compared._of_felt(verdict, seen)]


def test_a_hand_where_nobody_played_is_told() -> None:
    said = told([LaidHand("seat 2", CARDS, 0, 2)], seats={})
    assert said == ["the proof deals to seat 2, where nobody played"]


def test_a_hand_with_fewer_cards_than_the_proof_deals_is_told() -> None:
    said = told([LaidHand("seat 2", CARDS, 0, 2)], seats={2: CARDS[:1]})
    assert said == ["seat 2: the proof deals 2 cards, on the felt 1 lay there"]


def test_without_seats_only_the_board_is_compared() -> None:
    assert (
        told([LaidHand("the board", CARDS, 0), LaidHand("seat 2", CARDS, 0, 2)], board=CARDS) == []
    )


def test_a_hash_that_was_shown_and_stands_in_no_proof_is_told() -> None:
    verdict: Any = SimpleNamespace(shoe=SimpleNamespace(commitment=None))
    (one,) = compared._of_the_hash(verdict, compared.KnownRound(commitment="ab" * 32))
    assert one.message.startswith("the proof has no commitment; the one shown before the bets was")


@pytest.mark.parametrize("given", [7, "", "two\nlines", "x" * 10_000])
def test_a_round_is_named_in_one_line(given: Any) -> None:
    with pytest.raises(PitbookError, match="must be a text of one line"):
        revealed.read_name(given)
