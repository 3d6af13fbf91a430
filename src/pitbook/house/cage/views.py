"""What the cage screens show: receipts, drawers and boxes."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Literal, cast

from typing_extensions import TypedDict

from pitbook.house.cage.cage import Cage
from pitbook.house.cage.decide import last_count
from pitbook.house.cage.slips import SLIPS, UNIT, BoxCounted, DrawerClosed, Undone
from pitbook.house.cage.state import Counter, Counterfoil, Drawer, Shift
from pitbook.house.inspect.table_results import currencies
from pitbook.house.ledger.journal import Ledger
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


class AskingShown(TypedDict):
    """Who wants a receipt undone, since when, and why."""

    who: str
    at: str
    why: str


class ReceiptShown(TypedDict):
    """One receipt; `off` is what a drawer or a box was over, or short with a minus."""

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
    asking: AskingShown | None


class Receipts(TypedDict):
    """Receipts, newest first; `more` where older ones fit as well; those that wait to be undone."""

    receipts: list[ReceiptShown]
    waiting: list[ReceiptShown]
    more: bool
    alone_max: str


class DrawerShown(TypedDict):
    """An open drawer; whoever counts it is not told what should lie in it."""

    drawer: str
    receipt: int
    opened: str
    counted: str
    holds: str | None


class ShiftShown(TypedDict):
    """A drawer from one count to the other."""

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
    """Drawers that are open, and those that were, newest first."""

    open: list[DrawerShown]
    closed: list[ShiftShown]
    vault: str | None


class BoxShown(TypedDict):
    """What should lie in the box of a table, by which receipt it was counted last, if it is open.

    `last` is 0 for a box that was never counted.
    """

    table: str
    holds: str
    last: int
    open: bool


class BoxCount(TypedDict):
    """A box that was emptied and counted; by which receipt that was undone, if it was."""

    table: str
    at: str
    by: str
    receipt: int
    counted: str
    expected: str
    off: str
    undone_by: int | None


class Boxes(TypedDict):
    """Boxes of tables that are open or hold something, and counts, newest first.

    `currencies`: of tables whose amounts are no US dollars.
    """

    boxes: list[BoxShown]
    counts: list[BoxCount]
    currencies: dict[str, str]


SESSIONS_MAX = 200


def found(counter: Counter, text: str, *, skip: int, count: int) -> list[ReceiptShown]:
    """Receipts that have a text somewhere, newest first."""
    wanted, made = text.strip().casefold(), list[ReceiptShown]()
    for foil in reversed(counter.receipts):
        shown = receipt(counter, foil)
        if not wanted or any(wanted in one for one in _words(shown)):
            made.append(shown)
        if len(made) == skip + count:
            break
    return made[skip:]


def _words(shown: ReceiptShown) -> Iterator[str]:
    values = (value for value in shown.values() if isinstance(value, str | int))
    return (str(one).casefold() for one in values)


def receipt(counter: Counter, foil: Counterfoil) -> ReceiptShown:
    """One receipt, and whether it was undone since."""
    slip, asking = foil.slip, counter.asking.get(foil.number)
    undone = slip if isinstance(slip, Undone) else None
    off = slip.counted - slip.expected if isinstance(slip, DrawerClosed | BoxCounted) else None
    return {
        "number": foil.number,
        "what": cast(ReceiptKind, SLIPS.name(type(slip))),
        "amount": money(foil.amount),
        "player": getattr(slip, "player", None),
        "drawer": getattr(slip, "drawer", None) or None,
        "table": getattr(slip, "table", None),
        "who": foil.who,
        "at": foil.at,
        "of": undone and undone.receipt,
        "why": undone and undone.why,
        "asked_by": (undone and undone.asked_by) or None,
        "off": None if off is None else money(off),
        "undone_by": counter.undone.get(foil.number),
        "asking": asking and {"who": asking.who, "at": asking.at, "why": asking.why},
    }


def drawers(counter: Counter, ledger: Ledger, *, tells: bool) -> Drawers:
    """All drawers; a cashier is told neither what lies in one nor what the vault holds."""
    closed = counter.shifts[: -SESSIONS_MAX - 1 : -1]
    return {
        "open": [_open(one, tells=tells) for one in counter.drawers.values()],
        "closed": [_shift(one) for one in closed],
        "vault": money(ledger.balance(Cage.vault)) if tells else None,
    }


def _open(one: Drawer, *, tells: bool) -> DrawerShown:
    return {
        "drawer": one.name,
        "receipt": one.number,
        "opened": one.at,
        "counted": money(one.counted),
        "holds": money(one.holds) if tells else None,
    }


def _shift(one: Shift) -> ShiftShown:
    return {
        "drawer": one.drawer.name,
        "opened": one.drawer.at,
        "closed": one.closed,
        "by": one.by,
        "receipt": one.number,
        "first": money(one.drawer.counted),
        "counted": money(one.slip.counted),
        "expected": money(one.slip.expected),
        "off": money(one.over),
    }


def boxes(counter: Counter, ledger: Ledger, *, open_: Collection[str]) -> Boxes:
    """Boxes of tables that are open, or hold something still; and how they were counted."""
    held = {one.name: cents for one, cents in ledger.balances(UNIT).items() if one.kind == "box"}
    names = sorted({*open_, *(name for name, cents in held.items() if cents)})
    counts = [one for one in counter.receipts if isinstance(one.slip, BoxCounted)]
    return {
        "boxes": [
            {
                "table": name,
                "holds": money(held.get(name, 0)),
                "last": last_count(counter, name),
                "open": name in open_,
            }
            for name in names
        ],
        "counts": [_count(counter, one) for one in counts[: -SESSIONS_MAX - 1 : -1]],
        "currencies": currencies(ledger),
    }


def _count(counter: Counter, foil: Counterfoil) -> BoxCount:
    slip = cast(BoxCounted, foil.slip)
    return {
        "table": slip.table,
        "at": foil.at,
        "by": foil.who,
        "receipt": foil.number,
        "counted": money(slip.counted),
        "expected": money(slip.expected),
        "off": money(slip.counted - slip.expected),
        "undone_by": counter.undone.get(foil.number),
    }


def receipts(counter: Counter, text: str, *, skip: int, count: int, alone_max: int) -> Receipts:
    """A page of receipts."""
    page = found(counter, text, skip=skip, count=count + 1)
    return {
        "receipts": page[:count],
        "waiting": [receipt(counter, counter.receipts[one - 1]) for one in counter.asking],
        "more": len(page) > count,
        "alone_max": money(alone_max),
    }
