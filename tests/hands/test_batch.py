"""Arrays of hands: any length and integer type, and only valid cards."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import DTypeLike

from pitbook.errors import CardError
from pitbook.hands import Ace, batch, classes, hand_kinds

SEED = 20141031  # In the open, so that a failure can be dealt again.


@pytest.mark.parametrize("count", [0, 1, batch.CHUNK - 1, batch.CHUNK, batch.CHUNK + 1])
def test_batch_of_any_size_is_ranked(count: int) -> None:
    dealt = np.random.default_rng(SEED).random((count, 52)).argpartition(5)[:, :5]
    hand_ranks = batch.ranks(dealt)
    assert hand_ranks.dtype == np.int16
    assert hand_ranks.shape == (count,)
    kinds = np.array([hand_class.kind for hand_class in classes(5)])
    assert (batch.kinds(dealt) == kinds[hand_ranks]).all()
    if count:
        assert hand_ranks[-1] == batch.ranks(dealt[-1:])[0]


@pytest.mark.parametrize("dtype", [np.uint8, np.int8, np.int16, np.uint32, np.int64])
def test_any_integer_type_is_accepted(dtype: DTypeLike) -> None:
    royal = np.array([[32, 36, 40, 44, 48]], dtype)
    assert batch.ranks(royal).tolist() == [7461]
    assert batch.kinds(royal).tolist() == [len(hand_kinds(5)) - 1]


def test_any_array_memory_layout_is_accepted() -> None:
    dealt = np.array([[0, 4, 8, 12, 17], [3, 2, 1, 0, 50]], np.uint8)
    assert (batch.ranks(np.asfortranarray(dealt)) == batch.ranks(dealt)).all()
    assert (batch.ranks(dealt[::-1]) == batch.ranks(dealt)[::-1]).all()


@pytest.mark.parametrize("number", [52, 255, 300, -1])
def test_numbers_outside_the_deck_are_refused(number: int) -> None:
    with pytest.raises(CardError, match="a number below 0 or above 51 is not a card"):
        batch.ranks(np.array([[0, number]]))


@pytest.mark.parametrize("shape", [(5,), (3, 1), (3, 6), (2, 2, 2)])
def test_arrays_of_other_shapes_are_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(CardError, match="are not rows of 2 or 3 or 4 or 5 cards"):
        batch.ranks(np.zeros(shape, np.uint8))
    with pytest.raises(CardError, match="are not rows of 3 cards"):
        batch.kinds(np.zeros(shape, np.uint8), many_decks=True)


def test_float_arrays_are_refused() -> None:
    with pytest.raises(CardError, match="float64 is not a type for cards; cards are whole numbers"):
        batch.ranks(np.array([[0.5, 3.0]]))


@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_duplicate_card_is_reported_with_its_hand(n: int) -> None:
    for position in range(n):
        for other in range(position):
            dealt = np.tile(np.arange(n, dtype=np.uint8), (batch.CHUNK + 3, 1))
            dealt[batch.CHUNK + 1, [position, other]] = 51
            with pytest.raises(CardError, match=f"^hand {batch.CHUNK + 1} has As twice"):
                batch.ranks(dealt)


@pytest.mark.parametrize(("n", "nodes"), [(1, 52), (2, 403), (3, 1599), (4, 4680)])
@pytest.mark.parametrize("ace", ["high-or-low", "high"])
def test_every_node_leads_to_existing_nodes(n: int, nodes: int, ace: Ace) -> None:
    following = {1: 403, 2: 1599, 3: 4680, 4: 7462}[n]
    steps = batch.step(n, ace)
    assert steps.shape == (nodes, 52)
    assert set(steps.ravel().tolist()) - {-1} == set(range(following))
    with pytest.raises(ValueError, match="read-only"):
        steps[0, 0] = 0


def test_one_card_node_is_the_card_and_excludes_itself() -> None:
    assert (np.diagonal(batch.step(1)) == -1).all()
    assert (batch.step(1) >= 0).sum() == 52 * 51
