"""Unit of work of one command: the facts and transfers that it collects."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from pitbook.house.ledger.fact_codec import Fact
from pitbook.house.table import facts
from pitbook.house.table.apply_facts import apply, with_action
from pitbook.house.table.environment import TableEnv
from pitbook.house.table.facts import ABOVE_RACK
from pitbook.house.table.situation import Situation
from pitbook.house.table.state import TableState
from pitbook.house.table.transfers import (
    Reversal,
    reversal_event,
    transfers_for_step,
)
from pitbook.rules.actions import Action, Deal, Turn
from pitbook.rules.refusals import Code, Refusal, refuse
from pitbook.rules.round import Round
from pitbook.rules.round_progress import refuse_too_soon
from pitbook.rules.step import step

CARD_ACTIONS = (Deal, Turn)  # They move no money.


@dataclass
class UnitOfWork(Situation):
    """The state as it will be after the command; the original state never changes."""

    env: TableEnv
    facts: list[Fact] = field(default_factory=list)
    after: list[TableState] = field(default_factory=list)  # The state after each fact.

    def emit(self, fact: Fact) -> None:
        """Record a fact."""
        self._emit(fact, apply(self.state, fact))

    def _emit(self, fact: Fact, after: TableState) -> None:
        self.facts.append(fact)
        self.after.append(after)
        self.state = after

    def apply_action(self, action: Action) -> Refusal | None:
        """Apply an action to the round and book its transfers, or return a refusal."""
        if self.state.round is None:
            return refuse(Code.NOT_NOW, "table.desk.no-round")
        before = self.state.round
        after = refuse_too_soon(before, action) or step(before, action)
        if isinstance(after, Refusal):
            return after
        reversals = [] if type(action) in CARD_ACTIONS else self.book_transfers(before, after)
        if isinstance(reversals, Refusal):
            return reversals
        self._emit(facts.Acted(action), with_action(self.state, action, after))
        self.emit_reversal(reversals)
        return None

    def book_transfers(self, before: Round, after: Round) -> list[Reversal] | Refusal:
        """Book a step's transfers and return the reversed lines, or a refusal."""
        transfers, reversals = transfers_for_step(
            self.accounts,
            self.state.round_id,
            before,
            after,
            rack=self.state.rack,
            balance_of=self.available,
        )
        if transfers and (refusal := self.check_covered(transfers)) is not None:
            return refusal
        for transfer in transfers:
            if transfer.why == ABOVE_RACK:
                self.emit(facts.Fill(transfer.amount, ABOVE_RACK))
        self.transfers += transfers
        return reversals

    def emit_reversal(self, reversals: list[Reversal]) -> None:
        """Record reversed lines, if any."""
        if reversals:
            resettle = self.round.phase != "over"
            self.emit(reversal_event(self.state.round_id, reversals, resettle=resettle))

    def apply_all(self, actions: Iterable[Action]) -> Refusal | None:
        """Apply several actions; stops at the first refusal."""
        for action in actions:
            if (refusal := self.apply_action(action)) is not None:
                return refusal
        return None

    def apply_forced(self, action: Action) -> None:
        """Apply an action that the rules require, which must succeed."""
        refusal = self.apply_action(action)
        assert refusal is None, f"{action}: {refusal}"

    def time_in(self, seconds: int) -> datetime:
        """The time so many seconds from now."""
        return self.env.now() + timedelta(seconds=seconds)
