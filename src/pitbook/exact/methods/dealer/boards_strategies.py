"""Strategies on boards: named ones, a player's own rules, and short ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache, lru_cache
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitbook.cards import Card
from pitbook.exact.methods.dealer.boards_advice import cached_solution, hole_number, worths_at
from pitbook.exact.methods.dealer.boards_solve import (
    FLOP,
    NOTHING,
    May,
    RuleDecisions,
    Solution,
    StreetPlan,
    SweepRows,
    plan_of,
    solve,
    solve_decisions,
    stored_flops,
    sweep_uncached,
)
from pitbook.exact.methods.dealer.boards_sweep import FlopPairs, River, list_flops
from pitbook.exact.methods.dealer.common import DealerStrategy, parse_strategy_name
from pitbook.exact.methods.dealer.strength import KEYS, strength_of
from pitbook.exact.methods.dealer.structure import Terms
from pitbook.exact.methods.ladder.strategies import Chooser, class_name, rule_chooser
from pitbook.exact.methods.method import StrategyLine
from pitbook.exact.methods.plain.solve import PlainSolver, Seen
from pitbook.exact.rule_files import Rules, StrategyError
from pitbook.hands.kinds import RANK_NAMES, Ace
from pitbook.hands.ranking import HandClass, best_rank, classes, rank_of
from pitbook.money import Cents
from pitbook.rules.game import Game, Seat
from pitbook.rules.plays import Play
from pitbook.text import say

Ints = NDArray[np.int64]


def follow(game: Game, name: str, ante: Cents | None) -> DealerStrategy:
    """A strategy by its name; raises StrategyError with a sentence."""
    kind, word = parse_strategy_name(game, name)
    solution = cached_solution(game, ante, None)
    if kind != "best":
        solution = solve(
            Terms(game, ante), may=_plays_without(word) if kind == "never" else _plays_only(word)
        )
    return DealerStrategy(name, PlainSolver(game, ante), _spot_by_spot(solution), lambda: solution)


def _plays_without(word: str) -> May:
    def may(plays: Sequence[Play]) -> Sequence[Play]:
        return [play for play in plays if play != word] or plays

    return may


def _plays_only(word: str) -> May:
    def may(plays: Sequence[Play]) -> Sequence[Play]:
        return [play for play in plays if play == word] or plays

    return may


def _spot_by_spot(solution: Solution) -> Callable[[int, Seen, Seat], Play]:
    """A strategy asked at the table, one spot at a time."""
    plan = solution.plan

    @lru_cache(maxsize=2**16)
    def known(street: int, cards: tuple[Card, ...], board: tuple[Card, ...]) -> Play:
        plays = plan.plays[street]
        if len(plays) == 1:
            return plays[0]
        if not board:
            assert solution.before is not None
            return plays[int(solution.before.best[hole_number(solution, cards)])]
        worths, _ = worths_at(plan, street, cards, board)
        return max(worths, key=worths.__getitem__)

    def choose(stage: int, seen: Seen, seat: Seat) -> Play:
        street = sum(one.stage < stage for one in plan.streets)
        return known(street, seen[0], seen[1])

    return choose


def follow_rules(game: Game, rules: Rules, ante: Cents | None) -> DealerStrategy:
    """A player's own rules, by the cards seen; raises StrategyError with a sentence."""
    solve_rules, choose = solve_by_rules(game, rules, ante)
    return DealerStrategy(rules.name, PlainSolver(game, ante), choose, solve_rules)


def strategy_lines(game: Game, ante: Cents | None, purse: Cents | None) -> Iterator[StrategyLine]:
    """The best strategy by what is seen, as far as the flop."""
    solution = cached_solution(game, ante, None)
    if purse is not None:
        solution = solve(Terms(game, ante, purse=purse))
    yield from lines_of(solution)


def lines_of(solution: Solution) -> Iterator[StrategyLine]:
    """Before the flop by hole cards, after it by the class of all five, each play with its own."""
    for number, street in enumerate(solution.plan.streets):
        if street.seen == NOTHING:
            yield from _lines_before_flop(solution, number)
        elif street.seen == FLOP:
            yield from _lines_after_flop(solution, number)


def _lines_before_flop(solution: Solution, street: int) -> Iterator[StrategyLine]:
    rows, chosen = solution.rows, solution.before
    assert chosen is not None
    hands = classes(2, solution.plan.terms.fight.ace)
    for hole, pair in enumerate(rows.pairs.tolist()):
        deals = int(solution.deals[hole])
        best = int(chosen.best[hole])
        name = class_name(hands[rank_of([Card(card) for card in pair])])
        yield _strategy_line(solution, street, name, best, (int(chosen.worths[best, hole]), deals))


