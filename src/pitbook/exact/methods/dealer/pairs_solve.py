"""One decision with one hand: counts against every dealer hand, and best play."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import combinations, pairwise, permutations
from math import comb
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitbook.cards import DECK, Card
from pitbook.exact.compiled_games import cache_by_identity
from pitbook.exact.long_computations import releasable_cache, track_parts
from pitbook.exact.methods.dealer.common import refuse_combined
from pitbook.exact.methods.dealer.stored_counts import defer_compiling, has_numba, load_or_count
from pitbook.exact.methods.dealer.strength import KEYS, strength_of
from pitbook.exact.methods.dealer.structure import (
    EVENTS,
    Terms,
    as_dealer_game,
    kind_starts,
    kinds_by_class,
    side_wagers_on_other_hands,
)
from pitbook.exact.methods.method import StrategyLine
from pitbook.exact.outcome_figures import Figures, figures_from_rows, main_row, round_row
from pitbook.hands.kinds import Ace, hand_kinds
from pitbook.rules.actions import Play
from pitbook.rules.game import Game, Hand, Seat
from pitbook.rules.settlement_lines import Kinds, Line
from pitbook.text import say

Ints = NDArray[np.int64]
KEY_MAX = 2**62


@dataclass(frozen=True, eq=False)
class HandCounts:
    """Groups of equivalent hands: class, rank of the dealer's open card, events, and size.

    They are sorted by class. Events add up to `total` on every row.
    """

    classes: NDArray[np.int16]
    upcard_ranks: NDArray[np.uint8]
    events: NDArray[np.int32]
    ways: Ints
    total: int


def events_of(matches: MatchCounts, least: int, total: int) -> NDArray[np.int32]:
    """By player's hand, how many dealer hands lead to each event."""
    would_not_qualify = matches.classes < least
    weaker, not_stronger, unqualified = matches.weaker, matches.not_stronger, matches.unqualified
    ties, zero = not_stronger - weaker, np.int32(0)
    events = np.empty((len(weaker), len(EVENTS)), np.int32)
    events[:, 0] = total - np.where(would_not_qualify, unqualified, not_stronger)
    events[:, 1] = np.where(would_not_qualify, zero, ties)
    events[:, 2] = np.where(would_not_qualify, zero, weaker - unqualified)
    events[:, 3] = np.where(would_not_qualify, unqualified - not_stronger, zero)
    events[:, 4] = np.where(would_not_qualify, ties, zero)
    events[:, 5] = np.where(would_not_qualify, weaker, unqualified)
    return events


def number_hands(matches: MatchCounts) -> tuple[Ints, Ints]:
    """Group hands that no pay table can distinguish: the first of each group, and every hand's
    group.
    """
    key, key_limit = np.zeros(len(matches.classes), np.int64), 1
    for part in (
        matches.classes,
        matches.up >> 2,
        matches.weaker,
        matches.not_stronger - matches.weaker,
        matches.unqualified,
    ):
        width = int(part.max()) + 1
        if key_limit * width >= KEY_MAX:  # Renumber without gaps: there are fewer than 2**24 hands.
            _, key = np.unique(key, return_inverse=True)
            key_limit = int(key.max()) + 1
        key, key_limit = key * width + part, key_limit * width
    _, first, back = np.unique(key, return_index=True, return_inverse=True)
    return first, back


def merge_hands(shape: Shape, deck: Sequence[Card] = DECK) -> HandCounts:
    """The hands of a deck, with hands merged that no pay table can distinguish."""
    matches, total = count_matches(shape, deck), dealer_hands_total(shape, deck)
    first, back = number_hands(matches)
    ways = np.zeros(len(first), np.int64)
    np.add.at(ways, back, matches.ways)
    parts: Any = [part[first] for part in matches]
    distinct = MatchCounts(*parts)
    upcard_ranks = (distinct.up >> 2).astype(np.uint8)
    return HandCounts(
        distinct.classes,
        upcard_ranks,
        events_of(distinct, shape.qualifying_class, total),
        ways,
        total,
    )


def counts_key(shape: Shape) -> tuple[str, Shape]:
    """The storage key of the counts."""
    return "pairs", shape


@lru_cache(maxsize=8)
def deck_counts(shape: Shape) -> HandCounts:
    """The counts of a full deck, from disk if they are stored."""

    def make() -> Mapping[str, NDArray[Any]]:
        counts = merge_hands(shape)
        return {
            "classes": counts.classes,
            "seen": counts.upcard_ranks,
            "events": counts.events,
            "ways": counts.ways,
            "total": np.array(counts.total),
        }

    arrays = load_or_count(counts_key(shape), make, seconds(shape))
    total = int(arrays["total"])
    return HandCounts(arrays["classes"], arrays["seen"], arrays["events"], arrays["ways"], total)


