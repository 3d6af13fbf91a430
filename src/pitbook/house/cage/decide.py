"""Rules of the cage: the slip for each request, or a CageRefused."""

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
    UndoAsked,
    UndoDeclined,
    Undone,
)
from pitbook.house.cage.state import Counter, Drawer, ReceiptRecord
from pitbook.money import Cents
from pitbook.text import say

VOIDABLE = (BuyIn, CashOut, Fund, MoneyWithdrawn, BoxCounted)  # Slips that may be voided.


def drawer_of(counter: Counter, who: str, *, needed: bool) -> str:
    """The drawer for a person's transaction; an empty name is the vault."""
    if who in counter.drawers:
        return who
    if needed:
        raise CageRefused(say("table.cage.open-first"))
    return ""


def open_drawer_slip(counter: Counter, drawer: str, counted: Cents) -> Slip:
    """A slip that opens a drawer with its first count."""
    if (drawer_open := counter.drawers.get(drawer)) is not None:
        raise CageRefused(say("table.cage.open-already", drawer=drawer, number=drawer_open.number))
    return DrawerOpened(drawer, counted)


def close_drawer_slip(counter: Counter, drawer: str, counted: Cents) -> Slip:
    """A slip that closes a drawer with its last count and the expected amount."""
    return DrawerClosed(drawer, counted, Cents(require_open(counter, drawer).holds))


def count_box_slip(
    counter: Counter, table: str, counted: Cents, *, expected: Cents, last: int
) -> Slip:
    """A drop box count with the expected amount; `last` is the number of the previous count."""
    if (last_receipt := last_count(counter, table)) != last:
        raise CageRefused(say("table.cage.counted-meanwhile", table=table, number=last_receipt))
    if not counted and not expected:
        raise CageRefused(say("table.cage.box-empty", table=table))
    return BoxCounted(table, counted, expected)


def last_count(counter: Counter, table: str) -> int:
    """The receipt number of a box's last count; 0 if it was never counted."""
    counts = (foil for foil in reversed(counter.receipts) if isinstance(foil.slip, BoxCounted))
    return next((foil.number for foil in counts if getattr(foil.slip, "table", None) == table), 0)


def require_open(counter: Counter, drawer: str) -> Drawer:
    """An open drawer; raises CageRefused if it is not open."""
    if (open_drawer := counter.drawers.get(drawer)) is None:
        raise CageRefused(say("table.cage.not-open", drawer=drawer))
    return open_drawer


def void_slip(
    counter: Counter, number: int, why: str, who: str, *, drawer: str, alone_max: Cents
) -> Slip:
    """A void of a receipt, or a request for one if a second person must approve."""
    foil = _require_voidable(counter, number)
    if number in counter.asking:
        asker = counter.asking[number].who
        raise CageRefused(say("table.cage.undo-waits", number=number, who=asker))
    if foil.amount > alone_max:
        return UndoAsked(number, why)
    return Undone(number, why, foil.amount, _drawer_for_reversal(foil, drawer))


def approve_void_slip(counter: Counter, number: int, who: str) -> Slip:
    """A void that a second person approves."""
    foil, asking = _require_voidable(counter, number), counter.asking.get(number)
    if asking is None:
        raise CageRefused(say("table.cage.nobody-asked", number=number))
    if asking.who == who:
        raise CageRefused(say("table.cage.second-person", number=number))
    drawer = drawer_of(counter, asking.who, needed=False)
    if not drawer and _had_drawer(counter, asking.who, asking.at):
        raise CageRefused(say("table.cage.not-open", drawer=asking.who))
    return Undone(number, asking.why, foil.amount, _drawer_for_reversal(foil, drawer), asking.who)


def decline_void_slip(counter: Counter, number: int, why: str) -> Slip:
    """A declined or withdrawn void request."""
    if number not in counter.asking:
        raise CageRefused(say("table.cage.nobody-asked", number=number))
    return UndoDeclined(number, why)


def _require_voidable(counter: Counter, number: int) -> ReceiptRecord:
    if (foil := counter.receipt(number)) is None:
        raise CageRefused(say("table.cage.no-receipt", number=number))
    if not isinstance(foil.slip, VOIDABLE):
        raise CageRefused(say("table.cage.not-undone", number=number))
    if (voided_by := counter.undone.get(number)) is not None:
        raise CageRefused(say("table.cage.undone-before", number=number, by=voided_by))
    return foil


def _drawer_for_reversal(foil: ReceiptRecord, drawer: str) -> str:
    """The drawer for a reversal: house money is always in the vault."""
    return drawer if isinstance(foil.slip, BuyIn | CashOut) else ""


def _had_drawer(counter: Counter, who: str, at: str) -> bool:
    """Whether a person's drawer, closed by now, was open at that time."""
    return any(
        shift.drawer.name == who and shift.drawer.at <= at <= shift.closed
        for shift in counter.shifts
    )
