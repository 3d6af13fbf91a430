"""Slips of the cage as recorded, and the transfers that each one books."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from pitbook.house.ledger.accounts import Account, Transfer, move
from pitbook.house.ledger.codec import Codec, LeftOut
from pitbook.money import Cents

UNIT = "usd"
SLIPS: Codec[Slip] = Codec("the cage")


@SLIPS.fact("buy-in")
class BuyIn(NamedTuple):
    """Cash in, chips out."""

    player: str
    amount: Cents
    drawer: LeftOut[str] = ""


@SLIPS.fact("cash-out")
class CashOut(NamedTuple):
    """Chips in, cash out."""

    player: str
    amount: Cents
    drawer: LeftOut[str] = ""


@SLIPS.fact("fund")
class Fund(NamedTuple):
    """The house brought money to the cage."""

    amount: Cents
    player: None = None


@SLIPS.fact("withdraw")
class MoneyWithdrawn(NamedTuple):
    """The house took money out of the cage."""

    amount: Cents
    player: None = None


@SLIPS.fact("drawer-opened")
class DrawerOpened(NamedTuple):
    """A cashier counted the money of a drawer, which came from the vault."""

    drawer: str
    counted: Cents


@SLIPS.fact("drawer-closed")
class DrawerClosed(NamedTuple):
    """A drawer was counted and emptied into the vault; what is over or short is the house's."""

    drawer: str
    counted: Cents
    expected: Cents


@SLIPS.fact("to-drawer")
class ToDrawer(NamedTuple):
    """Money from the vault to a drawer that runs low."""

    drawer: str
    amount: Cents


@SLIPS.fact("to-vault")
class ToVault(NamedTuple):
    """Money from a drawer that is too full to the vault."""

    drawer: str
    amount: Cents


@SLIPS.fact("box-counted")
class BoxCounted(NamedTuple):
    """A table's box was emptied and counted into the vault; over or short is the house's."""

    table: str
    counted: Cents
    expected: Cents


@SLIPS.fact("undo-asked")
class UndoAsked(NamedTuple):
    """Somebody wants a receipt undone that is too large for one person to undo."""

    receipt: int
    why: str


@SLIPS.fact("undo-declined")
class UndoDeclined(NamedTuple):
    """A second person said no: the receipt stands."""

    receipt: int
    why: str


@SLIPS.fact("undone")
class Undone(NamedTuple):
    """What a receipt moved went back, through the drawer of whoever asked for it."""

    receipt: int
    why: str
    amount: Cents
    drawer: LeftOut[str] = ""
    asked_by: LeftOut[str] = ""  # Where a second person had to agree: the first.


Over: TypeAlias = BuyIn | CashOut | Fund | MoneyWithdrawn
DrawerSlip: TypeAlias = DrawerOpened | DrawerClosed | ToDrawer | ToVault
Slip: TypeAlias = Over | DrawerSlip | BoxCounted | UndoAsked | UndoDeclined | Undone


VAULT, HOUSE = Account(UNIT, "cash"), Account(UNIT, "house")
DRAWER = "drawer/"


def drawer_account(drawer: str) -> Account:
    """Where the money of a drawer lies; that of none is in the vault."""
    return Account(UNIT, "cash", f"{DRAWER}{drawer}") if drawer else VAULT


def drawer_name(account: Account) -> str | None:
    """The cashier whose drawer a cash account is; None for the vault and for an event's cage."""
    in_drawer = account.kind == "cash" and account.name.startswith(DRAWER)
    return account.name.removeprefix(DRAWER) if in_drawer else None


def box_account(table: str) -> Account:
    """Where the cash lies that was changed for chips at a table."""
    return Account(UNIT, "box", table)


def moved(slip: Slip, undone: Slip | None = None) -> list[Transfer]:
    """What a slip moves; of an undoing it has to be said what is undone."""
    if isinstance(slip, BuyIn | CashOut | Fund | MoneyWithdrawn):
        return [_over(slip)]
    if isinstance(slip, Undone):
        assert undone is not None
        return _back(slip, undone)
    if isinstance(slip, BoxCounted):
        return _emptied(box_account(slip.table), "box", slip.counted, slip.expected)
    return [] if isinstance(slip, UndoAsked | UndoDeclined) else _drawn(slip)


def _over(slip: Over) -> Transfer:
    """Over the counter, to or from a player or the house."""
    match slip:
        case BuyIn(player, amount, drawer):
            wallet = Account(UNIT, "wallet", player)
            return move(drawer_account(drawer), wallet, amount, "buy-in")
        case CashOut(player, amount, drawer):
            wallet = Account(UNIT, "wallet", player)
            return move(wallet, drawer_account(drawer), amount, "cash-out")
        case Fund(amount):
            return move(VAULT, HOUSE, amount, "house funds")
        case MoneyWithdrawn(amount):
            return move(HOUSE, VAULT, amount, "house funds")


def _drawn(slip: DrawerSlip) -> list[Transfer]:
    """Between a drawer and the vault."""
    drawer = drawer_account(slip.drawer)
    match slip:
        case DrawerOpened(_, counted):
            return _maybe(drawer, VAULT, counted, "drawer opened")
        case ToDrawer(_, amount):
            return [move(drawer, VAULT, amount, "to drawer")]
        case ToVault(_, amount):
            return [move(VAULT, drawer, amount, "to vault")]
        case DrawerClosed(_, counted, expected):
            return _emptied(drawer, "drawer", counted, expected)


def _emptied(place: Account, what: str, counted: int, expected: int) -> list[Transfer]:
    """All that was counted goes to the vault; the rest is the house's loss or gain."""
    done = "closed" if what == "drawer" else "counted"
    return [
        *_maybe(place, HOUSE, counted - expected, f"{what} over"),
        *_maybe(HOUSE, place, expected - counted, f"{what} short"),
        *_maybe(VAULT, place, counted, f"{what} {done}"),
    ]


def _back(slip: Undone, undone: Slip) -> list[Transfer]:
    """The same way back, through another drawer where another one's money is given."""
    if isinstance(undone, BuyIn | CashOut):
        undone = undone._replace(drawer=slip.drawer)
    made = reversed(moved(undone))
    return [move(one.credit, one.debit, one.amount, f"{one.why} undone") for one in made]


def _maybe(debit: Account, credit: Account, amount: int, why: str) -> list[Transfer]:
    """A drawer or a box may hold nothing."""
    return [move(debit, credit, amount, why)] if amount > 0 else []