class DecidedHands(NamedTuple):
    """The counts of all hands, and by row the index of the play."""

    counts: HandCounts
    choices: NDArray[np.int8]


class StoredOutcomes(NamedTuple):
    """The parts of a precomputed solution that would need the counts of all hands."""

    event_counts: dict[Play, list[list[int]]]
    lines: Callable[[], list[StrategyLine]] | None  # None if they must be computed.


@dataclass(frozen=True, eq=False)
class Solution:
    """The play of every hand, best or otherwise, and its results.

    A precomputed solution has no hands; they are counted when something asks for them.
    """

    terms: Terms
    plays: tuple[Play, ...]  # Of equal plays, the preferred one comes first.
    decided: DecidedHands | None = None
    stored: StoredOutcomes | None = None
    choose: ChoosePlays | None = None  # How a precomputed solution plays; None is best play.

    @cached_property
    def _hands(self) -> DecidedHands:
        if self.decided is not None:
            return self.decided
        computed = count_solution(self.terms, choose=self.choose).decided
        assert computed is not None
        return computed

    @property
    def counts(self) -> HandCounts:
        """The counts of all hands."""
        return self._hands.counts

    @property
    def choices(self) -> NDArray[np.int8]:
        """By row of the counts, the index of the play."""
        return self._hands.choices

    def with_choices(self, choices: NDArray[np.int8]) -> Solution:
        """The same hands, played otherwise."""
        return Solution(self.terms, self.plays, DecidedHands(self.counts, choices))

    @cached_property
    def starts(self) -> NDArray[np.intp]:
        """By kind, its first row; then the number of rows."""
        dealer_game = self.terms.dealer_game
        return np.searchsorted(
            self.counts.classes, kind_starts(dealer_game.best_cards, dealer_game.ace)
        )

    @cached_property
    def worths(self) -> Ints:
        """By play and row, the value in cents over all dealer hands."""
        values = np.empty((len(self.plays), len(self.counts.classes)), np.int64)
        for index, nets in enumerate(_nets(self.terms, self.plays)):
            for kind, (start, end) in enumerate(pairwise(self.starts)):
                values[index, start:end] = self.counts.events[start:end] @ nets[kind]
        return values

    @cached_property
    def allowed(self) -> NDArray[np.bool_]:
        """By play and row, whether the hand is good enough for the play."""
        kinds = np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))
        return kinds >= _lowest_kinds(self.plays)[:, None]

    @cached_property
    def event_counts(self) -> dict[Play, list[list[int]]]:
        """By play, how often each kind and event occurs."""
        if self.stored is not None:
            return self.stored.event_counts
        counts, play_count = self.counts, len(self.plays)
        sums = _loops().count_events(
            counts.events, self.starts, counts.ways, self.choices, play_count
        )
        return dict(zip(self.plays, sums.tolist(), strict=True))

    @property
    def rounds(self) -> int:
        """The number of deals."""
        return sum(sum(map(sum, sums)) for sums in self.event_counts.values())

    @cached_property
    def expected(self) -> Fraction:
        """The value of a round in main wagers."""
        net = 0
        for play, sums in self.event_counts.items():
            nets = self.terms.nets(self.terms.seat.after_play(play)).tolist()
            net += sum(
                count * net
                for row, event_nets in zip(sums, nets, strict=True)
                for count, net in zip(row, event_nets, strict=True)
            )
        return Fraction(net, self.rounds * self.terms.stake)

    @cached_property
    def figures(self) -> Figures:
        """The main game's figures, without side wagers."""
        side = self.terms.side or {}
        return figures_from_rows(
            main_row([line for line in lines if line.wager not in side], self.terms.stake, count)
            for lines, count in self.end_lines()
        )

    def round_figures(self) -> Figures:
        """The figures of the main game and side wagers together, in main wagers."""
        return figures_from_rows(
            round_row(lines, self.terms.stake, count) for lines, count in self.end_lines()
        )

    def end_lines(self) -> Iterator[tuple[tuple[Line, ...], int]]:
        """The lines of all wagers for every way a round can end, and their counts."""
        for play, sums in self.event_counts.items():
            seat = self.terms.seat.after_play(play)
            for kind, row in enumerate(sums):
                for event, count in enumerate(row):
                    if count:
                        lines = self.terms.lines(seat, kind, event)
                        assert lines is not None
                        yield lines, count

    def entries(self) -> Iterator[StrategyLine]:
        """Every decision, by class of hand."""
        from pitbook.exact.methods.dealer.pairs_strategies import lines_of  # noqa: PLC0415

        if self.stored is not None and self.stored.lines is not None:
            return iter(self.stored.lines())
        return lines_of(self)

    @property
    def fold_rates(self) -> dict[str, Fraction]:
        """The share of hands that fold."""
        folded = sum(sum(map(sum, sums)) for play, sums in self.event_counts.items() if play.folds)
        return {self.terms.game.stages[0].id: Fraction(folded, self.rounds)}


