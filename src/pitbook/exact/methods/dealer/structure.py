"""Games with one hand compared with the dealer's, and what they pay by kind and event."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitbook.exact.compiled_games import cache_by_identity, main_and_side_stakes
from pitbook.exact.long_computations import TooLarge
from pitbook.hands.kinds import Ace, hand_kinds
from pitbook.hands.ranking import classes
from pitbook.money import Cents
from pitbook.rules.actions import Play
from pitbook.rules.game import Game, Hand, Seat, Showdown
from pitbook.rules.payout_caps import apply_payout_caps
from pitbook.rules.settlement_lines import Best, Kinds, Line, Settlement
from pitbook.text import say

# The results of a hand. In the last three, the dealer does not qualify.
EVENTS = ("lose", "tie", "win", "below-lose", "below-tie", "below-win")


class DealerGame(NamedTuple):
    """The player's, common and dealer's cards, and what decides the comparison."""

    player_cards: int
    common_cards: int
    dealer_cards: int
    best_cards: int
    ace: Ace
    qualifying_class: int  # The first class with which the dealer qualifies; 0 for any hand.
    # Positions in a showdown: player's strength, dealer's strength, player's kind.
    hands: tuple[int, int, int]


@cache_by_identity
def as_dealer_game(game: Game) -> DealerGame | None:
    """The game as one hand against the dealer's, or None if it does not fit."""
    if len(game.duels) != 1 or game.decks != 1 or any(place.later for place in game.places):
        return None
    (duel,), last = game.duels, len(game.places) - 1
    player_hand = game.hand(duel.own)
    dealer_hand = game.hand(duel.other)
    paid_hand = game.looks_at("main")
    common_places = tuple(range(1, last))
    if duel.low or last not in (1, 2) or not isinstance(player_hand.ranking, Best):
        return None
    if player_hand.ranking != dealer_hand.ranking or not _pays_by_kind(player_hand, paid_hand):
        return None
    if player_hand.places != (0, *common_places) or sorted(dealer_hand.places) != [
        *common_places,
        last,
    ]:
        return None
    player_cards, *common_cards, dealer_cards = (place.cards for place in game.places)
    numbers = (
        game.hands.index(player_hand),
        game.hands.index(dealer_hand),
        game.hands.index(paid_hand),
    )
    size, ace = player_hand.ranking
    return DealerGame(
        player_cards, sum(common_cards), dealer_cards, size, ace, duel.least or 0, numbers
    )


def _pays_by_kind(compared: Hand, paid: Hand) -> bool:
    """Whether pay tables use the kind of the hand that is compared."""
    assert isinstance(compared.ranking, Best)
    return paid.places == compared.places and paid.ranking == Kinds(*compared.ranking)


@cache
def kinds_by_class(best: int, ace: Ace) -> tuple[int, ...]:
    """By class, the number of its kind; it never decreases."""
    return tuple(hand.kind for hand in classes(best, ace))


@cache
def kind_starts(best: int, ace: Ace) -> tuple[int, ...]:
    """By kind, its first class; then the number of classes."""
    kinds = kinds_by_class(best, ace)
    return (*(kinds.index(kind) for kind in range(len(hand_kinds(best)))), len(kinds))


Ints = NDArray[np.int64]
NET_MAX = 2**32  # Cents; counts stay below 2**25, so sums of products fit in 64 bits.


