"""The accounts of one table, by their names in the book, and what transfers do to them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from pitbook.house.ledger.accounts import Account, Transfer, changes

__all__ = ["TableTill", "change", "lowest"]


class TableTill(NamedTuple):
    """The accounts of one table; practice keeps to itself, so that nothing of it need stay."""

    unit: str
    table: str
    practice: bool = False

    @property
    def rack(self) -> Account:
        """The table's own chips."""
        return Account(self.unit, "rack", self.table)

    @property
    def box(self) -> Account:
        """The cash that players changed for chips at the table: its drop."""
        return Account(self.unit, "box", self.table)

    @property
    def house(self) -> Account:
        """Where fills come from and credits go to."""
        return self.issued if self.practice else Account(self.unit, "house")

    @property
    def issued(self) -> Account:
        """Chips given out to guests."""
        return Account(self.unit, "issued")

    def wallet(self, player: str) -> Account:
        """A player's money; a guest's is good at this table alone."""
        return Account(self.unit, "wallet", f"{self._guest}{player}")

    def player(self, wallet: Account) -> str:
        """Whose wallet it is."""
        return wallet.name.removeprefix(self._guest)

    def held(self, seat: int) -> Account:
        """What lies on the layout at a seat."""
        return Account(self.unit, "held", f"{self.table}/{seat}")

    @property
    def _guest(self) -> str:
        return f"{self.table}/" if self.practice else ""


def change(account: Account, transfers: Iterable[Transfer]) -> int:
    """What transfers do to one account."""
    total = 0
    for transfer in transfers:
        if account in transfer[:2]:
            total += sum([amount for whose, amount in changes(transfer) if whose == account])
    return total


def lowest(account: Account, level: int, transfers: Iterable[Transfer]) -> int:
    """The least that an account holds on the way."""
    least = level
    for transfer in transfers:
        for whose, amount in changes(transfer):
            if whose == account:
                level += amount
                least = min(least, level)
    return least
