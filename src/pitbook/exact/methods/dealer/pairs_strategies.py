"""Advice and strategies with one decision: named ones, a player's own rules, and short ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import groupby, pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitbook.cards import DECK, Card
from pitbook.exact.methods.dealer.common import DealerStrategy, explain_play, parse_strategy_name
from pitbook.exact.methods.dealer.pairs_solve import (
    ChoosePlays,
    Shape,
    Solution,
    required_shape,
    solve,
)
from pitbook.exact.methods.dealer.showdowns import count_events, rank_hand
from pitbook.exact.methods.dealer.strength import strength_of
from pitbook.exact.methods.dealer.structure import (
    Terms,
    affected_side_wagers,
    kinds_by_class,
    side_wagers_on_other_hands,
)
from pitbook.exact.methods.ladder.strategies import class_name, rule_chooser
from pitbook.exact.methods.method import Advice, StrategyLine
from pitbook.exact.methods.plain.method import PLAIN
from pitbook.exact.methods.plain.solve import OpenCards, PlainSolver
from pitbook.exact.rule_files import Rules, StrategyError
from pitbook.exact.spots import Spot, spot_cards_and_plays
from pitbook.hands.kinds import RANK_NAMES
from pitbook.hands.ranking import best_rank, classes
from pitbook.money import Cents
from pitbook.rules.actions import Play
from pitbook.rules.game import Game, Seat
from pitbook.text import say

Worths = dict[Play, Fraction]


def advise(game: Game, spot: Spot) -> Advice:
    """The exact value of every play, with the side wagers that it affects."""
    side = affected_side_wagers(game, spot.side or {}, spot.ante)
    if side_wagers_on_other_hands(game, side):
        return PLAIN.advise(game, spot)
    (up,), _ = spot_cards_and_plays(game, spot)
    terms = _terms(game, spot.ante, tuple(side.items()), spot.purse)
    values, best, events = play_values_at(terms, spot.cards, up, spot.dead)
    return Advice(values, best, explain_play(game, values, best, events))


@lru_cache(maxsize=64)
def _terms(
    game: Game, ante: Cents | None, side: tuple[tuple[str, Cents], ...], purse: Cents | None
) -> Terms:
    return Terms(game, ante, dict(side), purse)


def play_values_at(
    terms: Terms, cards: Sequence[Card], up: Sequence[Card], dead: Sequence[Card] = ()
) -> tuple[Worths, Play, list[int]]:
    """The value of every play in main wagers, the best play, and the count of each event."""
    known_cards = {*cards, *up, *dead}
    unseen = [card for card in DECK if card not in known_cards]
    player_class, events = _events(required_shape(terms.game), cards, up, unseen)
    kind = kinds_by_class(terms.dealer_game.best_cards, terms.dealer_game.ace)[player_class]
    total = sum(events)
    values: Worths = {}
    for play in terms.plays(0, terms.seat):
        if play.needs is None or kind >= play.needs.least:
            nets = terms.nets(terms.seat.after_play(play))[kind].tolist()
            net = sum(count * net for count, net in zip(events, nets, strict=True))
            values[play] = Fraction(net, total * terms.stake)
    best = max(values, key=values.__getitem__)
    ordered = {play: values[play] for play in terms.game.plays(0) if play in values}
    return ordered, best, events


def _events(
    shape: Shape, cards: Sequence[Card], up: Sequence[Card], unseen: Sequence[Card]
) -> tuple[int, list[int]]:
    """The player's class, and how many of the dealer's hands lead to each event."""
    player_strength = strength_of(shape.best_cards, shape.player_cards, shape.ace)
    dealer_strength = strength_of(shape.best_cards, shape.dealer_cards, shape.ace)
    player_class = rank_hand(cards, player_strength)
    rule = dealer_strength, shape.qualifying_class
    return player_class, count_events(player_class, unseen, up, shape.dealer_cards - shape.up, rule)


# Strategies.

ANY = 63  # The rank of no card.
BestPlays = NDArray[np.int8]


def follow(game: Game, name: str, ante: Cents | None) -> DealerStrategy:
    """A strategy by its name; raises StrategyError."""
    kind, play_name = parse_strategy_name(game, name)
    terms = Terms(game, ante)
    # Raises StrategyError if there is no such play.
    solution = solve(terms, choose=named_choice(name), name=name)

    def select_play(values: dict[Play, Fraction], best: Play, hand_class: int) -> Play:
        if kind == "always":
            return next((play for play in values if play == play_name), best)
        others = [play for play in values if play != play_name]
        return max(others, key=values.__getitem__) if best == play_name and others else best

    return DealerStrategy(
        name, PlainSolver(game, ante), _spot_chooser(terms, select_play), lambda: solution
    )


def follow_rules(game: Game, rules: Rules, ante: Cents | None) -> DealerStrategy:
    """A player's own rules by the class of hand; raises StrategyError."""
    terms, choose = Terms(game, ante), rule_chooser(game, rules)
    dealer_game = terms.dealer_game
    hands = classes(dealer_game.best_cards, dealer_game.ace)

    def choose_by_rules(solution: Solution) -> BestPlays:
        play_names = [choose(0, hands[hand_class], 1) for hand_class in range(len(hands))]
        texts = [str(play) for play in solution.plays]
        for name in set(play_names):
            if name not in texts:
                allowed = {"play": name, "plays": tuple(texts)}
                raise StrategyError(say("exact.strategy.no-play", **allowed))
        choices = np.array([texts.index(name) for name in play_names], np.int8)[
            solution.counts.classes
        ]
        is_allowed = solution.allowed[choices, np.arange(len(choices))]
        if not is_allowed.all():
            worst = hands[int(solution.counts.classes[~is_allowed][0])]
            raise StrategyError(say("exact.strategy.too-low", hand=class_name(worst)))
        return choices

    def select_by_rules(values: dict[Play, Fraction], best: Play, hand_class: int) -> Play:
        name = choose(0, hands[hand_class], 1)
        return next(play for play in values if play == name)

    # Raises StrategyError if a hand is too low for its play.
    solution = solve(terms, choose=choose_by_rules)
    return DealerStrategy(
        rules.name, PlainSolver(game, ante), _spot_chooser(terms, select_by_rules), lambda: solution
    )


