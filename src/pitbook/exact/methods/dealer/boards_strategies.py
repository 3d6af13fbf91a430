"""Advice and strategies on boards: best play, named ones, a player's own rules, and short ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from functools import cache, lru_cache
from itertools import combinations
from math import comb
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitbook.cards import DECK, Card
from pitbook.exact.long_computations import releasable_cache, track_parts
from pitbook.exact.methods.dealer.boards_solve import (
    BOARD,
    FLOP,
    HOLE,
    NOTHING,
    PlayFilter,
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
from pitbook.exact.methods.dealer.boards_sweep import (
    THREADS,
    FlopPairs,
    River,
    card_tables,
    list_flops,
)
from pitbook.exact.methods.dealer.common import (
    DealerStrategy,
    cache_solutions,
    explain_play,
    parse_strategy_name,
    refuse_combined,
)
from pitbook.exact.methods.dealer.shipped_solutions import board_solution
from pitbook.exact.methods.dealer.showdowns import count_board_events
from pitbook.exact.methods.dealer.stored_counts import defer_compiling, require_numba
from pitbook.exact.methods.dealer.strength import KEYS, strength_of
from pitbook.exact.methods.dealer.structure import (
    EVENTS,
    Terms,
    affected_side_wagers,
    side_wagers_on_other_hands,
)
from pitbook.exact.methods.ladder.strategies import Chooser, class_name, rule_chooser
from pitbook.exact.methods.method import Advice, StrategyLine
from pitbook.exact.methods.plain.solve import OpenCards, PlainSolver
from pitbook.exact.rule_files import Rules, StrategyError
from pitbook.exact.spots import Spot, spot_cards_and_plays
from pitbook.hands.kinds import RANK_NAMES, Ace
from pitbook.hands.ranking import HandClass, best_rank, classes, rank_of
from pitbook.money import Cents
from pitbook.rules.actions import Play
from pitbook.rules.game import Game, Seat
from pitbook.text import say

Ints = NDArray[np.int64]


def follow(game: Game, name: str, ante: Cents | None) -> DealerStrategy:
    """A strategy by its name; raises StrategyError."""
    kind, _ = parse_strategy_name(game, name)
    solution = cached_solution(game, ante, None)
    if kind != "best":
        solution = solve(Terms(game, ante), play_filter=named_filter(name))
    return DealerStrategy(name, PlainSolver(game, ante), _spot_chooser(solution), lambda: solution)


def named_filter(name: str) -> PlayFilter | None:
    """The plays that a named strategy considers; None for best play."""
    kind, _, play_name = name.partition("-")
    if kind == "best":
        return None
    return _plays_without(play_name) if kind == "never" else _plays_only(play_name)


def _plays_without(play_name: str) -> PlayFilter:
    def filter_plays(plays: Sequence[Play]) -> Sequence[Play]:
        return [play for play in plays if play != play_name] or plays

    return filter_plays


def _plays_only(play_name: str) -> PlayFilter:
    def filter_plays(plays: Sequence[Play]) -> Sequence[Play]:
        return [play for play in plays if play == play_name] or plays

    return filter_plays


def _spot_chooser(solution: Solution) -> Callable[[int, OpenCards, Seat], Play]:
    """A chooser that evaluates one spot at a time."""
    plan = solution.plan

    @lru_cache(maxsize=2**16)
    def best_play(street: int, cards: tuple[Card, ...], board: tuple[Card, ...]) -> Play:
        plays = plan.plays[street]
        if len(plays) == 1:
            return plays[0]
        if not board:
            assert solution.before_flop is not None
            return plays[int(solution.before_flop.best[hole_number(solution, cards)])]
        values, _ = play_values_at(plan, street, cards, board)
        return max(values, key=values.__getitem__)

    def choose(stage: int, open_cards: OpenCards, seat: Seat) -> Play:
        street = sum(street_plan.stage < stage for street_plan in plan.streets)
        return best_play(street, open_cards[0], open_cards[1])

    return choose


def follow_rules(game: Game, rules: Rules, ante: Cents | None) -> DealerStrategy:
    """A player's own rules, by the cards seen; raises StrategyError."""
    solve_rules, choose = solve_by_rules(game, rules, ante)
    return DealerStrategy(rules.name, PlainSolver(game, ante), choose, solve_rules)


