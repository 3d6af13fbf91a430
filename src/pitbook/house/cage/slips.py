"""Slips of the cage as recorded, and the transfers that each one books."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from pitbook.house.ledger.accounts import DRAWER, Account, Transfer, move
from pitbook.house.ledger.fact_codec import Codec, OmitDefault
from pitbook.money import Cents

UNIT = "usd"
SLIPS: Codec[Slip] = Codec("the cage")


@SLIPS.fact("buy-in")
class BuyIn(NamedTuple):
    player: str
    amount: Cents
    drawer: OmitDefault[str] = ""


@SLIPS.fact("cash-out")
class CashOut(NamedTuple):
    player: str
    amount: Cents
    drawer: OmitDefault[str] = ""


@SLIPS.fact("fund")
class Fund(NamedTuple):
    """House money added to the vault."""

    amount: Cents
    player: None = None


@SLIPS.fact("withdraw")
class MoneyWithdrawn(NamedTuple):
    """House money removed from the vault."""

    amount: Cents
    player: None = None


@SLIPS.fact("drawer-opened")
class DrawerOpened(NamedTuple):
    """A cashier counted a drawer's opening money, which came from the vault."""

    drawer: str
    counted: Cents


@SLIPS.fact("drawer-closed")
class DrawerClosed(NamedTuple):
    """A drawer was counted and emptied into the vault; over or short is the house's."""

    drawer: str
    counted: Cents
    expected: Cents


@SLIPS.fact("to-drawer")
class ToDrawer(NamedTuple):
    """Money from the vault to a drawer."""

    drawer: str
    amount: Cents


@SLIPS.fact("to-vault")
class ToVault(NamedTuple):
    """Money from a drawer to the vault."""

    drawer: str
    amount: Cents


@SLIPS.fact("box-counted")
class BoxCounted(NamedTuple):
    """A drop box was counted and emptied into the vault; over or short is the house's."""

    table: str
    counted: Cents
    expected: Cents


@SLIPS.fact("undo-asked")
class UndoRequested(NamedTuple):
    """A request to void a receipt too large for one person to void."""

    receipt: int
    why: str


@SLIPS.fact("undo-declined")
class UndoDeclined(NamedTuple):
    """A void request was declined; the receipt stays valid."""

    receipt: int
    why: str


@SLIPS.fact("undone")
class Undone(NamedTuple):
    """A receipt was voided; the money went back through the asker's drawer."""

    receipt: int
    why: str
    amount: Cents
    drawer: OmitDefault[str] = ""
    asked_by: OmitDefault[str] = ""  # The first person, if a second one had to approve.


CounterSlip: TypeAlias = BuyIn | CashOut | Fund | MoneyWithdrawn
DrawerSlip: TypeAlias = DrawerOpened | DrawerClosed | ToDrawer | ToVault
Slip: TypeAlias = CounterSlip | DrawerSlip | BoxCounted | UndoRequested | UndoDeclined | Undone


VAULT, HOUSE = Account(UNIT, "cash"), Account(UNIT, "house")


def drawer_account(drawer: str) -> Account:
    """The cash account of a drawer; without a name, the vault."""
    return Account(UNIT, "cash", f"{DRAWER}{drawer}") if drawer else VAULT


def drawer_name(account: Account) -> str | None:
    """The cashier of a drawer account; None for the vault and for an event's cage."""
    in_drawer = account.kind == "cash" and account.name.startswith(DRAWER)
    return account.name.removeprefix(DRAWER) if in_drawer else None


def box_account(table: str) -> Account:
    """The cash account of a table's drop box."""
    return Account(UNIT, "box", table)


def slip_transfers(slip: Slip, voided_slip: Slip | None = None) -> list[Transfer]:
    """The transfers of a slip; for a void, of the voided slip."""
    if isinstance(slip, BuyIn | CashOut | Fund | MoneyWithdrawn):
        return [_counter_transfer(slip)]
    if isinstance(slip, Undone):
        assert voided_slip is not None
        return _reversal_transfers(slip, voided_slip)
    if isinstance(slip, BoxCounted):
        return _count_transfers(box_account(slip.table), "box", slip.counted, slip.expected)
    return [] if isinstance(slip, UndoRequested | UndoDeclined) else _drawer_transfers(slip)


def _counter_transfer(slip: CounterSlip) -> Transfer:
    """Between the counter and a player or the house."""
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


def _drawer_transfers(slip: DrawerSlip) -> list[Transfer]:
    """Between a drawer and the vault."""
    drawer = drawer_account(slip.drawer)
    match slip:
        case DrawerOpened(_, counted):
            return _transfer_if_positive(drawer, VAULT, counted, "drawer opened")
        case ToDrawer(_, amount):
            return [move(drawer, VAULT, amount, "to drawer")]
        case ToVault(_, amount):
            return [move(VAULT, drawer, amount, "to vault")]
        case DrawerClosed(_, counted, expected_cash):
            return _count_transfers(drawer, "drawer", counted, expected_cash)


def _count_transfers(
    place: Account, place_kind: str, counted: int, expected_cash: int
) -> list[Transfer]:
    """The count goes to the vault; the difference is the house's loss or gain."""
    verb = "closed" if place_kind == "drawer" else "counted"
    return [
        *_transfer_if_positive(place, HOUSE, counted - expected_cash, f"{place_kind} over"),
        *_transfer_if_positive(HOUSE, place, expected_cash - counted, f"{place_kind} short"),
        *_transfer_if_positive(VAULT, place, counted, f"{place_kind} {verb}"),
    ]


def _reversal_transfers(slip: Undone, voided_slip: Slip) -> list[Transfer]:
    """The reversed transfers, through the drawer that pays now."""
    if isinstance(voided_slip, BuyIn | CashOut):
        voided_slip = voided_slip._replace(drawer=slip.drawer)
    transfers = reversed(slip_transfers(voided_slip))
    return [
        move(transfer.credit, transfer.debit, transfer.amount, f"{transfer.why} undone")
        for transfer in transfers
    ]


def _transfer_if_positive(debit: Account, credit: Account, amount: int, why: str) -> list[Transfer]:
    """One transfer, or none for zero."""
    return [move(debit, credit, amount, why)] if amount > 0 else []
