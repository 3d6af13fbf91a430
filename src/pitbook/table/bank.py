"""The only bridge from settlements to transfers: each cent is held, then taken or paid."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from pitbook.engine.game import Seat
from pitbook.engine.round import Round
from pitbook.engine.settlement import Line
from pitbook.ledger.accounts import Account, Transfer, changes, move
from pitbook.money import Cents
from pitbook.table.model import TableState

ABOVE_RACK = "payout above the rack"


class Till(NamedTuple):
    """The accounts of one table; practice keeps to itself, so that nothing of it need stay."""

    unit: str
    table: str
    practice: bool = False

    @property
    def rack(self) -> Account:
        """The table's own chips."""
        return Account(self.unit, "rack", self.table)

    @property
    def house(self) -> Account:
        """Where fills come from and credits go to."""
        return self.issued if self.practice else Account(self.unit, "house")

    @property
    def issued(self) -> Account:
        """Chips given out to guests."""
        return Account(self.unit, "issued")

    def wallet(self, player: str) -> Account:
        """A player's money; a guest's is good at this table alone."""
        return Account(self.unit, "wallet", f"{self._guest}{player}")

    def player(self, wallet: Account) -> str:
        """Whose wallet it is."""
        return wallet.name.removeprefix(self._guest)

    def held(self, seat: int) -> Account:
        """What lies on the layout at a seat."""
        return Account(self.unit, "held", f"{self.table}/{seat}")

    @property
    def _guest(self) -> str:
        return f"{self.table}/" if self.practice else ""


def till_of(state: TableState) -> Till:
    """The accounts of a table."""
    return Till(state.unit, state.table, state.kind == "practice")


def moved(till: Till, round_id: str, before: Round, after: Round, rack: Cents) -> list[Transfer]:
    """The transfers of one step of a round; a fill comes first where the rack is too small."""
    transfers = list(_staked(till, round_id, before, after))
    if after.phase != "over" or before.phase == "over":
        return transfers
    paid = list(_settled(till, round_id, after))
    short = shortfall(till, rack, paid)
    fills = [move(till.house, till.rack, short, ABOVE_RACK)] if short else []
    return [*transfers, *fills, *paid]


def shortfall(till: Till, rack: Cents, transfers: list[Transfer]) -> Cents:
    """How far the rack would fall below nothing on the way."""
    lowest = level = int(rack)
    own = till.rack
    for transfer in transfers:
        if own in (transfer.debit, transfer.credit):
            level += change(own, [transfer])
            lowest = min(lowest, level)
    return Cents(max(0, -lowest))


def change(account: Account, transfers: list[Transfer]) -> int:
    """What transfers do to one account."""
    each = (one for transfer in transfers for one in changes(transfer))
    return sum(amount for whose, amount in each if whose == account)


def _staked(till: Till, round_id: str, before: Round, after: Round) -> Iterator[Transfer]:
    """Wagers put and taken back."""
    for was, now in _changed(before, after):
        if was is not None and now is not None and was[2:4] == now[2:4]:  # Neither main nor side.
            continue
        seat = now or was
        assert seat is not None
        old, new = dict(was.stakes if was else ()), dict(now.stakes if now else ())
        wallet, held = till.wallet(seat.player), till.held(seat.number)
        for wager in {**old, **new}:
            more = new.get(wager, 0) - old.get(wager, 0)
            if not more:
                continue
            why = f"{round_id} seat {seat.number} {wager}"
            if more > 0:
                yield move(wallet, held, more, f"{why} put")
            else:
                yield move(held, wallet, -more, f"{why} taken back")


def _changed(before: Round, after: Round) -> Iterator[tuple[Seat | None, Seat | None]]:
    """The seats that are not what they were, in order."""
    if len(before.seats) == len(after.seats):
        both = zip(before.seats, after.seats, strict=True)
        yield from ((was, now) for was, now in both if was is not now)
        return
    for number in sorted({seat.number for seat in (*before.seats, *after.seats)}):
        yield before.seat(number), after.seat(number)


def _settled(till: Till, round_id: str, over: Round) -> Iterator[Transfer]:
    rack = till.rack
    accounts = {
        seat.number: (till.wallet(seat.player), till.held(seat.number)) for seat in over.seats
    }
    for number, line in in_order(over):
        wallet, held = accounts[number]
        why = f"{round_id} seat {number} {line.wager} {line.result}"
        taken = line.result in ("lose", "forfeit")
        yield move(held, rack if taken else wallet, line.stake, why)
        if line.wins:
            yield move(rack, wallet, line.wins, why)


def in_order(over: Round) -> Iterator[tuple[int, Line]]:
    """Every line of a round that is over, in the order in which a dealer takes and pays."""
    left = {(one.seat, line.wager): line for one in over.settlements for line in one.lines}
    for number, group in over.to_settle:
        here = [
            wager
            for seat, wager in left
            if seat == number and (wager if wager in over.game.sheet.side else "main") in group
        ]
        for wager in here:
            yield number, left.pop((number, wager))
    for (number, _), line in left.items():  # Void before there was an order.
        yield number, line