@dataclass(frozen=True, eq=False)
class Terms:
    """A game for one seat: its stakes, and the plays that it may make.

    Without an ante no cap applies. `purse` is the player's remaining money; None means no limit.
    """

    game: Game
    ante: Cents | None = None
    side: Mapping[str, Cents] | None = None
    purse: Cents | None = None

    @cached_property
    def dealer_game(self) -> DealerGame:
        """The structure of the game."""
        dealer_game = as_dealer_game(self.game)
        assert dealer_game is not None
        return dealer_game

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
        """The affordable plays of a stage, the preferred of equal plays first (GEN-16)."""
        plays = self.game.plays(stage)
        if self.ante is not None:
            plays = tuple(
                play for play in plays if self.game.exceeded_clause(seat, stage, play) is None
            )
        if self.purse is not None:
            budget = self.purse - _stake(seat) + _stake(self.seat)
            affordable = tuple(play for play in plays if seat.cost(play) <= budget)
            plays = affordable or tuple(sorted(plays, key=seat.cost)[:1])
        return tuple(sorted(plays, key=lambda play: self._preference(seat, play)))

    def _preference(self, seat: Seat, play: Play) -> tuple[bool, int]:
        ties, stake = self.game.sheet.best_play.ties.value, _stake(seat.after_play(play))
        return play.folds != (ties == "fold"), -stake if ties == "largest-bet" else stake

    def lines(
        self, seat: Seat, kind: int, event: int, other_kinds: Mapping[int, int] | None = None
    ) -> tuple[Line, ...] | None:
        """Every wager's line, or None if such a hand never has this result.

        `other_kinds` has the kinds of other hands, by their position among the game's.
        """
        showdown = self._showdown(kind, event, other_kinds or {})
        if showdown is None:
            return None
        settlement = Settlement(1, self.game.price(showdown, seat))
        if self.ante is not None:
            (settlement,), _ = apply_payout_caps(self.game.sheet, [settlement])
        return settlement.lines

    def nets(self, seat: Seat) -> Ints:
        """What a seat nets in cents, by kind and event; 0 if it never occurs."""
        if seat not in self._nets:
            self._nets[seat] = self._compute_nets(seat)
        return self._nets[seat]

    @cached_property
    def _nets(self) -> dict[Seat, Ints]:
        return {}

    def _compute_nets(self, seat: Seat) -> Ints:
        kinds = len(kind_starts(self.dealer_game.best_cards, self.dealer_game.ace)) - 1
        nets = np.zeros((kinds, len(EVENTS)), np.int64)
        for kind, event in np.ndindex(*nets.shape):
            lines = self.lines(seat, kind, event)
            net = sum(line.net for line in lines or ())
            if abs(net) >= NET_MAX:
                raise TooLarge(say("exact.large.pay"))
            nets[kind, event] = net
        return nets

    def _showdown(self, kind: int, event: int, other_kinds: Mapping[int, int]) -> Showdown | None:
        classes = example_classes(self.dealer_game, kind, event)
        if classes is None:
            return None
        kinds: list[int | None] = [None] * len(self.game.hands)
        for place, number in zip(self.dealer_game.hands, (*classes, kind), strict=True):
            kinds[place] = number
        for place, number in other_kinds.items():
            kinds[place] = number
        return tuple(kinds)


def example_classes(dealer_game: DealerGame, kind: int, event: int) -> tuple[int, int] | None:
    """Two classes, the player's and the dealer's, with this kind and event, or None."""
    starts = kind_starts(dealer_game.best_cards, dealer_game.ace)
    least = dealer_game.qualifying_class
    low, high, last = starts[kind], starts[kind + 1] - 1, starts[-1] - 1
    unqualified, outcome = divmod(event, 3)
    # The range of the dealer's hand.
    first, final = (0, least - 1) if unqualified else (least, last)
    if outcome == 0:
        player, dealer = low, final
        return (player, dealer) if dealer > player and dealer >= first else None
    if outcome == 1:
        player = max(low, first)
        return (player, player) if player <= min(high, final) else None
    player, dealer = high, min(high - 1, final)
    return (player, dealer) if dealer >= first else None


def affected_side_wagers(
    game: Game, side: Mapping[str, Cents], ante: Cents | None
) -> dict[str, Cents]:
    """Side wagers affected by plays: they lose with a fold, or share a cap with the main game."""
    shared = ante is not None and any(limit.per != "bet" for limit in game.sheet.limits)
    survives = {wager.wager: wager.survives for wager in game.wager_rules}
    return {wager: stake for wager, stake in side.items() if shared or not survives[wager]}


def side_wagers_on_other_hands(game: Game, side: Iterable[str]) -> Sequence[str]:
    """Side wagers on another hand than the main game's."""
    return [wager for wager in side if game.looks_at(wager) != game.looks_at("main")]


def _stake(seat: Seat) -> int:
    return sum(stake for _, stake in seat.main)
