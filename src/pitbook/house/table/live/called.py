"""Before a clock speaks for anybody that player is called: silence shows on the page first."""

from __future__ import annotations

import time

from pitbook.house.table.model import TableState
from pitbook.house.table.seen.subscribers import Subscribers

__all__ = ["LastCall", "meant"]

WAIT_SECONDS = 5.0  # By then either side of a line that is silent has noticed.


class LastCall:
    """One call to those for whom a clock would speak; whoever answers is waited for no longer."""

    def __init__(self, subscribers: Subscribers) -> None:
        self._subscribers = subscribers
        self._at: float | None = None

    def waits(self, state: TableState) -> bool:
        """Whether a line has not answered yet, and may still be found to be lost."""
        players, now = meant(state), time.monotonic()
        if self._at is None:
            self._at = now
            self._subscribers.call(players)
        if now - self._at < WAIT_SECONDS and self._subscribers.silent(players, self._at):
            return True
        self.end()
        return False

    def end(self) -> None:
        """The next clock calls anew."""
        self._at = None


def meant(state: TableState) -> set[str]:
    """The players for whom the clocks that run would speak."""
    if state.awaiting:
        return {player for player, answer in state.awaiting.items() if answer is None}
    if state.round is None or state.round.phase == "wagers":
        return set(state.seats.values())
    waiting = state.round.waiting
    return {seat.player for seat in state.round.seats if seat.number in waiting}
