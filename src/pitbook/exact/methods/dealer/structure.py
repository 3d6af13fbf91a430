"""Games with one hand compared with the dealer's, and what they pay by kind and event."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitbook.exact.games import cache_by_identity, main_and_side_stakes
from pitbook.exact.work import TooLarge
from pitbook.hands.kinds import Ace, catalogue
from pitbook.hands.ranking import classes
from pitbook.money import Cents
from pitbook.rules.game import Game, Hand, Seat, Showdown
from pitbook.rules.limits import apply_limits
from pitbook.rules.plays import Play
from pitbook.rules.pricing import Best, Kinds
from pitbook.rules.settlement import Line, Settlement
from pitbook.text import say

# How a hand comes out; the last three are the first where the dealer does not qualify.
EVENTS = ("lose", "tie", "win", "below-lose", "below-tie", "below-win")


class DealerGame(NamedTuple):
    """Cards of the player, in common and of the dealer, and what decides who is ahead."""

    own: int
    common: int
    other: int
    best: int
    ace: Ace
    least: int  # The first class with which the dealer qualifies; 0: with any.
    hands: tuple[int, int, int]  # Of a showdown: own strength, the dealer's, the own kind.


@cache_by_identity
def as_dealer_game(game: Game) -> DealerGame | None:
    """The game as a fight; None where it is none."""
    if len(game.duels) != 1 or game.decks != 1 or any(place.later for place in game.places):
        return None
    (duel,), last = game.duels, len(game.places) - 1
    own, other, asked = game.hand(duel.own), game.hand(duel.other), game.looks_at("main")
    common = tuple(range(1, last))
    if duel.low or last not in (1, 2) or not isinstance(own.ranking, Best):
        return None
    if own.ranking != other.ranking or not _pays_by_kind(own, asked):
        return None
    if own.places != (0, *common) or sorted(other.places) != [*common, last]:
        return None
    first, *shared, dealers = (place.cards for place in game.places)
    numbers = (game.hands.index(own), game.hands.index(other), game.hands.index(asked))
    size, ace = own.ranking
    return DealerGame(first, sum(shared), dealers, size, ace, duel.least or 0, numbers)


def _pays_by_kind(own: Hand, asked: Hand) -> bool:
    """Whether pay tables ask for the kind of the very hand that is compared."""
    assert isinstance(own.ranking, Best)
    return asked.places == own.places and asked.ranking == Kinds(*own.ranking)


@cache
def kinds_by_class(best: int, ace: Ace) -> tuple[int, ...]:
    """By class, the number of its kind; it never falls."""
    return tuple(hand.kind for hand in classes(best, ace))


@cache
def kind_starts(best: int, ace: Ace) -> tuple[int, ...]:
    """By kind, its first class; then how many classes there are."""
    kinds = kinds_by_class(best, ace)
    return (*(kinds.index(kind) for kind in range(len(catalogue(best)))), len(kinds))


Ints = NDArray[np.int64]
NET_MAX = 2**32  # Cents; counts stay below 2**25, so that no sum of products leaves 64 bits.


@dataclass(frozen=True, eq=False)
class Terms:
    """A game for one seat: its stakes, and the plays that it may make.

    Without an ante no cap applies. `purse` is what the player has left; None is enough.
    """

    game: Game
    ante: Cents | None = None
    side: Mapping[str, Cents] | None = None
    purse: Cents | None = None

    @cached_property
    def fight(self) -> DealerGame:
        """The measures of the game."""
        found = as_dealer_game(self.game)
        assert found is not None
        return found

    @cached_property
    def stakes(self) -> tuple[Cents, dict[str, Cents]]:
        """The main wager and side wagers, in cents."""
        return main_and_side_stakes(self.game, self.ante, self.side or {})

    @property
    def stake(self) -> Cents:
        """The main wager in cents."""
        return self.stakes[0]

    @cached_property
    def seat(self) -> Seat:
        """The seat before the deal."""
        stake, side = self.stakes
        main = tuple((wager, stake) for wager in (self.game.main[0], *self.game.equals))
        return Seat(1, "", main, tuple(side.items()))

    def plays(self, stage: int, seat: Seat) -> tuple[Play, ...]:
        """The plays of a stage that can be paid for, the preferred of equals first (GEN-16)."""
        plays = self.game.plays(stage)
        if self.ante is not None:
            plays = tuple(one for one in plays if self.game.too_much(seat, stage, one) is None)
        if self.purse is not None:
            left = self.purse - _staked(seat) + _staked(self.seat)
            paid = tuple(one for one in plays if seat.cost(one) <= left)
            plays = paid or tuple(sorted(plays, key=seat.cost)[:1])
        return tuple(sorted(plays, key=lambda play: self._preference(seat, play)))

    def _preference(self, seat: Seat, play: Play) -> tuple[bool, int]:
        ties, more = self.game.sheet.best_play.ties.value, _staked(seat.made(play))
        return play.folds != (ties == "fold"), -more if ties == "largest-bet" else more

    def lines(
        self, seat: Seat, kind: int, event: int, beside: Mapping[int, int] | None = None
    ) -> tuple[Line, ...] | None:
        """Every wager's line; None where such a hand never comes out so.

        `beside` has the kinds of other hands, by their place among the game's.
        """
        shown = self._showdown(kind, event, beside or {})
        if shown is None:
            return None
        settlement = Settlement(1, self.game.price(shown, seat))
        if self.ante is not None:
            (settlement,), _ = apply_limits(self.game.sheet, [settlement])
        return settlement.lines

    def nets(self, seat: Seat) -> Ints:
        """What a seat nets in cents, by kind and event; 0 where such a thing never comes."""
        if seat not in self._nets:
            self._nets[seat] = self._compute_nets(seat)
        return self._nets[seat]

    @cached_property
    def _nets(self) -> dict[Seat, Ints]:
        return {}

    def _compute_nets(self, seat: Seat) -> Ints:
        kinds = len(kind_starts(self.fight.best, self.fight.ace)) - 1
        found = np.zeros((kinds, len(EVENTS)), np.int64)
        for kind, event in np.ndindex(*found.shape):
            lines = self.lines(seat, kind, event)
            net = sum(line.net for line in lines or ())
            if abs(net) >= NET_MAX:
                raise TooLarge(say("exact.large.pay"))
            found[kind, event] = net
        return found

    def _showdown(self, kind: int, event: int, beside: Mapping[int, int]) -> Showdown | None:
        classes = example_classes(self.fight, kind, event)
        if classes is None:
            return None
        shown: list[int | None] = [None] * len(self.game.hands)
        for place, number in zip(self.fight.hands, (*classes, kind), strict=True):
            shown[place] = number
        for place, number in beside.items():
            shown[place] = number
        return tuple(shown)


def example_classes(fight: DealerGame, kind: int, event: int) -> tuple[int, int] | None:
    """Two classes, of a kind and of the dealer's hand, that come out so; None where none do."""
    starts, least = kind_starts(fight.best, fight.ace), fight.least
    low, high, last = starts[kind], starts[kind + 1] - 1, starts[-1] - 1
    below, compared = divmod(event, 3)
    first, final = (0, least - 1) if below else (least, last)  # What the dealer may have.
    if compared == 0:
        own, other = low, final
        return (own, other) if other > own and other >= first else None
    if compared == 1:
        own = max(low, first)
        return (own, own) if own <= min(high, final) else None
    own, other = high, min(high - 1, final)
    return (own, other) if other >= first else None


def affected_side_wagers(
    game: Game, side: Mapping[str, Cents], ante: Cents | None
) -> dict[str, Cents]:
    """Side wagers that a play bears on: they die with a fold, or share a cap with the main game."""
    shared = ante is not None and any(limit.per != "bet" for limit in game.sheet.limits)
    survives = {one.wager: one.survives for one in game.asked}
    return {one: stake for one, stake in side.items() if shared or not survives[one]}


def side_wagers_on_other_hands(game: Game, side: Iterable[str]) -> Sequence[str]:
    """Side wagers that look at another hand than the main game does."""
    return [one for one in side if game.looks_at(one) != game.looks_at("main")]


def _staked(seat: Seat) -> int:
    return sum(stake for _, stake in seat.main)
