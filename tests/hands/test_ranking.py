"""Ranking single hands: which hand wins, and which cards are refused."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitbook.cards import DECK, Card, cards
from pitbook.errors import CardError
from pitbook.hands import Ace, HandClass, batch, classes, hand_kinds, kind_of, rank_of

ACES: tuple[Ace, ...] = ("high-or-low", "high")
hands = st.integers(2, 5).flatmap(
    lambda n: st.lists(st.sampled_from(DECK), min_size=n, max_size=n, unique=True)
)
hands_of_many_decks = st.lists(st.sampled_from(DECK), min_size=3, max_size=3)
aces = st.sampled_from(ACES)


@pytest.mark.parametrize(("n", "count"), [(1, 13), (2, 169), (3, 741), (4, 2535), (5, 7462)])
@pytest.mark.parametrize("ace", ACES)
def test_five_card_hands_have_7462_classes(n: int, count: int, ace: Ace) -> None:
    hand_classes = classes(n, ace)
    assert len(hand_classes) == count == len({(hand.ranks, hand.suited) for hand in hand_classes})


@pytest.mark.parametrize(
    ("n", "weakest_first"),
    [
        (2, "4c2d Kc2d Ac3d 4c2c Ac3c Ac2d 3c2d AcKd 2c2d AcAd Ac2c 3c2c AcKc"),
        (3, "5c3c2d AcKcJd 2c2dAc AcAdKc 5c3c2c AcKcJc Ac2c3d AcKcQd 2c2d2h AcAdAh Ac2c3c AcKcQc"),
        (
            4,
            "6c4c3c2d AcKcQcTd 2c2dAcKc 3c3d2c2d Ac2c3c4d AcKcQcJd 6c4c3c2c 2c2d2hAc "
            "Ac2c3c4c AcKcQcJc 2c2d2h2s AcAdAhAs",
        ),
        (
            5,
            "7c5c4c3c2d AcKcQcJd9c 2c2d5c4c3c AcAdKcQcJc 3c3d2c2d4c 2c2d2h4c3c Ac2c3c4c5d "
            "AcKcQcJcTd 7c5c4c3c2c AcKcQcJc9c 2c2d2h3c3d 2c2d2h2s3c Ac2c3c4c5c KcQcJcTc9c "
            "AcKcQcJcTc",
        ),
    ],
)
def test_hand_kinds_rank_in_the_standard_order(n: int, weakest_first: str) -> None:
    held = [hand(text) for text in weakest_first.split()]
    assert {len(hand) for hand in held} == {n}
    for lower, higher in pairwise(held):
        assert rank_of(lower) < rank_of(higher)
        assert kind_of(lower) <= kind_of(higher)


@pytest.mark.parametrize("text", ["As2d", "As2d3c", "As2d3c4h", "As2d3c4h5s"])
def test_gen_1_ace_is_low_in_a_straight_unless_the_sheet_says_high_only(text: str) -> None:
    assert kind_name(text) == "straight"
    assert kind_name(text, ace="high") == "high-card-A"
    assert kind_name(text.translate(str.maketrans("dch", "sss"))) == "straight-flush"
    assert kind_name(text.translate(str.maketrans("dch", "sss")), ace="high") == "flush"


@pytest.mark.parametrize("text", ["AsKd", "AsKdQc", "AsKdQcJh", "AsKdQcJhTs"])
@pytest.mark.parametrize("ace", ACES)
def test_gen_1_ace_is_high_in_a_straight_always(text: str, ace: Ace) -> None:
    assert kind_name(text, ace=ace) == "straight"


@pytest.mark.parametrize("text", ["Ks2d", "KsAd2c", "KsAd2c3h", "QsKdAc2h3s", "JsQdKcAh2s"])
@pytest.mark.parametrize("ace", ACES)
def test_gen_1_straights_do_not_wrap_around_the_ace(text: str, ace: Ace) -> None:
    assert kind_name(text, ace=ace).startswith("high-card-")


def test_gen_1_the_wheel_is_the_lowest_straight_and_no_royal_flush() -> None:
    assert rank_of(hand("As2d3c4h5s")) + 1 == rank_of(hand("2d3c4h5s6s"))
    assert kind_name("As2s3s4s5s") == "straight-flush"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("JsJdJs", "three-of-a-kind"),
        ("JsJsJs", "suited-three-of-a-kind"),
        ("JsJs4d", "suited-pair-J"),
        ("JsJs4s", "suited-pair-J-flush"),
        ("TsTd4s", "pair-10"),
        ("JsTs4s", "flush"),
        ("JsTs9s", "straight-flush"),
        ("JsTs9d", "straight"),
        ("As2s3d", "straight"),
        ("JsTs8d", "high-card-J"),
        ("AsKsQs", "mini-royal"),
    ],
)
def test_mhl_12_three_card_ranking_of_several_decks(text: str, name: str) -> None:
    assert kind_name(text, many_decks=True) == name


@pytest.mark.parametrize("text", ["AsAs", "AsKdAs", "AsKdAsQc", "AsAdKsKdAs", "AsKsAsQsJs"])
def test_duplicate_cards_are_refused_in_one_deck(text: str) -> None:
    for ask in (rank_of, kind_of):
        with pytest.raises(CardError, match=r"^As is in the hand more than once"):
            ask(hand(text))


@pytest.mark.parametrize("text", ["", "As Ks Qs Js Ts 9s"])
def test_unsupported_hand_sizes_are_refused(text: str) -> None:
    with pytest.raises(CardError, match="cards have no ranking"):
        rank_of(cards(text))
    with pytest.raises(CardError, match="4 cards of several decks have no ranking"):
        kind_of(cards("As As Ks Kd"), many_decks=True)


@pytest.mark.parametrize("n", [2, 3, 4, 5])
@pytest.mark.parametrize("ace", ACES)
def test_single_call_and_batch_agree_on_every_class(n: int, ace: Ace) -> None:
    dealt = [example(hand_class) for hand_class in classes(n, ace)]
    assert [rank_of(hand, ace) for hand in dealt] == list(range(len(dealt)))
    assert [kind_of(hand, ace=ace) for hand in dealt] == [hand.kind for hand in classes(n, ace)]
    array = np.array(dealt, np.uint8)
    assert batch.ranks(array, ace).tolist() == list(range(len(dealt)))
    assert batch.kinds(array, ace=ace).tolist() == [
        hand_class.kind for hand_class in classes(n, ace)
    ]


@given(hands, aces)
def test_single_call_and_batch_agree_on_any_hand(held: list[Card], ace: Ace) -> None:
    array = np.array([held], np.uint8)
    assert batch.ranks(array, ace).tolist() == [rank_of(held, ace)]
    assert batch.kinds(array, ace=ace).tolist() == [kind_of(held, ace=ace)]


@given(hands_of_many_decks, aces)
def test_single_call_and_batch_agree_on_several_decks(held: list[Card], ace: Ace) -> None:
    array = np.array([held], np.uint8)
    expected = kind_of(held, many_decks=True, ace=ace)
    assert batch.kinds(array, many_decks=True, ace=ace).tolist() == [expected]


@given(hands.flatmap(lambda held: st.tuples(st.just(held), st.permutations(held))))
def test_order_of_the_cards_does_not_matter(two: tuple[list[Card], list[Card]]) -> None:
    held, mixed = two
    assert rank_of(held) == rank_of(mixed)
    assert kind_of(held) == kind_of(mixed)
    both = np.array([held, mixed], np.uint8)
    assert len(set(batch.ranks(both).tolist())) == 1


@given(hands_of_many_decks)
def test_several_decks_rank_distinct_cards_as_one_deck(held: list[Card]) -> None:
    if len(set(held)) == 3:
        pair_kind = hand_kinds(3)[kind_of(held)]
        many = hand_kinds(3, many_decks=True)[kind_of(held, many_decks=True)]
        assert pair_kind == many


def hand(text: str) -> tuple[Card, ...]:
    return cards(" ".join(text[i : i + 2] for i in range(0, len(text), 2)))


def kind_name(text: str, *, many_decks: bool = False, ace: Ace = "high-or-low") -> str:
    held = hand(text)
    place = kind_of(held, many_decks=many_decks, ace=ace)
    return hand_kinds(len(held), many_decks=many_decks)[place].name


def example(hand_class: HandClass) -> Sequence[Card]:
    """Example cards of a class: equal ranks get different suits, and one card breaks the flush."""
    if hand_class.suited:
        return [Card(rank * 4) for rank in hand_class.ranks]
    suits = [hand_class.ranks[:place].count(rank) for place, rank in enumerate(hand_class.ranks)]
    if not any(suits):
        suits[-1] = 1
    return [Card(rank * 4 + suit) for rank, suit in zip(hand_class.ranks, suits, strict=True)]
