"""What the counter answers, as types: receipts, drawers, and what the house holds."""

from __future__ import annotations

from typing import Literal

from typing_extensions import TypedDict

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
