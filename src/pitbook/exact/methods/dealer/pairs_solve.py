"""One decision with an own hand: counts against every dealer hand, and best play."""

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
from pitbook.exact.figures import Figures, figures_from_rows, main_row, round_row
from pitbook.exact.games import cache_by_identity
from pitbook.exact.methods.dealer.common import refuse_combined
from pitbook.exact.methods.dealer.stored_counts import defer_compiling, load_or_count, require_numba
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
from pitbook.exact.work import releasable_cache, track_parts
from pitbook.hands.kinds import Ace, catalogue
from pitbook.rules.game import Game, Hand, Seat
from pitbook.rules.plays import Play
from pitbook.rules.pricing import Kinds
from pitbook.rules.settlement import Line
from pitbook.text import say

Ints = NDArray[np.int64]
KEY_MAX = 2**62


@dataclass(frozen=True, eq=False)
class HandCounts:
    """Hands that fare alike: class, rank of the card seen, events, and how many there are.

    They are in the order of their classes. Events add up to `total` on every row.
    """

    classes: NDArray[np.int16]
    seen: NDArray[np.uint8]
    events: NDArray[np.int32]
    ways: Ints
    total: int


def events_of(met: MatchCounts, least: int, total: int) -> NDArray[np.int32]:
    """By own hand, how many of the dealer's it meets in each event."""
    inside = met.classes < least
    weaker, level, below = met.weaker, met.level, met.below
    ties, none = level - weaker, np.int32(0)
    found = np.empty((len(weaker), len(EVENTS)), np.int32)
    found[:, 0] = total - np.where(inside, below, level)
    found[:, 1] = np.where(inside, none, ties)
    found[:, 2] = np.where(inside, none, weaker - below)
    found[:, 3] = np.where(inside, below - level, none)
    found[:, 4] = np.where(inside, ties, none)
    found[:, 5] = np.where(inside, weaker, below)
    return found


def number_hands(met: MatchCounts) -> tuple[Ints, Ints]:
    """Hands that no pay table tells apart: the first of each, and for every hand its number."""
    key, most = np.zeros(len(met.classes), np.int64), 1
    for part in (met.classes, met.up >> 2, met.weaker, met.level - met.weaker, met.below):
        wide = int(part.max()) + 1
        if most * wide >= KEY_MAX:  # Numbers without holes: there are fewer than 2**24 hands.
            _, key = np.unique(key, return_inverse=True)
            most = int(key.max()) + 1
        key, most = key * wide + part, most * wide
    _, first, back = np.unique(key, return_index=True, return_inverse=True)
    return first, back


def merge_hands(form: Shape, deck: Sequence[Card] = DECK) -> HandCounts:
    """The hands of a deck, those put together that no pay table tells apart."""
    met, total = count_matches(form, deck), dealer_hands_total(form, deck)
    first, back = number_hands(met)
    ways = np.zeros(len(first), np.int64)
    np.add.at(ways, back, met.ways)
    parts: Any = [part[first] for part in met]
    some = MatchCounts(*parts)
    seen = (some.up >> 2).astype(np.uint8)
    return HandCounts(some.classes, seen, events_of(some, form.least, total), ways, total)


def counts_key(form: Shape) -> tuple[str, Shape]:
    """What counts are kept by."""
    return "pairs", form


@lru_cache(maxsize=8)
def deck_counts(form: Shape) -> HandCounts:
    """The counts of a full deck, from the disk where they were made before."""

    require_numba()

    def make() -> Mapping[str, NDArray[Any]]:
        found = merge_hands(form)
        return {
            "classes": found.classes,
            "seen": found.seen,
            "events": found.events,
            "ways": found.ways,
            "total": np.array(found.total),
        }

    found = load_or_count(counts_key(form), make, seconds(form))
    total = int(found["total"])
    return HandCounts(found["classes"], found["seen"], found["events"], found["ways"], total)


