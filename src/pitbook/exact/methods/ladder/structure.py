"""Ladder games (own cards, a board, bets street by street), their stakes and payouts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import perm, prod
from operator import attrgetter
from typing import NamedTuple

import numpy as np

from pitbook.exact.games import cache_by_identity
from pitbook.hands.kinds import Ace
from pitbook.money import Cents, Odds
from pitbook.rules.game import Game, Hand, Seat, Showdown, Stage
from pitbook.rules.limits import apply_limits
from pitbook.rules.plays import Play
from pitbook.rules.pricing import KindPay, Kinds, pay_by_kind
from pitbook.rules.settlement import Line, Settlement
from pitbook.sheets.model import Sheet
from pitbook.sheets.pay_tables import falls_under, pays_of

CARDS = 5  # Of a whole hand: classes and kinds are tabled for as many.
WHOLE, OWN, BOARD = (0, 1), (0,), (1,)


class Ladder(NamedTuple):
    """A ladder's measures: its cards, those of the board open at each stage, its hands' names."""

    own: int
    board: int
    ace: Ace
    opened: tuple[int, ...]
    hands: tuple[str, str, str]  # All cards, the seat's own, the board; empty: no wager asks.

    @property
    def seen(self) -> tuple[int, ...]:
        """The cards that a seat knows at each stage."""
        return tuple(self.own + one for one in self.opened)

    @property
    def reveals(self) -> tuple[int, ...]:
        """The cards of the board that are turned after each stage."""
        later = (*self.opened[1:], self.board)
        return tuple(after - before for before, after in zip(self.opened, later, strict=True))


@cache_by_identity
def ladder_of(game: Game) -> Ladder | None:
    """The game as a ladder; None where it is none."""
    if len(game.places) != 2 or game.duels or game.sheet.deck.decks > 1:
        return None
    own, board = (place.cards for place in game.places)
    if own + board != CARDS or any(place.later for place in game.places):
        return None
    opened = tuple(stage.opens[1] for stage in game.stages)
    if not all(_is_open_to_all(stage, own) for stage in game.stages) or list(opened) != sorted(
        opened
    ):
        return None
    if not (_all_bets_returnable(game) if game.equals else all(map(_sells_bets, game.stages))):
        return None
    asked = {one.wager: game.hand(one.hand) for one in game.asked}
    if "main" not in asked or asked["main"].places != WHOLE or _survives_fold(game):
        return None
    named = {hand.places: hand for hand in asked.values()}
    if not all(_reads_kind(game, hand) and named[hand.places] == hand for hand in asked.values()):
        return None
    aces = {hand.ranking.ace for hand in named.values() if isinstance(hand.ranking, Kinds)}
    if len(aces) != 1:
        return None
    whole, hole, common = (named[one].name if one in named else "" for one in (WHOLE, OWN, BOARD))
    return Ladder(own, board, aces.pop(), opened, (whole, hole, common))


def _survives_fold(game: Game) -> bool:
    """Whether the main wagers outlive a fold."""
    return any(one.survives for one in game.asked if one.wager == "main")


def _is_open_to_all(stage: Stage, own: int) -> bool:
    """Whether everybody comes to a stage with all own cards."""
    return not stage.once and stage.when is None and stage.opens[0] == own


def _all_bets_returnable(game: Game) -> bool:
    """Whether every bet made along with the main one is taken back or left at a stage of its own.

    Nobody bets or folds besides: then what is left at stake is all that there is to know.
    """
    plays = [play for stage in game.stages for play in stage.plays]
    does_more = any(play.puts or play.folds or play.said or play.needs for play in plays)
    pairs = [sorted(play.takes for play in stage.plays) for stage in game.stages]
    return not does_more and sorted(pairs) == sorted([(), (wager,)] for wager in game.equals)


def _sells_bets(stage: Stage) -> bool:
    """Whether all that one does at a stage is to fold or to bet a multiple."""
    bets = [play for play in stage.plays if not play.folds]
    puts = {one for play in bets for one in play.puts}
    told_apart = len({play.times for play in bets}) == len(bets) > 0
    return told_apart and len(dict(puts)) <= 1 and not any(map(_is_special_play, stage.plays))


def _is_special_play(play: Play) -> bool:
    """Whether a play does more than bet or fold, or asks for a hand."""
    return bool(play.takes or play.said or play.needs or (play.folds and play.puts))


def _reads_kind(game: Game, hand: Hand) -> bool:
    """Whether a hand is read as a kind of all cards of its places, of one deck."""
    cards = sum(game.places[place].cards for place in hand.places)
    ranking = hand.ranking
    return isinstance(ranking, Kinds) and ranking.cards == cards and not ranking.many_decks


Purse = tuple[int, ...]  # Multiples bet on the streets so far, as far as they make a difference.

DEALS = perm(52, CARDS)  # At most, in whatever order the cards come.


@dataclass(frozen=True)
class Terms:
    """A game at one ante, with the side wagers that ride along; caps apply when `capped`."""

    game: Game
    ante: Cents
    capped: bool
    side: Mapping[str, Cents]
    room: int | None = None  # Antes that a player has for all streets together; None is enough.
    without: frozenset[str] = frozenset()  # Plays that the player never makes.

    @property
    def sheet(self) -> Sheet:
        """The rules that the game was compiled from."""
        return self.game.sheet

    @cached_property
    def ladder(self) -> Ladder:
        """The game's measures."""
        found = ladder_of(self.game)
        assert found is not None
        return found

    @property
    def ace(self) -> Ace:
        """GEN-1 as the game has it."""
        return self.ladder.ace

    def showdown_of(self, kind: int | None) -> Showdown:
        """A showdown of which only the whole hand is known, or nothing."""
        before, after = self._unknown
        return (*before, kind, *after)

    @cached_property
    def _unknown(self) -> tuple[Showdown, Showdown]:
        """What is not known of a showdown, before and after the whole hand."""
        names = [hand.name for hand in self.game.hands]
        place = names.index(self.ladder.hands[0])
        return (None,) * place, (None,) * (len(names) - place - 1)

    def read(self, kinds: Sequence[tuple[int, int, int]]) -> tuple[Showdown, ...]:
        """Showdowns by the kinds of all cards, the seat's own and the board.

        Those that every wager in play pays alike come as one and the same.
        """
        at = {name: place for place, name in enumerate(self.ladder.hands)}
        places = [at.get(hand.name) for hand in self.game.hands]
        return tuple(
            self.equivalent(tuple(None if place is None else one[place] for place in places))
            for one in kinds
        )

    def pays(self, wager: str) -> tuple[KindPay, ...]:
        """What each kind is paid on a wager, "main" or a side wager's."""
        tried: tuple[KindPay, ...] | None = self.game.tried
        if wager == "main" and tried is not None:
            return tried
        return pay_by_kind(self.sheet, wager)

    @cached_property
    def affected_side_wagers(self) -> tuple[str, ...]:
        """The side wagers that change what is best: they die with a fold, or share a cap."""
        if not self.side:
            return ()
        survives = {one.wager: one.survives for one in self.game.asked}
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
    def keeps_bets_apart(self) -> bool:
        """Whether it matters on which street a multiple was bet: a cap on single bets says so.

        So do caps on caps that side wagers share: which line a share's last cent goes to matters.
        """
        caps = self.sheet.limits if self.capped else ()
        uneven = len(caps) > 1 or self.sheet.payouts.stake_counted.value
        return any(cap.per == "bet" for cap in caps) or bool(
            caps and self.affected_side_wagers and uneven
        )

    @property
    def purses_at_most(self) -> int:
        """How many final purses there are, without a list of them."""
        if self.keeps_bets_apart:
            return prod(len(bets) for bets in self.bets)
        return sum(max(bets, default=0) for bets in self.bets) + 1

    @property
    def nothing_bet(self) -> Purse:
        """The purse before the first street."""
        return () if self.keeps_bets_apart else (0,)

    @cached_property
    def purses(self) -> tuple[tuple[Purse, ...], ...]:
        """The purses before each street, and after the last."""
        levels: list[tuple[Purse, ...]] = [(self.nothing_bet,)]
        for bets in self.bets:
            pairs = product(levels[-1], bets)
            levels.append(tuple(sorted({self.add(purse, bet) for purse, bet in pairs})))
        return tuple(levels)

    @cached_property
    def plays(self) -> tuple[tuple[Play, ...], ...]:
        """The plays of each street, bets first; at an ante in dollars a maximum counts."""
        return tuple(
            tuple(sorted(self._allowed(number, stage.plays), key=attrgetter("folds")))
            for number, stage in enumerate(self.game.stages)
        )

    def _allowed(self, number: int, plays: Iterable[Play]) -> Iterable[Play]:
        if self.without:
            plays = [one for one in plays if one not in self.without]
        if self.capped:
            seat = Seat(1, "", ((self.sheet.main_id, self.ante),))
            plays = [one for one in plays if not self.game.too_much(seat, number, one)]
        return plays

    @cached_property
    def bets(self) -> tuple[tuple[int, ...], ...]:
        """The antes that each street can add to what is at stake in the end."""
        return tuple(
            tuple(self._adds[street][one] for one in level if not one.folds)
            for street, level in enumerate(self.plays)
        )

    @cached_property
    def _adds(self) -> tuple[dict[Play, int], ...]:
        """By street: what each play bets, or leaves of a bet that lies there already."""
        found = []
        for stage in self.game.stages:
            lies = {wager for play in stage.plays for wager in play.takes}
            found.append({play: play.times + len(lies - {*play.takes}) for play in stage.plays})
        return tuple(found)

    @cached_property
    def result_max(self) -> int:
        """No round wins or loses more cents than this."""
        stakes = {"main": self.ante * self.sheet.units_max, **self.side}
        return sum(
            stake * max([1, *(-(-one.to // one.one) for one in odds if one)])
            for wager, stake in stakes.items()
            for odds in [[pay.odds for pay in self.pays(wager)]]
        )

    @cached_property
    def numbers(self) -> type:
        """Numbers that hold the results of all deals added up: fast ones where they can."""
        return np.int64 if self.result_max * DEALS < 2**63 else object

    def equivalent(self, showdown: Showdown) -> Showdown:
        """A showdown that stands for all which every wager in play pays as it pays this one."""
        pairs = zip(self._stands_for, showdown, strict=True)
        return tuple([of[kind] if of and kind is not None else None for of, kind in pairs])

    @property
    def hands_alike(self) -> tuple[int, ...]:
        """For every kind of whole hand the first that every wager in play pays as it."""
        before, _ = self._unknown
        return self._stands_for[len(before)]

    @cached_property
    def _stands_for(self) -> tuple[tuple[int, ...], ...]:
        """For every hand of the game: the first kind that is paid as each kind is, by one line."""
        found = []
        in_play = [one for one in self.game.asked if one.wager in ("main", *self.side)]
        for hand in self.game.hands:
            tables = [self.pays(one.wager) for one in in_play if one.hand == hand.name]
            lines = zip(*([id(pay) for pay in table] for table in tables), strict=True)
            first: dict[tuple[int, ...], int] = {}
            found.append(tuple([first.setdefault(one, kind) for kind, one in enumerate(lines)]))
        return tuple(found)

    def purse_after(self, street: int, purse: Purse, play: Play) -> Purse:
        """The purse after a play that is no fold."""
        return self.add(purse, self._adds[street][play])

    def add(self, purse: Purse, bet: int) -> Purse:
        """The purse after one more bet."""
        return (*purse, bet) if self.keeps_bets_apart else (purse[0] + bet,)

    def affordable_plays(self, street: int, purse: Purse) -> tuple[Play, ...]:
        """The plays that the player's room pays for; the smallest where nobody may fold."""
        plays = self.plays[street]
        if self.room is None or self.game.equals:  # What was placed before the deal is paid for.
            return plays
        left = self.room - sum(purse)
        return tuple(one for one in plays if one.folds or one.times <= left) or plays[:1]

    def units(self, purse: Purse) -> int:
        """Antes at stake on the main game."""
        return 1 + sum(purse)

    def lines(self, purse: Purse, showdown: Showdown) -> tuple[Line, ...]:
        """Every wager's line at a showdown, after caps."""
        return self._settle(self._seat(purse, folded=False), showdown)

    def fold_lines(self, purse: Purse, showdown: Showdown) -> tuple[Line, ...]:
        """Every wager's line after a fold; side wagers that stay in action are priced."""
        return self._settle(self._seat(purse, folded=True), showdown)

    def _seat(self, purse: Purse, *, folded: bool) -> Seat:
        return Seat(1, "", self._bets(purse), tuple(self.side.items()), folded=folded)

    def _settle(self, seat: Seat, showdown: Showdown) -> tuple[Line, ...]:
        settlement = Settlement(1, self.game.price(showdown, seat))
        if self.capped:
            (settlement,), _ = apply_limits(self.sheet, [settlement])
        return settlement.lines

    def _bets(self, purse: Purse) -> tuple[tuple[str, Cents], ...]:
        """Main wagers with that many antes; where only their sum matters, on the first one put."""
        wagers = self._wagers if self.keeps_bets_apart else filter(None, self._wagers)
        made = [(self.sheet.main_id, self.ante)]
        for wager, bet in zip(wagers, purse, strict=False):
            if bet:
                made.append((wager, Cents(bet * self.ante)))
        return tuple(made)

    @cached_property
    def _wagers(self) -> tuple[str, ...]:
        """The wager that each street's bets are put on, or lie on already; "" where none may be."""
        plays = [one.plays for one in self.game.stages]
        put = [
            {wager for play in one for wager in (*dict(play.puts), *play.takes)} for one in plays
        ]
        return tuple("".join(wagers) for wagers in put)


def net_cents(lines: tuple[Line, ...]) -> int:
    """What lines come to, in cents."""
    return sum([line.net for line in lines])
