"""Ladder games (a player's hand, a board, bets street by street), their stakes and payouts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import perm, prod
from operator import attrgetter
from typing import NamedTuple

import numpy as np

from pitbook.exact.compiled_games import cache_by_identity
from pitbook.exact.methods.ladder.transitions import HandGroups, group_hands
from pitbook.hands.kinds import Ace
from pitbook.money import Cents, Odds
from pitbook.rules.actions import Play
from pitbook.rules.game import Game, Hand, Seat, Showdown, Stage
from pitbook.rules.payout_caps import apply_payout_caps
from pitbook.rules.settlement_lines import KindPay, Kinds, Line, Settlement, pay_by_kind
from pitbook.sheets.model import Sheet
from pitbook.sheets.pay_tables import falls_under, pays_of

CARDS = 5  # Cards of a complete hand; classes and kinds are tabulated up to this size.
ALL_CARDS, HOLE_CARDS, BOARD = (0, 1), (0,), (1,)


class Ladder(NamedTuple):
    """The structure of a ladder game: its cards, board cards open at each stage, and hand names."""

    hole_cards: int
    board_cards: int
    ace: Ace
    board_seen: tuple[int, ...]
    hands: tuple[str, str, str]  # All cards, hole cards, the board; empty if no wager uses it.

    @property
    def cards_seen(self) -> tuple[int, ...]:
        """The number of cards that a seat knows at each stage."""
        return tuple(self.hole_cards + board_cards for board_cards in self.board_seen)

    @property
    def reveals(self) -> tuple[int, ...]:
        """The number of board cards dealt after each stage."""
        later = (*self.board_seen[1:], self.board_cards)
        return tuple(after - before for before, after in zip(self.board_seen, later, strict=True))


Purse = tuple[int, ...]  # Multiples bet on the streets so far, or only their sum if that is enough.
Plays = tuple[tuple[Play, ...], ...]


class Streets(NamedTuple):
    """What follows from a game's stages alone, so that a changed pay table keeps it."""

    board_seen: tuple[int, ...]  # Board cards open at each stage.
    are_open_to_all: bool  # Whether every seat reaches every stage, and the board only grows.
    sell_bets: bool  # Whether the only plays are a fold and bets of distinct multiples.
    plays: Plays  # By street, bets first.
    stake_changes: tuple[dict[Play, int], ...]  # What each play bets, or leaves of a placed bet.
    purses: tuple[tuple[Purse, ...], ...]  # Sums of antes before each street, and after the last.
    next_purses: tuple[dict[Purse, list[Purse]], ...]  # By street and purse, after each bet.


@cache_by_identity
def streets_of(stages: tuple[Stage, ...]) -> Streets:
    """The streets of these stages."""
    board_seen = tuple(stage.opens[1] for stage in stages)
    is_open = not any(stage.once or stage.when for stage in stages)
    plays = tuple(_bets_first(stage.plays) for stage in stages)
    changes = tuple(map(_stake_changes, stages))
    bets_by_street = _bets(plays, changes)
    purses = _list_purses((0,), bets_by_street, _add_to_sum)
    return Streets(
        board_seen,
        is_open and list(board_seen) == sorted(board_seen),
        all(map(_sells_bets, stages)),
        plays,
        changes,
        purses,
        tuple(
            {purse: [_add_to_sum(purse, bet) for bet in bets] for purse in level}
            for level, bets in zip(purses, bets_by_street, strict=False)
        ),
    )


def _bets_first(plays: Iterable[Play]) -> tuple[Play, ...]:
    return tuple(sorted(plays, key=attrgetter("folds")))


def _stake_changes(stage: Stage) -> dict[Play, int]:
    placed = {wager for play in stage.plays for wager in play.takes}
    return {play: play.times + len(placed - {*play.takes}) for play in stage.plays}


def _bets(plays: Plays, changes: Sequence[Mapping[Play, int]]) -> tuple[tuple[int, ...], ...]:
    """The antes that each street can add to the final stake."""
    return tuple(
        tuple(stake_changes[play] for play in level if not play.folds)
        for level, stake_changes in zip(plays, changes, strict=True)
    )


