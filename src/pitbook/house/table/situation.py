"""A table and its players' balances, to check commands against; nothing changes here."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from pitbook.house.ledger.accounts import Transfer
from pitbook.house.table.commands import By, Command
from pitbook.house.table.environment import Players
from pitbook.house.table.state import TableState
from pitbook.house.table.transfers import (
    TableAccounts,
    lowest_balance,
    net_change,
    seat_stake_transfers,
    table_accounts,
)
from pitbook.money import Cents
from pitbook.rules.actions import Action, Wager, Withdraw
from pitbook.rules.refusals import Code, Refusal, refuse
from pitbook.rules.round import Round
from pitbook.rules.round_progress import refuse_too_soon
from pitbook.rules.step import step


@dataclass
class Situation:
    """A table's state, what a check must know of its players, and transfers not yet recorded."""

    state: TableState
    env: Players
    transfers: list[Transfer] = field(default_factory=list)

    @cached_property
    def accounts(self) -> TableAccounts:
        """The table's accounts."""
        return table_accounts(self.state)

    @property
    def round(self) -> Round:
        """The round on the layout."""
        assert self.state.round is not None
        return self.state.round

    def check_action(self, action: Action) -> Refusal | None:
        """The refusal of an action in the current round, or None."""
        round = self.state.round
        if round is None:
            return refuse(Code.NOT_NOW, "table.desk.no-round")
        return self.check_actions(round, (action,))

    def check_actions(self, round: Round, actions: Iterable[Action]) -> Refusal | None:
        """The first refusal of several actions in a row, or None."""
        ahead = Situation(self.state, self.env)
        for action in actions:
            after = refuse_too_soon(round, action) or step(round, action)
            if isinstance(after, Refusal):
                return after
            if isinstance(action, CHIP_ACTIONS):
                seat_before, seat_after = round.seat(action.seat), after.seat(action.seat)
                transfers = list(seat_stake_transfers(self.accounts, "", seat_before, seat_after))
                if (refusal := ahead.check_covered(transfers)) is not None:
                    return refusal
                ahead.transfers += transfers
            round = after
        return None

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


# The only actions of `check_actions` that move a player's chips.
CHIP_ACTIONS = Wager, Withdraw

Check = Callable[[Situation, By, Any], Refusal | None]

PLACEHOLDER = "..."  # For a text that the sender of a command must fill in.


class Candidate(NamedTuple):
    """A command that the table's state suggests, and the check that `decide` makes of it."""

    command: Command
    check: Check