def strategy_lines(game: Game, ante: Cents | None, purse: Cents | None) -> Iterator[StrategyLine]:
    """The best strategy by the cards seen, up to the flop."""
    solution = cached_solution(game, ante, None)
    if purse is not None:
        solution = solve(Terms(game, ante, purse=purse))
    yield from solution.entries()


def lines_of(solution: Solution) -> Iterator[StrategyLine]:
    """Before the flop by hole cards, after it by the class of all five cards and the play."""
    for number, street in enumerate(solution.plan.streets):
        if street.board_cards == NOTHING:
            yield from _lines_before_flop(solution, number)
        elif street.board_cards == FLOP:
            yield from _lines_after_flop(solution, number)


def _lines_before_flop(solution: Solution, street: int) -> Iterator[StrategyLine]:
    holes, decision = solution.holes, solution.before_flop
    assert decision is not None
    hands = classes(2, solution.plan.terms.dealer_game.ace)
    for hole, pair in enumerate(holes.pairs.tolist()):
        deals = int(solution.deals[hole])
        best = int(decision.best[hole])
        name = class_name(hands[rank_of([Card(card) for card in pair])])
        yield _strategy_line(
            solution, street, name, best, (int(decision.worths[best, hole]), deals)
        )


def _lines_after_flop(solution: Solution, street: int) -> Iterator[StrategyLine]:
    """The rows of each class and best play; worths are integer sums."""
    choices, hands = solution.after_flop, classes(5, solution.plan.terms.dealer_game.ace)
    assert choices is not None
    values, deals = solution.worths_after_flop(), solution.rows.swept.every.sum(1, np.int64)
    plays, best_worths = len(values), values[choices, np.arange(len(choices))]
    del values
    group = seen_classes(stored_flops(), solution.plan.terms.dealer_game.ace) * plays + choices
    order = np.argsort(group, kind="stable")
    starts = np.flatnonzero(np.diff(group[order], prepend=-1))
    for rows in reversed(np.split(order, starts[1:])):
        place, best = divmod(int(group[rows[0]]), plays)
        net, total_deals = sum(best_worths[rows].tolist()), int(deals[rows].sum())
        yield _strategy_line(solution, street, class_name(hands[place]), best, (net, total_deals))


def _strategy_line(
    solution: Solution, street: int, hand: str, best: int, value: tuple[int, int]
) -> StrategyLine:
    """A play with its value per deal."""
    plan, (net, deals) = solution.plan, value
    seat, stage = plan.seats[street], plan.terms.game.stages[plan.streets[street].stage]
    worth_per_deal = Fraction(net, deals * plan.terms.stake)
    return StrategyLine(stage.id, hand, len(seat.main), plan.plays[street][best], worth_per_deal)


Choose = Callable[[int, OpenCards, Seat], Play]


def solve_by_rules(
    game: Game, rules: Rules, ante: Cents | None, deck: Sequence[Card] | None = None
) -> tuple[Callable[[], Solution], Choose]:
    """A function that solves rules, and a chooser that follows them; raises StrategyError.

    With `deck`, on some cards only.
    """
    plan, choose = plan_of(Terms(game, ante)), rule_chooser(game, rules)
    ace = plan.terms.dealer_game.ace
    by_street = [_plays_by_class(plan, street, choose) for street in range(len(plan.streets))]
    last = _class_takes_other(plan, by_street[-1])

    def solve() -> Solution:
        flops = stored_flops() if deck is None else list_flops(deck)
        rows = sweep_uncached(flops, _river_for_rules(plan, last))
        cards_seen = [street.board_cards for street in plan.streets]
        before, after = None, None
        if NOTHING in cards_seen:
            before = by_street[cards_seen.index(NOTHING)][_hole_classes(rows, ace)]
        if FLOP in cards_seen:
            after = by_street[cards_seen.index(FLOP)][seen_classes(flops, ace)]
        return solve_decisions(plan, rows, RuleDecisions(before, after, last))

    return solve, _rule_chooser(plan, by_street)


def _plays_by_class(plan: StreetPlan, street: int, choose: Chooser) -> NDArray[np.int8]:
    """By class of the cards seen, or of the best five, the index of the play on its street."""
    plays = [str(play) for play in plan.plays[street]]
    stage, seat = plan.streets[street].stage, plan.seats[street]
    units = sum(stake for _, stake in seat.main) // plan.terms.stake
    play_names = [choose(stage, hand, units) for hand in _classes(plan, street)]
    for play_name in set(play_names):
        if play_name not in plays:
            fields = {"play": play_name, "plays": tuple(plays)}
            raise StrategyError(say("exact.strategy.no-play", **fields))
    return np.array([plays.index(play_name) for play_name in play_names], np.int8)