def _list_purses(
    first: Purse, bets_by_street: Iterable[Sequence[int]], add_bet: Callable[[Purse, int], Purse]
) -> tuple[tuple[Purse, ...], ...]:
    levels: list[tuple[Purse, ...]] = [(first,)]
    for bets in bets_by_street:
        levels.append(tuple(sorted({add_bet(purse, bet) for purse in levels[-1] for bet in bets})))
    return tuple(levels)


def _add_to_sum(purse: Purse, bet: int) -> Purse:
    return (purse[0] + bet,)


@cache_by_identity
def ladder_of(game: Game) -> Ladder | None:
    """The game as a ladder, or None if it does not fit."""
    if len(game.places) != 2 or game.duels or game.sheet.deck.decks > 1:
        return None
    hole_cards, board_cards = (place.cards for place in game.places)
    if hole_cards + board_cards != CARDS or any(place.later for place in game.places):
        return None
    streets = streets_of(game.stages)
    if not streets.are_open_to_all or any(stage.opens[0] != hole_cards for stage in game.stages):
        return None
    if not (_all_bets_returnable(game) if game.equals else streets.sell_bets):
        return None
    hand_by_wager = {
        wager_rule.wager: game.hand(wager_rule.hand) for wager_rule in game.wager_rules
    }
    if (
        "main" not in hand_by_wager
        or hand_by_wager["main"].places != ALL_CARDS
        or _survives_fold(game)
    ):
        return None
    hand_by_places = {hand.places: hand for hand in hand_by_wager.values()}
    if not all(
        _reads_kind(game, hand) and hand_by_places[hand.places] == hand
        for hand in hand_by_wager.values()
    ):
        return None
    aces = {hand.ranking.ace for hand in hand_by_places.values() if isinstance(hand.ranking, Kinds)}
    if len(aces) != 1:
        return None
    all_cards, hole_name, board_name = (
        hand_by_places[places].name if places in hand_by_places else ""
        for places in (ALL_CARDS, HOLE_CARDS, BOARD)
    )
    return Ladder(
        hole_cards, board_cards, aces.pop(), streets.board_seen, (all_cards, hole_name, board_name)
    )


def _survives_fold(game: Game) -> bool:
    """Whether the main wagers survive a fold."""
    return any(wager_rule.survives for wager_rule in game.wager_rules if wager_rule.wager == "main")


def _all_bets_returnable(game: Game) -> bool:
    """Whether each additional main bet has its own stage, where it is pulled back or left.

    There are no other bets or folds, so the stake alone describes a seat.
    """
    plays = [play for stage in game.stages for play in stage.plays]
    is_special = any(play.puts or play.folds or play.declaration or play.needs for play in plays)
    pairs = [sorted(play.takes for play in stage.plays) for stage in game.stages]
    return not is_special and sorted(pairs) == sorted([(), (wager,)] for wager in game.equals)


def _sells_bets(stage: Stage) -> bool:
    """Whether the only plays of a stage are a fold and bets of distinct multiples."""
    bets = [play for play in stage.plays if not play.folds]
    bets_put = {put for play in bets for put in play.puts}
    has_distinct_bets = len({play.times for play in bets}) == len(bets) > 0
    return (
        has_distinct_bets
        and len(dict(bets_put)) <= 1
        and not any(map(_is_special_play, stage.plays))
    )


def _is_special_play(play: Play) -> bool:
    """Whether a play does more than bet or fold, or requires a hand."""
    return bool(play.takes or play.declaration or play.needs or (play.folds and play.puts))


def _reads_kind(game: Game, hand: Hand) -> bool:
    """Whether a hand is read as a kind of all cards of its places, from one deck."""
    cards = sum(game.places[place].cards for place in hand.places)
    ranking = hand.ranking
    return isinstance(ranking, Kinds) and ranking.cards == cards and not ranking.many_decks


DEALS = perm(52, CARDS)  # The most deals, counting the order of the cards.
EXACT_MAX = 2**53  # Whole numbers below it are exact in floating point.


