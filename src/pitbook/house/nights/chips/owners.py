"""Whose money the accounts hold: the house, its players, or a charity's event."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Literal, NamedTuple

from pitbook.house.cage.slips import drawer_name
from pitbook.house.ledger.accounts import NORMAL, Account
from pitbook.house.nights.book.state import REHEARSAL

USD = "usd"

EventShare = Literal["cash", "float", "chips", "charity", "prizes", "unclaimed"]
HousePart = Literal["vault", "drawers", "boxes", "house", "racks", "wallets", "layouts"]

_HOUSE_PARTS: dict[str, HousePart] = {
    "box": "boxes",
    "rack": "racks",
    "wallet": "wallets",
    "held": "layouts",
}


class EventMoney(NamedTuple):
    """An event's cash and how much of it belongs to each owner, in cents."""

    cash: int = 0
    float: int = 0  # Lent by the house.
    chips: int = 0  # Chips that players hold, at face value.
    charity: int = 0  # Table results, expired chips and tournament fees.
    prizes: int = 0  # Tournament money that has not been paid out.
    unclaimed: int = 0  # Prizes and refunds left at closing, kept by name.

    @property
    def owed(self) -> int:
        """What all owners together have a claim to."""
        return self.float + self.chips + self.charity + self.prizes + self.unclaimed


class HouseMoney(NamedTuple):
    """All dollars of a house in cents: where they are and who owns them."""

    vault: int
    drawers: int
    boxes: int
    house: int  # Without floats at events.
    racks: int
    wallets: int
    layouts: int
    others: int  # On accounts that nothing in Pitbook uses.
    events: Mapping[str, EventMoney]

    @property
    def cash(self) -> int:
        """All cash, wherever it is."""
        at_events = sum(event.cash for event in self.events.values())
        return self.vault + self.drawers + self.boxes + at_events

    @property
    def owed(self) -> int:
        """What all owners together have a claim to."""
        house_total = self.house + self.racks + self.wallets + self.layouts + self.others
        return house_total + sum(event.owed for event in self.events.values())

    @property
    def agrees(self) -> bool:
        """Whether every account has an owner, and each owner's money is where it belongs."""
        apart = all(event.cash == event.owed for event in self.events.values())
        return apart and not self.others and self.cash == self.owed


def event_money(
    balances: Mapping[Account, int], event: str, *, rehearsal: bool = False
) -> EventMoney:
    """One event's money by owner; a rehearsal's is play money."""
    return _by_event(balances, REHEARSAL if rehearsal else USD).get(event, EventMoney())


def house_money(balances: Mapping[Account, int]) -> HouseMoney:
    """The money of the house by place and owner, with every event's."""
    parts = Counter[HousePart | Literal["others"]]()
    for account, cents in balances.items():
        if account.unit == USD and _event_share(account, USD) is None:
            part = _house_part(account)
            side = 1 if part != "others" or NORMAL[account.kind] == "credit" else -1
            parts[part] += side * cents
    return HouseMoney(
        vault=parts["vault"],
        drawers=parts["drawers"],
        boxes=parts["boxes"],
        house=parts["house"],
        racks=parts["racks"],
        wallets=parts["wallets"],
        layouts=parts["layouts"],
        others=parts["others"],
        events=_by_event(balances, USD),
    )


def _by_event(balances: Mapping[Account, int], money: str) -> dict[str, EventMoney]:
    """The ids of the events in which money of a unit has moved."""
    shares: dict[str, Counter[EventShare]] = {}
    for account, cents in balances.items():
        if (belongs := _event_share(account, money)) is not None:
            event, share = belongs
            sums = shares.setdefault(event, Counter())
            sums[share] += cents
            if share == "chips":  # Sales are booked as the charity's; chips in hand are not.
                sums["charity"] -= cents
    return {
        event: EventMoney(
            cash=sums["cash"],
            float=sums["float"],
            chips=sums["chips"],
            charity=sums["charity"],
            prizes=sums["prizes"],
            unclaimed=sums["unclaimed"],
        )
        for event, sums in sorted(shares.items())
    }


def _event_share(account: Account, money: str) -> tuple[str, EventShare] | None:
    """The event that an account belongs to, and the owner whose share it holds."""
    unit, kind, name = account
    if unit != money:
        chips = "event-chip:" if money == USD else f"{money}-event-chip:"
        in_hand = unit.startswith(chips) and kind in ("wallet", "held")
        return (unit.removeprefix(chips), "chips") if in_hand else None
    event = name.partition("/")[0].partition(".")[0]  # Of EVENT, EVENT.TOURNAMENT, EVENT/PLAYER.
    if not event:
        return None
    match kind:
        case "cash":
            return (event, "cash") if drawer_name(account) is None else None
        case "prizes" | "unclaimed":
            return event, kind
        case "sales":
            return event, "charity"
        case "house":
            return event, "float" if name == f"{event}/float" else "charity"
    return None


def _house_part(account: Account) -> HousePart | Literal["others"]:
    match account.kind:
        case "cash":
            return "drawers" if account.name else "vault"
        case "house":
            return "house"
    return _HOUSE_PARTS.get(account.kind, "others")
