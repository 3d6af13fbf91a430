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
from pitbook.house.cage.state import Counter, Counterfoil, Drawer
from pitbook.money import Cents
from pitbook.text import say

OVER = (BuyIn, CashOut, Fund, MoneyWithdrawn, BoxCounted)  # What may be undone.


def drawer_of(counter: Counter, who: str, *, needed: bool) -> str:
    """The drawer that somebody's money passes through; none is the vault."""
    if who in counter.drawers:
        return who
    if needed:
        raise CageRefused(say("table.cage.open-first"))
    return ""


def opened(counter: Counter, drawer: str, counted: Cents) -> Slip:
    """A drawer with its first count."""
    if (open_ := counter.drawers.get(drawer)) is not None:
        raise CageRefused(say("table.cage.open-already", drawer=drawer, number=open_.number))
    return DrawerOpened(drawer, counted)


def closed(counter: Counter, drawer: str, counted: Cents) -> Slip:
    """A drawer with its last count, beside what should lie in it."""
    return DrawerClosed(drawer, counted, Cents(is_open(counter, drawer).holds))


def box_counted(
    counter: Counter, table: str, counted: Cents, *, expected: Cents, last: int
) -> Slip:
    """A box with its count, beside what should lie in it; `last`: the count before it."""
    if (known := last_count(counter, table)) != last:
        raise CageRefused(say("table.cage.counted-meanwhile", table=table, number=known))
    if not counted and not expected:
        raise CageRefused(say("table.cage.box-empty", table=table))
    return BoxCounted(table, counted, expected)


def last_count(counter: Counter, table: str) -> int:
    """The receipt by which a box was counted last; 0 where it never was."""
    counts = (one for one in reversed(counter.receipts) if isinstance(one.slip, BoxCounted))
    return next((one.number for one in counts if getattr(one.slip, "table", None) == table), 0)


def is_open(counter: Counter, drawer: str) -> Drawer:
    """An open drawer; raises CageRefused for one that is not."""
    if (found := counter.drawers.get(drawer)) is None:
        raise CageRefused(say("table.cage.not-open", drawer=drawer))
    return found


def undone(
    counter: Counter, number: int, why: str, who: str, *, drawer: str, alone_max: Cents
) -> Slip:
    """A receipt undone at once, or asked for where a second person has to agree."""
    foil = _standing(counter, number)
    if number in counter.asking:
        asker = counter.asking[number].who
        raise CageRefused(say("table.cage.undo-waits", number=number, who=asker))
    if foil.amount > alone_max:
        return UndoAsked(number, why)
    return Undone(number, why, foil.amount, _through(foil, drawer))


def approved(counter: Counter, number: int, who: str) -> Slip:
    """An undoing to which a second person agrees."""
    foil, asking = _standing(counter, number), counter.asking.get(number)
    if asking is None:
        raise CageRefused(say("table.cage.nobody-asked", number=number))
    if asking.who == who:
        raise CageRefused(say("table.cage.second-person", number=number))
    drawer = drawer_of(counter, asking.who, needed=False)
    if not drawer and _had_drawer(counter, asking.who, asking.at):
        raise CageRefused(say("table.cage.not-open", drawer=asking.who))
    return Undone(number, asking.why, foil.amount, _through(foil, drawer), asking.who)


def declined(counter: Counter, number: int, why: str) -> Slip:
    """An undoing that a second person refuses, or its asker takes back."""
    if number not in counter.asking:
        raise CageRefused(say("table.cage.nobody-asked", number=number))
    return UndoDeclined(number, why)


def _standing(counter: Counter, number: int) -> Counterfoil:
    if (foil := counter.receipt(number)) is None:
        raise CageRefused(say("table.cage.no-receipt", number=number))
    if not isinstance(foil.slip, OVER):
        raise CageRefused(say("table.cage.not-undone", number=number))
    if (by := counter.undone.get(number)) is not None:
        raise CageRefused(say("table.cage.undone-before", number=number, by=by))
    return foil


def _through(foil: Counterfoil, drawer: str) -> str:
    """What the house brought or took lies in the vault, whoever undoes it."""
    return drawer if isinstance(foil.slip, BuyIn | CashOut) else ""


def _had_drawer(counter: Counter, who: str, at: str) -> bool:
    """Whether somebody's drawer, which is closed now, was open when something was asked for."""
    return any(
        one.drawer.name == who and one.drawer.at <= at <= one.closed for one in counter.shifts
    )
