"""What the cage screens show: receipts, drawers and boxes."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Literal, cast

from typing_extensions import TypedDict

from pitbook.house.cage.cage import Cage
from pitbook.house.cage.drawers_and_voids import last_count
from pitbook.house.cage.slips import SLIPS, UNIT, BoxCounted, DrawerClosed, Undone
from pitbook.house.cage.state import CageState, Drawer, ReceiptRecord, Shift
from pitbook.house.inspect.table_results import currencies
from pitbook.house.ledger.ledger import Ledger
from pitbook.money import money

ReceiptKind = Literal[
    "buy-in",
    "cash-out",
    "fund",
    "withdraw",
    "drawer-opened",
    "drawer-closed",
    "to-drawer",
    "to-vault",
    "box-counted",
    "undone",
]


class VoidRequestView(TypedDict):
    """Who asked to void a receipt, when and why."""

    who: str
    at: str
    why: str


class ReceiptView(TypedDict):
    """A receipt; `off` is what a drawer or box was over, or short if negative."""

    number: int
    what: ReceiptKind
    amount: str
    player: str | None
    drawer: str | None
    table: str | None
    who: str
    at: str
    of: int | None
    why: str | None
    asked_by: str | None
    off: str | None
    undone_by: int | None
    asking: VoidRequestView | None


class Receipts(TypedDict):
    """Receipts, newest first, and those that wait to be voided; `more` if older ones match."""

    receipts: list[ReceiptView]
    waiting: list[ReceiptView]
    more: bool
    alone_max: str


class DrawerView(TypedDict):
    """An open drawer; the cashier does not see the expected amount."""

    drawer: str
    receipt: int
    opened: str
    counted: str
    holds: str | None


class ShiftView(TypedDict):
    """A drawer between its two counts."""

    drawer: str
    opened: str
    closed: str
    by: str
    receipt: int
    first: str
    counted: str
    expected: str
    off: str


class Drawers(TypedDict):
    """Open drawers, and closed ones, newest first."""

    open: list[DrawerView]
    closed: list[ShiftView]
    vault: str | None


class BoxView(TypedDict):
    """A drop box: expected amount, last count, and whether the table is open.

    `last` is 0 for a box that was never counted.
    """

    table: str
    holds: str
    last: int
    open: bool


class BoxCount(TypedDict):
    """A drop box count, and the receipt that voided it, if any."""

    table: str
    at: str
    by: str
    receipt: int
    counted: str
    expected: str
    off: str
    undone_by: int | None


class Boxes(TypedDict):
    """Drop boxes of open tables or with money, and counts, newest first.

    `currencies`: of tables not in US dollars.
    """

    boxes: list[BoxView]
    counts: list[BoxCount]
    currencies: dict[str, str]


SESSIONS_MAX = 200


def search_receipts(counter: CageState, text: str, *, skip: int, count: int) -> list[ReceiptView]:
    """Receipts that contain a text, newest first."""
    search_text, matches = text.strip().casefold(), list[ReceiptView]()
    for record in reversed(counter.receipts):
        view = receipt(counter, record)
        if not search_text or any(search_text in word for word in _activity_words(view)):
            matches.append(view)
        if len(matches) == skip + count:
            break
    return matches[skip:]


def _activity_words(view: ReceiptView) -> Iterator[str]:
    values = (value for value in view.values() if isinstance(value, str | int))
    return (str(field_value).casefold() for field_value in values)


def receipt(counter: CageState, receipt: ReceiptRecord) -> ReceiptView:
    """A receipt, and whether it was voided."""
    slip, asking = receipt.slip, counter.asking.get(receipt.number)
    undone = slip if isinstance(slip, Undone) else None
    off = slip.counted - slip.expected if isinstance(slip, DrawerClosed | BoxCounted) else None
    return {
        "number": receipt.number,
        "what": cast(ReceiptKind, SLIPS.name(type(slip))),
        "amount": money(receipt.amount),
        "player": getattr(slip, "player", None),
        "drawer": getattr(slip, "drawer", None) or None,
        "table": getattr(slip, "table", None),
        "who": receipt.who,
        "at": receipt.at,
        "of": undone and undone.receipt,
        "why": undone and undone.why,
        "asked_by": (undone and undone.asked_by) or None,
        "off": None if off is None else money(off),
        "undone_by": counter.undone.get(receipt.number),
        "asking": asking and {"who": asking.who, "at": asking.at, "why": asking.why},
    }


def drawers(counter: CageState, ledger: Ledger, *, shows_expected: bool) -> Drawers:
    """All drawers; a cashier sees neither expected amounts nor the vault's balance."""
    closed = counter.shifts[: -SESSIONS_MAX - 1 : -1]
    return {
        "open": [
            _open_drawer(drawer, shows_expected=shows_expected)
            for drawer in counter.drawers.values()
        ],
        "closed": [_closed_shift(shift) for shift in closed],
        "vault": money(ledger.balance(Cage.vault)) if shows_expected else None,
    }


def _open_drawer(drawer: Drawer, *, shows_expected: bool) -> DrawerView:
    return {
        "drawer": drawer.name,
        "receipt": drawer.number,
        "opened": drawer.at,
        "counted": money(drawer.counted),
        "holds": money(drawer.holds) if shows_expected else None,
    }


def _closed_shift(shift: Shift) -> ShiftView:
    return {
        "drawer": shift.drawer.name,
        "opened": shift.drawer.at,
        "closed": shift.closed,
        "by": shift.by,
        "receipt": shift.number,
        "first": money(shift.drawer.counted),
        "counted": money(shift.slip.counted),
        "expected": money(shift.slip.expected),
        "off": money(shift.over),
    }


def boxes(counter: CageState, ledger: Ledger, *, open_: Collection[str]) -> Boxes:
    """Drop boxes of open tables or with money, and their counts."""
    box_balances = {
        account.name: cents
        for account, cents in ledger.balances(UNIT).items()
        if account.kind == "box"
    }
    names = sorted({*open_, *(name for name, cents in box_balances.items() if cents)})
    counts = [receipt for receipt in counter.receipts if isinstance(receipt.slip, BoxCounted)]
    return {
        "boxes": [
            {
                "table": name,
                "holds": money(box_balances.get(name, 0)),
                "last": last_count(counter, name),
                "open": name in open_,
            }
            for name in names
        ],
        "counts": [_box_count(counter, receipt) for receipt in counts[: -SESSIONS_MAX - 1 : -1]],
        "currencies": currencies(ledger),
    }


def _box_count(counter: CageState, receipt: ReceiptRecord) -> BoxCount:
    slip = cast(BoxCounted, receipt.slip)
    return {
        "table": slip.table,
        "at": receipt.at,
        "by": receipt.who,
        "receipt": receipt.number,
        "counted": money(slip.counted),
        "expected": money(slip.expected),
        "off": money(slip.counted - slip.expected),
        "undone_by": counter.undone.get(receipt.number),
    }


def receipts(counter: CageState, text: str, *, skip: int, count: int, alone_max: int) -> Receipts:
    """A page of receipts."""
    page = search_receipts(counter, text, skip=skip, count=count + 1)
    return {
        "receipts": page[:count],
        "waiting": [receipt(counter, counter.receipts[number - 1]) for number in counter.asking],
        "more": len(page) > count,
        "alone_max": money(alone_max),
    }