def _lines_after_flop(solution: Solution, street: int) -> Iterator[StrategyLine]:
    """Of the rows of one class those with each play; worths are sums of whole numbers."""
    chosen, hands = solution.after, classes(5, solution.plan.terms.fight.ace)
    assert chosen is not None
    worths, deals = solution.worths_after_flop(), solution.rows.swept.every.sum(1, np.int64)
    plays, best_worths = len(worths), worths[chosen, np.arange(len(chosen))]
    del worths
    group = seen_classes(stored_flops(), solution.plan.terms.fight.ace) * plays + chosen
    order = np.argsort(group, kind="stable")
    starts = np.flatnonzero(np.diff(group[order], prepend=-1))
    for rows in reversed(np.split(order, starts[1:])):
        place, best = divmod(int(group[rows[0]]), plays)
        won, total_deals = sum(best_worths[rows].tolist()), int(deals[rows].sum())
        yield _strategy_line(solution, street, class_name(hands[place]), best, (won, total_deals))


def _strategy_line(
    solution: Solution, street: int, held: str, best: int, worth: tuple[int, int]
) -> StrategyLine:
    """A play with what it wins, in so many deals."""
    plan, (won, deals) = solution.plan, worth
    seat, stage = plan.seats[street], plan.terms.game.stages[plan.streets[street].stage]
    each = Fraction(won, deals * plan.terms.stake)
    return StrategyLine(stage.id, held, len(seat.main), plan.plays[street][best], each)


Choose = Callable[[int, Seen, Seat], Play]


def solve_by_rules(
    game: Game, rules: Rules, ante: Cents | None, deck: Sequence[Card] | None = None
) -> tuple[Callable[[], Solution], Choose]:
    """A function that solves rules, and their play spot by spot; raises StrategyError.

    On some cards alone where they are named.
    """
    plan, choose = plan_of(Terms(game, ante)), rule_chooser(game, rules)
    ace = plan.terms.fight.ace
    by_street = [_plays_by_class(plan, street, choose) for street in range(len(plan.streets))]
    last = _class_takes_other(plan, by_street[-1])

    def solve() -> Solution:
        laid = stored_flops() if deck is None else list_flops(deck)
        rows = sweep_uncached(laid, _river_for_rules(plan, last))
        seen = [street.seen for street in plan.streets]
        before, after = None, None
        if NOTHING in seen:
            before = by_street[seen.index(NOTHING)][_hole_classes(rows, ace)]
        if FLOP in seen:
            after = by_street[seen.index(FLOP)][seen_classes(laid, ace)]
        return solve_decisions(plan, rows, RuleDecisions(before, after, last))

    return solve, _rule_chooser(plan, by_street)


def _plays_by_class(plan: StreetPlan, street: int, choose: Chooser) -> NDArray[np.int8]:
    """By class of the cards seen, or the best five of them, the play's place on its street."""
    plays = [str(play) for play in plan.plays[street]]
    stage, seat = plan.streets[street].stage, plan.seats[street]
    units = sum(stake for _, stake in seat.main) // plan.terms.stake
    said = [choose(stage, hand, units) for hand in _classes(plan, street)]
    for word in set(said):
        if word not in plays:
            allowed = {"play": word, "plays": tuple(plays)}
            raise StrategyError(say("exact.strategy.no-play", **allowed))
    return np.array([plays.index(word) for word in said], np.int8)


def _classes(plan: StreetPlan, street: int) -> tuple[HandClass, ...]:
    size = 2 if plan.streets[street].seen == NOTHING else 5
    return tuple(classes(size, plan.terms.fight.ace))


def _class_takes_other(plan: StreetPlan, made: NDArray[np.int8]) -> tuple[bool, ...]:
    """By class, whether the other of the last two plays is made on the board."""
    other = plan.last_two[1]
    if other is None:
        return ()
    ends = [plan.ends[len(plan.streets) - 1, play] == other for play in plan.plays[-1]]
    return tuple(bool(one) for one in np.array(ends)[made])