@dataclass(frozen=True, eq=False)
class Solution:
    """Every hand's play, the best one or another, and what comes of it."""

    terms: Terms
    counts: HandCounts
    plays: tuple[Play, ...]  # The preferred of equals first.
    chosen: NDArray[np.int8]

    @cached_property
    def starts(self) -> NDArray[np.intp]:
        """By kind, its first row; then how many rows there are."""
        fight = self.terms.fight
        return np.searchsorted(self.counts.classes, kind_starts(fight.best, fight.ace))

    @cached_property
    def worths(self) -> Ints:
        """By play and row, in cents over all of the dealer's hands."""
        found = np.empty((len(self.plays), len(self.counts.classes)), np.int64)
        for place, nets in enumerate(_nets(self.terms, self.plays)):
            for kind, (start, end) in enumerate(pairwise(self.starts)):
                found[place, start:end] = self.counts.events[start:end] @ nets[kind]
        return found

    @cached_property
    def allowed(self) -> NDArray[np.bool_]:
        """By play and row, whether the hand is good enough for it."""
        kinds = np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))
        return kinds >= _lowest_kinds(self.plays)[:, None]

    @cached_property
    def event_counts(self) -> dict[Play, list[list[int]]]:
        """By play, how often it meets each kind and event."""
        from pitbook.exact.methods.dealer.pairs_kernels import count_events  # noqa: PLC0415

        counts, many = self.counts, len(self.plays)
        sums = count_events(counts.events, self.starts, counts.ways, self.chosen, many)
        return dict(zip(self.plays, sums.tolist(), strict=True))

    @property
    def rounds(self) -> int:
        """All deals."""
        return int(self.counts.ways.sum()) * self.counts.total

    @cached_property
    def expected(self) -> Fraction:
        """The value of a round in main wagers."""
        won = 0
        for play, sums in self.event_counts.items():
            nets = self.terms.nets(self.terms.seat.made(play)).tolist()
            won += sum(
                count * net
                for row, paid in zip(sums, nets, strict=True)
                for count, net in zip(row, paid, strict=True)
            )
        return Fraction(won, self.rounds * self.terms.stake)

    @cached_property
    def figures(self) -> Figures:
        """The main game's figures; side wagers left out."""
        side = self.terms.side or {}
        return figures_from_rows(
            main_row([one for one in lines if one.wager not in side], self.terms.stake, count)
            for lines, count in self.end_lines()
        )

    def round_figures(self) -> Figures:
        """The main game and side wagers together, in main wagers."""
        return figures_from_rows(
            round_row(lines, self.terms.stake, count) for lines, count in self.end_lines()
        )

    def end_lines(self) -> Iterator[tuple[tuple[Line, ...], int]]:
        """Every way to end: the lines of all wagers, and how often."""
        for play, sums in self.event_counts.items():
            seat = self.terms.seat.made(play)
            for kind, row in enumerate(sums):
                for event, count in enumerate(row):
                    if count:
                        lines = self.terms.lines(seat, kind, event)
                        assert lines is not None
                        yield lines, count

    def entries(self) -> Iterator[StrategyLine]:
        """Every decision, hands by class."""
        from pitbook.exact.methods.dealer.pairs_strategies import lines_of  # noqa: PLC0415

        return lines_of(self)

    @property
    def fold_rates(self) -> dict[str, Fraction]:
        """The share of hands that are given up."""
        folds = [place for place, play in enumerate(self.plays) if play.folds]
        gone = int(self.counts.ways[np.isin(self.chosen, folds)].sum())
        share = Fraction(gone, int(self.counts.ways.sum()))
        return {self.terms.game.stages[0].id: share}


ChoosePlays = Callable[["Solution"], NDArray[np.int8]]


def solve(
    terms: Terms, deck: Sequence[Card] | None = None, choose: ChoosePlays | None = None
) -> Solution:
    """Best play of a game; on some cards alone, or by another way to choose, where one is named."""
    defer_compiling("pairs")
    form = required_shape(terms.game)
    counts = deck_counts(form) if deck is None else merge_hands(form, deck)
    plays = terms.plays(0, terms.seat)
    best = _best_solution(terms, counts, plays)
    return best if choose is None else replace(best, chosen=choose(best))


def _best_solution(terms: Terms, counts: HandCounts, plays: tuple[Play, ...]) -> Solution:
    """The first of the best that are allowed, on every row."""
    require_numba()
    from pitbook.exact.methods.dealer.pairs_kernels import choose_plays  # noqa: PLC0415

    blank = Solution(terms, counts, plays, np.zeros(0, np.int8))
    nets, least = np.array(_nets(terms, plays)), _lowest_kinds(plays)
    return replace(blank, chosen=choose_plays(counts.events, blank.starts, nets, least))


def _nets(terms: Terms, plays: Sequence[Play]) -> list[Ints]:
    return [terms.nets(terms.seat.made(play)) for play in plays]


