"""Compiled games, cached by sheet, and stakes at which no payout is rounded."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache, wraps
from math import lcm
from typing import TypeVar

from pitbook.money import Cents, Odds
from pitbook.rules.game import Game, compile_game
from pitbook.sheets.model import Sheet
from pitbook.sheets.pay_tables import all_pay_tables

GAMES_MAX = 64

Of = TypeVar("Of")
Found = TypeVar("Found")


def cache_by_identity(find: Callable[[Of], Found]) -> Callable[[Of], Found]:
    """What is found out about something, once; told apart by being the same one, at no cost."""
    kept: dict[int, tuple[Of, Found]] = {}  # What is held here has its place to itself.

    @wraps(find)
    def found(of: Of) -> Found:
        known = kept.get(id(of))
        if known is None:
            if len(kept) >= GAMES_MAX:
                kept.clear()
            known = kept[id(of)] = of, find(of)
        return known[1]

    return found


@lru_cache(maxsize=GAMES_MAX)
def cached_game(sheet: Sheet) -> Game:
    """The sheet with its family's rules."""
    return compile_game(sheet)


def exact_ante(sheet: Sheet) -> Cents:
    """A stake on which every line of the sheet's pay tables comes to whole cents."""
    pays = [pay for table in all_pay_tables(sheet).values() for pay in table.values()]
    return Cents(100 * lcm(1, *(pay.one for pay in pays if isinstance(pay, Odds))))


def exact_stake(game: Game) -> Cents:
    """The same for a game, whose pays may be others than its sheet's."""
    tried = (pay.odds.one for pay in game.tried or () if pay.odds)
    return Cents(lcm(exact_ante(game.sheet), *(100 * one for one in tried)))


def main_and_side_stakes(
    game: Game, ante: Cents | None, side: Mapping[str, Cents]
) -> tuple[Cents, dict[str, Cents]]:
    """The main stake and the side stakes that ride along.

    Without an ante, side stakes are given beside one dollar and ride along in that proportion.
    """
    stake = ante or exact_stake(game)
    scale = 1 if ante is not None else stake // 100
    return stake, {name: Cents(one * scale) for name, one in side.items()}
