"""Advice for one spot: quick on a new machine, and right by an independent evaluator."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from datetime import date
from itertools import combinations
from pathlib import Path
from random import Random

import pytest
from phevaluator import evaluate_cards
from tests.lanes import THOROUGH, spread

from pitbook.cards import DECK, Card, name
from pitbook.exact.advice import advise
from pitbook.exact.methods.choose import choose_method
from pitbook.exact.methods.dealer.boards_solve import plan_of
from pitbook.exact.methods.dealer.boards_strategies import play_values_at
from pitbook.exact.methods.dealer.structure import EVENTS, Terms
from pitbook.sheets.library import Library

HOLDEM = ("classic/casino-holdem", "pennsylvania/ultimate-texas-holdem")
WORST_QUALIFYING = {  # The dealer needs at least this hand.
    "classic/casino-holdem": evaluate_cards("4c", "4d", "2h", "3s", "5c"),
    "pennsylvania/ultimate-texas-holdem": evaluate_cards("2c", "2d", "3h", "4s", "5c"),
}
CPU_SECONDS_MAX = 1.0
TODAY = date(2026, 1, 1)

WITHOUT_NUMBA = """
import sys
from importlib.abc import MetaPathFinder
class Missing(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] == "numba":
            raise ModuleNotFoundError(name)
sys.meta_path.insert(0, Missing())
from time import process_time
from pitbook.coach.practice_hands import hand, hand_numbers, only_seat
from pitbook.coach.verdicts import weigh
from pitbook.rules.game import compile_game
from pitbook.sheets.library import Library
from datetime import date
game = compile_game(Library().load(sys.argv[1], date(2026, 1, 1)))
round = hand(game, "first", hand_numbers(game, "first")[0])
started = process_time()
assert weigh(round, only_seat(round)).hint
print(process_time() - started)
"""


def first_hint_seconds(sheet: str, cache: Path) -> float:
    """CPU seconds of the first hint of a new process without Numba and with an empty cache."""
    environment = {"XDG_CACHE_HOME": str(cache), "PATH": "/usr/bin:/bin"}
    result = subprocess.run(
        [sys.executable, "-c", WITHOUT_NUMBA, sheet],
        env=environment, check=True, capture_output=True, text=True,
    )  # fmt: skip
    return float(result.stdout)


@pytest.mark.parametrize(
    "sheet",
    spread(
        [
            "classic/casino-holdem",
            "pennsylvania/four-card-poker",
            "classic/caribbean-stud",
            "classic/casino-war",
            "classic/ultimate-three-card-poker",
            "catfish-bend/matchem-hi-lo",
            "catfish-bend/mississippi-stud",
            "pennsylvania/crazy-4-poker",
            "pennsylvania/let-it-ride",
            "pennsylvania/three-card-poker",
        ],
        2,
    ),
)
@pytest.mark.long
def test_first_hint_needs_no_compiler_and_takes_under_a_second(sheet: str, tmp_path: Path) -> None:
    assert first_hint_seconds(sheet, tmp_path) < CPU_SECONDS_MAX


def count_showdowns(sheet: str, hole: list[Card], board: list[Card]) -> list[int]:
    """Counts of each event over all boards and dealer hands, by another evaluator."""
    open_cards = {*hole, *board}
    unseen = [card for card in DECK if card not in open_cards]
    counts: Counter[str] = Counter()
    for rest in combinations(unseen, 5 - len(board)):
        full = [name(card) for card in (*board, *rest)]
        player = evaluate_cards(*map(name, hole), *full)
        for pair in combinations([card for card in unseen if card not in rest], 2):
            dealer = evaluate_cards(*map(name, pair), *full)
            result = "win" if player < dealer else "tie" if player == dealer else "lose"
            below = dealer > WORST_QUALIFYING[sheet]
            counts[f"below-{result}" if below else result] += 1
    return [counts[event] for event in EVENTS]


@pytest.mark.parametrize("sheet", HOLDEM)
@pytest.mark.parametrize("board_cards", [5, 3] if THOROUGH else [5])
@pytest.mark.long
def test_showdowns_after_the_flop_equal_those_of_another_evaluator(
    sheet: str, board_cards: int
) -> None:
    rules = Library().load(sheet, TODAY)
    plan = plan_of(Terms(choose_method(rules)[0]))
    rng = Random(f"{sheet} {board_cards}")
    street = len(plan.streets) - 1
    for _ in range(12 if board_cards == 5 else 1):
        cards = [Card(card) for card in rng.sample(range(52), 2 + board_cards)]
        _, events = play_values_at(plan, street, cards[:2], cards[2:])
        assert events == count_showdowns(sheet, cards[:2], cards[2:]), cards


def test_changed_sheet_answers_flop_and_river_without_a_sweep(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(*arguments: object) -> None:
        raise AssertionError("a spot must not sweep the game")

    monkeypatch.setattr("pitbook.exact.methods.dealer.boards_solve.stored_rows", refuse)
    sheet = Library().load("pennsylvania/ultimate-texas-holdem", TODAY)
    changed = sheet.model_copy(update={"title": "Another title"})
    hole, flop = [Card(0), Card(5)], [Card(9), Card(14), Card(30)]
    river = [*flop, Card(40), Card(51)]
    assert advise(changed, hole, flop, ["check"]).actions
    assert advise(changed, hole, river, ["check", "check"]).actions