def _lowest_kinds(plays: Sequence[Play]) -> Ints:
    """By play, the lowest kind that may make it."""
    return np.array([play.needs.least if play.needs else 0 for play in plays], np.int64)


CARDS_MAX = 5  # Of the own hand, and of the dealer's closed cards.
RANKED = range(3, 6)


def required_shape(game: Game) -> Shape:
    """The measures of a game that is known to fit."""
    found = shape_of(game)
    assert found is not None
    return found


@cache_by_identity
def shape_of(game: Game) -> Shape | None:
    """All that decides who is ahead; None where the game is another."""
    fight = as_dealer_game(game)
    if fight is None or fight.common or len(game.stages) != 1 or fight.best not in RANKED:
        return None
    (stage,) = game.stages
    own, up = stage.opens
    if stage.when is not None or own != fight.own or up > 1 or not stage.plays:
        return None
    if not all(_is_plain_play(game, play) for play in stage.plays):
        return None
    if fight.own > CARDS_MAX or not 1 <= fight.other - up <= CARDS_MAX:
        return None
    return Shape(fight.own, fight.other, up, fight.best, fight.ace, fight.least)


def _is_plain_play(game: Game, play: Play) -> bool:
    """Whether a play takes nothing back, and asks for no other hand than pay tables do."""
    own = game.looks_at("main").name
    return not play.takes and not play.said and (play.needs is None or play.needs.hand == own)


THREADS = 2
SECONDS_A_HAND = 1e-7
TABLE_CARDS_MAX = 4  # The most cards of a set that the table knows.


class Shape(NamedTuple):
    """All that decides who is ahead: cards dealt, how many count, and who qualifies."""

    own: int
    other: int
    up: int  # Of the other hand's cards, those that are seen: none or one.
    best: int
    ace: Ace
    least: int  # The first class that qualifies; 0 where every hand does.


class MatchCounts(NamedTuple):
    """By own hand, up to suits: its class, how often it comes, and how many hands it meets.

    `weaker` hands of the dealer have a lower class, `level` ones one that is not higher, `below`
    ones do not qualify.
    """

    hands: NDArray[np.uint8]
    up: NDArray[np.uint8]  # The card seen, 255 where none is.
    classes: NDArray[np.int16]
    ways: NDArray[np.int32]
    weaker: NDArray[np.int32]
    level: NDArray[np.int32]
    below: NDArray[np.int32]