def _classes(plan: StreetPlan, street: int) -> tuple[HandClass, ...]:
    size = 2 if plan.streets[street].board_cards == NOTHING else 5
    return tuple(classes(size, plan.terms.dealer_game.ace))


def _class_takes_other(plan: StreetPlan, plays: NDArray[np.int8]) -> tuple[bool, ...]:
    """By class, whether the other of the last two plays is made on the board."""
    alternative = plan.last_two[1]
    if alternative is None:
        return ()
    ends = [plan.end_seats[len(plan.streets) - 1, play] == alternative for play in plan.plays[-1]]
    return tuple(bool(takes) for takes in np.array(ends)[plays])


def _river_for_rules(plan: StreetPlan, last: tuple[bool, ...]) -> River:
    """The input of a sweep if rules decide on the board: each shape with either play."""
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


def seen_classes(flop_pairs: FlopPairs, ace: Ace) -> Ints:
    """By row, the class of hole cards and flop."""
    from pitbook.exact.methods.dealer.pairs_kernels import rank_hands  # noqa: PLC0415

    strength = strength_of(5, 5, ace)
    flops = np.repeat(flop_pairs.flops, np.diff(flop_pairs.starts), axis=0)
    cards = np.concatenate([flops, flop_pairs.pairs], axis=1).astype(np.uint8)
    keys, no_cards = np.array(KEYS, np.int64), np.zeros(0, np.int64)
    hand_classes = rank_hands(cards, no_cards, keys, strength.by_ranks, strength.by_suit)
    return np.asarray(hand_classes, np.int64)


def _rule_chooser(plan: StreetPlan, plays_by_street: list[NDArray[np.int8]]) -> Choose:
    ace = plan.terms.dealer_game.ace

    @lru_cache(maxsize=2**16)
    def play_by_class(street: int, cards: tuple[Card, ...]) -> Play:
        place = rank_of(cards, ace) if len(cards) == 2 else best_rank(cards, 5, ace)
        return plan.plays[street][int(plays_by_street[street][place])]

    def choose(stage: int, open_cards: OpenCards, seat: Seat) -> Play:
        street = sum(street_plan.stage < stage for street_plan in plan.streets)
        return play_by_class(street, (*open_cards[0], *open_cards[1]))

    return choose


TESTS_MAX = 5
WORTH_A_TEST = 0.002  # The share of the total gain that another test must add.
UNSEEN = 45  # Cards that a player cannot see when the whole board is open.
OUTS = 20  # Outs at which the search begins.
HIGH = range(8, 13)  # From a ten to an ace.
WINDOWS = [0b11111 << low for low in range(9)] + [0b1000000001111]
OPEN = [0b1111 << low for low in range(1, 9)]  # Four in a row, open at both ends.
Flags = NDArray[np.bool_]


class FlopTests(NamedTuple):
    """A simple rule after the flop: make `play` if the hand passes any test, else `else_play`."""

    stage: int
    tests: tuple[str, ...]
    play: Play
    else_play: Play
    choices: NDArray[np.int8]  # By row.


class ShortStrategy(NamedTuple):
    """A short strategy; `expected` is the value of a whole round.

    On the full board, a hand is folded if more than `outs_max` unseen cards beat it; None if
    there is no decision.
    """

    flop: FlopTests | None
    outs_max: int | None
    expected: Fraction


def short_strategy(solution: Solution) -> ShortStrategy:
    """The short strategy of a game; best play if it cannot be shortened."""
    flop, plan = _find_tests(solution), solution.plan
    last = plan.last_two[1]
    if last is None or not last.folded:
        followed = solution if flop is None else _solution_with_tests(solution, flop, solution.rows)
        return ShortStrategy(flop, None, followed.expected)

    @cache
    def value(outs_max: int) -> Fraction:
        rows = sweep_uncached(stored_flops(), plan.river(listing=False), outs_max)
        return _solution_with_tests(solution, flop, rows).expected

    outs_max = _best_outs(value)
    return ShortStrategy(flop, outs_max, value(outs_max))


def _best_outs(value: Callable[[int], Fraction], outs: int = OUTS) -> int:
    """The number of outs with the highest worth: search up from `outs`, else down."""
    step = 1 if value(outs + 1) > value(outs) else -1
    while 0 <= outs + step < UNSEEN and value(outs + step) > value(outs):
        outs += step
    return outs


