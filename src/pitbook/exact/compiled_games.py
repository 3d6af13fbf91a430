"""A cache for what is computed from a compiled game, and stakes that pay whole cents."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from math import lcm
from typing import TypeVar

from pitbook.money import Cents, Odds
from pitbook.rules.game import Game
from pitbook.sheets.model import Sheet
from pitbook.sheets.pay_tables import all_pay_tables

GAMES_MAX = 64

Key = TypeVar("Key")
Result = TypeVar("Result")


def cache_by_identity(compute: Callable[[Key], Result]) -> Callable[[Key], Result]:
    """Cache a function's result by the identity of its argument."""
    # Keeping the key alive keeps its id from being reused.
    results: dict[int, tuple[Key, Result]] = {}

    @wraps(compute)
    def lookup(key: Key) -> Result:
        pair = results.get(id(key))
        if pair is None:
            if len(results) >= GAMES_MAX:
                results.clear()
            pair = results[id(key)] = key, compute(key)
        return pair[1]

    return lookup


def exact_ante(sheet: Sheet) -> Cents:
    """A stake at which every line of the sheet's pay tables pays whole cents."""
    pays = [pay for table in all_pay_tables(sheet).values() for pay in table.values()]
    return Cents(100 * lcm(1, *(pay.one for pay in pays if isinstance(pay, Odds))))


def exact_stake(game: Game) -> Cents:
    """The same for a game, whose pays may differ from its sheet's."""
    pays = (pay.odds.one for pay in game.trial_pays or () if pay.odds)
    return Cents(lcm(exact_ante(game.sheet), *(100 * unit for unit in pays)))


def main_and_side_stakes(
    game: Game, ante: Cents | None, side: Mapping[str, Cents]
) -> tuple[Cents, dict[str, Cents]]:
    """The main stake and the side stakes.

    Without an ante, side stakes are for a main wager of one dollar and are scaled in proportion.
    """
    stake = ante or exact_stake(game)
    scale = 1 if ante is not None else stake // 100
    return stake, {name: Cents(amount * scale) for name, amount in side.items()}
