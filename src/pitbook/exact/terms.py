"""What a street-stud hand comes to for every way it is bet, asked of the table's own pricing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import lcm

from pitbook.engine.game import Seat
from pitbook.engine.limits import limits
from pitbook.engine.settlement import Line, Settlement
from pitbook.games.street_stud import Showdown, StreetStudGame
from pitbook.money import Cents, Odds
from pitbook.sheets.families import Sheet
from pitbook.sheets.pays import all_pay_tables
from pitbook.sheets.street_stud import StreetStud

Purse = tuple[int, ...]  # Multiples bet on the streets so far, as far as they make a difference.


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

    @cached_property
    def game(self) -> StreetStudGame:
        """The sheet bound to its rules."""
        return StreetStudGame(self.sheet)

    @cached_property
    def keeps_bets_apart(self) -> bool:
        """Whether it matters on which street a multiple was bet: a cap on single bets says so."""
        return self.capped and any(limit.per == "bet" for limit in self.sheet.limits)

    @cached_property
    def purses(self) -> tuple[tuple[Purse, ...], ...]:
        """The purses before each street, and after the last."""
        levels: list[tuple[Purse, ...]] = [((),) if self.keeps_bets_apart else ((0,),)]
        for street in self.sheet.streets:
            pairs = product(levels[-1], street.bets)
            levels.append(tuple(sorted({self.add(purse, bet) for purse, bet in pairs})))
        return tuple(levels)

    def add(self, purse: Purse, bet: int) -> Purse:
        """The purse after one more bet."""
        return (*purse, bet) if self.keeps_bets_apart else (purse[0] + bet,)

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
