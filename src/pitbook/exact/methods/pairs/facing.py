"""The main game together with wagers on both hands: every deal, own hands up to suits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitbook.cards import DECK, Card
from pitbook.exact.figures import Figures, figures, round_row
from pitbook.exact.memory import released_cache
from pitbook.exact.methods.duels.answers import refuse_together
from pitbook.exact.methods.duels.machine import needed
from pitbook.exact.methods.duels.strength import KEYS, strength_of
from pitbook.exact.methods.duels.structure import EVENTS, kinds_by_class
from pitbook.exact.methods.duels.terms import Terms, told_apart
from pitbook.exact.methods.pairs.counting import Met, Shape, met_by
from pitbook.exact.methods.pairs.structure import shape
from pitbook.exact.working import tracked
from pitbook.hands.kinds import Ace, catalogue
from pitbook.rules.game import Hand, Seat
from pitbook.rules.plays import Play
from pitbook.rules.pricing import Kinds
from pitbook.rules.settlement import Line
from pitbook.text import say

__all__ = ["together"]

Ints = NDArray[np.int64]
DEALS_MAX = 200_000_000  # Own hands up to suits, times the dealer's.
SECONDS_A_DEAL = 6e-8
BOTH, BOTH_MAX = 5, 7  # Cards that count of both hands, and the most that there are.
PARTS = 16


class Faced(NamedTuple):
    """By own hand: its kind, how often it comes, and deals by event and kind of all cards."""

    kinds: Ints
    ways: Ints
    deals: NDArray[np.int32]


def together(terms: Terms, deck: Sequence[Card] = DECK) -> Figures:
    """Figures of a whole round, best play with all its wagers; raises TooLarge."""
    game, form = terms.game, shape(terms.game)
    side = terms.side or {}
    apart = {game.looks_at(wager) for wager in told_apart(game, side)}
    (hand,) = apart if len(apart) == 1 else (None,)
    if hand is None or not _countable(form, hand):
        refuse_together(game, told_apart(game, side))
    assert hand is not None
    counted = _faced(form, tuple(deck))
    place = game.hands.index(hand)
    return figures(
        round_row(lines, terms.stake, count) for lines, count in _settled(terms, counted, place)
    )


def _countable(form: Shape, hand: Hand) -> bool:
    """Whether the hand is of all cards, and all deals are few enough to go through."""
    deals = comb(52, form.own) // 12 * comb(52 - form.own, form.other)
    every = form.own + form.other
    right = hand.ranking == Kinds(BOTH, form.ace) and BOTH <= every <= BOTH_MAX
    return right and len(hand.places) == 2 and deals <= DEALS_MAX


@released_cache(maxsize=2)
def _faced(form: Shape, deck: tuple[Card, ...]) -> Faced:
    needed()
    from pitbook.exact.methods.pairs.facing_kernels import faced  # noqa: PLC0415

    met, size = met_by(form, deck), form.own + form.other
    theirs, every = (
        strength_of(form.best, form.other, form.ace),
        strength_of(BOTH, size, form.ace),
    )
    groups = np.array(kinds_by_class(BOTH, form.ace), np.int64)
    out = np.zeros((len(met.hands), len(EVENTS), len(catalogue(BOTH))), np.int32)
    cuts = np.linspace(0, len(met.hands), PARTS + 1).astype(int).tolist()
    deals = len(met.hands) * comb(len(deck) - form.own - form.up, form.other - form.up)

    def part(some: slice) -> None:
        strengths = ((theirs.by_ranks, theirs.by_suit), (every.by_ranks, every.by_suit))
        measures = (met.classes[some].astype(np.int64), form.least, form.other - form.up)
        tables = (np.array(KEYS, np.int64), *strengths, groups, *measures)
        faced(met.hands[some], met.up[some], np.array(deck, np.int64), tables, out[some])

    each = deals * SECONDS_A_DEAL / PARTS
    for some in tracked(pairwise(cuts), PARTS, say("exact.working.deals"), each=each):
        part(slice(*some))
    return Faced(_kinds(met, form.best, form.ace), met.ways.astype(np.int64), out)


def _kinds(met: Met, best: int, ace: Ace) -> Ints:
    return np.array(kinds_by_class(best, ace), np.int64)[met.classes]


def _settled(terms: Terms, counted: Faced, place: int) -> Iterator[tuple[tuple[Line, ...], int]]:
    """Every way to end by best play: the lines of all wagers, and how often."""
    plays = terms.plays(0, terms.seat)
    seats = [terms.seat.made(play) for play in plays]
    for kind in np.unique(counted.kinds).tolist():
        mine = counted.kinds == kind
        deals, ways = counted.deals[mine].astype(np.int64), counted.ways[mine]
        lines = [_lines(terms, seat, kind, place) for seat in seats]
        may = [_may(play, kind) for play in plays]
        chosen = _best([_nets(one) for one in lines], may, deals)
        for number, ended in enumerate(lines):
            sums = (deals[chosen == number] * ways[chosen == number, None, None]).sum(axis=0)
            for event, group in np.argwhere(sums).tolist():
                shown = ended[event][group]
                assert shown is not None
                yield shown, int(sums[event, group])


EndLines = list[list[tuple[Line, ...] | None]]


def _lines(terms: Terms, seat: Seat, kind: int, place: int) -> EndLines:
    """By event and kind of all cards, every wager's line; None where such a thing never comes."""
    return [
        [terms.lines(seat, kind, event, {place: group}) for group in range(len(catalogue(BOTH)))]
        for event in range(len(EVENTS))
    ]


def _nets(ended: EndLines) -> Ints:
    return np.array([[sum(one.net for one in lines or ()) for lines in row] for row in ended])


def _may(play: Play, kind: int) -> bool:
    return play.needs is None or kind >= play.needs.least


def _best(nets: list[Ints], may: list[bool], deals: Ints) -> NDArray[np.intp]:
    """By own hand, the first of the best plays that are allowed."""
    worths = np.array([(deals * one).sum(axis=(1, 2)) for one in nets])
    worths[~np.array(may)] = np.iinfo(np.int64).min
    return np.asarray(worths.argmax(axis=0))
