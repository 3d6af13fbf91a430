"""Rules for drawers, drop boxes and voided receipts: the slip for a request, or a CageRefused."""

from __future__ import annotations

from pitbook.errors import CageRefused
from pitbook.house.cage.slips import (
    BoxCounted,
    BuyIn,
    CashOut,
    DrawerClosed,
    DrawerOpened,
    Fund,
    MoneyWithdrawn,
    Slip,
    UndoDeclined,
    Undone,
    UndoRequested,
)
from pitbook.house.cage.state import CageState, Drawer, ReceiptRecord
from pitbook.money import Cents
from pitbook.text import say

VOIDABLE = (BuyIn, CashOut, Fund, MoneyWithdrawn, BoxCounted)  # Slips that may be voided.


def drawer_of(counter: CageState, actor: str, *, needed: bool) -> str:
    """The drawer for a person's transaction; an empty name is the vault."""
    if actor in counter.drawers:
        return actor
    if needed:
        raise CageRefused(say("table.cage.open-first"))
    return ""


def open_drawer_slip(counter: CageState, drawer: str, counted: Cents) -> Slip:
    """A slip that opens a drawer with its first count."""
    if (drawer_open := counter.drawers.get(drawer)) is not None:
        raise CageRefused(say("table.cage.open-already", drawer=drawer, number=drawer_open.number))
    return DrawerOpened(drawer, counted)


def close_drawer_slip(counter: CageState, drawer: str, counted: Cents) -> Slip:
    """A slip that closes a drawer with its last count and the expected amount."""
    return DrawerClosed(drawer, counted, Cents(require_open(counter, drawer).holds))


def count_box_slip(
    counter: CageState, table: str, counted: Cents, *, expected: Cents, last: int
) -> Slip:
    """A drop box count with the expected amount; `last` is the number of the previous count."""
    if (last_receipt := last_count(counter, table)) != last:
        raise CageRefused(say("table.cage.counted-meanwhile", table=table, number=last_receipt))
    if not counted and not expected:
        raise CageRefused(say("table.cage.box-empty", table=table))
    return BoxCounted(table, counted, expected)


def last_count(counter: CageState, table: str) -> int:
    """The receipt number of a box's last count; 0 if it was never counted."""
    counts = (
        receipt for receipt in reversed(counter.receipts) if isinstance(receipt.slip, BoxCounted)
    )
    return next(
        (receipt.number for receipt in counts if getattr(receipt.slip, "table", None) == table), 0
    )


def require_open(counter: CageState, drawer: str) -> Drawer:
    """An open drawer; raises CageRefused if it is not open."""
    if (open_drawer := counter.drawers.get(drawer)) is None:
        raise CageRefused(say("table.cage.not-open", drawer=drawer))
    return open_drawer


def void_slip(
    counter: CageState, number: int, why: str, actor: str, *, drawer: str, alone_max: Cents
) -> Slip:
    """A void of a receipt, or a request for one if a second person must approve."""
    receipt = _require_voidable(counter, number)
    if number in counter.asking:
        asker = counter.asking[number].who
        raise CageRefused(say("table.cage.undo-waits", number=number, who=asker))
    if receipt.amount > alone_max:
        return UndoRequested(number, why)
    return Undone(number, why, receipt.amount, _drawer_for_reversal(receipt, drawer))


def approve_void_slip(counter: CageState, number: int, actor: str) -> Slip:
    """A void that a second person approves."""
    receipt, asking = _require_voidable(counter, number), counter.asking.get(number)
    if asking is None:
        raise CageRefused(say("table.cage.nobody-asked", number=number))
    if asking.who == actor:
        raise CageRefused(say("table.cage.second-person", number=number))
    drawer = drawer_of(counter, asking.who, needed=False)
    if not drawer and _had_drawer(counter, asking.who, asking.at):
        raise CageRefused(say("table.cage.not-open", drawer=asking.who))
    return Undone(
        number, asking.why, receipt.amount, _drawer_for_reversal(receipt, drawer), asking.who
    )


def decline_void_slip(counter: CageState, number: int, why: str) -> Slip:
    """A declined or withdrawn void request."""
    if number not in counter.asking:
        raise CageRefused(say("table.cage.nobody-asked", number=number))
    return UndoDeclined(number, why)


def _require_voidable(counter: CageState, number: int) -> ReceiptRecord:
    if (receipt := counter.receipt(number)) is None:
        raise CageRefused(say("table.cage.no-receipt", number=number))
    if not isinstance(receipt.slip, VOIDABLE):
        raise CageRefused(say("table.cage.not-undone", number=number))
    if (voided_by := counter.undone.get(number)) is not None:
        raise CageRefused(say("table.cage.undone-before", number=number, by=voided_by))
    return receipt


def _drawer_for_reversal(receipt: ReceiptRecord, drawer: str) -> str:
    """The drawer for a reversal: house money is always in the vault."""
    return drawer if isinstance(receipt.slip, BuyIn | CashOut) else ""


def _had_drawer(counter: CageState, actor: str, at: str) -> bool:
    """Whether a drawer that is now closed was open at that time."""
    return any(
        shift.drawer.name == actor and shift.drawer.at <= at <= shift.closed
        for shift in counter.shifts
    )
