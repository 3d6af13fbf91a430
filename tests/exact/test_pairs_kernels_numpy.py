"""Without Numba, NumPy counts the same hands and gives the same figures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

import pytest
from tests.exact.duels import small_deck
from tests.lanes import examples

from pitbook import load
from pitbook.cards import DECK, Card
from pitbook.exact.methods.choose import choose_method
from pitbook.exact.methods.dealer import pairs_solve as pairs
from pitbook.exact.methods.dealer.pairs_solve import Shape, count_matches, required_shape
from pitbook.exact.methods.dealer.structure import Terms
from pitbook.exact.sheet_figures import game_figures
from pitbook.exact.shipped_figures import computed_afresh
from pitbook.money import Cents

GAMES = (
    "classic/caribbean-stud",
    "pennsylvania/crazy-4-poker",
    "pennsylvania/four-card-poker",
    "pennsylvania/three-card-poker",
)
WITH_SIDE = [
    ("pennsylvania/three-card-poker", {"pair-plus": Cents(5_00)}),
    ("pennsylvania/three-card-poker", {"six-card-bonus": Cents(5_00)}),
]


@pytest.fixture
def without_numba(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    pairs._count_all_deals.cache_clear()  # type: ignore[attr-defined]
    with monkeypatch.context() as patch:
        patch.setattr(pairs, "has_numba", lambda: False)
        yield patch
    pairs._count_all_deals.cache_clear()  # type: ignore[attr-defined]


def matches(shape: Shape, deck: Sequence[Card]) -> list[list[object]]:
    return [part.tolist() for part in count_matches(shape, deck)]


@pytest.mark.parametrize("number", range(examples(4, 40)))
@pytest.mark.parametrize("name", GAMES)
def test_counts_equal_those_of_compiled_loops(
    name: str, number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    shape = required_shape(choose_method(load(name))[0])
    deck = list(small_deck(Random(f"{name} {number}"), 13, alike=number % 2 == 0))
    compiled = matches(shape, deck)
    monkeypatch.setattr(pairs, "has_numba", lambda: False)
    assert matches(shape, deck) == compiled


@pytest.mark.long
@pytest.mark.parametrize(("name", "side"), WITH_SIDE)
def test_figures_of_a_whole_round_are_the_same(
    name: str, side: dict[str, Cents], without_numba: pytest.MonkeyPatch
) -> None:
    sheet = load(name)
    with computed_afresh():
        arrays = game_figures(sheet, ante=Cents(10_00), side=side).document()
        without_numba.setattr(pairs, "has_numba", lambda: True)
        pairs._count_all_deals.cache_clear()  # type: ignore[attr-defined]
        assert game_figures(sheet, ante=Cents(10_00), side=side).document() == arrays


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_counts_of_a_full_deck_equal_those_of_compiled_loops(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    terms = Terms(choose_method(load(name))[0])
    shape = required_shape(terms.game)
    compiled = matches(shape, DECK)
    monkeypatch.setattr(pairs, "has_numba", lambda: False)
    assert matches(shape, DECK) == compiled