def _solution_with_tests(solution: Solution, flop: FlopTests | None, rows: SweepRows) -> Solution:
    """The solution with best play before the flop, the tests after it, and the swept decisions on
    the board.
    """
    before = solution.before_flop.best if solution.before_flop is not None else None
    after = solution.after_flop if flop is None else flop.choices
    return solve_decisions(solution.plan, rows, RuleDecisions(before, after, ()))


def _find_tests(solution: Solution) -> FlopTests | None:
    """The tests that best decide between two plays after the flop; None without such a decision."""
    plan = solution.plan
    cards_seen = [street.board_cards for street in plan.streets]
    if FLOP not in cards_seen or len(plan.plays[cards_seen.index(FLOP)]) != 2:
        return None
    street = cards_seen.index(FLOP)
    reached, tests = _reached_rows(solution, cards_seen), _test_flags()
    plays, values = plan.plays[street], solution.worths_after_flop()
    bet = max((0, 1), key=lambda place: plays[place].times)
    gains = np.where(reached, values[bet] - values[1 - bet], 0)
    names = _choose_tests(tests, gains)
    holds = np.logical_or.reduce([tests[name] for name in names])
    choices = np.where(holds, bet, 1 - bet).astype(np.int8)
    return FlopTests(plan.streets[street].stage, names, plays[bet], plays[1 - bet], choices)


def _reached_rows(solution: Solution, cards_seen: list[int]) -> Flags:
    """Rows that still have the decision: no bet was made before the flop."""
    row_count = len(solution.rows.hole)
    if NOTHING not in cards_seen or solution.before_flop is None:
        return np.ones(row_count, np.bool_)
    first = cards_seen.index(NOTHING)
    go_on = solution.plan.plays[first].index(solution.plan.streets[first].go_on)
    return np.asarray(solution.before_flop.best[solution.rows.hole] == go_on)


def _choose_tests(tests: Mapping[str, Flags], gains: NDArray[np.int64]) -> tuple[str, ...]:
    """The set of tests with the highest gain. Rows with equal test results are merged."""
    codes = sum((holds.astype(np.int64) << index for index, holds in enumerate(tests.values())), 0)
    distinct, positions = np.unique(codes, return_inverse=True)
    gains_by_code = np.bincount(positions, weights=gains)
    best: tuple[int, ...] = ()
    highest = 0.0
    for size in range(1, TESTS_MAX + 1):
        for subset in combinations(range(len(tests)), size):
            value = gains_by_code[(distinct & sum(1 << place for place in subset)) != 0].sum()
            best, highest = (
                (subset, value) if value > highest * (1 + WORTH_A_TEST) else (best, highest)
            )
    return tuple(list(tests)[place] for place in best)


def _test_flags() -> dict[str, Flags]:
    """By name, the rows in which a test holds."""
    flop_pairs = stored_flops()
    flops = np.repeat(flop_pairs.flops, np.diff(flop_pairs.starts), axis=0)
    hole, cards = flop_pairs.pairs, np.concatenate([flops, flop_pairs.pairs], axis=1)
    ranks, suits = cards >> 2, cards & 3
    high, low, top = hole.max(axis=1) >> 2, hole.min(axis=1) >> 2, (flops >> 2).max(axis=1)
    suited = np.stack([(suits == suit).sum(axis=1) for suit in range(4)], axis=1)
    bits = np.bitwise_or.reduce(1 << ranks, axis=1)
    paired = ((hole[:, :1] >> 2 == flops >> 2) | (hole[:, 1:] >> 2 == flops >> 2)).sum(axis=1)
    pocket, straight = high == low, _has_window(bits, WINDOWS, 5)
    flush = suited.max(axis=1)
    complete = straight | (flush == 5)
    flags = {
        "own-pair": pocket | (paired > 0) | complete,
        "own-pair-top": (high == top) | (low == top) | (pocket & (high > top)) | complete,
        "own-two-pair": (paired + pocket > 1) | complete,
        "flush-draw": flush == 4,
        "straight-open": _has_window(bits, OPEN, 4),
        "straight-inside": _has_window(bits, WINDOWS, 4),
        "two-over": low > top,
        "one-over": high > top,
    }
    flags |= {f"high-{RANK_NAMES[rank]}": high >= rank for rank in HIGH}
    flags |= {f"both-{RANK_NAMES[rank]}": low >= rank for rank in HIGH[:-1]}
    return {
        **flags,
        **{
            f"flush-draw-{RANK_NAMES[rank]}": (flush == 4) & _has_high_suited(hole, suited, rank)
            for rank in HIGH
        },
    }


