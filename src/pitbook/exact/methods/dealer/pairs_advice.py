"""The value of every play with one hand, counted over the dealer's possible hands."""

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
from pitbook.rules.actions import Play
from pitbook.rules.game import Game

Worths = dict[Play, Fraction]


def advise(game: Game, spot: Spot) -> Advice:
    """The exact value of every play, with the side wagers that it affects."""
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
    """The value of every play in main wagers, the best play, and the count of each event."""
    known_cards = {*cards, *up, *dead}
    unseen = [card for card in DECK if card not in known_cards]
    player_class, events = _events(required_shape(terms.game), cards, up, unseen)
    kind, total = (
        kinds_by_class(terms.dealer_game.best_cards, terms.dealer_game.ace)[player_class],
        sum(events),
    )
    worths: Worths = {}
    for play in terms.plays(0, terms.seat):
        if play.needs is None or kind >= play.needs.least:
            nets = terms.nets(terms.seat.after_play(play))[kind].tolist()
            net = sum(count * net for count, net in zip(events, nets, strict=True))
            worths[play] = Fraction(net, total * terms.stake)
    best = max(worths, key=worths.__getitem__)
    ordered = {play: worths[play] for play in terms.game.plays(0) if play in worths}
    return ordered, best, events


def _events(
    shape: Shape, cards: Sequence[Card], up: Sequence[Card], unseen: Sequence[Card]
) -> tuple[int, list[int]]:
    """The player's class, and how many of the dealer's hands lead to each event."""
    require_numba()
    defer_compiling("pairs")
    from pitbook.exact.methods.dealer.pairs_kernels import list_hands, rank_hands  # noqa: PLC0415

    keys, open_cards = np.array(KEYS, np.int64), np.array(up, np.int64)
    player_strength = strength_of(shape.best_cards, shape.player_cards, shape.ace)
    dealer_strength = strength_of(shape.best_cards, shape.dealer_cards, shape.ace)
    hand = np.array([cards], np.uint8)
    no_cards = np.zeros(0, np.int64)
    player_class = int(
        rank_hands(hand, no_cards, keys, player_strength.by_ranks, player_strength.by_suit)[0]
    )
    identity = np.arange(52, dtype=np.uint8)[None]
    hands, _ = list_hands(np.array(unseen, np.int64), shape.dealer_cards - shape.up, identity)
    dealer_classes = rank_hands(
        hands, open_cards, keys, dealer_strength.by_ranks, dealer_strength.by_suit
    )
    event = (
        1
        + np.sign(player_class - dealer_classes.astype(np.int64))
        + 3 * (dealer_classes < shape.qualifying_class)
    )
    return player_class, np.bincount(event, minlength=len(EVENTS)).tolist()
