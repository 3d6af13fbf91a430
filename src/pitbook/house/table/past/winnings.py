"""What a table has won from its players, computed from its facts instead of its accounts."""

from __future__ import annotations

from typing import NamedTuple

from pitbook.house.table.acts.taken_back import short_at
from pitbook.house.table.facts import Acted, Fact, Json, Settled, TakenBack
from pitbook.house.table.model import TableState
from pitbook.money import dollars
from pitbook.rules.actions import Settle

__all__ = ["Winnings"]


class Winnings(NamedTuple):
    """A table's rounds and its win in cents."""

    rounds: int = 0
    won: int = 0
    void: int = 0
    void_returned: int = 0
    settling: bool = False  # Some hands of the open round are settled, others are not.

    def after(self, fact: Fact) -> Winnings:
        """The winnings after another fact of the table."""
        if isinstance(fact, Settled):
            return self._after_round(fact.report)
        if isinstance(fact, TakenBack):
            return self._replace(won=self.won - short_at(fact))
        if isinstance(fact, Acted) and isinstance(fact.action, Settle) and fact.action.at_once:
            return self._replace(settling=True)
        return self

    def with_open_hands(self, table: TableState) -> Winnings:
        """The winnings including settled hands of a round that is still open."""
        if not self.settling or table.round is None:
            return self
        return self._replace(won=self.won - sum(line.net for _, line in table.round.results))

    def _after_round(self, report: Json) -> Winnings:
        lines = (line for seat in report["seats"] for line in seat["lines"])
        returned = sum(dollars(line["stake"]) for line in lines if line["result"] == "void")
        return Winnings(
            rounds=self.rounds + 1,
            won=self.won + _signed(report["house_net"]),
            void=self.void + (report["result"] != "settled"),
            void_returned=self.void_returned + returned,
        )


def _signed(text: str) -> int:
    amount = dollars(text.removeprefix("-"))
    return -amount if text.startswith("-") else amount