def _has_window(bits: NDArray[np.int64], windows: list[int], size: int) -> Flags:
    """Whether at least `size` ranks lie in one of the windows."""
    counts = [np.bitwise_count(bits & window) >= size for window in windows]
    return np.asarray(np.logical_or.reduce(counts))


def _has_high_suited(hole: NDArray[np.int64], suited: NDArray[np.int64], rank: int) -> Flags:
    """Whether a hole card of the longest suit has at least this rank."""
    longest = suited.argmax(axis=1)[:, None]
    return np.asarray((((hole & 3) == longest) & (hole >> 2 >= rank)).any(axis=1))


Worths = dict[Play, Fraction]
SECONDS_A_BOARD = 2e-6
cached_solution = cache_solutions(solve)


def advise(game: Game, spot: Spot) -> Advice:
    """The exact value of every play, with the side wagers that it affects."""
    side = affected_side_wagers(game, spot.side or {}, spot.ante)
    refuse_combined(game, side_wagers_on_other_hands(game, side))
    plan = _plan(game, spot.ante, tuple(side.items()), spot.purse)
    (board, _), plays_made = spot_cards_and_plays(game, spot)
    street = len(plays_made)
    if not board and not spot.dead and spot.purse is None:
        side_items = tuple(side.items())
        solution = (
            _solution_with_side(game, spot.ante, side_items)
            if side
            else cached_solution(game, spot.ante, None)
        )
        return _advice(plan, street, _play_values_before_flop(solution, spot.cards), None)
    if not board and not spot.dead and (stored := board_solution(plan)):
        return _advice(
            plan,
            street,
            _play_values_before_flop(stored, spot.cards),
            _hole_events(stored, spot.cards),
        )
    values, events = play_values_at(plan, street, spot.cards, board, spot.dead)
    return _advice(plan, street, values, events)


@lru_cache(maxsize=64)
def _plan(
    game: Game, ante: Cents | None, side: tuple[tuple[str, Cents], ...], purse: Cents | None
) -> StreetPlan:
    return plan_of(Terms(game, ante, dict(side), purse))


@releasable_cache(maxsize=8)
def _solution_with_side(
    game: Game, ante: Cents | None, side: tuple[tuple[str, Cents], ...]
) -> Solution:
    """The solution with side wagers that depend on the play."""
    return solve(Terms(game, ante, dict(side)))


def _advice(plan: StreetPlan, street: int, values: Worths, events: list[int] | None) -> Advice:
    game = plan.terms.game
    best = max(values, key=values.__getitem__)
    plays = game.plays(plan.streets[street].stage)
    ordered = {play: values[play] for play in plays if play in values}
    return Advice(ordered, best, explain_play(game, ordered, best, events))


def _play_values_before_flop(solution: Solution, cards: Sequence[Card]) -> Worths:
    """The values with only the two hole cards known."""
    plan, decision = solution.plan, solution.before_flop
    assert decision is not None
    hole = hole_number(solution, cards)
    deals = int(solution.deals[hole])
    return {
        play: Fraction(int(value), deals * plan.terms.stake)
        for play, value in zip(plan.plays[0], decision.worths[:, hole], strict=True)
    }


def _hole_events(solution: Solution, cards: Sequence[Card]) -> list[int]:
    """How often hole cards win and lose, over all boards and dealer hands."""
    counts = solution.holes.counts[hole_number(solution, cards)]
    return _events_by_cell(solution.plan, counts.tolist())


def _events_by_cell(plan: StreetPlan, counts: list[int]) -> list[int]:
    events = [0] * len(EVENTS)
    for (_, event), count in zip(plan.cells.examples_by_cell, counts, strict=True):
        events[event] += count
    return events


def hole_number(solution: Solution, cards: Sequence[Card]) -> int:
    """The number of a pair of hole cards, up to suits."""
    low_card, high_card = sorted(cards)
    suited_pair = (low_card % 4 == high_card % 4) and (
        low_card - low_card % 4,
        high_card - high_card % 4,
    )
    low, high = suited_pair or (low_card - low_card % 4, high_card - high_card % 4 + 1)
    same = (solution.holes.pairs == (low, high)).all(axis=1)
    return int(same.argmax())


