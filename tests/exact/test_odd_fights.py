"""Games that nobody deals, worked out by the fast methods and by going through all cards."""

from __future__ import annotations

from random import Random

import pytest
from tests.exact.fights import some_deck
from tests.exact.odd_fights import odd_fight
from tests.exact.test_pairs import shared
from tests.lanes import examples

from pitbook.exact.methods.choose import method_for
from pitbook.exact.methods.dealer import boards_solve as boards
from pitbook.exact.methods.dealer import pairs_solve as pairs
from pitbook.exact.methods.dealer.structure import Terms
from pitbook.exact.methods.plain.method import main_figures
from pitbook.exact.methods.plain.solve import PlainSolver
from pitbook.exact.work import TooLarge
from pitbook.rules.game import compile_game

NUMBERS = examples(5, 210)
SOLVE = {"pairs": pairs.solve, "boards": boards.solve}


def differs(number: int, *, capped: bool) -> bool | None:
    """Whether the two methods differ; None where one of them cannot work the game out."""
    game, luck = compile_game(odd_fight(number)), Random(f"{number} {capped}")
    method, ante = method_for(game).name, game.main[1].max if capped else None
    if method not in SOLVE:
        return None
    size = max(9, sum(place.cards for place in game.places))
    deck = some_deck(luck, size, alike=size % 3 == 0 and luck.random() < 0.5)
    plain = PlainSolver(game, ante, deck=deck)
    try:
        value = plain.value()
    except TooLarge:
        return None
    fast = SOLVE[method](Terms(game, ante), deck)  # type: ignore[operator]
    same = shared(fast.figures) == shared(main_figures(plain))
    return not same or fast.expected != value


@pytest.mark.long
def test_every_outcome_as_often() -> None:
    found = {
        (number, capped): differs(number, capped=capped)
        for number in range(NUMBERS)
        for capped in (False, True)
    }
    assert [one for one, differ in found.items() if differ] == []
    assert sum(differ is False for differ in found.values()) > NUMBERS // 2
