"""The value of every play with one hand, counted over the dealer's hands that are left."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache

import numpy as np

from pitbook.cards import DECK, Card
from pitbook.exact.methods.dealer.common import explain_play
from pitbook.exact.methods.dealer.pairs_solve import Shape, required_shape
from pitbook.exact.methods.dealer.stored_counts import defer_compiling, require_numba
from pitbook.exact.methods.dealer.strength import KEYS, strength_of
from pitbook.exact.methods.dealer.structure import (
    EVENTS,
    Terms,
    affected_side_wagers,
    kinds_by_class,
    side_wagers_on_other_hands,
)
from pitbook.exact.methods.method import Advice
from pitbook.exact.methods.plain.method import PLAIN
from pitbook.exact.spots import Spot, spot_cards_and_plays
from pitbook.money import Cents
from pitbook.rules.game import Game
from pitbook.rules.plays import Play

Worths = dict[Play, Fraction]


def advise(game: Game, spot: Spot) -> Advice:
    """The exact value of every play, with the side wagers that it touches."""
    side = affected_side_wagers(game, spot.side or {}, spot.ante)
    if side_wagers_on_other_hands(game, side):
        return PLAIN.advise(game, spot)
    (up,), _ = spot_cards_and_plays(game, spot)
    terms = _terms(game, spot.ante, tuple(side.items()), spot.purse)
    worths, best, events = worths_at(terms, spot.cards, up, spot.dead)
    return Advice(worths, best, explain_play(game, worths, best, events))


@lru_cache(maxsize=64)
def _terms(
    game: Game, ante: Cents | None, side: tuple[tuple[str, Cents], ...], purse: Cents | None
) -> Terms:
    return Terms(game, ante, dict(side), purse)


def worths_at(
    terms: Terms, cards: Sequence[Card], up: Sequence[Card], dead: Sequence[Card] = ()
) -> tuple[Worths, Play, list[int]]:
    """What every play is worth in main wagers, the best one, and how the hand fares."""
    gone = {*cards, *up, *dead}
    left = [card for card in DECK if card not in gone]
    own, events = _events(required_shape(terms.game), cards, up, left)
    kind, total = kinds_by_class(terms.fight.best, terms.fight.ace)[own], sum(events)
    found: Worths = {}
    for play in terms.plays(0, terms.seat):
        if play.needs is None or kind >= play.needs.least:
            nets = terms.nets(terms.seat.made(play))[kind].tolist()
            won = sum(many * net for many, net in zip(events, nets, strict=True))
            found[play] = Fraction(won, total * terms.stake)
    best = max(found, key=found.__getitem__)
    ordered = {play: found[play] for play in terms.game.plays(0) if play in found}
    return ordered, best, events


def _events(
    form: Shape, cards: Sequence[Card], up: Sequence[Card], left: Sequence[Card]
) -> tuple[int, list[int]]:
    """The own class, and how many of the dealer's hands come out in each event."""
    require_numba()
    defer_compiling("pairs")
    from pitbook.exact.methods.dealer.pairs_kernels import list_hands, rank_hands  # noqa: PLC0415

    keys, open_cards = np.array(KEYS, np.int64), np.array(up, np.int64)
    ours = strength_of(form.best, form.own, form.ace)
    theirs = strength_of(form.best, form.other, form.ace)
    held = np.array([cards], np.uint8)
    nothing = np.zeros(0, np.int64)
    own = int(rank_hands(held, nothing, keys, ours.by_ranks, ours.by_suit)[0])
    same = np.arange(52, dtype=np.uint8)[None]
    hands, _ = list_hands(np.array(left, np.int64), form.other - form.up, same)
    others = rank_hands(hands, open_cards, keys, theirs.by_ranks, theirs.by_suit)
    event = 1 + np.sign(own - others.astype(np.int64)) + 3 * (others < form.least)
    return own, np.bincount(event, minlength=len(EVENTS)).tolist()
