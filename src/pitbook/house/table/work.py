"""Unit of work of one command: the facts and transfers that it collects, and dry runs."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cached_property
from typing import ClassVar

from pitbook.house.ledger.accounts import Transfer
from pitbook.house.ledger.codec import Fact
from pitbook.house.table import facts
from pitbook.house.table.apply_facts import apply, with_action
from pitbook.house.table.env import TableEnv
from pitbook.house.table.facts import ABOVE_RACK
from pitbook.house.table.state import TableState
from pitbook.house.table.transfers import (
    Reversal,
    TableAccounts,
    lowest_balance,
    net_change,
    reversal_event,
    seat_stake_transfers,
    table_accounts,
    transfers_for_step,
)
from pitbook.money import Cents
from pitbook.rules.actions import Action, Deal, Decide, Turn, Wager, Withdraw
from pitbook.rules.refusals import Code, Refusal, refuse
from pitbook.rules.round import Round, refuse_too_soon
from pitbook.rules.step import playable_plays, step

CARD_ACTIONS = (Deal, Turn)  # They move no money.


@dataclass
class UnitOfWork:
    """The state as it will be after the command; the original state never changes."""

    state: TableState
    env: TableEnv
    dry_run: ClassVar[bool] = False  # Only checks: no cards are dealt.
    facts: list[Fact] = field(default_factory=list)
    transfers: list[Transfer] = field(default_factory=list)
    after: list[TableState] = field(default_factory=list)  # The state after each fact.

    @cached_property
    def accounts(self) -> TableAccounts:
        """The table's accounts."""
        return table_accounts(self.state)

    @property
    def round(self) -> Round:
        """The round on the layout."""
        assert self.state.round is not None
        return self.state.round

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

    def available(self, player: str) -> Cents:
        """A player's balance, including this command's transfers."""
        pending_change = net_change(self.accounts.wallet(player), self.transfers)
        return Cents(self.env.wallet(player) + pending_change)

    def can_pay(self, player: str, amount: int) -> bool:
        """Whether a player's balance covers an amount, including this command's transfers."""
        pending_change = (
            net_change(self.accounts.wallet(player), self.transfers) if self.transfers else 0
        )
        return self.env.can_pay(player, amount - pending_change)

    def time_in(self, seconds: int) -> datetime:
        """The time so many seconds from now."""
        return self.env.now() + timedelta(seconds=seconds)

    def check_covered(self, transfers: list[Transfer]) -> Refusal | None:
        """The refusal if a player cannot pay these transfers in order."""
        payers = [transfer.debit for transfer in transfers if transfer.debit.kind == "wallet"]
        for wallet in payers:
            needed = Cents(-lowest_balance(wallet, 0, transfers))
            if (
                refusal := self.check_balance(self.accounts.wallet_owner(wallet), needed)
            ) is not None:
                return refusal
        return None

    def check_balance(self, player: str, needed: Cents) -> Refusal | None:
        """The refusal if a player cannot pay an amount."""
        if self.can_pay(player, needed):
            return None
        left = self.available(player)
        key = "table.desk.not-covered"
        return refuse(Code.NOT_COVERED, key, player=player, left=left, needed=needed)


PlayCheck = Callable[[str], Refusal | None]

# The only checked actions that move a player's chips.
CHIP_ACTIONS = Wager, Withdraw


class DryRun(UnitOfWork):
    """A dry run; keeps only the state that later checks of the same run depend on."""

    dry_run: ClassVar[bool] = True

    def apply_action(self, action: Action) -> Refusal | None:
        """The refusal of an action, or None."""
        round = self.state.round
        if round is None:
            return super().apply_action(action)
        if isinstance(action, Decide):
            return self._decide(round, action)
        after = refuse_too_soon(round, action) or step(round, action)
        if isinstance(after, Refusal):
            return after
        if isinstance(action, CHIP_ACTIONS):
            seat_before, seat_after = round.seat(action.seat), after.seat(action.seat)
            transfers = list(seat_stake_transfers(self.accounts, "", seat_before, seat_after))
            if (refusal := self.check_covered(transfers)) is not None:
                return refusal
            self.transfers += transfers
        self.state = self.state._replace(round=after)
        return None

    def play_check(self, seat: int) -> PlayCheck:
        """A function that returns the refusal of a seat's plays, by name."""
        return lambda play: self.apply_action(Decide(seat, play))

    def _decide(self, round: Round, action: Decide) -> Refusal | None:
        """The refusal of a play; ignores its consequences."""
        playable = refuse_too_soon(round, action) or playable_plays(round, action)
        if isinstance(playable, Refusal):
            return playable
        seat, play = playable
        if not play.takes:
            cost = seat.cost(play)
            return self.check_balance(seat.player, cost) if cost else None
        transfers: list[Transfer] = list(
            seat_stake_transfers(self.accounts, "", seat, seat.after_play(play))
        )
        return self.check_covered(transfers)