def named_choice(name: str) -> ChoosePlays | None:
    """How a named strategy chooses plays; None is best play."""
    kind, _, play_name = name.partition("-")
    if kind == "best":
        return None
    return _never(play_name) if kind == "never" else _always(play_name)


def _always(play_name: str) -> ChoosePlays:
    """One play whenever it is allowed, best play otherwise."""

    def choose_always(solution: Solution) -> BestPlays:
        place = _play_index(solution, play_name)
        return np.where(solution.allowed[place], np.int8(place), solution.choices)

    return choose_always


def _never(play_name: str) -> ChoosePlays:
    """The best play other than this one."""

    def choose_best_other(solution: Solution) -> BestPlays:
        place = _play_index(solution, play_name)
        if len(solution.plays) == 1:
            raise StrategyError(say("exact.strategy.no-other", play=play_name))
        allowed = solution.allowed.copy()
        allowed[place] = False
        lowest = np.iinfo(np.int64).min
        return np.asarray(np.where(allowed, solution.worths, lowest).argmax(axis=0), np.int8)

    return choose_best_other


def _play_index(solution: Solution, play_name: str) -> int:
    places = [index for index, play in enumerate(solution.plays) if play == play_name]
    if not places:
        raise StrategyError(say("exact.strategy.not-at-stake", play=play_name))
    return places[0]


SelectPlay = Callable[[dict[Play, Fraction], Play, int], Play]


def _spot_chooser(terms: Terms, select_play: SelectPlay) -> Callable[[int, OpenCards, Seat], Play]:
    """A chooser that evaluates one hand at a time."""

    @lru_cache(maxsize=2**16)
    def play_for(cards: tuple[Card, ...], up: tuple[Card, ...]) -> Play:
        values, best, _ = play_values_at(terms, cards, up)
        return select_play(
            values, best, best_rank(cards, terms.dealer_game.best_cards, terms.dealer_game.ace)
        )

    return lambda stage, open_cards, seat: play_for(open_cards[0], open_cards[-1])


def strategy_lines(game: Game, ante: Cents | None, purse: Cents | None) -> Iterator[StrategyLine]:
    """The whole best strategy: hands by class, with the dealer's cards for each play."""
    yield from solve(Terms(game, ante, purse=purse)).entries()


def lines_of(solution: Solution) -> Iterator[StrategyLine]:
    """Every class of hand with each play made with it, the highest first."""
    counts, terms = solution.counts, solution.terms
    stage, units = terms.game.stages[0].id, len(terms.seat.main)
    hands = classes(terms.dealer_game.best_cards, terms.dealer_game.ace)
    starts = np.searchsorted(counts.classes, np.arange(len(hands) + 1))
    for hand_class in reversed(range(len(hands))):
        class_rows = slice(starts[hand_class], starts[hand_class + 1])
        for place in np.unique(solution.choices[class_rows]).tolist():
            with_play = solution.choices[class_rows] == place
            ways = counts.ways[class_rows][with_play]
            net = sum(
                (solution.worths[place, class_rows][with_play].astype(object) * ways).tolist()
            )
            value = Fraction(net, int(ways.sum()) * counts.total * terms.stake)
            play_upcards = np.unique(counts.upcard_ranks[class_rows][with_play]).tolist()
            class_upcards = np.unique(counts.upcard_ranks[class_rows]).tolist()
            label = class_name(hands[hand_class]) + _dealer_cards_text(play_upcards, class_upcards)
            yield StrategyLine(stage, label, units, solution.plays[place], value)