def _river_for_rules(plan: StreetPlan, last: tuple[bool, ...]) -> River:
    """What a sweep must know where rules decide on the board: each shape with either play."""
    river = plan.river(listing=False)
    if not last:
        return river
    shapes = tuple(2 * shape + takes for shape, takes in zip(river.shapes, last, strict=True))
    gains = tuple((gain,) * len(row) for row in river.gains for gain in (-1, 1))
    return river._replace(
        shapes=shapes,
        cells=tuple(row for row in river.cells for _ in range(2)),
        gains=gains,
        listed=(False,) * len(gains),
    )


def _hole_classes(rows: SweepRows, ace: Ace) -> Ints:
    return np.array([rank_of([Card(card) for card in pair], ace) for pair in rows.pairs.tolist()])


def seen_classes(laid: FlopPairs, ace: Ace) -> Ints:
    """By row, the class of hole cards and flop."""
    from pitbook.exact.methods.dealer.pairs_kernels import rank_hands  # noqa: PLC0415

    strength = strength_of(5, 5, ace)
    flops = np.repeat(laid.flops, np.diff(laid.starts), axis=0)
    cards = np.concatenate([flops, laid.pairs], axis=1).astype(np.uint8)
    keys, nothing = np.array(KEYS, np.int64), np.zeros(0, np.int64)
    found = rank_hands(cards, nothing, keys, strength.by_ranks, strength.by_suit)
    return np.asarray(found, np.int64)


def _rule_chooser(plan: StreetPlan, by_street: list[NDArray[np.int8]]) -> Choose:
    ace = plan.terms.fight.ace

    @lru_cache(maxsize=2**16)
    def known(street: int, cards: tuple[Card, ...]) -> Play:
        place = rank_of(cards, ace) if len(cards) == 2 else best_rank(cards, 5, ace)
        return plan.plays[street][int(by_street[street][place])]

    def choose(stage: int, seen: Seen, seat: Seat) -> Play:
        street = sum(one.stage < stage for one in plan.streets)
        return known(street, (*seen[0], *seen[1]))

    return choose


TESTS_MAX = 5
WORTH_A_TEST = 0.002  # What one test more must add to the gain of all.
UNSEEN = 45  # Cards that a player does not see who sees the whole board.
OUTS = 20  # Of them so many or thereabouts: where the search begins.
HIGH = range(8, 13)  # From a ten to an ace.
WINDOWS = [0b11111 << low for low in range(9)] + [0b1000000001111]
OPEN = [0b1111 << low for low in range(1, 9)]  # Four in a row with room at both ends.

Flags = NDArray[np.bool_]


class FlopTests(NamedTuple):
    """After the flop: make `play` where any test holds, `else_play` elsewhere."""

    stage: int
    tests: tuple[str, ...]
    play: Play
    else_play: Play
    made: NDArray[np.int8]  # By row.


class ShortStrategy(NamedTuple):
    """A short strategy; `expected` is of a whole round.

    On the whole board a hand is given up that more than `outs_max` unseen cards beat; None where
    that is not decided.
    """

    flop: FlopTests | None
    outs_max: int | None
    expected: Fraction


def short_strategy(solution: Solution) -> ShortStrategy:
    """The short strategy of a game; best play where nothing can be put shorter."""
    flop, plan = _find_tests(solution), solution.plan
    last = plan.last_two[1]
    if last is None or not last.folded:
        made = solution if flop is None else _solution_with_tests(solution, flop, solution.rows)
        return ShortStrategy(flop, None, made.expected)

    @cache
    def worth(outs_max: int) -> Fraction:
        rows = sweep_uncached(stored_flops(), plan.river(listing=False), outs_max)
        return _solution_with_tests(solution, flop, rows).expected

    outs_max = _best_outs(worth)
    return ShortStrategy(flop, outs_max, worth(outs_max))


def _best_outs(worth: Callable[[int], Fraction], outs: int = OUTS) -> int:
    """Where the worth is highest: up from a number, else down."""
    step = 1 if worth(outs + 1) > worth(outs) else -1
    while 0 <= outs + step < UNSEEN and worth(outs + step) > worth(outs):
        outs += step
    return outs


def _solution_with_tests(solution: Solution, flop: FlopTests | None, rows: SweepRows) -> Solution:
    """Best play before the flop, the tests after it, and on the board as rows were swept."""
    before = solution.before.best if solution.before is not None else None
    after = solution.after if flop is None else flop.made
    return solve_decisions(solution.plan, rows, RuleDecisions(before, after, ()))


