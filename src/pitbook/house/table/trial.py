"""A desk where it is only asked whether: nothing is dealt, and what is refused is all that counts.

The rules are those of `Desk`, for they are the engine's and the acts'; what a step would write is
left out. `tests/house/table/test_offers.py` holds every answer against the whole way.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from pitbook.house.ledger.accounts import Transfer
from pitbook.house.table.acts.bank import staked_at
from pitbook.house.table.desk import Desk
from pitbook.rules.actions import Action, Decide, Wager, Withdraw
from pitbook.rules.flow import refuse_too_soon
from pitbook.rules.refusals import Refusal
from pitbook.rules.round import Round
from pitbook.rules.step import playable_plays, step

__all__ = ["Trial", "WhyNotPlay"]

WhyNotPlay = Callable[[str], Refusal | None]

CHIPS = (Wager, Withdraw)  # Of actions on trial they alone take chips from a player, or give back.


class Trial(Desk):
    """A table's state as far as another question of the same trial may hang on it."""

    trial: ClassVar[bool] = True

    def act(self, action: Action) -> Refusal | None:
        """Why the round would not go one step on."""
        round = self.state.round
        if round is None:
            return super().act(action)
        if isinstance(action, Decide):
            return self._decide(round, action)
        after = refuse_too_soon(round, action) or step(round, action)
        if isinstance(after, Refusal):
            return after
        if isinstance(action, CHIPS):
            was, now = round.seat(action.seat), after.seat(action.seat)
            transfers = list(staked_at(self.till, "", was, now))
            if (refusal := self.not_covered(transfers)) is not None:
                return refusal
            self.transfers += transfers
        self.state = self.state._replace(round=after)
        return None

    def why_not_play(self, seat: int) -> WhyNotPlay:
        """Why a seat's plays would be refused, by name."""
        return lambda play: self.act(Decide(seat, play))

    def _decide(self, round: Round, action: Decide) -> Refusal | None:
        """Why a play would not be made; what follows from it is nobody's question."""
        found = refuse_too_soon(round, action) or playable_plays(round, action)
        if isinstance(found, Refusal):
            return found
        seat, play = found
        if not play.takes:
            cost = seat.cost(play)
            return self.too_dear(seat.player, cost) if cost else None
        transfers: list[Transfer] = list(staked_at(self.till, "", seat, seat.made(play)))
        return self.not_covered(transfers)
