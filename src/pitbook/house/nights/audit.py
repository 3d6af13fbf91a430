"""Audit of the stream of a night: recompute its transfers and its closing."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from pitbook.house.ledger.accounts import Account, Transfer, balance_changes
from pitbook.house.ledger.hash_chain import Entry
from pitbook.house.ledger.stream_kinds import AuditReplay, diff_transfers
from pitbook.house.nights.decide import is_consistent_close
from pitbook.house.nights.facts import name
from pitbook.house.nights.money_totals import checks, figures
from pitbook.house.nights.state import NightState, apply, facts_in
from pitbook.house.nights.transfers import is_consistent, transfers_for
from pitbook.house.table.audit import TableAudit, Winnings
from pitbook.house.table.stream_names import TABLE
from pitbook.text import say


class NightAudit:
    """Audit replay of a night's stream."""

    def __init__(self) -> None:
        self.state = NightState()
        self._holds: dict[Account, int] = defaultdict(int)

    def check_entry(self, entry: Entry) -> Iterator[str]:
        """Yield what in an entry does not follow from the earlier entries."""
        expected_transfers: list[Transfer] = []
        for fact in facts_in(entry):
            if not is_consistent(self.state, fact) or not is_consistent_close(
                self.state, fact, self._holds
            ):
                yield say("ledger.followed.other-fact", fact=name(fact))
            moves = transfers_for(self.state, fact)
            for account, change in (
                balance_change for transfer in moves for balance_change in balance_changes(transfer)
            ):
                self._holds[account] += change
            expected_transfers += moves
            self.state = apply(self.state, fact)
        yield from diff_transfers(entry.transfers, expected_transfers)

    def is_snapshot_of(self, document: object) -> bool:
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
            check.message()
            for check in checks(self.state, night_figures, balances)
            if check.discrepancy
        )


def _winnings(table: AuditReplay | None) -> Winnings:
    """A table's results, or zeros if the table was set up but never opened."""
    if not isinstance(table, TableAudit):
        return Winnings()
    return table.winnings.with_open_hands(table.state)