def _find_tests(solution: Solution) -> FlopTests | None:
    """Tests for a decision between two plays after the flop; None without one."""
    plan = solution.plan
    seen = [street.seen for street in plan.streets]
    if FLOP not in seen or len(plan.plays[seen.index(FLOP)]) != 2:
        return None
    street = seen.index(FLOP)
    here, tests = _reached_rows(solution, seen), _test_flags()
    plays, worths = plan.plays[street], solution.worths_after_flop()
    bet = max((0, 1), key=lambda place: plays[place].times)
    gains = np.where(here, worths[bet] - worths[1 - bet], 0)
    names = _choose_tests(tests, gains)
    taken = np.logical_or.reduce([tests[name] for name in names])
    made = np.where(taken, bet, 1 - bet).astype(np.int8)
    return FlopTests(plan.streets[street].stage, names, plays[bet], plays[1 - bet], made)


def _reached_rows(solution: Solution, seen: list[int]) -> Flags:
    """Rows that still have the decision: not where a bet was made before the flop."""
    many = len(solution.rows.hole)
    if NOTHING not in seen or solution.before is None:
        return np.ones(many, np.bool_)
    first = seen.index(NOTHING)
    on = solution.plan.plays[first].index(solution.plan.streets[first].on)
    return np.asarray(solution.before.best[solution.rows.hole] == on)


def _choose_tests(tests: Mapping[str, Flags], gains: NDArray[np.int64]) -> tuple[str, ...]:
    """Of all sets of so few tests the one that gains most; rows alike in every test are one."""
    code = sum((holds.astype(np.int64) << place for place, holds in enumerate(tests.values())), 0)
    alike, back = np.unique(code, return_inverse=True)
    gained = np.bincount(back, weights=gains)
    best: tuple[int, ...] = ()
    most = 0.0
    for many in range(1, TESTS_MAX + 1):
        for some in combinations(range(len(tests)), many):
            worth = gained[(alike & sum(1 << one for one in some)) != 0].sum()
            best, most = (some, worth) if worth > most * (1 + WORTH_A_TEST) else (best, most)
    return tuple(list(tests)[one] for one in best)


def _test_flags() -> dict[str, Flags]:
    """By name, the rows in which a test holds."""
    laid = stored_flops()
    flops = np.repeat(laid.flops, np.diff(laid.starts), axis=0)
    own, cards = laid.pairs, np.concatenate([flops, laid.pairs], axis=1)
    ranks, suits = cards >> 2, cards & 3
    high, low, top = own.max(axis=1) >> 2, own.min(axis=1) >> 2, (flops >> 2).max(axis=1)
    suited = np.stack([(suits == suit).sum(axis=1) for suit in range(4)], axis=1)
    bits = np.bitwise_or.reduce(1 << ranks, axis=1)
    paired = ((own[:, :1] >> 2 == flops >> 2) | (own[:, 1:] >> 2 == flops >> 2)).sum(axis=1)
    pocket, straight = high == low, _has_window(bits, WINDOWS, 5)
    flush = suited.max(axis=1)
    made = straight | (flush == 5)
    found = {
        "own-pair": pocket | (paired > 0) | made,
        "own-pair-top": (high == top) | (low == top) | (pocket & (high > top)) | made,
        "own-two-pair": (paired + pocket > 1) | made,
        "flush-draw": flush == 4,
        "straight-open": _has_window(bits, OPEN, 4),
        "straight-inside": _has_window(bits, WINDOWS, 4),
        "two-over": low > top,
        "one-over": high > top,
    }
    found |= {f"high-{RANK_NAMES[rank]}": high >= rank for rank in HIGH}
    found |= {f"both-{RANK_NAMES[rank]}": low >= rank for rank in HIGH[:-1]}
    return {
        **found,
        **{
            f"flush-draw-{RANK_NAMES[rank]}": (flush == 4) & _has_high_suited(own, suited, rank)
            for rank in HIGH
        },
    }


def _has_window(bits: NDArray[np.int64], windows: list[int], many: int) -> Flags:
    """Whether so many ranks lie in one of some windows."""
    counts = [np.bitwise_count(bits & window) >= many for window in windows]
    return np.asarray(np.logical_or.reduce(counts))


def _has_high_suited(own: NDArray[np.int64], suited: NDArray[np.int64], rank: int) -> Flags:
    """Whether a hole card of the longest suit is so high."""
    longest = suited.argmax(axis=1)[:, None]
    return np.asarray((((own & 3) == longest) & (own >> 2 >= rank)).any(axis=1))
