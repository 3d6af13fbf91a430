"""State of the cage: numbered receipts, open drawers, and undo requests that wait for approval."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from pitbook.errors import FactError
from pitbook.house.cage.slips import (
    SLIPS,
    BoxCounted,
    DrawerClosed,
    DrawerOpened,
    Slip,
    ToDrawer,
    ToVault,
    UndoDeclined,
    Undone,
    UndoRequested,
    drawer_account,
    slip_transfers,
)
from pitbook.house.ledger.accounts import Transfer, balance_changes
from pitbook.house.ledger.hash_chain import Entry
from pitbook.money import Cents
from pitbook.text import say

VOID_REQUEST_SLIPS = UndoRequested | UndoDeclined  # These move no money and are not receipts.


class ReceiptRecord(NamedTuple):
    """A numbered receipt; the first slip of the ledger is number 1."""

    number: int
    seq: int
    at: str
    who: str
    slip: Slip

    @property
    def amount(self) -> Cents:
        """The amount transferred; for a drawer or box, the count."""
        slip = self.slip
        if isinstance(slip, DrawerOpened | DrawerClosed | BoxCounted):
            return slip.counted
        return Cents(0) if isinstance(slip, VOID_REQUEST_SLIPS) else slip.amount


class Drawer(NamedTuple):
    """An open drawer: its cashier and the expected amount."""

    name: str
    number: int  # Of the receipt that opened it.
    at: str
    counted: Cents
    holds: int


class Shift(NamedTuple):
    """A drawer between its two counts."""

    drawer: Drawer
    closed: str
    by: str
    slip: DrawerClosed
    number: int

    @property
    def over(self) -> int:
        """Cents over; negative if short."""
        return self.slip.counted - self.slip.expected


class VoidRequest(NamedTuple):
    """A void that waits for a second person."""

    receipt: int
    who: str
    at: str
    why: str


@dataclass
class CageState:
    """The state of the cage."""

    receipts: list[ReceiptRecord] = field(default_factory=list)
    drawers: dict[str, Drawer] = field(default_factory=dict)
    shifts: list[Shift] = field(default_factory=list)
    # By voided receipt: the receipt that voided it.
    undone: dict[int, int] = field(default_factory=dict)
    asking: dict[int, VoidRequest] = field(default_factory=dict)

    def receipt(self, number: int) -> ReceiptRecord | None:
        """A receipt by number, or None."""
        return self.receipts[number - 1] if 0 < number <= len(self.receipts) else None

    def number_at(self, seq: int) -> int | None:
        """The receipt number of a ledger entry."""
        index = bisect_left(self.receipts, seq, key=lambda receipt: receipt.seq)
        return (
            index + 1
            if self.receipts[index : index + 1] and self.receipts[index].seq == seq
            else None
        )

    def moves(self, slip: Slip) -> list[Transfer]:
        """The transfers of a slip."""
        voided = self._voided_receipt(slip.receipt) if isinstance(slip, Undone) else None
        return slip_transfers(slip, voided and voided.slip)

    def _voided_receipt(self, number: int) -> ReceiptRecord:
        """A receipt that can be voided; raises FactError for any other."""
        receipt = self.receipt(number)
        if receipt is None or isinstance(receipt.slip, Undone):
            raise FactError(say("table.cage.no-receipt", number=number))
        return receipt

    def apply(self, entry: Entry, slip: Slip) -> None:
        """Apply the next slip of the ledger; raises FactError for an impossible one."""
        if isinstance(slip, UndoRequested):
            asking = VoidRequest(slip.receipt, entry.actor, entry.at, slip.why)
            self.asking[slip.receipt] = asking
        elif isinstance(slip, UndoDeclined):
            if self.asking.pop(slip.receipt, None) is None:
                raise FactError(say("table.cage.nobody-asked", number=slip.receipt))
        else:
            self._add_receipt(entry, slip)

    def _add_receipt(self, entry: Entry, slip: Slip) -> None:
        receipt = ReceiptRecord(len(self.receipts) + 1, entry.seq, entry.at, entry.actor, slip)
        transfers = self.moves(slip)
        if isinstance(slip, DrawerClosed | ToDrawer | ToVault) and slip.drawer not in self.drawers:
            raise FactError(say("table.cage.not-open", drawer=slip.drawer))
        if isinstance(slip, Undone) and (voided_by := self.undone.get(slip.receipt)) is not None:
            raise FactError(say("table.cage.undone-before", number=slip.receipt, by=voided_by))
        self.receipts.append(receipt)
        if isinstance(slip, DrawerOpened):
            opened_drawer = Drawer(slip.drawer, receipt.number, receipt.at, slip.counted, 0)
            self.drawers[slip.drawer] = opened_drawer
        elif isinstance(slip, Undone):
            self.undone[slip.receipt] = receipt.number
            self.asking.pop(slip.receipt, None)
        for name, drawer in self.drawers.items():
            self.drawers[name] = drawer._replace(
                holds=drawer.holds + _drawer_change(name, transfers)
            )
        if isinstance(slip, DrawerClosed):
            closed_drawer = self.drawers.pop(slip.drawer)
            self.shifts.append(Shift(closed_drawer, receipt.at, receipt.who, slip, receipt.number))


def apply_entries(counter: CageState, entries: Iterable[Entry]) -> CageState:
    """A new counter after more entries; the old one is unchanged."""
    next_counter = CageState(
        list(counter.receipts),
        dict(counter.drawers),
        list(counter.shifts),
        dict(counter.undone),
        dict(counter.asking),
    )
    for entry in entries:
        for slip in SLIPS.load_entry(entry):
            next_counter.apply(entry, slip)
    return next_counter


def _drawer_change(drawer: str, transfers: Iterable[Transfer]) -> int:
    account = drawer_account(drawer)
    return sum(
        cents
        for transfer in transfers
        for changed_account, cents in balance_changes(transfer)
        if changed_account == account
    )
