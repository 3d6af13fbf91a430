"""Pay-table lines and the hands they cover."""

from __future__ import annotations

import subprocess
import sys

import pytest

from pitbook.errors import CardError
from pitbook.hands import Kind, atoms, hand_kinds, line_names

PAIRS = (
    *("pair-2", "pair-3", "pair-4", "pair-5", "pair-6", "pair-7", "pair-8", "pair-9", "pair-10"),
    *("pair-J", "pair-Q", "pair-K", "pair-A"),
)
HIGH_CARDS = tuple(pair.replace("pair", "high-card") for pair in PAIRS)


def test_five_card_kinds_rise_from_high_card_to_royal_flush() -> None:
    assert [kind.name for kind in hand_kinds(5)] == [
        *HIGH_CARDS[5:],
        *PAIRS,
        "two-pair",
        "three-of-a-kind",
        "straight",
        "flush",
        "full-house",
        "four-of-a-kind",
        "straight-flush",
        "royal-flush",
    ]


def test_two_card_kinds_are_ordered_by_how_rare_they_are() -> None:
    names = [kind.name for kind in hand_kinds(2)]
    assert names == [*HIGH_CARDS[2:], "flush", "straight", *PAIRS, "straight-flush"]


def test_mhl_12_kinds_of_three_cards_of_several_decks() -> None:
    assert [kind.name for kind in hand_kinds(3, many_decks=True)] == [
        *HIGH_CARDS[3:],
        *PAIRS,
        "flush",
        *(f"suited-{pair}" for pair in PAIRS),
        *(f"suited-{pair}-flush" for pair in PAIRS),
        "straight",
        "three-of-a-kind",
        "straight-flush",
        "mini-royal",
        "suited-three-of-a-kind",
    ]


@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_one_deck_hand_fits_its_own_line_and_straight_flushes_fit_more(n: int) -> None:
    more = {
        "straight-flush": {"straight-flush", "flush", "straight"},
        "royal-flush": {"royal-flush", "straight-flush", "flush", "straight"},
        "mini-royal": {"mini-royal", "straight-flush", "flush", "straight"},
        "four-aces": {"four-aces", "four-of-a-kind"},
    }
    for kind in hand_kinds(n):
        assert kind.fits == more.get(kind.name, {kind.name})


@pytest.mark.parametrize(
    ("name", "fits"),
    [
        ("pair-J", {"pair-J"}),
        ("flush", {"flush"}),
        ("suited-pair-J", {"suited-pair", "pair-J"}),
        ("suited-pair-10-flush", {"suited-pair", "pair-10", "flush"}),
        ("three-of-a-kind", {"three-of-a-kind"}),
        ("straight-flush", {"straight-flush", "flush", "straight"}),
        ("suited-three-of-a-kind", {"suited-three-of-a-kind", "three-of-a-kind", "flush"}),
    ],
)
def test_mhl_12_pay_lines_of_three_cards_of_several_decks(name: str, fits: set[str]) -> None:
    (kind,) = (kind for kind in hand_kinds(3, many_decks=True) if kind.name == name)
    assert kind.fits == fits


@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_every_name_is_unique_and_every_line_covers_a_kind(n: int) -> None:
    kinds = hand_kinds(n)
    assert len({kind.name for kind in kinds}) == len(kinds)
    for line in line_names(n):
        assert covered_kinds(line, kinds, n)


@pytest.mark.parametrize(
    ("line", "covers"),
    [
        ("pair", PAIRS),
        ("pair-J", ("pair-J",)),
        ("pair-J-A", ("pair-J", "pair-Q", "pair-K", "pair-A")),
        ("pair-6-10", ("pair-6", "pair-7", "pair-8", "pair-9", "pair-10")),
        ("pair-A-A", ("pair-A",)),
        ("pair-2-A", PAIRS),
        ("flush", ("flush", "straight-flush", "royal-flush")),
        ("straight", ("straight", "straight-flush", "royal-flush")),
        ("straight-flush", ("straight-flush", "royal-flush")),
        ("full-house", ("full-house",)),
        ("two-pair", ("two-pair",)),
    ],
)
def test_five_card_pay_line_coverage(line: str, covers: tuple[str, ...]) -> None:
    assert covered_kinds(line, hand_kinds(5), 5) == covers


@pytest.mark.parametrize(
    "line",
    [
        *(
            "pair-A-J",
            "pair-10-6",
            "pair-T",
            "pair-j-a",
            "pair-1",
            "pair-",
            "pair-J-",
            "pair-J-Q-K",
        ),
        *("ace-high", "flsh", "Flush", "", " flush", "flush\n", "suited-pair", "pair-10-"),
    ],
)
def test_unknown_five_card_lines_are_refused(line: str) -> None:
    assert atoms(line, 5) is None


@pytest.mark.parametrize(
    ("line", "sizes"),
    [
        ("royal-flush", {5}),
        ("full-house", {5}),
        ("four-of-a-kind", {4, 5}),
        ("two-pair", {4, 5}),
        ("three-of-a-kind", {3, 4, 5}),
        ("pair", {2, 3, 4, 5}),
        ("pair-J-A", {2, 3, 4, 5}),
        ("straight-flush", {2, 3, 4, 5}),
        ("suited-pair", set()),
        ("suited-three-of-a-kind", set()),
    ],
)
def test_pay_lines_are_limited_to_their_hand_sizes(line: str, sizes: set[int]) -> None:
    assert {n for n in range(7) if atoms(line, n) is not None} == sizes


def test_mhl_12_pay_lines_of_several_decks() -> None:
    assert line_names(3, many_decks=True) == (
        *("high-card", "pair", "flush", "suited-pair", "straight", "three-of-a-kind"),
        *("straight-flush", "mini-royal", "suited-three-of-a-kind"),
    )
    kinds = hand_kinds(3, many_decks=True)
    assert len(covered_kinds("suited-pair", kinds, 3, many_decks=True)) == 26
    assert covered_kinds("pair-A", kinds, 3, many_decks=True) == (
        *("pair-A", "suited-pair-A", "suited-pair-A-flush"),
    )
    assert atoms("suited-pair-flush", 3, many_decks=True) is None
    assert atoms("pair", 4, many_decks=True) is None


@pytest.mark.parametrize(("n", "many_decks"), [(0, False), (6, False), (2, True), (5, True)])
def test_hand_sizes_without_a_ranking_are_refused(n: int, many_decks: bool) -> None:
    with pytest.raises(CardError, match=rf"^{n} cards .*have no ranking; one deck ranks 1 to 5"):
        hand_kinds(n, many_decks=many_decks)


def test_hands_need_no_numpy_until_arrays_are_ranked() -> None:
    ask = "import sys, pitbook.hands; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", ask], check=False).returncode == 0


def covered_kinds(
    line: str, kinds: tuple[Kind, ...], n: int, *, many_decks: bool = False
) -> tuple[str, ...]:
    wanted = atoms(line, n, many_decks)
    assert wanted is not None
    return tuple(kind.name for kind in kinds if wanted & kind.fits)
