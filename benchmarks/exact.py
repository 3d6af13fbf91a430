"""Exact figures: a solve compared with plain NumPy enumeration, and the time of every answer.

All run in this process on one thread. The plain way is the obvious one: for each of the 1,326
starting hands, rank all 19,600 boards with sorted ranks, price them, and work backward over the
community cards, stake by stake. The tuned one uses our ranking and prices all stakes at once.
Both are timed on a few starting hands and scaled to all. The last lines are medians compared
with what a person at a table or a shell will wait.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import date
from fractions import Fraction
from itertools import combinations, cycle, permutations
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pitbook.cards import Card
from pitbook.exact.advice import advise
from pitbook.exact.compare import with_pays
from pitbook.exact.compiled_games import exact_ante
from pitbook.exact.methods.ladder.solve import solve
from pitbook.exact.methods.ladder.structure import Terms
from pitbook.exact.sheet_figures import wager_figures, whole_round
from pitbook.hands import batch
from pitbook.money import Cents, Odds
from pitbook.rules.families.street_stud.sheet import StreetStud
from pitbook.rules.game import compile_game
from pitbook.rules.settlement_lines import pay_by_kind
from pitbook.sheets.library import Library

SEED = 52
SHEET = "catfish-bend/mississippi-stud"
PLAIN_HANDS = 13  # Of 1,326: one in 102.
RATIO_MIN = 12_000  # Depends on NumPy too, which the plain way uses more.
SOLVE_MS_MAX = 0.3
EXPECTED = Fraction(-53223, 1082900)

Ints = NDArray[np.int64]


def main() -> int:
    sheet = Library().load(SHEET, date(2026, 1, 1))
    assert isinstance(sheet, StreetStud)
    build_seconds = seconds(lambda: solve(sheet))
    assert solve(sheet).expected == EXPECTED
    print(f"{SHEET}, seed {SEED}; tables built in {build_seconds * 1e3:.0f} ms")
    solve_seconds = median(
        over_new_sheets(sheet, lambda changed_sheet: solve(changed_sheet).expected), 300
    )
    plain, tuned = (
        total_seconds * 1_326 / PLAIN_HANDS for total_seconds in time_enumerations(sheet)
    )
    print(f"{'a solve for a new pay table':<44}{solve_seconds * 1e3:10.3f} ms")
    for label, run in solve_parts(sheet):
        print(f"  {label:<42}{median(run, 300) * 1e3:10.3f} ms")
    for label, elapsed in (("plain", plain), ("tuned", tuned)):
        text = f"{label} enumeration of 25,989,600 card sets"
        print(
            f"{text:<44}{elapsed * 1e3:10.0f} ms, scaled; {elapsed / solve_seconds:,.0f} x a solve"
        )
    print(f"a solve is {plain / solve_seconds:,.0f} times the plain way; it must be {RATIO_MIN:,}")
    missed = [
        *([] if plain / solve_seconds >= RATIO_MIN else ["ratio"]),
        *([] if solve_seconds * 1e3 < SOLVE_MS_MAX else ["solve"]),
    ]
    for label, run, repeats, limit in answers(sheet):
        elapsed = median(run, repeats) * 1e3
        print(f"{label:<44}{elapsed:10.2f} ms, at most {limit:,.0f}")
        missed += [] if elapsed < limit else [label]
    print(f"missed: {', '.join(missed)}" if missed else "all within their limits")
    return 1 if missed else 0


def answers(sheet: StreetStud) -> Iterator[tuple[str, Callable[[], object], int, float]]:
    """Questions, how often each is timed, and its limit in milliseconds."""
    bonus = {"three-card-bonus": Cents(5_00)}
    capped = over_new_sheets(
        sheet, lambda changed_sheet: solve(changed_sheet, Cents(100_00)).expected
    )
    yield "a solve with caps at $100", capped, 100, 10
    yield (
        "figures of one wager",
        over_new_sheets(sheet, lambda changed_sheet: wager_figures(changed_sheet, "main")),
        50,
        50,
    )
    yield "joint figures", lambda: whole_round(sheet, None, bonus), 7, 300
    yield (
        "joint figures with caps at $100",
        lambda: whole_round(sheet, Cents(100_00), bonus),
        7,
        300,
    )
    rng = Random(SEED)
    yield "advice", lambda: spot(sheet, rng, 0), 300, 2
    yield "advice at $100", lambda: spot(sheet, rng, 0, Cents(100_00)), 300, 2
    yield "advice before the flop, ten dead cards", lambda: spot(sheet, rng, 10), 30, 50
    yield "pitbook math from the shell", math_command(), 7, 1_500


def solve_parts(sheet: StreetStud) -> Iterator[tuple[str, Callable[[], object]]]:
    """Where the time of a solve goes; the rest is the backward induction."""
    yield "of it, looking the sheet up in a cache", over_new_sheets(sheet, hash)
    yield "of it, compiling the game", over_new_sheets(sheet, compile_game)
    yield (
        "of it, compiling, and grouping hands by pay",
        over_new_sheets(sheet, lambda changed_sheet: terms_of(changed_sheet).groups),
    )


def terms_of(sheet: StreetStud) -> Terms:
    return Terms(compile_game(sheet), exact_ante(sheet), capped=False, side={})


def over_new_sheets(sheet: StreetStud, run: Callable[[StreetStud], object]) -> Callable[[], object]:
    """A function that asks about a new pay table each time."""
    changed_sheets = []
    for royal in range(400):
        pays = {**sheet.main.pays, "royal-flush": Odds(501 + royal)}
        changed = with_pays(sheet, "main", pays)
        assert isinstance(changed, StreetStud)
        changed_sheets.append(changed)
    endless = cycle(changed_sheets)
    return lambda: run(next(endless))


def spot(sheet: StreetStud, rng: Random, dead: int, ante: Cents | None = None) -> object:
    cards = [Card(card) for card in rng.sample(range(52), 2 + dead)]
    return advise(sheet, cards[:2], dead=cards[2:], ante=ante)


def math_command() -> Callable[[], object]:
    script = Path(sys.executable).with_name("pitbook")
    command = [str(script)] if script.exists() else [sys.executable, "-m", "pitbook"]
    return lambda: subprocess.run(
        [*command, "math", SHEET, "--json"], check=True, stdout=subprocess.DEVNULL
    )


def time_enumerations(sheet: StreetStud) -> tuple[float, float]:
    """Seconds for a few starting hands, plain and tuned; all results must agree."""
    sets = np.array(list(combinations(range(50), 3)))
    index = np.full((50, 50, 50), len(sets))
    for order in permutations(range(3)):
        index[tuple(sets[:, place] for place in order)] = np.arange(len(sets))
    odds = [pay_odds(pay.odds, pay.result) for pay in pay_by_kind(sheet, "main")]
    batch.kinds(np.array([[0, 1, 2, 3, 4]], np.uint8))  # Build its tables before timing.
    rng, plain, tuned = Random(SEED), 0.0, 0.0
    for _ in range(PLAIN_HANDS):
        hole = rng.sample(range(52), 2)
        unseen = np.array([card for card in range(52) if card not in hole])
        hands = np.concatenate([np.broadcast_to(hole, (len(sets), 2)), unseen[sets]], axis=1)
        start = perf_counter()
        plain_result = plain_value(plain_odds(hands), index)
        middle = perf_counter()
        tuned_result = tuned_value(np.array(odds)[batch.kinds(hands.astype(np.uint8))], sets)
        plain, tuned = plain + middle - start, tuned + perf_counter() - middle
        advice = advise(sheet, [Card(card) for card in hole])
        assert plain_result == tuned_result == advice.actions[advice.best]
    return plain, tuned


def pay_odds(odds: Odds | None, result: str) -> int:
    return odds.to if odds else 0 if result == "push" else -1


def plain_odds(hands: Ints) -> Ints:
    """The pay of each row of five cards: 500/100/40/10/6/4/3/2/1, push at sixes, else -1."""
    ranks, suits = np.sort(hands // 4, axis=1), hands % 4
    equal = np.zeros(len(hands), np.int64)
    pair = np.zeros(len(hands), np.int64)
    for first, second in combinations(range(5), 2):
        same = ranks[:, first] == ranks[:, second]
        equal += same
        pair = np.where(same, ranks[:, first], pair)
    wheel = (ranks == [0, 1, 2, 3, 12]).all(axis=1)
    straight = (equal == 0) & ((ranks[:, 4] - ranks[:, 0] == 4) | wheel)
    flush = (suits == suits[:, :1]).all(axis=1)
    royal = straight & flush & (ranks[:, 0] == 8)
    cases: list[Any] = [royal, straight & flush, equal == 6, equal == 4, flush, straight]
    cases += [equal == 3, equal == 2, (equal == 1) & (pair >= 9), (equal == 1) & (pair >= 4)]
    return np.select(cases, [500, 100, 40, 10, 6, 4, 3, 2, 1, 0], -1)


def plain_value(odds: Ints, index: Ints) -> Fraction:
    """Backward over ordered boards, stake by stake; no board has a card twice."""
    padded = np.append(odds, 0)
    values = {units: (padded * units)[index].sum(axis=2) for units in range(4, 11)}
    for known_cards, ways in ((2, 48), (1, 48 * 49), (0, 48 * 49 * 50)):
        level = {}
        for units in range(1 + known_cards, 2 + 3 * known_cards):
            bets = [values[units + bet] for bet in (1, 2, 3)]
            level[units] = np.maximum.reduce([*bets, np.full_like(bets[0], -units * ways)])
            if known_cards == 2:
                np.fill_diagonal(level[units], 0)
        values = (
            {units: np.sum(totals, axis=-1) for units, totals in level.items()}
            if known_cards
            else level
        )
    return Fraction(int(values[1]), 50 * 49 * 48)


def tuned_value(odds: Ints, sets: Ints) -> Fraction:
    """The same with sums by pairs of community cards, computed once for all stakes."""
    pair_sums = np.zeros((50, 50), np.int64)
    for first, second in ((0, 1), (0, 2), (1, 2)):
        pairs = sets[:, first] * 50 + sets[:, second]
        pair_sums += np.bincount(pairs, odds, minlength=2_500).astype(np.int64).reshape(50, 50)
    pair_sums += pair_sums.T
    distinct = ~np.eye(50, dtype=bool)
    river = {
        units: np.maximum.reduce(
            [(units + 1) * pair_sums, (units + 3) * pair_sums, -48 * units * distinct]
        )
        for units in range(3, 8)
    }
    turned = {units: totals.sum(axis=1) for units, totals in river.items()}
    turn = {
        units: best_of([turned[units + bet] for bet in (1, 2, 3)], -48 * 49 * units).sum()
        for units in (2, 3, 4)
    }
    best = max(-48 * 49 * 50, *(int(turn[1 + bet]) for bet in (1, 2, 3)))
    return Fraction(best, 50 * 49 * 48)


def best_of(bets: list[Ints], fold: int) -> Ints:
    best: Ints = np.maximum(np.maximum.reduce(bets), fold)
    return best


def median(run: Callable[[], object], repeats: int) -> float:
    run()
    return statistics.median(seconds(run) for _ in range(repeats))


def seconds(run: Callable[[], object]) -> float:
    start = perf_counter()
    run()
    return perf_counter() - start


if __name__ == "__main__":
    sys.exit(main())
