"""Audit of the stream of a night: recompute its transfers and its closing."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from pitbook.house.ledger.accounts import Account, Transfer, changes
from pitbook.house.ledger.chain import Entry
from pitbook.house.ledger.stream_kinds import AuditReplay, diff_transfers
from pitbook.house.nights.chips import checks, figures
from pitbook.house.nights.decide import could_close
from pitbook.house.nights.facts import name
from pitbook.house.nights.state import NightState, evolve, told_in
from pitbook.house.nights.transfers import could_be, moved
from pitbook.house.table.audit import TableAudit, Winnings
from pitbook.house.table.streams import TABLE
from pitbook.text import say


class NightFollowed:
    """A night gone over again, fact by fact."""

    def __init__(self) -> None:
        self.state = NightState()
        self._holds: dict[Account, int] = defaultdict(int)

    def follow(self, entry: Entry) -> Iterator[str]:
        """What of an entry does not follow from what came before it."""
        made: list[Transfer] = []
        for fact in told_in(entry):
            if not could_be(self.state, fact) or not could_close(self.state, fact, self._holds):
                yield say("ledger.followed.other-fact", fact=name(fact))
            moves = moved(self.state, fact)
            for account, change in (one for transfer in moves for one in changes(transfer)):
                self._holds[account] += change
            made += moves
            self.state = evolve(self.state, fact)
        yield from diff_transfers(entry.transfers, made)

    def is_kept(self, document: object) -> bool:
        """A night keeps no state."""
        return False

    def reconcile(
        self, streams: Mapping[str, AuditReplay], balances: Mapping[Account, int]
    ) -> Iterator[str]:
        """Yield every figure on which the night's facts and its accounts disagree."""
        if self.state.phase == "none":  # Claimed by a process that stopped before it wrote.
            return
        won = {table: _winnings(streams.get(f"{TABLE}{table}")) for table in self.state.tables}
        night_figures = figures(self.state, won)
        yield from (
            check.told() for check in checks(self.state, night_figures, balances) if check.off
        )


def _winnings(table: AuditReplay | None) -> Winnings:
    """What a table has won; nothing if it was set up but never opened."""
    if not isinstance(table, TableAudit):
        return Winnings()
    return table.winnings.with_open_hands(table.state)
