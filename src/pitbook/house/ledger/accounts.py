"""Accounts and transfers of the double-entry ledger. Transfers are never edited or deleted."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal, NamedTuple, get_args

from pitbook.errors import LedgerError
from pitbook.money import CENTS_MAX, Cents
from pitbook.text import say
from pitbook.text.formats import CHIPS

MoneyAccount = Literal["cash", "box", "house", "sales", "prizes", "unclaimed"]
ChipAccount = Literal["issued", "wallet", "held", "rack"]
AccountKind = Literal[MoneyAccount, ChipAccount]
NormalSide = Literal["debit", "credit"]

# Assets (cash, chips issued) are debit accounts; claims on them are credit accounts.
NORMAL: dict[AccountKind, NormalSide] = {
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
MAY_OWE: frozenset[AccountKind] = frozenset({"house"})  # All others never go below zero.

DRAWER = "drawer/"  # Before a cashier's name, in the name of the drawer's cash account.
UNIT = re.compile(
    r"usd|play|rehearsal|(rehearsal-)?(event-chip|tournament):[a-z0-9][a-z0-9.-]{0,62}", re.ASCII
)
NAME = re.compile(r"[^\x00-\x1f\x7f\ud800-\udfff]{0,200}")


class Account(NamedTuple):
    """A pot of money in one unit, such as ann's wallet or the rack of table-1."""

    unit: str
    kind: AccountKind
    name: str = ""

    def __str__(self) -> str:
        return f"{self.kind}:{self.name}" if self.name else self.kind

    @property
    def place(self) -> str:
        """Where the money is: vault, drawer or event for cash, else the account's kind."""
        if self.kind != "cash":
            return self.kind
        if not self.name:
            return "vault"
        return "drawer" if self.name.startswith(DRAWER) else "event"

    @property
    def normal(self) -> NormalSide:
        """The side on which the account grows."""
        return NORMAL[self.kind]


class Transfer(NamedTuple):
    """Money from one account to another: the first is debited, the second credited."""

    debit: Account
    credit: Account
    amount: Cents
    why: str


def move(debit: Account, credit: Account, amount: int, why: str) -> Transfer:
    """A checked transfer; raises LedgerError if it is invalid."""
    _check_account(debit)
    _check_account(credit)
    if debit.unit != credit.unit:
        raise LedgerError(say("ledger.accounts.other-unit", unit=debit.unit, other=credit.unit))
    if debit == credit:
        raise LedgerError(say("ledger.accounts.itself", debit=debit))
    if type(amount) is not int or not 0 < amount <= CENTS_MAX:
        raise LedgerError(
            say("ledger.accounts.no-amount", amount=repr(amount), cents_max=CENTS_MAX)
        )
    return Transfer(debit, credit, Cents(amount), why)


@lru_cache(maxsize=10_000)  # The same few accounts recur.
def _check_account(account: Account) -> None:
    if account.kind not in get_args(AccountKind):
        raise LedgerError(say("ledger.accounts.no-kind", kind=account.kind))
    if not UNIT.fullmatch(account.unit):
        raise LedgerError(say("ledger.accounts.no-unit", unit=account.unit))
    if not NAME.fullmatch(account.name):
        raise LedgerError(say("ledger.accounts.no-name", name=repr(account.name)))


def balance_changes(transfer: Transfer) -> tuple[tuple[Account, int], tuple[Account, int]]:
    """The change that a transfer makes to each of its two accounts' balances."""
    debit, credit, amount, _ = transfer
    debit_change = amount if NORMAL[debit.kind] == "debit" else -amount
    credit_change = amount if NORMAL[credit.kind] == "credit" else -amount
    return (debit, debit_change), (credit, credit_change)


def is_tournament_unit(unit: str) -> bool:
    """Whether chips of this unit belong to a tournament, or its rehearsal."""
    kind, _, _ = unit.partition(":")
    return kind.removeprefix("rehearsal-") == "tournament"


def unit_currency(unit: str, currency: str | None) -> str | None:
    """What amounts of a table are of: the chips of a tournament are no money.

    >>> unit_currency("tournament:gala.main", "EUR"), unit_currency("event-chip:gala", "EUR")
    ('CHIPS', 'EUR')
    """
    return CHIPS if is_tournament_unit(unit) else currency