def suit_swaps(deck: Sequence[Card], fixed: Sequence[Card] = ()) -> NDArray[np.uint8]:
    """By swap of suits that keeps the deck and some cards, where every card goes."""
    held, found = set(deck), []
    for order in permutations(range(4)):
        moved = [card // 4 * 4 + order[card % 4] for card in DECK]
        if {moved[card] for card in held} == held and all(moved[one] == one for one in fixed):
            found.append(moved)
    return np.array(found, np.uint8)


def count_matches(shape: Shape, deck: Sequence[Card] = DECK) -> MatchCounts:
    """Every own hand of a deck, up to suits, against the dealer's."""
    ups: list[tuple[Card, ...]] = [()]
    many = [1]
    if shape.up:
        swaps = suit_swaps(deck)
        orbits = {card: {int(one) for one in swaps[:, card]} for card in deck}
        ups = [(card,) for card in deck if card == min(orbits[card])]
        many = [len(orbits[card]) for (card,) in ups]
    each = seconds(shape, deck) / len(ups)
    with ThreadPoolExecutor(THREADS) as pool:
        try:
            found = pool.map(lambda up, times: _count_matches(shape, deck, up, times), ups, many)
            parts = list(track_parts(found, len(ups), say("exact.working.dealer"), each=each))
        except BaseException:  # Whoever watches has had enough.
            pool.shutdown(cancel_futures=True)
            raise
    return MatchCounts(*map(np.concatenate, zip(*parts, strict=True)))


def seconds(shape: Shape, deck: Sequence[Card] = DECK) -> float:
    """About how long all hands of a deck take."""
    left, closed = len(deck) - shape.up, shape.other - shape.up
    ups = len(deck) / 4 / THREADS if shape.up else 1
    return SECONDS_A_HAND * ups * (comb(left, closed) + comb(left, shape.own))


def dealer_hands_total(shape: Shape, deck: Sequence[Card] = DECK) -> int:
    """How many of the dealer's hands share no card with an own hand."""
    return comb(len(deck) - shape.own - shape.up, shape.other - shape.up)


def _count_matches(
    shape: Shape, deck: Sequence[Card], up: tuple[Card, ...], times: int
) -> MatchCounts:
    from pitbook.exact.methods.dealer.pairs_kernels import count_beaten, list_hands, rank_hands  # noqa: PLC0415

    left = np.array([card for card in deck if card not in up], np.int64)
    swaps = suit_swaps(deck, up)
    own, ways = list_hands(left, shape.own, swaps)
    other, alike = list_hands(left, shape.other - shape.up, swaps)
    keys, open_cards = np.array(KEYS, np.int64), np.array(up, np.int64)
    ours = strength_of(shape.best, shape.own, shape.ace)
    theirs = strength_of(shape.best, shape.other, shape.ace)
    nothing = np.zeros(0, np.int64)
    classes = rank_hands(own, nothing, keys, ours.by_ranks, ours.by_suit)
    others = rank_hands(other, open_cards, keys, theirs.by_ranks, theirs.by_suit)
    order, theirs_first = _class_order(classes), _class_order(others)
    own, ways, classes = own[order], ways[order], classes[order]
    as_other = np.zeros(0, np.int16)
    if shape.own == shape.other - shape.up:
        as_other = rank_hands(own, open_cards, keys, theirs.by_ranks, theirs.by_suit)
    every = np.arange(ours.classes + 1)
    own_at = np.searchsorted(classes, every)
    other_at = np.searchsorted(others[theirs_first], every)
    rule = (
        shape.least,
        alike[theirs_first],
        as_other,
        (*_set_entries(swaps.tobytes()), _binomials()),
    )
    met = count_beaten(own, own_at, other[theirs_first], other_at, rule)
    seen = np.full(len(own), up[0] if up else 255, np.uint8)
    return MatchCounts(own, seen, classes, ways * np.int32(times), *met)


def _class_order(classes: NDArray[np.int16]) -> NDArray[np.intp]:
    return np.argsort(classes, kind="stable")


def _binomials() -> Ints:
    return np.array([[comb(card, size) for size in range(7)] for card in range(53)], np.int64)


@releasable_cache(maxsize=2)
def _set_entries(swaps: bytes) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """By set of up to four cards the number of those that suits make of it, the empty set first.

    Then by that number, how many swaps leave such a set as it is.
    """
    bits = np.uint64(1) << np.frombuffer(swaps, np.uint8).reshape(-1, 52).astype(np.uint64)
    choose, found, often = _binomials(), [np.zeros(1, np.int32)], [np.array([len(bits)])]
    for size in range(1, TABLE_CARDS_MAX + 1):
        sets = np.array(list(combinations(range(52), size)))
        images: NDArray[np.uint64] = bits[:, sets].sum(axis=2, dtype=np.uint64)
        _, numbers, many = np.unique(images.min(axis=0), return_inverse=True, return_counts=True)
        entries = np.empty(len(sets), np.int32)
        entries[choose[sets, np.arange(1, size + 1)].sum(axis=1)] = numbers
        found.append(entries + np.int32(sum(map(len, often))))
        often.append(len(bits) // many)
    return np.concatenate(found), np.concatenate(often).astype(np.int32)


DEALS_MAX = 200_000_000  # Own hands up to suits, times the dealer's.
SECONDS_A_DEAL = 6e-8
ALL_CARDS, ALL_CARDS_MAX = 5, 7  # Cards that count of both hands, and the most that there are.
PARTS = 16


class DealCounts(NamedTuple):
    """By own hand: its kind, how often it comes, and deals by event and kind of all cards."""

    kinds: Ints
    ways: Ints
    deals: NDArray[np.int32]


def combined_figures(terms: Terms, deck: Sequence[Card] = DECK) -> Figures:
    """Figures of a whole round, best play with all its wagers; raises TooLarge."""
    game, form = terms.game, required_shape(terms.game)
    side = terms.side or {}
    apart = {game.looks_at(wager) for wager in side_wagers_on_other_hands(game, side)}
    (hand,) = apart if len(apart) == 1 else (None,)
    if hand is None or not _is_countable(form, hand):
        refuse_combined(game, side_wagers_on_other_hands(game, side))
    assert hand is not None
    counted = _count_all_deals(form, tuple(deck))
    place = game.hands.index(hand)
    return figures_from_rows(
        round_row(lines, terms.stake, count) for lines, count in _settle_ends(terms, counted, place)
    )


def _is_countable(form: Shape, hand: Hand) -> bool:
    """Whether the hand is of all cards, and all deals are few enough to go through."""
    deals = comb(52, form.own) // 12 * comb(52 - form.own, form.other)
    every = form.own + form.other
    right = hand.ranking == Kinds(ALL_CARDS, form.ace) and ALL_CARDS <= every <= ALL_CARDS_MAX
    return right and len(hand.places) == 2 and deals <= DEALS_MAX


@releasable_cache(maxsize=2)
def _count_all_deals(form: Shape, deck: tuple[Card, ...]) -> DealCounts:
    require_numba()
    from pitbook.exact.methods.dealer.pairs_kernels import count_deals  # noqa: PLC0415

    met, size = count_matches(form, deck), form.own + form.other
    theirs, every = (
        strength_of(form.best, form.other, form.ace),
        strength_of(ALL_CARDS, size, form.ace),
    )
    groups = np.array(kinds_by_class(ALL_CARDS, form.ace), np.int64)
    out = np.zeros((len(met.hands), len(EVENTS), len(catalogue(ALL_CARDS))), np.int32)
    cuts = np.linspace(0, len(met.hands), PARTS + 1).astype(int).tolist()
    deals = len(met.hands) * comb(len(deck) - form.own - form.up, form.other - form.up)

    def part(some: slice) -> None:
        strengths = ((theirs.by_ranks, theirs.by_suit), (every.by_ranks, every.by_suit))
        measures = (met.classes[some].astype(np.int64), form.least, form.other - form.up)
        tables = (np.array(KEYS, np.int64), *strengths, groups, *measures)
        count_deals(met.hands[some], met.up[some], np.array(deck, np.int64), tables, out[some])

    each = deals * SECONDS_A_DEAL / PARTS
    for some in track_parts(pairwise(cuts), PARTS, say("exact.working.deals"), each=each):
        part(slice(*some))
    return DealCounts(_hand_kinds(met, form.best, form.ace), met.ways.astype(np.int64), out)


def _hand_kinds(met: MatchCounts, best: int, ace: Ace) -> Ints:
    return np.array(kinds_by_class(best, ace), np.int64)[met.classes]


def _settle_ends(
    terms: Terms, counted: DealCounts, place: int
) -> Iterator[tuple[tuple[Line, ...], int]]:
    """Every way to end by best play: the lines of all wagers, and how often."""
    plays = terms.plays(0, terms.seat)
    seats = [terms.seat.made(play) for play in plays]
    for kind in np.unique(counted.kinds).tolist():
        mine = counted.kinds == kind
        deals, ways = counted.deals[mine].astype(np.int64), counted.ways[mine]
        lines = [_end_lines(terms, seat, kind, place) for seat in seats]
        may = [_is_allowed(play, kind) for play in plays]
        chosen = _best_plays([_end_nets(one) for one in lines], may, deals)
        for number, ended in enumerate(lines):
            sums = (deals[chosen == number] * ways[chosen == number, None, None]).sum(axis=0)
            for event, group in np.argwhere(sums).tolist():
                shown = ended[event][group]
                assert shown is not None
                yield shown, int(sums[event, group])


EndLines = list[list[tuple[Line, ...] | None]]


def _end_lines(terms: Terms, seat: Seat, kind: int, place: int) -> EndLines:
    """By event and kind of all cards, every wager's line; None where such a thing never comes."""
    return [
        [
            terms.lines(seat, kind, event, {place: group})
            for group in range(len(catalogue(ALL_CARDS)))
        ]
        for event in range(len(EVENTS))
    ]


def _end_nets(ended: EndLines) -> Ints:
    return np.array([[sum(one.net for one in lines or ()) for lines in row] for row in ended])


def _is_allowed(play: Play, kind: int) -> bool:
    return play.needs is None or kind >= play.needs.least


def _best_plays(nets: list[Ints], may: list[bool], deals: Ints) -> NDArray[np.intp]:
    """By own hand, the first of the best plays that are allowed."""
    worths = np.array([(deals * one).sum(axis=(1, 2)) for one in nets])
    worths[~np.array(may)] = np.iinfo(np.int64).min
    return np.asarray(worths.argmax(axis=0))
