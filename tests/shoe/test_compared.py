"""A proof compared with the cards on the layout: every kind of difference is reported."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from pitbook.cards import cards
from pitbook.errors import PitbookError
from pitbook.shoe import verdict as verdict_module
from pitbook.shoe.proof import read_round_id
from pitbook.shoe.verdict import DealtHand

CARDS = cards("As Kd")


def layout_messages(hands: list[DealtHand], board: Any = None, seats: Any = None) -> list[str]:
    verdict: Any = SimpleNamespace(hands=hands)
    known_round: Any = SimpleNamespace(board=board, seats=seats)
    return [
        difference.message
        for difference in verdict_module._layout_differences(verdict, known_round)
    ]


def test_hand_at_an_empty_seat_is_reported() -> None:
    messages = layout_messages([DealtHand("seat 2", CARDS, 0, 2)], seats={})
    assert messages == ["the proof deals to seat 2, but nobody played there"]


def test_hand_with_fewer_cards_than_the_proof_is_reported() -> None:
    messages = layout_messages([DealtHand("seat 2", CARDS, 0, 2)], seats={2: CARDS[:1]})
    assert messages == ["seat 2: the proof deals 2 cards, but 1 were on the table."]


def test_without_seats_only_the_board_is_compared() -> None:
    assert (
        layout_messages(
            [DealtHand("the community cards", CARDS, 0), DealtHand("seat 2", CARDS, 0, 2)],
            board=CARDS,
        )
        == []
    )


def test_commitment_missing_from_the_proof_is_reported() -> None:
    verdict: Any = SimpleNamespace(shoe=SimpleNamespace(commitment=None))
    (difference,) = verdict_module._hash_differences(
        verdict, verdict_module.KnownRound(commitment="ab" * 32)
    )
    assert difference.message.startswith(
        "The proof has no commitment, but one was shown before betting: "
    )


@pytest.mark.parametrize("round_id", [7, "", "two\nlines", "x" * 10_000])
def test_a_round_is_named_in_one_line(round_id: Any) -> None:
    with pytest.raises(PitbookError, match="must be a text of one line"):
        read_round_id(round_id)