ChoosePlays = Callable[["Solution"], NDArray[np.int8]]


BEST = "best"


def solve(
    terms: Terms,
    deck: Sequence[Card] | None = None,
    choose: ChoosePlays | None = None,
    *,
    name: str = "",
) -> Solution:
    """Best play of a game; with `deck`, on some cards only; with `choose`, another way to play.

    `name` is the name of that way, if it may be precomputed.
    """
    from pitbook.exact.methods.dealer.shipped_solutions import pair_solution  # noqa: PLC0415

    name = name or (BEST if choose is None else "")
    if deck is None and name and (solution := pair_solution(terms, name)):
        return replace(solution, choose=choose)
    return count_solution(terms, deck, choose)


def count_solution(
    terms: Terms, deck: Sequence[Card] | None = None, choose: ChoosePlays | None = None
) -> Solution:
    """The solution from the counts of all hands, even if it is precomputed."""
    defer_compiling("pairs")
    shape = required_shape(terms.game)
    counts = deck_counts(shape) if deck is None else merge_hands(shape, deck)
    plays = terms.plays(0, terms.seat)
    best = _best_solution(terms, counts, plays)
    return best if choose is None else best.with_choices(choose(best))


def _best_solution(terms: Terms, counts: HandCounts, plays: tuple[Play, ...]) -> Solution:
    """On every row, the first of the best allowed plays."""
    unsolved = Solution(terms, plays, DecidedHands(counts, np.zeros(0, np.int8)))
    nets, least = np.array(_nets(terms, plays)), _lowest_kinds(plays)
    return unsolved.with_choices(_loops().choose_plays(counts.events, unsolved.starts, nets, least))


def _loops() -> Any:
    """The loops over hands: compiled, or with NumPy if Numba is not installed."""
    if has_numba():
        from pitbook.exact.methods.dealer import pairs_kernels  # noqa: PLC0415

        return pairs_kernels
    from pitbook.exact.methods.dealer import pairs_kernels_numpy  # noqa: PLC0415

    return pairs_kernels_numpy


def _nets(terms: Terms, plays: Sequence[Play]) -> list[Ints]:
    return [terms.nets(terms.seat.after_play(play)) for play in plays]


def _lowest_kinds(plays: Sequence[Play]) -> Ints:
    """By play, the lowest kind with which it is allowed."""
    return np.array([play.needs.least if play.needs else 0 for play in plays], np.int64)


CARDS_MAX = 5  # Of the player's hand, and of the dealer's closed cards.
RANKED = range(3, 6)


def required_shape(game: Game) -> Shape:
    """The shape of a game that fits this method."""
    shape = shape_of(game)
    assert shape is not None
    return shape


@cache_by_identity
def shape_of(game: Game) -> Shape | None:
    """The shape of a game, or None if it does not fit this method."""
    dealer_game = as_dealer_game(game)
    if (
        dealer_game is None
        or dealer_game.common_cards
        or len(game.stages) != 1
        or dealer_game.best_cards not in RANKED
    ):
        return None
    (stage,) = game.stages
    hand_cards, up = stage.opens
    if (
        stage.when is not None
        or hand_cards != dealer_game.player_cards
        or up > 1
        or not stage.plays
    ):
        return None
    if not all(_is_plain_play(game, play) for play in stage.plays):
        return None
    if dealer_game.player_cards > CARDS_MAX or not 1 <= dealer_game.dealer_cards - up <= CARDS_MAX:
        return None
    return Shape(
        dealer_game.player_cards,
        dealer_game.dealer_cards,
        up,
        dealer_game.best_cards,
        dealer_game.ace,
        dealer_game.qualifying_class,
    )


