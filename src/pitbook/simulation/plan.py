"""What to simulate: a sheet, stakes, seats, a strategy and a seed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pitbook.errors import PitbookError
from pitbook.exact.spots import Spot, check_stakes
from pitbook.money import Cents, money
from pitbook.rules.game import Game, Seat, compile_game
from pitbook.sheets.hashes import digest
from pitbook.sheets.model import Sheet
from pitbook.sheets.phrases import simulation_shoe_note
from pitbook.simulation.dealing import SEED_MAX, DealShape, shape_of
from pitbook.simulation.strategy import Strategy, strategy_of
from pitbook.text import say


class SimulationError(PitbookError):
    """A simulation that cannot run; the message gives the reason."""


@dataclass(frozen=True)
class Plan:
    """What to simulate; every seat bets and plays the same way."""

    sheet: Sheet
    ante: Cents
    side: tuple[tuple[str, Cents], ...]
    seats: int
    strategy: Strategy
    seed: int

    @cached_property
    def game(self) -> Game:
        """The sheet's compiled game."""
        return compile_game(self.sheet)

    @property
    def shape(self) -> DealShape:
        """The shape of the deal."""
        return shape_of(self.game, self.seats)

    @cached_property
    def seat(self) -> Seat:
        """A seat with its wagers, before any card."""
        main = tuple((wager, self.ante) for wager in (self.game.main[0], *self.game.equals))
        return Seat(1, "", main, self.side)

    def document(self) -> dict[str, Any]:
        """The plan as JSON."""
        return {
            "sheet": self.sheet.id,
            "hash": digest(self.sheet),
            "ante": money(self.ante),
            "side": {wager: money(stake) for wager, stake in self.side},
            "seats": self.seats,
            "strategy": self.strategy.name,
            "mistakes": str(self.strategy.mistakes),
            "seed": self.seed,
            **({} if (shoe := simulation_shoe_note(self.sheet)) is None else {"shoe": shoe}),
        }


def plan(
    sheet: Sheet,
    *,
    ante: Cents | None = None,
    side: Mapping[str, Cents] | None = None,
    seats: int = 1,
    strategy: str = "best",
    seed: int = 0,
) -> Plan:
    """A plan that the table accepts; raises SimulationError otherwise.

    The default ante is the minimum, and so is the stake of a required side wager.
    """
    if not 1 <= seats <= sheet.seats.count:
        raise SimulationError(say("exact.seats", most=sheet.seats.count, given=seats))
    if not 0 <= seed <= SEED_MAX:
        raise SimulationError(say("simulate.seed", most=SEED_MAX, given=seed))
    stake = sheet.main_wager.min if ante is None else ante
    check_stakes(sheet, Spot((), ante=stake, side=side or {}))
    side_stakes = dict(side or {})
    for wager, rule in sheet.side.items():
        if rule.stake.required:
            side_stakes.setdefault(wager, rule.stake.min)
    ordered = tuple((wager, side_stakes[wager]) for wager in sheet.side if wager in side_stakes)
    return Plan(
        sheet, stake, ordered, seats, strategy_of(compile_game(sheet), strategy, stake), seed
    )
