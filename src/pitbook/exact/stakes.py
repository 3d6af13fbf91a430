"""Stakes on which nothing is rounded, so that a sheet has figures without an amount in dollars."""

from __future__ import annotations

from collections.abc import Mapping
from math import lcm

from pitbook.money import Cents, Odds
from pitbook.rules.game import Game
from pitbook.sheets.model import Sheet
from pitbook.sheets.pays import all_pay_tables

__all__ = ["beside_one_dollar", "exact_ante", "exact_stake"]


def exact_ante(sheet: Sheet) -> Cents:
    """A stake on which every line of the sheet's pay tables comes to whole cents."""
    pays = [pay for table in all_pay_tables(sheet).values() for pay in table.values()]
    return Cents(100 * lcm(1, *(pay.one for pay in pays if isinstance(pay, Odds))))


def exact_stake(game: Game) -> Cents:
    """The same for a game, whose pays may be others than its sheet's."""
    tried = (pay.odds.one for pay in game.tried or () if pay.odds)
    return Cents(lcm(exact_ante(game.sheet), *(100 * one for one in tried)))


def beside_one_dollar(
    game: Game, ante: Cents | None, side: Mapping[str, Cents]
) -> tuple[Cents, dict[str, Cents]]:
    """The main stake and the side stakes that ride along.

    Without an ante, side stakes are given beside one dollar and ride along in that proportion.
    """
    stake = ante or exact_stake(game)
    scale = 1 if ante is not None else stake // 100
    return stake, {name: Cents(one * scale) for name, one in side.items()}