def _is_plain_play(game: Game, play: Play) -> bool:
    """Whether a play takes nothing back and requires no hand that pay tables do not use."""
    hand_name = game.looks_at("main").name
    return (
        not play.takes
        and not play.declaration
        and (play.needs is None or play.needs.hand == hand_name)
    )


THREADS = 2
SECONDS_A_HAND = 1e-7
SLOWER_WITHOUT_NUMBA = 10
TABLE_CARDS_MAX = 4  # The largest set of cards in the table.


class Shape(NamedTuple):
    """What decides the comparison: cards dealt, cards that count, and who qualifies."""

    player_cards: int
    dealer_cards: int
    up: int  # How many of the dealer's cards are seen: none or one.
    best_cards: int
    ace: Ace
    qualifying_class: int  # The first class that qualifies; 0 if every hand does.


class MatchCounts(NamedTuple):
    """By player's hand, up to suits: its class, its frequency, and counts of dealer hands.

    `weaker` dealer hands have a lower class, `not_stronger` ones no higher class, and
    `unqualified` ones do not qualify.
    """

    hands: NDArray[np.uint8]
    up: NDArray[np.uint8]  # The card seen; 255 if there is none.
    classes: NDArray[np.int16]
    ways: NDArray[np.int32]
    weaker: NDArray[np.int32]
    not_stronger: NDArray[np.int32]
    unqualified: NDArray[np.int32]


