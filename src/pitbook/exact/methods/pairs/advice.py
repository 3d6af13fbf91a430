"""What every play is worth with one hand, by the dealer's hands that are left."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache

import numpy as np

from pitbook.cards import DECK, Card
from pitbook.exact.methods.duels.answers import why
from pitbook.exact.methods.duels.kept import defer_compiling
from pitbook.exact.methods.duels.machine import needed
from pitbook.exact.methods.duels.strength import KEYS, strength_of
from pitbook.exact.methods.duels.structure import EVENTS, kinds_by_class
from pitbook.exact.methods.duels.terms import Terms, told_apart, touched
from pitbook.exact.methods.method import Advice
from pitbook.exact.methods.pairs.counting import Shape
from pitbook.exact.methods.pairs.structure import shape
from pitbook.exact.methods.plain_answers import PLAIN
from pitbook.exact.spots import Spot, laid_out
from pitbook.money import Cents
from pitbook.rules.game import Game
from pitbook.rules.plays import Play

__all__ = ["advise", "worths_at"]

Worths = dict[Play, Fraction]


def advise(game: Game, spot: Spot) -> Advice:
    """The exact value of every play, with the side wagers that it touches."""
    side = touched(game, spot.side or {}, spot.ante)
    if told_apart(game, side):
        return PLAIN.advise(game, spot)
    (up,), _ = laid_out(game, spot)
    terms = _terms(game, spot.ante, tuple(side.items()), spot.purse)
    worths, best, events = worths_at(terms, spot.cards, up, spot.dead)
    return Advice(worths, best, why(game, worths, best, events))


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
    own, events = _events(shape(terms.game), cards, up, left)
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
    needed()
    defer_compiling("pairs")
    from pitbook.exact.methods.pairs.kernels import hands_in, ranked_in  # noqa: PLC0415

    keys, open_cards = np.array(KEYS, np.int64), np.array(up, np.int64)
    ours = strength_of(form.best, form.own, form.ace)
    theirs = strength_of(form.best, form.other, form.ace)
    held = np.array([cards], np.uint8)
    nothing = np.zeros(0, np.int64)
    own = int(ranked_in(held, nothing, keys, ours.by_ranks, ours.by_suit)[0])
    same = np.arange(52, dtype=np.uint8)[None]
    hands, _ = hands_in(np.array(left, np.int64), form.other - form.up, same)
    others = ranked_in(hands, open_cards, keys, theirs.by_ranks, theirs.by_suit)
    event = 1 + np.sign(own - others.astype(np.int64)) + 3 * (others < form.least)
    return own, np.bincount(event, minlength=len(EVENTS)).tolist()