def _dealer_cards_text(upcards: list[int], all_upcards: list[int]) -> str:
    if upcards == all_upcards or ANY in upcards:
        return ""
    return " | " + " ".join(RANK_NAMES[rank] for rank in reversed(upcards))


NEVER = -(10**40)  # The value of a play that is not allowed.


class ShortStrategy(NamedTuple):
    """Runs of hands with their play, from the highest; `expected` is the value of a round."""

    runs: tuple[tuple[str, str, Play], ...]
    expected: Fraction


class UpcardStrategy(NamedTuple):
    """By the dealer's open rank, the highest first: each play with the lowest hand for it."""

    rows: tuple[tuple[int, tuple[tuple[Play, str], ...]], ...]
    expected: Fraction


def short_strategy(solution: Solution) -> ShortStrategy:
    """The best strategy whose bets never rise as hands get lower, for every dealer's card."""
    rows = np.arange(len(solution.choices))
    plays_by_class, runs = _best_plays(solution, rows), []
    for play, named_plays in groupby(
        _name_plays(solution, plays_by_class, rows), key=lambda named: named[0]
    ):
        hands = [name for _, name in named_plays]
        runs.append((hands[0], hands[-1], solution.plays[play]))
    choices = np.array(plays_by_class[::-1], np.int8)[solution.counts.classes]
    return ShortStrategy(tuple(runs), solution.with_choices(choices).expected)


def strategy_by_upcard(solution: Solution) -> UpcardStrategy | None:
    """The same for every rank that the dealer may show; None if no card is shown."""
    upcards = solution.counts.upcard_ranks
    if len(ranks := np.unique(upcards)) == 1:
        return None
    choices, rows = solution.choices.copy(), []
    for rank in reversed(ranks.tolist()):
        (rank_rows,) = np.nonzero(upcards == rank)
        plays_by_class = _best_plays(solution, rank_rows)
        choices[rank_rows] = np.array(plays_by_class[::-1], np.int8)[
            solution.counts.classes[rank_rows]
        ]
        # Keeps the last hand of each play.
        lowest = dict(_name_plays(solution, plays_by_class, rank_rows))
        rows.append(
            (rank, tuple((solution.plays[play_place], hand) for play_place, hand in lowest.items()))
        )
    return UpcardStrategy(tuple(rows), solution.with_choices(choices).expected)


def _best_plays(solution: Solution, rows: NDArray[np.intp]) -> list[int]:
    """The best play of each class over these rows, the highest class first."""
    order = sorted(
        range(len(solution.plays)), key=lambda play_place: -solution.plays[play_place].times
    )
    values = _values_by_class(solution, rows)
    return [
        order[position]
        for position in _best_monotone([[row[place] for place in order] for row in values])
    ]


def _name_plays(
    solution: Solution, plays_by_class: list[int], rows: NDArray[np.intp]
) -> Iterator[tuple[int, str]]:
    """Each play with a hand in the rows: A A 3 2 is never the best four of five cards."""
    dealer_game, occurring = solution.terms.dealer_game, set(solution.counts.classes[rows].tolist())
    classes_upward = enumerate(
        zip(reversed(plays_by_class), classes(dealer_game.best_cards, dealer_game.ace), strict=True)
    )
    names = [
        (play, class_name(hand)) for number, (play, hand) in classes_upward if number in occurring
    ]
    yield from reversed(names)


def _values_by_class(solution: Solution, rows: NDArray[np.intp]) -> list[list[int]]:
    """By class of hand, the highest first, the value of every play over the deals of the rows."""
    counts, dealer_game = solution.counts, solution.terms.dealer_game
    class_numbers = np.arange(len(classes(dealer_game.best_cards, dealer_game.ace)) + 1)
    starts = np.searchsorted(counts.classes[rows], class_numbers)
    allowed = solution.allowed[:, rows]
    values = np.where(allowed, solution.worths[:, rows], 0)
    sums = [
        np.concatenate([[0], np.cumsum(row)]) for row in values.astype(object) * counts.ways[rows]
    ]
    banned = [np.concatenate([[0], np.cumsum(~row)]) for row in allowed]
    return [
        [
            int(total[end] - total[start]) if not ban[end] - ban[start] else NEVER
            for total, ban in zip(sums, banned, strict=True)
        ]
        for start, end in reversed(list(pairwise(starts.tolist())))
    ]


def _best_monotone(values: list[list[int]]) -> list[int]:
    """By hand, a place that never decreases, with the highest total value."""
    play_count = len(values[0])
    total, back = [0] * play_count, []
    for row in values:
        source = [
            max(range(index + 1), key=lambda earlier: total[earlier]) for index in range(play_count)
        ]
        total = [total[source[index]] + row[index] for index in range(play_count)]
        back.append(source)
    place, choices = max(range(play_count), key=lambda last_place: total[last_place]), []
    for source in reversed(back):
        choices.append(place)
        place = source[place]
    return choices[::-1]