def suit_swaps(deck: Sequence[Card], fixed: Sequence[Card] = ()) -> NDArray[np.uint8]:
    """By suit swap that keeps the deck and the fixed cards, the image of every card."""
    deck_cards, swaps = set(deck), []
    for order in permutations(range(4)):
        images = [card // 4 * 4 + order[card % 4] for card in DECK]
        if {images[card] for card in deck_cards} == deck_cards and all(
            images[card] == card for card in fixed
        ):
            swaps.append(images)
    return np.array(swaps, np.uint8)


def count_matches(shape: Shape, deck: Sequence[Card] = DECK) -> MatchCounts:
    """Every player's hand of a deck, up to suits, against the dealer's."""
    ups: list[tuple[Card, ...]] = [()]
    orbit_sizes = [1]
    if shape.up:
        swaps = suit_swaps(deck)
        orbits = {card: {int(image) for image in swaps[:, card]} for card in deck}
        ups = [(card,) for card in deck if card == min(orbits[card])]
        orbit_sizes = [len(orbits[card]) for (card,) in ups]
    seconds_per_part = seconds(shape, deck) / len(ups)
    with ThreadPoolExecutor(THREADS) as pool:
        try:
            counts = pool.map(
                lambda up, times: _count_matches(shape, deck, up, times), ups, orbit_sizes
            )
            parts = list(
                track_parts(
                    counts, len(ups), say("exact.working.dealer"), seconds_each=seconds_per_part
                )
            )
        except BaseException:  # The caller may cancel.
            pool.shutdown(cancel_futures=True)
            raise
    return MatchCounts(*map(np.concatenate, zip(*parts, strict=True)))


def seconds(shape: Shape, deck: Sequence[Card] = DECK) -> float:
    """Approximate time to count all hands of a deck."""
    unseen, closed = len(deck) - shape.up, shape.dealer_cards - shape.up
    ups = len(deck) / 4 / THREADS if shape.up else 1
    hands = ups * (comb(unseen, closed) + comb(unseen, shape.player_cards))
    return hands * SECONDS_A_HAND * (1 if has_numba() else SLOWER_WITHOUT_NUMBA)


def dealer_hands_total(shape: Shape, deck: Sequence[Card] = DECK) -> int:
    """How many dealer hands share no card with a player's hand."""
    return comb(len(deck) - shape.player_cards - shape.up, shape.dealer_cards - shape.up)


def _count_matches(
    shape: Shape, deck: Sequence[Card], up: tuple[Card, ...], factor: int
) -> MatchCounts:
    loops = _loops()
    list_hands, rank_hands = loops.list_hands, loops.rank_hands
    unseen = np.array([card for card in deck if card not in up], np.int64)
    swaps = suit_swaps(deck, up)
    player_hands, ways = list_hands(unseen, shape.player_cards, swaps)
    dealer_hands, dealer_ways = list_hands(unseen, shape.dealer_cards - shape.up, swaps)
    keys, open_cards = np.array(KEYS, np.int64), np.array(up, np.int64)
    player_strength = strength_of(shape.best_cards, shape.player_cards, shape.ace)
    dealer_strength = strength_of(shape.best_cards, shape.dealer_cards, shape.ace)
    no_cards = np.zeros(0, np.int64)
    classes = rank_hands(
        player_hands, no_cards, keys, player_strength.by_ranks, player_strength.by_suit
    )
    dealer_classes = rank_hands(
        dealer_hands, open_cards, keys, dealer_strength.by_ranks, dealer_strength.by_suit
    )
    order, dealer_order = _class_order(classes), _class_order(dealer_classes)
    player_hands, ways, classes = player_hands[order], ways[order], classes[order]
    as_other = np.zeros(0, np.int16)
    if shape.player_cards == shape.dealer_cards - shape.up:
        as_other = rank_hands(
            player_hands, open_cards, keys, dealer_strength.by_ranks, dealer_strength.by_suit
        )
    class_numbers = np.arange(player_strength.classes + 1)
    player_starts = np.searchsorted(classes, class_numbers)
    dealer_starts = np.searchsorted(dealer_classes[dealer_order], class_numbers)
    rule = (
        shape.qualifying_class,
        dealer_ways[dealer_order],
        as_other,
        (*_set_entries(swaps.tobytes()), _binomials()),
    )
    counts = loops.count_beaten(
        player_hands, player_starts, dealer_hands[dealer_order], dealer_starts, rule
    )
    upcards = np.full(len(player_hands), up[0] if up else 255, np.uint8)
    return MatchCounts(player_hands, upcards, classes, ways * np.int32(factor), *counts)


def _class_order(classes: NDArray[np.int16]) -> NDArray[np.intp]:
    return np.argsort(classes, kind="stable")


def _binomials() -> Ints:
    return np.array([[comb(card, size) for size in range(7)] for card in range(53)], np.int64)


@releasable_cache(maxsize=2)
def _set_entries(swaps: bytes) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """By set of up to four cards, the number of its orbit under suit swaps, the empty set first.

    Then by that number, how many swaps leave such a set unchanged.
    """
    bits = np.uint64(1) << np.frombuffer(swaps, np.uint8).reshape(-1, 52).astype(np.uint64)
    choose = _binomials()
    entries_by_size = [np.zeros(1, np.int32)]
    fixed_swaps = [np.array([len(bits)])]
    for size in range(1, TABLE_CARDS_MAX + 1):
        sets = np.array(list(combinations(range(52), size)))
        images: NDArray[np.uint64] = bits[:, sets].sum(axis=2, dtype=np.uint64)
        _, numbers, orbit_sizes = np.unique(
            images.min(axis=0), return_inverse=True, return_counts=True
        )
        entries = np.empty(len(sets), np.int32)
        entries[choose[sets, np.arange(1, size + 1)].sum(axis=1)] = numbers
        entries_by_size.append(entries + np.int32(sum(map(len, fixed_swaps))))
        fixed_swaps.append(len(bits) // orbit_sizes)
    return np.concatenate(entries_by_size), np.concatenate(fixed_swaps).astype(np.int32)


DEALS_MAX = 200_000_000  # Player's hands up to suits, times the dealer's.
SECONDS_A_DEAL = 6e-8
ALL_CARDS = 5
ALL_CARDS_MAX = 7
PARTS = 16


class DealCounts(NamedTuple):
    """By player's hand: its kind, its frequency, and deals by event and kind of all cards."""

    kinds: Ints
    ways: Ints
    deals: NDArray[np.int32]


def combined_figures(terms: Terms, deck: Sequence[Card] = DECK) -> Figures:
    """Figures of a whole round, with best play for all its wagers; raises TooLarge."""
    game, shape = terms.game, required_shape(terms.game)
    side = terms.side or {}
    other_hands = {game.looks_at(wager) for wager in side_wagers_on_other_hands(game, side)}
    (hand,) = other_hands if len(other_hands) == 1 else (None,)
    if hand is None or not _is_countable(shape, hand):
        refuse_combined(game, side_wagers_on_other_hands(game, side))
    assert hand is not None
    deal_counts = _count_all_deals(shape, tuple(deck))
    place = game.hands.index(hand)
    return figures_from_rows(
        round_row(lines, terms.stake, count)
        for lines, count in _settle_ends(terms, deal_counts, place)
    )


def _is_countable(shape: Shape, hand: Hand) -> bool:
    """Whether the hand uses all cards, and there are few enough deals to enumerate."""
    deals = comb(52, shape.player_cards) // 12 * comb(52 - shape.player_cards, shape.dealer_cards)
    card_count = shape.player_cards + shape.dealer_cards
    is_supported = (
        hand.ranking == Kinds(ALL_CARDS, shape.ace) and ALL_CARDS <= card_count <= ALL_CARDS_MAX
    )
    return is_supported and len(hand.places) == 2 and deals <= DEALS_MAX


@releasable_cache(maxsize=2)
def _count_all_deals(shape: Shape, deck: tuple[Card, ...]) -> DealCounts:
    matches, size = count_matches(shape, deck), shape.player_cards + shape.dealer_cards
    dealer_strength = strength_of(shape.best_cards, shape.dealer_cards, shape.ace)
    combined_strength = strength_of(ALL_CARDS, size, shape.ace)
    groups = np.array(kinds_by_class(ALL_CARDS, shape.ace), np.int64)
    out = np.zeros((len(matches.hands), len(EVENTS), len(hand_kinds(ALL_CARDS))), np.int32)
    cuts = np.linspace(0, len(matches.hands), PARTS + 1).astype(int).tolist()
    deals = len(matches.hands) * comb(
        len(deck) - shape.player_cards - shape.up, shape.dealer_cards - shape.up
    )

    def process(batch: slice) -> None:
        strengths = (
            (dealer_strength.by_ranks, dealer_strength.by_suit),
            (combined_strength.by_ranks, combined_strength.by_suit),
        )
        measures = (
            matches.classes[batch].astype(np.int64),
            shape.qualifying_class,
            shape.dealer_cards - shape.up,
        )
        tables = (np.array(KEYS, np.int64), *strengths, groups, *measures)
        _loops().count_deals(
            matches.hands[batch], matches.up[batch], np.array(deck, np.int64), tables, out[batch]
        )

    seconds_per_part = deals * SECONDS_A_DEAL / PARTS
    for bounds in track_parts(
        pairwise(cuts), PARTS, say("exact.working.deals"), seconds_each=seconds_per_part
    ):
        process(slice(*bounds))
    return DealCounts(
        _hand_kinds(matches, shape.best_cards, shape.ace), matches.ways.astype(np.int64), out
    )


def _hand_kinds(matches: MatchCounts, best: int, ace: Ace) -> Ints:
    return np.array(kinds_by_class(best, ace), np.int64)[matches.classes]


def _settle_ends(
    terms: Terms, deal_counts: DealCounts, place: int
) -> Iterator[tuple[tuple[Line, ...], int]]:
    """Each way to end a round under best play: the lines of all wagers, and the number of deals."""
    plays = terms.plays(0, terms.seat)
    seats = [terms.seat.after_play(play) for play in plays]
    for kind in np.unique(deal_counts.kinds).tolist():
        has_kind = deal_counts.kinds == kind
        deals, ways = deal_counts.deals[has_kind].astype(np.int64), deal_counts.ways[has_kind]
        lines = [_end_lines(terms, seat, kind, place) for seat in seats]
        allowed = [_is_allowed(play, kind) for play in plays]
        choices = _best_plays([_end_nets(seat_lines) for seat_lines in lines], allowed, deals)
        for number, seat_lines in enumerate(lines):
            sums = (deals[choices == number] * ways[choices == number, None, None]).sum(axis=0)
            for event, group in np.argwhere(sums).tolist():
                end_lines = seat_lines[event][group]
                assert end_lines is not None
                yield end_lines, int(sums[event, group])


EndLines = list[list[tuple[Line, ...] | None]]


def _end_lines(terms: Terms, seat: Seat, kind: int, place: int) -> EndLines:
    """By event and kind of all cards, every wager's line; None if it never occurs."""
    return [
        [
            terms.lines(seat, kind, event, {place: group})
            for group in range(len(hand_kinds(ALL_CARDS)))
        ]
        for event in range(len(EVENTS))
    ]


def _end_nets(seat_lines: EndLines) -> Ints:
    return np.array(
        [[sum(line.net for line in lines or ()) for lines in row] for row in seat_lines]
    )


def _is_allowed(play: Play, kind: int) -> bool:
    return play.needs is None or kind >= play.needs.least


def _best_plays(nets: list[Ints], allowed: list[bool], deals: Ints) -> NDArray[np.intp]:
    """By player's hand, the first of the best allowed plays."""
    values = np.array([(deals * seat_nets).sum(axis=(1, 2)) for seat_nets in nets])
    values[~np.array(allowed)] = np.iinfo(np.int64).min
    return np.asarray(values.argmax(axis=0))
