"""A double-entry book. Transfers are facts: appended, never edited, never deleted."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal, NamedTuple, get_args

from pitbook.errors import LedgerError
from pitbook.money import CENTS_MAX, Cents

Money = Literal["cash", "box", "house", "sales", "prizes", "unclaimed"]
Chips = Literal["issued", "wallet", "held", "rack"]
Kind = Literal[Money, Chips]
Side = Literal["debit", "credit"]

# What is in the drawer or was given out stands on the left; whose it is stands on the right.
NORMAL: dict[Kind, Side] = {
    "cash": "debit",
    "box": "debit",
    "issued": "debit",
    "house": "credit",
    "wallet": "credit",
    "held": "credit",
    "rack": "credit",
    "sales": "credit",
    "prizes": "credit",
    "unclaimed": "credit",
}
MAY_OWE: frozenset[Kind] = frozenset({"house"})  # All others never go below zero.

UNIT = re.compile(
    r"usd|play|rehearsal|(rehearsal-)?(event-chip|tournament):[a-z0-9][a-z0-9.-]{0,62}", re.ASCII
)
NAME = re.compile(r"[^\x00-\x1f\x7f\ud800-\udfff]{0,200}")


class Account(NamedTuple):
    """A pot of money in one unit, as the wallet of ann or the rack of table-1."""

    unit: str
    kind: Kind
    name: str = ""

    def __str__(self) -> str:
        return f"{self.kind}:{self.name}" if self.name else self.kind

    @property
    def normal(self) -> Side:
        """The side on which the account grows."""
        return NORMAL[self.kind]


class Transfer(NamedTuple):
    """Money from one account to another: the first is debited, the second credited."""

    debit: Account
    credit: Account
    amount: Cents
    why: str


def move(debit: Account, credit: Account, amount: int, why: str) -> Transfer:
    """A transfer that is sound in itself; raises LedgerError for one that is not."""
    _check(debit)
    _check(credit)
    if debit.unit != credit.unit:
        raise LedgerError(f"{debit.unit} cannot be moved to an account in {credit.unit}")
    if debit == credit:
        raise LedgerError(f"{debit} cannot be moved to itself")
    if type(amount) is not int or not 0 < amount <= CENTS_MAX:
        raise LedgerError(f"{amount!r} is no amount to move; it is 1 to {CENTS_MAX} cents")
    return Transfer(debit, credit, Cents(amount), why)


@lru_cache(maxsize=10_000)  # The same few accounts, again and again.
def _check(account: Account) -> None:
    if account.kind not in get_args(Kind):
        raise LedgerError(f'there is no kind of account "{account.kind}"')
    if not UNIT.fullmatch(account.unit):
        raise LedgerError(f'"{account.unit}" is no unit of account; as in usd or play')
    if not NAME.fullmatch(account.name):
        raise LedgerError(f'"{account.name!r}" is no name for an account')


def changes(transfer: Transfer) -> tuple[tuple[Account, int], tuple[Account, int]]:
    """What a transfer does to the balances of its two accounts."""
    down = transfer.amount if transfer.debit.normal == "debit" else -transfer.amount
    up = transfer.amount if transfer.credit.normal == "credit" else -transfer.amount
    return (transfer.debit, down), (transfer.credit, up)
