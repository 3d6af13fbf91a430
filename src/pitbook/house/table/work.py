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
from pitbook.house.table.env import TableEnv
from pitbook.house.table.facts import ABOVE_RACK
from pitbook.house.table.payouts import (
    Reversal,
    TableAccounts,
    lowest_balance,
    net_change,
    reversal_event,
    seat_stake_transfers,
    table_accounts,
    transfers_for_step,
)
from pitbook.house.table.state import TableState, apply, with_action
from pitbook.money import Cents
from pitbook.rules.actions import Action, Deal, Decide, Turn, Wager, Withdraw
from pitbook.rules.flow import refuse_too_soon
from pitbook.rules.refusals import Code, Refusal, refuse
from pitbook.rules.round import Round
from pitbook.rules.step import playable_plays, step

CARD_ACTIONS = (Deal, Turn)  # They move no money.


@dataclass
class UnitOfWork:
    """A table's state as it will be if the command is taken; the state handed in never changes."""

    state: TableState
    env: TableEnv
    dry_run: ClassVar[bool] = False  # Only asked whether: nothing is dealt.
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
        """Add a fact."""
        self._emit(fact, apply(self.state, fact))

    def _emit(self, fact: Fact, after: TableState) -> None:
        self.facts.append(fact)
        self.after.append(after)
        self.state = after

    def apply_action(self, action: Action) -> Refusal | None:
        """Take the round one step on, with the money it moves; or say why not."""
        if self.state.round is None:
            return refuse(Code.NOT_NOW, "table.desk.no-round")
        before = self.state.round
        after = refuse_too_soon(before, action) or step(before, action)
        if isinstance(after, Refusal):
            return after
        back = [] if type(action) in CARD_ACTIONS else self.book_transfers(before, after)
        if isinstance(back, Refusal):
            return back
        self._emit(facts.Acted(action), with_action(self.state, action, after))
        self.emit_reversal(back)
        return None

    def book_transfers(self, before: Round, after: Round) -> list[Reversal] | Refusal:
        """The money of a step that is no card; what it takes back is for the record."""
        transfers, back = transfers_for_step(
            self.accounts,
            self.state.round_id,
            before,
            after,
            rack=self.state.rack,
            purse=self.available,
        )
        if transfers and (refusal := self.check_covered(transfers)) is not None:
            return refusal
        for transfer in transfers:
            if transfer.why == ABOVE_RACK:
                self.emit(facts.Fill(transfer.amount, ABOVE_RACK))
        self.transfers += transfers
        return back

    def emit_reversal(self, back: list[Reversal]) -> None:
        """Say what was taken back, if anything was."""
        if back:
            anew = self.round.phase != "over"
            self.emit(reversal_event(self.state.round_id, back, anew=anew))

    def apply_all(self, actions: Iterable[Action]) -> Refusal | None:
        """Several steps; the first refusal is the answer."""
        for action in actions:
            if (refusal := self.apply_action(action)) is not None:
                return refusal
        return None

    def apply_forced(self, action: Action) -> None:
        """A step that the rules leave no choice about."""
        refusal = self.apply_action(action)
        assert refusal is None, f"{action}: {refusal}"

    def available(self, player: str) -> Cents:
        """What a player has left to wager, this command's own transfers counted."""
        now = net_change(self.accounts.wallet(player), self.transfers)
        return Cents(self.env.wallet(player) + now)

    def can_pay(self, player: str, amount: int) -> bool:
        """Whether a player has so much left, this command's own transfers counted."""
        moved = net_change(self.accounts.wallet(player), self.transfers) if self.transfers else 0
        return self.env.has(player, amount - moved)

    def time_in(self, seconds: int) -> datetime:
        """The time, so many seconds from now."""
        return self.env.now() + timedelta(seconds=seconds)

    def check_covered(self, transfers: list[Transfer]) -> Refusal | None:
        """Why a player cannot pay what these take, one after the other."""
        payers = [one.debit for one in transfers if one.debit.kind == "wallet"]
        for wallet in payers:
            needed = Cents(-lowest_balance(wallet, 0, transfers))
            if (refusal := self.check_balance(self.accounts.player(wallet), needed)) is not None:
                return refusal
        return None

    def check_balance(self, player: str, needed: Cents) -> Refusal | None:
        """Why a player cannot pay so much."""
        if self.can_pay(player, needed):
            return None
        left = self.available(player)
        key = "table.desk.not-covered"
        return refuse(Code.NOT_COVERED, key, player=player, left=left, needed=needed)


PlayCheck = Callable[[str], Refusal | None]

CHIP_ACTIONS = (
    Wager,
    Withdraw,
)  # Of actions on trial they alone take chips from a player, or give back.


class DryRun(UnitOfWork):
    """A table's state as far as another question of the same trial may hang on it."""

    dry_run: ClassVar[bool] = True

    def apply_action(self, action: Action) -> Refusal | None:
        """Why the round would not go one step on."""
        round = self.state.round
        if round is None:
            return super().apply_action(action)
        if isinstance(action, Decide):
            return self._decide(round, action)
        after = refuse_too_soon(round, action) or step(round, action)
        if isinstance(after, Refusal):
            return after
        if isinstance(action, CHIP_ACTIONS):
            was, now = round.seat(action.seat), after.seat(action.seat)
            transfers = list(seat_stake_transfers(self.accounts, "", was, now))
            if (refusal := self.check_covered(transfers)) is not None:
                return refusal
            self.transfers += transfers
        self.state = self.state._replace(round=after)
        return None

    def play_check(self, seat: int) -> PlayCheck:
        """Why a seat's plays would be refused, by name."""
        return lambda play: self.apply_action(Decide(seat, play))

    def _decide(self, round: Round, action: Decide) -> Refusal | None:
        """Why a play would not be made; what follows from it is nobody's question."""
        found = refuse_too_soon(round, action) or playable_plays(round, action)
        if isinstance(found, Refusal):
            return found
        seat, play = found
        if not play.takes:
            cost = seat.cost(play)
            return self.check_balance(seat.player, cost) if cost else None
        transfers: list[Transfer] = list(
            seat_stake_transfers(self.accounts, "", seat, seat.made(play))
        )
        return self.check_covered(transfers)