def play_values_at(
    plan: StreetPlan,
    street: int,
    cards: Sequence[Card],
    board: Sequence[Card],
    dead: Sequence[Card] = (),
) -> tuple[Worths, list[int]]:
    """The value of every play on a street in main wagers, and how often the hand wins and loses."""
    known_cards = {*cards, *board, *dead}
    unseen = [card for card in DECK if card not in known_cards]
    counts = (
        _count_boards(plan, cards, board, unseen)
        if board
        else _count_before_flop(plan, cards, unseen)
    )
    all_boards = counts[:, 0].sum(axis=0)
    total, on = int(all_boards.sum()), plan.streets[street].go_on
    values: Worths = {}
    for play in plan.plays[street]:
        if play == on:
            net = _value_of_going_on(plan, street, counts)
        else:
            net = _sum_products(all_boards, plan.cells.nets(plan.end_seats[street, play]))
        values[play] = Fraction(net, total * plan.terms.stake)
    return values, _events_by_cell(plan, all_boards.tolist())


def _value_of_going_on(plan: StreetPlan, street: int, counts: Ints) -> int:
    """The value of best play after a street, from the counts of every flop or of one board."""
    worths = _board_values(plan, counts)
    if plan.streets[street + 1].board_cards == FLOP:
        on = plan.streets[street + 1].go_on
        values = [
            worths
            if play == on
            else counts[:, 0] @ plan.cells.nets(plan.end_seats[street + 1, play])
            for play in plan.plays[street + 1]
        ]
        worths = np.max(values, axis=0)
    return sum(worths.tolist())


def _board_values(plan: StreetPlan, counts: Ints) -> Ints:
    """By flop, the value of going on to the full board. Cannot overflow: see NET_MAX."""
    first, alternative = plan.last_two
    nets = plan.cells.nets(first)
    values = counts[:, 0] @ nets
    return (
        values
        if alternative is None
        else values + counts[:, 1] @ (plan.cells.nets(alternative) - nets)
    )


def _sum_products(counts: Ints, nets: Ints) -> int:
    return sum(count * net for count, net in zip(counts.tolist(), nets.tolist(), strict=True))


def _count_boards(
    plan: StreetPlan, hole: Sequence[Card], board: Sequence[Card], unseen: Sequence[Card]
) -> Ints:
    """Counts by cell after the flop: all boards, and those on which the other play is chosen."""
    dealer_game, cells = plan.terms.dealer_game, np.array(plan.cells.cells)
    strength = strength_of(dealer_game.best_cards, HOLE + BOARD, dealer_game.ace)
    rule = strength, dealer_game.qualifying_class
    classes, events = count_board_events(hole, board, unseen, rule)
    shapes = np.array(plan.cells.shapes)[classes]
    gained = (events * plan.cells.gains(*plan.last_two)[shapes]).sum(axis=1)
    takes_other = gained >= 0 if plan.prefers else gained > 0
    counts = np.zeros((1, 2, cells.max() + 1), np.int64)
    for number, boards in enumerate((slice(None), takes_other)):
        np.add.at(counts[0, number], cells[shapes[boards]], events[boards])
    return counts


def _count_before_flop(
    plan: StreetPlan, cards: Sequence[Card], unseen_cards: Sequence[Card]
) -> Ints:
    """The same before the flop, by flop."""
    require_numba()
    defer_compiling("boards")
    from pitbook.exact.methods.dealer.boards_kernels import count_before_flop  # noqa: PLC0415

    hole, unseen = np.array(cards, np.int64), np.array(unseen_cards, np.int64)
    cells, dealer_game = plan.cells, plan.terms.dealer_game
    rule = (
        np.array(cells.shapes, np.int64),
        np.array(cells.cells, np.int64),
        dealer_game.qualifying_class,
        cells.gains(*plan.last_two),
        plan.prefers,
    )
    tables = card_tables(dealer_game.ace, HOLE + BOARD)

    def count_from(first: int) -> Any:
        return count_before_flop(hole, unseen, first, tables, rule)

    firsts = len(unseen) - BOARD + 1
    with ThreadPoolExecutor(THREADS) as pool:
        try:
            parts = pool.map(count_from, range(firsts))
            each = SECONDS_A_BOARD * comb(len(unseen), BOARD) / firsts
            return np.array(
                sum(track_parts(parts, firsts, say("exact.working.lowest"), seconds_each=each))
            )
        finally:
            pool.shutdown(cancel_futures=True)
