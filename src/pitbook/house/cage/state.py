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
    UndoAsked,
    UndoDeclined,
    Undone,
    drawer_account,
    moved,
)
from pitbook.house.ledger.accounts import Transfer, changes
from pitbook.house.ledger.chain import Entry
from pitbook.money import Cents
from pitbook.text import say

WORDS = UndoAsked | UndoDeclined  # They move nothing, and are no receipts.


class Counterfoil(NamedTuple):
    """What the cage keeps of a receipt; the first slip of the book is number 1."""

    number: int
    seq: int
    at: str
    who: str
    slip: Slip

    @property
    def amount(self) -> Cents:
        """What passed; of a drawer or a box, what was counted."""
        slip = self.slip
        if isinstance(slip, DrawerOpened | DrawerClosed | BoxCounted):
            return slip.counted
        return Cents(0) if isinstance(slip, WORDS) else slip.amount


class Drawer(NamedTuple):
    """An open drawer: who has it, and what should lie in it."""

    name: str
    number: int  # Of the receipt by which it was opened.
    at: str
    counted: Cents
    holds: int


class Shift(NamedTuple):
    """A drawer from one count to the other."""

    drawer: Drawer
    closed: str
    by: str
    slip: DrawerClosed
    number: int

    @property
    def over(self) -> int:
        """Cents that were too many; too few below zero."""
        return self.slip.counted - self.slip.expected


class Asking(NamedTuple):
    """An undoing that waits for a second person."""

    receipt: int
    who: str
    at: str
    why: str


@dataclass
class Counter:
    """All that a request is judged by."""

    receipts: list[Counterfoil] = field(default_factory=list)
    drawers: dict[str, Drawer] = field(default_factory=dict)
    shifts: list[Shift] = field(default_factory=list)
    undone: dict[int, int] = field(default_factory=dict)  # By which receipt another was undone.
    asking: dict[int, Asking] = field(default_factory=dict)

    def receipt(self, number: int) -> Counterfoil | None:
        """A receipt by its number."""
        return self.receipts[number - 1] if 0 < number <= len(self.receipts) else None

    def written_at(self, seq: int) -> int | None:
        """The number of the receipt that an entry of the book is."""
        at = bisect_left(self.receipts, seq, key=lambda one: one.seq)
        return at + 1 if self.receipts[at : at + 1] and self.receipts[at].seq == seq else None

    def moves(self, slip: Slip) -> list[Transfer]:
        """What a slip moves, after all that came before."""
        undone = self._undone(slip.receipt) if isinstance(slip, Undone) else None
        return moved(slip, undone and undone.slip)

    def _undone(self, number: int) -> Counterfoil:
        """A receipt that can be undone; raises FactError for any other."""
        foil = self.receipt(number)
        if foil is None or isinstance(foil.slip, Undone):
            raise FactError(say("table.cage.no-receipt", number=number))
        return foil

    def take(self, entry: Entry, slip: Slip) -> None:
        """The next slip of the book; raises FactError for one that cannot have been written."""
        if isinstance(slip, UndoAsked):
            asking = Asking(slip.receipt, entry.actor, entry.at, slip.why)
            self.asking[slip.receipt] = asking
        elif isinstance(slip, UndoDeclined):
            if self.asking.pop(slip.receipt, None) is None:
                raise FactError(say("table.cage.nobody-asked", number=slip.receipt))
        else:
            self._number(entry, slip)

    def _number(self, entry: Entry, slip: Slip) -> None:
        foil = Counterfoil(len(self.receipts) + 1, entry.seq, entry.at, entry.actor, slip)
        transfers = self.moves(slip)
        if isinstance(slip, DrawerClosed | ToDrawer | ToVault) and slip.drawer not in self.drawers:
            raise FactError(say("table.cage.not-open", drawer=slip.drawer))
        if isinstance(slip, Undone) and (by := self.undone.get(slip.receipt)) is not None:
            raise FactError(say("table.cage.undone-before", number=slip.receipt, by=by))
        self.receipts.append(foil)
        if isinstance(slip, DrawerOpened):
            made = Drawer(slip.drawer, foil.number, foil.at, slip.counted, 0)
            self.drawers[slip.drawer] = made
        elif isinstance(slip, Undone):
            self.undone[slip.receipt] = foil.number
            self.asking.pop(slip.receipt, None)
        for name, drawer in self.drawers.items():
            self.drawers[name] = drawer._replace(holds=drawer.holds + _into(name, transfers))
        if isinstance(slip, DrawerClosed):
            gone = self.drawers.pop(slip.drawer)
            self.shifts.append(Shift(gone, foil.at, foil.who, slip, foil.number))


def evolve(counter: Counter, entries: Iterable[Entry]) -> Counter:
    """The counter after some entries; whoever looks at the one before sees it as it was."""
    after = Counter(
        list(counter.receipts),
        dict(counter.drawers),
        list(counter.shifts),
        dict(counter.undone),
        dict(counter.asking),
    )
    for entry in entries:
        for slip in SLIPS.load_entry(entry):
            after.take(entry, slip)
    return after


def _into(drawer: str, transfers: Iterable[Transfer]) -> int:
    account = drawer_account(drawer)
    return sum(cents for one in transfers for whose, cents in changes(one) if whose == account)