@dataclass(frozen=True)
class Terms:
    """A game at one ante, with its side wagers; caps apply if `capped`."""

    game: Game
    ante: Cents
    capped: bool
    side: Mapping[str, Cents]
    antes_left: int | None = None  # Antes that a player has for all streets; None means no limit.
    excluded_plays: frozenset[str] = frozenset()  # Plays that the player never makes.

    @property
    def sheet(self) -> Sheet:
        """The rules that the game was compiled from."""
        return self.game.sheet

    @cached_property
    def ladder(self) -> Ladder:
        """The game's structure."""
        ladder = ladder_of(self.game)
        assert ladder is not None
        return ladder

    @property
    def ace(self) -> Ace:
        """The ace rule of the game (GEN-1)."""
        return self.ladder.ace

    def showdown_of(self, kind: int | None) -> Showdown:
        """A showdown with only the kind of the complete hand known, or nothing."""
        before, after = self._unknown_hands
        return (*before, kind, *after)

    @cached_property
    def _unknown_hands(self) -> tuple[Showdown, Showdown]:
        """The unknown hands of a showdown before and after the complete hand."""
        names = [hand.name for hand in self.game.hands]
        place = names.index(self.ladder.hands[0])
        return (None,) * place, (None,) * (len(names) - place - 1)

    def showdowns(self, kinds: Sequence[tuple[int, int, int]]) -> tuple[Showdown, ...]:
        """Showdowns by the kinds of all cards, of the hole cards and of the board.

        Showdowns that all wagers in play pay alike are equal.
        """
        index = {name: index for index, name in enumerate(self.ladder.hands)}
        places = [index.get(hand.name) for hand in self.game.hands]
        return tuple(
            self.equivalent(tuple(None if place is None else deal_kinds[place] for place in places))
            for deal_kinds in kinds
        )

    def pays(self, wager: str) -> tuple[KindPay, ...]:
        """The pay of each kind on a wager in play, "main" or a side wager."""
        return self._pays[wager]

    @cached_property
    def _pays(self) -> dict[str, tuple[KindPay, ...]]:
        pays = {wager: pay_by_kind(self.sheet, wager) for wager in self.side}
        return {"main": self.game.trial_pays or pay_by_kind(self.sheet, "main"), **pays}

    @cached_property
    def affected_side_wagers(self) -> tuple[str, ...]:
        """The side wagers that change best play: they lose with a fold, or share a cap."""
        if not self.side:
            return ()
        survives = {wager_rule.wager: wager_rule.survives for wager_rule in self.game.wager_rules}
        return tuple(
            wager for wager in self.side if not survives[wager] or self._shares_a_cap(wager)
        )

    def _shares_a_cap(self, wager: str) -> bool:
        return self.capped and any(
            isinstance(pay, Odds) and limit.per != "bet" and falls_under(limit, wager, line, pay)
            for line, pay in pays_of(self.sheet, wager).items()
            for limit in self.sheet.limits
        )

    @cached_property
    def separates_bets(self) -> bool:
        """Whether the street of a bet matters: if a cap applies to single bets.

        It also matters if side wagers share several caps, because the odd cent goes to a
        specific line.
        """
        caps = self.sheet.limits if self.capped else ()
        uneven = len(caps) > 1 or self.sheet.payouts.stake_counted.value
        return any(cap.per == "bet" for cap in caps) or bool(
            caps and self.affected_side_wagers and uneven
        )

    @property
    def purse_count_max(self) -> int:
        """The number of final purses, without listing them."""
        if self.separates_bets:
            return prod(len(bets) for bets in self.bets)
        return sum(max(bets, default=0) for bets in self.bets) + 1

    @property
    def empty_purse(self) -> Purse:
        """The purse before the first street."""
        return () if self.separates_bets else (0,)

    @cached_property
    def purses(self) -> tuple[tuple[Purse, ...], ...]:
        """The purses before each street, and after the last."""
        if self._has_all_plays:
            return self._streets.purses
        return _list_purses(self.empty_purse, self.bets, self._add_bet)

    @cached_property
    def plays(self) -> Plays:
        """The plays of each street, bets first; at an ante in dollars, maximums apply."""
        if not (self.excluded_plays or self.capped):
            return self._streets.plays
        return tuple(
            _bets_first(self._allowed_plays(number, stage.plays))
            for number, stage in enumerate(self.game.stages)
        )

    @cached_property
    def _has_all_plays(self) -> bool:
        """Whether every play is allowed at every purse, and only the sum of the bets matters."""
        return (
            not (self.excluded_plays or self.capped or self.separates_bets)
            and self.antes_left is None
        )

    @cached_property
    def _streets(self) -> Streets:
        return streets_of(self.game.stages)

    def _allowed_plays(self, number: int, plays: Iterable[Play]) -> Iterable[Play]:
        if self.excluded_plays:
            plays = [play for play in plays if play not in self.excluded_plays]
        if self.capped:
            seat = Seat(1, "", ((self.sheet.main_id, self.ante),))
            plays = [play for play in plays if not self.game.exceeded_clause(seat, number, play)]
        return plays

    @cached_property
    def bets(self) -> tuple[tuple[int, ...], ...]:
        """The antes that each street can add to the final stake."""
        return _bets(self.plays, self._streets.stake_changes)

    @cached_property
    def result_max(self) -> int:
        """The most cents that a round can win or lose."""
        stakes = {"main": self.ante * self.sheet.units_max, **self.side}
        return sum(
            stake * max([1, *(-(-pay_odds.to // pay_odds.one) for pay_odds in odds if pay_odds)])
            for wager, stake in stakes.items()
            for odds in [[pay.odds for pay in self.pays(wager)]]
        )

    @cached_property
    def numbers(self) -> type:
        """A number type for the sum of all results: 64 bits if they suffice."""
        return np.int64 if self.result_max * DEALS < 2**63 else object

    @cached_property
    def fast_numbers(self) -> type:
        """The fastest number type in which the sum of all results is exact."""
        return np.float64 if self.result_max * DEALS < EXACT_MAX else self.numbers

    @cached_property
    def kinds_by_pay(self) -> tuple[int, ...]:
        """For each different pay of the complete hand, its first kind."""
        return tuple(sorted(set(self.representative_kinds)))

    @cached_property
    def groups(self) -> tuple[HandGroups, ...]:
        """By street, the groups of hands that no wager in play can tell apart."""
        number = {kind: index for index, kind in enumerate(self.kinds_by_pay)}
        pay_of_kind = tuple([number[kind] for kind in self.representative_kinds])
        ladder = self.ladder
        numbers = self.fast_numbers
        return group_hands(ladder.cards_seen, ladder.reveals, ladder.ace, pay_of_kind, numbers)

    @property
    def is_proportional(self) -> bool:
        """Whether every result is a multiple of the main stake: no caps and no side wagers."""
        return not self.capped and not self.side

    def equivalent(self, showdown: Showdown) -> Showdown:
        """A representative of all showdowns that the wagers in play pay alike."""
        pairs = zip(self._representatives, showdown, strict=True)
        return tuple(
            [
                representatives[kind] if representatives and kind is not None else None
                for representatives, kind in pairs
            ]
        )

    @property
    def representative_kinds(self) -> tuple[int, ...]:
        """For every kind of complete hand, the first kind that all wagers in play pay alike."""
        before, _ = self._unknown_hands
        return self._representatives[len(before)]

    @cached_property
    def _representatives(self) -> tuple[tuple[int, ...], ...]:
        """For every hand of the game, the first kind on the same pay table lines as each kind."""
        representatives = []
        rules_in_play = [
            wager_rule
            for wager_rule in self.game.wager_rules
            if wager_rule.wager in ("main", *self.side)
        ]
        for hand in self.game.hands:
            tables = [
                self.pays(wager_rule.wager)
                for wager_rule in rules_in_play
                if wager_rule.hand == hand.name
            ]
            lines = zip(*([id(pay) for pay in table] for table in tables), strict=True)
            first: dict[tuple[int, ...], int] = {}
            representatives.append(
                tuple([first.setdefault(line_ids, kind) for kind, line_ids in enumerate(lines)])
            )
        return tuple(representatives)

    def purse_after(self, street: int, purse: Purse, play: Play) -> Purse:
        """The purse after a play other than a fold."""
        return self._add_bet(purse, self._streets.stake_changes[street][play])

    def purses_after(self, street: int, purse: Purse, bets: Iterable[Play]) -> list[Purse]:
        """The purses after each of a street's bets."""
        if self._has_all_plays:
            return self._streets.next_purses[street][purse]
        return [self.purse_after(street, purse, play) for play in bets]

    def _add_bet(self, purse: Purse, bet: int) -> Purse:
        """The purse after another bet."""
        return (*purse, bet) if self.separates_bets else _add_to_sum(purse, bet)

    def affordable_plays(self, street: int, purse: Purse) -> tuple[Play, ...]:
        """The plays that the player can afford, or the smallest if there is no fold."""
        plays = self.plays[street]
        # Bets placed before the deal are already paid.
        if self.antes_left is None or self.game.equals:
            return plays
        budget = self.antes_left - sum(purse)
        return tuple(play for play in plays if play.folds or play.times <= budget) or plays[:1]

    def units(self, purse: Purse) -> int:
        """Antes at stake on the main game."""
        return 1 + sum(purse)

    def lines(self, purse: Purse, showdown: Showdown) -> tuple[Line, ...]:
        """Every wager's line at a showdown, after caps."""
        return self._settle(self._seat(purse, folded=False), showdown)

    def nets_of_ante(self, showdowns: Sequence[Showdown]) -> list[int]:
        """The net result of the first bet at each showdown, in cents, without caps."""
        seat, price = self._seat((0,), folded=False), self.game.price
        return [net_cents(price(showdown, seat)) for showdown in showdowns]

    def fold_lines(self, purse: Purse, showdown: Showdown) -> tuple[Line, ...]:
        """Every wager's line after a fold; surviving side wagers are priced."""
        return self._settle(self._seat(purse, folded=True), showdown)

    def fold_net(self, purse: Purse) -> int:
        """The net result of a fold in cents, before wagers that survive it are settled."""
        if self.is_proportional:
            return self._fold_net_of_ante * self.units(purse)
        return net_cents(self.fold_lines(purse, self.showdown_of(None)))

    @cached_property
    def _fold_net_of_ante(self) -> int:
        return net_cents(self.fold_lines((0,), self.showdown_of(None)))

    def _seat(self, purse: Purse, *, folded: bool) -> Seat:
        return Seat(1, "", self._bets(purse), tuple(self.side.items()), folded=folded)

    def _settle(self, seat: Seat, showdown: Showdown) -> tuple[Line, ...]:
        settlement = Settlement(1, self.game.price(showdown, seat))
        if self.capped:
            (settlement,), _ = apply_payout_caps(self.sheet, [settlement])
        return settlement.lines

    def _bets(self, purse: Purse) -> tuple[tuple[str, Cents], ...]:
        """The main wagers and their amounts; if only the sum matters, it is on the first wager."""
        wagers = self._wagers if self.separates_bets else filter(None, self._wagers)
        bets = [(self.sheet.main_id, self.ante)]
        for wager, bet in zip(wagers, purse, strict=False):
            if bet:
                bets.append((wager, Cents(bet * self.ante)))
        return tuple(bets)

    @cached_property
    def _wagers(self) -> tuple[str, ...]:
        """The wager that receives each street's bets, or already has them; "" if there is none."""
        plays = [stage.plays for stage in self.game.stages]
        wagers_by_stage = [
            {wager for play in stage_plays for wager in (*dict(play.puts), *play.takes)}
            for stage_plays in plays
        ]
        return tuple("".join(wagers) for wagers in wagers_by_stage)


def net_cents(lines: tuple[Line, ...]) -> int:
    """The net result of lines, in cents."""
    return sum([line.net for line in lines])
