"""What a street-stud hand comes to for every way it is bet, asked of the table's own pricing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import lcm, perm, prod

import numpy as np

from pitbook.families.street_stud.compile import Showdown, StreetStudGame
from pitbook.families.street_stud.sheet import StreetStud
from pitbook.game.description import Seat
from pitbook.game.limits import limits
from pitbook.game.pricing import Pay, pay_by_kind
from pitbook.game.settlement import Line, Settlement
from pitbook.money import Cents, Odds
from pitbook.sheets.limits import falls_under
from pitbook.sheets.model import Sheet
from pitbook.sheets.pays import all_pay_tables, pays_of, settles_after_fold

Purse = tuple[int, ...]  # Multiples bet on the streets so far, as far as they make a difference.

KINDS_MAX = 100  # More than any number of cards has.
DEALS = perm(52, 5)  # At most, in whatever order the cards come.


def exact_ante(sheet: Sheet) -> Cents:
    """A stake on which every line of the sheet's pay tables comes to whole cents."""
    pays = [pay for table in all_pay_tables(sheet).values() for pay in table.values()]
    return Cents(100 * lcm(1, *(pay.one for pay in pays if isinstance(pay, Odds))))


@dataclass(frozen=True)
class Terms:
    """A sheet at one ante, with the side wagers that ride along; caps apply when `capped`."""

    sheet: StreetStud
    ante: Cents
    capped: bool
    side: Mapping[str, Cents]
    main_pays: tuple[Pay, ...] | None = None  # By kind, where others than the sheet's are tried.
    room: int | None = None  # Antes that a player has for all streets together; None is enough.

    @cached_property
    def game(self) -> StreetStudGame:
        """The sheet bound to its rules, with the side wagers that ride along and no others."""
        side = {wager: self.sheet.side[wager] for wager in self.side}
        return StreetStudGame(self.sheet.model_copy(update={"side": side}), self.main_pays)

    def pays(self, wager: str) -> tuple[Pay, ...]:
        """What each kind is paid on a wager, "main" or a side wager's."""
        if wager == "main" and self.main_pays is not None:
            return self.main_pays
        return pay_by_kind(self.sheet, wager)

    @cached_property
    def touched(self) -> tuple[str, ...]:
        """The side wagers that change what is best: they die with a fold, or share a cap."""
        return tuple(
            wager
            for wager in self.side
            if not settles_after_fold(self.sheet.side[wager]) or self._shares_a_cap(wager)
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
        return any(cap.per == "bet" for cap in caps) or bool(caps and self.touched and uneven)

    @property
    def purses_at_most(self) -> int:
        """How many final purses there are, without a list of them."""
        if self.keeps_bets_apart:
            return prod(len(bets) for bets in self.bets)
        return sum(max(bets, default=0) for bets in self.bets) + 1

    @cached_property
    def purses(self) -> tuple[tuple[Purse, ...], ...]:
        """The purses before each street, and after the last."""
        levels: list[tuple[Purse, ...]] = [((),) if self.keeps_bets_apart else ((0,),)]
        for bets in self.bets:
            pairs = product(levels[-1], bets)
            levels.append(tuple(sorted({self.add(purse, bet) for purse, bet in pairs})))
        return tuple(levels)

    @cached_property
    def bets(self) -> tuple[tuple[int, ...], ...]:
        """The multiples that may be bet on each street; at an ante in dollars a maximum counts."""
        if not self.capped:
            return tuple(street.bets for street in self.sheet.streets)
        seat = Seat(1, "", (("ante", self.ante),))
        return tuple(
            tuple(
                play.times
                for play in stage.plays
                if not play.folds and not self.game.too_much(seat, number, play)
            )
            for number, stage in enumerate(self.game.stages)
        )

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

    def alike(self, showdown: Showdown) -> Showdown:
        """A showdown that stands for all which every wager in play pays as it pays this one."""
        stands = self._stands_for
        return Showdown(*(of[kind or 0] for of, kind in zip(stands, showdown, strict=True)))

    @cached_property
    def _stands_for(self) -> tuple[tuple[int, ...], ...]:
        """For hands, hole cards and boards: the first kind that is paid as each kind is."""
        found = []
        for looks_at in Showdown._fields:
            wagers = [one for one in self.side if self.sheet.side[one].looks_at == looks_at]
            wagers = ["main", *wagers] if looks_at == "hand" else wagers
            tables = [self.pays(wager) for wager in wagers]
            pays = list(zip(*tables, strict=True)) or [()] * KINDS_MAX
            first = {pay: kind for kind, pay in reversed(list(enumerate(pays)))}
            found.append(tuple(first[pay] for pay in pays))
        return tuple(found)

    def add(self, purse: Purse, bet: int) -> Purse:
        """The purse after one more bet."""
        return (*purse, bet) if self.keeps_bets_apart else (purse[0] + bet,)

    def paid(self, street: int, purse: Purse) -> tuple[int, ...]:
        """The multiples that the player's room pays for; the smallest where nobody may fold."""
        bets = self.bets[street]
        if self.room is None:
            return bets
        left = self.room - sum(purse)
        paid = tuple(bet for bet in bets if bet <= left)
        return paid if paid or self.sheet.streets[street].fold else bets[:1]

    def units(self, purse: Purse) -> int:
        """Antes at stake on the main game."""
        return 1 + sum(purse)

    def lines(self, purse: Purse, showdown: Showdown) -> tuple[Line, ...]:
        """Every wager's line at a showdown, after caps."""
        seat = Seat(1, "", self._bets(purse), tuple(self.side.items()))
        return self._settled(Settlement(1, self.game.price(showdown, seat)))

    def folded(self, purse: Purse, showdown: Showdown) -> tuple[Line, ...]:
        """Every wager's line after a fold; side wagers that stay in action are priced."""
        seat = Seat(1, "", self._bets(purse), tuple(self.side.items()), folded=True)
        return self._settled(Settlement(1, self.game.price(showdown, seat)))

    def _settled(self, settlement: Settlement) -> tuple[Line, ...]:
        if self.capped:
            (settlement,), _ = limits(self.sheet, [settlement])
        return settlement.lines

    def _bets(self, purse: Purse) -> tuple[tuple[str, Cents], ...]:
        """Main wagers with that many antes; where only their sum matters, on the first street."""
        made = [("ante", self.ante)]
        for street, bet in zip(self.sheet.streets, purse, strict=False):
            if bet:
                made.append((street.id, Cents(bet * self.ante)))
        return tuple(made)


def net(lines: tuple[Line, ...]) -> int:
    """What lines come to, in cents."""
    return Settlement(1, lines).net
