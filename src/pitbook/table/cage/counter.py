"""The counter after some slips: receipts by number, drawers that are open, undoings that wait."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from pitbook.ledger.accounts import Transfer, changes
from pitbook.ledger.chain import Entry
from pitbook.money import Cents
from pitbook.table.cage.slips import (
    SLIPS,
    BoxCounted,
    DrawerClosed,
    DrawerOpened,
    Slip,
    UndoAsked,
    UndoDeclined,
    Undone,
    drawer_account,
    moved,
)

__all__ = ["Counter", "Counterfoil", "Drawer", "Session", "evolve"]

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


class Session(NamedTuple):
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
    sessions: list[Session] = field(default_factory=list)
    undone: dict[int, int] = field(default_factory=dict)  # By which receipt another was undone.
    asking: dict[int, Asking] = field(default_factory=dict)
    by_seq: dict[int, int] = field(default_factory=dict)

    def receipt(self, number: int) -> Counterfoil | None:
        """A receipt by its number."""
        return self.receipts[number - 1] if 0 < number <= len(self.receipts) else None

    def moves(self, slip: Slip) -> list[Transfer]:
        """What a slip moves, after all that came before."""
        undone = self.receipt(slip.receipt) if isinstance(slip, Undone) else None
        return moved(slip, undone and undone.slip)

    def take(self, entry: Entry, slip: Slip) -> None:
        """The next slip of the book."""
        if isinstance(slip, UndoAsked):
            asking = Asking(slip.receipt, entry.actor, entry.at, slip.why)
            self.asking[slip.receipt] = asking
        elif isinstance(slip, UndoDeclined):
            del self.asking[slip.receipt]
        else:
            self._number(entry, slip)

    def _number(self, entry: Entry, slip: Slip) -> None:
        foil = Counterfoil(len(self.receipts) + 1, entry.seq, entry.at, entry.actor, slip)
        transfers = self.moves(slip)
        self.receipts.append(foil)
        self.by_seq[foil.seq] = foil.number
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
            self.sessions.append(Session(gone, foil.at, foil.who, slip, foil.number))


def evolve(counter: Counter, entries: Iterable[Entry]) -> Counter:
    """The counter after some entries; what cannot be read leaves it as it was."""
    read = [(entry, SLIPS.told(entry)) for entry in entries]
    for entry, slips in read:
        for slip in slips:
            counter.take(entry, slip)
    return counter


def _into(drawer: str, transfers: Iterable[Transfer]) -> int:
    account = drawer_account(drawer)
    return sum(cents for one in transfers for whose, cents in changes(one) if whose == account)
