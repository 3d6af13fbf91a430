"""Random variants of dealer games: the fast methods agree with plain enumeration."""

from __future__ import annotations

from random import Random

import pytest
from tests.exact.duels import small_deck
from tests.exact.odd_duels import random_dealer_sheet
from tests.exact.test_pairs import outcome_shares
from tests.lanes import examples

from pitbook.exact.long_computations import TooLarge
from pitbook.exact.methods.choose import method_for
from pitbook.exact.methods.dealer import boards_solve as boards
from pitbook.exact.methods.dealer import pairs_solve as pairs
from pitbook.exact.methods.dealer.structure import Terms
from pitbook.exact.methods.plain.method import main_figures
from pitbook.exact.methods.plain.solve import PlainSolver
from pitbook.rules.game import compile_game

NUMBERS = examples(5, 210)
SOLVE = {"pairs": pairs.solve, "boards": boards.solve}


def methods_differ(number: int, *, capped: bool) -> bool | None:
    """Whether the two methods differ; None if one of them cannot solve the game."""
    game, rng = compile_game(random_dealer_sheet(number)), Random(f"{number} {capped}")
    method, ante = method_for(game).name, game.main[1].max if capped else None
    if method not in SOLVE:
        return None
    size = max(9, sum(place.cards for place in game.places))
    deck = small_deck(rng, size, alike=size % 3 == 0 and rng.random() < 0.5)
    plain = PlainSolver(game, ante, deck=deck)
    try:
        value = plain.value()
    except TooLarge:
        return None
    fast = SOLVE[method](Terms(game, ante), deck)  # type: ignore[operator]
    equal_figures = outcome_shares(fast.figures) == outcome_shares(main_figures(plain))
    return not equal_figures or fast.expected != value


@pytest.mark.long
def test_random_variants_equal_plain_enumeration() -> None:
    results = {
        (number, capped): methods_differ(number, capped=capped)
        for number in range(NUMBERS)
        for capped in (False, True)
    }
    assert [case for case, difference in results.items() if difference] == []
    assert sum(difference is False for difference in results.values()) > NUMBERS // 2
